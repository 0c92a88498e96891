package github

import (
	"context"
	"strings"
	"sync"
	"time"
)

// refCache remembers refs for a while. Only what everybody may see is in it.
type refCache struct {
	now func() time.Time

	mu    sync.Mutex
	repos map[string]cachedRefs // by full name in lower case
	names int                   // refs of all repositories
	asked map[string]*question  // those that are being asked for, by the same
}

type cachedRefs struct {
	*refs
	read time.Time
}

// question is a repository's refs that are being asked for; err and ended are
// set when done is closed.
type question struct {
	done  chan struct{}
	err   error
	ended bool // by the end of who asked, which says nothing to others
}

const (
	refsKept  = 5 * time.Minute
	refsNew   = 10 * time.Second // what is not older is as good as new
	refsRepos = 64               // most repositories remembered
	refsCount = 500_000          // most refs of one repository, and of all that are remembered
)

func newRefCache() *refCache {
	return &refCache{now: time.Now, repos: make(map[string]cachedRefs), asked: make(map[string]*question)}
}

// get returns what is remembered of a repository when it is not older than age
// and has the tags or needs none, and else what ask returns. Who wants a
// repository that is being asked for waits for that answer.
func (c *refCache) get(ctx context.Context, repo string, age time.Duration, whole bool, ask func() (*refs, error)) (*refs, error) {
	key := strings.ToLower(repo)
	for {
		c.mu.Lock()
		if r, ok := c.repos[key]; ok && c.now().Before(r.read.Add(age)) && (r.whole || !whole) {
			c.mu.Unlock()
			return r.refs, nil
		}
		q := c.asked[key]
		if q == nil {
			q = &question{done: make(chan struct{})}
			c.asked[key] = q
			c.mu.Unlock()
			return c.ask(ctx, key, q, ask)
		}
		c.mu.Unlock()
		select {
		case <-q.done:
			if q.err != nil && !q.ended {
				return nil, q.err
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (c *refCache) ask(ctx context.Context, key string, q *question, ask func() (*refs, error)) (r *refs, err error) {
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if r != nil && err == nil {
			c.putLocked(key, cachedRefs{r, c.now()})
		}
		q.err, q.ended = err, ctx.Err() != nil
		delete(c.asked, key)
		close(q.done)
	}()
	return ask()
}

// putLocked remembers refs in the place of those that are the oldest.
func (c *refCache) putLocked(key string, r cachedRefs) {
	c.forgetLocked(key)
	for len(c.repos) > 0 && (len(c.repos) >= refsRepos || c.names+len(r.names) > refsCount) {
		oldest := ""
		for k, r := range c.repos {
			if oldest == "" || r.read.Before(c.repos[oldest].read) {
				oldest = k
			}
		}
		c.forgetLocked(oldest)
	}
	c.repos[key] = r
	c.names += len(r.names)
}

func (c *refCache) forgetLocked(key string) {
	if r, ok := c.repos[key]; ok {
		c.names -= len(r.names)
		delete(c.repos, key)
	}
}
