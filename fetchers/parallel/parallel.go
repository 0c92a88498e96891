// Package parallel is responsible for pages through Parallel's extract API, a
// hosted reader: which URLs it may be told of, its batches and failures, and
// what becomes of its answers. What it answers is as untrusted as any page.
package parallel

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"pifetch/fetchers"
)

// Config is what a Fetcher is made from.
type Config struct {
	// Transport carries the requests; nil: http.DefaultTransport. Redirects are
	// not followed, whatever it does.
	Transport http.RoundTripper

	// Env is the environment of the daemon, as os.Environ gives it: its own key
	// and base URL, for requests that bring none.
	Env []string

	// BaseURL is asked for the setting parallel.baseURL. It counts where neither
	// environment has a base URL. nil: the public API.
	BaseURL func() string

	// LoggedIn reports whether the user has a login at a host, which then is not
	// told of. It is called by Claims and must not block. nil: at none.
	LoggedIn func(host string) bool

	UserAgent string
}

// The limits of the API that are kept here.
const (
	maxURLs      = 20    // of one call
	maxObjective = 5_000 // characters
)

// budget is how long one URL may take, a retry included: the next fetcher is
// waiting for it.
const budget = 60 * time.Second

// Fetcher extracts pages with the API.
type Fetcher struct {
	cfg    Config
	http   *http.Client
	budget time.Duration
}

var _ fetchers.Fetcher = (*Fetcher)(nil)

// New returns a fetcher.
func New(cfg Config) *Fetcher {
	return &Fetcher{
		cfg: cfg,
		http: &http.Client{
			Transport: cfg.Transport,
			// The key is for the base URL alone.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		budget: budget,
	}
}

// Source is "parallel".
func (f *Fetcher) Source() string { return "parallel" }

// Claims reports whether u may be told to the API and there is a key for it.
func (f *Fetcher) Claims(req fetchers.Request, u fetchers.URL) bool {
	if u.Parsed == nil || !shareable(u.Parsed) || f.key(req.Env) == "" {
		return false
	}
	return f.cfg.LoggedIn == nil || !f.cfg.LoggedIn(u.Parsed.Hostname())
}

// Fetch extracts the pages of the tasks, 20 in each call, all calls at once.
func (f *Fetcher) Fetch(ctx context.Context, req fetchers.Request, tasks []fetchers.Task, sink fetchers.Sink) error {
	a := f.account(req.Env)
	if a.key == nil || len(tasks) == 0 {
		return nil
	}
	endpoint, err := a.endpoint()
	if err != nil {
		return err
	}
	for _, t := range tasks {
		sink.Stage(t, fetchers.Stage{Name: fetchers.StageStarted, BudgetSecs: int(f.budget / time.Second)})
	}
	objective, cut := head(strings.TrimSpace(req.Objective), maxObjective)
	if cut {
		sink.Warn(fmt.Sprintf("the objective was cut to its first %d characters", maxObjective))
	}
	limited, cancel := context.WithTimeoutCause(ctx, f.budget, fmt.Errorf("no answer within %ds", int(f.budget/time.Second)))
	defer cancel()
	var wg sync.WaitGroup
	for pages := range slices.Chunk(pagesOf(tasks), maxURLs) {
		c := &call{
			fetcher: f, account: a, endpoint: endpoint,
			objective: objective, pages: pages, sink: sink,
		}
		wg.Go(func() { c.run(ctx, limited) })
	}
	wg.Wait()
	return context.Cause(ctx)
}

// page is one URL as it is sent, and the tasks it is for: those that differ in
// their fragment only.
type page struct {
	url   string
	tasks []fetchers.Task
	done  bool
}

// pagesOf brings tasks together by the URL that is sent, in their order.
func pagesOf(tasks []fetchers.Task) []*page {
	var pages []*page
	known := map[string]*page{}
	for _, t := range tasks {
		sent := withoutFragment(t.URL.Parsed)
		p := known[sent]
		if p == nil {
			p = &page{url: sent}
			known[sent] = p
			pages = append(pages, p)
		}
		p.tasks = append(p.tasks, t)
	}
	return pages
}

func withoutFragment(u *url.URL) string {
	v := *u
	v.Fragment, v.RawFragment = "", ""
	return v.String()
}

// head is the first n characters of s, and whether there were more.
func head(s string, n int) (string, bool) {
	if utf8.RuneCountInString(s) <= n {
		return s, false
	}
	return string([]rune(s)[:n]), true
}
