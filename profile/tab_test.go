package profile

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
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

func testResponses(t *testing.T, c *chrome) {
	const latin1 = "na\xefve caf\xe9 \x00\x01\r\n"
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	mute(server)
	secure := httptest.NewTLSServer(mux)
	defer secure.Close()
	mute(secure)
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead.Close()

	tests := []struct {
		name   string
		serve  http.HandlerFunc // at /<index>
		path   string           // added to the URL
		url    string           // instead of the server's
		kind   Kind             // of the failure
		reason string           // part of it
		status int
		media  string
		html   string // part of it
		file   string // all of it
		final  string // path of the final URL
		hops   int
		check  func(t *testing.T, p *Page)
	}{
		{name: "html", serve: respond("text/html; charset=utf-8", "<title>T &amp; x</title>"+long), status: 200, media: "text/html", html: "north mole", check: func(t *testing.T, p *Page) {
			if p.Title != "T & x" || p.Thin || p.StillLoading || p.PasswordField {
				t.Errorf("page = %+v", p)
			}
		}},
		{name: "xhtml", serve: respond("application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title><script src="/none.js"/></head><body><p>after the script</p></body></html>`), status: 200, media: "application/xhtml+xml", html: "</script></head><body><p>after the script"},
		{name: "no type, html", serve: respond("", "<!doctype html><title>x</title>"+long), status: 200, media: "text/html", html: "north mole"},
		{name: "no type, text", serve: respond("", "plain text, "+latin1), status: 200, file: "plain text, " + latin1},
		{name: "no type, pdf", serve: respond("", pdf), status: 200, media: "application/pdf", file: pdf},
		{name: "no type, bytes", serve: respond("", "\x00\x01\x02\x03\xfe\xff"), status: 200, file: "\x00\x01\x02\x03\xfe\xff"},
		{name: "text", serve: respond("text/plain", latin1), status: 200, media: "text/plain", file: latin1},
		{name: "json", serve: respond("application/json", `{"a": [1,  2]}`), status: 200, media: "application/json", file: `{"a": [1,  2]}`},
		{name: "feed", serve: respond("application/rss+xml", "<rss><channel/></rss>"), status: 200, media: "application/rss+xml", file: "<rss><channel/></rss>"},
		{name: "xml", serve: respond("text/xml; charset=utf-8", "<a/>"), status: 200, media: "text/xml", file: "<a/>"},
		{name: "csv", serve: respond("text/csv", "a;b\n"), status: 200, media: "text/csv", file: "a;b\n"},
		{name: "pdf", serve: respond("application/pdf", pdf), status: 200, media: "application/pdf", file: pdf},
		{name: "png", serve: respond("image/png", png), status: 200, media: "image/png", file: png},
		{name: "svg", serve: respond("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>"), status: 200, media: "image/svg+xml", file: "<svg xmlns='http://www.w3.org/2000/svg'/>"},
		{name: "zip", serve: respond("application/zip", "PK\x05\x06"+strings.Repeat("\x00", 18)), status: 200, media: "application/zip", file: "PK\x05\x06" + strings.Repeat("\x00", 18)},
		{name: "program", serve: respond("application/x-msdownload", "MZ\x90\x00"), status: 200, media: "application/x-msdownload", file: "MZ\x90\x00"},
		{name: "empty file", serve: respond("text/csv", ""), status: 200, media: "text/csv", file: ""},
		{name: "html attachment", serve: withHeader("Content-Disposition", `attachment; filename="page.html"`, respond("text/html", "<p>kept")), status: 200, media: "text/html", file: "<p>kept", check: func(t *testing.T, p *Page) {
			if p.Disposition != `attachment; filename="page.html"` {
				t.Errorf("disposition = %q", p.Disposition)
			}
		}},
		{name: "html inline", serve: withHeader("Content-Disposition", `inline; filename="page.html"`, respond("text/html", "<p>shown"+long)), status: 200, media: "text/html", html: "shown"},
		{name: "gzip file", serve: withHeader("Content-Encoding", "gzip", respond("text/csv", gzipped("a;b\n1;2\n"))), status: 200, media: "text/csv", file: "a;b\n1;2\n"},
		{name: "file after redirects", serve: redirectTo("/csv"), status: 200, media: "text/csv", file: "a;b\n", final: "/csv", hops: 1},

		{name: "file with a fragment", serve: respond("text/csv", "a;b\n"), path: "#row=2", status: 200, media: "text/csv", file: "a;b\n", final: "#row=2"},
		{name: "redirects", serve: redirectTo("/r1#part"), status: 200, media: "text/html", html: "arrived", final: "/arrived#part", hops: 3},
		{name: "meta refresh", serve: respond("text/html", `<META HTTP-EQUIV=REFRESH CONTENT="0; URL=/arrived">`), status: 200, media: "text/html", html: "arrived", final: "/arrived", hops: 1},
		{name: "meta refresh later", serve: respond("text/html", `<meta http-equiv="refresh" content="1;url=/arrived">`+long), status: 200, media: "text/html", html: "arrived", final: "/arrived", hops: 1},
		{name: "refresh header", serve: withHeader("Refresh", "0;url=/arrived", respond("text/html", "wait")), status: 200, media: "text/html", html: "arrived", final: "/arrived", hops: 1},
		{name: "script redirect", serve: respond("text/html", `<script>location.replace('/arrived')</script>stub`), status: 200, media: "text/html", html: "arrived", final: "/arrived", hops: 1},
		{name: "script redirect later", serve: respond("text/html", `<script>setTimeout(() => location.href = '/slow', 200)</script>stub`), status: 200, media: "text/html", html: "slowly", final: "/slow", hops: 1},
		{name: "script redirect to a file", serve: respond("text/html", `<script>location.href = '/csv'</script>stub`), status: 200, media: "text/csv", file: "a;b\n", final: "/csv", hops: 1},
		{name: "script redirect to a dead port", serve: respond("text/html", `<script>location.href = 'http://`+dead.Addr().String()+`/'</script>stub`), kind: KindNetwork, reason: "connection refused"},
		{name: "script redirect to no content", serve: respond("text/html", `<script>onload = () => location.href = '/204'</script>`+long), status: 200, media: "text/html", html: "north mole"},
		{name: "script redirect to mail", serve: respond("text/html", `<script>onload = () => location.href = 'mailto:a@b'</script>`+long), status: 200, media: "text/html", html: "north mole"},
		{name: "redirect loop", serve: redirectTo("/loop"), kind: KindNetwork, reason: "too many redirects"},
		{name: "redirect to file", serve: redirectTo("file:///etc/hostname"), kind: KindScheme, reason: "redirected to file:///etc/hostname: http and https only"},
		{name: "redirect to data", serve: redirectTo("data:text/html,hello"), kind: KindScheme, reason: "redirected to data:"},
		{name: "redirect to chrome", serve: redirectTo("chrome://version/"), kind: KindScheme, reason: "redirected to chrome:"},
		{name: "script redirect to a blob", serve: respond("text/html", `<script>location.href = URL.createObjectURL(new Blob(['<p>b'], {type: 'text/html'}))</script>`), kind: KindScheme, reason: "blob:"},
		{name: "reload loop", serve: respond("text/html", `<script>setTimeout(() => location.reload(), 150)</script>`+long), status: 200, media: "text/html", html: "north mole"},

		{name: "204", serve: status(204, "", ""), kind: KindNoContent, reason: "204 No Content: nothing to fetch"},
		{name: "205", serve: status(205, "", ""), kind: KindNoContent, reason: "205 Reset Content: nothing to fetch"},
		{name: "empty html", serve: respond("text/html", ""), kind: KindNoContent, reason: "200 OK with an empty body"},
		{name: "404 with body", serve: status(404, "text/html", long), status: 404, media: "text/html", html: "north mole"},
		{name: "404 without body", serve: status(404, "", ""), status: 404},
		{name: "500 json", serve: status(500, "application/problem+json", `{}`), status: 500, media: "application/problem+json"},
		{name: "503 text", serve: status(503, "text/plain", `down`), status: 503, media: "text/plain"},
		{name: "404 attachment", serve: withHeader("Content-Disposition", "attachment", status(404, "application/zip", `x`)), status: 404, media: "application/zip"},
		{name: "401", serve: withHeader("WWW-Authenticate", `Basic realm="x"`, status(401, "text/html", "<h1>401</h1>")), kind: KindAuth, reason: "login needed (401 Unauthorized)"},
		{name: "401 without a question", serve: status(401, "text/html", "<h1>401</h1>"), status: 401, media: "text/html", html: "401"},

		{name: "dead port", url: "http://" + dead.Addr().String() + "/", kind: KindNetwork, reason: "connection refused by " + dead.Addr().String()},
		{name: "unknown host", url: "http://nowhere.invalid/", kind: KindNetwork, reason: "host not found: nowhere.invalid"},
		{name: "forbidden port", url: "http://127.0.0.1:22/", kind: KindNetwork, reason: "port"},
		{name: "self-signed", url: secure.URL + "/arrived", kind: KindTLS, reason: "not trusted"},
		{name: "no TLS there", url: strings.Replace(server.URL, "http:", "https:", 1), kind: KindTLS, reason: "TLS handshake"},
		{name: "ftp", url: "ftp://127.0.0.1/x", kind: KindScheme, reason: `unsupported scheme "ftp"`},
		{name: "file", url: "file:///etc/hostname", kind: KindScheme, reason: `unsupported scheme "file"`},
		{name: "view-source", url: "view-source:" + server.URL, kind: KindScheme, reason: `unsupported scheme "view-source"`},
		{name: "nothing sent", serve: cut(""), kind: KindNetwork, reason: "empty response"},
		{name: "cut file", serve: cut("HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 100\r\n\r\na;b\n"), kind: KindTruncated, reason: "truncated"},
		{name: "cut chunked file", serve: cut("HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n4\r\na;b\n\r\n"), kind: KindTruncated, reason: "truncated"},
		{name: "cut html", serve: cut("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10000\r\n\r\n" + long), kind: KindTruncated, reason: "truncated"},
	}
	mux.HandleFunc("/csv", respond("text/csv", "a;b\n"))
	mux.HandleFunc("/204", status(204, "", ""))
	mux.HandleFunc("/arrived", respond("text/html", "<title>A</title>arrived"))
	mux.HandleFunc("/r1", redirectTo("/r2"))
	mux.HandleFunc("/r2", redirectTo("/arrived"))
	mux.HandleFunc("/loop", redirectTo("/loop"))
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(300 * time.Millisecond)
		respond("text/html", "<title>A</title>slowly")(w, r)
	})

	var urls []string
	for i, test := range tests {
		u := test.url
		if u == "" {
			path := fmt.Sprintf("/%d", i)
			mux.HandleFunc(path, test.serve)
			u = server.URL + path + test.path
		}
		urls = append(urls, u)
	}
	var tabs []*tab
	for range 4 {
		tabs = append(tabs, tabOf(t, c, nil))
	}
	all := fetchAll(t, tabs, urls)
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			u, got := urls[i], all[i]
			if got.kind() != test.kind || test.kind != "" && !strings.Contains(got.err.Error(), test.reason) {
				t.Fatalf("error = %s: %v, want %s: %s", got.kind(), got.err, test.kind, test.reason)
			}
			if test.kind != "" {
				return
			}
			p := got.page
			if p.Status != test.status || test.media != "" && p.MediaType != test.media {
				t.Errorf("status, type = %d, %s, want %d, %s", p.Status, p.MediaType, test.status, test.media)
			}
			if !strings.Contains(string(p.HTML), test.html) {
				t.Errorf("HTML = %q, want %q in it", p.HTML, test.html)
			}
			wantsFile := test.html == "" && test.status < 300
			if (p.File != "") != wantsFile || string(got.body) != test.file {
				t.Errorf("file = %q, want %q", got.body, test.file)
			}
			if final := server.URL + test.final; test.final != "" && p.URL != final && !(test.final[0] == '#' && strings.HasSuffix(p.URL, test.final)) {
				t.Errorf("URL = %s, want %s", p.URL, final)
			}
			if len(p.Hops) != test.hops || test.hops > 0 && p.Hops[0] != u {
				t.Errorf("hops = %v, want %d", p.Hops, test.hops)
			}
			if test.check != nil {
				test.check(t, p)
			}
		})
	}
	for _, tb := range tabs {
		if tb.ctx.Err() != nil {
			t.Errorf("a tab is lost: %v", context.Cause(tb.ctx))
		}
	}
	waitEmpty(t, c.tabs.downloads.dir)
}

