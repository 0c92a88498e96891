package api

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// to redirects every request to url+path.
func to(status int, url string) http.HandlerFunc {
	return reply(status, `{"message":"Moved Permanently","url":"`+url+`"}`, "Location", url)
}

func TestRenamedRepository(t *testing.T) {
	for _, status := range []int{301, 302, 307, 308} {
		var srv *recorder
		srv = serve(t, func(w http.ResponseWriter, req *http.Request) {
			if strings.HasPrefix(req.URL.Path, "/v3/repos/") {
				to(status, srv.server.URL+"/v3/repositories/1")(w, req)
				return
			}
			reply(200, `{"full_name":"octo/new"}`)(w, req)
		})
		var repo struct {
			FullName string `json:"full_name"`
		}
		answer, err := client(srv.server.URL+"/v3").Session(withToken).Get(t.Context(), "repos/octo/old", nil, &repo)
		if err != nil || repo.FullName != "octo/new" || answer.Moved != srv.server.URL+"/v3/repositories/1" {
			t.Fatalf("%d: %+v %+v %v", status, repo, answer, err)
		}
		for _, req := range srv.asked() {
			if req.Header.Get("Authorization") == "" {
				t.Errorf("%d: no token for %s", status, req.URL)
			}
		}
	}
}

// A mirror passes on GitHub's own name for the API: it is asked itself.
func TestRedirectToTheMirroredAPI(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/repos/o/r" {
			to(301, "https://api.github.com/repositories/1")(w, req)
			return
		}
		reply(200, `{}`)(w, req)
	})
	answer, err := client(srv.server.URL).Session(withToken).Get(t.Context(), "repos/o/r", nil, nil)
	if err != nil || answer.Moved != srv.server.URL+"/repositories/1" {
		t.Errorf("%+v %v", answer, err)
	}
}

func TestTokenStaysWithTheAPI(t *testing.T) {
	var api *recorder
	store := serve(t, func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/back" {
			to(302, api.server.URL+"/v3/log")(w, req)
			return
		}
		reply(200, `log`)(w, req)
	})
	api = serve(t, func(w http.ResponseWriter, req *http.Request) {
		switch req.URL.Path {
		case "/v3/there":
			to(302, store.server.URL+"/log?sig=1")(w, req)
		case "/v3/thereandback":
			to(302, store.server.URL+"/back")(w, req)
		case "/v3/beside":
			to(302, api.server.URL+"/v4/log")(w, req)
		case "/v3/user":
			to(302, "http://user:secret@"+store.server.Listener.Addr().String()+"/log")(w, req)
		default:
			reply(200, `log`)(w, req)
		}
	})
	session := client(api.server.URL + "/v3").Session(withToken)
	for _, path := range []string{"there", "thereandback", "beside", "user"} {
		s, err := session.Open(t.Context(), API, path, nil, JSON)
		if err != nil {
			t.Fatal(path, err)
		}
		text, err := io.ReadAll(s.Body)
		s.Body.Close()
		if err != nil || string(text) != "log" {
			t.Errorf("%s: %q %v", path, text, err)
		}
		if path == "there" && s.URL != store.server.URL+"/log?sig=1" {
			t.Errorf("final URL %s", s.URL)
		}
	}
	for _, req := range store.asked() {
		if h := req.Header; h.Get("Authorization") != "" || h.Get("X-GitHub-Api-Version") != "" || h.Get("Cookie") != "" {
			t.Errorf("the store got %v for %s", h, req.URL)
		}
	}
	for _, req := range api.asked() {
		first := req.URL.Path != "/v3/log" && req.URL.Path != "/v4/log"
		if got := req.Header.Get("Authorization") != ""; got != first {
			t.Errorf("token for %s: %v", req.URL, got)
		}
	}
}

