package profile

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// asks remembers the Accept headers by path.
type asks struct {
	mu   sync.Mutex
	sent map[string][]string
}

func (a *asks) note(r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sent == nil {
		a.sent = map[string][]string{}
	}
	a.sent[r.URL.Path] = append(a.sent[r.URL.Path], r.Header.Get("Accept"))
}

func (a *asks) of(path string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return strings.Join(a.sent[path], " | ")
}

const markdownFirst = "text/markdown,text/html;q=0.9,*/*;q=0.7"

// testAccept shows who is asked with the Accept header of a visit.
func testAccept(t *testing.T, c *chrome) {
	var seen asks
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.note(r)
		wanted := strings.HasPrefix(r.Header.Get("Accept"), "text/markdown")
		switch {
		case r.URL.Path == "/page":
			respond("text/html", `<iframe src="/frame"></iframe><script src="/script.js"></script>`+long)(w, r)
		case r.URL.Path == "/moved":
			redirectTo("/moved/here")(w, r)
		case wanted && (r.URL.Path == "/negotiated" || r.URL.Path == "/moved/here"):
			respond("text/markdown; charset=utf-8", "# Markdown\n")(w, r)
		case wanted && r.URL.Path == "/406":
			status(http.StatusNotAcceptable, "text/plain", "no")(w, r)
		case wanted && r.URL.Path == "/no-twin":
			status(http.StatusNotFound, "text/markdown", "# Not found")(w, r)
		case wanted && r.URL.Path == "/varies":
			withHeader("Vary", "Cookie, accept", status(http.StatusNotFound, "text/html", "nothing"))(w, r)
		case wanted && r.URL.Path == "/forbidden":
			withHeader("Vary", "Accept", status(http.StatusForbidden, "text/html", "no"))(w, r)
		case r.URL.Path == "/gone":
			status(http.StatusNotFound, "text/html", "nothing")(w, r)
		default:
			respond("text/html", "<title>HTML</title>"+long)(w, r)
		}
	}))
	defer server.Close()
	tb := tabOf(t, c, nil)
	for path, want := range map[string]struct {
		status int
		media  string
		asked  int
	}{
		"/page":       {200, "text/html", 1},
		"/negotiated": {200, "text/markdown", 1},
		"/moved":      {200, "text/markdown", 1},
		"/406":        {200, "text/html", 2},
		"/no-twin":    {200, "text/html", 2},
		"/varies":     {200, "text/html", 2},
		"/forbidden":  {403, "text/html", 1},
		"/gone":       {404, "text/html", 1},
	} {
		t.Run(path[1:], func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), guard)
			defer cancel()
			u, _ := url.Parse(server.URL + path)
			part := filepath.Join(t.TempDir(), ".part-1")
			p, err := tb.visit(ctx, Visit{URL: u, Accept: markdownFirst, PartFile: func() (string, error) { return part, nil }})
			if err != nil {
				t.Fatal(err)
			}
			if p.Status != want.status || p.MediaType != want.media {
				t.Errorf("answer = %d %s, want %d %s", p.Status, p.MediaType, want.status, want.media)
			}
			asked := strings.Split(seen.of(path), " | ")
			if len(asked) != want.asked || asked[0] != markdownFirst {
				t.Errorf("asked with %q, want %d times, first with the visit's header", asked, want.asked)
			}
			if want.asked == 2 && !strings.HasPrefix(asked[1], "text/html,") {
				t.Errorf("asked again with %q, want Chrome's own", asked[1])
			}
		})
	}
	for _, path := range []string{"/frame", "/script.js"} {
		if got := seen.of(path); got == "" || strings.Contains(got, "markdown") {
			t.Errorf("%s was asked for with %q, want what Chrome sends", path, got)
		}
	}
	fetch(t, tb, server.URL+"/plain")
	if got := seen.of("/plain"); !strings.HasPrefix(got, "text/html,") {
		t.Errorf("a visit without a header asked with %q", got)
	}
}

