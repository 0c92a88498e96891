package local

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/internal/weburl"
	"pifetch/profile"
	"pifetch/profile/installed"
	"pifetch/test/need"
)

// madeUp is a small page of one kind that stands in place of a page, or that
// looks like one and is none.
type madeUp struct {
	name string
	path string // asked for; "/page" when empty
	from string // the path that redirects to it, when it is not asked for itself
	html string

	reason string   // how the failure begins; "" when the page is delivered
	facts  []string // of the document
	has    []string // in content.md
	lacks  []string // in content.md
}

// madeUpPages are all of them, by kind.
var madeUpPages = map[string][]madeUp{
	"consent":   consentPages,
	"wall":      wallPages,
	"paywall":   paywallPages,
	"shell":     shellPages,
	"not found": notFoundPages,
	"partial":   partialPages,
}

// prose is a text of about n words.
func prose(n int) string {
	words := strings.Fields(`The tide gauge on the north mole has kept its record since the summer of the great heat, and the keeper
		writes down what the float tells him at noon. When the wind goes round to the west the water stands a hand higher than
		the tables say, which nobody minds but the ferry, whose ramp was built for a calmer harbour than this one.`)
	var sb strings.Builder
	for i := range n {
		if i%len(words) == 0 {
			sb.WriteString("</p>\n<p>")
		}
		sb.WriteString(words[i%len(words)] + " ")
	}
	return strings.TrimPrefix(sb.String(), "</p>\n") + "</p>"
}

// story is a page with an article of about n words and the frame of a site
// around it; extra stands at the end of the body.
func story(n int, extra string) string {
	return framed("The gauge on the mole", `<div class="page"><h1>The gauge on the mole</h1>`+prose(n)+`</div>`+extra)
}

// framed is a page of a site with navigation and a footer.
func framed(title, body string) string {
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>` + title + ` | Harbour Gazette</title></head><body>
<header><a href="/">Harbour Gazette</a><nav><ul><li><a href="/shipping">Shipping</a></li><li><a href="/weather">Weather</a></li><li><a href="/letters">Letters</a></li></ul></nav></header>
` + body + `
<footer><p>Harbour Gazette, published since 1931.</p><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></footer></body></html>`
}

// bare is a page with nothing around its body.
func bare(title, body string) string {
	return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>` + title + `</title></head><body>` + body + `</body></html>`
}

const storyText = "The tide gauge on the north mole"

func (m madeUp) asked() string {
	switch {
	case m.from != "":
		return m.from
	case m.path != "":
		return m.path
	}
	return "/page"
}

func (m madeUp) check(t *testing.T, doc *fetchers.Document, err error) {
	t.Helper()
	switch {
	case err != nil && m.reason == "":
		t.Fatalf("failed: %v", err)
	case err != nil:
		if !strings.HasPrefix(err.Error(), m.reason) {
			t.Errorf("failed: %v\nwant %s", err, m.reason)
		}
		return
	}
	b, readErr := os.ReadFile(doc.Bodies[0].Path)
	if readErr != nil {
		t.Fatal(readErr)
	}
	if m.reason != "" {
		t.Fatalf("delivered with the facts %q, want the failure %q\n%s", doc.Facts, m.reason, b)
	}
	// What is said of their length is another matter: they are short on purpose.
	facts := slices.DeleteFunc(slices.Clone(doc.Facts), func(f string) bool { return strings.HasPrefix(f, "only ") || strings.HasPrefix(f, "extracted ") })
	if !slices.Equal(facts, m.facts) {
		t.Errorf("facts %q, want %q", facts, m.facts)
	}
	for _, want := range m.has {
		if !strings.Contains(doc.Title+"\n"+string(b), want) {
			t.Errorf("title and content.md lack %q:\n%s", want, b)
		}
	}
	for _, unwanted := range m.lacks {
		if strings.Contains(string(b), unwanted) {
			t.Errorf("content.md has %q:\n%s", unwanted, b)
		}
	}
}

// fetchMadeUp fetches the page through f.
func fetchMadeUp(t *testing.T, f *Fetcher, raw string) (*fetchers.Document, error) {
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
	return f.fetch(t.Context(), fetchers.Request{}, fetchers.Task{URL: asked, Folder: req.Folder(asked)}, quietSink{})
}

type quietSink struct{}

func (quietSink) Deliver(fetchers.Task, fetchers.Document) {}
func (quietSink) Fail(fetchers.Task, fetchers.Failure)     {}
func (quietSink) Stage(fetchers.Task, fetchers.Stage)      {}
func (quietSink) Warn(string)                              {}

// still answers with a page as it is, without a browser.
type still madeUp

func (s still) Visit(_ context.Context, v profile.Visit) (*profile.Page, error) {
	p := &profile.Page{URL: v.URL.String(), Status: http.StatusOK, MediaType: "text/html", HTML: []byte(s.html)}
	if s.from != "" {
		p.URL = v.URL.Scheme + "://" + v.URL.Host + s.path
	}
	_, rest, _ := strings.Cut(s.html, "<title>")
	p.Title, _, _ = strings.Cut(rest, "</title>")
	return p, nil
}

// TestMadeUpPages judges the pages as they are written down.
func TestMadeUpPages(t *testing.T) {
	for kind, pages := range madeUpPages {
		for _, m := range pages {
			t.Run(kind+"/"+m.name, func(t *testing.T) {
				f := New(Config{Browser: still(m), Challenge: func() Challenge { return Challenge{} }})
				doc, err := fetchMadeUp(t, f, "https://gazette.example"+m.asked())
				m.check(t, doc, err)
			})
		}
	}
}

// TestMadeUpPagesInChrome judges them as Chrome renders them.
func TestMadeUpPagesInChrome(t *testing.T) {
	_, err := installed.Find("")
	need.Have(t, "chrome", err)
	const guard = 3 * time.Minute
	dir := t.TempDir()
	b, err := profile.New(profile.Config{
		Launch:      func() profile.LaunchOptions { return profile.LaunchOptions{Dir: filepath.Join(dir, "profile")} },
		Interactive: filepath.Join(dir, "interactive.json"),
		Env:         os.Environ(),
		Start:       guard, TabOpen: guard, CloseGrace: guard, OrphanWait: guard, Navigation: guard,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	f := New(Config{Browser: b, Challenge: func() Challenge { return Challenge{} }})
	t.Run("pages", func(t *testing.T) {
		for kind, pages := range madeUpPages {
			for _, m := range pages {
				t.Run(kind+"/"+m.name, func(t *testing.T) {
					t.Parallel()
					mux := http.NewServeMux()
					at, _, _ := strings.Cut(m.asked(), "#")
					if m.from != "" {
						at = m.path
						mux.Handle(m.from, http.RedirectHandler(at, http.StatusFound))
					}
					mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
						if r.URL.RequestURI() != at {
							http.NotFound(w, r)
							return
						}
						w.Header().Set("Content-Type", "text/html; charset=utf-8")
						io.WriteString(w, m.html)
					})
					server := httptest.NewServer(mux)
					t.Cleanup(server.Close)
					doc, err := fetchMadeUp(t, f, server.URL+m.asked())
					m.check(t, doc, err)
				})
			}
		}
	})
}
