package profile

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
)

// TestTab drives one real Chrome through everything a tab meets.
func TestTab(t *testing.T) {
	t.Parallel()
	c := startChrome(t)
	t.Run("responses", func(t *testing.T) { testResponses(t, c) })
	t.Run("pages", func(t *testing.T) { testPages(t, c) })
	t.Run("frames of other sites", func(t *testing.T) { testOtherSites(t, c) })
	t.Run("hidden text", func(t *testing.T) { testHiddenText(t, c) })
	t.Run("limits", func(t *testing.T) { testLimits(t, c) })
	t.Run("downloads at once", func(t *testing.T) { testDownloadsAtOnce(t, c) })
	t.Run("download progress", func(t *testing.T) { testProgress(t, c) })
	t.Run("credentials", func(t *testing.T) { testCredentials(t, c) })
	t.Run("cancel", func(t *testing.T) { testCancel(t, c) })
	t.Run("crash", func(t *testing.T) { testCrash(t, c) })
	t.Run("popup", func(t *testing.T) { testPopup(t, c) })
	t.Run("after a question", func(t *testing.T) { testAfterQuestion(t, c) })
	t.Run("one URL at once", func(t *testing.T) { testOneURL(t, c) })
	t.Run("accept", func(t *testing.T) { testAccept(t, c) })
	t.Run("alternates", func(t *testing.T) { testAlternates(t, c) })
	t.Run("suspects", func(t *testing.T) { testSuspects(t, c) })
	t.Run("side by side", func(t *testing.T) { testSideBySide(t, c) })
}

// fetched is the outcome of a visit in one value.
type fetched struct {
	page *Page
	err  error
	body []byte // of the file
}

func fetch(t *testing.T, tb *tab, u string) fetched {
	t.Helper()
	parsed, err := url.Parse(u)
	if err != nil {
		return fetched{err: err}
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), guard, errors.New("the visit hangs"))
	defer cancel()
	part := filepath.Join(t.TempDir(), ".part-1")
	page, err := tb.visit(ctx, Visit{URL: parsed, PartFile: func() (string, error) { return part, nil }})
	f := fetched{page: page, err: err}
	if page != nil && page.File != "" {
		if f.body, err = os.ReadFile(page.File); err != nil {
			t.Error(err)
		}
		if int64(len(f.body)) != page.FileBytes {
			t.Errorf("FileBytes = %d, the file has %d", page.FileBytes, len(f.body))
		}
	}
	return f
}

// kind is the kind of failure, or "" for none.
func (f fetched) kind() Kind {
	var failed *VisitError
	if errors.As(f.err, &failed) {
		return failed.Kind
	}
	if f.err != nil {
		return Kind("untyped: " + f.err.Error())
	}
	return ""
}

// long is enough text for a page not to be thin.
var long = "<p>" + strings.Repeat("The tide gauge at the north mole drew its curve with a pen. ", 8) + "</p>"

func respond(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		io.WriteString(w, body)
	}
}

func withHeader(name, value string, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(name, value)
		h(w, r)
	}
}

func status(code int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// cut ends the connection after some of an answer.
func cut(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, buf, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		buf.WriteString(answer)
		buf.Flush()
		conn.Close()
	}
}

func gzipped(body string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, body)
	w.Close()
	return b.String()
}

var (
	pdf = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
	png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
)

