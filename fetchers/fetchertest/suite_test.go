package fetchertest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pifetch/fetchers"
)

const (
	page    = "https://example.com/page"
	files   = "https://example.com/files"
	missing = "https://example.com/missing"
	quiet   = "https://example.com/quiet"
	slow    = "https://example.com/slow"
)

// suiteOf is the suite for a fake that keeps the contract, except for what it
// does about page.
func suiteOf(onPage Behaviour) Suite {
	return Suite{
		Fetcher: &Fake{Do: ByURL(map[string]Behaviour{
			page:    onPage,
			files:   DeliverDocument(fetchers.Document{Title: "Files", Facts: []string{"two"}}, map[string]string{"a.md": "# a\nb", "b.bin": "\x00\x01"}),
			missing: Fail("404 Not Found"),
			quiet:   Silent(),
			slow:    Until(nil, nil),
		})},
		Documents: []string{page, files},
		Failures:  []string{missing},
		Unclaimed: []string{"ftp://example.com/"},
		Slow:      slow,
		Hits:      func() int { return 0 },
		Limit:     time.Minute,
	}
}

func TestConformance(t *testing.T) {
	Run(t, suiteOf(Deliver(nil)))
}

func TestConformanceOfASilentFetcher(t *testing.T) {
	s := suiteOf(Silent())
	s.Documents, s.Silent = nil, []string{page, quiet}
	Run(t, s)
}

// altered writes one file and reports a document that change had its way with.
func altered(change func(d *fetchers.Document)) Behaviour {
	return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
		b, err := t.Folder.Write("a.md", strings.NewReader("# a\n"))
		if err != nil {
			sink.Fail(t, fetchers.Failure{Reason: err.Error()})
			return nil
		}
		d := fetchers.Document{Kind: "fake.page", Title: "A", Bodies: []fetchers.Body{b}}
		change(&d)
		sink.Deliver(t, d)
		return nil
	}
}

func TestSuiteFindsBreaches(t *testing.T) {
	body := func(change func(b *fetchers.Body)) Behaviour {
		return altered(func(d *fetchers.Document) { change(&d.Bodies[0]) })
	}
	twice := func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
		return errors.Join(Deliver(nil)(ctx, t, sink), Deliver(nil)(ctx, t, sink))
	}
	tests := []struct {
		name   string
		onPage Behaviour
		check  string
		want   string
	}{
		{"nothing reported", Silent(), "Documents", "nothing was reported"},
		{"reported twice", twice, "Documents", "reported 2 times"},
		{"failure", Fail("gone"), "Documents", "failed: gone"},
		{"error", Err(errors.New("boom")), "Batch", "Fetch: boom"},
		{"panic", Panic("boom"), "Concurrent", "panic: boom"},
		{"no kind", altered(func(d *fetchers.Document) { d.Kind = "page" }), "Documents", "kind"},
		{"no title", altered(func(d *fetchers.Document) { d.Title = "" }), "Documents", "title"},
		{"fact of two lines", altered(func(d *fetchers.Document) { d.Facts = []string{"a\nb"} }), "Documents", "fact"},
		{"long excerpt", altered(func(d *fetchers.Document) { d.Excerpt = strings.Repeat("x", fetchers.ExcerptBytes+1) }), "Documents", "excerpt of 4097 bytes"},
		{"link with userinfo", altered(func(d *fetchers.Document) { d.Link = "https://u@example.com/" }), "Documents", "link"},
		{"no bodies", altered(func(d *fetchers.Document) { d.Bodies = nil }), "Documents", "no bodies"},
		{"file not told", altered(func(d *fetchers.Document) { d.Bodies = nil }), "Documents", "a.md is in the folder"},
		{"wrong size", body(func(b *fetchers.Body) { b.Bytes++ }), "Documents", "has 4 bytes"},
		{"wrong lines", body(func(b *fetchers.Body) { b.Lines = 0 }), "Documents", "1 lines"},
		{"wrong outline", body(func(b *fetchers.Body) { b.Outline[0].Line = 2 }), "Documents", "impossible heading"},
		{"missing file", body(func(b *fetchers.Body) { os.Remove(b.Path) }), "Documents", "no such file"},
		{"file elsewhere", body(func(b *fetchers.Body) { b.Path = filepath.Dir(b.Path) + ".md" }), "Documents", "which is not in"},
		{"reason of two lines", Fail("a\nb"), "Documents", "is not one line"},
		{"part left behind", func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
			path, err := t.Folder.Path()
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(path, ".part-1"), nil, 0o600); err != nil {
				return err
			}
			return Deliver(nil)(ctx, t, sink)
		}, "Documents", "was left behind"},
		{"goroutine left behind", func(ctx context.Context, t fetchers.Task, s fetchers.Sink) error {
			go func() {
				for !s.(sink).hasReturned() {
					time.Sleep(time.Millisecond)
				}
				s.Stage(t, fetchers.Stage{Name: fetchers.StageExtracting})
			}()
			return Deliver(nil)(ctx, t, s)
		}, "Documents", "after Fetch had returned: Stage"},
		{"does not return", Stuck(nil, nil), "CancelledBeforehand", "has not returned"},
		{"writes although discarded", func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
			sink.Deliver(t, fetchers.Document{Bodies: []fetchers.Body{{Name: "a.md"}}})
			return nil
		}, "DiscardedFolder", "nothing could be written"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := suiteOf(tt.onPage)
			switch tt.name {
			case "does not return":
				s.Limit = 10 * time.Millisecond
			case "goroutine left behind":
				s.Documents, s.watch = []string{page}, time.Minute
			}
			wantBreach(t, s, tt.check, tt.want)
		})
	}
}

func (r *run) hasReturned() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.returned
}

func TestSuiteFindsBreachesOfClaims(t *testing.T) {
	hits := 0
	asking := suiteOf(Deliver(nil))
	asking.Hits = func() int { hits++; return hits }
	wantBreach(t, asking, "Claims", "Claims made")

	greedy := suiteOf(Deliver(nil))
	greedy.Fetcher = &Fake{Claim: func(fetchers.Request, fetchers.URL) bool { return true }}
	wantBreach(t, greedy, "Claims", `Claims("ftp://example.com/") = true`)

	named := suiteOf(Deliver(nil))
	named.Fetcher = &Fake{Name: "My Fetcher"}
	wantBreach(t, named, "Source", "My Fetcher")

	notSlow := suiteOf(Deliver(nil))
	notSlow.Slow = files
	wantBreach(t, notSlow, "Cancel", "became a document")
}

func wantBreach(t *testing.T, s Suite, check, want string) {
	t.Helper()
	for _, c := range s.checks() {
		if c.name != check {
			continue
		}
		if err := c.run(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s found %v, want %q", check, err, want)
		}
		return
	}
	t.Errorf("no check %s", check)
}
