package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrLineTooLong reports a line over its cap, read or to be written.
var ErrLineTooLong = errors.New("line too long")

// Reader reads lines of at most a given number of bytes.
type Reader struct {
	br   *bufio.Reader
	cap  int
	skip bool // in a line over the cap; its rest is passed over
}

// NewReader reads lines of at most limit bytes, the newline not counted.
func NewReader(r io.Reader, limit int) *Reader {
	return &Reader{br: bufio.NewReader(r), cap: limit}
}

// Read returns the next line that is not blank, without its newline. The slice
// is the caller's to keep.
//
// A line over the cap is reported with ErrLineTooLong as soon as the cap is
// passed, and the next Read resumes behind that line's newline. Input that
// ends within a line is io.ErrUnexpectedEOF: half a message is none.
func (r *Reader) Read() ([]byte, error) {
	var line []byte
	for {
		part, err := r.br.ReadSlice('\n')
		full := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !full {
			if errors.Is(err, io.EOF) && (r.skip || len(bytes.TrimSpace(append(line, part...))) > 0) {
				return nil, io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if r.skip {
			r.skip = full
			continue
		}
		line = append(line, part...)
		if !full {
			line = line[:len(line)-1]
		}
		switch {
		case len(line) > r.cap:
			r.skip = full
			return nil, ErrLineTooLong
		case full:
		case len(bytes.TrimSpace(line)) == 0:
			line = line[:0]
		default:
			return line, nil
		}
	}
}

// Marshal returns v as one line, its newline included. A line over limit bytes
// is ErrLineTooLong.
func Marshal(v any, limit int) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	if b.Len()-1 > limit {
		return nil, fmt.Errorf("%w: %d bytes, at most %d are allowed", ErrLineTooLong, b.Len()-1, limit)
	}
	return b.Bytes(), nil
}
