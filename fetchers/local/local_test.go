package local_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/fetchertest"
	"pifetch/fetchers/local"
	"pifetch/fetchers/local/read"
	"pifetch/internal/weburl"
	"pifetch/profile"
)

// answer is what the fake browser makes of a path.
type answer struct {
	page  profile.Page
	file  string // content of a download
	empty bool   // a download without content
	err   error
	hang  bool
}

// browser answers visits from a table of paths.
type browser map[string]answer

func (b browser) Visit(ctx context.Context, v profile.Visit) (*profile.Page, error) {
	a, ok := b[v.URL.Path]
	if !ok {
		return nil, errors.New("unexpected visit of " + v.URL.String())
	}
	if v.Stage != nil {
		v.Stage(profile.Progress{Stage: "started"})
	}
	if a.hang {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	if a.err != nil {
		return nil, a.err
	}
	p := a.page
	if p.URL == "" {
		p.URL = v.URL.String()
	}
	if a.file != "" || a.empty {
		part, err := v.PartFile()
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(part, []byte(a.file), 0o600); err != nil {
			return nil, err
		}
		p.File, p.FileBytes = part, int64(len(a.file))
	}
	return &p, nil
}

const (
	article = `<html><head><title>Slack water</title></head><body><main><h1>Slack water</h1>
<p>Slack water is the short time in which the tidal stream stands still before it turns, and pilots wait for it.</p>
<h2>When</h2><p>Twice a day, more or less, and never when it would suit the timetable of the harbour.</p></main></body></html>`
	loginForm = `<html><body><h1>Sign in</h1><form><input name=user><input type=password><button>Go</button></form></body></html>`
)

// shortPost is a page whose head has more text, and a login form, than its content.
var shortPost = `<html><body><header><form><input name=user><input type=password></form>` +
	numbered("<p>Board %d, about tides, winches, ropes, paint, charts and the weather.</p>", 30) +
	`</header><main><h1>Re: ropes</h1><p>We splice ours, and it has never let us down in eleven years.</p></main></body></html>`

// numbered is a format repeated with the numbers from 1.
func numbered(format string, n int) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, format, i+1)
	}
	return sb.String()
}

func html(s string) profile.Page {
	return profile.Page{Status: 200, MediaType: "text/html", HTML: []byte(s)}
}

func with(p profile.Page, change func(*profile.Page)) profile.Page {
	change(&p)
	return p
}

