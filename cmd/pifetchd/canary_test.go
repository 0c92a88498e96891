package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pifetch/daemon/daemontest"
	"pifetch/daemon/rundir"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/test/fakegithub"
)

// output is what a test keeps of several writers.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// composed is the composed daemon in this process, which logs all there is to
// log to the returned output until stop.
func composed(t *testing.T, paths rundir.Paths) (log *output, stop func()) {
	t.Helper()
	log = &output{}
	signals, done := make(chan os.Signal, 2), make(chan error, 1)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	logger := slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	go func() { done <- compose(ctx, origin{paths: paths}, signals, logger) }()
	stop = sync.OnceFunc(func() {
		signals <- syscall.SIGTERM
		if err := <-done; err != nil {
			t.Errorf("daemon: %v", err)
		}
		cancel()
	})
	t.Cleanup(stop)
	return log, stop
}

func connect(t *testing.T, paths rundir.Paths) *daemontest.Conn {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if nc, err := net.Dial("unix", paths.Sock); err == nil {
			return daemontest.NewConn(t, nc)
		} else if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// tracedGit puts a git first in PATH that writes the arguments of each of its
// runs, and of all that git runs in turn, to the file args, and its environment
// to the file environ.
func tracedGit(t *testing.T) (args, environ string) {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args, environ = filepath.Join(dir, "args"), filepath.Join(dir, "environ")
	script := fmt.Sprintf("#!/bin/sh\nenv >>'%s'\nGIT_TRACE2_EVENT='%s' exec '%s' \"$@\"\n", environ, args, git)
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return args, environ
}

// canary is a token, in all the forms in which it may be met.
type canary []string

func newCanary(token string) canary {
	login := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))
	return canary{token, base64.StdEncoding.EncodeToString([]byte(token)), login, token[len(token)-12:]}
}

func (c canary) absent(t *testing.T, where, text string) {
	t.Helper()
	for _, form := range c {
		if i := strings.Index(text, form); i >= 0 {
			t.Errorf("a token in %s: …%.200q", where, text[max(0, i-80):])
		}
	}
}

