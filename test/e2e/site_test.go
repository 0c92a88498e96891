package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// page is an article long enough to be one.
func page(title, text string) string {
	return fmt.Sprintf(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title></head>
<body><main><article><h1>%s</h1><p>%s</p><p>%s</p></article></main></body></html>`,
		title, title, text, strings.Repeat("The rest of the page is here to make it one. ", 12))
}

func serveHTML(w http.ResponseWriter, html string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, html)
}

// site serves an article under every path. Those below /held/ are held back
// until release lets them go; those below /waiting/ ask for one of these by
// script.
type site struct {
	*httptest.Server
	arrived chan string   // paths of requests that are held now
	ended   chan string   // paths of requests that the client gave up
	release chan struct{} // each value lets one request go; closed: all

	mu      sync.Mutex
	held    int // requests held now
	heldMax int // the most there were at the same time
}

func newSite(t *testing.T) *site {
	s := &site{arrived: make(chan string, 100), ended: make(chan string, 100), release: make(chan struct{})}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/favicon.ico" {
		http.NotFound(w, r)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/held/") {
		s.hold(+1)
		s.arrived <- r.URL.Path
		select {
		case <-s.release:
			s.hold(-1)
		case <-r.Context().Done():
			s.hold(-1)
			s.ended <- r.URL.Path
			return
		}
	}
	if rest, ok := strings.CutPrefix(r.URL.Path, "/waiting/"); ok {
		serveHTML(w, fmt.Sprintf(`<!doctype html><title>Waiting</title><p>Waiting<script>fetch("/held/%s")</script>`, rest))
		return
	}
	serveHTML(w, page("Page "+r.URL.Path, "This is what stands at "+r.URL.Path+"."))
}

func (s *site) hold(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held += n
	s.heldMax = max(s.heldMax, s.held)
}

func (s *site) most() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heldMax
}

// urls makes n URLs below prefix.
func (s *site) urls(prefix string, n int) []string {
	urls := make([]string, n)
	for i := range urls {
		urls[i] = fmt.Sprintf("%s%s%d", s.URL, prefix, i+1)
	}
	return urls
}