func testLimits(t *testing.T, c *chrome) {
	mux := http.NewServeMux()
	endless := func(w http.ResponseWriter, r *http.Request) {
		chunk := []byte(strings.Repeat("<!-- 0123456789abcdef 0123456789abcdef 0123456789abcdef -->\n", 1000))
		for r.Context().Err() == nil {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}
	mux.HandleFunc("/endless.csv", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		endless(w, r)
	})
	mux.HandleFunc("/endless.html", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		endless(w, r)
	})
	mux.HandleFunc("/declared", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Length", fmt.Sprint(150<<20))
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
	})
	mux.HandleFunc("/bomb", withHeader("Content-Encoding", "gzip", respond("text/plain", gzipped(strings.Repeat("0", 20<<20)))))
	mux.HandleFunc("/large.html", respond("text/html", "<p>large"+strings.Repeat("x", 3<<20)))
	mux.HandleFunc("/large-chunked.html", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<p>large")
		w.(http.Flusher).Flush()
		io.WriteString(w, strings.Repeat("x", 3<<20))
	})
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/stalls", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		io.WriteString(w, "a;b\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/ok", respond("text/html", long))
	server := httptest.NewServer(mux)
	defer server.Close()
	mute(server)

	tests := []struct {
		path, reason string
		kind         Kind
		file         int
		change       func(o *tabOptions)
	}{
		{path: "/endless.csv", kind: KindTooLarge, reason: "too large: over the 10 MB cap"},
		{path: "/endless.html", kind: KindTooLarge, reason: "too large: over the 10 MB cap"},
		{path: "/declared", kind: KindTooLarge, reason: "too large: 150 MB, over the 10 MB cap"},
		{path: "/bomb", kind: KindTooLarge, reason: "too large: over the 10 MB cap"},
		{path: "/large.html", file: 3<<20 + 8},
		{path: "/large-chunked.html", file: 3<<20 + 8},
		{path: "/silent", kind: KindTimeout, reason: "page load timed out after 2s", change: func(o *tabOptions) { o.Navigation = 2 * time.Second }},
		{path: "/stalls", kind: KindTimeout, reason: "download stalled: no byte for 1s", change: func(o *tabOptions) { o.Stall = time.Second }},
	}
	got, next := make([]fetched, len(tests)), make([]fetched, len(tests))
	var wg sync.WaitGroup
	for i, test := range tests {
		tb := tabOf(t, c, func(o *tabOptions) {
			o.MaxBytes, o.MaxHTML = 10<<20, 2<<20
			if test.change != nil {
				test.change(o)
			}
		})
		wg.Go(func() {
			got[i] = fetch(t, tb, server.URL+test.path)
			tb.opts.Navigation = guard
			next[i] = fetch(t, tb, server.URL+"/ok")
		})
	}
	wg.Wait()
	for i, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			got := got[i]
			if got.kind() != test.kind || test.kind != "" && !strings.HasPrefix(got.err.Error(), test.reason) {
				t.Fatalf("error = %s: %v, want %s: %s", got.kind(), got.err, test.kind, test.reason)
			}
			if len(got.body) != test.file {
				t.Errorf("file of %d bytes, want %d", len(got.body), test.file)
			}
			if next[i].err != nil {
				t.Errorf("the visit after it: %v", next[i].err)
			}
		})
	}
	waitEmpty(t, c.tabs.downloads.dir)
}

// waitEmpty waits until cancelled downloads have left a folder.
func waitEmpty(t *testing.T, dir string) {
	t.Helper()
	for end := time.Now().Add(guard); ; time.Sleep(10 * time.Millisecond) {
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s still holds %v", dir, left)
		}
	}
}

func testDownloadsAtOnce(t *testing.T, c *chrome) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		for range 20 {
			io.WriteString(w, r.URL.Path+strings.Repeat(".", 5000))
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	}))
	defer server.Close()
	var wg sync.WaitGroup
	for i := range 6 {
		tb := tabOf(t, c, nil)
		wg.Go(func() {
			for round := range 4 {
				path := fmt.Sprintf("/%d-%d", i, round)
				got := fetch(t, tb, server.URL+path)
				if want := strings.Repeat(path+strings.Repeat(".", 5000), 20); got.err != nil || string(got.body) != want {
					t.Errorf("%s: %v, %d bytes, want %d of its own", path, got.err, len(got.body), len(want))
				}
			}
		})
	}
	wg.Wait()
	waitEmpty(t, c.tabs.downloads.dir)
}

// testProgress shows that a download, however its bytes come, is reported at a
// bounded rate.
func testProgress(t *testing.T, c *chrome) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		for range 100 {
			io.WriteString(w, strings.Repeat("a;b\n", 10000))
			w.(http.Flusher).Flush()
			time.Sleep(10 * time.Millisecond)
		}
	}))
	defer server.Close()
	u, _ := url.Parse(server.URL)
	var times []time.Time
	_, err := tabOf(t, c, nil).visit(t.Context(), Visit{
		URL:      u,
		PartFile: func() (string, error) { return filepath.Join(t.TempDir(), "part"), nil },
		Stage: func(p Progress) {
			if p.Stage == "downloading" {
				times = append(times, time.Now())
			}
		},
	})
	if err != nil || len(times) == 0 {
		t.Fatalf("%d reports, %v", len(times), err)
	}
	took := times[len(times)-1].Sub(times[0])
	if most := 2 + int(took/reportEvery); len(times) > most {
		t.Errorf("%d reports in %v, want %d at the most", len(times), took, most)
	}
}

