package api

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

const (
	// atOnce is how many requests run at the same time with one token. GitHub
	// allows 100, of all programs together.
	atOnce = 8
	// callPatience is how long a call waits, in all, for pauses to end.
	callPatience = 5 * time.Second
	// secondaryPause is the pause GitHub asks for where it names none.
	secondaryPause = time.Minute
	// longestPause bounds what a wrong clock, here or there, can do: GitHub's
	// limits are by the hour at most.
	longestPause = time.Hour + 5*time.Minute
)

// account is what is known of one token's limits, or of those of a host that
// knows no tokens. While it is blocked nothing is sent.
type account struct {
	token string // its source
	host  string
	now   func() time.Time
	log   *slog.Logger
	slots chan struct{}

	mu      sync.Mutex
	budgets map[string]Budget // by resource
	blocks  map[string]block  // by resource; "" is everything
}

// block is a time in which nothing is asked.
type block struct {
	until time.Time
	why   *Error
}

func newAccount(token, host string, now func() time.Time, log *slog.Logger) *account {
	return &account{
		token: token, host: host, now: now, log: log, slots: make(chan struct{}, atOnce),
		budgets: map[string]Budget{}, blocks: map[string]block{},
	}
}

// enter returns when a request for resource may be sent; release is called
// when it is done. It waits for its turn and for a pause that patience allows,
// and fails with the reason of a longer one. Who waits for a turn looks again
// before it goes.
func (a *account) enter(ctx context.Context, resource string, patience *time.Duration) (release func(), err error) {
	for {
		select {
		case a.slots <- struct{}{}:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		release := sync.OnceFunc(func() { <-a.slots })
		b := a.blocked(resource)
		if b.why == nil {
			return release, nil
		}
		release()
		pause := b.until.Sub(a.now())
		deadline, limited := ctx.Deadline()
		if b.why.Code == Unauthorized || pause > *patience || limited && time.Until(deadline) <= pause {
			return nil, b.why
		}
		*patience -= pause
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// blocked returns the block that holds longest, the zero value when there is none.
func (a *account) blocked(resource string) block {
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.blocks[""]
	if r := a.blocks[resource]; r.until.After(b.until) {
		b = r
	}
	if !a.now().Before(b.until) {
		return block{}
	}
	return b
}

// block stops requests for the resources until a time.
func (a *account) block(until time.Time, why *Error, resources ...string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	longer := false
	for _, r := range resources {
		if until.After(a.blocks[r].until) {
			a.blocks[r] = block{until, why}
			longer = true
		}
	}
	if longer {
		a.log.Warn("github pause", "token", a.token, "host", a.host, "until", until.UTC(), "reason", why.Message)
	}
}

// learn takes in what an answer, not a refusal, says about the budget. guess
// is the resource where the answer names none.
func (a *account) learn(h http.Header, guess string) {
	b, ok := budget(h, guess)
	if !ok || !a.remember(b) {
		return
	}
	if until := a.clamp(b.Reset); b.Remaining == 0 && until.After(a.now()) {
		b.Token = a.token
		a.block(until, limitError(b, until, 0), guess, b.Resource)
	}
}

// remember keeps a budget, unless a later answer has been read before:
// answers overtake one another, so of one period the lowest figure holds.
func (a *account) remember(b Budget) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	old, ok := a.budgets[b.Resource]
	if ok && old.Reset.After(a.now()) &&
		(b.Reset.Before(old.Reset) || b.Reset.Equal(old.Reset) && b.Remaining > old.Remaining) {
		return false
	}
	b.Token = a.token
	a.budgets[b.Resource] = b
	return true
}

// clamp keeps a time within the longest pause.
func (a *account) clamp(t time.Time) time.Time {
	if most := a.now().Add(longestPause); t.After(most) {
		return most
	}
	return t
}

// limited judges a refusal: a limit blocks what it is about, and its error is
// returned; nil is a refusal for another reason.
func (a *account) limited(h http.Header, guess string, status int, words string) *Error {
	b, known := budget(h, guess)
	if known {
		a.remember(b)
	}
	pause, asked := retryAfter(h, a.now())
	switch {
	case known && b.Remaining == 0:
		until := a.clamp(b.Reset)
		if !until.After(a.now()) { // over by GitHub's clock, and yet it refused
			until = a.now().Add(secondaryPause)
		}
		if t := a.now().Add(pause); asked && t.After(until) {
			until = t
		}
		b.Token = a.token
		e := limitError(b, until, status)
		a.block(until, e, guess, b.Resource)
		return e
	case asked, status == http.StatusTooManyRequests, secondaryWords(words):
		if !asked {
			pause = secondaryPause
		}
		until := a.now().Add(pause)
		e := pauseError(a.host, until, pause, status)
		a.block(until, e, "")
		return e
	}
	return nil
}

// list returns the budgets as they stand.
func (a *account) list() []Budget {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	all := maps.Clone(a.budgets)
	for resource, b := range a.blocks {
		if resource == "" {
			resource = a.host
		}
		if _, ok := all[resource]; !ok && b.until.After(now) {
			all[resource] = Budget{Token: a.token, Resource: resource}
		}
	}
	for resource, b := range all {
		for _, key := range []string{"", resource} {
			if until := a.blocks[key].until; until.After(now) && until.After(b.Blocked) {
				b.Blocked = until
			}
		}
		all[resource] = b
	}
	return slices.Collect(maps.Values(all))
}

// budget reads the headers of GitHub's limits.
func budget(h http.Header, guess string) (b Budget, ok bool) {
	limit, err1 := strconv.Atoi(h.Get("X-RateLimit-Limit"))
	remaining, err2 := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
	reset, err3 := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
	if err2 != nil || err3 != nil {
		return b, false
	}
	if err1 != nil {
		limit = 0
	}
	b = Budget{Resource: h.Get("X-RateLimit-Resource"), Limit: limit, Remaining: remaining, Reset: time.Unix(reset, 0)}
	if b.Resource == "" {
		b.Resource = guess
	}
	return b, true
}

// retryAfter reads seconds or a date: a second at least, the longest pause at most.
func retryAfter(h http.Header, now time.Time) (pause time.Duration, ok bool) {
	v := h.Get("Retry-After")
	if secs, err := strconv.ParseUint(v, 10, 32); err == nil {
		pause, ok = time.Duration(secs)*time.Second, true
	} else if t, err := http.ParseTime(v); err == nil {
		pause, ok = t.Sub(now), true
	}
	return min(max(pause, time.Second), longestPause), ok
}
