package parallel

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pifetch/delivery"
	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/fetchertest"
	"pifetch/internal/weburl"
	"pifetch/router"
	"pifetch/test/fakeparallel"
)

const (
	one   = "https://www.example.com/one"
	two   = "https://www.example.com/two"
	three = "https://www.example.com/three"
)

var request = fetchers.Request{Env: fetchers.Env{keyVariable: fakeparallel.Key}}

func newFetcher(fake *fakeparallel.Fake) *Fetcher {
	return New(Config{BaseURL: func() string { return fake.URL }, UserAgent: "pifetch/test"})
}

// fetch resolves URLs as the daemon does, with a local fetcher that delivers
// whatever it gets.
func fetch(t *testing.T, f *Fetcher, req fetchers.Request, urls ...string) fetchers.Result {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	r := router.New(router.Config{
		Fetchers: []fetchers.Fetcher{f, &fetchertest.Fake{Name: "local"}},
		Store:    artifact.New(artifact.Config{Root: func() string { return dir }, Fallbacks: []string{}}),
	})
	res, err := r.Fetch(t.Context(), router.Request{URLs: urls, Fetch: req})
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%+v", res); strings.Contains(text, fakeparallel.Key) {
		t.Errorf("the key is in the result: %s", text)
	}
	return res
}

// trail is each outcome in short: the source that delivered, and the reasons of
// those before it.
func trail(res fetchers.Result) []string {
	var all []string
	for _, o := range res.Outcomes {
		s := "nobody"
		if o.Document != nil {
			s = o.Document.Source
		}
		for _, a := range o.Attempts {
			s += " < " + a.Source + ": " + a.Reason
		}
		all = append(all, s)
	}
	return all
}

