package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// roundTrip answers without a connection.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func response(status int, body string, header ...string) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body))}
}

// rates are the headers of a budget.
func rates(resource string, limit, remaining int, reset time.Time) []string {
	return []string{
		"X-RateLimit-Resource", resource, "X-RateLimit-Limit", strconv.Itoa(limit),
		"X-RateLimit-Remaining", strconv.Itoa(remaining), "X-RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10),
	}
}

// answering is a client whose requests f answers, and how many there were.
func answering(f func(n int, req *http.Request) *http.Response) (*Client, func() int) {
	var mu sync.Mutex
	n := 0
	c := client("https://api.github.com", func(cfg *Config) {
		cfg.Endpoints = nil
		cfg.Transport = roundTrip(func(req *http.Request) (*http.Response, error) {
			mu.Lock()
			n++
			i := n
			mu.Unlock()
			return f(i, req), nil
		})
	})
	return c, func() int { mu.Lock(); defer mu.Unlock(); return n }
}

const secondaryBody = `{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}`

func TestLimits(t *testing.T) {
	// The bubble's clock starts at midnight UTC of 2000-01-01.
	for _, test := range []struct {
		name, path string
		token      bool
		status     int
		body       string
		header     func(now time.Time) []string
		code       Code
		message    string
		until      time.Duration
		others     []string // paths that are asked all the same
	}{
		{
			name: "primary without a token", path: "repos/o/r", status: 403, body: `{"message":"API rate limit exceeded for 192.0.2.1."}`,
			header: func(now time.Time) []string { return rates("core", 60, 0, now.Add(10*time.Minute+20*time.Second)) },
			code:   Limited, until: 10*time.Minute + 20*time.Second, others: []string{"search/issues"},
			message: "GitHub's limit of 60 requests an hour without a token is used up until 00:11 UTC: set GH_TOKEN or run: gh auth login",
		},
		{
			name: "primary with one", path: "repos/o/r", token: true, status: 429,
			header: func(now time.Time) []string { return rates("core", 5000, 0, now.Add(time.Hour)) },
			code:   Limited, until: time.Hour, others: []string{"search/issues", "search/code"},
			message: "GitHub's limit of 5,000 requests an hour with the token from GH_TOKEN is used up until 01:00 UTC",
		},
		{
			name: "search", path: "search/issues", token: true, status: 403,
			header: func(now time.Time) []string { return rates("search", 30, 0, now.Add(42*time.Second)) },
			code:   Limited, until: 42 * time.Second, others: []string{"repos/o/r", "search/code"},
			message: "GitHub's limit of 30 searches a minute with the token from GH_TOKEN is used up until 00:00:42 UTC",
		},
		{
			name: "a resource of another name", path: "repos/o/r/dependency-graph/sbom", token: true, status: 403,
			header: func(now time.Time) []string { return rates("dependency_sbom", 100, 0, now.Add(time.Minute)) },
			code:   Limited, until: time.Minute,
			message: "GitHub's limit of 100 requests for dependency_sbom with the token from GH_TOKEN is used up until 00:01:00 UTC",
		},
		{
			name: "primary by a clock that is ahead", path: "repos/o/r", token: true, status: 403,
			header: func(now time.Time) []string { return rates("core", 5000, 0, now.Add(-time.Minute)) },
			code:   Limited, until: time.Minute, others: []string{"search/issues"},
			message: "GitHub's limit of 5,000 requests an hour with the token from GH_TOKEN is used up until 00:01 UTC",
		},
		{
			name: "primary by a clock that is far behind", path: "repos/o/r", token: true, status: 403,
			header: func(now time.Time) []string { return rates("core", 5000, 0, now.Add(300*time.Hour)) },
			code:   Limited, until: time.Hour + 5*time.Minute, others: []string{"search/issues"},
			message: "GitHub's limit of 5,000 requests an hour with the token from GH_TOKEN is used up until 01:05 UTC",
		},
		{
			name: "secondary", path: "repos/o/r", token: true, status: 403, body: secondaryBody,
			header: func(now time.Time) []string {
				return append(rates("core", 5000, 4000, now.Add(time.Hour)), "Retry-After", "90")
			},
			code: Secondary, until: 90 * time.Second,
			message: "GitHub asks for a pause of 90s (secondary rate limit) until 00:01:30 UTC",
		},
		{
			name: "secondary with a date", path: "repos/o/r", token: true, status: 429,
			header: func(now time.Time) []string {
				return []string{"Retry-After", now.Add(30 * time.Second).UTC().Format(http.TimeFormat)}
			},
			code: Secondary, until: 30 * time.Second,
			message: "GitHub asks for a pause of 30s (secondary rate limit) until 00:00:30 UTC",
		},
		{
			name: "secondary by its words alone", path: "search/issues", token: true, status: 403, body: secondaryBody,
			header: func(now time.Time) []string { return rates("search", 30, 12, now.Add(time.Minute)) },
			code:   Secondary, until: time.Minute,
			message: "GitHub asks for a pause of 60s (secondary rate limit) until 00:01:00 UTC",
		},
		{
			name: "429 alone", path: "repos/o/r", status: 429, header: func(time.Time) []string { return nil },
			code: Secondary, until: time.Minute,
			message: "GitHub asks for a pause of 60s (secondary rate limit) until 00:01:00 UTC",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				c, sent := answering(func(n int, _ *http.Request) *http.Response {
					if n == 1 {
						return response(test.status, test.body, test.header(start)...)
					}
					return response(200, "{}")
				})
				env := map[string]string{}
				if test.token {
					env = withToken
				}
				get := func(path string) error {
					_, err := c.Session(env).Get(t.Context(), path, nil, nil)
					return err
				}
				e := wantError(t, get(test.path), test.code, test.message)
				if e.Status != test.status || !e.Retry.Equal(start.Add(test.until)) {
					t.Errorf("status %d, retry in %s", e.Status, e.Retry.Sub(start))
				}
				// Until then the same is said and nothing is sent.
				time.Sleep(test.until - 6*time.Second)
				wantError(t, get(test.path), test.code, test.message)
				if n := sent(); n != 1 {
					t.Errorf("%d requests while blocked", n)
				}
				for _, path := range test.others {
					if err := get(path); err != nil {
						t.Errorf("%s: %v", path, err)
					}
				}
				// Nobody else's requests are held up.
				if _, err := c.Session(map[string]string{"GH_TOKEN": "other"}).Get(t.Context(), test.path, nil, nil); err != nil {
					t.Errorf("another token: %v", err)
				}
				time.Sleep(6 * time.Second)
				if err := get(test.path); err != nil {
					t.Errorf("after the pause: %v", err)
				}
			})
		})
	}
}

