package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pifetch/daemon"
	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/internal/agenttext"
	"pifetch/router"
)

// mcpRig is pifetchctl mcp with a client of the Go SDK at its other end.
type mcpRig struct {
	t      *testing.T
	client *mcp.ClientSession
	told   chan string   // messages of progress
	ended  chan error    // what runMCP returned
	end    func()        // the signal to the program
	input  io.Closer     // the client's end of stdin
	sent   *lockedBuffer // all that went to stdout
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// startMCP serves the daemon of agentDir.
func startMCP(t *testing.T, agentDir string, o mcpOptions) *mcpRig {
	t.Helper()
	t.Setenv("PI_CODING_AGENT_DIR", agentDir)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	r := &mcpRig{t: t, told: make(chan string, 100), ended: make(chan error, 1), input: toServer, sent: &lockedBuffer{}}
	env := map[string]string{"GH_TOKEN": "ghp_mine", "DISPLAY": ":7", "UNRELATED": "x"}
	a := &app{in: in, out: io.MultiWriter(r.sent, out), err: t.Output(), getenv: func(k string) string { return env[k] }, noSpawn: true}
	ctx, cancel := context.WithCancel(t.Context())
	r.end = cancel
	go func() {
		r.ended <- runMCP(ctx, a, o)
		out.Close()
	}()
	c := mcp.NewClient(&mcp.Implementation{Name: "te\x1b[31mst", Version: "9"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			r.told <- req.Params.Message
		},
	})
	var err error
	r.client, err = c.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.client.Close()
		cancel()
	})
	return r
}

// call calls a tool and asks for progress.
func (r *mcpRig) call(ctx context.Context, tool string, args map[string]any) (*mcp.CallToolResult, error) {
	p := &mcp.CallToolParams{Name: tool, Arguments: args}
	p.SetProgressToken("p")
	return r.client.CallTool(ctx, p)
}

// said is the text of a result, which must be all there is of it.
func (r *mcpRig) said(res *mcp.CallToolResult, err error) (text string, isError bool) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
	if len(res.Content) != 1 || res.StructuredContent != nil {
		r.t.Fatalf("not text alone: %+v", res)
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

func (r *mcpRig) waitEnd() {
	r.t.Helper()
	select {
	case err := <-r.ended:
		if err != nil {
			r.t.Errorf("runMCP: %v", err)
		}
	case <-time.After(daemontest.Guard):
		r.t.Fatal("runMCP does not end")
	}
}

// wantSoon takes one value from c; when none comes it is the zero value, and
// the test has failed.
func wantSoon[T any](t *testing.T, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(daemontest.Guard):
		t.Errorf("waited for %s", what)
	}
	return v
}

func TestMCPOffers(t *testing.T) {
	for _, allow := range []bool{false, true} {
		r := startMCP(t, daemontest.Paths(t).AgentDir, mcpOptions{allowOpenBrowser: allow})
		list, err := r.client.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		offer, err := json.MarshalIndent(map[string]any{"capabilities": r.client.InitializeResult().Capabilities, "tools": list.Tools}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		name := "mcp/tools.json"
		if allow {
			name = "mcp/tools-open-browser.json"
		}
		golden(t, name, string(offer)+"\n")
		if got := r.client.InitializeResult().Instructions; !strings.Contains(got, agenttext.Guidelines()[0]) {
			t.Errorf("instructions %q", got)
		}
	}
}

func TestMCPFetch(t *testing.T) {
	goOn := make(chan struct{})
	rt := &daemontest.Router{OnFetch: func(ctx context.Context, req router.Request) (fetchers.Result, error) {
		req.Status(req.URLs[0], fetchers.Stage{Name: fetchers.StageStarted})
		select {
		case <-goOn:
		case <-ctx.Done():
		}
		return (&daemontest.Router{}).Fetch(ctx, req)
	}}
	d := daemontest.Start(t, func(c *daemon.Config) { c.Router = rt })
	r := startMCP(t, d.Config.Paths.AgentDir, mcpOptions{})
	args := map[string]any{"urls": []string{"https://a.example/", "ftp://b.example/"}, "objective": "what"}
	go func() {
		if got := wantSoon(t, "progress", r.told); got != "0/2 · started https://a.example/" {
			t.Errorf("progress %q", got)
		}
		close(goOn)
	}()
	digest, isError := r.said(r.call(t.Context(), "web_fetch", args))
	want := "1. https://a.example/\n   https://a.example/\n\nFailed:\n- ftp://b.example/\n  http and https only"
	if digest != want || isError {
		t.Errorf("digest %q, isError %t, want %q", digest, isError, want)
	}
	r.said(r.call(t.Context(), "web_fetch", args))
	reqs := d.Router.Requests()
	if len(reqs) != 2 {
		t.Fatalf("%d requests, want 2", len(reqs))
	}
	got := reqs[0].Fetch
	if got.Objective != "what" || !strings.HasPrefix(got.Session, "mcp-") || got.Session != reqs[1].Fetch.Session {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(fetchers.Env{"GH_TOKEN": "ghp_mine"}, got.Env); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"DISPLAY": ":7"}, got.Display); diff != "" {
		t.Error(diff)
	}
	r.input.Close()
	r.waitEnd()
	for line := range strings.Lines(r.sent.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("stdout has a line that is not the protocol's: %q", line)
		}
	}
}

