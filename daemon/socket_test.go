package daemon_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pifetch/daemon"
	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
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