// What an answer says is used up is not tried.
func TestLastOfTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reset := time.Now().Add(time.Hour)
		c, sent := answering(func(int, *http.Request) *http.Response {
			return response(200, "{}", rates("core", 60, 0, reset)...)
		})
		s := c.Session(nil)
		if _, err := s.Get(t.Context(), "repos/o/r", nil, nil); err != nil {
			t.Fatal(err)
		}
		_, err := s.Get(t.Context(), "repos/o/r", nil, nil)
		wantError(t, err, Limited, "GitHub's limit of 60 requests an hour without a token is used up until 01:00 UTC: set GH_TOKEN or run: gh auth login")
		if n := sent(); n != 1 {
			t.Errorf("%d requests", n)
		}
		want := Budget{Token: "anonymous", Resource: "core", Limit: 60, Reset: reset, Blocked: reset}
		if got := c.Budgets(); len(got) != 1 || got[0].Token != want.Token || got[0].Resource != want.Resource || got[0].Limit != 60 ||
			got[0].Remaining != 0 || !got[0].Reset.Equal(reset) || !got[0].Blocked.Equal(reset) {
			t.Errorf("budgets %+v, want %+v", got, want)
		}
	})
}

func TestShortPauseIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		c, sent := answering(func(n int, _ *http.Request) *http.Response {
			if n == 1 {
				return response(403, secondaryBody, "Retry-After", "5")
			}
			return response(200, "{}")
		})
		if _, err := c.Session(withToken).Get(t.Context(), "repos/o/r", nil, nil); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited != 5*time.Second || sent() != 2 {
			t.Errorf("waited %s, %d requests", waited, sent())
		}
	})
	synctest.Test(t, func(t *testing.T) { // not past the caller's deadline, and not for ever
		c, sent := answering(func(int, *http.Request) *http.Response {
			return response(403, secondaryBody, "Retry-After", "3")
		})
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		_, err := c.Session(withToken).Get(ctx, "repos/o/r", nil, nil)
		wantError(t, err, Secondary, "GitHub asks for a pause of 3s (secondary rate limit) until 00:00:03 UTC")
		_, err = c.Session(withToken).Get(t.Context(), "repos/o/r", nil, nil)
		wantError(t, err, Secondary, "GitHub asks for a pause of 3s (secondary rate limit) until 00:00:06 UTC")
		if n := sent(); n != 2 {
			t.Errorf("%d requests", n)
		}
	})
}