// A call of the daemon's is found under the client's name, and ends there when
// the client cancels it, leaves, or the program is told to end.
func TestMCPCancel(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(r *mcpRig, cancel func())
		over bool // the program ends
	}{
		{"cancelled", func(_ *mcpRig, cancel func()) { cancel() }, false},
		{"client gone", func(r *mcpRig, _ func()) { r.input.Close() }, true},
		{"signal", func(r *mcpRig, _ func()) { r.end() }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			started, gone := make(chan string, 1), make(chan error, 1)
			rt := &daemontest.Router{OnFetch: func(ctx context.Context, req router.Request) (fetchers.Result, error) {
				started <- req.URLs[0]
				<-ctx.Done()
				gone <- context.Cause(ctx)
				return fetchers.Result{}, context.Cause(ctx)
			}}
			d := daemontest.Start(t, func(c *daemon.Config) { c.Router = rt })
			r := startMCP(t, d.Config.Paths.AgentDir, mcpOptions{})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go r.call(ctx, "web_fetch", map[string]any{"urls": []string{"https://a.example/"}})
			wantSoon(t, "the fetch", started)
			status, err := d.Client(t).Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(status.Requests) == 0 || status.Requests[0].Client != "mcp/test" {
				t.Errorf("requests %+v", status.Requests)
			}
			tt.end(r, cancel)
			wantSoon(t, "the end of the fetch", gone)
			if tt.over {
				r.waitEnd()
			}
		})
	}
}

func TestMCPErrors(t *testing.T) {
	absent := daemontest.Paths(t).AgentDir
	refusing := daemontest.Start(t, func(c *daemon.Config) {
		c.Router = &daemontest.Router{OnFetch: func(context.Context, router.Request) (fetchers.Result, error) {
			return fetchers.Result{}, wire.Errorf(wire.CodeBadSettings, "tabs is 0")
		}}
		c.Browser = &daemontest.Browser{OpenErr: wire.Errorf(wire.CodeNoDisplay, "no display for the login window")}
	}).Config.Paths.AgentDir
	urls := func(urls ...string) map[string]any { return map[string]any{"urls": append([]string{}, urls...)} }
	for _, tt := range []struct {
		name, agent, tool string
		args              map[string]any
		want              string // a part of it
	}{
		{"no daemon", absent, "web_fetch", urls("https://a.example/"), "error: pifetchd is not running\nhint: pifetchctl fetch starts it"},
		{"request refused", refusing, "web_fetch", urls("https://a.example/"), "error: tabs is 0\nhint: correct settings.json"},
		{"no URLs", refusing, "web_fetch", urls(), "minItems"},
		{"too many URLs", refusing, "web_fetch", urls(strings.Split(strings.Repeat("https://a.example/ ", 51), " ")[:51]...), "maxItems"},
		{"URLs are a string", refusing, "web_fetch", map[string]any{"urls": "https://a.example/"}, "array"},
		{"unknown argument", refusing, "web_fetch", map[string]any{"urls": []string{"https://a.example/"}, "prompt": "x"}, "prompt"},
		{"no display", refusing, "open_browser", map[string]any{"url": "https://a.example/it's"}, "error: no display for the login window\nhint: pifetchctl open-browser 'https://a.example/it%27s'"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := startMCP(t, tt.agent, mcpOptions{allowOpenBrowser: true})
			text, isError := r.said(r.call(t.Context(), tt.tool, tt.args))
			if !isError || !strings.Contains(text, tt.want) {
				t.Errorf("isError %t, %q, want %q in it", isError, text, tt.want)
			}
		})
	}
}

// A daemon that dies in the middle of a call fails each of its URLs once.
func TestMCPDaemonLost(t *testing.T) {
	agent := daemontest.Paths(t)
	r := startMCP(t, agent.AgentDir, mcpOptions{})
	dying(t, agent.Sock)
	text, isError := r.said(r.call(t.Context(), "web_fetch", map[string]any{"urls": []string{"https://a.example/", "https://b.example/", "https://A.example"}}))
	const reason = "the connection to pifetchd was lost: pifetchd closed it"
	want := "Failed:\n- https://a.example/\n  " + reason + "\n- https://b.example/\n  " + reason
	if !isError || text != want {
		t.Errorf("isError %t, %q, want %q", isError, text, want)
	}
}

