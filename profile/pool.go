package profile

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// visitor is a tab as the pool sees it.
type visitor interface {
	// visit opens one URL, once, and leaves nothing of the page running. Its
	// error wraps errTabLost when the tab is of no further use.
	visit(ctx context.Context, v Visit) (*Page, error)
	close(ctx context.Context) error
	// ended is closed when the tab is of no further use.
	ended() <-chan struct{}
}

// pool shares a limited number of tabs between visits. A tab is made when it
// is first needed, reused from then on, and replaced when it is lost.
type pool struct {
	// newTab makes a tab, starting Chrome for it when none runs. An error that
	// wraps errTabLost says that Chrome went away meanwhile.
	newTab func(ctx context.Context) (visitor, error)
	bound  time.Duration // of closing a tab
	log    *slog.Logger

	closing sync.WaitGroup // of tabs given up

	mu      sync.Mutex
	size    int
	budget  time.Duration // of a visit, a retry counted in
	refusal error         // why no visit is taken, nil when they are
	held    map[*turn]struct{}
	queue   fairQueue
	idle    []visitor       // the last used last
	quiet   []chan struct{} // closed when no turn is held
}

// turn is a visit's right to a tab.
type turn struct {
	cancel context.CancelCauseFunc // ends the visit
	over   chan struct{}           // closed when the turn is held or refused, which sets:
	budget time.Duration           //
	err    error                   // why it is refused
}

// newPool returns a pool without tabs; resize allows it some.
func newPool(bound time.Duration, log *slog.Logger, newTab func(context.Context) (visitor, error)) *pool {
	return &pool{newTab: newTab, bound: bound, log: log, held: map[*turn]struct{}{}}
}

// visit waits for a turn and opens v in a tab. A tab lost on the way costs one
// retry on a fresh tab. It fails with the cause of ctx when ctx ends, and with
// the reason given to refuse or interrupt.
func (p *pool) visit(ctx context.Context, v Visit) (*Page, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stage := func(s Progress) {
		if v.Stage != nil {
			v.Stage(s)
		}
	}
	t := &turn{cancel: cancel, over: make(chan struct{})}
	if err := p.acquire(ctx, t, v.Session, func() { stage(Progress{Stage: "queued"}) }); err != nil {
		return nil, err
	}
	stage(Progress{Stage: "started", Budget: t.budget + 2*v.Patience})
	if v.PartFile != nil {
		v.PartFile = sync.OnceValues(v.PartFile) // shared with the retry
	}

	tab, page, err := p.try(ctx, v, p.takeIdle())
	if errors.Is(err, errTabLost) && ctx.Err() == nil {
		p.log.Warn("tab lost, retrying", "url", shown(v.URL), "error", err)
		tab, page, err = p.try(ctx, v, nil)
	}
	p.release(t, tab)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return page, err
}

// try opens v in tab, or in a fresh one when tab is nil. The tab comes back
// when it can be used again.
func (p *pool) try(ctx context.Context, v Visit, tab visitor) (visitor, *Page, error) {
	if tab == nil {
		var err error
		if tab, err = p.newTab(ctx); err != nil {
			return nil, nil, err
		}
	}
	page, err := tab.visit(ctx, v)
	switch {
	case errors.Is(err, errTabLost):
	case err != nil && (errors.Is(err, errGone) || hasEnded(tab)):
		err = fmt.Errorf("%w: %w", errTabLost, err)
	default:
		return tab, page, err
	}
	p.discard(tab)
	return nil, nil, err
}

func hasEnded(v visitor) bool {
	select {
	case <-v.ended():
		return true
	default:
		return false
	}
}

// discard closes a tab that will not be used again.
func (p *pool) discard(tab visitor) {
	p.closing.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), p.bound)
		defer cancel()
		if err := tab.close(ctx); err != nil && !errors.Is(err, errGone) {
			p.log.Warn("closing a tab failed", "error", err)
		}
	})
}

// takeIdle takes the tab used last, nil when there is none.
func (p *pool) takeIdle() visitor {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) > 0 {
		last := len(p.idle) - 1
		tab := p.idle[last]
		p.idle = p.idle[:last]
		if !hasEnded(tab) {
			return tab
		}
		p.discard(tab)
	}
	return nil
}

// acquire waits until t is held; queued is called when that takes waiting.
func (p *pool) acquire(ctx context.Context, t *turn, session string, queued func()) error {
	p.mu.Lock()
	if p.refusal != nil {
		defer p.mu.Unlock()
		return p.refusal
	}
	p.queue.push(session, t)
	p.grantLocked()
	p.mu.Unlock()

	select {
	case <-t.over:
		return t.err
	default:
		queued()
	}
	select {
	case <-t.over:
		return t.err
	case <-ctx.Done():
	}
	p.mu.Lock()
	waiting := p.queue.remove(t)
	p.mu.Unlock()
	if !waiting { // granted or refused at the same moment
		p.release(t, nil)
	}
	return context.Cause(ctx)
}

// release ends a turn; tab, if any, waits for the next.
func (p *pool) release(t *turn, tab visitor) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if tab != nil {
		p.idle = append(p.idle, tab)
	}
	delete(p.held, t)
	p.grantLocked()
	if len(p.held) == 0 {
		for _, c := range p.quiet {
			close(c)
		}
		p.quiet = nil
	}
}

func (p *pool) grantLocked() {
	for len(p.held) < p.size {
		t := p.queue.pop()
		if t == nil {
			return
		}
		p.held[t] = struct{}{}
		t.budget = p.budget
		close(t.over)
	}
}

// refuse makes waiting and new visits fail with err; the ones with a tab go on.
func (p *pool) refuse(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusal = err
	for t := p.queue.pop(); t != nil; t = p.queue.pop() {
		t.err = err
		close(t.over)
	}
}

// accept takes visits again.
func (p *pool) accept() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusal = nil
}

// interrupt ends the visits that have a tab, with err.
func (p *pool) interrupt(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for t := range p.held {
		t.cancel(err)
	}
}

// whenQuiet returns a channel that is closed once no visit has a tab.
func (p *pool) whenQuiet() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := make(chan struct{})
	if len(p.held) == 0 {
		close(c)
	} else {
		p.quiet = append(p.quiet, c)
	}
	return c
}

// resize changes the number of tabs and the budget told to visits. Turns beyond
// a smaller number end in their own time.
func (p *pool) resize(n int, budget time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.size, p.budget = n, budget
	p.grantLocked()
}

func (p *pool) counts() (size, busy, queued int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size, len(p.held), p.queue.len()
}
