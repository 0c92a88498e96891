package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// ghScript makes a gh that does as the lines say and records its arguments
// and environment; its folder is returned.
func ghScript(t *testing.T, lines string) string {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf '%s\\n' \"$*\" GH_TOKEN=\"$GH_TOKEN\" GH_PROMPT_DISABLED=\"$GH_PROMPT_DISABLED\" >>" + dir + "/asked\n" + lines + "\n"
	if err := os.WriteFile(filepath.Join(dir, "gh"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestTokenOrder(t *testing.T) {
	gh := ghScript(t, "echo from-gh")
	none := ghScript(t, "echo 'no oauth token found for github.com' >&2; exit 1")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "github-token"), []byte("\n from-file\r\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	request := map[string]string{"GH_TOKEN": "request-gh", "GITHUB_TOKEN": "request-github"}
	for _, test := range []struct {
		name     string
		request  map[string]string
		env      []string
		agentDir string
		source   string
		text     string
	}{
		{"GH_TOKEN of the request", request, []string{"GH_TOKEN=daemon", "PATH=" + gh}, dir, "GH_TOKEN", "request-gh"},
		{"GITHUB_TOKEN of the request", map[string]string{"GH_TOKEN": " ", "GITHUB_TOKEN": "request-github\n"}, []string{"GH_TOKEN=daemon"}, dir, "GITHUB_TOKEN", "request-github"},
		{"GH_TOKEN of the daemon", nil, []string{"GITHUB_TOKEN=b", "GH_TOKEN=first", "GH_TOKEN=a"}, dir, "the daemon's GH_TOKEN", "a"},
		{"GITHUB_TOKEN of the daemon", nil, []string{"GITHUB_TOKEN=b", "GH_TOKEN="}, dir, "the daemon's GITHUB_TOKEN", "b"},
		{"file", nil, []string{"PATH=" + gh}, dir, "the file github-token", "from-file"},
		{"gh", nil, []string{"PATH=relative:" + t.TempDir() + ":" + gh}, t.TempDir(), "gh", "from-gh"},
		{"gh without a login", nil, []string{"PATH=" + none}, "", "anonymous", ""},
		{"none", nil, nil, "", "anonymous", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			srv := serve(t, reply(200, "{}"))
			c := client(srv.server.URL, func(cfg *Config) { cfg.Env, cfg.AgentDir = test.env, test.agentDir })
			s := c.Session(test.request)
			if got := s.Token(t.Context()); got != (test.text != "") {
				t.Errorf("Token() is %v", got)
			}
			tok, err := s.token(t.Context())
			if err != nil || tok.name() != test.source {
				t.Errorf("source %q, %v", tok.name(), err)
			}
			if _, err := s.Get(t.Context(), "user", nil, nil); err != nil {
				t.Fatal(err)
			}
			want := ""
			if test.text != "" {
				want = "Bearer " + test.text
			}
			if got := srv.asked()[0].Header.Get("Authorization"); got != want {
				t.Errorf("Authorization %q, want %q", got, want)
			}
		})
	}
	asked, err := os.ReadFile(filepath.Join(gh, "asked"))
	if want := "auth token --hostname github.com\nGH_TOKEN=\nGH_PROMPT_DISABLED=1\n"; err != nil || string(asked) != want {
		t.Errorf("gh was asked\n%s\n%v", asked, err)
	}
}

func TestTokensThatCannotBeSent(t *testing.T) {
	srv := serve(t, reply(200, "{}"))
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "github-token"), 0o755); err != nil {
		t.Fatal(err)
	}
	const why = " has a space, a line break or another character inside that no token has: "
	for name, test := range map[string]struct {
		request  map[string]string
		env      []string
		agentDir string
		message  string
	}{
		"space":          {map[string]string{"GH_TOKEN": "ghp_a b"}, nil, "", "the token from GH_TOKEN" + why + "set GH_TOKEN to a valid one"},
		"line break":     {map[string]string{"GITHUB_TOKEN": "ghp_a\r\nX-Evil: 1"}, nil, "", "the token from GITHUB_TOKEN" + why + "set GITHUB_TOKEN to a valid one"},
		"no ASCII":       {nil, []string{"GH_TOKEN=ghp_ä"}, "", "the token from the daemon's GH_TOKEN" + why + "set a valid GH_TOKEN and run: pifetchctl stop"},
		"file is folder": {nil, nil, dir, "the file github-token cannot be read: read " + dir + "/github-token: is a directory"},
	} {
		t.Run(name, func(t *testing.T) {
			s := client(srv.server.URL, func(cfg *Config) { cfg.Env, cfg.AgentDir = test.env, test.agentDir }).Session(test.request)
			if !s.Token(t.Context()) {
				t.Error("Token() is false: what needs one would be said to need one")
			}
			_, err := s.Get(t.Context(), "user", nil, nil)
			wantError(t, err, Unauthorized, test.message)
			var q viewer
			wantError(t, s.Query(t.Context(), &q, number), Unauthorized, test.message)
		})
	}
	if n := len(srv.asked()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// own is a client whose own token is whatever the pointer holds.
func own(t *testing.T, text *atomic.Pointer[string], handler func(n int, req *http.Request) *http.Response) (*Client, *atomic.Int32, func() int) {
	t.Helper()
	c, sent := answering(handler)
	looks := &atomic.Int32{}
	c.own.look = func() token {
		looks.Add(1)
		time.Sleep(100 * time.Millisecond)
		if *text.Load() == "" {
			return token{}
		}
		return newToken(*text.Load(), "gh", "run: gh auth login")
	}
	return c, looks, sent
}

func set(p *atomic.Pointer[string], s string) { p.Store(&s) }

func onlyTakes(text string) func(int, *http.Request) *http.Response {
	return func(_ int, req *http.Request) *http.Response {
		if req.Header.Get("Authorization") != "Bearer "+text {
			return response(401, `{"message":"Bad credentials"}`)
		}
		return response(200, `{"data":{"repository":{"name":"r"}}}`)
	}
}

func TestTokenIsLookedUpAgainAfter401(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text atomic.Pointer[string]
		set(&text, "old")
		c, looks, sent := own(t, &text, onlyTakes("new"))
		s := c.Session(nil)
		s.Token(t.Context())
		set(&text, "new")
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				var err error
				if i%2 == 0 {
					_, err = s.Get(t.Context(), "repos/o/r", nil, nil)
				} else {
					var q viewer
					err = s.Query(t.Context(), &q, number)
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		// Who has not been refused yet learns of the first refusal.
		if looks.Load() != 2 || sent() < 9 || sent() > 16 {
			t.Errorf("%d look-ups, %d requests; want 2, and 9 to 16", looks.Load(), sent())
		}
		time.Sleep(time.Hour) // a token that works is believed
		if _, err := s.Get(t.Context(), "repos/o/r", nil, nil); err != nil || looks.Load() != 2 {
			t.Errorf("%v, %d look-ups", err, looks.Load())
		}
	})
}

func TestTokenThatStaysBad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text atomic.Pointer[string]
		set(&text, "old")
		c, looks, sent := own(t, &text, onlyTakes("new"))
		s := c.Session(nil)
		const message = "401 Unauthorized: the token from gh is not valid: Bad credentials: run: gh auth login"
		for range 20 {
			_, err := s.Get(t.Context(), "repos/o/r", nil, nil)
			wantError(t, err, Unauthorized, message)
		}
		if looks.Load() != 2 || sent() != 1 {
			t.Errorf("%d look-ups, %d requests; want 2 and 1", looks.Load(), sent())
		}
		set(&text, "new")
		time.Sleep(recheck)
		if _, err := s.Get(t.Context(), "repos/o/r", nil, nil); err != nil {
			t.Error(err)
		}
	})
}

