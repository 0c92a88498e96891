package api

import (
	"container/list"
	"net/http"
	"sync"
)

// Most bytes of JSON that are remembered, in all and of one answer.
const (
	cacheBytes  = 32 << 20
	answerBytes = 4 << 20
)

// cache remembers JSON answers by the token and the URL they were asked with.
// The one that was used least recently goes first.
type cache struct {
	most int

	mu    sync.Mutex
	bytes int
	order list.List // of *remembered, the latest in front
	byKey map[string]*list.Element
}

// remembered is an answer; its parts are not changed once it is stored.
type remembered struct {
	key    string
	etag   string
	header http.Header
	body   []byte
}

// cost is the memory of an answer, its headers guessed.
func (r *remembered) cost() int { return len(r.body) + 1<<10 }

func (c *cache) get(key string) *remembered {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*remembered)
}

func (c *cache) put(r *remembered) {
	if r.cost() > answerBytes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[string]*list.Element{}
	}
	if e := c.byKey[r.key]; e != nil {
		c.removeLocked(e)
	}
	c.byKey[r.key] = c.order.PushFront(r)
	c.bytes += r.cost()
	for c.bytes > c.most {
		c.removeLocked(c.order.Back())
	}
}

func (c *cache) removeLocked(e *list.Element) {
	r := c.order.Remove(e).(*remembered)
	delete(c.byKey, r.key)
	c.bytes -= r.cost()
}
