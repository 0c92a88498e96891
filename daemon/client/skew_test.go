package client_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pifetch/daemon"
	"pifetch/daemon/client"
	"pifetch/daemon/daemontest"
	"pifetch/daemon/rundir"
	"pifetch/daemon/wire"
)

// released is a pifetchd of this version.
func released(t *testing.T, p rundir.Paths, version string) string {
	t.Helper()
	bin := pifetchd(t, p, "")
	if err := os.WriteFile(bin+".version", []byte(version), 0o600); err != nil {
		t.Fatal(err)
	}
	return bin
}

func TestReplacingAnotherVersion(t *testing.T) {
	idle := func(*testing.T, *daemontest.Server) {}
	fetching := func(t *testing.T, s *daemontest.Server) {
		started := make(chan string, 1)
		s.Router.Block(started)
		s.Dial(t).Send(`{"id":"f","op":"fetch","urls":["https://a.example/"]}`)
		<-started
	}
	loggingIn := func(t *testing.T, s *daemontest.Server) {
		c := s.Dial(t)
		c.Send(`{"id":"o","op":"open-browser"}`)
		c.Await()
	}
	for _, tt := range []struct {
		name                    string
		running, client, to     string // versions; to is that of the program to be started
		managed, autostartIsOff bool
		state                   func(*testing.T, *daemontest.Server)
		replaced                bool
	}{
		{"older and idle", "v1.1.0", "v1.2.0", "v1.2.0", false, false, idle, true},
		{"older and fetching", "v1.1.0", "v1.2.0", "v1.2.0", false, false, fetching, false},
		{"older with a login window", "v1.1.0", "v1.2.0", "v1.2.0", false, false, loggingIn, false},
		{"older and managed", "v1.1.0", "v1.2.0", "v1.2.0", true, false, idle, false},
		{"older, nothing may be started", "v1.1.0", "v1.2.0", "v1.2.0", false, true, idle, false},
		{"newer", "v1.2.0", "v1.1.0", "v1.1.0", false, false, idle, false},
		{"older client with a newer program", "v1.1.0", "v1.1.0", "v1.2.0", false, false, idle, false},
		{"newer client with the old program", "v1.1.0", "v1.2.0", "v1.1.0", false, false, idle, false},
		{"other build of the release", "v1.2.0", "v1.2.0-1-gabcdef1", "v1.2.0-1-gabcdef1", false, false, idle, false},
		{"no release", "devel", "v1.2.0", "v1.2.0", false, false, idle, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := daemontest.Start(t, func(c *daemon.Config) { c.Version, c.Managed = tt.running, tt.managed })
			tt.state(t, s)
			p := s.Config.Paths
			cfg := client.Config{Paths: p, Name: "test/1", Version: tt.client, Daemon: released(t, p, tt.to), NoSpawn: tt.autostartIsOff}
			want := tt.running
			if tt.replaced {
				want = tt.to
			}
			for range 2 {
				c, err := client.Dial(t.Context(), cfg)
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				if got := c.Hello().Version; got != want {
					t.Errorf("version %s serves, want %s", got, want)
				}
			}
			if got := starts(p); got > 0 != tt.replaced {
				t.Errorf("%d daemons were started", got)
			}
		})
	}
}

