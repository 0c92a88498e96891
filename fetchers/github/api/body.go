package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"pifetch/internal/termtext"
)

// body is an answer's body under the deadlines of its call: all of it within
// the call's time, or, of a stream, the head within that time, each byte within
// idleTimeout and all within streamTimeout.
type body struct {
	io.ReadCloser
	ctx     context.Context
	cancel  context.CancelCauseFunc
	end     func() // frees what the exchange holds
	subject string
	stream  bool
	length  int64 // -1: unknown
	read    int64
	timer   *time.Timer // of the call; of a stream, of the next byte
}

func newBody(ctx context.Context, r request, timeout time.Duration, done func()) *body {
	b := &body{subject: r.subject, stream: r.stream, length: -1}
	ctx, b.cancel = context.WithCancelCause(ctx)
	stop := func() {}
	if r.stream {
		ctx, stop = context.WithTimeoutCause(ctx, streamTimeout, b.timeout("not complete", streamTimeout))
	}
	b.ctx = ctx
	b.timer = time.AfterFunc(timeout, func() { b.cancel(b.timeout("no answer", timeout)) })
	b.end = sync.OnceFunc(func() {
		b.timer.Stop()
		stop()
		b.cancel(context.Canceled)
		done()
	})
	return b
}

func (b *body) timeout(what string, d time.Duration) error {
	return &Error{Code: Unavailable, Message: fmt.Sprintf("%s: %s within %s", b.subject, what, d)}
}

// receive puts b in the place of the answer's body.
func (b *body) receive(resp *http.Response) {
	if b.stream {
		b.timer.Stop()
		b.timer = time.AfterFunc(idleTimeout, func() { b.cancel(b.timeout("no byte", idleTimeout)) })
		b.timer.Stop()
	}
	b.ReadCloser, b.length, resp.Body = resp.Body, resp.ContentLength, b
}

func (b *body) Read(p []byte) (int, error) {
	if b.stream {
		b.timer.Reset(idleTimeout)
		defer b.timer.Stop()
	}
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = b.failed(err)
	}
	return n, err
}

func (b *body) Close() error {
	defer b.end()
	if b.ReadCloser == nil {
		return nil
	}
	return b.ReadCloser.Close()
}

// failed says what an error of the connection means: a deadline, the caller's
// end, or an answer that broke off.
func (b *body) failed(err error) error {
	switch {
	case b.ctx.Err() != nil:
		return context.Cause(b.ctx)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		text := b.subject + ": the answer broke off after " + termtext.Bytes(b.read)
		if b.length > 0 {
			text += " of " + termtext.Bytes(b.length)
		}
		return &Error{Code: Unavailable, Message: text, cause: io.ErrUnexpectedEOF}
	}
	return &Error{Code: Unavailable, Message: b.subject + ": " + line(err.Error()), cause: err}
}
