package netguard

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// serve serves h on addr, over TLS when secure, and returns the port.
func serve(t *testing.T, addr string, secure bool, h http.HandlerFunc) string {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(addr, "0"))
	if err != nil {
		t.Skipf("needs the address %s: %v", addr, err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: h}}
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// get fetches and returns the body, or the refusal.
func get(t *testing.T, c *http.Client, url string) (string, *Refusal) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if r, ok := errors.AsType[*Refusal](err); ok {
		return "", r
	} else if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body), nil
}

func TestRedirectsToLoopback(t *testing.T) {
	forbidden, hits := listener(t, "127.0.0.1")
	resolver := names{"public.test": publicAddr, "rebound.test": "127.0.0.1", "cdn.test": publicAddr}
	g := &Guard{Resolver: resolver, Classify: stage}
	port := serve(t, publicAddr, false, func(w http.ResponseWriter, r *http.Request) {
		var status int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &status); err != nil {
			io.WriteString(w, "content")
			return
		}
		w.Header().Set("Location", r.URL.Query().Get("to"))
		w.WriteHeader(status)
	})
	at := ":" + forbidden + "/"
	targets := []string{
		"http://127.0.0.1" + at, "http://127.1" + at, "http://127.0.1" + at, "http://2130706433" + at, "http://0x7f.1" + at, "http://0x7f000001" + at,
		"http://0177.0.0.1" + at, "http://017700000001" + at, "http://127.0.0.1." + at, "http://localhost" + at, "http://LOCALHOST." + at,
		"http://foo.localhost" + at, "http://[::1]" + at, "http://[::ffff:127.0.0.1]" + at, "http://[::ffff:7f00:1]" + at, "http://[::127.0.0.1]" + at,
		"http://[64:ff9b::7f00:1]" + at, "http://[64:ff9b:1::7f00:1]" + at, "http://[2002:7f00:1::]" + at, "http://0" + at, "http://0.0.0.0" + at,
		"http://[::]" + at, "http://rebound.test" + at, "http://public.test@127.0.0.1" + at, "http://public.test:80@localhost" + at,
		"https://127.0.0.1" + at, "//127.0.0.1" + at, "http://169.254.169.254" + at, "http://127.0.0.1:1/", "http://127.0.0.3" + at,
		"http://cdn.test:" + port + "/302?to=" + url.QueryEscape("http://127.0.0.1"+at), // after another hop
	}
	for _, target := range targets {
		for _, status := range []int{301, 302, 303, 307, 308} {
			c := g.Client(Asked("public.test"))
			body, refusal := get(t, c, fmt.Sprintf("http://public.test:%s/%d?to=%s", port, status, url.QueryEscape(target)))
			if refusal == nil {
				t.Errorf("%d to %s: %q, want a refusal", status, target, body)
			}
			c.CloseIdleConnections()
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("%d connections to loopback", n)
	}
	if body, refusal := get(t, g.Client(Asked("public.test")), "http://public.test:"+port+"/301?to="+url.QueryEscape("http://cdn.test:"+port+"/")); body != "content" {
		t.Errorf("to a public host: %q, %v", body, refusal)
	}
}

func TestRedirectsWithinIntranet(t *testing.T) {
	sso := serve(t, privateAddr, false, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "login") })
	dev := serve(t, "127.0.0.1", false, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/sso" {
			http.Redirect(w, r, "http://sso.test:"+sso+"/", http.StatusFound)
			return
		}
		io.WriteString(w, "dev")
	})
	wiki := serve(t, privateAddr, false, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, map[string]string{"/sso": "http://sso.test:" + sso + "/", "/dev": "http://localhost:" + dev + "/"}[r.URL.Path], http.StatusFound)
	})
	g := &Guard{Resolver: names{"wiki.test": privateAddr, "sso.test": privateAddr}, Classify: stage}
	for _, tt := range []struct {
		url, want string
		rule      Rule
	}{
		{"http://wiki.test:" + wiki + "/sso", "login", none},
		{"http://wiki.test:" + wiki + "/dev", "", NotAsked},
		{"http://localhost:" + dev + "/", "dev", none},
		{"http://0x7f.1:" + dev + "/sso", "login", none},
	} {
		u, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		c := g.Client(Asked(u.Hostname()))
		body, refusal := get(t, c, tt.url)
		if body != tt.want || (refusal != nil) != (tt.rule != none) || refusal != nil && refusal.Rule != tt.rule {
			t.Errorf("%s: %q, %v", tt.url, body, refusal)
		}
		c.CloseIdleConnections()
	}
}

