package netguard

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Loopback has addresses enough for all parts: these two play others, the rest
// is what it is.
const (
	publicAddr  = "127.0.0.2"
	privateAddr = "127.0.0.3"
)

func stage(addr netip.Addr) Class {
	switch addr.String() {
	case publicAddr:
		return Public
	case privateAddr:
		return Private
	}
	return Classify(addr)
}

// listener accepts connections on addr and counts them. Systems that have no
// such address skip the test.
func listener(t *testing.T, addr string) (port string, hits *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(addr, "0"))
	if err != nil {
		t.Skipf("needs the address %s: %v", addr, err)
	}
	hits = new(atomic.Int64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			hits.Add(1)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port, hits
}

// rule dials and returns the rule that forbade it, or none when it succeeded.
func rule(t *testing.T, g *Guard, o *Origin, host, port string) Rule {
	t.Helper()
	conn, err := g.DialContext(t.Context(), o, "tcp", net.JoinHostPort(host, port))
	if err == nil {
		conn.Close()
		return none
	}
	r, ok := errors.AsType[*Refusal](err)
	if !ok {
		t.Fatalf("%s: %v", host, err)
	}
	return r.Rule
}

func TestDialContext(t *testing.T) {
	port, hits := listener(t, "127.0.0.1")
	g := &Guard{Resolver: names{"dev.test": "127.0.0.1", "both.test": "127.0.0.1 169.254.169.254"}}

	spellings := []string{
		"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001", "127.0.0.1.", "::ffff:127.0.0.1",
		"::ffff:7f00:1", "localhost", "LOCALHOST", "localhost.", "foo.localhost", "a.b.LocalHost.", "dev.test", "DEV.test.", "both.test",
	}
	for _, host := range spellings {
		if got := rule(t, g, Asked("example.com"), host, port); got != NotAsked {
			t.Errorf("%s, from a public host: rule %d, want %d", host, got, NotAsked)
		}
	}
	for _, host := range []string{"0", "0.0.0.0", "::", "::ffff:0.0.0.0", "::127.0.0.1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "fe80::1%lo", "169.254.169.254"} {
		if got := rule(t, g, Asked(host), host, port); got != Never {
			t.Errorf("%s, asked for: rule %d, want %d", host, got, Never)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("%d connections that were to be refused", n)
	}
	for _, host := range spellings {
		if got := rule(t, g, Asked(host), host, port); got != none {
			t.Errorf("%s, asked for: rule %d", host, got)
		}
	}
	waitFor(t, "connections", func() bool { return hits.Load() == int64(len(spellings)) })
}

// waitFor polls until ok, because a listener accepts after its client is
// connected.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s after 30 s", what)
		}
	}
}

func TestDialContextErrors(t *testing.T) {
	g := &Guard{Resolver: names{}}
	for _, tt := range []struct{ network, address, want string }{
		{"tcp", "nowhere.test:80", "lookup nowhere.test: no such host"},
		{"tcp", "localhost", "address localhost: missing port in address"},
		{"tcp", ":80", `"" is no host name`},
		{"tcp", "1.2.3.4.5:80", `"1.2.3.4.5" is no host name: malformed URL: bad IP address`},
		{"udp", "localhost:80", "unknown network udp"},
		{"unix", "/tmp/x", "unknown network /tmp/x"},
		{"tcp6", "127.0.0.1:80", "127.0.0.1 has no address"},
	} {
		conn, err := g.DialContext(t.Context(), nil, tt.network, tt.address)
		if conn != nil || err == nil || tt.network != "unix" && err.Error() != tt.want {
			t.Errorf("%s %s: %v, %v, want %s", tt.network, tt.address, conn, err, tt.want)
		}
	}
}

func TestDialContextOfOneFamily(t *testing.T) {
	port, _ := listener(t, "127.0.0.1")
	conn, err := new(Guard).DialContext(t.Context(), Asked("localhost"), "tcp4", "localhost:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got := conn.RemoteAddr().String(); got != "127.0.0.1:"+port {
		t.Errorf("connected to %s", got)
	}
}

// names is a resolver that knows these hosts and no others.
type names map[string]string

func (n names) LookupNetIP(_ context.Context, network, host string) ([]netip.Addr, error) {
	if network != "ip" {
		return nil, errors.New("asked for the network " + network)
	}
	text, ok := n[host]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return addrs(text), nil
}

// rebinder answers with its addresses in turn, and counts its answers.
type rebinder struct {
	mu    sync.Mutex
	addrs []string
	n     int
}

func (r *rebinder) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if !strings.HasSuffix(host, ".test") {
		return nil, errors.New("asked for " + host)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	return addrs(r.addrs[(r.n-1)%len(r.addrs)]), nil
}

