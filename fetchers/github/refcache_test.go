package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// fill puts refs into a cache that has none of the repository.
func fill(t *testing.T, c *refCache, repo string, r *refs) {
	t.Helper()
	if got, err := c.get(t.Context(), repo, refsKept, r.whole, func() (*refs, error) { return r, nil }); got != r || err != nil {
		t.Fatalf("%s: %v, %v", repo, got, err)
	}
}

// remembered reports whether a cache answers without being told.
func remembered(t *testing.T, c *refCache, repo string, age time.Duration, whole bool) bool {
	t.Helper()
	_, err := c.get(t.Context(), repo, age, whole, func() (*refs, error) { return nil, errors.New("asked") })
	return err == nil
}

func TestRefCache(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := newRefCache()
	c.now = func() time.Time { return now }
	for i := range refsRepos + 1 {
		now = now.Add(time.Second)
		fill(t, c, fmt.Sprint("o/r", i), &refs{})
	}
	if remembered(t, c, "o/r0", refsKept, false) || !remembered(t, c, "O/R1", refsKept, false) || len(c.repos) != refsRepos {
		t.Errorf("%d repositories remembered", len(c.repos))
	}
	last := fmt.Sprint("o/r", refsRepos)
	if remembered(t, c, last, refsKept, true) {
		t.Error("refs without tags serve one who needs tags")
	}
	now = now.Add(refsNew)
	if remembered(t, c, last, refsNew, false) || !remembered(t, c, last, refsKept, false) {
		t.Error("refs of ten seconds ago are not new, and yet to be remembered")
	}
	now = now.Add(refsKept)
	if remembered(t, c, last, refsKept, false) {
		t.Error("refs are remembered for too long")
	}
}

func TestRefCacheOfManyRefs(t *testing.T) {
	c := newRefCache()
	names := make(map[string]string)
	for i := range refsCount / 2 {
		names[fmt.Sprint(i)] = sha1
	}
	for _, repo := range []string{"o/a", "o/b", "o/b", "o/c"} {
		c.now = func() time.Time { return time.Unix(int64(repo[2]), 0) }
		c.mu.Lock()
		c.putLocked(repo, cachedRefs{&refs{names: names}, c.now()})
		c.mu.Unlock()
	}
	if _, ok := c.repos["o/a"]; ok || len(c.repos) != 2 || c.names != refsCount {
		t.Errorf("%d repositories with %d refs remembered, want the last two", len(c.repos), c.names)
	}
}

// Those who ask at the same time share an answer, but not the end of one of them.
func TestRefsAreAskedForOnce(t *testing.T) {
	for _, fails := range []error{nil, errors.New("down")} {
		synctest.Test(t, func(t *testing.T) {
			c := newRefCache()
			var asked atomic.Int32
			get := func(ctx context.Context) error {
				_, err := c.get(ctx, "o/r", refsKept, false, func() (*refs, error) {
					asked.Add(1)
					select {
					case <-time.After(time.Second):
						return &refs{}, fails
					case <-ctx.Done():
						return nil, ctx.Err()
					}
				})
				return err
			}
			first, cancel := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			wg.Go(func() {
				if err := get(first); !errors.Is(err, context.Canceled) {
					t.Errorf("the one that was cancelled: %v", err)
				}
			})
			synctest.Wait()
			for range 20 {
				wg.Go(func() {
					if err := get(t.Context()); err != fails {
						t.Errorf("%v, want %v", err, fails)
					}
				})
			}
			synctest.Wait()
			cancel()
			wg.Wait()
			if asked.Load() != 2 {
				t.Errorf("asked %d times, want twice", asked.Load())
			}
		})
	}
}

// A branch that is newer than what is remembered is found, and what is not
// there is asked for once.
func TestBranchNewerThanTheCache(t *testing.T) {
	asked := 0
	branch := "main"
	j := newJob(t, "https://github.com/o/r/tree/new", "", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		_, _ = w.Write(packets("# service=git-upload-pack", "", sha1+" HEAD\x00multi_ack", sha1+" refs/heads/"+branch, ""))
	}))
	now := time.Now()
	j.refs.now = func() time.Time { return now }
	for range 2 {
		if got, err := j.publicPlaces(t.Context(), true); !errors.Is(err, errUnclaimed) || asked != 1 {
			t.Fatalf("%v, %v, asked %d times; want nothing, asked once", got, err, asked)
		}
	}
	branch, now = "new", now.Add(refsNew)
	if got, err := j.publicPlaces(t.Context(), true); err != nil || len(got) != 1 || got[0].ref != "new" {
		t.Errorf("%v, %v; want the new branch", got, err)
	}
}
