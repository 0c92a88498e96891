package netguard

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// lookup resolves a canonical host and returns the addresses that may be
// dialled. network is that of LookupNetIP: ip, ip4 or ip6.
func (g *Guard) lookup(ctx context.Context, o *Origin, network, host string) ([]netip.Addr, error) {
	addrs, err := g.resolve(ctx, network, host)
	if err != nil {
		return nil, err
	}
	return g.check(o, host, addrs)
}

func (g *Guard) resolve(ctx context.Context, network, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return ofFamily(network, addr), nil
	}
	if isLocalhost(host) {
		return ofFamily(network, netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()), nil
	}
	if g.Resolver != nil {
		return g.Resolver.LookupNetIP(ctx, network, host)
	}
	return net.DefaultResolver.LookupNetIP(ctx, network, host)
}

// ofFamily returns those of addrs that belong to network.
func ofFamily(network string, addrs ...netip.Addr) []netip.Addr {
	return slices.DeleteFunc(addrs, func(a netip.Addr) bool {
		return network == "ip4" && !a.Is4() || network == "ip6" && !a.Is6()
	})
}

// isLocalhost reports whether a canonical host is loopback by its name, for
// which no resolver is asked (RFC 6761, section 6.3).
func isLocalhost(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