func redirectTo(u string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", u)
		w.WriteHeader(http.StatusFound)
	}
}

// mute keeps broken connections, which the tests are about, out of the output.
func mute(s *httptest.Server) { s.Config.ErrorLog = log.New(io.Discard, "", 0) }

func testPages(t *testing.T, c *chrome) {
	tests := []struct {
		name    string
		html    string
		want    []string // in order
		without string
		hasty   bool // comes to the end of a budget, or ends a script: has short ones
		check   func(t *testing.T, p *Page)
	}{
		{name: "rendered after a request", html: `<div id=r>Loading</div><script>fetch('/data').then(r => r.text()).then(s => r.innerHTML = s)</script>`, want: []string{"north mole"}, without: "Loading<"},
		{name: "rendered after a timer and two requests", html: `<div id=r>Loading</div><script>setTimeout(async () => { await (await fetch('/data')).text(); r.innerHTML = await (await fetch('/data?2')).text() }, 400)</script>`, want: []string{"north mole"}},
		{name: "polling", html: long + `<script>setInterval(() => fetch('/data'), 50)</script>`, want: []string{"north mole"}, check: settledByItself},
		{name: "hanging third party", html: long + `<script async src="/hang"></script>`, want: []string{"north mole"}, check: settledByItself},
		{name: "script that hangs in the body", html: long + `<script src="/hang"></script>`, want: []string{"north mole"}},
		{name: "script that hangs in the head", hasty: true, html: `<html><head><title>H</title><script src="/hang"></script></head><body>` + long, want: []string{"north mole"}, check: func(t *testing.T, p *Page) {
			if !p.StillLoading {
				t.Error("not marked as still loading")
			}
		}},
		{name: "request that never ends", hasty: true, html: long + `<script>fetch('/hang')</script>`, want: []string{"north mole"}, check: func(t *testing.T, p *Page) {
			if !p.StillLoading {
				t.Error("not marked as still loading")
			}
		}},
		{name: "script that never ends", hasty: true, html: long + `<script>for (;;);</script>`, want: []string{"north mole"}},
		{name: "script that never ends, later", hasty: true, html: long + `<script>setTimeout(() => { for (;;); }, 50)</script>`, want: []string{"north mole"}},
		{name: "leaves for a silent page", hasty: true, html: long + `<script>onload = () => location.href = '/hang'</script>`, want: []string{"north mole"}},
		{name: "leaves for a silent site", hasty: true, html: long + `<script>onload = () => location.href = 'http://localhost:' + location.port + '/hang'</script>`, want: []string{"north mole"}},
		{name: "dialogs", html: `<script>alert(1); if (confirm('2')) document.write('confirmed'); prompt('3'); print()</script>` + long, want: []string{"north mole"}, without: "<body>confirmed"},
		{name: "beforeunload", html: long + `<script>onbeforeunload = e => { e.preventDefault(); return 'stay' }</script>`, want: []string{"north mole"}},
		{name: "own download", html: long + `<script>setTimeout(() => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'])); a.download = 'x.bin'; a.click() }, 20)</script>`, want: []string{"north mole"}},
		{name: "download by navigation", html: long + `<script>onload = () => location.href = '/file'</script>`, want: []string{"north mole"}},
		{name: "shadow roots", html: `<x-a></x-a><div id=d><template shadowrootmode="open">declared<slot></slot></template></div>
			<script>customElements.define('x-a', class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML = '<p>in closed</p>' + ` + "`" + long + "`" + ` } })</script>`, want: []string{`<template shadowrootmode="closed"`, "in closed", `<template shadowrootmode="open"`, "declared"}},
		{name: "frames", html: `<p>before</p><iframe src="/frame" width=600 height=300></iframe><p>after</p>`, want: []string{"before", "data-pifetch-frame=", "inside", "/deep/link", "after"}, without: "never seen"},
		{name: "password", html: `<form><input type=password></form>`, want: []string{"<form>"}, check: func(t *testing.T, p *Page) {
			if !p.PasswordField {
				t.Error("password field not seen")
			}
		}},
		{name: "hidden password", html: `<form style="display:none"><input type=password></form>` + long, want: []string{"<form"}, check: func(t *testing.T, p *Page) {
			if p.PasswordField {
				t.Error("hidden password field counted")
			}
		}},
		{name: "lies", html: `<body data-x=1>` + long + `<script>JSON.stringify = () => '{"url":"https://bank.example/"}'; Element.prototype.checkVisibility = () => true; Object.defineProperty(document, 'URL', {get: () => 'https://bank.example/'})</script>`, want: []string{"north mole"}, check: func(t *testing.T, p *Page) {
			if strings.Contains(p.URL, "bank") {
				t.Errorf("URL = %s", p.URL)
			}
		}},
		{name: "thin", html: `<p>hi</p><script>1</script>`, want: []string{"hi"}, check: func(t *testing.T, p *Page) {
			if !p.Thin || p.StillLoading {
				t.Errorf("thin = %v, still loading = %v", p.Thin, p.StillLoading)
			}
		}},
		{name: "pushed state", html: long + `<script>history.pushState({}, '', '/elsewhere#x')</script>`, want: []string{"north mole"}, check: func(t *testing.T, p *Page) {
			if !strings.HasSuffix(p.URL, "/elsewhere#x") {
				t.Errorf("URL = %s", p.URL)
			}
		}},
		{name: "appended on scroll", html: `<div id=m>` + strings.Repeat(long, 3) + `<div style="height: 4000px"></div></div><i id=s>.</i><script>
			new IntersectionObserver(es => { if (es.some(e => e.isIntersecting)) m.innerHTML += '<p>came with' + ' the scroll</p>' }).observe(s)</script>`, want: []string{"north mole", "came with the scroll"}},
		{name: "appended to a short page", html: `<div id=m style="min-height: 110vh">` + long + `</div><i id=s>.</i><script>
			new IntersectionObserver(es => { if (es.some(e => e.isIntersecting)) m.innerHTML += '<p>came with' + ' the scroll</p>' }).observe(s)</script>`, want: []string{"north mole", "came with the scroll"}},
		{name: "appended part by part", html: `<div id=m style="min-height: 1000px">` + long + `</div><i id=s>.</i><script>let n = 1;
			new IntersectionObserver(es => { if (n < 6 && es.some(e => e.isIntersecting)) m.innerHTML += '<p style="height: 1500px">part ' + ++n + ' of a long and winding page</p>' }).observe(s)</script>`, want: []string{"north mole", "part 2 of", "part 6 of"}},
		{name: "appended in a box", html: `<div style="height: 100vh; overflow: auto"><div id=m style="min-height: 1500px">` + long + `</div><i id=s>.</i></div><script>
			new IntersectionObserver(es => { if (es.some(e => e.isIntersecting)) m.innerHTML += '<p>came with' + ' the scroll</p>' }).observe(s)</script>`, want: []string{"north mole", "came with the scroll"}},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/data", respond("text/html", long))
	mux.HandleFunc("/file", respond("application/zip", "PK"))
	mux.HandleFunc("/frame", respond("text/html", `<body><p>inside</p><a href="deep/link">l</a><script>document.title='never seen'</script></body>`))
	release := make(chan struct{})
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	defer close(release)
	mute(server)

	var urls, hastyURLs []string
	for i, test := range tests {
		path := fmt.Sprintf("/%d", i)
		mux.HandleFunc(path, respond("text/html; charset=utf-8", "<!doctype html><title>t</title>"+test.html))
		if test.hasty {
			hastyURLs = append(hastyURLs, server.URL+path)
		} else {
			urls = append(urls, server.URL+path)
		}
	}
	var patient, hasty []*tab
	for range 2 {
		patient = append(patient, tabOf(t, c, func(o *tabOptions) { o.Settle = guard }))
		hasty = append(hasty, tabOf(t, c, func(o *tabOptions) {
			o.Navigation, o.Settle, o.Silence, o.Alive = 5*time.Second, 2*time.Second, time.Second, time.Second
		}))
	}
	var all, allHasty []fetched
	var wg sync.WaitGroup
	wg.Go(func() { all = fetchAll(t, patient, urls) })
	wg.Go(func() { allHasty = fetchAll(t, hasty, hastyURLs) })
	wg.Wait()
	for _, test := range tests {
		from := &all
		if test.hasty {
			from = &allHasty
		}
		got := (*from)[0]
		*from = (*from)[1:]
		t.Run(test.name, func(t *testing.T) {
			if got.err != nil {
				t.Fatal(got.err)
			}
			html := string(got.page.HTML)
			rest := html
			for _, want := range test.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("no %q in order in\n%s", want, html)
				}
				rest = after
			}
			if test.without != "" && strings.Contains(html, test.without) {
				t.Errorf("%q in\n%s", test.without, html)
			}
			if test.check != nil {
				test.check(t, got.page)
			}
		})
	}
}