// A connection that one request made to the host it asked for is not there for
// the next, which asked for another.
func TestConnectionsAreNotShared(t *testing.T) {
	port := serve(t, privateAddr, false, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "secret") })
	public := serve(t, publicAddr, false, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://wiki.test:"+port+"/", http.StatusFound)
	})
	g := &Guard{Resolver: names{"wiki.test": privateAddr, "public.test": publicAddr}, Classify: stage}
	asked := g.Client(Asked("wiki.test"))
	defer asked.CloseIdleConnections()
	if body, refusal := get(t, asked, "http://wiki.test:"+port+"/"); body != "secret" {
		t.Fatalf("asked for: %q, %v", body, refusal)
	}
	led := g.Client(Asked("public.test"))
	defer led.CloseIdleConnections()
	if body, refusal := get(t, led, "http://public.test:"+public+"/"); refusal == nil {
		t.Errorf("led there: %q, want a refusal", body)
	}
}

func TestEndpoints(t *testing.T) {
	other, hits := listener(t, privateAddr)
	api := serve(t, "127.0.0.1", false, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "http://"+privateAddr+":"+other+"/", http.StatusFound)
			return
		}
		io.WriteString(w, "api")
	})
	c := (&Guard{Classify: stage}).Client(Endpoints("127.0.0.1"))
	defer c.CloseIdleConnections()
	if body, refusal := get(t, c, "http://127.0.0.1:"+api+"/"); body != "api" {
		t.Errorf("endpoint: %q, %v", body, refusal)
	}
	if body, refusal := get(t, c, "http://127.0.0.1:"+api+"/away"); refusal == nil || refusal.Rule != NotAsked {
		t.Errorf("away: %q, %v", body, refusal)
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("%d connections to the private host", n)
	}
}

// Environment variables of proxies lead nowhere.
func TestNoProxy(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:1")
	}
	if p := new(Guard).Transport(nil).Proxy; p != nil {
		t.Error("the transport has a proxy")
	}
}

// secrets are headers of a request that no other origin may see.
var secrets = []string{"Authorization", "Cookie", "X-Api-Key", "Private-Token", "X-Subscription-Token", "Proxy-Authorization", "Referer"}

