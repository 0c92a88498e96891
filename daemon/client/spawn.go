package client

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// spawns reports whether the client may start a daemon.
func (c Config) spawns() bool {
	return !c.NoSpawn && !slices.Contains(c.Environ, "PIFETCHD_AUTOSTART=0")
}

// child is a daemon that was started here.
type child struct {
	pid    int
	output int64 // where its output begins in the log
	done   chan struct{}
	err    error // how it ended; set before done is closed
}

// exited is closed when the child has ended, and nil for no child.
func (c *child) exited() <-chan struct{} {
	if c == nil {
		return nil
	}
	return c.done
}

// spawn starts pifetchd so that it outlives the client and holds nothing of
// it: own session, / as its folder, output to the log.
func spawn(cfg Config) (*child, error) {
	path, err := cfg.Program()
	if err != nil {
		return nil, &StartError{Reason: err.Error()}
	}
	log, err := cfg.Paths.OpenLog()
	if err != nil {
		return nil, &StartError{Reason: err.Error()}
	}
	defer log.Close()
	size, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, &StartError{Reason: err.Error()}
	}
	cmd := exec.Command(path)
	cmd.Dir = "/"
	cmd.Env = environ(cfg)
	cmd.Stdout = log
	cmd.Stderr = log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, &StartError{Reason: err.Error()}
	}
	c := &child{pid: cmd.Process.Pid, output: size, done: make(chan struct{})}
	go func() { // until the daemon ends: it must not become a zombie
		c.err = cmd.Wait()
		close(c.done)
	}()
	return c, nil
}

// Program is the path of the pifetchd that would be started. It is looked for
// anew each time: an upgrade may have moved it.
func (c Config) Program() (string, error) {
	if c.Daemon != "" {
		return filepath.Abs(c.Daemon)
	}
	beside := "the own executable"
	if self, err := os.Executable(); err == nil {
		beside = self
		real, _ := filepath.EvalSymlinks(self)
		for _, exe := range []string{self, real} {
			if exe == "" {
				continue
			}
			if path, err := exec.LookPath(filepath.Join(filepath.Dir(exe), "pifetchd")); err == nil {
				return path, nil
			}
		}
	}
	path, err := exec.LookPath("pifetchd")
	if err != nil {
		return "", fmt.Errorf("pifetchd is neither beside %s nor on PATH — put it in one of these places, as make install does", beside)
	}
	return filepath.Abs(path)
}

// passed are the variables a daemon gets from the client that starts it. It
// serves every session after that one, so secrets of one session are not among
// them: those travel with each request.
var passed = []string{
	"HOME", "PATH", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE",
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
	"http_proxy", "https_proxy", "all_proxy", "no_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "GH_CONFIG_DIR",
}

var passedPrefixes = []string{"LC_", "XDG_"}

func environ(cfg Config) []string {
	env := []string{"PI_CODING_AGENT_DIR=" + cfg.Paths.AgentDir}
	for _, kv := range cfg.Environ {
		name, _, _ := strings.Cut(kv, "=")
		if slices.Contains(passed, name) || slices.ContainsFunc(passedPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			env = append(env, kv)
		}
	}
	return env
}

// failure is the child's failure to become a daemon that answers.
func (c *child) failure(cfg Config, reason string) error {
	return &StartError{Reason: reason, Log: lastLine(cfg.Paths.Log, c.output), Path: cfg.Paths.Log}
}

// lastLine is the last line that is not blank in a file from an offset on.
func lastLine(name string, from int64) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	const tail = 4096 // a longer line is cut at its beginning
	if fi, err := f.Stat(); err == nil {
		from = max(from, fi.Size()-tail)
	}
	b, err := io.ReadAll(io.NewSectionReader(f, from, tail))
	if err != nil {
		return ""
	}
	b = bytes.TrimSpace(b)
	return string(b[bytes.LastIndexByte(b, '\n')+1:])
}