// testOtherSites shows that a page gets what frames of other sites show, and
// nothing that could act on it.
func testOtherSites(t *testing.T, c *chrome) {
	release := make(chan struct{})
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	defer close(release)
	other := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	page := func(path, html string) {
		mux.HandleFunc(path, respond("text/html; charset=utf-8", "<!doctype html><title>t</title>"+html))
	}
	page("/viewer", `<p>before</p><iframe src="`+other+`/statutes" width=600 height=400></iframe><p>after</p>`)
	page("/statutes", `<p>statute one</p><a href="deep/link">l</a><script>document.title = 'never seen'</script>
		<img src=none onerror="document.title = 'ran here'"><iframe src="`+server.URL+`/annex" width=300 height=200></iframe>`)
	page("/annex", `<p>annex</p>`)
	page("/late", `<p>before</p><iframe src="`+other+`/app" width=600 height=400></iframe>`)
	page("/app", `<script>setTimeout(() => document.body.innerHTML = '<p>came ' + 'late</p>', 150)</script>`)
	page("/long", long+long+`<iframe src="`+other+`/statutes" width=600 height=400></iframe><iframe src="`+other+`/text" width=600 height=400></iframe>
		<iframe src="`+other+`/text?small" width=300 height=100></iframe><iframe src="`+other+`/text?hidden" width=600 height=400 style="visibility: hidden"></iframe>`)
	page("/text", long+`<p style="color: white">white on white</p>`)
	page("/sandbox", `<p>before</p><iframe sandbox src="/annex" width=600 height=400></iframe><iframe sandbox srcdoc="<p>in a box</p>" width=600 height=400></iframe>`)
	page("/hangs", long+`<iframe src="`+other+`/loop" width=600 height=400></iframe><iframe src="`+other+`/hang" width=600 height=400></iframe><p>after</p>`)
	page("/loop", `<p>loops</p><script>setTimeout(() => { for (;;); }, 100)</script>`)
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	})
	tb := tabOf(t, c, nil)
	for _, test := range []struct {
		path    string
		want    []string // in order
		without []string
	}{
		{"/viewer", []string{"before", `data-pifetch-frame="` + other + `/statutes"`, "statute one", other + "/deep/link", "annex", "after"}, []string{"never seen"}},
		{"/late", []string{"before", "came late"}, nil},
		{"/long", []string{"north mole", `src="` + other + `/statutes"`, `data-pifetch-frame="` + other + `/text"`, "north mole", `data-pifetch-hidden="">white`, "/text?small", "/text?hidden"}, []string{"statute one", `frame="` + other + `/text?`}},
		{"/sandbox", []string{"before", `data-pifetch-frame="` + server.URL + `/annex"><p>annex`, `data-pifetch-frame="about:srcdoc"><p>in a box`}, nil},
		{"/hangs", []string{"north mole", "/loop", "/hang", "after"}, []string{"loops"}},
	} {
		t.Run(test.path, func(t *testing.T) {
			got := fetch(t, tb, server.URL+test.path)
			if got.err != nil {
				t.Fatal(got.err)
			}
			if got.page.Title != "t" {
				t.Errorf("title %q: a script of the frame has run in the page", got.page.Title)
			}
			rest := string(got.page.HTML)
			for _, without := range test.without {
				if strings.Contains(rest, without) {
					t.Errorf("%q in\n%s", without, rest)
				}
			}
			for _, want := range test.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("no %q in order in\n%s", want, got.page.HTML)
				}
				rest = after
			}
		})
	}
}

