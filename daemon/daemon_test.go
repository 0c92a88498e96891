package daemon_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pifetch/daemon"
	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/router"
)

func wait[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(daemontest.Guard):
		t.Fatalf("%s: nothing after %s", what, daemontest.Guard)
		panic("unreachable")
	}
}

func TestHello(t *testing.T) {
	s := daemontest.Start(t)
	got := s.Client(t).Hello()
	want := wire.HelloResult{
		Event: got.Event, Protocol: wire.Protocol, Version: "1.0.0-test", PID: os.Getpid(),
		Capabilities: []string{
			"cancel", "close-browser", "explain", "fetch", "fetch.raw", "hello", "open-browser", "open-browser.wait", "retire", "status",
		},
		State: wire.StateServing,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestLinesThatAreNoRequests(t *testing.T) {
	s := daemontest.Start(t)
	c := s.Dial(t)
	for _, tt := range []struct {
		name, line, id string
		code           wire.Code
		says           string
	}{
		{"not JSON", `hello`, "", wire.CodeBadRequest, "not JSON"},
		{"no id", `{"op":"hello"}`, "", wire.CodeBadRequest, "id:"},
		{"empty id", `{"id":"","op":"hello"}`, "", wire.CodeBadRequest, "id:"},
		{"id is a number", `{"id":7,"op":"hello"}`, "", wire.CodeBadRequest, "id:"},
		{"op is a number", `{"id":"1","op":7}`, "1", wire.CodeBadRequest, "op:"},
		{"no op", `{"id":"1"}`, "1", wire.CodeUnknownOp, `unknown op ""`},
		{"unknown op", `{"id":"1","op":"search"}`, "1", wire.CodeUnknownOp, `unknown op "search"`},
		{"too long", `{"id":"1","op":"` + strings.Repeat("x", wire.MaxRequestLine) + `"}`, "", wire.CodeLineTooLong, "1048576"},
		{"target missing", `{"id":"1","op":"cancel"}`, "1", wire.CodeBadRequest, "target:"},
		{"client is a number", `{"id":"1","op":"hello","client":1}`, "1", wire.CodeBadRequest, "client:"},
		{"url of explain", `{"id":"1","op":"explain"}`, "1", wire.CodeBadRequest, "url:"},
		{"url of open-browser", `{"id":"1","op":"open-browser","url":"--remote-debugging-port=1"}`, "1", wire.CodeBadRequest, "url:"},
		{"file for open-browser", `{"id":"1","op":"open-browser","url":"file:///etc/passwd"}`, "1", wire.CodeBadRequest, "url:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c.Send(tt.line, "")
			m := c.Next()
			if m.Event != wire.EventError || m.ID != tt.id || m.Code != tt.code || !strings.Contains(m.Reason, tt.says) {
				t.Errorf("got %s", m.Line)
			}
			c.Send(`{"id":"after","op":"hello"}`)
			if m := c.Next(); m.ID != "after" || m.Event != wire.EventResult {
				t.Errorf("then %s", m.Line)
			}
		})
	}
}

func TestFetchIsChecked(t *testing.T) {
	many := `"https://example.com/"` + strings.Repeat(`,"https://example.com/"`, wire.MaxURLs)
	s := daemontest.Start(t)
	c := s.Dial(t)
	for _, tt := range []struct{ fields, says string }{
		{`"urls":[]`, "urls: 1 to 50"},
		{`"objective":"x"`, "urls: 1 to 50"},
		{`"urls":[` + many, "urls: at most 50 are allowed, got 51"},
		{`"urls":["a",""]`, "urls[1]: is empty"},
		{`"urls":"a"`, "urls: a JSON string does not fit here"},
		{`"urls":["a",1]`, "urls: a JSON number does not fit here"},
		{`"url":"a"`, "downloadDir: an absolute path"},
		{`"downloadDir":"/a"`, "url: is needed"},
		{`"env":{"GH_TOKEN":1}`, "env"},
		{`"urls":["a"],"artifactRoot":"a/b"`, "artifactRoot: an absolute path"},
		{`"url":"a","downloadDir":"a"`, "downloadDir: an absolute path"},
		{`"url":"a","downloadDir":"/a","urls":["a"]`, "urls: does not go together"},
		{`"urls":["a"],"downloadDir":"/a"`, "urls: does not go together"},
		{`"url":"a","downloadDir":"/a","artifactRoot":"/a"`, "artifactRoot: does not go together"},
	} {
		fields := tt.fields
		if strings.HasSuffix(fields, `"https://example.com/"`) {
			fields += "]"
		}
		c.Send(`{"id":"1","op":"fetch",` + fields + `}`)
		if m := c.Await(); m.Code != wire.CodeBadRequest || !strings.Contains(m.Reason, tt.says) {
			t.Errorf("%.60s: got %s", fields, m.Line)
		}
	}
	if n := len(s.Router.Requests()); n != 0 {
		t.Errorf("%d requests reached the router", n)
	}
	c.Send(`{"id":"1","op":"fetch","urls":[` + strings.Repeat(`"https://example.com/",`, wire.MaxURLs-1) + `"https://example.com/"]}`)
	if m := c.Await(); m.Event != wire.EventResult {
		t.Errorf("50 URLs: %.200s", m.Line)
	}
}

func TestFetch(t *testing.T) {
	s := daemontest.Start(t)
	c := s.Dial(t)
	c.Send(`{"id":"7","op":"fetch","urls":["https://example.com/","ftp://example.com/"],"objective":"o","artifactRoot":"/r","session":"s",` +
		`"env":{"GH_TOKEN":"t","LD_PRELOAD":"x"},"display":{"DISPLAY":":0"},"tree":true}`)
	if m := c.Next(); m.Event != wire.EventStatus || m.ID != "7" || m.URL != "https://example.com/" || m.Stage != fetchers.StageStarted {
		t.Errorf("got %s", m.Line)
	}
	var got wire.FetchResult
	line := c.Next().Line
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		t.Fatal(err)
	}
	want := wire.FetchResult{
		Event:  wire.Event{ID: "7", Event: wire.EventResult, Op: wire.OpFetch},
		Digest: got.Digest,
		Result: fetchers.Result{
			ArtifactRoot: "/r",
			Outcomes: []fetchers.Outcome{
				{
					URL:      "https://example.com/",
					Document: &fetchers.Document{Kind: "fake.page", Source: "fake", URL: "https://example.com/", Title: "https://example.com/", Bodies: []fetchers.Body{}},
					Attempts: []fetchers.Attempt{},
				},
				{URL: "ftp://example.com/", Attempts: []fetchers.Attempt{}, Reason: "http and https only"},
			},
			Warnings: []string{},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" || got.Digest == "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if strings.Contains(line, "null") {
		t.Errorf("a list is null: %s", line)
	}
	asked := s.Router.Requests()[0]
	asked.Status = nil
	if diff := cmp.Diff(router.Request{
		URLs: []string{"https://example.com/", "ftp://example.com/"}, ArtifactRoot: "/r",
		Fetch: fetchers.Request{Objective: "o", Session: "s", Env: fetchers.Env{"GH_TOKEN": "t"}, Tree: true, Display: map[string]string{"DISPLAY": ":0"}},
	}, asked); diff != "" {
		t.Errorf("router: -want +got:\n%s", diff)
	}
}

// The client's name decides how a reason says to open the login window.
func TestFetchersLearnTheClientsName(t *testing.T) {
	raw := make(chan string, 1)
	s := daemontest.Start(t, func(c *daemon.Config) {
		c.Raw = func(_ context.Context, req daemon.RawRequest) (wire.RawResult, error) {
			raw <- req.Fetch.OpenBrowser(req.URL)
			return wire.RawResult{}, nil
		}
	})
	s.Router.OnFetch = func(_ context.Context, req router.Request) (fetchers.Result, error) {
		return fetchers.Result{Outcomes: []fetchers.Outcome{{
			URL:      req.URLs[0],
			Attempts: []fetchers.Attempt{{Source: "fake", Reason: "login needed — run: " + req.Fetch.OpenBrowser(req.URLs[0])}},
		}}}, nil
	}
	for client, want := range map[string]string{
		"":                 "pifetchctl open-browser 'https://example.com/'",
		"pifetchctl/1.2.0": "pifetchctl open-browser 'https://example.com/'",
		"pi/1.6.0":         "/open-browser https://example.com/",
	} {
		c := s.Dial(t)
		if client != "" {
			c.Send(`{"id":"h","op":"hello","client":"` + client + `"}`)
			c.Await()
		}
		c.Send(fetchLine)
		m := c.Await()
		if n := strings.Count(m.Line, "run: "+want); n != 2 { // in the digest and in the outcome
			t.Errorf("client %q: %d times %q in %s", client, n, want, m.Line)
		}
		c.Send(`{"id":"r","op":"fetch","url":"https://example.com/","downloadDir":"/d"}`)
		if m := c.Await(); m.Event != wire.EventResult {
			t.Errorf("raw: got %s", m.Line)
		}
		if got := wait(t, "raw fetch", raw); got != want {
			t.Errorf("client %q, raw: %q, want %q", client, got, want)
		}
	}
}

func TestSessionDefaultsToTheConnection(t *testing.T) {
	s := daemontest.Start(t)
	a, b := s.Dial(t), s.Dial(t)
	for _, c := range []*daemontest.Conn{a, b, a} {
		c.Send(fetchLine)
		c.Await()
	}
	r := s.Router.Requests()
	if x, y, z := r[0].Fetch.Session, r[1].Fetch.Session, r[2].Fetch.Session; x == "" || x == y || x != z {
		t.Errorf("sessions %q, %q, %q", x, y, z)
	}
}

func TestRawFetch(t *testing.T) {
	asked := make(chan daemon.RawRequest, 1)
	s := daemontest.Start(t, func(c *daemon.Config) {
		c.Raw = func(_ context.Context, req daemon.RawRequest) (wire.RawResult, error) {
			if req.URL != "https://example.com/a" {
				return wire.RawResult{}, errors.New("404 Not Found")
			}
			asked <- req
			req.Status(fetchers.Stage{Name: fetchers.StageNavigating})
			return wire.RawResult{FinalURL: "https://example.com/b", File: "/d/page.html", ContentType: "text/html", Bytes: 7, Title: "B"}, nil
		}
	})
	c := s.Dial(t)
	c.Send(`{"id":"1","op":"fetch","url":"https://example.com/a","downloadDir":"/d","session":"s"}`)
	if m := c.Next(); m.Event != wire.EventStatus || m.URL != "https://example.com/a" {
		t.Errorf("got %s", m.Line)
	}
	want := `{"id":"1","event":"result","op":"fetch","finalUrl":"https://example.com/b","file":"/d/page.html","contentType":"text/html","bytes":7,"title":"B"}` + "\n"
	if m := c.Next(); m.Line != want {
		t.Errorf("got %s", m.Line)
	}
	if r := <-asked; r.Dir != "/d" || r.Fetch.Session != "s" {
		t.Errorf("asked for %+v", r)
	}
	c.Send(`{"id":"2","op":"fetch","url":"https://example.com/c","downloadDir":"/d"}`)
	if m := c.Await(); m.Code != wire.CodeFetchFailed || m.Reason != "404 Not Found" {
		t.Errorf("got %s", m.Line)
	}
}

func TestSettings(t *testing.T) {
	var bad atomic.Bool
	s := daemontest.Start(t, func(c *daemon.Config) {
		c.Settings = func() ([]string, time.Duration, error) {
			if bad.Load() {
				return nil, time.Hour, errors.New("webTools.fetch.browser.tabs: 1 to 32 are allowed, got 0")
			}
			return []string{`unknown key "webTools.fetch.x"`}, 0, nil
		}
	})
	c := s.Dial(t)
	c.Send(fetchLine)
	if m := c.Await(); !strings.Contains(m.Line, `"warnings":["unknown key \"webTools.fetch.x\""]`) {
		t.Errorf("fetch: %s", m.Line)
	}
	bad.Store(true)
	c.Send(fetchLine)
	if m := c.Await(); m.Code != wire.CodeBadSettings || !strings.HasPrefix(m.Reason, "webTools.fetch.browser.tabs:") {
		t.Errorf("fetch: %s", m.Line)
	}
	c.Send(`{"id":"s","op":"status"}`)
	if m := c.Await(); m.Event != wire.EventResult || !strings.Contains(m.Line, "webTools.fetch.browser.tabs:") {
		t.Errorf("status: %s", m.Line)
	}
}

func TestErrorsOfTheRouter(t *testing.T) {
	sentinel := errors.New("interactive browser is open")
	var err error
	s := daemontest.Start(t, func(c *daemon.Config) {
		c.Code = func(err error) wire.Code {
			if errors.Is(err, sentinel) {
				return wire.CodeInteractive
			}
			return ""
		}
	})
	s.Router.OnFetch = func(context.Context, router.Request) (fetchers.Result, error) { return fetchers.Result{}, err }
	c := s.Dial(t)
	for _, tt := range []struct {
		err    error
		code   wire.Code
		reason string
	}{
		{fmt.Errorf("fetch: %w", wire.Errorf(wire.CodeNoChrome, "no Chrome")), wire.CodeNoChrome, "no Chrome"},
		{fmt.Errorf("fetch: %w", sentinel), wire.CodeInteractive, "fetch: interactive browser is open"},
		{errors.New("first\nsecond"), wire.CodeFetchFailed, "first second"},
	} {
		err = tt.err
		c.Send(fetchLine)
		if m := c.Await(); m.Code != tt.code || m.Reason != tt.reason {
			t.Errorf("%v: got %s", tt.err, m.Line)
		}
	}
}

func TestPanicCostsOneRequest(t *testing.T) {
	s := daemontest.Start(t)
	s.Router.OnFetch = func(_ context.Context, req router.Request) (fetchers.Result, error) {
		if req.URLs[0] == "https://example.com/" {
			panic("boom")
		}
		return fetchers.Result{}, nil
	}
	c := s.Dial(t)
	c.Send(fetchLine)
	if m := c.Await(); m.Code != wire.CodeInternal || strings.Contains(m.Reason, "boom") {
		t.Errorf("got %s", m.Line)
	}
	c.Send(`{"id":"f","op":"fetch","urls":["https://example.com/2"]}`)
	if m := c.Await(); m.Event != wire.EventResult {
		t.Errorf("got %s", m.Line)
	}
}

func TestRequestsOfAConnectionRunConcurrently(t *testing.T) {
	s := daemontest.Start(t)
	first := make(chan struct{})
	s.Router.OnFetch = func(_ context.Context, req router.Request) (fetchers.Result, error) {
		if req.URLs[0] == "https://example.com/" {
			<-first
		} else {
			defer close(first)
		}
		return fetchers.Result{}, nil
	}
	c := s.Dial(t)
	c.Send(fetchLine, `{"id":"g","op":"fetch","urls":["https://example.com/2"]}`)
	got := []string{c.Await().ID, c.Await().ID}
	slices.Sort(got)
	if !slices.Equal(got, []string{"f", "g"}) {
		t.Errorf("answers to %v", got)
	}
}

func TestIDInFlightIsRefused(t *testing.T) {
	s := daemontest.Start(t)
	started := make(chan string, 1)
	s.Router.Block(started)
	c := s.Dial(t)
	c.Send(fetchLine)
	wait(t, "fetch", started)
	for _, line := range []string{fetchLine, `{"id":"f","op":"hello"}`, `{"id":"f","op":"cancel","target":"f"}`} {
		c.Send(line)
		if m := c.Await(); m.ID != "f" || m.Code != wire.CodeBadRequest {
			t.Errorf("%s: got %s", line, m.Line)
		}
	}
	other := s.Dial(t) // ids are a connection's own
	other.Send(`{"id":"f","op":"hello"}`)
	if m := other.Await(); m.Event != wire.EventResult {
		t.Errorf("got %s", m.Line)
	}
	c.Send(`{"id":"c","op":"cancel","target":"f"}`)
	c.Await()
	c.Await()
	c.Send(`{"id":"f","op":"hello"}`) // and free again
	if m := c.Await(); m.Event != wire.EventResult {
		t.Errorf("got %s", m.Line)
	}
}

func TestCancel(t *testing.T) {
	s := daemontest.Start(t)
	started := make(chan string, 2)
	s.Router.Block(started)
	c, other := s.Dial(t), s.Dial(t)
	c.Send(fetchLine, `{"id":"g","op":"fetch","urls":["https://example.com/2"]}`)
	wait(t, "fetch", started)
	wait(t, "fetch", started)
	other.Send(`{"id":"c","op":"cancel","target":"f"}`)
	if m := other.Await(); !strings.Contains(m.Line, `"found":false`) {
		t.Errorf("another connection's request: %s", m.Line)
	}
	c.Send(`{"id":"c","op":"cancel","target":"f"}`)
	answers := map[string]daemontest.Message{}
	for range 2 {
		m := c.Await()
		answers[m.ID] = m
	}
	if m := answers["c"]; !strings.Contains(m.Line, `"op":"cancel","found":true`) {
		t.Errorf("cancel: %s", m.Line)
	}
	if m := answers["f"]; m.Code != wire.CodeCancelled || m.Reason != "cancelled by the client" {
		t.Errorf("cancelled: %s", m.Line)
	}
	c.Send(`{"id":"c","op":"cancel","target":"f"}`)
	if m := c.Await(); !strings.Contains(m.Line, `"found":false`) {
		t.Errorf("again: %s", m.Line)
	}
	c.Send(`{"id":"s","op":"status"}`)
	if m := c.Await(); strings.Count(m.Line, `"op":"fetch"`) != 1 {
		t.Errorf("the other request is gone: %s", m.Line)
	}
}

func TestClientThatGoesCancelsItsOwnRequestsOnly(t *testing.T) {
	for name, leave := range map[string]func(c *daemontest.Conn) error{
		"closed":           func(c *daemontest.Conn) error { return c.Close() },
		"half closed":      func(c *daemontest.Conn) error { return c.Conn.(*net.UnixConn).CloseWrite() },
		"within a request": func(c *daemontest.Conn) error { c.Write([]byte(`{"id":"x"`)); return c.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			s := daemontest.Start(t)
			causes := make(chan string, 3)
			started := make(chan struct{}, 3)
			s.Router.OnFetch = func(ctx context.Context, req router.Request) (fetchers.Result, error) {
				started <- struct{}{}
				<-ctx.Done()
				causes <- req.Fetch.Session + ": " + context.Cause(ctx).Error()
				return fetchers.Result{}, ctx.Err()
			}
			going, staying := s.Dial(t), s.Dial(t)
			going.Send(`{"id":"1","op":"fetch","urls":["a"],"session":"going"}`, `{"id":"2","op":"fetch","urls":["b"],"session":"going"}`)
			staying.Send(`{"id":"1","op":"fetch","urls":["c"],"session":"staying"}`)
			for range 3 {
				wait(t, "fetch", started)
			}
			if err := leave(going); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if got := wait(t, "cause", causes); got != "going: the client hung up" {
					t.Errorf("got %q", got)
				}
			}
			if name == "half closed" {
				if m := going.Await(); m.Code != wire.CodeCancelled {
					t.Errorf("got %s", m.Line)
				}
			}
			staying.Send(`{"id":"s","op":"status"}`)
			if m := staying.Await(); strings.Count(m.Line, `"session":"staying"`) != 1 {
				t.Errorf("status: %s", m.Line)
			}
		})
	}
}

