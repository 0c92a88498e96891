package api

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestOpen(t *testing.T) {
	srv := serve(t, reply(200, "diff --git a/x b/x\n", "Content-Type", "application/vnd.github.diff; charset=utf-8"))
	s, err := client(srv.server.URL).Session(withToken).Open(t.Context(), API, "repos/o/r/pulls/7", url.Values{"a": {"b"}}, Diff)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Body.Close()
	text, err := io.ReadAll(s.Body)
	if err != nil || string(text) != "diff --git a/x b/x\n" || s.Length != 19 || s.URL != srv.server.URL+"/repos/o/r/pulls/7?a=b" {
		t.Errorf("%q %v %+v", text, err, s)
	}
	if got := srv.asked()[0].Header.Get("Accept"); got != Diff {
		t.Errorf("Accept %q", got)
	}
}

// A compressed answer comes out as it was before.
func TestOpenCompressed(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, strings.Repeat("a", 5000))
		_ = z.Close()
	})
	s, err := client(srv.server.URL).Session(nil).Open(t.Context(), API, "x", nil, RawObj)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Body.Close()
	if text, err := io.ReadAll(s.Body); err != nil || len(text) != 5000 || s.Length != -1 {
		t.Errorf("%d bytes, length %d, %v", len(text), s.Length, err)
	}
}

func TestTruncatedStream(t *testing.T) {
	srv := serve(t, reply(200, "half", "Content-Length", "8"))
	s, err := client(srv.server.URL).Session(nil).Open(t.Context(), API, "x", nil, RawObj)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Body.Close()
	text, err := io.ReadAll(s.Body)
	if string(text) != "half" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q %v", text, err)
	}
	wantError(t, err, Unavailable, "x: the answer broke off after 4B of 8B")
}

func TestStreamThatIsNo200(t *testing.T) {
	srv := serve(t, reply(202, "{}"))
	_, err := client(srv.server.URL).Session(nil).Open(t.Context(), API, "x", nil, JSON)
	wantError(t, err, Other, "202 Accepted: x")
}

// drip is a body that gives a byte after each pause, and nothing once ctx is done.
type drip struct {
	ctx    context.Context
	pauses []time.Duration
}

func (d *drip) Read(p []byte) (int, error) {
	if len(d.pauses) == 0 {
		return 0, io.EOF
	}
	select {
	case <-time.After(d.pauses[0]):
		d.pauses = d.pauses[1:]
		p[0] = 'x'
		return 1, nil
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	}
}

func (d *drip) Close() error { return nil }

func every(d time.Duration, n int) (pauses []time.Duration) {
	for range n {
		pauses = append(pauses, d)
	}
	return pauses
}

func TestDeadlines(t *testing.T) {
	for _, test := range []struct {
		name    string
		stream  bool
		head    time.Duration
		pauses  []time.Duration
		reading time.Duration // of the consumer, after each byte
		message string
		after   time.Duration
	}{
		{"answer", false, 10 * time.Second, every(time.Second, 4), 0, "", 14 * time.Second},
		{"no head", false, time.Hour, nil, 0, "x: no answer within 15s", 15 * time.Second},
		{"slow answer", false, 10 * time.Second, every(time.Second, 9), 0, "x: no answer within 15s", 15 * time.Second},
		{"stream", true, 10 * time.Second, every(29*time.Second, 4), 0, "", 126 * time.Second},
		{"no head of a stream", true, time.Hour, nil, 0, "x: no answer within 15s", 15 * time.Second},
		{"silence", true, 10 * time.Second, []time.Duration{time.Second, time.Hour}, 0, "x: no byte within 30s", 41 * time.Second},
		{"slow reader", true, 0, every(time.Second, 3), time.Minute, "", 183 * time.Second},
		{"endless stream", true, 0, every(20*time.Second, 100), 0, "x: not complete within 10m0s", 10 * time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _ := answering(func(_ int, req *http.Request) *http.Response {
					select {
					case <-time.After(test.head):
					case <-req.Context().Done():
						return nil
					}
					resp := response(200, "")
					resp.Body, resp.ContentLength = &drip{req.Context(), test.pauses}, -1
					return resp
				})
				inner := c.cfg.Transport
				c.cfg.Transport = roundTrip(func(req *http.Request) (*http.Response, error) {
					resp, _ := inner.RoundTrip(req)
					return resp, req.Context().Err()
				})
				start := time.Now()
				err := func() error {
					if !test.stream {
						_, err := c.Session(nil).Get(t.Context(), "x", nil, nil)
						return err
					}
					s, err := c.Session(nil).Open(t.Context(), API, "x", nil, RawObj)
					if err != nil {
						return err
					}
					defer s.Body.Close()
					for p := make([]byte, 1); err == nil; time.Sleep(test.reading) {
						_, err = s.Body.Read(p)
						if err == io.EOF {
							return nil
						}
					}
					return err
				}()
				if took := time.Since(start); took != test.after {
					t.Errorf("took %s, want %s", took, test.after)
				}
				if test.message == "" {
					if err != nil {
						t.Error(err)
					}
					return
				}
				wantError(t, err, Unavailable, test.message)
			})
		})
	}
}

// A stream that is being read keeps nobody from asking.
func TestStreamsHoldNoTurn(t *testing.T) {
	srv := serve(t, reply(200, "text"))
	session := client(srv.server.URL).Session(nil)
	for range 3 * atOnce {
		s, err := session.Open(t.Context(), API, "x", nil, RawObj)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Body.Close()
	}
	if _, err := session.Get(t.Context(), "x", nil, nil); err != nil {
		t.Error(err)
	}
}
