package parallel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// maxErrorBytes is how much of an answer that is an error is read.
const maxErrorBytes = 64 << 10

// send makes a call and returns the body of its answer, whose status is 200.
// One that failed in passing is made once more, if what is left of ctx allows
// the pause.
func (c *call) send(ctx context.Context, r extractRequest) (io.ReadCloser, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	for again := false; ; again = true {
		resp, err := c.post(ctx, text)
		if err == nil && resp.StatusCode == http.StatusOK {
			return resp.Body, nil
		}
		if ctx.Err() != nil {
			if err == nil {
				resp.Body.Close()
			}
			return nil, context.Cause(ctx)
		}
		retry, wait := true, backoff()
		if err == nil {
			retry, wait = retryable(resp.StatusCode, resp.Header), pause(resp.Header, time.Now())
			err = c.account.refused(resp)
		}
		if !retry || again {
			return nil, err
		}
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
			return nil, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, err
		}
	}
}

func (c *call) post(ctx context.Context, text []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("X-Api-Key", *c.account.key)
	req.Header.Set("User-Agent", c.fetcher.cfg.UserAgent)
	resp, err := c.fetcher.http.Do(req)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // the method and the URL say nothing new
		}
		return nil, fmt.Errorf("%s: %s", req.URL.Host, c.account.clean(err.Error()))
	}
	return resp, nil
}

// retryable is the rule of Parallel's own client, but for what does not become
// right by itself, whatever the answer says.
func retryable(status int, h http.Header) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusUnprocessableEntity:
		return false
	}
	switch h.Get("X-Should-Retry") {
	case "true":
		return true
	case "false":
		return false
	}
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
		return true
	}
	return status >= 500
}

// pause is how long an answer asks to wait before the call is made again.
func pause(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return limit(ms / 1000)
	}
	after := h.Get("Retry-After")
	if secs, err := strconv.ParseFloat(after, 64); err == nil {
		return limit(secs)
	}
	if at, err := http.ParseTime(after); err == nil {
		return limit(at.Sub(now).Seconds())
	}
	return backoff()
}

// limit brings seconds, which may be any number, within an hour.
func limit(secs float64) time.Duration {
	if !(secs > 0) {
		return 0
	}
	return time.Duration(min(secs, 3600) * float64(time.Second))
}

// backoff is half a second, less up to a quarter of it.
func backoff() time.Duration {
	return time.Duration(float64(500*time.Millisecond) * (1 - rand.Float64()/4))
}
