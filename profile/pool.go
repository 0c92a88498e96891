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
	// newTab makes a tab, starting Chrome for it when none runs: headed on
	// screen, or headless when that is nil. An error that wraps errTabLost says
	// that Chrome went away meanwhile.
	newTab func(ctx context.Context, screen []string) (visitor, error)
	// quit ends the running Chrome, if any. It is called while no turn is held.
	quit func()

	bound time.Duration // of closing a tab
	grace time.Duration // for running visits when a headed Chrome is waited for
	room  time.Duration // the most it takes to make room for a headed Chrome
	log   *slog.Logger

	closing sync.WaitGroup // of tabs given up, and of Chromes

	mu       sync.Mutex
	size     int
	budget   time.Duration // of a visit, a retry counted in
	refusal  error         // why no visit is taken, nil when they are
	held     map[*turn]struct{}
	queue    fairQueue
	walled   fairQueue       // turns in a headed Chrome
	headed   bool            // which kind of Chrome turns are given in
	changing bool            // to the other kind: none are
	hurry    *hurry          // of running visits, while a headed Chrome is waited for
	idle     []visitor       // the last used last
	quiet    []chan struct{} // closed when no turn is held
}

// hurry is the time at whose end running visits are put off.
type hurry struct{ timer *time.Timer }

// turn is a visit's right to a tab.
type turn struct {
	headed bool
	cancel context.CancelCauseFunc // ends the visit
	over   chan struct{}           // closed when the turn is held or refused, which sets:
	budget time.Duration           //
	err    error                   // why it is refused
}

// newPool returns a pool without tabs; resize allows it some.
func newPool(cfg Config, newTab func(context.Context, []string) (visitor, error), quit func()) *pool {
	return &pool{
		newTab: newTab, quit: quit,
		bound: cfg.TabClose, grace: cfg.WindowGrace, room: cfg.WindowGrace + cfg.CloseGrace + 2*cfg.TermGrace,
		log: cfg.Log, held: map[*turn]struct{}{},
	}
}

// errPutOff is the cause of the end of a visit that made room for a headed
// Chrome. The visit is made again after it.
var errPutOff = errors.New("put off")

// visit waits for a turn and opens v in a tab of headless Chrome. A tab lost on
// the way costs one retry on a fresh tab, unless a heavy page is why. It fails with the cause of ctx when
// ctx ends, and with the reason given to refuse or interrupt.
func (p *pool) visit(ctx context.Context, v Visit) (*Page, error) {
	if v.PartFile != nil {
		v.PartFile = sync.OnceValues(v.PartFile) // shared by all tries
	}
	for {
		page, err := p.visitOnce(ctx, v)
		if !errors.Is(err, errPutOff) {
			return page, err
		}
		p.log.Info("visit put off", "url", shown(v.URL))
	}
}

func (p *pool) visitOnce(ctx context.Context, v Visit) (*Page, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	t := &turn{cancel: cancel, over: make(chan struct{})}
	if err := p.acquire(ctx, t, v.Session, func() { stage(v, Progress{Stage: "queued"}) }); err != nil {
		return nil, err
	}
	budget := t.budget + 2*v.Patience
	if v.Headed != nil { // it has one try
		budget += p.room + t.budget/2 + v.Headed.Patience
	}
	stage(v, Progress{Stage: "started", Budget: budget})

	tab, page, err := p.try(ctx, v, p.takeIdle(), nil)
	if errors.Is(err, errTabLost) && !errors.Is(err, errHeavy) && ctx.Err() == nil {
		p.log.Warn("tab lost, retrying", "url", shown(v.URL), "error", err)
		tab, page, err = p.try(ctx, v, nil, nil)
	}
	p.release(t, tab)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return page, err
}

// visitHeaded waits for a turn and opens v in the one tab of a Chrome on
// screen, unless begin then fails. Running visits get a while to end and are
// put off; all others wait until no visit needs a headed Chrome any more.
func (p *pool) visitHeaded(ctx context.Context, v Visit, screen []string, begin func() error) (*Page, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	t := &turn{headed: true, cancel: cancel, over: make(chan struct{})}
	if err := p.acquire(ctx, t, v.Session, func() {}); err != nil {
		return nil, err
	}
	var tab visitor
	var page *Page
	err := begin()
	if err == nil {
		tab, page, err = p.try(ctx, v, p.takeIdle(), screen)
	}
	p.release(t, tab)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return page, err
}

// try opens v in tab, or in a fresh one when tab is nil. The tab comes back
// when it can be used again.
func (p *pool) try(ctx context.Context, v Visit, tab visitor, screen []string) (visitor, *Page, error) {
	if tab == nil {
		var err error
		if tab, err = p.newTab(ctx, screen); err != nil {
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
	p.queueOf(t).push(session, t)
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
	waiting := p.queueOf(t).remove(t)
	p.grantLocked() // a headed Chrome may be needed no more
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

func (p *pool) queueOf(t *turn) *fairQueue {
	if t.headed {
		return &p.walled
	}
	return &p.queue
}

// grantLocked gives turns to waiting visits, once the Chrome of their kind can
// be had. Headed ones come first: only visits that have been running can come
// to need one, so they are few.
func (p *pool) grantLocked() {
	if p.changing {
		return
	}
	if wanted := p.walled.len() > 0 || p.headed && len(p.held) > 0; wanted != p.headed {
		p.changeLocked()
		return
	}
	p.calmLocked()
	queue, size := &p.queue, p.size
	if p.headed {
		queue, size = &p.walled, 1 // what a person sees is one page after the other
	}
	for len(p.held) < size {
		t := queue.pop()
		if t == nil {
			return
		}
		p.held[t] = struct{}{}
		t.budget = p.budget
		close(t.over)
	}
}

// changeLocked ends the Chrome of one kind so that one of the other can be
// started, when no visit has a tab. To visits in headless tabs it gives time.
func (p *pool) changeLocked() {
	if len(p.held) > 0 {
		if p.hurry == nil {
			h := &hurry{}
			h.timer = time.AfterFunc(p.grace, func() { p.putOff(h) })
			p.hurry = h
		}
		return
	}
	p.calmLocked()
	p.changing, p.idle = true, nil // tabs end with their Chrome
	p.closing.Go(func() {
		p.quit()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.changing, p.headed = false, !p.headed
		p.grantLocked()
	})
}

// calmLocked lets running visits take their time again.
func (p *pool) calmLocked() {
	if p.hurry != nil {
		p.hurry.timer.Stop()
		p.hurry = nil
	}
}

// putOff ends running visits, to be made again, when their time has come.
func (p *pool) putOff(h *hurry) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hurry != h { // it was over just before
		return
	}
	for t := range p.held {
		t.cancel(errPutOff)
	}
}

// refuse makes waiting and new visits fail with err; the ones with a tab go on.
func (p *pool) refuse(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusal = err
	for _, queue := range []*fairQueue{&p.queue, &p.walled} {
		for t := queue.pop(); t != nil; t = queue.pop() {
			t.err = err
			close(t.over)
		}
	}
	p.grantLocked()
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
	return p.size, len(p.held), p.queue.len() + p.walled.len()
}