func testCredentials(t *testing.T, c *chrome) {
	var stranger atomic.Value
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stranger.Store("authorization " + r.Header.Get("Authorization"))
		respond("text/html", "other"+long)(w, r)
	}))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, password, _ := r.BasicAuth(); name != "keeper" || password != "l4mp oil" {
			w.Header().Set("WWW-Authenticate", `Basic realm="v"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		switch r.URL.Path {
		case "/away":
			redirectTo(other.URL)(w, r)
		case "/inside":
			redirectTo("/vault")(w, r)
		default:
			respond("text/html", "the vault is open"+long)(w, r)
		}
	}))
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	tb := tabOf(t, c, nil)
	for _, test := range []struct {
		name, url, want string
		kind            Kind
	}{
		{name: "right", url: "http://keeper:l4mp%20oil@" + address + "/vault", want: "the vault is open"},
		{name: "right, redirected", url: "http://keeper:l4mp%20oil@" + address + "/inside", want: "the vault is open"},
		{name: "none, after the right ones", url: "http://" + address + "/vault", kind: KindAuth, want: "login needed (401 Unauthorized)"},
		{name: "wrong", url: "http://keeper:x@" + address + "/vault", kind: KindAuth, want: "login refused (401 Unauthorized)"},
		{name: "redirected away", url: "http://keeper:l4mp%20oil@" + address + "/away", want: "other"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := fetch(t, tb, test.url)
			if got.kind() != test.kind {
				t.Fatalf("error = %v, want kind %q", got.err, test.kind)
			}
			text := fmt.Sprint(got.err)
			if got.err == nil {
				text = string(got.page.HTML)
				if all := fmt.Sprint(got.page.URL, got.page.Hops, got.page.Header); strings.Contains(all, "l4mp") {
					t.Errorf("the password is in %s", all)
				}
			}
			if !strings.Contains(text, test.want) {
				t.Errorf("got %q, want %q in it", text, test.want)
			}
		})
	}
	if got := stranger.Load(); got != "authorization " {
		t.Errorf("another origin got %q", got)
	}
}

func testCancel(t *testing.T, c *chrome) {
	arrived, ended := make(chan struct{}, 2), make(chan struct{}, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		default:
			respond("text/html", long)(w, r)
			return
		case "/silent":
		case "/download":
			w.Header().Set("Content-Type", "text/csv")
			io.WriteString(w, "a;b\n")
			w.(http.Flusher).Flush()
		}
		arrived <- struct{}{}
		<-r.Context().Done()
		ended <- struct{}{}
	}))
	defer server.Close()
	tb := tabOf(t, c, nil)
	errHungUp := errors.New("client hung up")
	for _, path := range []string{"/silent", "/download"} {
		t.Run(path, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			if path == "/silent" {
				go func() {
					<-arrived
					cancel(errHungUp)
				}()
			}
			// Earlier, Chrome would go on reading the body for 5 s, in vain.
			running := func(p Progress) {
				if p.Stage == "downloading" {
					cancel(errHungUp)
				}
			}
			u, _ := url.Parse(server.URL + path)
			if _, err := tb.visit(ctx, Visit{URL: u, Stage: running, PartFile: func() (string, error) { return "", errors.New("called") }}); !errors.Is(err, errHungUp) {
				t.Fatalf("error = %v, want %v", err, errHungUp)
			}
			select {
			case <-ended:
			case <-time.After(guard):
				t.Fatal("the server's request goes on")
			}
			if got := fetch(t, tb, server.URL+"/ok"); got.err != nil {
				t.Errorf("the visit after it: %v", got.err)
			}
		})
	}
	waitEmpty(t, c.tabs.downloads.dir)
}

func testCrash(t *testing.T, c *chrome) {
	arrived := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/fetch" {
			arrived <- struct{}{}
			<-r.Context().Done()
			return
		}
		respond("text/html", "<script>fetch('/fetch')</script>")(w, r)
	}))
	defer server.Close()
	tb := tabOf(t, c, nil)
	go func() {
		<-arrived
		_ = tb.quick("Page.crash", nil)
	}()
	got := fetch(t, tb, server.URL)
	if !errors.Is(got.err, errTabLost) || got.kind() != KindCrashed || got.err.Error() != "the page crashed the browser tab" {
		t.Errorf("error = %s: %v", got.kind(), got.err)
	}
	if tb.ctx.Err() == nil {
		t.Error("the tab's context goes on")
	}
	if again := fetch(t, tb, server.URL); !errors.Is(again.err, errTabLost) {
		t.Errorf("visit in a lost tab: %v", again.err)
	}
	for end := time.Now().Add(guard); ; time.Sleep(time.Millisecond) {
		c.conn.mu.Lock()
		left := len(c.conn.handlers[tb.session])
		c.conn.mu.Unlock()
		if left == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d handlers of the lost tab are left", left)
		}
	}
}

func testPopup(t *testing.T, c *chrome) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		respond("text/html", long+`<script>if (location.pathname == '/') window.open('/popup')</script>`)(w, r)
	}))
	defer server.Close()
	tb := tabOf(t, c, nil)
	if got := fetch(t, tb, server.URL+"/"); got.err != nil || got.page.URL != server.URL+"/" {
		t.Errorf("%+v, %v", got.page, got.err)
	}
	<-tb.parked
	defer func() { tb.parked <- struct{}{} }()
	// With a user's gesture the popup blocker lets it pass.
	before := pagesOf(t, c)
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()
	opened := make(chan struct{})
	var once sync.Once
	closed := make(chan struct{})
	var popup proto.TargetTargetID
	defer c.conn.handle(browserSession, func(e *cdp.Event) {
		switch e.Method {
		case "Target.targetCreated":
			var created proto.TargetTargetCreated
			if json.Unmarshal(e.Params, &created) == nil && created.TargetInfo.OpenerID == tb.target {
				popup = created.TargetInfo.TargetID
				once.Do(func() { close(opened) })
			}
		case "Target.targetDestroyed":
			var destroyed proto.TargetTargetDestroyed
			if json.Unmarshal(e.Params, &destroyed) == nil && destroyed.TargetID == popup && popup != "" {
				close(closed)
			}
		}
	})()
	if err := tb.call(ctx, "Runtime.evaluate", map[string]any{"expression": "void window.open('about:blank')", "userGesture": true}, nil); err != nil {
		t.Fatal(err)
	}
	for _, step := range []chan struct{}{opened, closed} {
		select {
		case <-step:
		case <-ctx.Done():
			t.Fatal("the popup was not opened and closed")
		}
	}
	if after := pagesOf(t, c); after != before {
		t.Errorf("%d pages before, %d after", before, after)
	}
}

// testAfterQuestion shows that a page that asks for a password leaves nothing
// behind that gets into the next visit.
func testAfterQuestion(t *testing.T, c *chrome) {
	mux := http.NewServeMux()
	mux.HandleFunc("/vault", withHeader("WWW-Authenticate", `Basic realm="x"`, status(401, "text/html", "<h1>401</h1>")))
	mux.HandleFunc("/", respond("text/html", long))
	server := httptest.NewServer(mux)
	defer server.Close()
	tb := tabOf(t, c, nil)
	for range 8 {
		if got := fetch(t, tb, server.URL+"/vault"); got.kind() != KindAuth {
			t.Fatalf("the question: %+v, %v", got.page, got.err)
		}
		if got := fetch(t, tb, server.URL+"/"); got.err != nil {
			t.Fatalf("the next visit: %v", got.err)
		}
	}
}

// testOneURL shows that two tabs open one URL side by side, and that what the
// page is made of is cached all the same.
func testOneURL(t *testing.T, c *chrome) {
	both := make(chan struct{})
	var documents, styles atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=3600")
		switch r.URL.Path {
		case "/style.css":
			styles.Add(1)
			respond("text/css", "p { color: black }")(w, r)
		case "/":
			if documents.Add(1) == 2 {
				close(both)
			}
			select {
			case <-both:
			case <-r.Context().Done():
				return
			}
			respond("text/html", `<link rel="stylesheet" href="/style.css"><p>`+long+`</p>`)(w, r)
		}
	}))
	defer server.Close()
	tabs := []*tab{tabOf(t, c, nil), tabOf(t, c, nil)}
	for _, got := range fetchAll(t, tabs, []string{server.URL + "/", server.URL + "/"}) {
		if got.err != nil {
			t.Error(got.err)
		}
	}
	before := styles.Load()
	if got := fetch(t, tabs[0], server.URL+"/"); got.err != nil || documents.Load() != 3 {
		t.Errorf("again: %v, %d requests of the document, want 3", got.err, documents.Load())
	}
	if n := styles.Load() - before; n != 0 {
		t.Errorf("%d requests of a style sheet that is in the cache", n)
	}
}

// testSuspects shows that a page standing in place of the one wanted gets its
// time to lead there, and no page more than that.
func testSuspects(t *testing.T, c *chrome) {
	// Checks take their proof from a frame of their own as well, which must be
	// left running.
	const gate = `<title>Gate</title><p>One moment</p><iframe src="/frame"></iframe>`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := r.Cookie("passed")
		switch {
		case r.URL.Path == "/frame":
			respond("text/html", `<p>Proving</p><script>
				if (parent.document.title == 'Gate' && parent.location.pathname == '/opens') {
					setTimeout(() => { parent.document.cookie = 'passed=1; path=/'; parent.location.reload() }, 2500)
				}</script>`)(w, r)
		case r.URL.Path == "/replaced":
			respond("text/html", `<title>Gate</title><p>One moment<script>
				setTimeout(() => { document.title = 'Wanted'; document.querySelector('p').textContent = 'Here it is' }, 1800)</script>`)(w, r)
		case r.URL.Path == "/plain" || err == nil:
			respond("text/html", `<title>Wanted</title><p>`+long+`</p>`)(w, r)
		default:
			status(http.StatusServiceUnavailable, "text/html", gate)(w, r)
		}
	}))
	defer server.Close()
	tb := tabOf(t, c, nil)
	visit := func(path string, patience time.Duration) *Page {
		t.Helper()
		u, err := url.Parse(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), guard)
		defer cancel()
		page, err := tb.visit(ctx, Visit{
			URL: u, Patience: patience,
			Suspect: func(p *Page) bool { return strings.Contains(string(p.HTML), "One moment") },
		})
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	if p := visit("/stays", time.Second); p.Title != "Gate" || p.Status != http.StatusServiceUnavailable {
		t.Errorf("a gate that stays: %q, %d, want the gate with 503", p.Title, p.Status)
	}
	if p := visit("/replaced", 6*time.Second); p.Title != "Wanted" || !strings.Contains(string(p.HTML), "Here it is") {
		t.Errorf("a gate that is replaced in place: %q, want the page", p.Title)
	}
	if p := visit("/opens", guard); p.Title != "Wanted" || p.Status != http.StatusOK || p.URL != server.URL+"/opens" {
		t.Errorf("a gate that opens: %q, %d, %s, want the page behind it", p.Title, p.Status, p.URL)
	}
	if p := visit("/plain", guard); p.Title != "Wanted" {
		t.Errorf("no gate: %q", p.Title)
	}
}

// testSideBySide shows that tabs behind others draw and see as the one in front,
// and go on with it.
func testSideBySide(t *testing.T, c *chrome) {
	server := httptest.NewServer(respond("text/html", `<div id=r></div><script>
		const later = n => requestAnimationFrame(() => n ? later(n - 1) : r.innerHTML = document.visibilityState + document.hasFocus() + `+"`"+long+"`"+`); later(60)</script>`))
	defer server.Close()
	var wg sync.WaitGroup
	for range 4 {
		tb := tabOf(t, c, nil)
		wg.Go(func() {
			got := fetch(t, tb, server.URL)
			if got.err != nil || !strings.Contains(string(got.page.HTML), "visibletrue<p>") {
				t.Errorf("%v, %+v", got.err, got.page)
			}
		})
	}
	wg.Wait()
}