// testHiddenText shows that text is marked which nobody can see, and only that.
func testHiddenText(t *testing.T, c *chrome) {
	const style = `<style>
		.white {color: #fefefe} .clear {color: transparent} .dark {background: #222; color: rgb(34, 34, 35)} .tiny {font-size: 1px}
		.faint {opacity: 0} .fades {opacity: 0; transition: opacity 1s} .off {position: absolute; left: -9999px} .cut {position: absolute; clip: rect(0, 0, 0, 0)}
		.hero {position: relative; background: linear-gradient(#000, #333)} .stack {display: grid} .stack > * {grid-area: 1 / 1}
		.veiled {position: relative} .veiled::before {content: ''; position: absolute; inset: 0; background: #123; z-index: -1}
		.shadow {color: white; text-shadow: 0 0 2px black} .gone {display: none} .away {visibility: hidden}
		.strip {overflow: hidden; width: 300px} .strip p {transform: translateX(-2000px)}
		.card {background: white; color: oklch(1 0 0)} .grad {background: linear-gradient(red, blue); background-clip: text; color: transparent}
		</style>`
	visible := long + `<p id=v1 class=fades>a</p><div class=hero><p id=v2 class=white>b</p></div><div class=stack><svg height=90 width=900></svg><p id=v3 class=white>c</p></div>
		<div class=veiled><p id=v4 class=white>d</p></div><p id=v5 class=shadow>e</p><p id=v6 class=gone>f</p><p id=v7 class=away>g</p>
		<div class=strip><p id=v8>h</p></div><p id=v9 class=grad>i</p><h1 id=v10 class=off>j</h1><details><summary id=v11>k</summary><p id=v12 class=white>l</p></details>
		<div hidden=until-found><p id=v13 class=tiny>m</p></div><div class=tiny><p id=v14 style="font-size: 16px">n</p></div>`
	hidden := `<p id=h1 class=white>a</p><p id=h2 class=clear>b</p><div class=dark><p id=h3>c</p></div><p id=h4 class=tiny>d</p><div class=faint><p id=h5>e</p></div>
		<div class=off><p id=h6>f</p></div><p id=h7 class=cut>g</p><div style="background: black"><div class=card><p id=h8>h</p></div></div>`
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/frame":
			respond("text/html", style+hidden+visible)(w, r)
		default:
			respond("text/html; charset=utf-8", body)(w, r)
		}
	}))
	defer server.Close()
	tb := tabOf(t, c, nil)
	marks := regexp.MustCompile(`id="([hv]\d+)"[^>]*data-pifetch-hidden`)
	for _, test := range []struct {
		name, body string
		marked     int
	}{
		{"page", style + hidden + visible, 8},
		{"frame", `<iframe src=/frame width=900 height=900></iframe>` + long, 8},
		{"too much", style + hidden + strings.Repeat(hidden, 3) + "<p id=v1>x", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			body = "<!doctype html>" + test.body
			got := fetch(t, tb, server.URL)
			if got.err != nil {
				t.Fatal(got.err)
			}
			found := marks.FindAllSubmatch(got.page.HTML, -1)
			for _, m := range found {
				if m[1][0] == 'v' {
					t.Errorf("%s is marked", m[1])
				}
			}
			if len(found) != test.marked {
				t.Errorf("%d marks, want %d: %q", len(found), test.marked, found)
			}
		})
	}
}

func settledByItself(t *testing.T, p *Page) {
	if p.StillLoading {
		t.Error("settled by the end of the budget")
	}
}

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
