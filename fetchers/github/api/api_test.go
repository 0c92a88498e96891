package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// canary is a token that must be seen nowhere but in requests to the API.
const canary = "ghp_canary0123456789abcdefghijklmnopqrstuv"

// recorder answers with a handler and keeps what it was asked.
type recorder struct {
	mu       sync.Mutex
	requests []*http.Request
	server   *httptest.Server
}

func (r *recorder) asked() []*http.Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]*http.Request(nil), r.requests...)
}

// serve starts a server for one host and checks what every request of this
// package must have.
func serve(t *testing.T, handler http.HandlerFunc) *recorder {
	t.Helper()
	r := &recorder{}
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		r.requests = append(r.requests, req)
		r.mu.Unlock()
		if req.Header.Get("User-Agent") != "pifetch/test" {
			t.Errorf("User-Agent of %s is %q", req.URL, req.Header.Get("User-Agent"))
		}
		handler(w, req)
	}))
	t.Cleanup(r.server.Close)
	return r
}

// reply is a handler that always answers the same: pairs of header names and
// values, then the status and the body.
func reply(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func client(api string, change ...func(*Config)) *Client {
	cfg := Config{
		Endpoints: func() Endpoints { return Endpoints{API: api, Web: "http://web.invalid", Raw: "http://raw.invalid"} },
		UserAgent: "pifetch/test",
	}
	for _, f := range change {
		f(&cfg)
	}
	return New(cfg)
}

var withToken = map[string]string{"GH_TOKEN": canary}

func parse(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func wantError(t *testing.T, err error, code Code, message string) *Error {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("error is %#v, want an *Error", err)
	}
	if e.Code != code {
		t.Errorf("code %d, want %d", e.Code, code)
	}
	if e.Error() != message {
		t.Errorf("error\n%s\nwant\n%s", e, message)
	}
	if strings.Contains(err.Error(), canary) {
		t.Errorf("the error shows the token")
	}
	return e
}

func TestGet(t *testing.T) {
	srv := serve(t, reply(200, `{"number":7}`))
	var issue struct{ Number int }
	answer, err := client(srv.server.URL+"/base").Session(withToken).Get(t.Context(), "repos/o/r/contents/a%2Fb", url.Values{"ref": {"x y"}}, &issue)
	if err != nil || issue.Number != 7 || answer.Status != 200 || answer.Moved != "" || answer.Next != "" {
		t.Fatalf("%+v %+v %v", issue, answer, err)
	}
	req := srv.asked()[0]
	if got := req.RequestURI; got != "/base/repos/o/r/contents/a%2Fb?ref=x+y" {
		t.Errorf("asked for %s", got)
	}
	for name, want := range map[string]string{
		"Accept": JSON, "X-GitHub-Api-Version": "2022-11-28", "Authorization": "Bearer " + canary, "Accept-Encoding": "gzip",
	} {
		if got := req.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if _, err := client(srv.server.URL).Session(nil).Get(t.Context(), "user", nil, nil); err != nil {
		t.Fatal(err)
	}
	if h := srv.asked()[1].Header; h.Get("Authorization") != "" {
		t.Errorf("without a token: %v", h)
	}
}

func TestNextPage(t *testing.T) {
	var srv *recorder
	srv = serve(t, func(w http.ResponseWriter, req *http.Request) {
		switch page := req.URL.Query().Get("page"); page {
		case "":
			w.Header().Set("Link", `<`+srv.server.URL+`/repositories/1/issues?per_page=100&page=2>; rel="next", <`+srv.server.URL+`/repositories/1/issues?page=3>; rel="last"`)
			reply(200, `[1,2]`)(w, req)
		case "2":
			w.Header().Set("Link", `<https://api.github.com/repositories/1/issues?page=3>; rel="next"`)
			reply(200, `[3]`)(w, req)
		default:
			w.Header().Set("Link", `<`+srv.server.URL+`/repositories/1/issues?page=1>; rel="first"`)
			reply(200, `[4]`)(w, req)
		}
	})
	session := client(srv.server.URL).Session(nil)
	var all []int
	query := url.Values{"per_page": {"100"}}
	for next := "repos/o/r/issues"; next != ""; query = nil {
		var page []int
		answer, err := session.Get(t.Context(), next, query, &page)
		if err != nil {
			t.Fatal(err)
		}
		all, next = append(all, page...), answer.Next
	}
	if len(all) != 4 || all[3] != 4 {
		t.Errorf("got %v", all)
	}
	var asked []string
	for _, r := range srv.asked() {
		asked = append(asked, r.RequestURI)
	}
	want := "/repos/o/r/issues?per_page=100 /repositories/1/issues?per_page=100&page=2 /repositories/1/issues?page=3"
	if got := strings.Join(asked, " "); got != want {
		t.Errorf("asked\n%s\nwant\n%s", got, want)
	}
}

// A Link header may lead nowhere but to the API.
func TestNextPageIsOfTheAPI(t *testing.T) {
	other := serve(t, reply(200, `[]`))
	srv := serve(t, reply(200, `[]`, "Link", `<`+other.server.URL+`/items?page=2>; rel="next"`))
	session := client(srv.server.URL).Session(withToken)
	answer, err := session.Get(t.Context(), "items", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = session.Get(t.Context(), answer.Next, nil, nil)
	wantError(t, err, Other, "a URL outside of "+srv.server.URL+" is not asked for here")
	if len(other.asked()) != 0 {
		t.Error("another host was asked")
	}
}

func TestCancelledCallSaysWhy(t *testing.T) {
	hold := make(chan struct{})
	srv := serve(t, func(http.ResponseWriter, *http.Request) { <-hold })
	defer close(hold)
	ctx, cancel := context.WithTimeoutCause(t.Context(), 10*time.Millisecond, errors.New("no answer within a moment"))
	defer cancel()
	_, err := client(srv.server.URL).Session(nil).Get(ctx, "slow", nil, nil)
	if err == nil || err.Error() != "no answer within a moment" {
		t.Errorf("error %v", err)
	}
}
