package daemon_test

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pifetch/daemon"
	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/router"
)

func TestOneDaemon(t *testing.T) {
	s := daemontest.Start(t)
	browser := &daemontest.Browser{}
	cfg := daemontest.Config(t)
	opened := false
	cfg.Paths, cfg.Browser = s.Config.Paths, browser
	cfg.Open = func() error { opened = true; return nil }
	if err := daemon.Run(t.Context(), cfg); !errors.Is(err, daemon.ErrRunning) {
		t.Errorf("the second Run returned %v", err)
	}
	if opened || browser.Closes() != 0 {
		t.Errorf("the second's browser: opened %v, closed %d times; want neither", opened, browser.Closes())
	}
	s.Client(t) // the first one still listens
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(s.Config.Paths.DaemonLock); err != nil {
		t.Errorf("the lock file must stay: %v", err)
	}
	if _, err := os.Lstat(s.Config.Paths.Sock); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket must be removed: %v", err)
	}
	daemontest.Start(t, func(c *daemon.Config) { c.Paths = s.Config.Paths }).Client(t)
}

func TestFilesOfARunningDaemon(t *testing.T) {
	s := daemontest.Start(t)
	for path, want := range map[string]fs.FileMode{
		s.Config.Paths.Dir:        fs.ModeDir | 0o700,
		s.Config.Paths.Sock:       fs.ModeSocket | 0o600,
		s.Config.Paths.DaemonLock: 0o600,
	} {
		if fi, err := os.Lstat(path); err != nil || fi.Mode() != want {
			t.Errorf("%s: %v, %v; want %v", path, fi.Mode(), err, want)
		}
	}
	names, err := filepath.Glob(s.Config.Paths.Dir + "/*")
	if err != nil || len(names) != 3 {
		t.Errorf("in the run folder: %v, %v", names, err)
	}
}

func TestWhatIsAtTheSocketsPathIsReplaced(t *testing.T) {
	for name, put := range map[string]func(sock string) error{
		"plain file": func(sock string) error { return os.WriteFile(sock, []byte("x"), 0o600) },
		"link":       func(sock string) error { return os.Symlink("/dev/null", sock) },
		"stale socket": func(sock string) error {
			ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: sock, Net: "unix"})
			if err != nil {
				return err
			}
			ln.SetUnlinkOnClose(false)
			return ln.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := daemontest.Paths(t)
			if err := p.Prepare(); err != nil {
				t.Fatal(err)
			}
			if err := put(p.Sock); err != nil {
				t.Fatal(err)
			}
			daemontest.Start(t, func(c *daemon.Config) { c.Paths = p }).Client(t)
		})
	}
}

func TestFolderAtTheSocketsPathIsNotRemoved(t *testing.T) {
	cfg := daemontest.Config(t)
	if err := cfg.Paths.Prepare(); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(cfg.Paths.Sock, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := daemon.Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), cfg.Paths.Sock) {
		t.Errorf("Run returned %v", err)
	}
	if n := cfg.Browser.(*daemontest.Browser).Closes(); n != 1 {
		t.Errorf("browser closed %d times", n)
	}
}

func TestSocketOfSomebodyElseIsNotRemoved(t *testing.T) {
	s := daemontest.Start(t)
	if err := os.Remove(s.Config.Paths.Sock); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.Config.Paths.Sock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(s.Config.Paths.Sock); err != nil {
		t.Error(err)
	}
}

func TestInheritedSocketIsNotRemoved(t *testing.T) {
	p := daemontest.Paths(t)
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: p.Sock, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	ln.SetUnlinkOnClose(false)
	s := daemontest.Start(t, func(c *daemon.Config) { c.Paths, c.Listener, c.Managed = p, ln, true })
	if h := s.Client(t).Hello(); !h.Managed {
		t.Errorf("hello: %+v", h)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(p.Sock); err != nil {
		t.Error(err)
	}
}

// A service manager makes its socket at the path of a daemon that a client has
// started: that one leaves, and the one behind the new socket waits for it.
func TestInheritedSocketReplacesAnotherDaemon(t *testing.T) {
	for _, tt := range []struct{ name, op string }{
		{"idle", ""},
		{"busy", `{"id":"f","op":"fetch","urls":["https://a.example/"]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			serving, finish := make(chan struct{}, 1), make(chan struct{})
			lazy := daemontest.Start(t, func(c *daemon.Config) {
				c.SockCheck = 10 * time.Millisecond
				c.Router = &daemontest.Router{OnFetch: func(context.Context, router.Request) (fetchers.Result, error) {
					serving <- struct{}{}
					<-finish
					return fetchers.Result{}, nil
				}}
			})
			old := lazy.Dial(t)
			if tt.op != "" {
				old.Send(tt.op)
				<-serving
			}
			p := lazy.Config.Paths
			if err := os.Remove(p.Sock); err != nil {
				t.Fatal(err)
			}
			ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: p.Sock, Net: "unix"})
			if err != nil {
				t.Fatal(err)
			}
			ln.SetUnlinkOnClose(false)
			left := make(chan struct{}, 1)
			signals, done := make(chan os.Signal, 2), make(chan error, 1)
			cfg := daemon.Config{
				Paths: p, Listener: ln, Managed: true, Signals: signals,
				Router: &daemontest.Router{}, Browser: &daemontest.Browser{},
				Leaving: func() { left <- struct{}{} },
			}
			go func() { done <- daemon.Run(context.WithoutCancel(t.Context()), cfg) }()
			nc, err := net.Dial("unix", p.Sock)
			if err != nil {
				t.Fatal(err)
			}
			managed := daemontest.NewConn(t, nc)
			managed.Send(`{"id":"h","op":"hello"}`)
			if tt.op != "" {
				close(finish) // the request of the old one is answered
				for m := old.Next(); m.Event != wire.EventResult; m = old.Next() {
					if m.Event == wire.EventError {
						t.Fatalf("the running request got %s", m.Line)
					}
				}
			}
			if m := managed.Next(); m.Event != wire.EventResult || !strings.Contains(m.Line, `"managed":true`) {
				t.Errorf("got %s", m.Line)
			}
			signals <- syscall.SIGTERM
			if err := <-done; err != nil {
				t.Error(err)
			}
			<-left
			if _, err := os.Lstat(p.Sock); err != nil {
				t.Errorf("the inherited socket: %v", err)
			}
		})
	}
}

func TestWaitingForTheLockEndsWithASignal(t *testing.T) {
	lazy := daemontest.Start(t)
	ln, err := net.Listen("unix", filepath.Join(lazy.Config.Paths.Dir, "other"))
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	signals := make(chan os.Signal, 1)
	signals <- syscall.SIGTERM
	err = daemon.Run(t.Context(), daemon.Config{Paths: lazy.Config.Paths, Listener: ln, Signals: signals, Router: &daemontest.Router{}, Browser: &daemontest.Browser{}})
	if err == nil || err.Error() != "terminated while waiting for another daemon to leave" {
		t.Errorf("got %v", err)
	}
}

func TestOtherUserIsRefused(t *testing.T) {
	s := daemontest.Start(t, daemon.PeerIs(os.Geteuid()+1))
	c := s.Dial(t)
	if m := c.Next(); m.Event != wire.EventError || m.Code != wire.CodeForbidden || m.ID != "" {
		t.Errorf("got %s", m.Line)
	}
	if m, err := c.TryNext(); err == nil {
		t.Errorf("then %s", m.Line)
	}
}