// A token is known to the API and to GitHub's git alone: it stands in no log,
// answer, file or argument, and is sent to no other host. Git itself has it in
// its environment, which only the user's own processes can read.
func TestTokensStayWhereTheyBelong(t *testing.T) {
	f := fakegithub.New(t)
	args, environ := tracedGit(t)
	var foreign output
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		dump, _ := httputil.DumpRequest(r, true)
		foreign.Write(dump)
		fmt.Fprint(w, `{"Go": 1}`)
	}))
	defer other.Close()
	f.FailAlways("api /repos/octo/hello/languages", fakegithub.Failure{Status: 302, Header: map[string]string{"Location": other.URL + "/languages"}})

	paths := agent(t)
	e := f.Endpoints()
	settings, err := json.Marshal(map[string]any{"webTools": map[string]any{"fetch": map[string]any{
		"browser":   map[string]any{"executablePath": filepath.Join(paths.AgentDir, "no-chrome")}, // what cascades goes nowhere
		"artifacts": map[string]any{"root": filepath.Join(paths.AgentDir, "files")},
		"github":    map[string]any{"endpoints": map[string]string{"api": e.API, "web": e.Web, "raw": e.Raw, "gist": e.Gist, "codeload": e.Codeload}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(paths.AgentDir, "settings.json"), settings, 0o600); err != nil {
		t.Fatal(err)
	}

	const (
		expired   = "ghp_expiredCanaryExpiredCanary0123456789"
		malformed = "ghp_malformed Canary"
	)
	t.Setenv("GITHUB_TOKEN", "")
	t.Setenv("GH_TOKEN", f.Token) // the daemon's own
	log, stop := composed(t, paths)
	conn := connect(t, paths)
	var answers strings.Builder
	ask := func(request string) daemontest.Message {
		t.Helper()
		conn.Send(request)
		for {
			m := conn.Next()
			answers.WriteString(m.Line)
			if m.Event == wire.EventResult || m.Event == wire.EventError {
				return m
			}
		}
	}
	urls := []string{
		"https://github.com/octo/secret", "https://github.com/octo/secret/blob/main/plan.txt", "https://github.com/octo/secret/issues/1",
		"https://github.com/octo/secret/archive/main.tar.gz", "https://github.com/octo/hello/pull/8", "https://github.com/octo/hello/pull/10.diff",
		"https://github.com/octo/hello/wiki/%C3%9Cn%C3%AFcode", "https://github.com/octo/hello/releases/download/v1.1.0/hello-linux-amd64.tar.gz",
		"https://raw.githubusercontent.com/octo/hello/main/go.mod", "https://gist.github.com/ada/aa5a315d61ae9438b18d", "https://github.com/octo/hello/issues",
		"https://github.com/octo/hello/compare/v1.0.0...main", "https://github.com/octo/hello/discussions/20",
		"https://api.github.com/repos/octo/hello/languages", "https://github.com/octo/nowhere", "https://github.com/octo/hello/issues/999",
		"https://github.com/settings/tokens", "https://github.com/octo/hello/blob/gone/README.md",
	}
	for i, tt := range []struct {
		env       fetchers.Env
		tree      bool
		urls      []string
		documents int // -1: not looked at
	}{
		{fetchers.Env{"GH_TOKEN": f.Token}, false, urls, 14},
		{fetchers.Env{"GITHUB_TOKEN": f.Token}, true, []string{"https://github.com/octo/hello/tree/main/docs", "https://github.com/octo/secret/tree/main"}, 2},
		{nil, false, urls, 14},
		{fetchers.Env{"GH_TOKEN": expired}, false, urls, -1},
		{fetchers.Env{"GH_TOKEN": malformed}, false, urls, -1},
		{fetchers.Env{"GH_TOKEN": expired}, true, []string{"https://github.com/octo/hello/tree/main/docs"}, -1},
	} {
		request, err := json.Marshal(wire.FetchRequest{Header: wire.Header{ID: fmt.Sprint(i), Op: wire.OpFetch}, URLs: tt.urls, Env: tt.env, Tree: tt.tree})
		if err != nil {
			t.Fatal(err)
		}
		var res wire.FetchResult
		if line := ask(string(request)).Line; json.Unmarshal([]byte(line), &res) != nil || len(res.Outcomes) != len(tt.urls) {
			t.Fatalf("request %d: %s", i, line)
		}
		documents := 0
		for _, o := range res.Outcomes {
			if o.Document != nil {
				documents++
			}
		}
		if tt.documents >= 0 && documents != tt.documents {
			t.Errorf("request %d: %d documents, want %d", i, documents, tt.documents)
		}
	}
	ask(`{"id":"status","op":"status"}`)
	ask(`{"id":"explain","op":"explain","url":"https://github.com/octo/hello/pull/8"}`)
	conn.Close()
	stop()

	all := append(newCanary(f.Token), append(newCanary(expired), newCanary(malformed)...)...)
	all.absent(t, "the log", log.String())
	all.absent(t, "the answers", answers.String())
	all.absent(t, "a request of another host", foreign.String())
	all.absent(t, "the arguments of git", content(t, args))
	err = filepath.WalkDir(paths.AgentDir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all.absent(t, path, path+content(t, path))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	authorized := map[fakegithub.Host]int{}
	for _, c := range f.Calls() {
		if c.Authorized {
			authorized[c.Host]++
			if c.Host != fakegithub.API && !(c.Host == fakegithub.Web && strings.Contains(c.Path, ".git/")) {
				t.Errorf("the token was sent to the %s host: %s", c.Host, c.Path)
			}
		}
	}

	// What was looked into is what it is taken for.
	for _, tt := range []struct{ where, holds string }{
		{log.String(), `"level":"DEBUG"`},
		{answers.String(), "the token from GH_TOKEN is not valid"},
		{foreign.String(), "GET /languages"},
		{content(t, args), `"git","remote-http"`},
		{content(t, environ), "Authorization: Basic " + newCanary(f.Token)[2]},
		{fmt.Sprint(authorized[fakegithub.API] > 0, authorized[fakegithub.Web] > 0), "true true"},
	} {
		if !strings.Contains(tt.where, tt.holds) {
			t.Errorf("no %q in\n%.2000s", tt.holds, tt.where)
		}
	}
}

func content(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