// The client hears of a window that takes its time, which opens on its screen.
func TestMCPOpenBrowserProgress(t *testing.T) {
	var shown map[string]string
	goOn := make(chan struct{})
	d := daemontest.Start(t, func(c *daemon.Config) {
		c.Browser = &daemontest.Browser{OnOpen: func(display map[string]string) {
			shown = display
			<-goOn
		}}
	})
	r := startMCP(t, d.Config.Paths.AgentDir, mcpOptions{allowOpenBrowser: true})
	go func() {
		defer close(goOn)
		if got := wantSoon(t, "progress", r.told); got != "opening Chrome" {
			t.Errorf("progress %q", got)
		}
	}()
	if text, isError := r.said(r.call(t.Context(), "open_browser", nil)); isError {
		t.Error(text)
	}
	if diff := cmp.Diff(map[string]string{"DISPLAY": ":7"}, shown); diff != "" {
		t.Error(diff)
	}
}

func TestMCPOpenBrowser(t *testing.T) {
	d := daemontest.Start(t)
	r := startMCP(t, d.Config.Paths.AgentDir, mcpOptions{allowOpenBrowser: true})
	text, isError := r.said(r.call(t.Context(), "open_browser", map[string]any{"url": "https://a.example/login"}))
	if want := chromeOpened + "\nask the user to log in there and to quit Chrome, then fetch again"; text != want || isError {
		t.Errorf("%q, isError %t, want %q", text, isError, want)
	}
	text, _ = r.said(r.call(t.Context(), "open_browser", nil))
	if want := "Chrome was open already\n"; !strings.HasPrefix(text, want) {
		t.Errorf("%q, want %q first", text, want)
	}
	if diff := cmp.Diff([]string{"https://a.example/login", ""}, d.Browser.Opened()); diff != "" {
		t.Error(diff)
	}
}

func TestMCPProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type message struct {
			after time.Duration
			n     int
			text  string
		}
		var got []message
		begin := time.Now()
		p := newMCPProgress(3, func(n int, text string) { got = append(got, message{time.Since(begin), n, text}) })
		show := func(url string, s fetchers.Stage) {
			p.show(wire.StatusEvent{URL: url, Stage: s})
			synctest.Wait()
		}
		time.Sleep(6 * time.Second)
		show("https://a.example/", fetchers.Stage{Name: fetchers.StageWritten})
		time.Sleep(time.Second)
		show("https://b.example/", fetchers.Stage{Name: fetchers.StageSettling})
		show("https://b.example/\x1b[2J", fetchers.Stage{Name: fetchers.StageDownloading, Bytes: 3 << 20})
		time.Sleep(11 * time.Second)
		show("https://b.example/", fetchers.Stage{Name: fetchers.StageWritten})
		p.stop()
		time.Sleep(time.Minute)
		want := []message{
			{5 * time.Second, 1, "0/3 · waiting for pifetchd"},
			{6100 * time.Millisecond, 2, "1/3 · written https://a.example/"},
			{7100 * time.Millisecond, 3, "1/3 · downloading 3.0MB https://b.example/"},
			{12100 * time.Millisecond, 4, "1/3 · downloading 3.0MB https://b.example/"},
			{17100 * time.Millisecond, 5, "1/3 · downloading 3.0MB https://b.example/"},
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(message{})); diff != "" {
			t.Error(diff)
		}
	})
}

func TestClientName(t *testing.T) {
	named := func(name string) *mcp.InitializeParams {
		return &mcp.InitializeParams{ClientInfo: &mcp.Implementation{Name: name}}
	}
	for _, tt := range []struct {
		params *mcp.InitializeParams
		want   string
	}{
		{nil, "mcp"},
		{&mcp.InitializeParams{}, "mcp"},
		{named(""), "mcp"},
		{named("claude-code"), "mcp/claude-code"},
		{named(strings.Repeat("x", 100)), "mcp/" + strings.Repeat("x", 59) + "…"},
	} {
		if got := clientName(tt.params); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.params, got, tt.want)
		}
	}
}

// dying is a daemon that begins with a fetch and closes the connection.
func dying(t *testing.T, sock string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(sock), 0o700); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("unix", sock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		nc, err := ln.Accept()
		if err != nil {
			return
		}
		defer nc.Close()
		lines := wire.NewReader(nc, wire.MaxRequestLine)
		for {
			line, err := lines.Read()
			if err != nil {
				return
			}
			h, err := wire.ParseHeader(line)
			if err != nil {
				t.Errorf("%s: %v", line, err)
				return
			}
			if h.Op != wire.OpHello {
				io.WriteString(nc, `{"id":"`+h.ID+`","event":"status","url":"https://a.example/","stage":"started"}`+"\n")
				return
			}
			io.WriteString(nc, `{"id":"`+h.ID+`","event":"result","op":"hello","protocol":"1.0","version":"1","pid":1,"managed":false,"capabilities":[],"state":"serving"}`+"\n")
		}
	}()
}
