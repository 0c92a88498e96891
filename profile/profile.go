// Package profile owns the persistent Chrome profile that holds the user's
// logins: its folder and locks, the headless Chrome that opens URLs in a small
// number of tabs, the headed Chrome that opens a page which turns headless ones
// away, and the login window, the same Chrome with a person at it. One of them
// has the profile at any time.
package profile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"pifetch/profile/installed"
)

var (
	// ErrInteractive says that the login window is open or opening.
	ErrInteractive = errors.New("interactive browser is open — quit Chrome to resume fetching")

	// ErrNoChrome says that there is no Chrome to start.
	ErrNoChrome = installed.ErrNotFound

	errBadStart = errors.New("cannot start Chrome")
	errClosed   = errors.New("the browser has been closed")
)

// Browser gives out tabs of one Chrome, which it starts when one is first
// needed and again when it ends, and opens the login window. Its methods
// may be called concurrently.
type Browser struct {
	cfg  Config
	pool *pool

	life context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup // launches, and watchers of Chrome and the window

	logins *logins

	windows chan struct{} // holds a token: one opens or closes the login window at a time

	mu      sync.Mutex
	launch  *launch // nil when no Chrome runs
	deaths  int     // failed starts and quick ends of Chrome, in a row
	reason  error   // of the last one
	refused time.Time
	window  *window         // open
	walls   map[string]wall // hosts that a headed Chrome did not help with
	closed  bool
}

// launch is one Chrome that we drive, from before its start until after its
// end, shared by all who wait for it.
type launch struct {
	screen   []string                // the environment of a headed one; nil: headless
	cancel   context.CancelCauseFunc // ends the start
	ready    chan struct{}           // closed when chrome or err is set
	chrome   *chrome
	err      error
	over     chan struct{} // closed when nothing of it is left
	stopping bool          // its end is wanted; under Browser.mu
}

// New returns a Browser. Nothing is started yet, but a login window that an
// earlier daemon has left open is taken over.
func New(cfg Config) (*Browser, error) {
	b := &Browser{cfg: cfg.withDefaults(), windows: make(chan struct{}, 1), walls: map[string]wall{}}
	b.life, b.end = context.WithCancel(context.Background())
	b.pool = newPool(b.cfg, b.newTab, func() { b.stop(context.Background()) })
	b.options()
	var err error
	if b.logins, err = openLogins(b.cfg.Logins); err == nil {
		err = b.adopt()
	}
	if err != nil {
		b.end()
		return nil, err
	}
	return b, nil
}

// Visit opens a URL in a tab, waiting for a free one. Waiting and working end
// with ctx, whose cause is the error then. ErrInteractive is the error while
// the login window is open.
func (b *Browser) Visit(ctx context.Context, v Visit) (*Page, error) {
	page, err := b.pool.visit(ctx, v)
	if err != nil || v.Headed == nil || !page.suspect {
		return page, err
	}
	return b.visitHeaded(ctx, v, page)
}

// Status is the state of Chrome at one moment.
type Status struct {
	PID     int    // of the Chrome that opens pages; 0 when none runs
	Version string // of the same
	Headed  bool   // it is headed, because of a challenge
	Tabs    int    // visits possible at the same time
	Busy    int    // visits with a tab
	Queued  int    // visits waiting for one
	Window  *Window
}

// Status never waits.
func (b *Browser) Status() Status {
	var s Status
	s.Tabs, s.Busy, s.Queued = b.pool.counts()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.launch != nil {
		select {
		case <-b.launch.ready:
			if c := b.launch.chrome; c != nil {
				s.PID, s.Version, s.Headed = c.pid, c.exe.version, b.launch.screen != nil
			}
		default:
		}
	}
	if b.window != nil {
		s.Window = &Window{PID: b.window.PID, URL: b.window.URL, Opened: b.window.Opened}
	}
	return s
}

// Close ends all visits and their Chrome, within ctx in an orderly way.
// The login window stays open, for the next Browser to take over.
func (b *Browser) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.pool.refuse(errClosed)
	b.pool.interrupt(errClosed)
	b.end()
	select {
	case b.windows <- struct{}{}: // after a window that is just opening
		defer b.leave()
	case <-ctx.Done():
	}
	b.stop(ctx)
	b.work.Wait()
	<-b.pool.whenQuiet()
	b.pool.closing.Wait()
	return nil
}