func wantTrail(t *testing.T, res fetchers.Result, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, trail(res)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

func content(t *testing.T, o fetchers.Outcome) string {
	t.Helper()
	if o.Document == nil || len(o.Document.Bodies) != 1 {
		t.Fatalf("no document with one body: %+v", o)
	}
	text, err := os.ReadFile(o.Document.Bodies[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDocument(t *testing.T) {
	fake := fakeparallel.New(t)
	res := fetch(t, newFetcher(fake), request, one+"#part")
	doc := *res.Outcomes[0].Document
	if got, want := content(t, res.Outcomes[0]), "# About one\n\nFull text of "+one+"\n"; got != want {
		t.Errorf("content.md holds %q, want %q", got, want)
	}
	doc.Bodies[0].Path = ""
	want := fetchers.Document{
		Kind: "parallel.page", Source: "parallel", URL: one + "#part", Title: "Title of one", Via: "api",
		Facts: []string{"published 2026-03-04"}, Excerpt: "First excerpt of one",
		Bodies: []fetchers.Body{{Name: "content.md", Lines: 3, Bytes: 54, Outline: []fetchers.Heading{{Line: 1, Level: 1, Text: "About one"}}}},
	}
	if diff := cmp.Diff(want, doc); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
	call := fake.Calls()[0]
	if want := `{"urls":["` + one + `"],"advanced_settings":{"full_content":true,"fetch_policy":{"timeout_seconds":45}}}`; call.Body != want {
		t.Errorf("sent %s\nwant %s", call.Body, want)
	}
}

func TestObjective(t *testing.T) {
	fake := fakeparallel.New(t)
	req := request
	req.Objective = "what " + strings.Repeat("é", 5000)
	res := fetch(t, newFetcher(fake), req, one)
	doc := res.Outcomes[0].Document
	if want := []string{"First excerpt of one", "Second excerpt of one"}; !slices.Equal(doc.Highlights, want) || doc.Excerpt != "" {
		t.Errorf("highlights %q, excerpt %q, want %q", doc.Highlights, doc.Excerpt, want)
	}
	if got, want := fake.Calls()[0].Objective, "what "+strings.Repeat("é", 4995); got != want {
		t.Errorf("objective of %d bytes, want %d", len(got), len(want))
	}
	if want := []string{"parallel: the objective was cut to its first 5000 characters"}; !slices.Equal(res.Warnings, want) {
		t.Errorf("warnings %q, want %q", res.Warnings, want)
	}
}

func TestResult(t *testing.T) {
	long := strings.Repeat("word ", 8000) // 40,000 bytes
	for _, tt := range []struct {
		name      string
		result    fakeparallel.Result
		objective string
		want      fetchers.Document // Title, Facts, Excerpt, Highlights, Link
		content   string
		fails     string
	}{
		{
			name:   "nothing optional",
			result: fakeparallel.Result{FullContent: new("Just\r\ntext\x00\rhere")},
			want:   fetchers.Document{Title: "www.example.com/one", Excerpt: "Just\ntext\nhere"}, content: "Just\ntext\nhere\n",
		},
		{
			name:   "title of a heading",
			result: fakeparallel.Result{Title: new(" \n"), FullContent: new("## A *heading*\n\nText.\n"), PublishDate: new("yesterday\n1. forged")},
			want:   fetchers.Document{Title: "A heading", Excerpt: "Text."}, content: "## A *heading*\n\nText.\n",
		},
		{
			name:   "title of several lines",
			result: fakeparallel.Result{Title: new("A\n1. b\x1b[31m"), FullContent: new("x"), Excerpts: []string{" ", "# H\n\n[One](https://a.example) "}},
			want:   fetchers.Document{Title: "A 1. b", Excerpt: "One"}, content: "x\n",
		},
		{
			name:   "excerpts only",
			result: fakeparallel.Result{Title: new("T"), Excerpts: []string{"One", "", "Two"}},
			want:   fetchers.Document{Title: "T", Facts: []string{"excerpts only"}, Excerpt: "One"}, content: "One\n\n---\n\nTwo\n",
		},
		{
			name: "excerpts only, with an objective", objective: "what",
			result: fakeparallel.Result{Title: new("T"), FullContent: new(" \n"), Excerpts: []string{"One"}, PublishDate: new("2025-12-31")},
			want:   fetchers.Document{Title: "T", Facts: []string{"published 2025-12-31", "excerpts only"}, Highlights: []string{"One"}}, content: "One\n",
		},
		{
			name: "objective without excerpts", objective: "what",
			result: fakeparallel.Result{Title: new("T"), FullContent: new("Text.")},
			want:   fetchers.Document{Title: "T", Excerpt: "Text."}, content: "Text.\n",
		},
		{
			name: "too many highlights", objective: "what",
			result: fakeparallel.Result{Title: new("T"), FullContent: new("Text."), Excerpts: []string{long, long, "x"}},
			want:   fetchers.Document{Title: "T", Facts: []string{"2 of 3 highlights left out: too long"}, Highlights: []string{strings.TrimSpace(long)}}, content: "Text.\n",
		},
		{
			name:   "link",
			result: fakeparallel.Result{URL: "https://WWW.example.com/one/", Title: new("T"), FullContent: new("Text.")},
			want:   fetchers.Document{Title: "T", Excerpt: "Text.", Link: "https://www.example.com/one/"}, content: "Text.\n",
		},
		{name: "nothing", result: fakeparallel.Result{Title: new("T"), Excerpts: []string{"", " "}}, fails: "no content extracted"},
		{name: "a challenge", result: fakeparallel.Result{Title: new("Just a moment..."), FullContent: new("Checking.")}, fails: `"Just a moment..." in place of the page`},
		{name: "a login", result: fakeparallel.Result{Title: new("Corp"), FullContent: new("# Sign in\n\nName\n")}, fails: `"Sign in" in place of the page`},
		{
			name:   "about logins",
			result: fakeparallel.Result{Title: new("Sign in"), FullContent: new(long)},
			want:   fetchers.Document{Title: "Sign in", Excerpt: strings.TrimSpace(long)[:4096]}, content: long + "\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fake := fakeparallel.New(t)
			fake.Always(fakeparallel.OK(func(r *fakeparallel.Response) {
				url := r.Results[0].URL
				r.Results[0] = tt.result
				if tt.result.URL == "" {
					r.Results[0].URL = url
				}
			}))
			req := request
			req.Objective = tt.objective
			res := fetch(t, newFetcher(fake), req, one)
			if tt.fails != "" {
				wantTrail(t, res, "local < parallel: "+tt.fails)
				return
			}
			wantTrail(t, res, "parallel")
			if got := content(t, res.Outcomes[0]); got != tt.content {
				t.Errorf("content.md holds %.200q, want %.200q", got, tt.content)
			}
			doc := res.Outcomes[0].Document
			got := fetchers.Document{Title: doc.Title, Facts: doc.Facts, Excerpt: doc.Excerpt, Highlights: doc.Highlights, Link: doc.Link}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("document (-want +got):\n%s", diff)
			}
		})
	}
}

// What the API makes of one of three URLs, or of the order and the spelling of
// all, costs that URL alone.
func TestAnswers(t *testing.T) {
	pageError := func(status *int, content string) fakeparallel.Page {
		return fakeparallel.Page{Error: &fakeparallel.PageError{Type: "fetch_error", Status: status, Content: &content}}
	}
	for _, tt := range []struct {
		name   string
		page   fakeparallel.Page // what is known of two, unless all of it is zero
		reply  fakeparallel.Reply
		want   string // of two
		others string // of one and three
		warns  []string
	}{
		{name: "all", want: "parallel"},
		{name: "one error", page: pageError(new(404), "secret page"), want: "local < parallel: 404 Not Found (fetch_error)"},
		{name: "one error without a status", page: pageError(nil, ""), want: "local < parallel: fetch_error"},
		{name: "missing", page: fakeparallel.Page{None: true}, want: "local < parallel: missing from the response"},
		{name: "reordered", reply: fakeparallel.OK(func(r *fakeparallel.Response) { slices.Reverse(r.Results) }), want: "parallel"},
		{name: "twice", reply: fakeparallel.OK(func(r *fakeparallel.Response) {
			again := r.Results[1]
			again.FullContent = nil
			r.Results = append(r.Results, again, fakeparallel.Result{URL: "https://www.example.com/unasked", Excerpts: []string{"x"}})
			r.Errors = append(r.Errors, fakeparallel.PageError{URL: two, Type: "late"})
		}), want: "parallel"},
		{name: "other spelling", reply: fakeparallel.OK(func(r *fakeparallel.Response) { r.Results[1].URL = "HTTPS://WWW.EXAMPLE.COM:443/two/" }), want: "parallel"},
		{name: "other page", reply: fakeparallel.OK(func(r *fakeparallel.Response) { r.Results[1].URL = two + "?x" }), want: "local < parallel: missing from the response"},
		{
			name: "warnings", want: "parallel", warns: []string{"parallel: brand_new: look out for [key]"},
			reply: fakeparallel.OK(func(r *fakeparallel.Response) {
				r.Warnings = []fakeparallel.Warning{{Type: "brand_new", Message: "look\nout for " + fakeparallel.Key, Detail: map[string]int{"a": 1}}}
				r.Usage = []fakeparallel.Usage{{Name: "sku_extract", Count: 3}}
			}),
		},
		{name: "gzip", reply: fakeparallel.Gzip(), want: "parallel"},
		{name: "slow", reply: fakeparallel.After(50*time.Millisecond, fakeparallel.OK(nil)), want: "parallel"},
		{
			name: "a result without a URL", reply: fakeparallel.OK(func(r *fakeparallel.Response) { r.Results[0].URL = "" }),
			want: "local < parallel: unreadable answer: a result has no url", others: "the same",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fake := fakeparallel.New(t)
			fake.Know(func(url string) fakeparallel.Page {
				if url == two && (tt.page.Error != nil || tt.page.None) {
					return tt.page
				}
				return fakeparallel.PageOf(url)
			})
			fake.Always(tt.reply)
			others := "parallel"
			if tt.others != "" {
				others = tt.want
			}
			res := fetch(t, newFetcher(fake), request, one, two, three)
			wantTrail(t, res, others, tt.want, others)
			if digest := delivery.Digest(res); strings.Contains(digest, "parallel") || strings.Contains(digest, "Failed:") {
				t.Errorf("the digest tells what the agent need not know:\n%s", digest)
			}
			for _, o := range res.Outcomes {
				if o.Document != nil && o.Document.Source == "parallel" && !strings.Contains(content(t, o), "Full text of "+o.URL) {
					t.Errorf("%s got another page's text", o.URL)
				}
			}
			if !slices.Equal(res.Warnings, tt.warns) && len(res.Warnings)+len(tt.warns) > 0 {
				t.Errorf("warnings %q, want %q", res.Warnings, tt.warns)
			}
			if n := len(fake.Calls()); n != 1 {
				t.Errorf("%d calls, want 1", n)
			}
		})
	}
}

// What fails as a whole costs every URL of the call that is still open one
// attempt, after at most one more try.
func TestFailures(t *testing.T) {
	const ref = " (ref " + fakeparallel.RefID + ")"
	ok := fakeparallel.OK(nil)
	refuse := fakeparallel.Refuse
	for _, tt := range []struct {
		name   string
		script []fakeparallel.Reply
		reason string // "": delivered
		calls  int
	}{
		{"401", []fakeparallel.Reply{refuse(401, "Unauthorized key "+fakeparallel.Key, nil, "x-should-retry", "true")}, "401 Unauthorized: Unauthorized key [key]" + ref + " — check PARALLEL_API_KEY", 1},
		{"402", []fakeparallel.Reply{refuse(402, "Insufficient credit", nil)}, "402 Payment Required: Insufficient credit" + ref + " — the account of PARALLEL_API_KEY has no credit left", 1},
		{"403", []fakeparallel.Reply{refuse(403, "No access", nil)}, "403 Forbidden: No access" + ref + " — the account of PARALLEL_API_KEY may not extract pages", 1},
		{"422 with detail", []fakeparallel.Reply{refuse(422, "Validation", map[string]any{"errors": []string{"urls https://a:b@c.example"}})}, `422 Unprocessable Entity: Validation {"errors":["urls https://c.example"]}` + ref, 1},
		{"a key in other spelling", []fakeparallel.Reply{fakeparallel.Text(422, "application/json", `{"error":{"message":"","detail":["\u0070`+fakeparallel.Key[1:]+`"]}}`)}, `422 Unprocessable Entity: ["[key]"]`, 1},
		{"400", []fakeparallel.Reply{refuse(400, "Bad", nil)}, "400 Bad Request: Bad" + ref, 1},
		{"429 with milliseconds", []fakeparallel.Reply{refuse(429, "Slow down", nil, "retry-after-ms", "5"), ok}, "", 2},
		{"429 with a date", []fakeparallel.Reply{refuse(429, "Slow down", nil, "retry-after", time.Now().UTC().Format(http.TimeFormat)), ok}, "", 2},
		{"429 without", []fakeparallel.Reply{refuse(429, "Slow down", nil), ok}, "", 2},
		{"429 twice", []fakeparallel.Reply{refuse(429, "Slow down", nil, "retry-after-ms", "1"), refuse(429, "Slow down", nil), ok}, "429 Too Many Requests: Slow down" + ref + " — try again in a minute", 2},
		{"429 for longer than there is", []fakeparallel.Reply{refuse(429, "Slow down", nil, "retry-after", "3600"), ok}, "429 Too Many Requests: Slow down" + ref + " — try again in a minute", 1},
		{"500 then 200", []fakeparallel.Reply{refuse(500, "Oops", nil), ok}, "", 2},
		{"503, not to be repeated", []fakeparallel.Reply{refuse(503, "Down", nil, "x-should-retry", "false"), ok}, "503 Service Unavailable: Down" + ref, 1},
		{"400, to be repeated", []fakeparallel.Reply{refuse(400, "Odd", nil, "x-should-retry", "true", "retry-after-ms", "1"), ok}, "", 2},
		{"502 of a proxy", []fakeparallel.Reply{
			fakeparallel.Text(502, "text/html", "<h1>502 Bad Gateway</h1>"), fakeparallel.Text(502, "text/html", "<h1>502 Bad Gateway</h1>"),
		}, "502 Bad Gateway", 2},
		{"redirect", []fakeparallel.Reply{func(w http.ResponseWriter, r *http.Request, _ fakeparallel.Response) {
			http.Redirect(w, r, "/v1/extract", http.StatusTemporaryRedirect)
		}}, "307 Temporary Redirect", 1},
		{"200 with an error", []fakeparallel.Reply{refuse(200, "Really not", nil)}, "error in the answer: Really not" + ref, 1},
		{"200 with HTML", []fakeparallel.Reply{fakeparallel.Text(200, "text/html", "<html>")}, "unreadable answer: invalid character '<' looking for beginning of value", 1},
		{"200 without results", []fakeparallel.Reply{fakeparallel.Text(200, "application/json", `{"extract_id":"x"}`)}, "unreadable answer: it has no results", 1},
		{"200 with a list", []fakeparallel.Reply{fakeparallel.Text(200, "application/json", `[]`)}, "unreadable answer: it is no object", 1},
		{"200 with nothing", []fakeparallel.Reply{fakeparallel.Text(200, "application/json", ``)}, "unreadable answer: unexpected EOF", 1},
		{"200 with results of another type", []fakeparallel.Reply{fakeparallel.Text(200, "application/json", `{"results":{"url":"x"}}`)}, "unreadable answer: a list was expected", 1},
		{"reset at once", []fakeparallel.Reply{func(http.ResponseWriter, *http.Request, fakeparallel.Response) { panic(http.ErrAbortHandler) }, ok}, "", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			fake := fakeparallel.New(t)
			fake.Script(tt.script...)
			res := fetch(t, newFetcher(fake), request, one, two)
			want := "parallel"
			if tt.reason != "" {
				want = "local < parallel: " + tt.reason
			}
			wantTrail(t, res, want, want)
			if digest := delivery.Digest(res); strings.Contains(digest, "parallel") || strings.Contains(digest, "Failed:") {
				t.Errorf("the digest tells what the agent need not know:\n%s", digest)
			}
			if n := len(fake.Calls()); n != tt.calls {
				t.Errorf("%d calls, want %d", n, tt.calls)
			}
		})
	}
}

