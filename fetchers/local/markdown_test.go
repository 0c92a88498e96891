package local_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/local"
	"pifetch/profile"
	"pifetch/profile/installed"
	"pifetch/test/need"
)

// source is the markdown of article as its site has it.
const source = `---
title: Slack water, the source
---
# Slack water

Slack water is the short time in which the [tidal stream](/stream) stands still before it turns, and pilots wait for it.

## When

Twice a day, more or less, and never when it would suit the timetable of the harbour.
`

// delivered is what becomes of it.
var delivered = strings.Replace(source[strings.Index(source, "# Slack"):], "(/stream)", "(https://a.example/stream)", 1)

// essay is markdown that is long enough to be believed.
var essay = source + strings.Repeat("\nIn the narrows it lasts for less than a minute, in the open for half an hour.\n", 30)

// server answers visits as a site that negotiates does.
type server struct {
	markdown, html answer            // by whether the visit prefers markdown
	beside         map[string]string // markdown at other paths

	visits []profile.Visit
	asked  []string // for alternates
}

func (s *server) Visit(ctx context.Context, v profile.Visit) (*profile.Page, error) {
	s.visits = append(s.visits, v)
	a := s.html
	if v.Accept != "" && (s.markdown.file != "" || s.markdown.empty) {
		a = s.markdown
	}
	page, err := browser{v.URL.Path: a}.Visit(ctx, v)
	if err != nil || v.Alternates == nil || page.HTML == nil {
		return page, err
	}
	for _, u := range v.Alternates(page) {
		s.asked = append(s.asked, u.Path)
		if text := s.beside[u.Path]; text != "" && page.Alternate == nil {
			twin := browser{u.Path: {file: text, page: profile.Page{Status: 200, MediaType: "text/plain", URL: u.String()}}}
			to := v
			to.URL = u
			if page.Alternate, err = twin.Visit(ctx, to); err != nil {
				return nil, err
			}
		}
	}
	return page, nil
}

func markdown(text string, change ...func(*profile.Page)) answer {
	a := answer{file: text, empty: text == "", page: profile.Page{Status: 200, MediaType: "text/markdown", Header: http.Header{"Content-Type": {"text/markdown"}}}}
	for _, c := range change {
		c(&a.page)
	}
	return a
}

