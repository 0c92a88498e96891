package daemon_test

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
)

// The kernel's word, without the folder's protection.
func TestSecondUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	s := daemontest.Start(t)
	p := s.Config.Paths
	for path, mode := range map[string]os.FileMode{p.Sock: 0o666, p.Dir: 0o755, filepath.Dir(p.Dir): 0o755} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	type dialled struct {
		c   net.Conn
		err error
	}
	ch := make(chan dialled)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		const nobody, same = 65534, ^uintptr(0)
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, same, nobody, same); errno != 0 {
			ch <- dialled{err: errno}
			return
		}
		c, err := net.Dial("unix", p.Sock)
		ch <- dialled{c, err}
	}()
	d := <-ch
	if d.err != nil {
		t.Fatal(d.err)
	}
	c := daemontest.NewConn(t, d.c)
	if m := c.Next(); m.Code != wire.CodeForbidden {
		t.Errorf("got %s", m.Line)
	}
	if m, err := c.TryNext(); err == nil {
		t.Errorf("then %s", m.Line)
	}
	s.Client(t) // the owner is served
}
