// Package netguard decides which addresses may be reached. The decision falls
// on the address that is dialled, never on the text of a URL: a host is
// resolved once, its addresses are classified, and one of those that pass is
// dialled.
//
// What an address is comes from IANA's special-purpose registries (Classify).
// Whether it may be reached is decided in this order (Guard.Check):
//
//  1. Classes that are never reached: cloud metadata, link-local, multicast,
//     unspecified and reserved addresses.
//  2. Policy.Deny.
//  3. Policy.Allow.
//  4. Public addresses are reached from everywhere.
//  5. Private and loopback addresses are reached for the host that was asked
//     for, and from there on the way down only: what was asked for on loopback
//     may lead to loopback and private hosts, what was asked for on a private
//     network to private ones, and what is public to neither. These are the
//     address spaces of the Local Network Access draft, with its rule.
//  6. Within one request a host stays in the class it was first found in. A
//     name that changes between public and local addresses is one under attack
//     (DNS rebinding), or not to be told from it.
//
// An Origin is what the request asked for. Connections are pooled by host name,
// and the next user of one may have asked for something else; so a Transport
// belongs to one Origin, and nothing is taken from the context of a request.
package netguard

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
)

// Policy is what the user allows and denies beyond the rules, as
// webTools.fetch.network says. Prefixes of IPv4 are not written as IPv6.
type Policy struct {
	Allow []netip.Prefix
	Deny  []netip.Prefix
}

// Guard lets through connections that may be made. Its zero value is ready for
// use, with the system's resolver and without exceptions to the rules. It is
// safe for concurrent use; its fields are not to be changed then.
type Guard struct {
	// Policy is asked at every connection, so that a change of the settings
	// applies to the next one. nil: neither allows nor denies anything.
	Policy func() Policy

	// Resolver looks up host names; *net.Resolver is one. nil: the system's.
	Resolver Resolver

	// Classify is for tests, in which an address of loopback plays a public
	// one. nil: the function Classify.
	Classify func(netip.Addr) Class
}

// Resolver is the part of *net.Resolver that the guard uses.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Check returns those of addrs that may be dialled for host, in their order.
// host is a name or an address, without a port; addrs are all the addresses it
// has. o is what the request asked for; nil stands for a public host. When
// there is none, the error is a *Refusal that says why one of them was refused.
//
// The class a host was found in is remembered in o.
func (g *Guard) Check(o *Origin, host string, addrs ...netip.Addr) ([]netip.Addr, error) {
	host, err := canonical(host)
	if err != nil {
		return nil, err
	}
	return g.check(o, host, addrs)
}

// check is Check for a canonical host.
func (g *Guard) check(o *Origin, host string, addrs []netip.Addr) ([]netip.Addr, error) {
	var policy Policy
	if g.Policy != nil {
		policy = g.Policy()
	}
	classify := g.Classify
	if classify == nil {
		classify = Classify
	}

	type candidate struct {
		addr    netip.Addr
		class   Class
		allowed bool
	}
	var (
		candidates []candidate
		class      Class // of the host: the most public one it has
		refusals   []*Refusal
	)
	for _, addr := range addrs {
		addr = addr.Unmap()
		c := candidate{addr: addr, class: classify(addr)}
		if c.class.never() {
			refusals = append(refusals, &Refusal{Host: host, Addr: addr, Class: c.class, Rule: Never})
			continue
		}
		if p, ok := policy.denies(addr); ok {
			refusals = append(refusals, &Refusal{Host: host, Addr: addr, Class: c.class, Rule: Denied, Prefix: p})
			continue
		}
		c.allowed = o.trusts(host) || policy.allows(addr)
		if len(candidates) == 0 || c.class < class {
			class = c.class
		}
		candidates = append(candidates, c)
	}

	var passed []netip.Addr
	if len(candidates) > 0 {
		// What the user can change is worth more as a reason than the rest.
		refusals = nil
		rule := o.admit(host, class)
		for _, c := range candidates {
			r := rule
			if r == none && c.class != class {
				r = Changed
			}
			if r == none || c.allowed {
				passed = append(passed, c.addr)
				continue
			}
			refusals = append(refusals, &Refusal{Host: host, Addr: c.addr, Class: c.class, Rule: r, Asked: o.host()})
		}
	}
	switch {
	case len(passed) > 0:
		return passed, nil
	case len(refusals) > 0:
		return nil, refusals[0]
	}
	return nil, fmt.Errorf("%s has no address", host)
}

// denies reports which prefix of Deny holds addr, or the IPv4 address within
// that a translator would reach.
func (p Policy) denies(addr netip.Addr) (netip.Prefix, bool) {
	for _, a := range append(translated(addr), addr.WithZone("")) {
		if i := slices.IndexFunc(p.Deny, func(p netip.Prefix) bool { return p.Contains(a) }); i >= 0 {
			return p.Deny[i], true
		}
	}
	return netip.Prefix{}, false
}

// allows reports whether a prefix of Allow holds addr.
func (p Policy) allows(addr netip.Addr) bool {
	addr = addr.WithZone("")
	return slices.ContainsFunc(p.Allow, func(p netip.Prefix) bool { return p.Contains(addr) })
}