// newTab makes a tab for the pool.
func (b *Browser) newTab(ctx context.Context, screen []string) (visitor, error) {
	l, err := b.chrome(ctx, screen)
	if err != nil {
		return nil, err
	}
	opening, cancel := context.WithTimeout(ctx, b.cfg.TabOpen)
	defer cancel()
	t, err := newTab(opening, l.chrome.conn, l.chrome.tabs)
	switch {
	case err == nil:
		return pooledTab{t}, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, errGone) && screen != nil:
		// Its ends are not counted, and none is shown again and again.
		return nil, &VisitError{Kind: KindCrashed, Reason: "Chrome ended before it opened a tab", Err: fmt.Errorf("%w: %w", errTabLost, errGone)}
	case errors.Is(err, errGone):
		// It had ended before it was asked. The next one opens the tab, unless
		// too many have died.
		select {
		case <-l.over:
			return b.newTab(ctx, screen)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	case opening.Err() != nil:
		checked := make(chan struct{})
		go func() {
			l.chrome.check()
			close(checked)
		}()
		select {
		case <-checked:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		return nil, &VisitError{Kind: KindHung, Reason: fmt.Sprintf("Chrome opened no tab within %v", b.cfg.TabOpen), Err: errTabLost}
	default:
		return nil, &VisitError{Kind: KindCrashed, Reason: "Chrome could not open a tab: " + err.Error(), Err: fmt.Errorf("%w: %w", errTabLost, err)}
	}
}

// pooledTab is a tab in the pool.
type pooledTab struct{ *tab }

func (t pooledTab) ended() <-chan struct{} { return t.ctx.Done() }

// chrome returns the running Chrome, starting one on screen, or a headless one
// when that is nil, if there is none. The pool sees to it that one of the other
// kind has ended. The start is not tied to ctx: others wait for it too.
func (b *Browser) chrome(ctx context.Context, screen []string) (*launch, error) {
	for {
		l, err := b.current(ctx, screen)
		if err != nil {
			return nil, err
		}
		select {
		case <-l.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if l.err != nil {
			return nil, l.err
		}
		select {
		case <-l.chrome.conn.gone: // but not yet cleared away
		default:
			return l, nil
		}
		select {
		case <-l.over:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// current returns the launch under way or done, beginning one when there is
// none. It looks at ctx under mu: once stop has looked for a launch, none is
// begun for a visit interrupted before.
func (b *Browser) current(ctx context.Context, screen []string) (*launch, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if b.launch != nil {
		return b.launch, nil
	}
	if wait := time.Until(b.refused); wait > 0 {
		return nil, fmt.Errorf("%d failures of Chrome in a row, next try in %v: %w", b.deaths, max(wait.Round(time.Second), time.Second), b.reason)
	}
	start, cancel := context.WithCancelCause(b.life)
	l := &launch{screen: screen, cancel: cancel, ready: make(chan struct{}), over: make(chan struct{})}
	b.launch = l
	b.work.Go(func() { b.run(start, l) })
	return l, nil
}

// run starts Chrome and stays until it has ended.
func (b *Browser) run(ctx context.Context, l *launch) {
	defer l.cancel(nil)
	o := b.options()
	start, cancel := context.WithTimeoutCause(ctx, b.cfg.Start, fmt.Errorf("not ready within %v", b.cfg.Start))
	l.chrome, l.err = launchChrome(start, b.cfg, o, l.screen)
	cancel()
	reason := l.err
	if l.err == nil {
		close(l.ready)
		c := l.chrome
		b.cfg.Log.Info("chrome launched", "pid", c.pid, "product", c.exe.product, "version", c.exe.version, "headed", l.screen != nil)
		<-c.conn.gone
		c.end(b.cfg.CloseGrace)
		reason = fmt.Errorf("unexpected end of Chrome: %s", complaint(c.stderr.String()))
	}

	b.mu.Lock()
	b.launch = nil
	wanted := l.stopping || ctx.Err() != nil
	switch {
	case l.err == nil && time.Since(l.chrome.started) > b.cfg.CrashWindow:
		b.deaths = 0
	case wanted, l.screen != nil: // which says nothing about headless ones
	case l.err == nil || errors.Is(l.err, errBadStart):
		b.deaths++
		b.reason = reason
		if b.deaths >= b.cfg.CrashLimit {
			b.refused = time.Now().Add(b.cfg.CrashPause)
		}
	}
	b.mu.Unlock()
	if l.err != nil {
		close(l.ready) // once it is counted: whoever comes now makes a try of their own
	}
	close(l.over)
	if wanted {
		b.cfg.Log.Info("chrome closed")
	} else {
		b.cfg.Log.Warn("chrome ended", "error", reason)
	}
}

// options reads the settings of the next launch and gives the pool its size.
func (b *Browser) options() LaunchOptions {
	o := b.cfg.Launch()
	o.Tabs = cmp.Or(o.Tabs, b.cfg.Tabs)
	o.Navigation = cmp.Or(o.Navigation, b.cfg.Navigation)
	page := o.Navigation + b.cfg.Settle + b.cfg.Read + b.cfg.Alternate
	b.pool.resize(o.Tabs, 2*(b.cfg.Start+b.cfg.TabOpen+2*page)) // a suspect page may lead to another
	return o
}

// stop ends the Chrome that we drive and returns when the profile is free.
func (b *Browser) stop(ctx context.Context) {
	b.mu.Lock()
	l := b.launch
	if l != nil {
		l.stopping = true
	}
	b.mu.Unlock()
	if l == nil {
		return
	}
	l.cancel(errClosed)
	<-l.ready
	if l.err == nil {
		l.chrome.close(ctx)
	}
	<-l.over
}

// shown is a URL as it may be logged.
func shown(u *url.URL) string {
	c := *u
	c.User = nil
	return c.String()
}
