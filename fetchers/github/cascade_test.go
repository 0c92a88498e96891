package github

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/fetchertest"
	"pifetch/router"
	"pifetch/test/fakegithub"
)

// cascade fetches URLs through a router whose last fetcher, "next", has a page
// for every URL.
func cascade(t *testing.T, f *fakegithub.Fake, req fetchers.Request, urls ...string) map[string]fetchers.Outcome {
	t.Helper()
	root := filepath.Join(t.TempDir(), "pi-fetch")
	r := router.New(router.Config{
		Fetchers: []fetchers.Fetcher{newFetcher(t, f), &fetchertest.Fake{Name: "next"}},
		Store:    artifact.New(artifact.Config{Root: func() string { return root }, Fallbacks: []string{}}),
	})
	res, err := r.Fetch(t.Context(), router.Request{URLs: urls, Fetch: req})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Outcomes) != len(urls) {
		t.Errorf("%d outcomes of %d URLs", len(res.Outcomes), len(urls))
	}
	out := make(map[string]fetchers.Outcome)
	for _, o := range res.Outcomes {
		out[o.URL] = o
	}
	return out
}

// What GitHub's fetcher declines leaves no attempt, what it fails at leaves
// one, and both go to the next fetcher. A subtree that cannot be had does not.
func TestCascade(t *testing.T) {
	f := fakegithub.New(t)
	f.SetRemaining(false, "core", 5000, time.Now().Add(time.Hour))
	f.FailAlways("api /repos/octo/hello/issues/3", fakegithub.Blocked())
	const (
		gone    = "404 Not Found: octo/hello has no issue or pull request 999"
		noPlace = "no branch, tag or commit of octo/hello goes with this URL"
	)
	for _, tt := range []struct {
		name, url string
		modes     []mode // nil: both
		tree      bool
		source    string // of the document; "" when there is none
		attempt   string // the beginning of its reason; "" when there is none
	}{
		{name: "resolved", url: "https://github.com/octo/hello/issues/1", source: "github"},
		{name: "file", url: "https://github.com/octo/hello/blob/main/go.mod", source: "github"},

		{name: "settings", url: "https://github.com/settings/profile", source: "next"},
		{name: "new issue", url: "https://github.com/octo/hello/issues/new", source: "next"},
		{name: "marketplace", url: "https://github.com/marketplace/actions/checkout", source: "next"},
		{name: "project", url: "https://github.com/orgs/octo/projects/1", source: "next"},
		{name: "login in the URL", url: "https://ada@github.com/octo/hello", source: "next"},
		{name: "other host", url: "https://github.com.evil.example/octo/hello", source: "next"},
		{name: "unlisted API", url: "https://api.github.com/user", source: "next"},
		{name: "no such ref", url: "https://github.com/octo/hello/blob/gone/README.md", source: "next"},
		{name: "code search", url: "https://github.com/search?q=greet&type=code", modes: []mode{anonymous}, source: "next"},
		{name: "discussion", url: "https://github.com/octo/hello/discussions/20", modes: []mode{anonymous}, source: "next"},
		{name: "discussions", url: "https://github.com/octo/hello/discussions", modes: []mode{anonymous}, source: "next"},

		{name: "missing issue", url: "https://github.com/octo/hello/issues/999", source: "next", attempt: gone},
		{name: "missing pull request", url: "https://github.com/octo/hello/pull/999", source: "next", attempt: gone},
		{name: "missing repository", url: "https://github.com/octo/nowhere", source: "next", attempt: "404 Not Found: "},
		{name: "missing asset", url: "https://github.com/octo/hello/releases/download/v1.1.0/nothing.zip", source: "next", attempt: "404 Not Found"},
		{name: "missing wiki page", url: "https://github.com/octo/hello/wiki/Nowhere", source: "next", attempt: "404 Not Found: the wiki of octo/hello has no page Nowhere"},
		{name: "taken down", url: "https://github.com/octo/hello/issues/3", modes: []mode{anonymous}, source: "next", attempt: "451 "},

		{name: "tree", url: "https://github.com/octo/hello/tree/main/docs", tree: true, source: "github"},
		{name: "tree of no ref", url: "https://github.com/octo/hello/tree/gone/src", tree: true, attempt: noPlace},
		{name: "tree of no folder", url: "https://github.com/octo/hello/tree/main/nowhere", modes: []mode{anonymous}, tree: true, attempt: "octo/hello: no such folder at this commit"},
		{name: "tree of no place", url: "https://github.com/octo/hello/tree/main/nowhere", modes: []mode{withToken}, tree: true, attempt: noPlace},
		{name: "tree of no repository", url: "https://github.com/octo/nowhere", tree: true, attempt: "404 Not Found: "},
	} {
		modes := tt.modes
		if modes == nil {
			modes = []mode{withToken, anonymous}
		}
		for _, m := range modes {
			t.Run(tt.name+"/"+string(m), func(t *testing.T) {
				req := request(f, m)
				req.Tree = tt.tree
				got := cascade(t, f, req, tt.url)
				for _, o := range got { // by the redacted URL
					checkOutcome(t, o, tt.source, tt.attempt)
				}
			})
		}
	}
}

func checkOutcome(t *testing.T, o fetchers.Outcome, source, attempt string) {
	t.Helper()
	got := ""
	if o.Document != nil {
		got = o.Document.Source
	}
	if got != source {
		t.Errorf("%s: a document of %q, want %q", o.URL, got, source)
	}
	switch n := len(o.Attempts); {
	case attempt == "" && n > 0, attempt != "" && n != 1:
		t.Errorf("%s: attempts %+v, want %q alone", o.URL, o.Attempts, attempt)
	case n == 1 && (o.Attempts[0].Source != "github" || !strings.HasPrefix(o.Attempts[0].Reason, attempt)):
		t.Errorf("%s: attempt %+v, want %q", o.URL, o.Attempts[0], attempt)
	}
	if o.Reason != "" {
		t.Errorf("%s: reason %q of a URL that was claimed", o.URL, o.Reason)
	}
}