// After gh auth login the next fetch has the token, without a restart.
func TestTokenThatComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text atomic.Pointer[string]
		set(&text, "")
		c, looks, _ := own(t, &text, onlyTakes("new"))
		s := c.Session(nil)
		for range 5 {
			if s.Token(t.Context()) {
				t.Error("there is a token")
			}
		}
		if looks.Load() != 1 {
			t.Errorf("%d look-ups", looks.Load())
		}
		set(&text, "new")
		time.Sleep(recheck)
		if !s.Token(t.Context()) {
			t.Error("the new token was not found")
		}
	})
}

// The caller's own token is not looked up anywhere else, and the daemon's is
// not lent to it.
func TestRequestTokenThatIsBad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text atomic.Pointer[string]
		set(&text, "new")
		c, looks, _ := own(t, &text, onlyTakes("new"))
		_, err := c.Session(map[string]string{"GITHUB_TOKEN": "bad"}).Get(t.Context(), "repos/o/r", nil, nil)
		wantError(t, err, Unauthorized, "401 Unauthorized: the token from GITHUB_TOKEN is not valid: Bad credentials: set GITHUB_TOKEN to a valid one")
		if looks.Load() != 0 {
			t.Error("the daemon's token was looked up")
		}
		if _, err := c.Session(nil).Get(t.Context(), "repos/o/r", nil, nil); err != nil {
			t.Errorf("the daemon's own: %v", err)
		}
	})
}