func TestCredentialsStayAtTheirOrigin(t *testing.T) {
	var seen []string // origin and the secrets it got, by request
	handler := func(scheme string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			got := []string{}
			for _, name := range secrets {
				if r.Header.Get(name) != "" {
					got = append(got, name)
				}
			}
			seen = append(seen, scheme+"://"+r.Host+" "+strings.Join(got, ","))
			if ua := r.Header.Get("User-Agent"); ua != "pifetch" {
				t.Errorf("User-Agent %q", ua)
			}
			// Each path element is an origin to go on to.
			status := r.URL.Query().Get("status")
			next, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
			if next == "" {
				return
			}
			target, err := url.PathUnescape(next)
			if err != nil {
				t.Error(err)
			}
			w.Header().Set("Location", target+"/"+rest+"?status="+status)
			var code int
			fmt.Sscan(status, &code)
			w.WriteHeader(code)
		}
	}
	one := serve(t, "127.0.0.1", false, handler("http"))
	two := serve(t, "127.0.0.1", false, handler("http"))
	tlsPort := serve(t, "127.0.0.1", true, handler("https"))
	g := &Guard{
		Resolver: names{"a.test": "127.0.0.1", "sub.a.test": "127.0.0.1", "b.test": "127.0.0.1"},
		Policy:   func() Policy { return Policy{Allow: networks("127.0.0.1/32")} },
	}
	a, otherPort, sub, b, secure := "http://a.test:"+one, "http://a.test:"+two, "http://sub.a.test:"+one, "http://b.test:"+one, "https://a.test:"+tlsPort
	chains := [][]string{
		{a, a, a},
		{a, otherPort},
		{a, sub},
		{sub, a},
		{a, b},
		{a, secure},
		{secure, a},
		{secure, secure},
		{a, a, b, b},
		{a, b, a},
		{a, sub, a, a},
		{a, "http://user:secret@b.test:" + one},
		{"http://user:secret@a.test:" + one, a},
		{"http://user:secret@a.test:" + one, b},
	}
	n := 0
	for _, chain := range chains {
		for _, status := range []int{301, 302, 303, 307, 308} {
			n++
			seen = nil
			target := chain[0]
			for _, next := range chain[1:] {
				target += "/" + url.PathEscape(url.PathEscape(next))
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, target+fmt.Sprintf("?status=%d", status), nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("User-Agent", "pifetch")
			for _, name := range secrets {
				req.Header.Set(name, "secret")
			}
			if req.URL.User != nil {
				req.Header.Del("Authorization") // comes of the userinfo
			}
			transport := g.Transport(Asked("a.test"))
			transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true} // the certificate is for another name
			c := &http.Client{Transport: transport, CheckRedirect: CheckRedirect}
			resp, err := c.Do(req)
			if err != nil {
				t.Fatalf("%v %d: %v", chain, status, err)
			}
			resp.Body.Close()
			c.CloseIdleConnections()

			if len(seen) != len(chain) {
				t.Fatalf("%v %d: requests %q", chain, status, seen)
			}
			first, left := withoutUser(chain[0]), false
			for i, s := range seen {
				at, got, _ := strings.Cut(s, " ")
				left = left || at != first
				if at != withoutUser(chain[i]) {
					t.Errorf("%v %d: request %d went to %s", chain, status, i, at)
				}
				if left && got != "" {
					t.Errorf("%v %d: %s got %s", chain, status, at, got)
				}
				if !left && !strings.HasPrefix(got, "Authorization,Cookie,X-Api-Key,Private-Token") {
					t.Errorf("%v %d: %s got only %s", chain, status, at, got)
				}
			}
		}
	}
	if n < 60 {
		t.Errorf("%d chains, want 60 and more", n)
	}
}

func withoutUser(origin string) string { return strings.Replace(origin, "user:secret@", "", 1) }

func TestRedirectWithBody(t *testing.T) {
	var bodies []string
	other := ""
	h := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, r.URL.Path+" "+string(body))
		switch r.URL.Path {
		case "/same":
			http.Redirect(w, r, "/end", http.StatusPermanentRedirect)
		case "/other":
			http.Redirect(w, r, "http://127.0.0.1:"+other+"/end", http.StatusTemporaryRedirect)
		}
	}
	port := serve(t, "127.0.0.1", false, h)
	other = serve(t, "127.0.0.1", false, h)
	c := new(Guard).Client(Endpoints("127.0.0.1"))
	defer c.CloseIdleConnections()
	for _, tt := range []struct{ path, seen, err string }{
		{"/same", "/same query,/end query", ""},
		{"/other", "/other query", "redirected to another origin with the body of the request: not followed"},
	} {
		bodies = nil
		resp, err := c.Post("http://127.0.0.1:"+port+tt.path, "text/plain", strings.NewReader("query"))
		if resp != nil {
			resp.Body.Close()
		}
		got := ""
		if err != nil {
			got = errors.Unwrap(err).Error()
		}
		if seen := strings.Join(bodies, ","); seen != tt.seen || got != tt.err {
			t.Errorf("%s: requests %s, error %q", tt.path, seen, got)
		}
	}
}

func TestRedirectLoop(t *testing.T) {
	n := 0
	port := serve(t, "127.0.0.1", false, func(w http.ResponseWriter, r *http.Request) {
		n++
		http.Redirect(w, r, "/", http.StatusFound)
	})
	c := new(Guard).Client(Asked("localhost"))
	defer c.CloseIdleConnections()
	_, err := c.Get("http://localhost:" + port + "/")
	if err == nil || errors.Unwrap(err).Error() != "stopped after 10 redirects" || n != 10 {
		t.Errorf("%d requests, error %v", n, err)
	}
}
