package client_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"pifetch/daemon"
	"pifetch/daemon/client"
	"pifetch/daemon/daemontest"
	"pifetch/daemon/rundir"
)

// TestMain is pifetchd when it is called so.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "pifetchd" {
		os.Exit(fakeDaemon())
	}
	os.Exit(m.Run())
}

// fakeDaemon behaves as the file "behave" in its agent directory says.
func fakeDaemon() int {
	dir := os.Getenv("PI_CODING_AGENT_DIR")
	p, err := rundir.Locate(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	version := "fake"
	if v, err := os.ReadFile(os.Args[0] + ".version"); err == nil {
		version = string(v)
	}
	if len(os.Args) > 1 {
		fmt.Println("pifetchd", version)
		return 0
	}
	note(dir, "starts", fmt.Sprintln(os.Getpid()))
	behave, _ := os.ReadFile(dir + "/behave")
	switch string(behave) {
	case "dies":
		fmt.Fprint(os.Stderr, "a line before\npifetchd: error: no such profile\n\n")
		return 3
	case "dies quietly":
		return 3
	case "waits":
		for range 1000 { // until the run folder is removed
			if _, err := os.Stat(dir); err != nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		return 0
	}
	wd, _ := os.Getwd()
	sid, _, _ := syscall.Syscall(syscall.SYS_GETSID, 0, 0, 0)
	stdin, _ := os.Stdin.Stat()
	note(dir, "surroundings", fmt.Sprintf("wd=%s\nleader=%t\nstdin=%s\n%s\n", wd, int(sid) == os.Getpid(), stdin.Mode().Type(), strings.Join(os.Environ(), "\n")))
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM)
	err = daemon.Run(context.Background(), daemon.Config{
		Paths: p, Router: &daemontest.Router{}, Browser: &daemontest.Browser{}, Signals: signals, Version: version,
		Log: slog.New(slog.NewJSONHandler(os.Stderr, nil)), Idle: time.Minute,
	})
	if errors.Is(err, daemon.ErrRunning) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func note(dir, name, text string) {
	f, err := os.OpenFile(dir+"/"+name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err == nil {
		defer f.Close()
		f.WriteString(text)
	}
}

// pifetchd is a program of that name that behaves so, and is stopped when the
// test ends.
func pifetchd(t *testing.T, p rundir.Paths, behave string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir() + "/pifetchd"
	if err := os.Symlink(self, bin); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.AgentDir+"/behave", []byte(behave), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := os.Stat(p.AgentDir + "/surroundings"); err != nil {
			return // it never was a daemon
		}
		ctx, cancel := context.WithTimeout(context.Background(), daemontest.Guard)
		defer cancel()
		if _, err := client.Stop(ctx, client.Config{Paths: p}); err != nil && !errors.Is(err, client.ErrNoDaemon) {
			t.Error(err)
		}
	})
	return bin
}

func starts(p rundir.Paths) int {
	b, _ := os.ReadFile(p.AgentDir + "/starts")
	return strings.Count(string(b), "\n")
}

// served are the daemons that got the life lock.
func served(t *testing.T, p rundir.Paths) int {
	t.Helper()
	b, err := os.ReadFile(p.Log)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(b), `"msg":"serving"`)
}

func TestFirstClientStartsTheDaemon(t *testing.T) {
	p := daemontest.Paths(t)
	cfg := client.Config{Paths: p, Daemon: pifetchd(t, p, ""), Environ: []string{
		"HOME=/h", "PATH=/bin", "LC_ALL=C", "XDG_RUNTIME_DIR=/x", "https_proxy=p", "DISPLAY=:7", "TMPDIR=/t",
		"PI_CODING_AGENT_DIR=elsewhere", "GH_TOKEN=secret", "GITHUB_TOKEN=secret", "PARALLEL_API_KEY=secret", "LD_PRELOAD=secret", "PI_SESSION_ID=secret",
	}}
	c, err := client.Dial(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if h := c.Hello(); h.Version != "fake" || h.PID == os.Getpid() {
		t.Errorf("hello: %+v", h)
	}
	if _, err := c.Fetch(t.Context(), example, nil); err != nil {
		t.Error(err)
	}
	got, err := os.ReadFile(p.AgentDir + "/surroundings")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"wd=/", "leader=true", "stdin=" + (fs.ModeDevice | fs.ModeCharDevice).String(), "PI_CODING_AGENT_DIR=" + p.AgentDir,
		"HOME=/h", "PATH=/bin", "LC_ALL=C", "XDG_RUNTIME_DIR=/x", "https_proxy=p", "DISPLAY=:7", "TMPDIR=/t",
	}
	if lines := strings.Split(strings.TrimSpace(string(got)), "\n"); !slices.Equal(lines, want) {
		t.Errorf("surroundings of the daemon:\n%s", got)
	}
	if fi, err := os.Stat(p.Log); err != nil || fi.Mode() != 0o600 {
		t.Errorf("log: %v, %v", fi.Mode(), err)
	}
}

