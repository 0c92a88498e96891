package pi

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pifetch/daemon/daemontest"
	"pifetch/daemon/rundir"
	"pifetch/daemon/wire"
)

// program is a pifetchd that is a shell script.
func program(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pifetchd")
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return name
}

func status(cfg config) job {
	return job{Module: "daemon", Function: "call", Args: []any{cfg, "status", map[string]any{}}}
}

// A daemon gets what docs/daemon.md lists of the environment and nothing else
// of the session, and one that fails tells why.
func TestSpawn(t *testing.T) {
	p := daemontest.Paths(t)
	cfg := configOf(p)
	cfg.Pifetchd = program(t, `
echo "$PWD" >"$PI_CODING_AGENT_DIR/folder"
env >"$PI_CODING_AGENT_DIR/environment"
ps -o sid= -p $$ >"$PI_CODING_AGENT_DIR/session"; echo $$ >>"$PI_CODING_AGENT_DIR/session"
cat
echo '{"msg":"a line before"}'
echo 'pifetchd: error: no such profile' >&2
echo
exit 3
`)
	cfg.Env = map[string]string{
		"HOME": "/h", "PATH": "/usr/bin:/bin", "LC_ALL": "C", "XDG_RUNTIME_DIR": "/x", "https_proxy": "p", "DISPLAY": ":7", "TMPDIR": "/t",
		"PI_CODING_AGENT_DIR": "elsewhere", "GH_TOKEN": "secret", "GITHUB_TOKEN": "secret", "PARALLEL_API_KEY": "secret", "LD_PRELOAD": "secret", "PI_SESSION_ID": "secret",
	}
	o := drive(t, status(cfg))
	if want := "start pifetchd: exit code 3: pifetchd: error: no such profile: log: " + p.Log; o.Error != want || o.Class != "StartError" {
		t.Errorf("got %s %q, want %q", o.Class, o.Error, want)
	}
	var got []string
	for _, l := range lines(t, p.AgentDir+"/environment") {
		if name, _, _ := strings.Cut(l, "="); !slices.Contains([]string{"PWD", "OLDPWD", "SHLVL", "_"}, name) { // the shell's own
			got = append(got, l)
		}
	}
	slices.Sort(got)
	want := []string{
		"DISPLAY=:7", "HOME=/h", "LC_ALL=C", "PATH=/usr/bin:/bin", "PI_CODING_AGENT_DIR=" + p.AgentDir, "TMPDIR=/t", "XDG_RUNTIME_DIR=/x", "https_proxy=p",
	}
	if !slices.Equal(got, want) {
		t.Errorf("environment %q, want %q", got, want)
	}
	if got := lines(t, p.AgentDir+"/folder"); !slices.Equal(got, []string{"/"}) {
		t.Errorf("folder %q", got)
	}
	if got := lines(t, p.AgentDir+"/session"); len(got) != 2 || strings.TrimSpace(got[0]) != got[1] {
		t.Errorf("session and process %q: want a session of its own", got)
	}
	for name, mode := range map[string]os.FileMode{p.Dir: 0o700 | os.ModeDir, p.Log: 0o600} {
		if fi, err := os.Stat(name); err != nil || fi.Mode() != mode {
			t.Errorf("%s: %v, %v, want %v", name, fi.Mode(), err, mode)
		}
	}
	if err := (rundir.Paths{AgentDir: p.AgentDir, Dir: p.Dir, Sock: p.Sock, DaemonLock: p.DaemonLock, SpawnLock: p.SpawnLock}).Prepare(); err != nil {
		t.Errorf("the daemon would refuse this run folder: %v", err)
	}
}

func lines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(data), "\n"), "\n")
}

// A pifetchd that leaves in order has found another one, which may be leaving:
// it is started again until somebody listens.
func TestSpawnAgain(t *testing.T) {
	p := daemontest.Paths(t)
	cfg := configOf(p)
	cfg.Pifetchd = program(t, `echo start >>"$PI_CODING_AGENT_DIR/starts"`)
	var served sync.WaitGroup
	defer served.Wait()
	served.Go(func() {
		for range int(daemontest.Guard / (10 * time.Millisecond)) {
			if starts, _ := os.ReadFile(p.AgentDir + "/starts"); strings.Count(string(starts), "\n") >= 2 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		ln, err := net.Listen("unix", p.Sock)
		if err != nil {
			t.Error(err)
			return
		}
		defer ln.Close()
		nc, err := ln.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		daemontest.Play(nc, serves)
	})
	if res := value[wire.FetchResult](t, drive(t, status(cfg))); res.Digest != "é served" {
		t.Errorf("got %+v", res)
	}
}

func TestNoProgram(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/pifetchd", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const notOnPath = "start pifetchd: pifetchd is not on PATH — install pifetch (make install), or set webTools.pi.pifetchd in pi's settings.json to its path"
	for _, tt := range []struct {
		name, pifetchd string
		env            map[string]string
		want           string
	}{
		{"no PATH", "", nil, notOnPath},
		{"not executable", "", map[string]string{"PATH": dir}, notOnPath},
		{"of the working folder", "", map[string]string{"PATH": ".:bin:"}, notOnPath},
		{"configured and missing", "~/pifetchd", map[string]string{"HOME": "/nowhere"}, "start pifetchd: webTools.pi.pifetchd names no program: /nowhere/pifetchd"},
		{"configured and relative", "bin/pifetchd", nil, "start pifetchd: webTools.pi.pifetchd must be an absolute path, or begin with ~/: bin/pifetchd"},
		{"not wanted", "", map[string]string{"PIFETCHD_AUTOSTART": "0"}, "pifetchd is not running, and PIFETCHD_AUTOSTART=0 keeps it from being started — start pifetchd, or unset that"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := configOf(daemontest.Paths(t))
			cfg.Pifetchd = tt.pifetchd
			if tt.env != nil {
				cfg.Env = tt.env
			}
			if o := drive(t, status(cfg)); o.Error != tt.want {
				t.Errorf("got %q, want %q", o.Error, tt.want)
			}
		})
	}
}