// Results that came before an answer broke off stay.
func TestBrokenOff(t *testing.T) {
	for name, tt := range map[string]struct {
		reply  fakeparallel.Reply
		reason string
	}{
		"truncated": {fakeparallel.Truncate(), "unreadable answer: unexpected EOF"},
		"reset":     {fakeparallel.Reset(), "unreadable answer: unexpected EOF"},
		"too large": {fakeparallel.Large(64 << 20), "a page of the answer is larger than 4 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			fake := fakeparallel.New(t)
			fake.Script(tt.reply)
			wantTrail(t, fetch(t, newFetcher(fake), request, one, two), "parallel", "local < parallel: "+tt.reason)
			if n := len(fake.Calls()); n != 1 {
				t.Errorf("%d calls, want 1: what is paid for is not asked for again", n)
			}
		})
	}
}

func TestDeadline(t *testing.T) {
	fake := fakeparallel.New(t)
	fake.Always(fakeparallel.Hang())
	f := newFetcher(fake)
	f.budget = 50 * time.Millisecond
	wantTrail(t, fetch(t, f, request, one), "local < parallel: no answer within 0s")
	if n := len(fake.Calls()); n != 1 {
		t.Errorf("%d calls, want 1", n)
	}
}

func TestDown(t *testing.T) {
	fake := fakeparallel.New(t)
	f := newFetcher(fake)
	f.cfg.BaseURL = func() string { return "http://127.0.0.1:1" } // nobody listens
	res := fetch(t, f, request, one)
	wantTrail(t, res, "local < parallel: 127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused")
	req := fetchers.Request{Env: fetchers.Env{keyVariable: fakeparallel.Key, baseVariable: "https://u:p@a.example"}}
	wantTrail(t, fetch(t, f, req, one), "local < parallel: PARALLEL_BASE_URL must be an http or https URL without user, query and fragment")
}