func TestFortyClientsStartOneDaemon(t *testing.T) {
	for name, before := range map[string]func(t *testing.T, p rundir.Paths){
		"nothing there": func(*testing.T, rundir.Paths) {},
		"stale socket": func(t *testing.T, p rundir.Paths) {
			if err := p.Prepare(); err != nil {
				t.Fatal(err)
			}
			ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: p.Sock, Net: "unix"})
			if err != nil {
				t.Fatal(err)
			}
			ln.SetUnlinkOnClose(false)
			ln.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := daemontest.Paths(t)
			cfg := client.Config{Paths: p, Daemon: pifetchd(t, p, "")}
			before(t, p)
			var wg sync.WaitGroup
			pids := make(chan int, 40)
			for range 40 {
				wg.Go(func() {
					c, err := client.Dial(t.Context(), cfg)
					if err != nil {
						t.Error(err)
						return
					}
					defer c.Close()
					if _, err := c.Fetch(t.Context(), example, nil); err != nil {
						t.Error(err)
					}
					pids <- c.Hello().PID
				})
			}
			wg.Wait()
			close(pids)
			first, n := <-pids, 1
			for pid := range pids {
				n++
				if pid != first {
					t.Errorf("daemons %d and %d", first, pid)
				}
			}
			if n != 40 || served(t, p) != 1 {
				t.Errorf("%d answers from %d daemons", n, served(t, p))
			}
		})
	}
}