func TestMarkdown(t *testing.T) {
	shown := answer{page: with(html(article), func(p *profile.Page) { p.Title = "Slack water" })}
	declares := answer{page: with(html(`<link rel=alternate type=text/markdown href="/docs/guide.md">`+article), func(p *profile.Page) { p.Title = "Slack water · Handbook"; p.StillLoading = true })}
	cut := answer{page: with(html(`<link rel=alternate type=text/markdown href="/docs/guide.md"><script type="application/ld+json">{"isAccessibleForFree":false,"wordCount":2000}</script>`+article), func(p *profile.Page) { p.Title = "Slack water · Handbook" })}
	signIn := answer{page: with(html(loginForm), login("https://a.example/login"))}
	for name, test := range map[string]struct {
		path    string // "/docs/guide" when empty
		site    server
		via     string
		title   string
		facts   string
		failure string
		content string   // of content.md, or of the file
		name    string   // of the only body; "content.md" when empty
		visits  string   // "m" for one that prefers markdown, "h" for one that does not
		asked   []string // alternates
	}{
		"negotiated":            {site: server{markdown: markdown(essay), html: shown}, via: "markdown", title: "Slack water, the source", visits: "m"},
		"fragment":              {path: "/docs/guide#slack-water", site: server{markdown: markdown(essay), html: shown}, via: "markdown", title: "Slack water, the source", facts: "anchor: content.md:1", visits: "m"},
		"title of the heading":  {site: server{markdown: markdown(strings.SplitN(essay, "---\n", 3)[2]), html: shown}, via: "markdown", title: "Slack water", visits: "m"},
		"title of the address":  {site: server{markdown: markdown(strings.Repeat("Nothing but words. ", 90)), html: shown}, via: "markdown", title: "a.example/docs/guide", visits: "m"},
		"old type":              {site: server{markdown: markdown(essay, func(p *profile.Page) { p.MediaType = "text/x-markdown" }), html: shown}, via: "markdown", title: "Slack water, the source", visits: "m"},
		"other charset":         {site: server{markdown: markdown("# Caf\xe9\n"+essay, func(p *profile.Page) { p.Header.Set("Content-Type", "text/markdown; charset=latin1") })}, via: "markdown", title: "Café", visits: "m"},
		"inline name":           {site: server{markdown: markdown(essay, func(p *profile.Page) { p.Disposition = `inline; filename="guide.md"` })}, via: "markdown", title: "Slack water, the source", visits: "m"},
		"redirect to a file":    {site: server{markdown: markdown(essay, func(p *profile.Page) { p.URL = "https://a.example/docs/guide.md" })}, via: "markdown", title: "Slack water, the source", visits: "m"},
		"no such page":          {site: server{markdown: markdown(essay, status(404))}, failure: "404 Not Found", visits: "m"},
		"challenge":             {site: server{markdown: markdown(essay, func(p *profile.Page) { p.Header.Set("Cf-Mitigated", "challenge") })}, failure: "challenge in place of the page (Cloudflare) — run: pifetchctl open-browser 'https://a.example/docs/guide'", visits: "m"},
		"short":                 {site: server{markdown: markdown(source), html: shown}, via: "markdown", title: "Slack water", content: delivered, visits: "mh"},
		"short, markdown only":  {site: server{markdown: markdown(source), html: markdown(source)}, via: "markdown", title: "Slack water, the source", content: delivered, visits: "mh"},
		"short, then gone":      {site: server{markdown: markdown(source), html: answer{err: errors.New("host not found")}}, failure: "host not found", visits: "mh"},
		"nothing in it":         {site: server{markdown: markdown("---\ntitle: x\n---\n"), html: markdown("---\ntitle: x\n---\n")}, failure: "no content extracted", visits: "mh"},
		"a login":               {site: server{markdown: markdown("# Sign in\n\nName, password\n"), html: signIn}, failure: "login needed (redirected to a.example/login) — run: pifetchctl open-browser 'https://a.example/docs/guide'", visits: "mh"},
		"a shell":               {site: server{markdown: markdown("Please enable JavaScript\n"), html: shown}, via: "rendered", title: "Slack water", visits: "mh"},
		"a long notice":         {site: server{markdown: markdown("[Home](/)\n\n# Page not found\n\nIt may have been moved.\n" + essay), html: answer{page: html(`<h1>Page not found</h1><p>The page you are looking for does not exist.`)}}, failure: "page not found: the server answered 200 OK, but the page says “Page not found”", visits: "mh"},
		"about a notice":        {site: server{markdown: markdown("# Access denied\n\n" + essay), html: markdown("# Access denied\n\n" + essay)}, via: "markdown", title: "Access denied", visits: "mh"},
		"front page":            {site: server{markdown: markdown(essay, func(p *profile.Page) { p.URL = "https://a.example/" })}, via: "markdown", title: "Slack water, the source", facts: "redirected to the site's front page", visits: "m"},
		"asked for by its name": {path: "/docs/guide.md", site: server{html: markdown(source)}, via: "rendered", title: "guide.md", facts: "text/markdown|375B", content: source, name: "guide.md", visits: "h"},
		"sent to be stored":     {site: server{markdown: markdown(essay, func(p *profile.Page) { p.Disposition = `attachment; filename="g.md"` })}, via: "rendered", title: "g.md", content: essay, name: "g.md", visits: "m"},
		"html by another name":  {site: server{markdown: markdown("<!doctype html><title>x</title>" + article)}, via: "rendered", title: "guide.md", name: "guide.md", visits: "m"},
		"too large":             {site: server{markdown: markdown(strings.Repeat(essay, 5000))}, via: "rendered", title: "guide.md", name: "guide.md", visits: "m"},

		"no sign":          {site: server{html: shown, beside: map[string]string{"/docs/guide.md": source}}, via: "rendered", title: "Slack water", visits: "m"},
		"declared":         {site: server{html: declares, beside: map[string]string{"/docs/guide.md": source}}, via: "markdown", title: "Slack water · Handbook", content: delivered, visits: "m", asked: []string{"/docs/guide.md"}},
		"declared, silent": {site: server{html: declares}, via: "rendered", title: "Slack water · Handbook", facts: "still loading", visits: "m", asked: []string{"/docs/guide.md"}},
		"declared, cut":    {site: server{html: cut, beside: map[string]string{"/docs/guide.md": source}}, via: "markdown", title: "Slack water · Handbook", facts: "paywall: about 40 of 2,000 words", content: delivered, visits: "m", asked: []string{"/docs/guide.md"}},
		"another document": {site: server{html: declares, beside: map[string]string{"/docs/guide.md": "# Ropes\n\nWe splice ours, and it has never let us down in eleven years.\n"}}, via: "rendered", title: "Slack water · Handbook", facts: "still loading", visits: "m", asked: []string{"/docs/guide.md"}},
		"html as text":     {site: server{html: declares, beside: map[string]string{"/docs/guide.md": article}}, via: "rendered", title: "Slack water · Handbook", facts: "still loading", visits: "m", asked: []string{"/docs/guide.md"}},
		"error page":       {site: server{html: answer{page: with(declares.page, status(500))}}, failure: "500 Internal Server Error", visits: "m"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.path == "" {
				test.path = "/docs/guide"
			}
			tk := task(t, "https://a.example"+test.path)
			var r recorder
			if err := newFetcher(&test.site).Fetch(t.Context(), fetchers.Request{}, []fetchers.Task{tk}, &r); err != nil {
				t.Fatal(err)
			}
			visits := ""
			for _, v := range test.site.visits {
				how := "h"
				if v.Accept != "" {
					how = "m"
				}
				if visits += how; (v.Alternates != nil) != (how == "m") {
					t.Error("alternates are asked for when markdown is preferred, and only then")
				}
			}
			if visits != test.visits || !slices.Equal(test.site.asked, test.asked) {
				t.Errorf("visits %s, alternates %q, want %s, %q", visits, test.site.asked, test.visits, test.asked)
			}
			if test.failure != "" {
				if r.failure == nil || r.failure.Reason != test.failure {
					t.Errorf("document %+v, failure %+v, want %q", r.doc, r.failure, test.failure)
				}
				return
			}
			if r.doc == nil {
				t.Fatal(r.failure)
			}
			kind, body := "local.page", "content.md"
			if test.name != "" {
				kind, body = "local.file", test.name
			}
			d := r.doc
			if d.Kind != kind || d.Via != test.via || d.Title != test.title || len(d.Bodies) != 1 || d.Bodies[0].Name != body {
				t.Fatalf("document = %+v", d)
			}
			if got := strings.Join(d.Facts, "|"); test.name == "" && got != test.facts {
				t.Errorf("facts = %q, want %q", got, test.facts)
			}
			b, err := os.ReadFile(d.Bodies[0].Path)
			if err != nil {
				t.Fatal(err)
			}
			if test.content != "" && string(b) != test.content {
				t.Errorf("%s = %q, want %q", body, b, test.content)
			}
			if d.Via == "markdown" && (strings.HasPrefix(string(b), "---") || d.Excerpt == "") {
				t.Errorf("excerpt %q, content %.80q: want no front matter", d.Excerpt, b)
			}
			if files, _ := filepath.Glob(filepath.Join(filepath.Dir(d.Bodies[0].Path), "*")); len(files) != 1 {
				t.Errorf("files = %q, want one", files)
			}
			if parts, _ := filepath.Glob(filepath.Join(filepath.Dir(d.Bodies[0].Path), ".*")); len(parts) > 0 {
				t.Errorf("left behind: %q", parts)
			}
		})
	}
}

