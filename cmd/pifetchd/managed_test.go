package main

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pifetch/daemon/client"
	"pifetch/daemon/rundir"
	"pifetch/test/need"
)

func TestInherit(t *testing.T) {
	own := strconv.Itoa(os.Getpid())
	for _, tt := range []struct{ name, pid, fds, err string }{
		{"no manager", "", "", ""},
		{"for another process", own + "1", "1", ""},
		{"no socket", own, "0", ""},
		{"two sockets", own, "2", "the service manager hands over 2 sockets: the socket unit may have one ListenStream only"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("LISTEN_PID", tt.pid)
			t.Setenv("LISTEN_FDS", tt.fds)
			t.Setenv("LISTEN_FDNAMES", "pifetchd.socket")
			t.Setenv("NOTIFY_SOCKET", "/run/notify")
			m, err := inherit()
			if m.listener != nil || m.notify != "/run/notify" || (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
				t.Errorf("got %+v, %v", m, err)
			}
			for _, name := range []string{"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET"} {
				if v, ok := os.LookupEnv(name); ok {
					t.Errorf("children would get %s=%s", name, v)
				}
			}
		})
	}
}

// notified is a service manager's end of NOTIFY_SOCKET.
func notified(t *testing.T, paths rundir.Paths) (addr string, next func() string) {
	t.Helper()
	addr = filepath.Join(paths.AgentDir, "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: addr, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return addr, func() string {
		t.Helper()
		conn.SetReadDeadline(time.Now().Add(patience))
		buf := make([]byte, 100)
		n, err := conn.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		return string(buf[:n])
	}
}

// managed drives a daemon that serves the socket it was given, and stops it.
func managed(t *testing.T, paths rundir.Paths, cmd *exec.Cmd, next func() string) {
	t.Helper()
	var c *client.Client
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		var err error
		c, err = client.Dial(t.Context(), client.Config{Paths: paths, NoSpawn: true, Hello: patience})
		if err == nil {
			break
		} else if !errors.Is(err, client.ErrNoDaemon) || time.Now().After(end) {
			t.Fatal(err)
		}
	}
	defer c.Close()
	if h := c.Hello(); !h.Managed || h.PID != cmd.Process.Pid {
		t.Errorf("hello: %+v, want pid %d", h, cmd.Process.Pid)
	}
	if got := next(); got != "READY=1" {
		t.Errorf("told %q", got)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	if got := next(); got != "STOPPING=1" {
		t.Errorf("told %q", got)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if fi, err := os.Lstat(paths.Sock); err != nil || fi.Mode().Type() != os.ModeSocket {
		t.Errorf("the inherited socket: %v, %v", fi, err)
	}
	if log := content(t, paths.Log); !strings.Contains(log, `"msg":"serving"`) || !strings.Contains(log, `"managed":true`) {
		t.Errorf("log:\n%s", log)
	}
}

func TestInheritedSocket(t *testing.T) {
	paths := agent(t)
	if err := paths.Prepare(); err != nil {
		t.Fatal(err)
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: paths.Sock, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	ln.SetUnlinkOnClose(false)
	defer ln.Close()
	f, err := ln.File()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd := command(t, paths, "--managed")
	// The pid is known to the process itself, and stays over exec.
	cmd.Args = append([]string{"sh", "-c", `LISTEN_PID=$$ exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
	if cmd.Path, err = exec.LookPath("sh"); err != nil {
		t.Fatal(err)
	}
	addr, next := notified(t, paths)
	cmd.Env = append(cmd.Env, "LISTEN_FDS=1", "NOTIFY_SOCKET="+addr)
	cmd.ExtraFiles = []*os.File{f}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	managed(t, paths, cmd, next)
	if stderr.Len() > 0 {
		t.Errorf("stderr %q", stderr.String())
	}
}

// The same by systemd's own hand.
func TestSocketActivation(t *testing.T) {
	activate, err := exec.LookPath("systemd-socket-activate")
	need.Have(t, "systemd", err)
	paths := agent(t)
	if err := paths.Prepare(); err != nil {
		t.Fatal(err)
	}
	cmd := command(t, paths, "--managed")
	addr, next := notified(t, paths)
	cmd.Args = []string{
		activate, "-l", paths.Sock, "-E", asDaemon + "=1", "-E", "PI_CODING_AGENT_DIR=" + paths.AgentDir, "-E", "NOTIFY_SOCKET=" + addr,
		cmd.Path, "--managed",
	}
	cmd.Path = activate
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	managed(t, paths, cmd, next)
}

// Without a socket, as under launchd, a daemon that runs already is enough.
func TestManagedBesideAnotherDaemon(t *testing.T) {
	paths := agent(t)
	first := start(t, paths, "")
	second := command(t, paths, "--managed")
	if code := exitCode(t, second); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if h := first.Hello(); h.Managed {
		t.Errorf("hello: %+v", h)
	}
}
