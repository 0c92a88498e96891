package fakegithub

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// budget is what is left of one rate limit.
type budget struct {
	limit, remaining int
	reset            time.Time
}

// blockade is a secondary limit.
type blockade struct{ since, until time.Time }

// inFlight is how long after a refusal requests may still arrive that were on
// their way by then: half of the wait, and no more than two seconds.
func (b blockade) inFlight() time.Duration { return min(b.until.Sub(b.since)/2, 2*time.Second) }

// identity is who asks: GitHub counts by token, and anonymous requests by address.
func (f *Fake) identity(authorized bool) string {
	if authorized {
		return "token"
	}
	return "anonymous"
}

// resource is the bucket that a path counts against.
func resource(path string) string {
	switch {
	case path == "/graphql":
		return "graphql"
	case path == "/search/code":
		return "code_search"
	case strings.HasPrefix(path, "/search/"):
		return "search"
	}
	return "core"
}

// limitOf is GitHub's documented limit of a bucket: an hour's, a minute's for searches.
func limitOf(authorized bool, resource string) int {
	switch resource {
	case "search":
		if authorized {
			return 30
		}
		return 10
	case "code_search":
		return 10
	case "graphql":
		return 5000
	}
	if authorized {
		return 5000
	}
	return 60
}

func (f *Fake) budgetLocked(authorized bool, resource string) *budget {
	key := f.identity(authorized) + " " + resource
	b := f.budgets[key]
	if b == nil {
		limit := limitOf(authorized, resource)
		b = &budget{limit: limit, remaining: limit, reset: time.Now().Add(time.Hour).Truncate(time.Second)}
		f.budgets[key] = b
	}
	return b
}

// SetRemaining sets what is left of a limit: resource is "core", "search",
// "code_search" or "graphql".
func (f *Fake) SetRemaining(authorized bool, resource string, remaining int, reset time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.budgetLocked(authorized, resource)
	b.remaining, b.reset = remaining, reset
}

// spend takes n of a budget and writes its state into the header. It reports
// false when nothing is left.
func (f *Fake) spend(h http.Header, authorized bool, resource string, n int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.budgetLocked(authorized, resource)
	ok := b.remaining > 0
	b.remaining = max(0, b.remaining-n)
	h.Set("X-RateLimit-Limit", fmt.Sprint(b.limit))
	h.Set("X-RateLimit-Remaining", fmt.Sprint(b.remaining))
	h.Set("X-RateLimit-Used", fmt.Sprint(b.limit-b.remaining))
	h.Set("X-RateLimit-Resource", resource)
	h.Set("X-RateLimit-Reset", fmt.Sprint(b.reset.Unix()))
	return ok
}

// block starts a secondary limit.
func (f *Fake) block(authorized bool, retry time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	who := f.identity(authorized)
	if b := f.blocked[who]; now.Before(b.until) {
		return // a refusal of what was in flight; the first one counts
	}
	f.blocked[who] = blockade{now, now.Add(retry)}
}

// early is how long an identity has yet to wait. A request that nobody can
// have sent before the refusal is a fault.
func (f *Fake) early(authorized bool, what string) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := time.Now()
	b := f.blocked[f.identity(authorized)]
	if !now.Before(b.until) {
		return 0
	}
	if now.Sub(b.since) > b.inFlight() {
		f.faultLocked(fmt.Sprintf("%s came %s before the retry-after of a secondary limit", what, b.until.Sub(now).Round(time.Millisecond)))
	}
	return b.until.Sub(now)
}
