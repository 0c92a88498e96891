package profile

import (
	"context"
	"sync"
	"testing"
)

// startChrome starts a headless Chrome for the length of a test, as a Browser
// does. It takes a while: tests of tabs are subtests that share one.
func startChrome(t *testing.T) *chrome {
	t.Helper()
	needChrome(t)
	cfg := testConfig(tempDir(t)).withDefaults()
	o := cfg.Launch()
	o.Navigation = cfg.Navigation
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()
	c, err := launchChrome(ctx, cfg, o, nil)
	if err != nil {
		t.Fatalf("start Chrome: %v", err)
	}
	t.Cleanup(func() { c.close(context.Background()) })
	return c
}

// tabOf opens a tab for the length of a test. change, when not nil, sets its limits.
func tabOf(t *testing.T, c *chrome, change func(*tabOptions)) *tab {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()
	o := c.tabs
	o.Call = guard // a busy machine is no hung tab
	if change != nil {
		change(&o)
	}
	tb, err := newTab(ctx, c.conn, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), guard)
		defer cancel()
		lost := tb.ctx.Err() != nil
		if err := tb.close(ctx); err != nil && !lost {
			t.Error(err)
		}
	})
	return tb
}

// fetchAll fetches URLs in a few tabs at the same time, since most of a visit
// is waiting.
func fetchAll(t *testing.T, tabs []*tab, urls []string) []fetched {
	t.Helper()
	all := make([]fetched, len(urls))
	var next sync.Mutex
	i := 0
	var wg sync.WaitGroup
	for _, tb := range tabs {
		wg.Go(func() {
			for {
				next.Lock()
				mine := i
				i++
				next.Unlock()
				if mine >= len(urls) {
					return
				}
				all[mine] = fetch(t, tb, urls[mine])
			}
		})
	}
	wg.Wait()
	return all
}
