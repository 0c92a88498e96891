package parallel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxAnswer is how large an answer may be, decompressed.
const maxAnswer = 64 << 20

var errTooLarge = fmt.Errorf("the answer is larger than %d MB", maxAnswer>>20)

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
	dec := json.NewDecoder(&cappedReader{r, maxAnswer})
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
				ans.errors = append(ans.errors, one)
				return nil
			})
		case "warnings":
			return readArray(dec, func(one extractWarning) error {
				ans.warnings = append(ans.warnings, one)
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
	case errors.Is(err, errTooLarge):
		return ans, errTooLarge
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
func readObject(dec *json.Decoder, field func(key string) error) error {
	open, err := dec.Token()
	if err != nil {
		return unexpected(err)
	}
	if open != json.Delim('{') {
		return errors.New("it is no object")
	}
	for dec.More() {
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
func readArray[T any](dec *json.Decoder, each func(T) error) error {
	open, err := dec.Token()
	if err != nil || open == nil {
		return err
	}
	if open != json.Delim('[') {
		return errors.New("a list was expected")
	}
	for dec.More() {
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

// cappedReader fails once more than left bytes were read.
type cappedReader struct {
	r    io.Reader
	left int64
}

func (c *cappedReader) Read(p []byte) (int, error) {
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1]
	}
	n, err := c.r.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}