// Clients of an old daemon and of a new one at once: one new daemon remains,
// and nobody fails.
func TestUpgradeOfABusyUser(t *testing.T) {
	p := daemontest.Paths(t)
	before := client.Config{Paths: p, Name: "test/1", Version: "v1.1.0", Daemon: released(t, p, "v1.1.0")}
	after := client.Config{Paths: p, Name: "test/2", Version: "v1.2.0", Daemon: released(t, p, "v1.2.0")}
	old, err := client.Dial(t.Context(), before)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			c, err := client.Dial(t.Context(), after)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			if _, err := c.Explain(t.Context(), wire.ExplainRequest{URL: fmt.Sprintf("https://%d.example/", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for range 2 {
		if _, err := old.Explain(t.Context(), wire.ExplainRequest{URL: "https://old.example/"}); err != nil {
			t.Error(err)
		}
	}
	if got := old.Hello().Version; got != "v1.2.0" {
		t.Errorf("version %s serves", got)
	}
	if got := served(t, p); got != 2 {
		t.Errorf("%d daemons served, want the old and the new", got)
	}
}

// speaking is a daemon of this protocol that has something to do.
func speaking(protocol string, managed bool) daemontest.Role {
	return func(p *daemontest.Peer) {
		p.Send(`{"id":%q,"event":"result","op":"hello","protocol":%q,"version":"v0.9.0","pid":42,"state":"serving","managed":%t}`, p.Next().ID, protocol, managed)
		for {
			h := p.Next()
			switch h.Op {
			case wire.OpRetire:
				p.Send(`{"id":%q,"event":"error","code":"busy","reason":"requests are running"}`, h.ID)
			case wire.OpStatus:
				p.Send(`{"id":%q,"event":"result","op":"status","version":"v0.9.0"}`, h.ID)
			case "":
				return
			default:
				p.Send(`{"id":%q,"event":"error","code":"internal","reason":"was sent %s"}`, h.ID, h.Op)
			}
		}
	}
}

func TestOtherProtocol(t *testing.T) {
	for _, tt := range []struct {
		protocol string
		managed  bool
		want     string // "": can be talked to
	}{
		{"1.7", false, ""},
		{"2.0", false, "pifetchd v0.9.0 (pid 42) speaks protocol 2.0 and pifetchctl 1.0 — upgrade pifetchctl"},
		{"0.3", false, "pifetchd v0.9.0 (pid 42) speaks protocol 0.3 and pifetchctl 1.0 — upgrade pifetchd, then run: pifetchctl stop"},
		{"0.3", true, "pifetchd v0.9.0 (pid 42) speaks protocol 0.3 and pifetchctl 1.0 — upgrade pifetchd, then run: pifetchctl service restart"},
	} {
		t.Run(fmt.Sprintf("%s managed=%t", tt.protocol, tt.managed), func(t *testing.T) {
			p := daemontest.Script(t, speaking(tt.protocol, tt.managed))
			c, err := client.Dial(t.Context(), client.Config{Paths: p, Name: "pifetchctl/v1.0.0", Version: "v1.0.0", Daemon: released(t, p, "v1.0.0")})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if st, err := c.Status(t.Context()); err != nil || st.Version != "v0.9.0" {
				t.Errorf("status: %+v, %v", st, err)
			}
			_, err = c.Fetch(t.Context(), example, nil)
			if tt.want == "" {
				if code(err) != wire.CodeInternal || !strings.Contains(err.Error(), "was sent fetch") {
					t.Errorf("got %v, want the fetch to be sent", err)
				}
				return
			}
			if _, ok := errors.AsType[*client.ProtocolError](err); !ok || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// Even a daemon of an earlier protocol does not give way to an earlier release.
func TestEarlierProgramReplacesNothing(t *testing.T) {
	p := daemontest.Script(t, func(p *daemontest.Peer) {
		p.Send(`{"id":%q,"event":"result","op":"hello","protocol":"0.3","version":"v0.9.0","pid":42,"state":"serving"}`, p.Next().ID)
		if h := p.Next(); h.Op != "" {
			t.Errorf("was sent %s", h.Op)
		}
	})
	c, err := client.Dial(t.Context(), client.Config{Paths: p, Name: "test/1", Version: "v1.0.0", Daemon: released(t, p, "v0.8.0")})
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	if got := starts(p); got != 0 {
		t.Errorf("%d daemons were started", got)
	}
}

// A program that does not tell its version costs a while and nothing else, even
// when it leaves a process behind that holds its output.
func TestProgramThatHangs(t *testing.T) {
	s := daemontest.Start(t, func(c *daemon.Config) { c.Version = "v1.1.0" })
	dir := t.TempDir()
	bin := filepath.Join(dir, "pifetchd")
	if err := os.WriteFile(bin, []byte("#!/bin/sh\nsleep 600 & echo $! > "+dir+"/pid\nwait\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		text, _ := os.ReadFile(dir + "/pid")
		if pid, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	served := make(chan string, 1)
	go func() {
		c, err := client.Dial(t.Context(), client.Config{Paths: s.Config.Paths, Name: "test/1", Version: "v1.2.0", Daemon: bin, Hello: 2 * time.Second})
		if err != nil {
			served <- err.Error()
			return
		}
		defer c.Close()
		served <- c.Hello().Version
	}()
	select {
	case got := <-served:
		if got != "v1.1.0" {
			t.Errorf("%s serves", got)
		}
	case <-time.After(daemontest.Guard):
		t.Fatal("the client waits for the program")
	}
}

// An idle daemon of an earlier protocol is replaced whatever its build.
func TestEarlierProtocolIsReplaced(t *testing.T) {
	retired := make(chan struct{})
	p := daemontest.Script(t, func(p *daemontest.Peer) {
		p.Send(`{"id":%q,"event":"result","op":"hello","protocol":"0.3","version":"devel","pid":42,"state":"serving"}`, p.Next().ID)
		if h := p.Next(); h.Op == wire.OpRetire {
			p.Send(`{"id":%q,"event":"result","op":"retire","retiring":true}`, h.ID)
			close(retired)
		}
	})
	// Its socket stays until the next one replaces it; nobody is behind it.
	ctx, cancel := context.WithTimeout(t.Context(), daemontest.Guard)
	defer cancel()
	go func() {
		<-retired
		os.Remove(p.Sock)
	}()
	c, err := client.Dial(ctx, client.Config{Paths: p, Name: "test/1", Version: "fe2e389", Daemon: released(t, p, "fe2e389"), Hello: daemontest.Guard})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := c.Hello().Version; got != "fe2e389" {
		t.Errorf("version %s serves", got)
	}
}