func TestBatches(t *testing.T) {
	fake := fakeparallel.New(t)
	var urls []string
	for i := range 50 {
		urls = append(urls, fmt.Sprintf("https://www.example.com/%d", i))
	}
	urls = append(urls[:48:48], "https://www.example.com/0#a", "https://www.example.com/0#b") // the same page thrice
	res := fetch(t, newFetcher(fake), request, urls...)
	wantTrail(t, res, slices.Repeat([]string{"parallel"}, 50)...)
	for i, o := range res.Outcomes {
		sent, _, _ := strings.Cut(urls[i], "#")
		if !strings.Contains(content(t, o), "Full text of "+sent+"\n") {
			t.Errorf("%s got another page's text", urls[i])
		}
	}
	var sizes []int
	var sent []string
	for _, c := range fake.Calls() {
		sizes = append(sizes, len(c.URLs))
		sent = append(sent, c.URLs...)
		if c.Session != "" || !c.Full {
			t.Errorf("session %q, full content %v", c.Session, c.Full)
		}
	}
	slices.Sort(sizes)
	slices.Sort(sent)
	if !slices.Equal(sizes, []int{8, 20, 20}) || len(slices.Compact(sent)) != 48 {
		t.Errorf("calls of %d, %d URLs in all", sizes, len(sent))
	}
}

