package netguard

import (
	"net/netip"
	"slices"
)

// Class is what kind of address an address is, from the most public to the
// strictest.
type Class int

// The classes. Those after Loopback are never reached.
const (
	Public      Class = iota // of the internet
	Private                  // of the user's networks
	Loopback                 // of this machine
	Reserved                 // set aside by IANA: no web server has such an address
	Multicast                // of a group of machines, broadcast included
	LinkLocal                // of the next cable
	Unspecified              // "this host on this network", which systems take for loopback
	Metadata                 // of a cloud's metadata service, which gives credentials away
)

var classNames = [...]string{"public", "private", "loopback", "reserved", "multicast", "link-local", "unspecified", "cloud metadata"}

// String is the name of the class as messages have it.
func (c Class) String() string { return classNames[c] }

// never reports whether addresses of the class are refused whatever is asked
// for or allowed.
func (c Class) never() bool { return c > Loopback }

// special is what IANA's special-purpose registries (RFC 6890) set aside:
//
//	https://www.iana.org/assignments/iana-ipv4-special-registry
//	https://www.iana.org/assignments/iana-ipv6-special-registry
//
// Private are the blocks that networks of users have in use, those for
// benchmarks included, which tunnels hand out to their clients. What else is
// set aside is reserved, also where the registry has it as globally reachable:
// relays and name servers are there, and no pages. So are the tunnels 6to4 and
// Teredo, which are given up (RFC 7526) and lead to an IPv4 address of the
// caller's choice. An address in more than one block has the strictest class.
//
// Of IPv6 only 2000::/3 is given out for the internet; an address elsewhere
// that is in no block is reserved as well: IPv4-compatible (::/96) and
// site-local ones (fec0::/10), discard-only, SRv6.
//
// The addresses of metadata services are those their clouds document. Most lie
// within link-local or private blocks; Azure's is a public one.
var special = []struct {
	class    Class
	prefixes []netip.Prefix
}{
	{Public, prefixes(
		"64:ff9b::/96", // RFC 6052, NAT64: as public as the IPv4 address within
	)},
	{Private, prefixes(
		"10.0.0.0/8",     // RFC 1918
		"100.64.0.0/10",  // RFC 6598, shared address space: carriers, overlay networks
		"172.16.0.0/12",  // RFC 1918
		"192.168.0.0/16", // RFC 1918
		"198.18.0.0/15",  // RFC 2544, benchmarks
		"fc00::/7",       // RFC 4193, unique local
		"64:ff9b:1::/48", // RFC 8215, NAT64 of one network
	)},
	{Loopback, prefixes(
		"127.0.0.0/8", // RFC 1122
		"::1/128",     // RFC 4291
	)},
	{Reserved, prefixes(
		"192.0.0.0/24",      // RFC 6890, protocol assignments
		"192.0.2.0/24",      // RFC 5737, documentation
		"192.31.196.0/24",   // RFC 7535, AS112
		"192.52.193.0/24",   // RFC 7450, AMT
		"192.88.99.0/24",    // RFC 7526, 6to4 relays
		"192.175.48.0/24",   // RFC 7534, AS112
		"198.51.100.0/24",   // RFC 5737, documentation
		"203.0.113.0/24",    // RFC 5737, documentation
		"240.0.0.0/4",       // RFC 1112, future use
		"2001::/23",         // RFC 2928, protocol assignments: Teredo, benchmarks, AMT, AS112, ORCHID, drones
		"2001:db8::/32",     // RFC 3849, documentation
		"2002::/16",         // RFC 3056, 6to4
		"2620:4f:8000::/48", // RFC 7534, AS112
		"3fff::/20",         // RFC 9637, documentation
	)},
	{Multicast, prefixes(
		"224.0.0.0/4",        // RFC 1112
		"255.255.255.255/32", // RFC 919, broadcast
		"ff00::/8",           // RFC 4291
	)},
	{LinkLocal, prefixes(
		"169.254.0.0/16", // RFC 3927
		"fe80::/10",      // RFC 4291
	)},
	{Unspecified, prefixes(
		"0.0.0.0/8", // RFC 791, "this network"
		"::/128",    // RFC 4291
	)},
	{Metadata, prefixes(
		"169.254.169.254/32",     // nearly every cloud
		"169.254.170.2/32",       // AWS, credentials of containers
		"169.254.170.23/32",      // AWS, credentials of pods
		"169.254.42.42/32",       // Scaleway
		"169.254.0.23/32",        // Tencent
		"100.100.100.200/32",     // Alibaba
		"168.63.129.16/32",       // Azure
		"192.0.0.192/32",         // Oracle, classic
		"fd00:ec2::/32",          // AWS, all its services of this kind
		"fd20:ce::254/128",       // Google
		"fd00:c1::a9fe:a9fe/128", // Oracle
		"fd00:a9fe:a9fe::1/128",  // Akamai
		"fd00:42::42/128",        // Scaleway
		"fd00:100::100:200/128",  // Alibaba
		"fe80::a9fe:a9fe/128",    // OpenStack
	)},
}

func prefixes(ss ...string) []netip.Prefix {
	ps := make([]netip.Prefix, len(ss))
	for i, s := range ss {
		ps[i] = netip.MustParsePrefix(s)
	}
	return ps
}

var (
	globalUnicast = netip.MustParsePrefix("2000::/3")
	thisNetwork   = netip.MustParsePrefix("0.0.0.0/8")
	nat64         = netip.MustParsePrefix("64:ff9b::/96")
	localNAT64    = netip.MustParsePrefix("64:ff9b:1::/48")
)

// Classify says what addr is. Zones do not matter, an IPv4 address mapped into
// IPv6 is that IPv4 address, and one that is to be translated (NAT64) has the
// stricter class of both. A translator behind a prefix of a network's own
// cannot be told from the network.
func Classify(addr netip.Addr) Class {
	addr = addr.Unmap().WithZone("")
	class, found := Public, false
	for _, s := range special {
		if slices.ContainsFunc(s.prefixes, func(p netip.Prefix) bool { return p.Contains(addr) }) {
			class, found = s.class, true // the table goes from public to strict
		}
	}
	if !found && !addr.Is4() && !globalUnicast.Contains(addr) {
		return Reserved
	}
	for _, v4 := range translated(addr) {
		class = max(class, Classify(v4))
	}
	return class
}

// translated returns the IPv4 addresses that a NAT64 translator may make of
// addr: for its well-known prefix the last four bytes, for the prefix of one
// network those of each length that RFC 6052 has, because the length in use is
// not known. Where one length is in use the others read zeros, so addresses
// that begin with one count only when all do.
func translated(addr netip.Addr) []netip.Addr {
	addr = addr.WithZone("")
	b := addr.As16()
	last := netip.AddrFrom4([4]byte(b[12:]))
	switch {
	case nat64.Contains(addr):
		return []netip.Addr{last}
	case localNAT64.Contains(addr):
		v4 := slices.DeleteFunc([]netip.Addr{
			last,
			netip.AddrFrom4([4]byte{b[6], b[7], b[9], b[10]}),   // 48 bits; byte 8 is always left out
			netip.AddrFrom4([4]byte{b[7], b[9], b[10], b[11]}),  // 56 bits
			netip.AddrFrom4([4]byte{b[9], b[10], b[11], b[12]}), // 64 bits
		}, thisNetwork.Contains)
		if len(v4) == 0 {
			return []netip.Addr{last}
		}
		return v4
	}
	return nil
}
