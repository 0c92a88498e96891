package pi

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pifetch/daemon/client"
	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
)

// stamped builds a pifetchd of this version.
func stamped(t *testing.T, version string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "pifetchd")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-X main.version="+version, "-o", bin, "./cmd/pifetchd")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build pifetchd %s: %v\n%s", version, err, out)
	}
	return bin
}

func TestNewer(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"v1.10.0", "1.9.0", true},
		{"v1.2.0", "v1.2.0-rc.1", true},
		{"v1.3.0-rc.10", "v1.3.0-rc.9-4-gfe2e389-dirty", true},
		{"v1.2.0-rc.1", "v1.2.0", false},
		{"v1.2.0-5-gfe2e389", "v1.2.0", false},
		{"v1.2.0", "v1.2.0-5-gfe2e389", false},
		{"v1.1.9", "v1.2.0", false},
		{"devel", "v1.2.0", false},
		{"v1.2.0", "1234567", false},
	} {
		if got := value[bool](t, drive(t, job{Module: "skew", Function: "newer", Args: []any{tt.a, tt.b}})); got != tt.want {
			t.Errorf("newer(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// A later release replaces an earlier one, and never the other way, whichever
// client it is.
func TestUpgrade(t *testing.T) {
	p := daemontest.Paths(t)
	cfg := configOf(p)
	cfg.Env = map[string]string{"HOME": p.AgentDir, "PATH": os.Getenv("PATH")}
	older, later := stamped(t, "v1.1.0"), stamped(t, "v1.2.0")
	t.Cleanup(func() { client.Stop(context.WithoutCancel(t.Context()), client.Config{Paths: p}) })
	pid := 0
	for i, tt := range []struct{ program, want string }{{older, "v1.1.0"}, {later, "v1.2.0"}, {older, "v1.2.0"}, {later, "v1.2.0"}} {
		cfg.Pifetchd = tt.program
		st := value[wire.StatusResult](t, drive(t, status(cfg)))
		if st.Version != tt.want {
			t.Errorf("call %d: version %s serves, want %s", i, st.Version, tt.want)
		}
		if i > 1 && st.PID != pid {
			t.Errorf("call %d: the daemon was replaced", i)
		}
		pid = st.PID
	}
	c, err := client.Dial(t.Context(), client.Config{Paths: p, Version: "v1.1.0", Daemon: older})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Hello().PID != pid {
		t.Error("an earlier pifetchctl replaced the daemon")
	}
}

func TestOtherProtocol(t *testing.T) {
	for protocol, want := range map[string]string{
		"2.0": "pifetchd v0.9.0 (pid 42) speaks protocol 2.0 and the pi package 1.0 — upgrade the pi package",
		"0.3": "pifetchd v0.9.0 (pid 42) speaks protocol 0.3 and the pi package 1.0 — upgrade pifetchd, then run: pifetchctl stop",
	} {
		p := daemontest.Script(t, func(p *daemontest.Peer) {
			p.Send(`{"id":%q,"event":"result","op":"hello","protocol":%q,"version":"v0.9.0","pid":42,"state":"serving"}`, p.Next().ID, protocol)
			if h := p.Next(); h.Op != "" {
				t.Errorf("protocol %s: was sent %s", protocol, h.Op)
			}
		})
		cfg := configOf(p)
		cfg.Pifetchd = filepath.Join(t.TempDir(), "pifetchd") // of an earlier release: it replaces nothing
		if err := os.WriteFile(cfg.Pifetchd, []byte("#!/bin/sh\necho pifetchd v0.8.0\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		o := drive(t, job{Module: "daemon", Function: "call", Args: []any{cfg, "fetch", map[string]any{"urls": []string{"https://a.example/"}}}})
		if o.Error != want {
			t.Errorf("got %q, want %q", o.Error, want)
		}
	}
}
