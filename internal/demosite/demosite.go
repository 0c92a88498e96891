// Package demosite is a small web site on loopback that shows what pifetch does
// with each kind of answer: a page, a page that a script renders, files, and
// pages that are no content. It is linked into no program that is installed.
package demosite

import (
	"embed"
	"fmt"
	"net/http"
	"strings"
	"time"
)

//go:embed pages
var pages embed.FS

// Page is one page of the site and what a fetch of it must come to: files that
// hold what the page shows, or a failure.
type Page struct {
	Path string // on the site, with a leading slash

	Body  string   // name of the file the page becomes
	Bytes []byte   // the file's exact content, for what is stored as it is
	Holds []string // texts the file holds
	Lacks []string // texts the file must not hold

	Failed string // what the reason under "Failed:" says, for a page that is no content
}

// Pages lists the site, in the order in which the demo fetches it.
func Pages() []Page {
	return []Page{
		{
			Path: "/guide.html", Body: "content.md",
			Holds: []string{
				"## Starting a cycle",
				"```go",
				"func Water(z Zone, litres float64) error {",
				"| Tomatoes |",
				"/api.html",
			},
			Lacks: []string{"Sign up for the newsletter", "Related pages"},
		},
		{
			Path: "/live.html", Body: "content.md",
			Holds: []string{"Sensor north-2 reports 21.5 °C", "Rendered after the answer of /live.json"},
			Lacks: []string{"Waiting for the sensors"},
		},
		{Path: "/manual.pdf", Body: "manual.pdf", Bytes: manual()},
		{Path: "/zones.json", Body: "zones.json", Bytes: mustRead("pages/zones.json")},
		{Path: "/gone.html", Failed: "404"},
		{Path: "/account.html", Failed: "login needed"},
	}
}

// liveDelay is how long the answer takes that /live.html waits for: longer than
// a page that is only parsed would need.
const liveDelay = 300 * time.Millisecond

// Handler serves the site.
func Handler() http.Handler {
	mux := http.NewServeMux()
	page := func(pattern, file string) {
		content := mustRead(file)
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", contentType(file))
			w.Write(content)
		})
	}
	page("GET /{$}", "pages/guide.html")
	page("GET /guide.html", "pages/guide.html")
	page("GET /live.html", "pages/live.html")
	page("GET /zones.json", "pages/zones.json")
	page("GET /login", "pages/login.html")

	mux.HandleFunc("GET /live.json", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(liveDelay):
		case <-r.Context().Done():
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"sensor": "north-2", "celsius": 21.5}`)
	})
	mux.HandleFunc("GET /manual.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Write(manual())
	})
	mux.HandleFunc("GET /account.html", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/login?next=/account.html", http.StatusFound)
	})

	missing := mustRead("pages/404.html")
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType(".html"))
		w.WriteHeader(http.StatusNotFound)
		w.Write(missing)
	})
	return mux
}

func contentType(file string) string {
	if strings.HasSuffix(file, ".json") {
		return "application/json"
	}
	return "text/html; charset=utf-8"
}

func mustRead(file string) []byte {
	content, err := pages.ReadFile(file)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	return content
}
