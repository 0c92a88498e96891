package service_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"howett.net/plist"

	"pifetch/daemon/rundir"
	"pifetch/daemon/service"
	"pifetch/test/need"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// spec has in its paths what the files must escape.
var spec = service.Spec{
	Program: `/opt/a & b/100%/pifetchd`,
	Paths: rundir.Paths{
		AgentDir: `/home/ann/my %h agent`, Sock: `/home/ann/my %h agent/pifetchd/sock`, Log: `/home/ann/my %h agent/pifetchd/pifetchd.log`,
	},
	Search: `/home/ann/a\b:/usr/bin`,
}

func golden(t *testing.T, f service.File) {
	t.Helper()
	name := filepath.Join("testdata", filepath.Base(f.Path))
	if *update {
		if err := os.WriteFile(name, []byte(f.Text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), f.Text); diff != "" {
		t.Errorf("%s (run with -update to accept):\n%s", name, diff)
	}
}

func paths(s service.Service) []string {
	var paths []string
	for _, f := range s.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

func lines(s service.Service) string {
	var b strings.Builder
	for _, step := range []struct {
		name     string
		commands []service.Command
	}{{"reach", []service.Command{s.Reach}}, {"start", s.Start}, {"restart", s.Restart}, {"stop", s.Stop}, {"forget", s.Forget}, {"active", []service.Command{s.Active}}} {
		for _, c := range step.commands {
			may := ""
			if c.MayFail {
				may = " (may fail)"
			}
			fmt.Fprintf(&b, "%s: %s%s\n", step.name, c, may)
		}
	}
	return b.String()
}

func TestSystemd(t *testing.T) {
	s, err := service.Systemd(spec, "/home/ann/.config")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Files {
		golden(t, f)
	}
	if diff := cmp.Diff([]string{"/home/ann/.config/systemd/user/pifetchd.socket", "/home/ann/.config/systemd/user/pifetchd.service"}, paths(s)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(`reach: systemctl --user show-environment
start: systemctl --user daemon-reload
start: systemctl --user enable --now pifetchd.socket
restart: systemctl --user reset-failed pifetchd.socket pifetchd.service (may fail)
restart: systemctl --user restart pifetchd.socket pifetchd.service
stop: systemctl --user disable --now pifetchd.socket
stop: systemctl --user stop pifetchd.service
forget: systemctl --user daemon-reload
active: systemctl --user is-active --quiet pifetchd.socket
`, lines(s)); diff != "" {
		t.Error(diff)
	}
}

// systemd itself finds nothing to say about the units. An unknown key or a bad
// value is a line on stderr, not an exit code.
func TestSystemdAcceptsTheUnits(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	need.Have(t, "systemd", err)
	dir, err := os.MkdirTemp("/tmp", `pf a%b-`)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	real := spec
	real.Program = filepath.Join(dir, "a b%")
	if err := os.WriteFile(real.Program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	real.Paths.Sock = filepath.Join(dir, "sock")
	s, err := service.Systemd(real, dir)
	if err != nil {
		t.Fatal(err)
	}
	verify := func() string {
		t.Helper()
		for _, f := range s.Files {
			if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f.Path, []byte(f.Text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), analyze, append([]string{"--user", "verify"}, paths(s)...)...)
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil && len(out) == 0 {
			t.Fatal(err)
		}
		return string(out)
	}
	if out := verify(); out != "" {
		t.Errorf("systemd-analyze says:\n%s", out)
	}
	s.Files[1].Text += "Restrat=always\n"
	if out := verify(); !strings.Contains(out, "Restrat") {
		t.Errorf("systemd-analyze does not look: %q", out)
	}
}

func TestLaunchd(t *testing.T) {
	s, err := service.Launchd(spec, "/Users/ann/Library", 501)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, s.Files[0])
	if diff := cmp.Diff([]string{"/Users/ann/Library/LaunchAgents/dev.pifetch.pifetchd.plist"}, paths(s)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(`reach: launchctl print gui/501
start: launchctl bootstrap gui/501 /Users/ann/Library/LaunchAgents/dev.pifetch.pifetchd.plist
restart: launchctl kickstart gui/501/dev.pifetch.pifetchd
stop: launchctl bootout gui/501/dev.pifetch.pifetchd (may fail)
active: launchctl print gui/501/dev.pifetch.pifetchd
`, lines(s)); diff != "" {
		t.Error(diff)
	}

	// What another reader makes of it: the keys and types of launchd.plist(5).
	var got map[string]any
	if _, err := plist.Unmarshal([]byte(s.Files[0].Text), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"Label":                "dev.pifetch.pifetchd",
		"ProgramArguments":     []any{spec.Program, "--managed"},
		"EnvironmentVariables": map[string]any{"PI_CODING_AGENT_DIR": spec.Paths.AgentDir, "PATH": spec.Search},
		"RunAtLoad":            true,
		"KeepAlive":            map[string]any{"SuccessfulExit": false},
		"ProcessType":          "Interactive",
		"ExitTimeOut":          uint64(75),
		"AbandonProcessGroup":  true,
		"Umask":                uint64(0o077),
		"StandardErrorPath":    spec.Paths.Log,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSystemdStartsNoQuotedProgram(t *testing.T) {
	bad := spec
	bad.Program = `/opt/ann's/pifetchd`
	if _, err := service.Systemd(bad, "/c"); err == nil || err.Error() != `/opt/ann's/pifetchd has quotes or backslashes in its path, which systemd does not start — put it elsewhere` {
		t.Errorf("got %v", err)
	}
}

func TestWhatFilesHaveNoFormForIsRefused(t *testing.T) {
	for _, dir := range []string{"/home/ann\nExecStartPre=/bin/false", "/home/\xe4nn"} {
		bad := spec
		bad.Paths.AgentDir = dir
		want := fmt.Sprintf("%q has control characters or is no UTF-8, which a service cannot have — use another path", dir)
		if _, err := service.Systemd(bad, "/c"); err == nil || err.Error() != want {
			t.Errorf("systemd: %v, want %s", err, want)
		}
		if _, err := service.Launchd(bad, "/l", 1); err == nil || err.Error() != want {
			t.Errorf("launchd: %v, want %s", err, want)
		}
	}
}
