package router_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/fetchertest"
	"pifetch/router"
)

const (
	a = "https://a.example/"
	b = "https://b.example/"
	c = "https://c.example/"
)

type (
	attempt  struct{ Source, Reason string }
	attempts = []attempt
)

func newRouter(t *testing.T, chain ...fetchers.Fetcher) (*router.Router, string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "pi-fetch")
	store := artifact.New(artifact.Config{Root: func() string { return root }, Fallbacks: []string{}})
	return router.New(router.Config{Fetchers: chain, Store: store}), root
}

func fake(name string, do map[string]fetchertest.Behaviour) *fetchertest.Fake {
	return &fetchertest.Fake{Name: name, Do: fetchertest.ByURL(do)}
}

func fetch(t *testing.T, r *router.Router, urls ...string) fetchers.Result {
	t.Helper()
	res, err := r.Fetch(t.Context(), router.Request{URLs: urls})
	if err != nil {
		t.Fatal(err)
	}
	checkFiles(t, res)
	return res
}

// checkFiles checks that the request folder holds the bodies of the documents
// and nothing else.
func checkFiles(t *testing.T, res fetchers.Result) {
	t.Helper()
	want, got := []string{}, []string{}
	for _, o := range res.Outcomes {
		if o.Document != nil {
			for _, b := range o.Document.Bodies {
				want = append(want, filepath.Dir(b.Path)+"/", b.Path)
			}
		}
	}
	err := filepath.WalkDir(res.ArtifactRoot, func(path string, e os.DirEntry, err error) error {
		if path == res.ArtifactRoot {
			return err
		}
		if e.IsDir() {
			path += "/"
		}
		got = append(got, path)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// summary is an outcome in short: its source or reason, and its trail.
type summary struct {
	URL, Source, Reason string
	Attempts            attempts
}

func summaries(res fetchers.Result) []summary {
	var s []summary
	for _, o := range res.Outcomes {
		source := ""
		if o.Document != nil {
			source = o.Document.Source
		}
		trail := attempts{}
		for _, a := range o.Attempts {
			trail = append(trail, attempt(a))
		}
		s = append(s, summary{o.URL, source, o.Reason, trail})
	}
	return s
}

func wantSummaries(t *testing.T, res fetchers.Result, want ...summary) {
	t.Helper()
	for i := range want {
		if want[i].Attempts == nil {
			want[i].Attempts = attempts{}
		}
	}
	if diff := cmp.Diff(want, summaries(res)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

func TestCascade(t *testing.T) {
	type B = map[string]fetchertest.Behaviour
	boom := errors.New("boom\nsecond line")
	tests := []struct {
		name          string
		first, second B
		urls          []string
		want          []summary
	}{
		{"first delivers", nil, nil, []string{a, b}, []summary{{a, "first", "", nil}, {b, "first", "", nil}}},
		{
			"failure moves on",
			B{a: fetchertest.Fail("404 Not Found")},
			nil,
			[]string{a, b},
			[]summary{{a, "second", "", attempts{{"first", "404 Not Found"}}}, {b, "first", "", nil}},
		},
		{
			"all fail",
			B{a: fetchertest.Fail("404 Not Found")},
			B{a: fetchertest.Fail("page load timed out after 15s")},
			[]string{a},
			[]summary{{a, "", "", attempts{{"first", "404 Not Found"}, {"second", "page load timed out after 15s"}}}},
		},
		{"silence moves on without an attempt", B{a: fetchertest.Silent()}, nil, []string{a}, []summary{{a, "second", "", nil}}},
		{
			"silence of all",
			B{a: fetchertest.Silent()},
			B{a: fetchertest.Silent()},
			[]string{a},
			[]summary{{a, "", "no source could fetch this URL", nil}},
		},
		{
			"final failure",
			B{a: fetchertest.FailFinal("cannot be had")},
			nil,
			[]string{a, b},
			[]summary{{a, "", "", attempts{{"first", "cannot be had"}}}, {b, "first", "", nil}},
		},
		{
			"an error costs the unreported",
			B{a: fetchertest.Err(boom), b: fetchertest.Silent()},
			nil,
			[]string{a, b, c},
			[]summary{
				{a, "second", "", attempts{{"first", "boom second line"}}},
				{b, "second", "", attempts{{"first", "boom second line"}}},
				{c, "first", "", nil},
			},
		},
		{
			"a panic costs the unreported",
			B{a: fetchertest.Panic("nil map\nstack"), b: fetchertest.Fail("404 Not Found")},
			nil,
			[]string{a, b, c},
			[]summary{
				{a, "second", "", attempts{{"first", "internal error: nil map stack"}}},
				{b, "second", "", attempts{{"first", "404 Not Found"}}},
				{c, "first", "", nil},
			},
		},
		{
			"a reason is one line without userinfo",
			B{a: fetchertest.FailFinal("Get \"https://u:p@a.example/\":\n\tno such host ")},
			nil,
			[]string{a},
			[]summary{{a, "", "", attempts{{"first", `Get "https://a.example/": no such host`}}}},
		},
		{"no reason", B{a: fetchertest.FailFinal(" \n")}, nil, []string{a}, []summary{{a, "", "", attempts{{"first", "failed without a reason"}}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, _ := newRouter(t, fake("first", tt.first), fake("second", tt.second))
			wantSummaries(t, fetch(t, r, tt.urls...), tt.want...)
		})
	}
}

func TestUnclaimed(t *testing.T) {
	r, _ := newRouter(t, fake("first", nil))
	res := fetch(t, r, "ftp://u:p@a.example/x", "mailto:a@b.example", "/wiki/Home", "a.example", "git@github.com:o/r.git", "https://u:p@a b/", "https://a.example:99999", "")
	const relative = "not an absolute URL: it must start with http:// or https://"
	wantSummaries(t, res,
		summary{URL: "ftp://a.example/x", Reason: `unsupported scheme "ftp": http and https only`},
		summary{URL: "mailto:a@b.example", Reason: `unsupported scheme "mailto": http and https only`},
		summary{URL: "/wiki/Home", Reason: relative},
		summary{URL: "a.example", Reason: relative},
		summary{URL: "git@github.com:o/r.git", Reason: relative},
		summary{URL: "https://a b/", Reason: "malformed URL: bad host name"},
		summary{URL: "https://a.example:99999", Reason: "malformed URL: bad port"},
		summary{URL: "", Reason: relative},
	)
}

func TestEmptySlicesInJSON(t *testing.T) {
	none := fetchertest.DeliverDocument(fetchers.Document{}, map[string]string{})
	r, _ := newRouter(t, fake("first", map[string]fetchertest.Behaviour{a: none}))
	got, err := json.Marshal(fetch(t, r, a))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"attempts":[]`, `"warnings":[]`, `"bodies":[]`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
	got, err = json.Marshal(fetch(t, r))
	if err != nil || !strings.Contains(string(got), `"outcomes":[]`) {
		t.Errorf("no URLs: %s, %v", got, err)
	}
}

func TestClaimsOfAnUnparsedURL(t *testing.T) {
	git := &fetchertest.Fake{Name: "git", Claim: func(_ fetchers.Request, u fetchers.URL) bool { return strings.HasPrefix(u.Asked, "git@") }}
	r, _ := newRouter(t, git, fake("local", nil))
	wantSummaries(t, fetch(t, r, "git@github.com:o/r.git", a),
		summary{URL: "git@github.com:o/r.git", Source: "git"}, summary{URL: a, Source: "local"})
	for raw, want := range map[string]string{"git@github.com:o/r.git": "git", a: "local", "ftp://a.example/": "", "": ""} {
		if got := claimant(t, r, raw); got != want {
			t.Errorf("claimant of %q is %q, want %q", raw, got, want)
		}
	}
	if got := r.Sources(); !slices.Equal(got, []string{"git", "local"}) {
		t.Errorf("Sources = %q", got)
	}
}

// claimant is the fetcher that is asked first for a URL.
func claimant(t *testing.T, r *router.Router, raw string) string {
	t.Helper()
	for _, c := range r.Explain(t.Context(), fetchers.Request{}, raw) {
		if c.Claims {
			return c.Source
		}
	}
	return ""
}

func TestLastOnly(t *testing.T) {
	var asked []string
	seen := func(name string) func(fetchers.Request, fetchers.URL) bool {
		return func(_ fetchers.Request, u fetchers.URL) bool {
			asked = append(asked, name+" "+u.Asked)
			return true
		}
	}
	fails := func(fetchers.URL) fetchertest.Behaviour { return fetchertest.Fail("404 Not Found") }
	only := ""
	r := router.New(router.Config{
		Fetchers: []fetchers.Fetcher{
			&fetchertest.Fake{Name: "first", Claim: seen("first"), Do: fails},
			&fetchertest.Fake{Name: "second", Claim: seen("second"), Do: fails},
			&fetchertest.Fake{Name: "last", Claim: seen("last")},
		},
		Store:    artifact.New(artifact.Config{Root: func() string { return filepath.Join(t.TempDir(), "pi-fetch") }, Fallbacks: []string{}}),
		LastOnly: func(u fetchers.URL) bool { return u.Asked == only },
	})
	only = b
	res := fetch(t, r, b)
	wantSummaries(t, res, summary{URL: b, Source: "last"})
	if want := []string{"last " + b}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
	want := []fetchers.Claim{
		{Source: "first", Reason: "kept from it by webTools.fetch.forceLocal"},
		{Source: "second", Reason: "kept from it by webTools.fetch.forceLocal"},
		{Source: "last", Claims: true},
	}
	if diff := cmp.Diff(want, r.Explain(t.Context(), fetchers.Request{}, b)); diff != "" {
		t.Errorf("Explain: -want +got:\n%s", diff)
	}
	wantSummaries(t, fetch(t, r, a), summary{a, "last", "", attempts{{"first", "404 Not Found"}, {"second", "404 Not Found"}}})
	// It is asked again for each fetcher: the settings may have changed.
	only = ""
	r = router.New(router.Config{
		Fetchers: []fetchers.Fetcher{
			&fetchertest.Fake{Name: "first", Do: func(fetchers.URL) fetchertest.Behaviour {
				only = a
				return fetchertest.Fail("404 Not Found")
			}},
			fake("second", nil),
			fake("last", nil),
		},
		Store:    artifact.New(artifact.Config{Root: func() string { return filepath.Join(t.TempDir(), "pi-fetch") }, Fallbacks: []string{}}),
		LastOnly: func(u fetchers.URL) bool { return u.Asked == only },
	})
	wantSummaries(t, fetch(t, r, a), summary{a, "last", "", attempts{{"first", "404 Not Found"}}})
}

func TestPanicInClaims(t *testing.T) {
	bad := &fetchertest.Fake{Name: "bad", Claim: func(fetchers.Request, fetchers.URL) bool { panic("boom") }}
	r, _ := newRouter(t, bad, fake("local", nil))
	wantSummaries(t, fetch(t, r, a), summary{URL: a, Source: "local"})
}

func TestDuplicates(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	f := fake("local", nil)
	f.Seen = func(_ fetchers.Request, tasks []fetchers.Task) {
		mu.Lock()
		defer mu.Unlock()
		for _, t := range tasks {
			seen = append(seen, t.URL.Asked)
		}
	}
	r, _ := newRouter(t, f)
	res := fetch(t, r, "HTTPS://A.example:443", b, a, "https://a.example/#top", "https://u:p@a.example/", "ftp://x/", "FTP://X/")
	wantSummaries(t, res,
		summary{URL: "HTTPS://A.example:443", Source: "local"},
		summary{URL: b, Source: "local"},
		summary{URL: "https://a.example/#top", Source: "local"},
		summary{URL: a, Source: "local"}, // with userinfo
		summary{URL: "ftp://x/", Reason: `unsupported scheme "ftp": http and https only`},
	)
	if want := []string{"HTTPS://A.example:443", b, "https://a.example/#top", a}; !slices.Equal(seen, want) {
		t.Errorf("fetched %q, want %q", seen, want)
	}
}

func TestDocumentIsStamped(t *testing.T) {
	excerpt := strings.Repeat("é", fetchers.ExcerptBytes/2-1) + "x日"
	tests := []struct{ name, asked, link, wantLink string }{
		{"same URL", "https://A.example", "https://a.example:443/", ""},
		{"other URL", a, "https://a.example/final", "https://a.example/final"},
		{"fragment", a, "https://a.example/#x", "https://a.example/#x"},
		{"userinfo", "https://u:p@a.example/", "https://u:p@a.example/", ""},
		{"none", a, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := fetchers.Document{Source: "forged", URL: "forged", Link: tt.link, Excerpt: excerpt}
			r, _ := newRouter(t, &fetchertest.Fake{Name: "local", Do: func(fetchers.URL) fetchertest.Behaviour {
				return fetchertest.DeliverDocument(d, nil)
			}})
			got := fetch(t, r, tt.asked).Outcomes[0]
			if got.Document.Source != "local" || got.Document.URL != got.URL || strings.Contains(got.URL, "p@") {
				t.Errorf("source %q, url %q, outcome's url %q", got.Document.Source, got.Document.URL, got.URL)
			}
			if got.Document.Link != tt.wantLink {
				t.Errorf("link %q, want %q", got.Document.Link, tt.wantLink)
			}
			if want := excerpt[:fetchers.ExcerptBytes-1]; got.Document.Excerpt != want {
				t.Errorf("excerpt of %d bytes, want %d", len(got.Document.Excerpt), len(want))
			}
		})
	}
}

func TestFailedURLDoesNotWaitForItsBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := fake("first", map[string]fetchertest.Behaviour{
			a: fetchertest.After(time.Second, fetchertest.Fail("404 Not Found")),
			b: fetchertest.After(time.Hour, fetchertest.Deliver(nil)),
			c: fetchertest.After(time.Minute, fetchertest.Silent()),
		})
		begin := time.Now()
		secondAt := make(map[string]time.Duration)
		second := fake("second", nil)
		second.Seen = func(_ fetchers.Request, tasks []fetchers.Task) {
			for _, t := range tasks {
				secondAt[t.URL.Asked] = time.Since(begin)
			}
		}
		r, _ := newRouter(t, first, second)
		wantSummaries(t, fetch(t, r, a, b, c),
			summary{a, "second", "", attempts{{"first", "404 Not Found"}}},
			summary{URL: b, Source: "first"},
			summary{URL: c, Source: "second"})
		// What was said nothing about moves on when the call returns.
		if diff := cmp.Diff(map[string]time.Duration{a: time.Second, c: time.Hour}, secondAt); diff != "" {
			t.Errorf("second was called (-want +got):\n%s", diff)
		}
	})
}

func TestFetchersWorkSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		only := func(url string) func(fetchers.Request, fetchers.URL) bool {
			return func(_ fetchers.Request, u fetchers.URL) bool { return u.Asked == url }
		}
		slow := func(fetchers.URL) fetchertest.Behaviour {
			return fetchertest.After(time.Minute, fetchertest.Deliver(nil))
		}
		r, _ := newRouter(t, &fetchertest.Fake{Name: "first", Claim: only(a), Do: slow}, &fetchertest.Fake{Name: "second", Claim: only(b), Do: slow})
		begin := time.Now()
		fetch(t, r, a, b)
		if took := time.Since(begin); took != time.Minute {
			t.Errorf("took %v, want one minute", took)
		}
	})
}

func TestStatus(t *testing.T) {
	type event struct {
		url   string
		stage fetchers.StageName
	}
	var events []event
	first := fake("first", map[string]fetchertest.Behaviour{b: fetchertest.Fail("404 Not Found")})
	second := &fetchertest.Fake{Name: "second", Do: func(fetchers.URL) fetchertest.Behaviour {
		return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
			sink.Stage(t, fetchers.Stage{Name: fetchers.StageWritten}) // not the fetcher's to say
			err := fetchertest.Deliver(nil)(ctx, t, sink)
			sink.Stage(t, fetchers.Stage{Name: fetchers.StageExtracting}) // too late
			return err
		}
	}}
	r, _ := newRouter(t, first, second)
	for _, u := range []string{"https://u:p@a.example/", b} {
		_, err := r.Fetch(t.Context(), router.Request{URLs: []string{u}, Status: func(u string, s fetchers.Stage) {
			events = append(events, event{u, s.Name})
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []event{
		{a, fetchers.StageStarted},
		{a, fetchers.StageWritten},
		{b, fetchers.StageStarted},
		{b, fetchers.StageStarted},
		{b, fetchers.StageWritten},
	}
	if !slices.Equal(events, want) {
		t.Errorf("events %v, want %v", events, want)
	}
}

func TestLateAndDoubleReportsAreIgnored(t *testing.T) {
	var late func()
	first := &fetchertest.Fake{Name: "first", Do: func(fetchers.URL) fetchertest.Behaviour {
		return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
			if t.URL.Asked == b {
				late = func() {
					sink.Fail(t, fetchers.Failure{Reason: "late", Final: true})
					sink.Deliver(t, fetchers.Document{Title: "late"})
				}
				return nil
			}
			sink.Fail(t, fetchers.Failure{Reason: "one"})
			sink.Fail(t, fetchers.Failure{Reason: "two"})
			sink.Deliver(t, fetchers.Document{Title: "three"})
			sink.Deliver(fetchers.Task{URL: t.URL}, fetchers.Document{Title: "four"})
			return errors.New("five")
		}
	}}
	second := fake("second", map[string]fetchertest.Behaviour{
		b: func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
			late()
			return fetchertest.Deliver(nil)(ctx, t, sink)
		},
	})
	r, _ := newRouter(t, first, second)
	res := fetch(t, r, a)
	wantSummaries(t, res, summary{a, "second", "", attempts{{"first", "one"}}})
	res = fetch(t, r, b)
	late()
	wantSummaries(t, res, summary{URL: b, Source: "second"})
}

func TestWarnings(t *testing.T) {
	f := &fetchertest.Fake{Name: "github", Do: func(fetchers.URL) fetchertest.Behaviour {
		return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
			sink.Warn("60 calls\nleft")
			return fetchertest.Deliver(nil)(ctx, t, sink)
		}
	}}
	r, _ := newRouter(t, f)
	if got := fetch(t, r, a, b).Warnings; !slices.Equal(got, []string{"github: 60 calls left"}) {
		t.Errorf("warnings %q", got)
	}
}

func TestRequestReachesTheFetcher(t *testing.T) {
	want := fetchers.Request{Objective: "what", Session: "s", Env: fetchers.Env{"GH_TOKEN": "x"}, Tree: true}
	var got fetchers.Request
	f := fake("local", nil)
	f.Seen = func(req fetchers.Request, _ []fetchers.Task) { got = req }
	r, _ := newRouter(t, f)
	if _, err := r.Fetch(t.Context(), router.Request{URLs: []string{a}, Fetch: want}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestCallerRoot(t *testing.T) {
	r, own := newRouter(t, fake("local", nil))
	out := filepath.Join(t.TempDir(), "out")
	res, err := r.Fetch(t.Context(), router.Request{URLs: []string{a}, ArtifactRoot: out})
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(out, "a-example", "content.md"); res.ArtifactRoot != out || res.Outcomes[0].Document.Bodies[0].Path != want {
		t.Errorf("root %s, body %s", res.ArtifactRoot, res.Outcomes[0].Document.Bodies[0].Path)
	}
	checkFiles(t, res)
	if _, err := os.Lstat(own); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the own root was made: %v", err)
	}
	_, err = r.Fetch(t.Context(), router.Request{URLs: []string{a}, ArtifactRoot: "out"})
	if _, ok := errors.AsType[*artifact.RootError](err); !ok {
		t.Errorf("a relative root: %v", err)
	}
}

func TestManyURLs(t *testing.T) {
	var urls []string
	do := map[string]fetchertest.Behaviour{}
	for i := range 50 {
		u := fmt.Sprintf("https://a.example/%d", i)
		urls = append(urls, u)
		do[u] = []fetchertest.Behaviour{
			fetchertest.Deliver(nil), fetchertest.Fail("404 Not Found"), fetchertest.Silent(), fetchertest.FailFinal("gone"),
		}[i%4]
	}
	flaky := map[string]fetchertest.Behaviour{urls[1]: fetchertest.Panic("boom"), urls[2]: fetchertest.Err(errors.New("boom"))}
	r, _ := newRouter(t, fake("first", do), fake("second", flaky), fake("third", nil))
	want := make([]summary, len(urls))
	for i, u := range urls {
		want[i] = []summary{
			{URL: u, Source: "first"},
			{URL: u, Source: "second", Attempts: attempts{{"first", "404 Not Found"}}},
			{URL: u, Source: "second"},
			{URL: u, Attempts: attempts{{"first", "gone"}}},
		}[i%4]
	}
	want[1] = summary{URL: urls[1], Source: "third", Attempts: attempts{{"first", "404 Not Found"}, {"second", "internal error: boom"}}}
	want[2] = summary{URL: urls[2], Source: "third", Attempts: attempts{{"second", "boom"}}}
	res := fetch(t, r, urls...)
	wantSummaries(t, res, want...)
	for i, o := range res.Outcomes {
		if o.Document != nil {
			if want := fmt.Sprintf("a-example-%d", i); filepath.Base(filepath.Dir(o.Document.Bodies[0].Path)) != want {
				t.Errorf("%s is in %s, want %s", o.URL, o.Document.Bodies[0].Path, want)
			}
		}
	}
}

var errHungUp = errors.New("the client hung up")

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		second := fake("second", nil)
		second.Seen = func(fetchers.Request, []fetchers.Task) { calls++ }
		r, root := newRouter(t, fake("first", map[string]fetchertest.Behaviour{
			b: fetchertest.After(time.Hour, fetchertest.Deliver(nil)), // fails when ctx ends
			c: fetchertest.Until(nil, nil),
		}), second)
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(errHungUp) })
		begin := time.Now()
		_, err := r.Fetch(ctx, router.Request{URLs: []string{a, b, c}})
		if !errors.Is(err, errHungUp) || time.Since(begin) != time.Minute {
			t.Errorf("error %v after %v", err, time.Since(begin))
		}
		if calls != 0 {
			t.Error("another fetcher was tried after the end")
		}
		wantEmpty(t, root)
	})
}

func TestCancelledBeforehand(t *testing.T) {
	r, root := newRouter(t, fake("first", nil))
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errHungUp)
	if _, err := r.Fetch(ctx, router.Request{URLs: []string{a}}); !errors.Is(err, errHungUp) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Lstat(root); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the root was made: %v", err)
	}
}

func TestFetcherThatIgnoresTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		r, root := newRouter(t, fake("first", map[string]fetchertest.Behaviour{
			b: fetchertest.Stuck(release, func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
				_, err := t.Folder.Write("late.md", strings.NewReader("late"))
				sink.Deliver(t, fetchers.Document{})
				return err
			}),
		}))
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(errHungUp) })
		begin := time.Now()
		_, err := r.Fetch(ctx, router.Request{URLs: []string{a, b}})
		if !errors.Is(err, errHungUp) || time.Since(begin) != time.Minute+router.DefaultGrace {
			t.Errorf("error %v after %v", err, time.Since(begin))
		}
		wantEmpty(t, root)
		close(release)
		synctest.Wait()
		wantEmpty(t, root)
	})
}

func TestFetcherThatLingersAfterItsReports(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var cause error
		r, _ := newRouter(t, &fetchertest.Fake{Do: func(fetchers.URL) fetchertest.Behaviour {
			return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
				err := fetchertest.Deliver(nil)(ctx, t, sink)
				<-ctx.Done()
				cause = context.Cause(ctx)
				return err
			}
		}})
		begin := time.Now()
		wantSummaries(t, fetch(t, r, a), summary{URL: a, Source: "fake"})
		if time.Since(begin) != 0 || cause == nil {
			t.Errorf("took %v, cause %v", time.Since(begin), cause)
		}
	})
}

func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("%s holds %v, %v", dir, entries, err)
	}
}