// A client without a lock of its own, as in Node, just starts pifetchd.
func TestDaemonsStartedWithoutTheSpawnLock(t *testing.T) {
	p := daemontest.Paths(t)
	bin := pifetchd(t, p, "")
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	log, err := p.OpenLog()
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var all []*exec.Cmd
	for range 5 {
		cmd := exec.Command(bin)
		cmd.Env = append(os.Environ(), "PI_CODING_AGENT_DIR="+p.AgentDir)
		cmd.Stderr = log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	c, err := client.Dial(t.Context(), client.Config{Paths: p, Daemon: bin})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, cmd := range all {
		if cmd.Process.Pid == c.Hello().PID {
			go cmd.Wait() // until it is stopped
		} else if err := cmd.Wait(); err != nil {
			t.Errorf("a daemon that was not needed: %v", err)
		}
	}
	if n := served(t, p); n != 1 {
		t.Errorf("%d daemons", n)
	}
}

// A daemon started while another one leaves may have the life lock before Stop
// sees it free.
func TestStopWhileAnotherStarts(t *testing.T) {
	p := daemontest.Paths(t)
	cfg := client.Config{Paths: p, Daemon: pifetchd(t, p, "")}
	c, err := client.Dial(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	first := c.Hello().PID
	c.Close()

	// The next daemon takes the lock in the very moment the first lets go of
	// it, as a process that waits for it does.
	next := flock.New(p.DaemonLock)
	locked := make(chan error, 1)
	go func() { locked <- next.Lock() }()
	ctx, cancel := context.WithTimeout(t.Context(), daemontest.Guard)
	defer cancel()
	pid, err := client.Stop(ctx, cfg)
	if err != nil || pid != first {
		t.Errorf("Stop = %d, %v, want %d", pid, err, first)
	}
	if err := <-locked; err != nil {
		t.Fatal(err)
	}
	if err := next.Unlock(); err != nil {
		t.Error(err)
	}
}

func TestDaemonThatDies(t *testing.T) {
	for behave, line := range map[string]string{"dies": "pifetchd: error: no such profile", "dies quietly": ""} {
		t.Run(behave, func(t *testing.T) {
			p := daemontest.Paths(t)
			if err := p.Prepare(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(p.Log, []byte("of an earlier daemon\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := client.Dial(t.Context(), client.Config{Paths: p, Daemon: pifetchd(t, p, behave), Start: time.Hour})
			e, ok := errors.AsType[*client.StartError](err)
			if !ok || e.Log != line || e.Path != p.Log || !strings.Contains(e.Reason, "exit status 3") {
				t.Errorf("got %#v", err)
			}
			if n := starts(p); n != 1 {
				t.Errorf("started %d times", n)
			}
		})
	}
}

func TestDaemonThatDoesNotComeUp(t *testing.T) {
	p := daemontest.Paths(t)
	_, err := client.Dial(t.Context(), client.Config{Paths: p, Daemon: pifetchd(t, p, "waits"), Start: 200 * time.Millisecond})
	if e, ok := errors.AsType[*client.StartError](err); !ok || !strings.Contains(e.Reason, "does not answer after 200ms") {
		t.Errorf("got %v", err)
	}
}

// The daemon before has closed its socket and still closes Chrome.
func TestStartWhileTheLastDaemonLeaves(t *testing.T) {
	p := daemontest.Paths(t)
	bin := pifetchd(t, p, "")
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	lock := flock.New(p.DaemonLock)
	if ok, err := lock.TryLock(); !ok {
		t.Fatal(err)
	}
	type dialled struct {
		c   *client.Client
		err error
	}
	ch := make(chan dialled, 1)
	go func() {
		c, err := client.Dial(t.Context(), client.Config{Paths: p, Daemon: bin, Start: 10 * daemontest.Guard})
		ch <- dialled{c, err}
	}()
	for deadline := time.Now().Add(daemontest.Guard); starts(p) < 2; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("started %d times", starts(p))
		}
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	d := <-ch
	if d.err != nil {
		t.Fatal(d.err)
	}
	d.c.Close()
}

func TestClientStartsANewDaemonWhenTheLastHasLeft(t *testing.T) {
	p := daemontest.Paths(t)
	cfg := client.Config{Paths: p, Daemon: pifetchd(t, p, "")}
	c, err := client.Dial(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	first := c.Hello().PID
	for name, end := range map[string]func(pid int) error{
		"stopped": func(int) error { _, err := client.Stop(t.Context(), cfg); return err },
		"killed":  func(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) },
	} {
		if err := end(c.Hello().PID); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Fetch(t.Context(), example, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.Hello().PID == first {
			t.Errorf("%s: still pid %d", name, first)
		}
		first = c.Hello().PID
	}
}

func TestNoDaemonIsStartedAgainstTheUsersWill(t *testing.T) {
	p := daemontest.Paths(t)
	bin := pifetchd(t, p, "")
	for name, cfg := range map[string]client.Config{
		"NoSpawn":              {Paths: p, Daemon: bin, NoSpawn: true},
		"PIFETCHD_AUTOSTART=0": {Paths: p, Daemon: bin, Environ: []string{"PIFETCHD_AUTOSTART=0"}},
	} {
		if _, err := client.Dial(t.Context(), cfg); !errors.Is(err, client.ErrNoDaemon) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if n := starts(p); n != 0 {
		t.Errorf("started %d times", n)
	}
}

func TestWherePifetchdIsLookedFor(t *testing.T) {
	p := daemontest.Paths(t)
	t.Setenv("PATH", t.TempDir())
	_, err := client.Dial(t.Context(), client.Config{Paths: p})
	if e, ok := errors.AsType[*client.StartError](err); !ok || !strings.Contains(e.Reason, "on PATH") {
		t.Errorf("got %v", err)
	}
	t.Setenv("PATH", filepath.Dir(pifetchd(t, p, "")))
	c, err := client.Dial(t.Context(), client.Config{Paths: p})
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

func TestWedgedDaemon(t *testing.T) {
	p := daemontest.Paths(t)
	cfg := client.Config{Paths: p, Daemon: pifetchd(t, p, ""), Hello: 100 * time.Millisecond}
	patient := cfg
	patient.Hello = daemontest.Guard
	c, err := client.Dial(t.Context(), patient)
	if err != nil {
		t.Fatal(err)
	}
	pid := c.Hello().PID
	c.Close()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(pid, syscall.SIGCONT) })
	// The signal takes effect thread by thread: the daemon has stopped when
	// it no longer answers.
	for deadline := time.Now().Add(daemontest.Guard); ; {
		c, err := client.Dial(t.Context(), cfg)
		if err != nil {
			break
		}
		c.Close()
		if time.Now().After(deadline) {
			t.Fatal("the daemon does not stop")
		}
	}
	want := fmt.Sprintf("kill -9 %d", pid)
	if _, err := client.Dial(t.Context(), cfg); !errors.Is(err, client.ErrSilent) || !strings.Contains(err.Error(), want) {
		t.Errorf("dial: %v", err)
	}
	if _, err := client.Stop(t.Context(), cfg); !errors.Is(err, client.ErrSilent) || !strings.Contains(err.Error(), want) {
		t.Errorf("stop: %v", err)
	}
	if n := starts(p); n != 1 {
		t.Errorf("started %d times", n)
	}
}

func TestStop(t *testing.T) {
	p := daemontest.Paths(t)
	cfg := client.Config{Paths: p, Daemon: pifetchd(t, p, "")}
	if _, err := client.Stop(t.Context(), cfg); !errors.Is(err, client.ErrNoDaemon) {
		t.Errorf("got %v", err)
	}
	c, err := client.Dial(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	pid, err := client.Stop(t.Context(), cfg)
	if err != nil || pid != c.Hello().PID {
		t.Errorf("got %d, %v", pid, err)
	}
	if _, err := os.Lstat(p.Sock); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
	if _, err := client.Stop(t.Context(), cfg); !errors.Is(err, client.ErrNoDaemon) {
		t.Errorf("again: %v", err)
	}
}

// The socket's short path works for both sides.
func TestLongAgentDirectory(t *testing.T) {
	dir := daemontest.Paths(t).AgentDir + "/" + strings.Repeat("long", 30)
	p, err := rundir.Locate(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	c, err := client.Dial(t.Context(), client.Config{Paths: p, Daemon: pifetchd(t, p, "")})
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}
