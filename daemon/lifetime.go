package daemon

import (
	"sync"
	"time"
)

// lifetime decides when the daemon leaves. The decision and every hold are
// taken under one mutex: a request is served to its end, or told that the
// daemon is leaving.
type lifetime struct {
	wait   func() time.Duration   // how long to stay without a hold
	window func() <-chan struct{} // the open login window, which is a hold; or nil

	closing chan struct{} // closed with the decision to leave
	empty   chan struct{} // closed when that is taken and no hold is left

	wg sync.WaitGroup

	mu    sync.Mutex
	holds int
	taken bool      // the decision to leave
	since time.Time // when the last hold was released
	idle  time.Duration
	timer *time.Timer
}

func newLifetime(wait func() time.Duration, window func() <-chan struct{}) *lifetime {
	l := &lifetime{
		wait:    wait,
		window:  window,
		closing: make(chan struct{}),
		empty:   make(chan struct{}),
		since:   time.Now(),
		idle:    wait(),
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.timer = time.AfterFunc(l.idle, l.expire)
	return l
}

// Hold keeps the daemon from leaving until release is called. It reports false
// once the daemon has decided to leave.
func (l *lifetime) Hold() (release func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken {
		return nil, false
	}
	l.holds++
	l.timer.Stop()
	return sync.OnceFunc(l.release), true
}

func (l *lifetime) release() {
	idle := l.wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.holds--
	if l.holds > 0 {
		return
	}
	if l.taken {
		close(l.empty)
		return
	}
	l.restartLocked(idle)
}

func (l *lifetime) restartLocked(idle time.Duration) {
	l.since, l.idle = time.Now(), idle
	l.timer.Reset(idle)
}

// expire is the timer's. A hold may have come and gone since it fired.
func (l *lifetime) expire() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken || l.holds > 0 || time.Since(l.since) < l.idle {
		return
	}
	window := l.window()
	if window == nil {
		l.leaveLocked()
		return
	}
	l.wg.Go(func() {
		select {
		case <-window:
		case <-l.closing:
			return
		}
		idle := l.wait()
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.taken && l.holds == 0 {
			l.restartLocked(idle)
		}
	})
}

// Leave decides to leave, once what is held has been released.
func (l *lifetime) Leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.taken {
		l.leaveLocked()
	}
}

func (l *lifetime) leaveLocked() {
	l.taken = true
	l.timer.Stop()
	close(l.closing)
	if l.holds == 0 {
		close(l.empty)
	}
}

// retirement is what came of a wish to retire.
type retirement int

const (
	retired       retirement = iota
	alreadyGoing             // the decision was taken before
	heldByRequest            // requests are running
	heldByWindow             // the login window is open
)

// Retire decides to leave if nothing holds the daemon.
func (l *lifetime) Retire() retirement {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.taken:
		return alreadyGoing
	case l.holds > 0:
		return heldByRequest
	case l.window() != nil:
		return heldByWindow
	}
	l.leaveLocked()
	return retired
}

// Leaving reports whether the decision to leave has been taken.
func (l *lifetime) Leaving() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.taken
}

// IdleFor is the time since the last hold, 0 while there is one.
func (l *lifetime) IdleFor() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holds > 0 {
		return 0
	}
	return time.Since(l.since)
}