var site = browser{
	"/article": {page: with(html(article), func(p *profile.Page) { p.Title = "Slack water" })},
	"/busy":    {page: with(html(article), func(p *profile.Page) { p.Title = "Slack water"; p.StillLoading = true })},
	"/moved": {page: with(html(article), func(p *profile.Page) {
		p.URL = "https://a.example/article"
		p.Hops = []string{"https://a.example/moved"}
	})},
	"/data.json": {file: `{"a": 1}` + "\n", page: profile.Page{Status: 200, MediaType: "application/json"}},
	"/a.bin":     {file: "\x00\x01\x02\x03", page: profile.Page{Status: 200, MediaType: "application/octet-stream"}},
	"/named": {file: "a,b\n1,2\n", page: profile.Page{
		Status: 200, MediaType: "text/csv", Disposition: `attachment; filename="tides.csv"`,
	}},
	"/huge.html":  {file: "<html>" + strings.Repeat("x", 1000), page: profile.Page{Status: 200, MediaType: "text/html"}},
	"/missing":    {page: with(html("<h1>Not here</h1><p>There is nothing at this address, but a long text about it.</p>"), status(404))},
	"/slow-down":  {page: with(html("wait"), func(p *profile.Page) { p.Status = 429; p.Header = http.Header{"Retry-After": {"120"}} })},
	"/odd":        {page: with(html("<h1>Origin is down</h1>"), status(520))},
	"/nowhere":    {page: profile.Page{Status: 302, MediaType: "text/plain"}},
	"/zero.bin":   {empty: true, page: profile.Page{Status: 200, MediaType: "application/octet-stream"}},
	"/vault":      {page: with(html("who are you"), status(401))},
	"/auth":       {err: &profile.VisitError{Kind: profile.KindAuth, Reason: "login needed (401 Unauthorized)"}},
	"/blank":      {page: html("")},
	"/bare":       {page: html("<html><head></head><body><script>1</script></body></html>")},
	"/wiki":       {page: with(html(loginForm), login("https://sso.example/login?next=%2Fwiki", "https://a.example/wiki"))},
	"/board":      {page: with(html(loginForm), login("https://a.example/board"))},
	"/about-sso":  {page: with(html(strings.Replace(article, "</main>", strings.Repeat("<p>More about tides and how they are read by those who must.</p>", 20)+"<input type=password></main>", 1)), login("https://a.example/about-sso"))},
	"/https":      {page: with(html(loginForm), login("https://a.example/https", "http://a.example/https"))},
	"/short-post": {page: with(html(shortPost), login("https://a.example/short-post"))},
	"/100%":       {page: with(html(article), func(p *profile.Page) { p.URL = "https://a.example/100%"; p.Title = "\u200b" })},
	"/shell":      {page: with(html("<main><p>Loading</p></main>"), func(p *profile.Page) { p.Thin = true })},
	"/grown":      {page: with(html(strings.Replace(article, "</main>", strings.Repeat("<p>It grew after it had settled.</p>", 9)+"</main>", 1)), func(p *profile.Page) { p.Thin = true })},
	"/partial": {page: html(strings.Replace(article, "</main>", numbered("<p>In week %d the tide turned at noon, and nobody in the harbour had the time to look.</p>", 12)+"</main>", 1) +
		`<ul class="comment-list">` + numbered(`<li class="comment"><b class="author">Reader %d</b> <time>2024-03-01</time><p>I was there that week, and it was the cook who had the time, as he always has.</p></li>`, 40) + "</ul>")},
	"/guide": {page: html(`<main id=top-of-it><h1>Knots</h1><p>Two knots that hold, and when to tie which of them.</p>
<h2 id="user-content-bowline">Bowline</h2><p>It holds and comes undone.</p></main><aside id=ads><p>Ropes to buy here</p></aside>`)},
	"/guide-moved": {page: with(html("<main><h1>Knots</h1><h2 id=bowline>Bowline</h2><h2 id=b>B</h2><p>It holds.</p></main>"), func(p *profile.Page) {
		p.URL = "https://a.example/guide-now#b"
	})},
	"/gate": {page: with(html("<h1>Checking your browser</h1><p>One moment, please.</p>"), func(p *profile.Page) {
		p.Status, p.Title = 503, "Just a moment..."
	})},
	"/blocked": {page: with(html("<h1>Checking your browser</h1>"), func(p *profile.Page) {
		p.Status, p.Title, p.Blocked = 403, "Just a moment...", errors.New("in a headed Chrome\n too")
	})},
	"/anubis":     {page: html("<title>Making sure you&#39;re not a bot!</title><p>Calculating</p>")},
	"/gone":       {page: html("<title>Page not found</title><h1>Page not found</h1><p>The page you requested does not exist.</p>")},
	"/no-answer":  {err: errors.New("page load timed out after 15s")},
	"/window":     {err: profile.ErrInteractive},
	"/never-ends": {hang: true},
}

func status(code int) func(*profile.Page) { return func(p *profile.Page) { p.Status = code } }

func login(final string, hops ...string) func(*profile.Page) {
	return func(p *profile.Page) { p.URL, p.Hops, p.PasswordField = final, hops, true }
}

func TestConformance(t *testing.T) {
	fetchertest.Run(t, fetchertest.Suite{
		Fetcher:   newFetcher(site),
		Documents: []string{"https://a.example/article", "https://a.example/data.json", "https://a.example/named"},
		Failures:  []string{"https://a.example/missing", "https://a.example/no-answer", "https://a.example/blank"},
		Unclaimed: []string{"ftp://a.example/x", "data:text/html,hi", "git@github.com:o/r.git", "file:///etc/passwd"},
		Slow:      "https://a.example/never-ends",
	})
}

// report is what one task came to.
type report struct {
	doc     *fetchers.Document
	failure *fetchers.Failure
}

type recorder struct{ report }

func (r *recorder) Deliver(_ fetchers.Task, d fetchers.Document) { r.doc = &d }
func (r *recorder) Fail(_ fetchers.Task, f fetchers.Failure)     { r.failure = &f }
func (r *recorder) Stage(fetchers.Task, fetchers.Stage)          {}
func (r *recorder) Warn(string)                                  {}

func task(t *testing.T, raw string) fetchers.Task {
	t.Helper()
	u, err := weburl.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	req, err := artifact.New(artifact.Config{}).NewRequest(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { req.Close() })
	asked := fetchers.URL{Asked: raw, Parsed: u}
	return fetchers.Task{URL: asked, Folder: req.Folder(asked)}
}

