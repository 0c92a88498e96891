package daemon_test

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
)

// The kernel's word, without the folder's protection.
func TestSecondUserIsRefused(t *testing.T) {
	daemontest.NeedRoot(t)
	s := daemontest.Start(t)
	p := s.Config.Paths
	for path, mode := range map[string]os.FileMode{p.Sock: 0o666, p.Dir: 0o755, filepath.Dir(p.Dir): 0o755} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	nc := daemontest.AsNobody(t, func() (net.Conn, error) { return net.Dial("unix", p.Sock) })
	c := daemontest.NewConn(t, nc)
	if m := c.Next(); m.Code != wire.CodeForbidden {
		t.Errorf("got %s", m.Line)
	}
	if m, err := c.TryNext(); err == nil {
		t.Errorf("then %s", m.Line)
	}
	s.Client(t) // the owner is served
}