// A call that fails costs the pages of the others nothing.
func TestOneCallOfThreeFails(t *testing.T) {
	fake := fakeparallel.New(t)
	fake.Always(func(w http.ResponseWriter, r *http.Request, known fakeparallel.Response) {
		if slices.ContainsFunc(known.Results, func(r fakeparallel.Result) bool { return r.URL == "https://www.example.com/25" }) {
			fakeparallel.Refuse(402, "Insufficient credit", nil)(w, r, known)
			return
		}
		fakeparallel.OK(nil)(w, r, known)
	})
	var urls, want []string
	for i := range 50 {
		urls = append(urls, fmt.Sprintf("https://www.example.com/%d", i))
		if i/maxURLs == 1 {
			want = append(want, "local < parallel: 402 Payment Required: Insufficient credit (ref "+fakeparallel.RefID+") — the account of PARALLEL_API_KEY has no credit left")
		} else {
			want = append(want, "parallel")
		}
	}
	wantTrail(t, fetch(t, newFetcher(fake), request, urls...), want...)
}

func TestAmbiguousSpelling(t *testing.T) {
	fake := fakeparallel.New(t)
	fake.Always(fakeparallel.OK(func(r *fakeparallel.Response) { r.Results[1].URL = "https://WWW.example.com/one/" }))
	wantTrail(t, fetch(t, newFetcher(fake), request, one, one+"/"), "parallel", "local < parallel: missing from the response")
}