func fetch(t *testing.T, raw string) report {
	t.Helper()
	var r recorder
	if err := newFetcher(site).Fetch(t.Context(), fetchers.Request{}, []fetchers.Task{task(t, raw)}, &r); err != nil {
		t.Fatal(err)
	}
	if (r.doc == nil) == (r.failure == nil) {
		t.Fatalf("%s: document %v, failure %v: want one of them", raw, r.doc, r.failure)
	}
	return r.report
}

func TestFailures(t *testing.T) {
	for path, want := range map[string]string{
		"/missing":   "404 Not Found",
		"/slow-down": "429 Too Many Requests (retry after 120 s)",
		"/odd":       "520 (a status without a name)",
		"/nowhere":   "302 Found",
		"/zero.bin":  "empty body: the server sent a file of 0 bytes",
		"/https":     "login needed (the page is a login form) — run: pifetchctl open-browser 'https://a.example/https'",
		"/vault":     "login needed (401 Unauthorized) — run: pifetchctl open-browser 'https://a.example/vault'",
		"/auth":      "login needed (401 Unauthorized) — run: pifetchctl open-browser 'https://a.example/auth'",
		"/blank":     "empty body: the server sent a page without content",
		"/bare":      "no content extracted",
		"/wiki":      "login needed (redirected to sso.example/login) — run: pifetchctl open-browser 'https://a.example/wiki'",
		"/board":     "login needed (the page is a login form) — run: pifetchctl open-browser 'https://a.example/board'",
		"/gate":      "challenge in place of the page (browser check, 503 Service Unavailable) — run: pifetchctl open-browser 'https://a.example/gate'",
		"/blocked":   "challenge in place of the page (browser check, 403 Forbidden; in a headed Chrome too) — run: pifetchctl open-browser 'https://a.example/blocked'",
		"/anubis":    "challenge in place of the page (Anubis) — run: pifetchctl open-browser 'https://a.example/anubis'",
		"/no-answer": "page load timed out after 15s",
		"/window":    "interactive browser is open — quit Chrome to resume fetching",
	} {
		t.Run(strings.TrimPrefix(path, "/"), func(t *testing.T) {
			r := fetch(t, "https://a.example"+path)
			if r.failure == nil {
				t.Fatalf("delivered %+v, want the failure %q", r.doc, want)
			}
			if r.failure.Reason != want || r.failure.Final {
				t.Errorf("failure = %+v, want %q, not final", *r.failure, want)
			}
		})
	}
}

func TestPage(t *testing.T) {
	doc := fetch(t, "https://a.example/article").doc
	if doc == nil || doc.Kind != "local.page" || doc.Title != "Slack water" || doc.Via != "rendered" {
		t.Fatalf("document = %+v", doc)
	}
	if len(doc.Bodies) != 1 || doc.Bodies[0].Name != "content.md" {
		t.Fatalf("bodies = %+v, want content.md alone", doc.Bodies)
	}
	if !strings.HasPrefix(doc.Excerpt, "Slack water is the short time") {
		t.Errorf("excerpt = %q, want the text after the heading that repeats the title", doc.Excerpt)
	}
	b, err := os.ReadFile(doc.Bodies[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## When", "Twice a day"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("content.md lacks %q:\n%s", want, b)
		}
	}
}

func TestPageFacts(t *testing.T) {
	if doc := fetch(t, "https://a.example/busy").doc; doc == nil || strings.Join(doc.Facts, "|") != "still loading" {
		t.Errorf("busy page = %+v, want the fact that it is still loading", doc)
	}
	if doc := fetch(t, "https://a.example/moved").doc; doc == nil || doc.Link != "https://a.example/article" {
		t.Errorf("redirected page = %+v, want the final URL as its link", doc)
	}
	for _, path := range []string{"/about-sso", "/short-post"} {
		if r := fetch(t, "https://a.example"+path); r.doc == nil {
			t.Errorf("%s, a page with a password field, was taken for a login form: %+v", path, r.failure)
		}
	}
	if doc := fetch(t, "https://a.example/shell").doc; doc == nil || strings.Join(doc.Facts, "|") != "only 7 characters of text" {
		t.Errorf("shell of a page = %+v, want a fact that says how little it is", doc)
	}
	if doc := fetch(t, "https://a.example/grown").doc; doc == nil || len(doc.Facts) > 0 {
		t.Errorf("page that grew = %+v, want no facts", doc)
	}
}

