package profile

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
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
