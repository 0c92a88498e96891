package github

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
)

// roundTrip answers requests without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// one fetches a URL with an API that answers as answer does.
func one(t *testing.T, req fetchers.Request, raw string, answer roundTrip) *fetched {
	t.Helper()
	client := api.New(api.Config{Transport: answer, Env: []string{"PATH=/nonexistent"}})
	s := &sink{got: map[string]*fetched{}}
	task := fetchers.Task{URL: fetchers.URL{Asked: raw}, Folder: newFolder(t)}
	if err := New(Config{API: client}).Fetch(t.Context(), req, []fetchers.Task{task}, s); err != nil {
		t.Fatal(err)
	}
	return s.of(task)
}

func TestPanicIsAFailure(t *testing.T) {
	const raw = "https://github.com/o/r/blob/main/a.go"
	got := one(t, fetchers.Request{}, raw, func(*http.Request) (*http.Response, error) { panic("broken") })
	if got.Failure == nil || got.Failure.Reason != "internal error (broken): report it with the URL" || got.Failure.Final {
		t.Errorf("%+v, want a failure", got)
	}
}

// Only files were asked for: a page in place of them would be something else.
func TestSubtreeThatTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const raw = "https://github.com/o/r/tree/main"
		got := one(t, fetchers.Request{Tree: true}, raw, func(r *http.Request) (*http.Response, error) {
			resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: &slow{ctx: r.Context()}, Request: r}
			if r.URL.Host == "github.com" {
				time.Sleep(time.Second)
				resp.Body = io.NopCloser(bytes.NewReader(packets("# service=git-upload-pack", "", sha1+" HEAD\x00multi_ack", sha1+" refs/heads/main", "")))
			}
			return resp, nil
		})
		want := fetchers.Failure{Reason: "no answer within 10m0s", Final: true}
		if got.Failure == nil || *got.Failure != want {
			t.Errorf("%+v, want %+v", got.Failure, want)
		}
	})
}

// slow is the beginning of an archive, one byte in 20 seconds.
type slow struct {
	ctx  context.Context
	sent int
}

func (s *slow) Read(p []byte) (int, error) {
	select {
	case <-time.After(20 * time.Second):
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	}
	p[0] = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x00\xff\xff\x00\x00"[min(s.sent, 14)]
	s.sent++
	return 1, nil
}

func (*slow) Close() error { return nil }
