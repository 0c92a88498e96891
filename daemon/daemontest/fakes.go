package daemontest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"pifetch/daemon"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/router"
)

// Router claims every http and https URL, says that it has started, and
// delivers a document without bodies, unless told otherwise.
type Router struct {
	// OnFetch replaces all that.
	OnFetch func(context.Context, router.Request) (fetchers.Result, error)

	mu   sync.Mutex
	seen []router.Request
}

// Fetch implements daemon.Router.
func (r *Router) Fetch(ctx context.Context, req router.Request) (fetchers.Result, error) {
	r.mu.Lock()
	r.seen = append(r.seen, req)
	r.mu.Unlock()
	if r.OnFetch != nil {
		return r.OnFetch(ctx, req)
	}
	res := fetchers.Result{ArtifactRoot: req.ArtifactRoot}
	for _, u := range req.URLs {
		o := fetchers.Outcome{URL: u}
		if !claims(u) {
			o.Reason = "http and https only"
		} else {
			req.Status(u, fetchers.Stage{Name: fetchers.StageStarted, BudgetSecs: 30})
			o.Document = &fetchers.Document{Kind: "fake.page", Source: "fake", URL: u, Title: u}
		}
		res.Outcomes = append(res.Outcomes, o)
	}
	return res, nil
}

// Block makes a fetch say that it has started, and wait for its context.
// started hears of each.
func (r *Router) Block(started chan<- string) {
	r.OnFetch = func(ctx context.Context, req router.Request) (fetchers.Result, error) {
		req.Status(req.URLs[0], fetchers.Stage{Name: fetchers.StageStarted})
		started <- req.URLs[0]
		<-ctx.Done()
		return fetchers.Result{}, context.Cause(ctx)
	}
}

// Requests are all that Fetch was asked for.
func (r *Router) Requests() []router.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.seen)
}

// Sources implements daemon.Router.
func (r *Router) Sources() []string { return []string{"fake"} }

// Explain implements daemon.Router. The names of the caller's variables stand
// for its keys.
func (r *Router) Explain(_ context.Context, req fetchers.Request, url string) []fetchers.Claim {
	if !claims(url) {
		return []fetchers.Claim{{Source: "fake", Reason: "http and https only"}}
	}
	return []fetchers.Claim{{Source: "fake", Claims: true, Auth: strings.Join(slices.Sorted(maps.Keys(req.Env)), ", ")}}
}

func claims(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

// Browser is a browser with a login window made of a channel.
type Browser struct {
	OnOpen    func(display map[string]string) // called first by OpenWindow, if there is one
	OpenErr   error                           // of OpenWindow
	CloseTime time.Duration                   // how long CloseWindow takes

	mu     sync.Mutex
	window chan struct{}
	opened []string
	closes int
}

// OpenWindow implements daemon.Browser.
func (b *Browser) OpenWindow(_ context.Context, url string, display map[string]string) (daemon.Window, error) {
	if b.OnOpen != nil {
		b.OnOpen(display)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.OpenErr != nil {
		return daemon.Window{}, b.OpenErr
	}
	w := daemon.Window{PID: 4711, Already: b.window != nil}
	if b.window == nil {
		b.window = make(chan struct{})
	}
	b.opened = append(b.opened, url)
	return w, nil
}

// CloseWindow implements daemon.Browser.
func (b *Browser) CloseWindow(context.Context) (bool, error) {
	time.Sleep(b.CloseTime)
	return b.Quit(), nil
}

// Quit is the person who quits Chrome. It reports whether there was a window.
func (b *Browser) Quit() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.window == nil {
		return false
	}
	close(b.window)
	b.window = nil
	return true
}

// Window implements daemon.Browser.
func (b *Browser) Window() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.window
}

// Opened are the URLs that were opened.
func (b *Browser) Opened() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.opened)
}

// Status implements daemon.Browser.
func (b *Browser) Status() wire.BrowserStatus {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := wire.BrowserStatus{Tabs: 6}
	if b.window != nil {
		s.Interactive = &wire.Interactive{PID: 4711}
	}
	return s
}

// Close implements daemon.Browser.
func (b *Browser) Close(context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closes++
	return nil
}

// Closes is how often Close was called.
func (b *Browser) Closes() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closes
}
