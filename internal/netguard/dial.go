package netguard

import (
	"context"
	"net"
	"net/netip"
	"syscall"
	"time"
)

const (
	// connectTimeout is how long one address has to accept a connection.
	connectTimeout = 10 * time.Second
	// attemptDelay is the head start an address has over the next one, as
	// RFC 8305, section 5, recommends.
	attemptDelay = 250 * time.Millisecond
)

// DialContext connects to an address, host:port, on behalf of o. network is
// tcp, tcp4 or tcp6. The host is resolved once, and of its addresses those are
// dialled that Check lets through; the one that is, is checked again before the
// connection is made. When none may be reached, the error is a *Refusal.
func (g *Guard) DialContext(ctx context.Context, o *Origin, network, address string) (net.Conn, error) {
	family, ok := map[string]string{"tcp": "ip", "tcp4": "ip4", "tcp6": "ip6"}[network]
	if !ok {
		return nil, net.UnknownNetworkError(network)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if host, err = canonical(host); err != nil {
		return nil, err
	}
	addrs, err := g.lookup(ctx, o, family, host)
	if err != nil {
		return nil, err
	}
	dialer := net.Dialer{
		Timeout: connectTimeout,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			a, err := netip.ParseAddrPort(address)
			if err != nil {
				return err
			}
			_, err = g.check(o, host, []netip.Addr{a.Addr()})
			return err
		},
	}
	return race(ctx, addrs, func(ctx context.Context, a netip.Addr) (net.Conn, error) {
		return dialer.DialContext(ctx, network, net.JoinHostPort(a.String(), port))
	})
}

// race dials the addresses one after the other, the next when one has failed or
// taken longer than attemptDelay, and returns the first connection made, or the
// first error when all have failed.
func race(ctx context.Context, addrs []netip.Addr, dial func(context.Context, netip.Addr) (net.Conn, error)) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type attempt struct {
		conn net.Conn
		err  error
	}
	attempts := make(chan attempt)
	next := time.NewTimer(0)
	defer next.Stop()

	var first error
	for started, failed := 0, 0; failed < len(addrs); {
		select {
		case <-next.C:
			if started == len(addrs) {
				continue
			}
			addr := addrs[started]
			started++
			go func() {
				conn, err := dial(ctx, addr)
				select {
				case attempts <- attempt{conn, err}:
				case <-ctx.Done():
					if conn != nil {
						conn.Close()
					}
				}
			}()
			next.Reset(attemptDelay)
		case a := <-attempts:
			if a.err == nil {
				return a.conn, nil
			}
			if failed++; failed == 1 {
				first = a.err
			}
			next.Reset(0)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return nil, first
}