func TestControlRequestsPassAFullConnection(t *testing.T) {
	s := daemontest.Start(t)
	started := make(chan string, 40)
	s.Router.Block(started)
	c := s.Dial(t)
	for i := range 32 {
		c.Send(fmt.Sprintf(`{"id":"f%d","op":"fetch","urls":["https://example.com/%d"]}`, i, i))
		wait(t, "fetch", started)
	}
	c.Send(`{"id":"f32","op":"fetch","urls":["https://example.com/32"]}`)
	if m := c.Await(); m.ID != "f32" || m.Code != wire.CodeBusy {
		t.Errorf("the 33rd: %s", m.Line)
	}
	for _, op := range []string{"hello", "status", "close-browser", "retire"} {
		c.Send(`{"id":"` + op + `","op":"` + op + `"}`)
		if m := c.Await(); m.ID != op {
			t.Errorf("%s: %s", op, m.Line)
		}
	}
	c.Send(`{"id":"c","op":"cancel","target":"f0"}`)
	c.Await()
	c.Await()
	c.Send(`{"id":"f33","op":"fetch","urls":["https://example.com/33"]}`)
	if got := wait(t, "fetch", started); got != "https://example.com/33" {
		t.Errorf("started %s", got)
	}
}

func TestStatus(t *testing.T) {
	s := daemontest.Start(t)
	started := make(chan string, 1)
	s.Router.Block(started)
	c := s.Dial(t)
	c.Send(`{"id":"h","op":"hello","client":"pi/1.6.0"}`, `{"id":"f","op":"fetch","urls":["a","b"],"session":"s1"}`)
	wait(t, "fetch", started)
	got, err := s.Client(t).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := &wire.StatusResult{
		Event: got.Event, Version: "1.0.0-test", Protocol: wire.Protocol, PID: os.Getpid(), State: wire.StateServing,
		UptimeSecs: got.UptimeSecs,
		Requests:   []wire.RequestInfo{{Op: "fetch", Client: "pi/1.6.0", Session: "s1", URLs: 2, AgeSecs: got.Requests[0].AgeSecs}},
		Browser:    wire.BrowserStatus{Tabs: 6},
		Fetchers:   []string{"fake"},
		Warnings:   []string{},
		Limits:     []wire.Limit{{Source: "fake", Key: "anonymous", Resource: "core", Limit: 60}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestOpenBrowser(t *testing.T) {
	s := daemontest.Start(t)
	c := s.Dial(t)
	c.Send(`{"id":"1","op":"open-browser","url":"https://a.example/"}`)
	if m := c.Await(); m.Line != `{"id":"1","event":"result","op":"open-browser","pid":4711}`+"\n" {
		t.Errorf("got %s", m.Line)
	}
	c.Send(`{"id":"2","op":"open-browser","url":"HTTPS://b.example/","wait":true}`)
	if m := c.Next(); m.Event != wire.EventStatus || m.Stage != wire.StageOpened {
		t.Errorf("got %s", m.Line)
	}
	hangsUp := s.Dial(t)
	hangsUp.Send(`{"id":"1","op":"open-browser","wait":true}`)
	hangsUp.Next()
	hangsUp.Close()
	c.Send(`{"id":"3","op":"open-browser","wait":true}`, `{"id":"c","op":"cancel","target":"3"}`)
	for range 2 {
		c.Await()
	}
	if s.Browser.Window() == nil {
		t.Fatal("the window was closed by a client that hung up or cancelled")
	}
	c.Send(`{"id":"4","op":"close-browser"}`)
	got := []string{c.Await().Line, c.Await().Line}
	slices.Sort(got)
	if diff := cmp.Diff([]string{
		`{"id":"2","event":"result","op":"open-browser","pid":4711,"already":true,"closed":true}` + "\n",
		`{"id":"4","event":"result","op":"close-browser","closed":true}` + "\n",
	}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	c.Send(`{"id":"5","op":"close-browser"}`)
	if m := c.Await(); !strings.Contains(m.Line, `"closed":false`) {
		t.Errorf("got %s", m.Line)
	}
	if diff := cmp.Diff([]string{"https://a.example/", "HTTPS://b.example/", "", ""}, s.Browser.Opened()); diff != "" {
		t.Errorf("opened: -want +got:\n%s", diff)
	}
}

func TestExplain(t *testing.T) {
	s := daemontest.Start(t)
	c := s.Dial(t)
	c.Send(`{"id":"1","op":"explain","url":"https://example.com/","env":{"GH_TOKEN":"secret","PATH":"/bin"}}`)
	if m := c.Await(); m.Line != `{"id":"1","event":"result","op":"explain","url":"https://example.com/","source":"fake","fetchers":[{"source":"fake","claims":true,"auth":"GH_TOKEN"}]}`+"\n" {
		t.Errorf("got %s", m.Line)
	}
	c.Send(`{"id":"1","op":"explain","url":"git@example.com:a/b"}`)
	if m := c.Await(); m.Line != `{"id":"1","event":"result","op":"explain","url":"git@example.com:a/b","fetchers":[{"source":"fake","claims":false,"reason":"http and https only"}]}`+"\n" {
		t.Errorf("got %s", m.Line)
	}
}