// testAlternates shows which other forms of a page are taken, and that the
// page itself is never lost to them.
func testAlternates(t *testing.T, c *chrome) {
	mux := http.NewServeMux()
	var seen asks
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.note(r)
		mux.ServeHTTP(w, r)
	}))
	defer server.Close()
	mute(server)
	var elsewhere asks
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		elsewhere.note(r)
		respond("text/markdown", "# Elsewhere\n")(w, r)
	}))
	defer other.Close()

	const twin = "# Twin\n\nna\u00efve\n"
	page := "<title>Page</title>" + long
	mux.HandleFunc("/page", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "7", SameSite: http.SameSiteStrictMode})
		respond("text/html", page)(w, r)
	})
	mux.HandleFunc("/busy", respond("text/html", page+`<script>onload = () => setInterval(() => fetch('/beat'), 20)</script>`))
	mux.HandleFunc("/gate", status(403, "text/html", page))
	mux.HandleFunc("/twin.md", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("session"); err != nil || c.Value != "7" {
			status(http.StatusUnauthorized, "text/plain", "who are you")(w, r)
			return
		}
		respond("text/markdown", twin)(w, r)
	})
	mux.HandleFunc("/plain", respond("text/plain", twin))
	mux.HandleFunc("/moved.md", redirectTo("/plain"))
	mux.HandleFunc("/away.md", redirectTo(other.URL+"/x.md"))
	mux.HandleFunc("/html.md", respond("text/html", page))
	mux.HandleFunc("/untyped.md", respond("", twin))
	mux.HandleFunc("/attached.md", withHeader("Content-Disposition", "attachment", respond("text/markdown", twin)))
	mux.HandleFunc("/500.md", status(500, "text/markdown", twin))
	mux.HandleFunc("/404.md", status(404, "text/html", page))
	mux.HandleFunc("/huge.md", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/markdown")
		io.Copy(w, io.LimitReader(strings.NewReader(strings.Repeat(long, 4000)), 1<<20))
	})
	mux.HandleFunc("/cut.md", cut("HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\nContent-Length: 100\r\n\r\n# Tw"))
	stop := make(chan struct{})
	defer close(stop)
	silent := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	}
	mux.HandleFunc("/silent.md", silent)
	mux.HandleFunc("/stuck.md", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/markdown")
		io.WriteString(w, "# Tw")
		w.(http.Flusher).Flush()
		silent(w, r)
	})

	patient := tabOf(t, c, func(o *tabOptions) { o.Alternate, o.MaxHTML = guard, 512<<10 })
	hurried := tabOf(t, c, func(o *tabOptions) { o.Alternate = 500 * time.Millisecond })
	for i, test := range []struct {
		name, page string
		tab        *tab
		alternates []string
		took       string // path of the one that was taken
	}{
		{"none", "/page", patient, nil, ""},
		{"markdown", "/page", patient, []string{"/twin.md"}, "/twin.md"},
		{"plain text", "/page", patient, []string{"/plain"}, "/plain"},
		{"redirect", "/page", patient, []string{"/moved.md"}, "/plain"},
		{"second", "/page", patient, []string{"/404.md", "/twin.md"}, "/twin.md"},
		{"busy page", "/busy", patient, []string{"/plain"}, "/plain"},
		{"suspect page", "/gate", patient, []string{"/plain"}, ""},
		{"other origin", "/page", patient, []string{other.URL + "/x.md"}, ""},
		{"redirect to another origin", "/page", patient, []string{"/away.md"}, ""},
		{"html", "/page", patient, []string{"/html.md"}, ""},
		{"no type", "/page", patient, []string{"/untyped.md"}, ""},
		{"attachment", "/page", patient, []string{"/attached.md"}, ""},
		{"error", "/page", patient, []string{"/500.md"}, ""},
		{"missing", "/page", patient, []string{"/404.md"}, ""},
		{"too large", "/page", patient, []string{"/huge.md"}, ""},
		{"cut short", "/page", patient, []string{"/cut.md"}, ""},
		{"silent", "/page", hurried, []string{"/silent.md", "/twin.md"}, ""},
		{"stuck", "/page", hurried, []string{"/stuck.md"}, ""},
		{"after those", "/page", hurried, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), guard)
			defer cancel()
			u, _ := url.Parse(server.URL + test.page)
			dir := t.TempDir()
			var stages []string
			p, err := test.tab.visit(ctx, Visit{
				URL: u, Accept: markdownFirst,
				PartFile: func() (string, error) { return filepath.Join(dir, fmt.Sprintf(".part-%d", i)), nil },
				Suspect:  func(p *Page) bool { return p.Status == http.StatusForbidden },
				Stage:    func(p Progress) { stages = append(stages, p.Stage) },
				Alternates: func(p *Page) (all []*url.URL) {
					if !strings.Contains(string(p.HTML), "north mole") {
						t.Errorf("asked about %q", p.HTML)
					}
					for _, a := range test.alternates {
						to, _ := u.Parse(a)
						all = append(all, to)
					}
					return all
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if p.Title != "Page" || p.URL != u.String() || p.File != "" || strings.Join(stages, " ") != "navigating settling" {
				t.Errorf("page = %q %s %s, stages %q", p.Title, p.URL, p.File, stages)
			}
			files, _ := os.ReadDir(dir)
			if test.took == "" {
				if p.Alternate != nil || len(files) > 0 {
					t.Errorf("took %+v, files %v", p.Alternate, files)
				}
				return
			}
			if p.Alternate == nil {
				t.Fatal("took nothing")
			}
			a := p.Alternate
			if b, err := os.ReadFile(a.File); a.URL != server.URL+test.took || err != nil || string(b) != twin || a.FileBytes != int64(len(twin)) {
				t.Errorf("took %+v with %q, %v", a, b, err)
			}
		})
	}
	if got := seen.of("/twin.md"); !strings.HasPrefix(got, markdownFirst) {
		t.Errorf("the twin was asked for with %q", got)
	}
	if got := elsewhere.of("/x.md"); got != "" {
		t.Errorf("the other origin was asked with %q", got)
	}
	waitEmpty(t, c.tabs.downloads.dir)
}