func TestPause(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	header := func(pairs ...string) http.Header {
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h.Set(pairs[i], pairs[i+1])
		}
		return h
	}
	for _, tt := range []struct {
		name     string
		h        http.Header
		min, max time.Duration
	}{
		{"none", header(), 375 * time.Millisecond, 500 * time.Millisecond},
		{"nonsense", header("Retry-After", "soon", "Retry-After-Ms", "x"), 375 * time.Millisecond, 500 * time.Millisecond},
		{"milliseconds first", header("Retry-After", "9", "Retry-After-Ms", "250"), 250 * time.Millisecond, 250 * time.Millisecond},
		{"seconds", header("Retry-After", "1.5"), 1500 * time.Millisecond, 1500 * time.Millisecond},
		{"date", header("Retry-After", now.Add(2*time.Second).Format(http.TimeFormat)), 2 * time.Second, 2 * time.Second},
		{"past", header("Retry-After", now.Add(-time.Hour).Format(http.TimeFormat)), 0, 0},
		{"negative", header("Retry-After", "-1"), 0, 0},
		{"no number", header("Retry-After-Ms", "NaN"), 0, 0},
		{"endless", header("Retry-After-Ms", "Inf"), time.Hour, time.Hour},
	} {
		if got := pause(tt.h, now); got < tt.min || got > tt.max {
			t.Errorf("%s: %v, want %v to %v", tt.name, got, tt.min, tt.max)
		}
	}
}