func TestMeasuredFacts(t *testing.T) {
	for url, want := range map[string]string{
		"/article":                    "",
		"/guide#bowline":              "anchor: content.md:5",
		"/guide#Bowline:~:text=holds": "anchor: content.md:5",
		"/guide#:~:text=holds":        "",
		"/guide#ads":                  "anchor #ads is not in content.md",
		"/guide#sheet%20bend":         "no element #sheet bend on the page",
		"/guide#/knots/bowline":       "",
		"/guide-moved#bowline":        "anchor: content.md:5",
	} {
		doc := fetch(t, "https://a.example"+url).doc
		if doc == nil || strings.Join(doc.Facts, "|") != want {
			t.Errorf("%s: %+v, want the facts %q", url, doc, want)
		}
	}
}

func TestAddressesOnlyABrowserReads(t *testing.T) {
	doc := fetch(t, "https://a.example/100%").doc
	if doc == nil || doc.Title != "Slack water" {
		t.Errorf("document = %+v, want the page with its own title", doc)
	}
}

func TestCommandLeadsToThePage(t *testing.T) {
	const want = "login needed (the page is a login form) — run: pifetchctl open-browser 'https://a.example/board?q=a%20b'"
	for _, asked := range []string{"https:/u:p@a.example/board?q=a b", " HTTPS://A.example/board?q=a b\n"} {
		if r := fetch(t, asked); r.failure == nil || r.failure.Reason != want {
			t.Errorf("%q: %+v, want %q", asked, r.failure, want)
		}
	}
}

