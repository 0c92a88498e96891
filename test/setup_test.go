// Package test checks what stands around the Go code.
package test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// machine is a PATH with nothing on it but what a case puts there.
type machine struct {
	t        *testing.T
	dir      string
	ID       string // of /etc/os-release
	euid     string
	system   string // what uname says
	needs    []string
	commands map[string]string // name to script
}

func (m machine) setup() (output string, code int) {
	m.t.Helper()
	bin := filepath.Join(m.dir, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		m.t.Fatal(err)
	}
	for _, tool := range []string{"sh", "env", "head", "grep", "readlink", "chmod", "mkdir", "true"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			m.t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, tool)); err != nil {
			m.t.Fatal(err)
		}
	}
	write := func(name, content string, mode os.FileMode) {
		if err := os.WriteFile(name, []byte(content), mode); err != nil {
			m.t.Fatal(err)
		}
	}
	script := func(name, body string) {
		write(filepath.Join(bin, name), "#!/bin/sh\n"+body+"\n", 0o700)
	}
	script("uname", "echo "+m.system)
	script("id", "echo "+m.euid)
	for name, body := range m.commands {
		script(name, body)
	}
	osRelease := filepath.Join(m.dir, "os-release")
	write(osRelease, "ID="+m.ID+"\n", 0o600)

	sh, err := exec.LookPath("sh")
	if err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.Command(sh, append([]string{"setup.sh"}, m.needs...)...)
	cmd.Env = []string{
		"PATH=" + bin, "HOME=" + m.dir, "OS_RELEASE=" + osRelease,
		"APPLICATIONS=" + filepath.Join(m.dir, "Applications"), "BIN=" + bin,
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// What the fakes of package managers do: say how they were called, and put an
// empty program where the package would.
const (
	aptGet = `echo "apt-get $*"
case "$*" in install*chromium*) echo > $BIN/chromium; chmod +x $BIN/chromium ;; esac
case "$*" in install*xvfb*) echo > $BIN/Xvfb; chmod +x $BIN/Xvfb ;; esac
case "$*" in install*gcc*) echo > $BIN/gcc; chmod +x $BIN/gcc ;; esac
case "$*" in install*npm*) echo > $BIN/npm; chmod +x $BIN/npm ;; esac
case "$*" in install*systemd*) for f in systemd-analyze systemd-socket-activate; do echo > $BIN/$f; chmod +x $BIN/$f; done ;; esac
case "$*" in install*git*) echo > $BIN/git; chmod +x $BIN/git ;; esac`
	snapChromium = `exec /snap/bin/chromium "$@"`
)

func TestSetup(t *testing.T) {
	all := []string{"chrome", "xvfb", "gcc", "npm", "git"}
	for _, tt := range []struct {
		name string
		machine
		code  int
		says  []string
		never string // must not be said
	}{
		{
			name:    "nothing missing",
			machine: machine{ID: "debian", euid: "0", system: "Linux", needs: all, commands: map[string]string{"google-chrome": "", "Xvfb": "", "gcc": "", "npm": "", "git": "", "apt-get": aptGet}},
			never:   "apt-get",
		},
		{
			name:    "debian as root",
			machine: machine{ID: "debian", euid: "0", system: "Linux", needs: all, commands: map[string]string{"apt-get": aptGet}},
			says:    []string{"missing: chrome xvfb gcc npm git", "apt-get update", "apt-get install -y --no-install-recommends chromium chromium-sandbox xvfb gcc libc6-dev nodejs npm git"},
		},
		{
			name:    "only what is missing",
			machine: machine{ID: "debian", euid: "0", system: "Linux", needs: all, commands: map[string]string{"chromium": "", "gcc": "", "npm": "", "git": "", "apt-get": aptGet}},
			says:    []string{"missing: xvfb", "--no-install-recommends xvfb\n"},
			never:   "chromium",
		},
		{
			name:    "half of systemd's tools",
			machine: machine{ID: "debian", euid: "0", system: "Linux", needs: []string{"systemd"}, commands: map[string]string{"systemd-analyze": "", "apt-get": aptGet}},
			says:    []string{"missing: systemd", "--no-install-recommends systemd\n"},
		},
		{
			name:    "debian through sudo",
			machine: machine{ID: "debian", euid: "1000", system: "Linux", needs: []string{"chrome"}, commands: map[string]string{"apt-get": aptGet, "sudo": `test "$1" = -n && shift; exec "$@"`}},
			says:    []string{"running through sudo", "apt-get install -y --no-install-recommends chromium chromium-sandbox"},
		},
		{
			name:    "sudo wants a password",
			machine: machine{ID: "debian", euid: "1000", system: "Linux", needs: []string{"chrome"}, commands: map[string]string{"apt-get": aptGet, "sudo": "exit 1"}},
			code:    1,
			says:    []string{"sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends chromium chromium-sandbox'"},
		},
		{
			name:    "package list cannot be updated",
			machine: machine{ID: "debian", euid: "0", system: "Linux", needs: []string{"gcc"}, commands: map[string]string{"apt-get": `test "$1" = update && exit 100` + "\n" + aptGet}},
			says:    []string{"apt-get update failed", "--no-install-recommends gcc libc6-dev"},
		},
		{
			name:    "package cannot be installed",
			machine: machine{ID: "debian", euid: "0", system: "Linux", needs: []string{"xvfb"}, commands: map[string]string{"apt-get": "exit 100"}},
			code:    1,
			says:    []string{"could not install"},
		},
		{
			name:    "ubuntu with its snap",
			machine: machine{ID: "ubuntu", euid: "0", system: "Linux", needs: []string{"chrome", "xvfb"}, commands: map[string]string{"chromium-browser": snapChromium, "apt-get": aptGet}},
			code:    1,
			says:    []string{"--no-install-recommends xvfb\n", "Ubuntu's chromium is a snap", "install Google Chrome"},
			never:   "recommends chromium",
		},
		{
			name:    "ubuntu with Chrome",
			machine: machine{ID: "ubuntu", euid: "0", system: "Linux", needs: []string{"chrome"}, commands: map[string]string{"google-chrome-stable": "", "chromium-browser": snapChromium}},
		},
		{
			name:    "another Linux",
			machine: machine{ID: "arch", euid: "0", system: "Linux", needs: []string{"chrome", "xvfb"}},
			code:    1,
			says:    []string{"this system's package manager", "chrome xvfb"},
		},
		{
			name: "macOS with brew",
			machine: machine{system: "Darwin", euid: "501", needs: all, commands: map[string]string{"cc": "", "git": "", "brew": `echo "brew $*"
case "$*" in *node) echo > $BIN/npm; chmod +x $BIN/npm; exit ;; esac
d="$APPLICATIONS/Google Chrome.app/Contents/MacOS"; mkdir -p "$d"; echo > "$d/Google Chrome"; chmod +x "$d/Google Chrome"`}},
			says: []string{"brew install --cask google-chrome", "brew install node"},
		},
		{
			name:    "macOS without its tools",
			machine: machine{system: "Darwin", euid: "501", needs: []string{"git"}},
			code:    1,
			says:    []string{"missing: git", "xcode-select --install"},
		},
		{
			name:    "macOS without brew",
			machine: machine{system: "Darwin", euid: "501", needs: all, commands: map[string]string{"cc": "", "git": ""}},
			code:    1,
			says:    []string{"https://www.google.com/chrome/", "no Homebrew"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.machine.t, tt.machine.dir = t, t.TempDir()
			out, code := tt.setup()
			if code != tt.code {
				t.Errorf("exit status %d, want %d\n%s", code, tt.code, out)
			}
			for _, s := range tt.says {
				if !strings.Contains(out, s) {
					t.Errorf("does not say %q:\n%s", s, out)
				}
			}
			if tt.never != "" && strings.Contains(out, tt.never) {
				t.Errorf("says %q:\n%s", tt.never, out)
			}
		})
	}
}
