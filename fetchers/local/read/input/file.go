// Package input is how the readers look at files that may be hostile: text in
// any charset as UTF-8, zip archives and XML, each within bounds of memory.
package input

import (
	"bytes"
	"context"
	"errors"
	"io"
)

var (
	// ErrTooLarge is returned for what exceeds the bounds of a reader.
	ErrTooLarge = errors.New("too large to render")

	// ErrTooSlow is the cause of the end of a reading at its deadline.
	ErrTooSlow = errors.New("too slow to render")

	// ErrMalformed is returned for what is not what it was taken for.
	ErrMalformed = errors.New("malformed")
)

// File is one stored file.
type File struct {
	Path    string
	Charset string // of the Content-Type, "" when it has none
}

// Until returns a reader of r that ends with the cause of ctx once ctx has
// ended. What a reader is given to read goes through it, so that none goes on
// after its deadline.
func Until(ctx context.Context, r io.Reader) io.Reader { return &until{ctx, r} }

type until struct {
	ctx context.Context
	r   io.Reader
}

func (u *until) Read(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.r.Read(p)
}

func readAll(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		return nil, ErrTooLarge
	}
	return b, err
}

// ReadText returns the file's text as OpenText reads it, and ErrTooLarge when
// it has more than limit bytes, in the file or as UTF-8.
func (f File) ReadText(ctx context.Context, limit int64) (text []byte, charset string, err error) {
	r, err := f.OpenText(ctx)
	if err != nil {
		return nil, "", err
	}
	defer r.Close()
	if r.Size > limit {
		return nil, "", ErrTooLarge
	}
	buf := bytes.NewBuffer(make([]byte, 0, r.Size+bytes.MinRead))
	if _, err := buf.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, "", err
	}
	if int64(buf.Len()) > limit {
		return nil, "", ErrTooLarge
	}
	return buf.Bytes(), r.Charset, nil
}
