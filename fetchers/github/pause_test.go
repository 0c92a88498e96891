package github

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pifetch/fetchers/github/api"
	"pifetch/test/fakegithub"
)

// mixture is 50 URLs of many shapes.
func mixture() []string {
	var paths []string
	for _, ref := range []string{"main", "feature/x", "v1.0.0", "pkg/v2.0.0-rc.1"} {
		for _, file := range []string{"README.md", "go.mod", "src/main.go", "docs/guide.md"} {
			paths = append(paths, "/blob/"+ref+"/"+file)
		}
		paths = append(paths, "/tree/"+ref+"/docs", "/tree/"+ref+"/src")
	}
	paths = append(paths, "", "/blob/main/src/greet.go", "/commits/main",
		"/issues/1", "/issues/2", "/issues/4", "/issues/5", "/issues/4#issuecomment-1", "/compare/v1.0.0...main", "/compare/v1.0.0...v1.1.0.diff",
		"/pull/7", "/pull/9", "/pull/10", "/pull/11", "/pull/7.diff", "/pull/9.diff", "/pull/10.diff", "/pull/11.diff",
		"/releases", "/releases/tag/v1.0.0", "/releases/tag/v1.1.0", "/releases/latest", "/tags", "/branches", "/labels", "/milestones")
	var urls []string
	for _, p := range paths {
		urls = append(urls, hello+p)
	}
	return urls
}

// 200 fetches in parallel, of which one runs into a secondary limit: nothing is
// asked before its retry-after, which the fake sees to, and every URL has a
// document or a reason. A short pause is waited for.
func TestSecondaryLimit(t *testing.T) {
	const requests, each, atOnce = 4, 50, 8
	for _, tt := range []struct {
		name  string
		mode  mode
		where string // the request that is refused
		pause time.Duration
		whole bool // the pause is short enough for everything to be fetched after it
	}{
		{"short", withToken, "api /repos/octo/hello/contents/docs/guide.md", 3 * time.Second, true},
		{"long", withToken, "api /repos/octo/hello/contents/docs/guide.md", time.Minute, false},
		{"query", withToken, "graphql $withThreads", time.Minute, false},
		{"anonymous", anonymous, "api /repos/octo/hello/issues/4/comments", time.Minute, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := fakegithub.New(t)
			f.SetRemaining(false, "core", 5000, time.Now().Add(time.Hour))
			f.Fail(tt.where, fakegithub.Secondary(tt.pause))
			fetcher, urls := newFetcher(t, f), mixture()
			got := make([]map[string]fetched, requests)
			var wg sync.WaitGroup
			for i := range got {
				wg.Go(func() { got[i] = fetchAll(t, fetcher, request(f, tt.mode), urls...) })
			}
			wg.Wait()

			documents, paused := 0, 0
			reason := fmt.Sprintf("GitHub asks for a pause of %ds (secondary rate limit) until ", int(tt.pause.Seconds()))
			for _, outcomes := range got {
				if len(outcomes) != each {
					t.Errorf("%d outcomes, want %d", len(outcomes), each)
				}
				for url, o := range outcomes {
					switch {
					case o.Document != nil:
						documents++
					case o.Failure != nil && strings.HasPrefix(o.Failure.Reason, reason):
						paused++
					default:
						t.Errorf("%s: neither a document nor the pause: %+v", url, o.Failure)
					}
				}
			}
			refused := 0
			for _, c := range f.Calls() {
				if c.Status == 403 {
					refused++
				}
			}
			t.Logf("%d documents, %d failures, %d calls, %d refused", documents, paused, len(f.Calls()), refused)
			if documents+paused != requests*each || tt.whole && paused > 0 || !tt.whole && paused == 0 {
				t.Errorf("%d documents and %d failures of %d URLs", documents, paused, requests*each)
			}
			if refused == 0 || refused > atOnce {
				t.Errorf("%d requests were refused, want no more than were on their way", refused)
			}
			// Another request that comes meanwhile does not ask either.
			if before := len(f.Calls()); !tt.whole {
				o := fetchAll(t, fetcher, request(f, tt.mode), hello+"/issues/1")[hello+"/issues/1"]
				if o.Failure == nil || len(f.Calls()) != before {
					t.Errorf("during the pause: %+v after %d calls", o, len(f.Calls())-before)
				}
				budgets := fetcher.cfg.API.Budgets()
				if !slices.ContainsFunc(budgets, func(b api.Budget) bool { return b.Blocked.After(time.Now()) }) {
					t.Errorf("no budget is blocked: %+v", budgets)
				}
			}
		})
	}
}