// A token is not for the other hosts, whatever they redirect to.
func TestOtherHostsGetNoToken(t *testing.T) {
	api := serve(t, reply(200, "diff"))
	web := serve(t, func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/o/r/pull/7.diff" {
			to(302, api.server.URL+"/x")(w, req)
			return
		}
		reply(200, "refs")(w, req)
	})
	c := client(api.server.URL)
	c.cfg.Endpoints = func() Endpoints { return Endpoints{API: api.server.URL, Web: web.server.URL} }
	for _, path := range []string{"o/r.git/info/refs", "o/r/pull/7.diff"} {
		s, err := c.Session(withToken).Open(t.Context(), Web, path, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		s.Body.Close()
	}
	for _, req := range append(api.asked(), web.asked()...) {
		if req.Header.Get("Authorization") != "" || req.Header.Get("Accept") != "" {
			t.Errorf("%s got %v", req.URL, req.Header)
		}
	}
}

func TestRedirectsThatLeadNowhere(t *testing.T) {
	for name, test := range map[string]struct {
		location, message string
		code              Code
	}{
		"no location": {"", "x redirects to nowhere", Unavailable},
		"no URL":      {"http://[", "x redirects to nowhere", Unavailable},
		"in a circle": {"/x", "x redirects more than 5 times", Other},
	} {
		t.Run(name, func(t *testing.T) {
			srv := serve(t, to(302, test.location))
			_, err := client(srv.server.URL).Session(withToken).Get(t.Context(), "x", nil, nil)
			wantError(t, err, test.code, test.message)
		})
	}
}

func TestRedirectToLogin(t *testing.T) {
	var web *recorder
	web = serve(t, func(w http.ResponseWriter, req *http.Request) {
		to(302, web.server.URL+"/login?return_to=x")(w, req)
	})
	c := client("http://api.invalid")
	c.cfg.Endpoints = func() Endpoints { return Endpoints{API: "http://api.invalid", Web: web.server.URL} }
	_, err := c.Session(nil).Open(t.Context(), Web, "o/r/wiki", nil, "")
	wantError(t, err, Unauthorized, "github.com/o/r/wiki redirects to GitHub's login")
}

func TestQueryFollowsNoRedirect(t *testing.T) {
	srv := serve(t, to(307, "/elsewhere"))
	var q viewer
	err := client(srv.server.URL).Session(withToken).Query(t.Context(), &q, number)
	wantError(t, err, Other, "GraphQL redirects to "+srv.server.Listener.Addr().String())
	if n := len(srv.asked()); n != 1 {
		t.Errorf("%d requests", n)
	}
}

func TestHostOfURL(t *testing.T) {
	e := GitHub()
	for raw, want := range map[string]Host{
		"https://api.github.com":                      API,
		"https://API.github.com:443/repos":            API,
		"https://github.com/o/r":                      Web,
		"https://raw.githubusercontent.com/o/r/HEAD/": Raw,
		"https://codeload.github.com/x":               Codeload,
		"http://api.github.com/repos":                 -1,
		"https://api.github.com.evil.example/":        -1,
		"https://api.github.com:8443/":                -1,
		"https://evil.example/api.github.com":         -1,
	} {
		u := parse(t, raw)
		h, ok := e.host(u)
		if !ok {
			h = -1
		}
		if h != want {
			t.Errorf("%s: host %d, want %d", raw, h, want)
		}
	}
	// Where all hosts share one address, the longest base counts.
	shared := Endpoints{API: "http://127.0.0.1:1/api", Web: "http://127.0.0.1:1", Raw: "http://127.0.0.1:1/raw"}
	for raw, want := range map[string]Host{
		"http://127.0.0.1:1/api/user": API, "http://127.0.0.1:1/apix": Web, "http://127.0.0.1:1/raw": Raw, "http://127.0.0.1:1/o/r": Web,
	} {
		if h, ok := shared.host(parse(t, raw)); !ok || h != want {
			t.Errorf("%s: host %d %v, want %d", raw, h, ok, want)
		}
	}
}
