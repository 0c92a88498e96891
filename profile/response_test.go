package profile

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/cdp"
)

func TestJudge(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		header string // "Name: value" lines
		want   verdict
	}{
		"html":                     {200, "Content-Type: Text/HTML; charset=x", renderIt},
		"xhtml":                    {200, "Content-Type: application/xhtml+xml", renderIt},
		"html, last type counts":   {200, "Content-Type: text/plain\nContent-Type: text/html", renderIt},
		"html attachment":          {200, "Content-Type: text/html\nContent-Disposition: ATTACHMENT; filename=x", storeIt},
		"html, odd disposition":    {200, "Content-Type: text/html\nContent-Disposition: form-data", storeIt},
		"html, inline":             {200, "Content-Type: text/html\nContent-Disposition: Inline; filename=x", renderIt},
		"html, only a name":        {200, "Content-Type: text/html\nContent-Disposition: filename=x.html", renderIt},
		"large html":               {200, "Content-Type: text/html\nContent-Length: 2000", storeIt},
		"no type":                  {200, "", sniffIt},
		"type without a slash":     {200, "Content-Type: html", sniffIt},
		"unknown type":             {200, "Content-Type: application/unknown", sniffIt},
		"json":                     {200, "Content-Type: application/json", storeIt},
		"partial":                  {206, "Content-Type: application/pdf", storeIt},
		"redirect":                 {302, "Location: /x\nContent-Type: text/html", redirect},
		"choices without location": {300, "Content-Type: text/html", renderIt},
		"not modified":             {304, "Location: /x", renderIt},
		"no content":               {204, "Content-Type: text/html", nothing},
		"reset content":            {205, "", nothing},
		"error page":               {404, "Content-Type: text/html\nContent-Length: 2000", renderIt},
		"error without a type":     {404, "", renderIt},
		"error in json":            {500, "Content-Type: application/json", statusIt},
		"error attachment":         {500, "Content-Type: text/html\nContent-Disposition: attachment", renderIt},
	} {
		h := http.Header{}
		for line := range strings.Lines(test.header) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			h.Add(name, value)
		}
		if got := (response{status: test.status, header: h}).judge(1000); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestNetError(t *testing.T) {
	u, _ := url.Parse("https://site.example:8443/x?secret=1")
	for text, want := range map[string]VisitError{
		"net::ERR_NAME_NOT_RESOLVED":        {Kind: KindNetwork, Reason: "host not found: site.example:8443: check its spelling; an internal name may need the VPN"},
		"net::ERR_CERT_DATE_INVALID":        {Kind: KindTLS, Reason: "TLS certificate of site.example:8443 has expired or is not valid yet by the clock of this computer"},
		"net::ERR_CERT_NEW_KIND":            {Kind: KindTLS, Reason: "TLS certificate of site.example:8443 is not valid (ERR_CERT_NEW_KIND)"},
		"net::ERR_SSL_NEW_KIND":             {Kind: KindTLS, Reason: "TLS handshake with site.example:8443 failed (ERR_SSL_NEW_KIND)"},
		"net::ERR_HTTP2_PROTOCOL_ERROR":     {Kind: KindNetwork, Reason: "site.example:8443 broke the HTTP protocol (ERR_HTTP2_PROTOCOL_ERROR)"},
		"net::ERR_TOO_MANY_REDIRECTS":       {Kind: KindNetwork, Reason: "too many redirects: site.example:8443 redirects in a loop"},
		"net::ERR_INVALID_AUTH_CREDENTIALS": {Kind: KindAuth, Reason: "login needed (401 Unauthorized)"},
		"net::ERR_SOMETHING_NEW":            {Kind: KindFailed, Reason: "page could not be loaded (ERR_SOMETHING_NEW)"},
		"":                                  {Kind: KindFailed, Reason: "page could not be loaded"},
	} {
		if got := netError(text, u); *got != want {
			t.Errorf("netError(%q) = %+v, want %+v", text, *got, want)
		}
	}
	for code, r := range netReasons {
		if strings.ContainsAny(r.text, "\n") || strings.HasSuffix(r.text, ".") || r.kind == "" {
			t.Errorf("%s: %+v", code, r)
		}
	}
}

func TestMegabytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 100 << 20: "100 MB", 157286400: "150 MB", 150_000_000: "143 MB", 1_500_000: "1.4 MB"} {
		if got := megabytes(n); got != want {
			t.Errorf("megabytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestVisitErrorUnwraps(t *testing.T) {
	err := error(&VisitError{Kind: KindCrashed, Reason: "x", Err: errTabLost})
	if !errors.Is(err, errTabLost) || err.Error() != "x" {
		t.Errorf("%v", err)
	}
}

// FuzzEvents feeds a navigation what a browser may report.
func FuzzEvents(f *testing.F) {
	f.Add("Network.requestWillBeSent", `{"requestId":"L","loaderId":"L","type":"Document","frameId":"F","request":{"url":"http://a.example/"},"redirectResponse":{}}`)
	f.Add("Network.responseReceived", `{"requestId":"L","response":{"status":200,"mimeType":"text/html","headers":{"a":"b"}}}`)
	f.Add("Page.frameNavigated", `{"frame":{"loaderId":"L","url":"http://a.example/","urlFragment":"#x"}}`)
	f.Add("Page.frameNavigated", `{"frame":{"loaderId":"L","url":"chrome-error://x/","unreachableUrl":"http://a.example/"}}`)
	f.Add("Page.frameScheduledNavigation", `{"frameId":"F","delay":-1e300,"url":"%"}`)
	f.Add("Runtime.bindingCalled", `{"name":"__pifetch","payload":"{\"text\":-5,\"scripts\":1}"}`)
	f.Fuzz(func(t *testing.T, method, params string) {
		u, _ := url.Parse("http://a.example/")
		now := time.Unix(1000, 0)
		n := newNavigation(Visit{URL: u}, "F", Config{}.withDefaults().tabOptions(LaunchOptions{Navigation: time.Second}), takeAny, now)
		for _, e := range []*cdp.Event{
			{Method: "Network.requestWillBeSent", Params: json.RawMessage(`{"requestId":"L","loaderId":"L","type":"Document","frameId":"F","request":{"url":"http://a.example/"}}`)},
			{Method: method, Params: json.RawMessage(params)},
			{Method: "Page.frameNavigated", Params: json.RawMessage(`{"frame":{"loaderId":"L","url":"http://a.example/"}}`)},
			{Method: method, Params: json.RawMessage(params)},
		} {
			if ev, ok := decodeEvent(e); ok {
				n.event(now, e.Method, ev)
			}
		}
		if by, wake := n.settle.decide(now); by == "" && !wake.After(now) {
			t.Errorf("the time to ask again, %v, is not after %v", wake, now)
		}
	})
}
