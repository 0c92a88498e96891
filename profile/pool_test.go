package profile

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakeTab visits for as long as its script says.
type fakeTab struct {
	name   int
	gone   chan struct{}
	script func(ctx context.Context, tab int, v Visit) error

	mu     sync.Mutex
	closed bool
}

func (f *fakeTab) visit(ctx context.Context, v Visit) (*Page, error) {
	if err := f.script(ctx, f.name, v); err != nil {
		return nil, err
	}
	return &Page{URL: v.URL.String()}, nil
}

func (f *fakeTab) close(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return nil
}

func (f *fakeTab) ended() <-chan struct{} { return f.gone }

// fakeChrome makes fakeTabs, numbered from 1.
type fakeChrome struct {
	script func(ctx context.Context, tab int, v Visit) error
	fail   func() error // of newTab

	mu    sync.Mutex
	tabs  []*fakeTab
	kinds []string // of the tabs made and the Chromes ended, in order
}

func (f *fakeChrome) newTab(_ context.Context, screen []string) (visitor, error) {
	if f.fail != nil {
		if err := f.fail(); err != nil {
			return nil, err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	t := &fakeTab{name: len(f.tabs) + 1, gone: make(chan struct{}), script: f.script}
	f.tabs = append(f.tabs, t)
	kind := "headless"
	if screen != nil {
		kind = "headed"
	}
	f.kinds = append(f.kinds, kind)
	return t, nil
}

// quit takes a second.
func (f *fakeChrome) quit() {
	time.Sleep(time.Second)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kinds = append(f.kinds, "quit")
}

func (f *fakeChrome) pool(size int) *pool {
	p := newPool(Config{}.withDefaults(), f.newTab, f.quit)
	p.resize(size, time.Minute)
	return p
}

// takes is a script in which every page takes d.
func takes(d time.Duration) func(context.Context, int, Visit) error {
	return func(ctx context.Context, _ int, _ Visit) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func visitOf(session, path string) Visit {
	return Visit{URL: &url.URL{Scheme: "http", Host: "x.test", Path: path}, Session: session}
}

func TestPoolReusesTabs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChrome{script: takes(time.Second)}
		p := f.pool(6)
		var mu sync.Mutex
		queued, running, most := 0, 0, 0
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				v := visitOf("a", "/")
				v.Stage = func(s Progress) {
					mu.Lock()
					defer mu.Unlock()
					switch s.Stage {
					case "queued":
						queued++
					case "started":
						running++
						most = max(most, running)
						if s.Budget != time.Minute {
							t.Errorf("started with a budget of %v", s.Budget)
						}
					}
				}
				if _, err := p.visit(t.Context(), v); err != nil {
					t.Error(err)
				}
				mu.Lock()
				running--
				mu.Unlock()
			})
		}
		synctest.Wait()
		if size, busy, waiting := p.counts(); size != 6 || busy != 6 || waiting != 2 {
			t.Errorf("size %d, busy %d, queued %d; want 6, 6, 2", size, busy, waiting)
		}
		all.Wait()
		p.closing.Wait()
		if queued != 2 || most != 6 || len(f.tabs) != 6 {
			t.Errorf("queued %d, most at once %d, tabs %d; want 2, 6, 6", queued, most, len(f.tabs))
		}
		if len(p.idle) != 6 {
			t.Errorf("%d tabs idle, want 6", len(p.idle))
		}
	})
}

func TestPoolIsFairToSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		f := &fakeChrome{script: func(_ context.Context, _ int, v Visit) error {
			order = append(order, v.Session+v.URL.Path)
			time.Sleep(time.Second)
			return nil
		}}
		p := f.pool(1)
		var all sync.WaitGroup
		for _, v := range []Visit{visitOf("a", "1"), visitOf("a", "2"), visitOf("a", "3"), visitOf("b", "1"), visitOf("b", "2"), visitOf("c", "1")} {
			all.Go(func() { p.visit(t.Context(), v) })
			synctest.Wait()
		}
		all.Wait()
		p.closing.Wait()
		if want := []string{"a1", "a2", "b1", "c1", "a3", "b2"}; !slices.Equal(order, want) {
			t.Errorf("served %v, want %v", order, want)
		}
	})
}

func TestPoolWaiterLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChrome{script: takes(time.Minute)}
		p := f.pool(1)
		var all sync.WaitGroup
		all.Go(func() { p.visit(t.Context(), visitOf("a", "1")) })
		synctest.Wait()
		left := errors.New("hung up")
		ctx, cancel := context.WithCancelCause(t.Context())
		all.Go(func() {
			if _, err := p.visit(ctx, visitOf("b", "1")); err != left {
				t.Errorf("waiting visit ended with %v, want its cause", err)
			}
		})
		synctest.Wait()
		cancel(left)
		synctest.Wait()
		if _, busy, queued := p.counts(); busy != 1 || queued != 0 {
			t.Errorf("busy %d, queued %d; want 1, 0", busy, queued)
		}
		all.Wait()
		p.closing.Wait()
		if len(f.tabs) != 1 {
			t.Errorf("%d tabs, want 1", len(f.tabs))
		}
	})
}

func TestPoolCancelledVisitKeepsTheTab(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChrome{script: takes(time.Minute)}
		p := f.pool(1)
		left := errors.New("hung up")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(left) })
		if _, err := p.visit(ctx, visitOf("a", "1")); err != left {
			t.Errorf("visit ended with %v, want its cause", err)
		}
		if _, err := p.visit(t.Context(), visitOf("a", "2")); err != nil {
			t.Error(err)
		}
		p.closing.Wait()
		if len(f.tabs) != 1 || f.tabs[0].closed {
			t.Errorf("%d tabs, first closed: %v; want one that stays", len(f.tabs), f.tabs[0].closed)
		}
	})
}

func TestPoolRetries(t *testing.T) {
	lostTab := fmt.Errorf("%w: it crashed", errTabLost)
	timeout := errors.New("page load timed out after 15s")
	for _, c := range []struct {
		name    string
		results []error // of the tries, in order
		want    error
		tries   int
	}{
		{"lost once", []error{lostTab, nil}, nil, 2},
		{"Chrome ended", []error{fmt.Errorf("navigate: %w", errGone), nil}, nil, 2},
		{"lost twice", []error{lostTab, lostTab, nil}, errTabLost, 2},
		{"lost to a heavy page", []error{fmt.Errorf("%w: %w", errTabLost, errHeavy), nil}, errHeavy, 1},
		{"timed out", []error{timeout, nil}, timeout, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tries, files := 0, 0
				f := &fakeChrome{}
				f.script = func(_ context.Context, tab int, v Visit) error {
					if v.Session == "warm" {
						return nil
					}
					v.PartFile()
					tries++
					return c.results[tries-1]
				}
				p := f.pool(1)
				if _, err := p.visit(t.Context(), visitOf("warm", "/")); err != nil {
					t.Fatal(err)
				}
				v := visitOf("a", "/")
				v.PartFile = func() (string, error) { files++; return "/x", nil }
				if _, err := p.visit(t.Context(), v); !errors.Is(err, c.want) {
					t.Errorf("got %v, want %v", err, c.want)
				}
				p.closing.Wait()
				if tries != c.tries || files != 1 || len(f.tabs) != c.tries {
					t.Errorf("%d tries, %d part files, %d tabs; want %d, 1, %d", tries, files, len(f.tabs), c.tries, c.tries)
				}
				if _, busy, _ := p.counts(); busy != 0 {
					t.Errorf("%d turns held after the end", busy)
				}
			})
		})
	}
}

func TestPoolDropsTabsLostWhileIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChrome{script: takes(time.Second)}
		p := f.pool(1)
		p.visit(t.Context(), visitOf("a", "/"))
		p.closing.Wait()
		close(f.tabs[0].gone)
		if _, err := p.visit(t.Context(), visitOf("a", "/")); err != nil {
			t.Error(err)
		}
		p.closing.Wait()
		if len(f.tabs) != 2 || !f.tabs[0].closed {
			t.Errorf("%d tabs, first closed: %v; want a second one", len(f.tabs), f.tabs[0].closed)
		}
	})
}