// A gh that hangs costs one call its patience, not the daemon.
func TestCallerNeedNotWaitForGH(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := answering(func(int, *http.Request) *http.Response { return response(200, "{}") })
		c.own.look = func() token { time.Sleep(ghTimeout); return token{} }
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		if c.Session(nil).Token(ctx) || time.Since(start) != time.Second {
			t.Errorf("waited %s", time.Since(start))
		}
		if _, err := c.Session(nil).Get(t.Context(), "user", nil, nil); err != nil || time.Since(start) != ghTimeout {
			t.Errorf("%v after %s", err, time.Since(start))
		}
	})
}

func TestTokenIsSeenNowhere(t *testing.T) {
	var logged bytes.Buffer
	log := slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
	n := 0
	srv := serve(t, func(w http.ResponseWriter, req *http.Request) {
		n++
		switch n {
		case 1:
			reply(401, `{"message":"Bad credentials"}`)(w, req)
		case 2:
			reply(403, secondaryBody, "Retry-After", "60")(w, req)
		}
	})
	var seen strings.Builder
	for _, source := range []func(*Config) map[string]string{
		func(*Config) map[string]string { return withToken },
		func(cfg *Config) map[string]string { cfg.Env = []string{"GH_TOKEN=" + canary}; return nil },
	} {
		var env map[string]string
		c := client(srv.server.URL, func(cfg *Config) { cfg.Log = log; env = source(cfg) })
		s := c.Session(env)
		for range 2 {
			_, err := s.Get(t.Context(), "user", nil, nil)
			fmt.Fprintf(&seen, "%v %+v %#v\n", err, err, err)
		}
		tok, err := s.token(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		log.Info("token", "token", tok, "in", struct{ T token }{tok}, "budgets", c.Budgets())
		fmt.Fprintf(&seen, "%v %+v %#v %s %v %+v %#v %v\n", tok, tok, tok, tok, struct{ t token }{tok}, struct{ t token }{tok}, struct{ t token }{tok}, c.Budgets())
		if env != nil {
			fmt.Fprintf(&seen, "%v %+v %#v\n", s.given, *s, *s.given)
		}
		_, err = io.WriteString(&seen, fmt.Sprint(c.accounts))
		if err != nil {
			t.Fatal(err)
		}
	}
	if n == 0 || logged.Len() == 0 {
		t.Fatal("nothing happened")
	}
	for name, text := range map[string]string{"logs": logged.String(), "errors and prints": seen.String()} {
		if strings.Contains(text, canary) || strings.Contains(text, canary[8:20]) {
			t.Errorf("the token is in %s:\n%s", name, text)
		}
	}
}