func TestPartFilesDiffer(t *testing.T) {
	dir := t.TempDir()
	store := artifact.New(artifact.Config{})
	seen := map[string]bool{}
	for range 2 { // two requests into one download folder
		req, folder, err := store.NewFlat(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer req.Close()
		b := browserFunc(func(v profile.Visit) {
			part, err := v.PartFile()
			if err != nil || seen[part] || filepath.Dir(part) != dir {
				t.Errorf("part file %s, %v", part, err)
			}
			seen[part] = true
		})
		tk := task(t, "https://a.example/")
		tk.Folder = folder
		if _, err := newFetcher(b).Raw(t.Context(), fetchers.Request{}, tk, func(fetchers.Stage) {}); err == nil {
			t.Error("no error")
		}
	}
}

type browserFunc func(profile.Visit)

func (f browserFunc) Visit(_ context.Context, v profile.Visit) (*profile.Page, error) {
	f(v)
	return nil, errors.New("no page")
}

func TestFile(t *testing.T) {
	for path, want := range map[string]struct{ name, facts, view string }{
		"/data.json": {"data.json", "application/json|9B", "- a: 1\n"},
		"/named":     {"tides.csv", "text/csv|8B|1 row|2 columns", "| a | b |\n|---|---|\n| 1 | 2 |\n"},
		"/a.bin":     {"a.bin", "application/octet-stream|4B", ""},
		"/huge.html": {"huge.html", "text/html|1006B|HTML as it came, not extracted", ""},
	} {
		t.Run(strings.TrimPrefix(path, "/"), func(t *testing.T) {
			doc := fetch(t, "https://a.example"+path).doc
			if doc == nil || doc.Kind != "local.file" || doc.Title != want.name || (doc.Excerpt == "") != (want.view == "") {
				t.Fatalf("document = %+v", doc)
			}
			if got := strings.Join(doc.Facts, "|"); got != want.facts {
				t.Errorf("facts = %s, want %s", got, want.facts)
			}
			if b, err := os.ReadFile(doc.Bodies[0].Path); err != nil || string(b) != site[path].file {
				t.Errorf("%s holds %q (%v), want %q", doc.Bodies[0].Path, b, err, site[path].file)
			}
			var view []byte
			if len(doc.Bodies) > 1 {
				if view, _ = os.ReadFile(doc.Bodies[1].Path); doc.Bodies[1].Name != "content.md" {
					t.Errorf("second body = %+v, want content.md", doc.Bodies[1])
				}
			}
			if string(view) != want.view {
				t.Errorf("content.md holds %q, want %q", view, want.view)
			}
		})
	}
}

// A file that takes too long to read is delivered as it came.
func TestSlowFile(t *testing.T) {
	f := local.New(local.Config{
		Browser:   site,
		Challenge: func() local.Challenge { return local.Challenge{} },
		Readers:   read.Readers{Timeout: time.Nanosecond},
	})
	var r recorder
	if err := f.Fetch(t.Context(), fetchers.Request{}, []fetchers.Task{task(t, "https://a.example/named")}, &r); err != nil || r.doc == nil {
		t.Fatalf("document %v, failure %v, error %v", r.doc, r.failure, err)
	}
	if got := strings.Join(r.doc.Facts, "|"); got != "text/csv|8B|too slow to render" {
		t.Errorf("facts = %s", got)
	}
	if len(r.doc.Bodies) != 1 || r.doc.Bodies[0].Name != "tides.csv" || r.doc.Excerpt != "" {
		t.Errorf("document = %+v", r.doc)
	}
}

func TestRaw(t *testing.T) {
	f := newFetcher(site)
	stage := func(fetchers.Stage) {}
	raw, err := f.Raw(t.Context(), fetchers.Request{}, task(t, "https://a.example/moved"), stage)
	if err != nil {
		t.Fatal(err)
	}
	if raw.Body.Name != "page.html" || raw.FinalURL != "https://a.example/article" || raw.ContentType != "text/html" {
		t.Errorf("page = %+v", raw)
	}
	if b, err := os.ReadFile(raw.Body.Path); err != nil || string(b) != article {
		t.Errorf("page.html holds %q (%v), want the page as it is", b, err)
	}
	raw, err = f.Raw(t.Context(), fetchers.Request{}, task(t, "https://a.example/named"), stage)
	if err != nil || raw.Body.Name != "tides.csv" || raw.ContentType != "text/csv" {
		t.Errorf("file = %+v, %v", raw, err)
	}
	for path, want := range map[string]string{
		"/missing":  "404 Not Found",
		"/zero.bin": "empty body: the server sent a file of 0 bytes",
		"/gone":     "page not found: the server answered 200 OK, but the page says “Page not found”",
		"/board":    "login needed (the page is a login form) — run: pifetchctl open-browser 'https://a.example/board'",
	} {
		if _, err := f.Raw(t.Context(), fetchers.Request{}, task(t, "https://a.example"+path), stage); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if raw, err := f.Raw(t.Context(), fetchers.Request{}, task(t, "https://a.example/short-post"), stage); err != nil {
		t.Errorf("page with a password field = %+v, %v", raw, err)
	}
	for path, want := range map[string]string{
		"/wiki":      "login needed (redirected to sso.example/login) — run: pifetchctl open-browser 'https://a.example/wiki'",
		"/about-sso": "",
	} {
		got := ""
		if _, err := f.Raw(t.Context(), fetchers.Request{}, task(t, "https://a.example"+path), stage); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: error %q, want %q", path, got, want)
		}
	}
}

// visits answers every visit with an article and keeps what was asked for.
type visits struct{ seen []profile.Visit }

func (b *visits) Visit(_ context.Context, v profile.Visit) (*profile.Page, error) {
	b.seen = append(b.seen, v)
	p := html(article)
	p.URL = v.URL.String()
	return &p, nil
}

func TestChallengeSettings(t *testing.T) {
	b := &visits{}
	challenge := local.Challenge{Patience: 10 * time.Second, HeadedPatience: 20 * time.Second}
	f := local.New(local.Config{Browser: b, Challenge: func() local.Challenge { return challenge }})
	for _, headed := range []bool{false, true} {
		challenge.Headed = headed
		req := fetchers.Request{Display: map[string]string{"DISPLAY": ":7"}}
		if _, err := f.Raw(t.Context(), req, task(t, "https://a.example/article"), func(fetchers.Stage) {}); err != nil {
			t.Fatal(err)
		}
		v := b.seen[len(b.seen)-1]
		if v.Patience != 10*time.Second {
			t.Errorf("patience %v, want 10s", v.Patience)
		}
		if got := v.Headed != nil; got != headed {
			t.Fatalf("headed %v, want %v", got, headed)
		}
		if headed && (v.Headed.Patience != 20*time.Second || v.Headed.Display["DISPLAY"] != ":7") {
			t.Errorf("headed: %+v", v.Headed)
		}
	}
}

func newFetcher(b local.Browser) *local.Fetcher {
	return local.New(local.Config{Browser: b, Challenge: func() local.Challenge { return local.Challenge{} }})
}