func TestPoolCountsChromeEndingBeforeTheTabAsATry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		f := &fakeChrome{script: takes(time.Second), fail: func() error {
			if calls++; calls == 1 {
				return fmt.Errorf("%w: %w", errTabLost, errGone)
			}
			return nil
		}}
		if _, err := f.pool(1).visit(t.Context(), visitOf("a", "/")); err != nil || calls != 2 {
			t.Errorf("got %v after %d starts, want success after 2", err, calls)
		}

		calls = 0
		f.fail = func() error { calls++; return ErrProfileInUse }
		if _, err := f.pool(1).visit(t.Context(), visitOf("a", "/")); !errors.Is(err, ErrProfileInUse) || calls != 1 {
			t.Errorf("got %v after %d starts, want ErrProfileInUse after 1", err, calls)
		}
	})
}

func TestPoolRefusesAndInterrupts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChrome{script: takes(time.Minute)}
		p := f.pool(1)
		var all sync.WaitGroup
		ends := map[string]error{}
		for _, path := range []string{"running", "waiting"} {
			all.Go(func() { _, ends[path] = p.visit(t.Context(), visitOf("a", path)) })
			synctest.Wait()
		}
		p.refuse(ErrInteractive)
		synctest.Wait()
		if !errors.Is(ends["waiting"], ErrInteractive) || ends["running"] != nil {
			t.Errorf("waiting ended with %v, running with %v", ends["waiting"], ends["running"])
		}
		if _, err := p.visit(t.Context(), visitOf("b", "new")); !errors.Is(err, ErrInteractive) {
			t.Errorf("a new visit got %v", err)
		}
		quiet := p.whenQuiet()
		p.interrupt(ErrInteractive)
		<-quiet
		all.Wait()
		if !errors.Is(ends["running"], ErrInteractive) {
			t.Errorf("running ended with %v", ends["running"])
		}
		p.accept()
		if _, err := p.visit(t.Context(), visitOf("b", "later")); err != nil {
			t.Error(err)
		}
		p.closing.Wait()
		<-p.whenQuiet()
	})
}

// walledVisit is a visit in a headed Chrome, in the background.
func walledVisit(ctx context.Context, p *pool, path string, begin func() error) <-chan error {
	ended := make(chan error, 1)
	go func() {
		_, err := p.visitHeaded(ctx, visitOf("h", path), []string{"DISPLAY=:1"}, begin)
		ended <- err
	}()
	return ended
}

func goOn() error { return nil }

func TestPoolChangesOverAndBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order []string
		f := &fakeChrome{script: func(ctx context.Context, _ int, v Visit) error {
			order = append(order, v.Session+v.URL.Path)
			return takes(5*time.Second)(ctx, 0, v)
		}}
		p := f.pool(2)
		var all sync.WaitGroup
		visit := func(path string) {
			all.Go(func() {
				if _, err := p.visit(t.Context(), visitOf("a", path)); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			})
			synctest.Wait()
		}
		visit("1")
		one, two := walledVisit(t.Context(), p, "1", goOn), walledVisit(t.Context(), p, "2", goOn)
		skipped := errors.New("skipped")
		three := walledVisit(t.Context(), p, "3", func() error { return skipped })
		synctest.Wait()
		visit("2") // there is room for two, but not now
		if _, busy, queued := p.counts(); busy != 1 || queued != 4 {
			t.Errorf("busy %d, queued %d; want 1, 4", busy, queued)
		}
		for _, err := range []error{<-one, <-two} {
			if err != nil {
				t.Error(err)
			}
		}
		if err := <-three; err != skipped {
			t.Errorf("got %v, want what begin said", err)
		}
		all.Wait()
		p.closing.Wait()
		if len(order) != 4 || order[0] != "a1" || order[3] != "a2" {
			t.Errorf("served %v, want the headed ones in the middle", order)
		}
		if want := []string{"headless", "quit", "headed", "quit", "headless"}; !slices.Equal(f.kinds, want) {
			t.Errorf("Chromes: %v, want %v", f.kinds, want)
		}
	})
}

func TestPoolPutsVisitsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries, files := 0, 0
		f := &fakeChrome{script: func(ctx context.Context, _ int, v Visit) error {
			if v.Session == "h" {
				return takes(time.Second)(ctx, 0, v)
			}
			tries++
			v.PartFile()
			return takes(time.Minute)(ctx, 0, v)
		}}
		p := f.pool(1)
		v := visitOf("a", "long")
		v.PartFile = func() (string, error) { files++; return "/x", nil }
		var stages []string
		v.Stage = func(s Progress) { stages = append(stages, s.Stage) }
		begun := time.Now()
		long := make(chan error, 1)
		go func() {
			_, err := p.visit(t.Context(), v)
			long <- err
		}()
		synctest.Wait()
		if err := <-walledVisit(t.Context(), p, "1", goOn); err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took != p.grace+2*time.Second { // Chrome's end takes one
			t.Errorf("the headed visit ended after %v", took)
		}
		if err := <-long; err != nil {
			t.Errorf("the visit put off got %v", err)
		}
		if want := []string{"started", "queued", "started"}; tries != 2 || files != 1 || !slices.Equal(stages, want) {
			t.Errorf("%d tries, %d part files, stages %v; want 2, 1, %v", tries, files, stages, want)
		}
		p.closing.Wait()
	})
}

func TestPoolWaitsForNoHeadedChromeThatNobodyWants(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChrome{script: takes(time.Minute)}
		p := f.pool(2)
		var all sync.WaitGroup
		all.Go(func() {
			if _, err := p.visit(t.Context(), visitOf("a", "running")); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		left := errors.New("hung up")
		ctx, cancel := context.WithCancelCause(t.Context())
		walled := walledVisit(ctx, p, "1", goOn)
		synctest.Wait()
		all.Go(func() {
			if _, err := p.visit(t.Context(), visitOf("a", "new")); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		if _, busy, queued := p.counts(); busy != 1 || queued != 2 {
			t.Errorf("busy %d, queued %d; want 1, 2", busy, queued)
		}
		cancel(left)
		if err := <-walled; err != left {
			t.Errorf("got %v, want the cause", err)
		}
		synctest.Wait()
		if _, busy, queued := p.counts(); busy != 2 || queued != 0 {
			t.Errorf("afterwards busy %d, queued %d; want 2, 0", busy, queued)
		}
		all.Wait() // nothing was put off: the tabs are the first ones
		p.closing.Wait()
		if want := []string{"headless", "headless"}; !slices.Equal(f.kinds, want) {
			t.Errorf("Chromes: %v, want %v", f.kinds, want)
		}
	})
}

func TestPoolRefusesHeadedVisits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChrome{script: takes(time.Minute)}
		p := f.pool(1)
		running := walledVisit(t.Context(), p, "1", goOn)
		synctest.Wait()
		time.Sleep(2 * time.Second) // headless Chrome has ended
		waiting := walledVisit(t.Context(), p, "2", goOn)
		synctest.Wait()
		p.refuse(ErrInteractive)
		if err := <-waiting; err != ErrInteractive {
			t.Errorf("waiting ended with %v", err)
		}
		p.interrupt(ErrInteractive)
		if err := <-running; err != ErrInteractive {
			t.Errorf("running ended with %v", err)
		}
		<-p.whenQuiet()
		p.closing.Wait()
		p.accept()
		if _, err := p.visit(t.Context(), visitOf("a", "later")); err != nil {
			t.Error(err)
		}
		if want := []string{"quit", "headed", "quit", "headless"}; !slices.Equal(f.kinds, want) {
			t.Errorf("Chromes: %v, want %v", f.kinds, want)
		}
	})
}

func TestPoolBudgetCountsAHeadedChromeIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeChrome{script: takes(time.Second)}
		p := f.pool(1)
		for name, c := range map[string]struct {
			headed *Headed
			want   time.Duration
		}{
			"without": {nil, time.Minute + 20*time.Second},
			// Grace 15 s, Chrome's end 10 s + 2 x 5 s, one try 30 s, its patience 20 s.
			"with": {&Headed{Patience: 20 * time.Second}, time.Minute + 20*time.Second + 15*time.Second + 20*time.Second + 30*time.Second + 20*time.Second},
		} {
			v := visitOf("a", "/")
			v.Patience, v.Headed = 10*time.Second, c.headed
			v.Stage = func(s Progress) {
				if s.Stage == "started" && s.Budget != c.want {
					t.Errorf("%s: a budget of %v, want %v", name, s.Budget, c.want)
				}
			}
			if _, err := p.visit(t.Context(), v); err != nil {
				t.Error(err)
			}
		}
		p.closing.Wait()
	})
}