func TestConformance(t *testing.T) {
	fake := fakeparallel.New(t)
	fake.Know(func(url string) fakeparallel.Page {
		if strings.HasSuffix(url, "/missing") {
			return fakeparallel.Page{Error: &fakeparallel.PageError{Type: "fetch_error", Status: new(404)}}
		}
		return fakeparallel.PageOf(url)
	})
	slow := func(w http.ResponseWriter, r *http.Request, known fakeparallel.Response) {
		for _, one := range known.Results {
			if strings.HasSuffix(one.URL, "/slow") {
				fakeparallel.Hang()(w, r, known)
				return
			}
		}
		fakeparallel.OK(nil)(w, r, known)
	}
	fake.Always(slow)
	fetchertest.Run(t, fetchertest.Suite{
		Fetcher: newFetcher(fake), Request: request,
		Documents: []string{one, two + "#part"},
		Failures:  []string{"https://www.example.com/missing"},
		Unclaimed: []string{"ftp://www.example.com/", "http://localhost/", "https://ann:pw@www.example.com/"},
		Slow:      "https://www.example.com/slow",
		Hits:      func() int { return len(fake.Calls()) },
	})
}

// A cancelled call ends at once and is not made again.
func TestCancel(t *testing.T) {
	fake := fakeparallel.New(t)
	begun := make(chan struct{})
	fake.Always(func(w http.ResponseWriter, r *http.Request, known fakeparallel.Response) {
		close(begun)
		fakeparallel.Hang()(w, r, known)
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("the client hung up")
	go func() {
		<-begun
		cancel(gone)
	}()
	u, err := weburl.Parse(one)
	if err != nil {
		t.Fatal(err)
	}
	err = newFetcher(fake).Fetch(ctx, request, []fetchers.Task{{URL: fetchers.URL{Asked: one, Parsed: u}}}, silentSink{t})
	if !errors.Is(err, gone) {
		t.Errorf("got %v, want %v", err, gone)
	}
	if n := len(fake.Calls()); n != 1 {
		t.Errorf("%d calls, want 1", n)
	}
}

// silentSink wants no reports but stages.
type silentSink struct{ t *testing.T }

func (s silentSink) Deliver(t fetchers.Task, _ fetchers.Document) {
	s.t.Errorf("%s was delivered", t.URL)
}

func (s silentSink) Fail(t fetchers.Task, f fetchers.Failure) {
	s.t.Errorf("%s failed: %s", t.URL, f.Reason)
}
func (s silentSink) Stage(fetchers.Task, fetchers.Stage) {}
func (s silentSink) Warn(text string)                    { s.t.Errorf("warned: %s", text) }