// Two hundred calls meet a secondary limit: once the first refusal has been
// read, nothing is sent before the pause is over, and every call ends.
func TestManyCallsUnderASecondaryLimit(t *testing.T) {
	const calls = 200
	for _, pause := range []int{4, 45} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			over := start.Add(100*time.Millisecond + time.Duration(pause)*time.Second)
			var mu sync.Mutex
			var sent []time.Duration
			running, most := 0, 0
			c, _ := answering(func(_ int, req *http.Request) *http.Response {
				mu.Lock()
				sent = append(sent, time.Since(start))
				running++
				most = max(most, running)
				mu.Unlock()
				time.Sleep(100 * time.Millisecond)
				mu.Lock()
				running--
				mu.Unlock()
				if time.Now().Before(over) {
					return response(403, secondaryBody, "Retry-After", strconv.Itoa(pause))
				}
				return response(200, "{}")
			})
			outcomes := map[string]int{}
			var wg sync.WaitGroup
			for i := range calls {
				wg.Go(func() {
					var err error
					if s := c.Session(withToken); i%4 == 0 {
						var q viewer
						if err = s.Query(t.Context(), &q, number); err != nil && CodeOf(err) == Unavailable {
							err = nil // {} is no GraphQL answer, but it is one
						}
					} else {
						_, err = s.Get(t.Context(), "repos/o/r/issues/"+strconv.Itoa(i), nil, nil)
					}
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						outcomes["answered"]++
					} else {
						outcomes[err.Error()]++
					}
				})
			}
			wg.Wait()
			early := 0
			for _, at := range sent {
				if at > 0 && start.Add(at).Before(over) {
					t.Errorf("a request was sent after %s", at)
				}
				if at == 0 {
					early++
				}
			}
			if early != atOnce || most != atOnce {
				t.Errorf("%d requests before the refusal, %d at once, want %d", early, most, atOnce)
			}
			want := "answered"
			if pause > 5 {
				want = "GitHub asks for a pause of 45s (secondary rate limit) until 00:00:46 UTC"
			}
			if outcomes[want] != calls {
				t.Errorf("outcomes %v", outcomes)
			}
		})
	}
}

// The hosts of files and diffs have limits of their own.
func TestPauseOfAHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, sent := answering(func(_ int, req *http.Request) *http.Response {
			if req.URL.Host == "raw.githubusercontent.com" {
				return response(429, "429: Too Many Requests", "Content-Type", "text/plain", "Retry-After", "30")
			}
			return response(200, "{}")
		})
		s := c.Session(nil)
		for range 2 {
			_, err := s.Open(t.Context(), Raw, "o/r/HEAD/README.md", nil, "")
			wantError(t, err, Secondary, "GitHub asks for a pause of 30s (too many requests to raw.githubusercontent.com) until 00:00:30 UTC")
		}
		if n := sent(); n != 1 {
			t.Errorf("%d requests", n)
		}
		if got := c.Budgets(); len(got) != 1 || got[0].Resource != "raw.githubusercontent.com" || !got[0].Blocked.Equal(time.Now().Add(30*time.Second)) {
			t.Errorf("budgets %+v", got)
		}
		if _, err := s.Get(t.Context(), "repos/o/r", nil, nil); err != nil {
			t.Error(err)
		}
		if stream, err := s.Open(t.Context(), Web, "o/r/pull/7.diff", nil, ""); err != nil {
			t.Error(err)
		} else {
			stream.Body.Close()
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"60": time.Minute, "0": time.Second, "86400": longestPause, "4294967295": longestPause,
		"Fri, 02 Jan 2026 03:05:05 GMT": time.Minute, "Fri, 02 Jan 2026 03:00:00 GMT": time.Second, "Fri, 02 Jan 2099 03:00:00 GMT": longestPause,
		"": -1, "-1": -1, "soon": -1, "99999999999999999999": -1,
	} {
		pause, ok := retryAfter(http.Header{"Retry-After": {value}}, now)
		if !ok {
			pause = -1
		}
		if pause != want {
			t.Errorf("%q: %s, want %s", value, pause, want)
		}
	}
}

// Answers overtake one another.
func TestBudgetOfOvertakingAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		a := newAccount("GH_TOKEN", apiHost, time.Now, client("").cfg.Log)
		remaining := func() int { return a.list()[0].Remaining }
		for _, step := range []struct {
			remaining int
			reset     time.Duration
			want      int
		}{{50, 100, 50}, {52, 100, 50}, {49, 100, 49}, {60, 99, 49}, {59, 200, 59}, {20, 100, 59}} {
			h := http.Header{}
			for pairs := rates("core", 60, step.remaining, now.Add(step.reset*time.Second)); len(pairs) > 0; pairs = pairs[2:] {
				h.Set(pairs[0], pairs[1])
			}
			a.learn(h, "core")
			if got := remaining(); got != step.want {
				t.Errorf("after %+v: %d", step, got)
			}
		}
	})
}

func TestCancelWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := answering(func(int, *http.Request) *http.Response {
			return response(403, secondaryBody, "Retry-After", "4")
		})
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errors.New("hung up")) })
		_, err := c.Session(withToken).Get(ctx, "repos/o/r", nil, nil)
		if err == nil || err.Error() != "hung up" {
			t.Errorf("error %v", err)
		}
	})
}
