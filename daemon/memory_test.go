package daemon_test

import (
	"context"
	"net"
	"os"
	"sync"
	"testing"

	"pifetch/daemon"
	"pifetch/daemon/daemontest"
	"pifetch/fetchers"
	"pifetch/router"
)

// memory is a listener whose connections have no buffer and take no time, so
// that synctest sees when everybody waits.
type memory struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newMemory() *memory {
	return &memory{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.done:
		return nil, net.ErrClosed
	}
}

func (m *memory) Close() error {
	m.once.Do(func() { close(m.done) })
	return nil
}

func (m *memory) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "unix"} }

// dial fails the test when nobody accepts any more.
func (m *memory) dial(t testing.TB) *daemontest.Conn {
	t.Helper()
	here, there := net.Pipe()
	select {
	case m.conns <- there:
	case <-m.done:
		t.Fatal("the daemon has left")
	}
	return daemontest.NewConn(t, here)
}

// start runs a daemon on a listener in memory.
func start(t testing.TB, changes ...func(*daemon.Config)) (*daemontest.Server, *memory) {
	t.Helper()
	m := newMemory()
	changes = append(changes, daemon.PeerIs(os.Geteuid()), func(c *daemon.Config) { c.Listener = m })
	return daemontest.Start(t, changes...), m
}

// stuck is a daemon to be run by the test itself, whose fetches end when
// release is closed and not before.
func stuck(t testing.TB, m *memory, release <-chan struct{}) (daemon.Config, chan<- os.Signal) {
	cfg := daemontest.Config(t)
	signals := make(chan os.Signal, 2)
	cfg.Listener, cfg.Signals = m, signals
	cfg.Router = &daemontest.Router{OnFetch: func(context.Context, router.Request) (fetchers.Result, error) {
		<-release
		return fetchers.Result{}, nil
	}}
	daemon.PeerIs(os.Geteuid())(&cfg)
	return cfg, signals
}
