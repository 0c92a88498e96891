package parallel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// The limits of an answer, decompressed.
const (
	maxAnswer   = 64 << 20 // bytes
	maxValue    = 4 << 20  // bytes of one page, or of whatever else is held as a whole
	maxErrors   = 100      // there is one for a URL
	maxWarnings = 5        // passed on
)

var (
	errTooLarge = fmt.Errorf("the answer is larger than %d MB", maxAnswer>>20)
	errTooLong  = fmt.Errorf("a page of the answer is larger than %d MB", maxValue>>20)
)

// answer is what an answer has beside its results.
type answer struct {
	errors   []extractError
	warnings []extractWarning
}

// readAnswer reads an answer as it arrives and hands over each result as soon
// as it is there. What was handed over stays when the rest cannot be read.
func (a account) readAnswer(r io.Reader, each func(extractResult)) (answer, error) {
	var (
		ans     answer
		results bool
		failure *apiError
		kind    string
	)
	dec := newDecoder(r)
	err := readObject(dec, func(key string) error {
		switch key {
		case "results":
			results = true
			return readArray(dec, func(one extractResult) error {
				if one.URL == "" {
					return errors.New("a result has no url")
				}
				each(one)
				return nil
			})
		case "errors":
			return readArray(dec, func(one extractError) error {
				if one.URL == "" {
					return errors.New("an error has no url")
				}
				if len(ans.errors) == maxErrors {
					return fmt.Errorf("more than %d errors", maxErrors)
				}
				ans.errors = append(ans.errors, one)
				return nil
			})
		case "warnings":
			return readArray(dec, func(one extractWarning) error {
				if len(ans.warnings) < maxWarnings {
					ans.warnings = append(ans.warnings, one)
				}
				return nil
			})
		case "error":
			return dec.Decode(&failure)
		case "type":
			return dec.Decode(&kind)
		}
		var ignored json.RawMessage
		return dec.Decode(&ignored)
	})
	switch {
	case errors.Is(err, errTooLarge) || errors.Is(err, errTooLong):
		return ans, err
	case err != nil:
		return ans, fmt.Errorf("unreadable answer: %s", a.clean(err.Error()))
	case failure != nil:
		return ans, fmt.Errorf("error in the answer: %s", a.words(*failure))
	case kind == "error":
		return ans, errors.New("error in the answer, without a message")
	case !results:
		return ans, errors.New("unreadable answer: it has no results")
	}
	return ans, nil
}

// readObject reads an object; field reads the value of one key.
func readObject(dec decoder, field func(key string) error) error {
	open, err := dec.Token()
	if err != nil {
		return unexpected(err)
	}
	if open != json.Delim('{') {
		return errors.New("it is no object")
	}
	for dec.more() {
		key, err := dec.Token()
		if err != nil {
			return unexpected(err)
		}
		if err := field(key.(string)); err != nil {
			return unexpected(err)
		}
	}
	_, err = dec.Token()
	return unexpected(err)
}

// readArray reads an array, or null, one element at a time.
func readArray[T any](dec decoder, each func(T) error) error {
	open, err := dec.Token()
	if err != nil || open == nil {
		return err
	}
	if open != json.Delim('[') {
		return errors.New("a list was expected")
	}
	for dec.more() {
		var one T
		if err := dec.Decode(&one); err != nil {
			return err
		}
		if err := each(one); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// unexpected names the end of an answer that is not over.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// decoder reads JSON whose whole and whose single values have a size that can
// be borne: encoding/json holds a value twice while it reads it.
type decoder struct {
	*json.Decoder
	in *cappedReader
}

func newDecoder(r io.Reader) decoder {
	in := &cappedReader{r: r}
	return decoder{json.NewDecoder(in), in}
}

// more is More; what comes next counts against maxValue from here on.
func (d decoder) more() bool {
	d.in.start = d.InputOffset()
	return d.More()
}

// cappedReader fails when more than maxAnswer bytes are asked for, or more than
// maxValue bytes from start on: that more is there to read ahead is no failure.
type cappedReader struct {
	r           io.Reader
	read, start int64
}

func (c *cappedReader) Read(p []byte) (int, error) {
	room, over := maxAnswer-c.read, errTooLarge
	if ahead := c.start + maxValue - c.read; ahead < room {
		room, over = ahead, errTooLong
	}
	if int64(len(p)) > room {
		p = p[:max(room, 1)] // one: there may be no more
	}
	n, err := c.r.Read(p)
	if c.read += int64(n); int64(n) > room {
		return 0, over
	}
	return n, err
}