// A name that alternates between a public address and loopback never leads to
// loopback: not when it is asked for and was public first, nor from a page.
func TestRebinding(t *testing.T) {
	port, hits := listener(t, "127.0.0.1")
	public, err := net.Listen("tcp", net.JoinHostPort(publicAddr, port))
	if err != nil {
		t.Skipf("needs the address %s: %v", publicAddr, err)
	}
	defer public.Close()

	const rounds = 500
	for _, origin := range []string{"rebind.test", "page.test"} {
		resolver := &rebinder{addrs: []string{publicAddr, "127.0.0.1"}}
		g := &Guard{Resolver: resolver, Classify: stage}
		for range rounds {
			o := Asked(origin)
			if got := rule(t, g, o, "rebind.test", port); got != none {
				t.Fatalf("%s: rule %d at the public address", origin, got)
			}
			if got := rule(t, g, o, "rebind.test", port); got != Changed {
				t.Fatalf("%s: rule %d at loopback, want %d", origin, got, Changed)
			}
		}
		if resolver.n != 2*rounds {
			t.Errorf("%d look-ups for %d connections", resolver.n, 2*rounds)
		}
	}
	// From a page, loopback first.
	g := &Guard{Resolver: &rebinder{addrs: []string{"127.0.0.1", publicAddr}}, Classify: stage}
	for range rounds {
		o := Asked("page.test")
		if got := rule(t, g, o, "rebind.test", port); got != NotAsked {
			t.Fatalf("rule %d at loopback first, want %d", got, NotAsked)
		}
		if got := rule(t, g, o, "rebind.test", port); got != none {
			t.Fatalf("rule %d at the public address after", got)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("%d connections to loopback", n)
	}
}

// What is let through is checked again as the kernel is told: a policy that
// changes in between counts.
func TestCheckedAgainBeforeConnect(t *testing.T) {
	port, hits := listener(t, "127.0.0.1")
	asked := 0
	g := &Guard{Policy: func() Policy {
		if asked++; asked > 1 {
			return Policy{Deny: networks("127.0.0.1/32")}
		}
		return Policy{}
	}}
	if got := rule(t, g, Asked("127.0.0.1"), "127.0.0.1", port); got != Denied {
		t.Errorf("rule %d, want %d", got, Denied)
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("%d connections", n)
	}
}

// fakeConn is a connection that tells when it is closed.
type fakeConn struct {
	net.Conn
	addr   netip.Addr
	closed *atomic.Int64
}

func (c fakeConn) Close() error { c.closed.Add(1); return nil }

func TestRace(t *testing.T) {
	errRefused := errors.New("connection refused")
	tests := []struct {
		name  string
		takes []time.Duration // by address; negative: fails after that time
		want  string          // the address connected to, or the error
		after time.Duration
	}{
		{"first", []time.Duration{time.Second / 10, 0}, "10.0.0.0", time.Second / 10},
		{"first is slow", []time.Duration{time.Second, time.Second / 10}, "10.0.0.1", attemptDelay + time.Second/10},
		{"first is slow, and faster than the second", []time.Duration{time.Second, time.Minute}, "10.0.0.0", time.Second},
		{"first fails", []time.Duration{-time.Second / 10, time.Second / 10}, "10.0.0.1", time.Second / 5},
		{"first fails late", []time.Duration{-time.Second, time.Minute, time.Second}, "10.0.0.2", 2*attemptDelay + time.Second},
		{"all fail", []time.Duration{-time.Second / 10, -time.Second / 10, -time.Second / 10}, "10.0.0.0: connection refused", 3 * time.Second / 10},
		{"the last hangs", []time.Duration{-1, time.Hour}, "given up", time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var all []netip.Addr
				for i := range tt.takes {
					all = append(all, netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}))
				}
				var opened, closed atomic.Int64
				dial := func(ctx context.Context, a netip.Addr) (net.Conn, error) {
					d := tt.takes[a.As4()[3]]
					select {
					case <-time.After(max(d, -d)):
					case <-ctx.Done():
						return nil, ctx.Err()
					}
					if d < 0 {
						return nil, errors.New(a.String() + ": " + errRefused.Error())
					}
					opened.Add(1)
					return fakeConn{addr: a, closed: &closed}, nil
				}
				ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("given up"))
				defer cancel()
				start := time.Now()
				conn, err := race(ctx, all, dial)
				took := time.Since(start)
				synctest.Wait()

				got := ""
				if err != nil {
					got = err.Error()
				} else {
					got = conn.(fakeConn).addr.String()
					conn.Close()
				}
				if got != tt.want || took != tt.after {
					t.Errorf("%s after %s, want %s after %s", got, took, tt.want, tt.after)
				}
				if opened.Load() != closed.Load() {
					t.Errorf("%d connections opened, %d closed", opened.Load(), closed.Load())
				}
			})
		})
	}
}