func TestRawPrefersNothing(t *testing.T) {
	s := &server{markdown: markdown(essay), html: answer{page: html(article)}}
	raw, err := newFetcher(s).Raw(t.Context(), fetchers.Request{}, task(t, "https://a.example/docs/guide"), func(fetchers.Stage) {})
	if err != nil || raw.Body.Name != "page.html" || s.visits[0].Accept != "" || s.visits[0].Alternates != nil {
		t.Errorf("raw = %+v, %v after %+v", raw, err, s.visits)
	}
}

// A site with markdown of its pages, through Chrome.
func TestMarkdownInChrome(t *testing.T) {
	_, err := installed.Find("")
	need.Have(t, "chrome", err)
	var mu sync.Mutex
	var asked []string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		send := func(code int, mediaType, body string) {
			w.Header().Set("Content-Type", mediaType)
			w.WriteHeader(code)
			_, _ = w.Write([]byte(body))
		}
		head := `<!doctype html><title>Slack water</title>`
		switch p := r.URL.Path; {
		case p == "/negotiated" && strings.Contains(r.Header.Get("Accept"), "text/markdown"):
			send(200, "text/markdown; charset=utf-8", essay)
		case strings.HasPrefix(p, "/declared"):
			send(200, "text/html", head+`<link rel=alternate type=text/markdown href="/md`+p+`">`+article)
		case p == "/linked":
			send(200, "text/html", head+article+`<a href="/linked.md">Markdown</a>`)
		case p == "/md/declared", p == "/linked.md":
			send(200, "text/plain", source)
		case p == "/md/declared-other":
			send(200, "text/markdown", "# Ropes\n\nWe splice ours, and it has never let us down in eleven years.\n")
		case p == "/md/declared-html":
			send(200, "text/html", article)
		case p == "/README.md":
			send(200, "text/markdown", source)
		case p == "/negotiated", p == "/silent":
			send(200, "text/html", head+article)
		default:
			send(404, "text/html", "<h1>Not here</h1>")
		}
	}))
	defer site.Close()
	dir := t.TempDir()
	b, err := profile.New(profile.Config{
		Launch:      func() profile.LaunchOptions { return profile.LaunchOptions{Dir: filepath.Join(dir, "profile")} },
		Interactive: filepath.Join(dir, "interactive.json"),
		Env:         os.Environ(),
		Start:       5 * time.Minute, TabOpen: 5 * time.Minute, Navigation: 5 * time.Minute, Alternate: 5 * time.Minute, CloseGrace: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	f := newFetcher(b)
	for path, want := range map[string]struct{ kind, via, asked string }{
		"/negotiated":       {"local.page", "markdown", "/negotiated"},
		"/declared":         {"local.page", "markdown", "/declared /md/declared"},
		"/declared-other":   {"local.page", "rendered", "/declared-other /md/declared-other"},
		"/declared-missing": {"local.page", "rendered", "/declared-missing /md/declared-missing"},
		"/declared-html":    {"local.page", "rendered", "/declared-html /md/declared-html"},
		"/linked":           {"local.page", "markdown", "/linked /linked.md"},
		"/silent":           {"local.page", "rendered", "/silent"},
		"/README.md":        {"local.file", "rendered", "/README.md"},
	} {
		t.Run(path[1:], func(t *testing.T) {
			mu.Lock()
			asked = nil
			mu.Unlock()
			var r recorder
			if err := f.Fetch(t.Context(), fetchers.Request{}, []fetchers.Task{task(t, site.URL+path)}, &r); err != nil {
				t.Fatal(err)
			}
			if r.doc == nil {
				t.Fatal(r.failure.Reason)
			}
			if r.doc.Kind != want.kind || r.doc.Via != want.via || r.doc.Link != site.URL+path {
				t.Errorf("document = %+v", r.doc)
			}
			mu.Lock()
			defer mu.Unlock()
			asked = slices.DeleteFunc(asked, func(p string) bool { return p == "/favicon.ico" })
			if got := strings.Join(asked, " "); got != want.asked {
				t.Errorf("the site was asked for %s, want %s", got, want.asked)
			}
		})
	}
}

var _ local.Browser = (*server)(nil)
