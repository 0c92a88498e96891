package netguard

import (
	"net/netip"
	"testing"
)

// blocks4 are IPv4 by class: the first and the last address of each row.
var blocks4 = []struct {
	first, last string
	want        Class
}{
	{"0.0.0.0", "0.255.255.255", Unspecified},
	{"1.0.0.0", "9.255.255.255", Public},
	{"10.0.0.0", "10.255.255.255", Private},
	{"11.0.0.0", "100.63.255.255", Public},
	{"100.64.0.0", "100.100.100.199", Private},
	{"100.100.100.200", "100.100.100.200", Metadata},
	{"100.100.100.201", "100.127.255.255", Private},
	{"100.128.0.0", "126.255.255.255", Public},
	{"127.0.0.0", "127.0.0.1", Loopback},
	{"127.0.0.53", "127.255.255.255", Loopback},
	{"128.0.0.0", "168.63.129.15", Public},
	{"168.63.129.16", "168.63.129.16", Metadata},
	{"168.63.129.17", "169.253.255.255", Public},
	{"169.254.0.0", "169.254.0.22", LinkLocal},
	{"169.254.0.23", "169.254.0.23", Metadata},
	{"169.254.0.24", "169.254.42.41", LinkLocal},
	{"169.254.42.42", "169.254.42.42", Metadata},
	{"169.254.42.43", "169.254.169.253", LinkLocal},
	{"169.254.169.254", "169.254.169.254", Metadata},
	{"169.254.169.255", "169.254.170.1", LinkLocal},
	{"169.254.170.2", "169.254.170.2", Metadata},
	{"169.254.170.23", "169.254.170.23", Metadata},
	{"169.254.170.24", "169.254.255.255", LinkLocal},
	{"169.255.0.0", "172.15.255.255", Public},
	{"172.16.0.0", "172.31.255.255", Private},
	{"172.32.0.0", "191.255.255.255", Public},
	{"192.0.0.0", "192.0.0.191", Reserved},
	{"192.0.0.9", "192.0.0.10", Reserved},
	{"192.0.0.170", "192.0.0.171", Reserved},
	{"192.0.0.192", "192.0.0.192", Metadata},
	{"192.0.0.193", "192.0.0.255", Reserved},
	{"192.0.1.0", "192.0.1.255", Public},
	{"192.0.2.0", "192.0.2.255", Reserved},
	{"192.0.3.0", "192.31.195.255", Public},
	{"192.31.196.0", "192.31.196.255", Reserved},
	{"192.31.197.0", "192.52.192.255", Public},
	{"192.52.193.0", "192.52.193.255", Reserved},
	{"192.52.194.0", "192.88.98.255", Public},
	{"192.88.99.0", "192.88.99.255", Reserved},
	{"192.88.100.0", "192.167.255.255", Public},
	{"192.168.0.0", "192.168.255.255", Private},
	{"192.169.0.0", "192.175.47.255", Public},
	{"192.175.48.0", "192.175.48.255", Reserved},
	{"192.175.49.0", "198.17.255.255", Public},
	{"198.18.0.0", "198.19.255.255", Private},
	{"198.20.0.0", "198.51.99.255", Public},
	{"198.51.100.0", "198.51.100.255", Reserved},
	{"198.51.101.0", "203.0.112.255", Public},
	{"203.0.113.0", "203.0.113.255", Reserved},
	{"203.0.114.0", "223.255.255.255", Public},
	{"224.0.0.0", "239.255.255.255", Multicast},
	{"240.0.0.0", "255.255.255.254", Reserved},
	{"255.255.255.255", "255.255.255.255", Multicast},
}

// blocks6 are the blocks of IPv6, likewise.
var blocks6 = []struct {
	first, last string
	want        Class
}{
	{"::", "::", Unspecified},
	{"::1", "::1", Loopback},
	{"::2", "::fffe:ffff:ffff", Reserved},
	{"::7f00:1", "::a9fe:a9fe", Reserved}, // IPv4-compatible
	{"::808:808", "::ffff:ffff", Reserved},
	{"::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8", Reserved}, // IPv4-translated, RFC 2765
	{"64:ff9a:ffff::", "64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},
	{"64:ff9b::1:0:0", "64:ff9b::ffff:ffff:ffff:ffff", Reserved}, // beside the /96
	{"64:ff9b:2::", "64:ffff::", Reserved},
	{"100::", "100::ffff:ffff:ffff:ffff", Reserved},
	{"100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", Reserved},
	{"200::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},
	{"2000::", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Public},
	{"2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},               // Teredo
	{"2001:0:808:808:0:0:f7f7:f7f7", "2001:0:808:808:0:0:80ff:fffe", Reserved}, // from 8.8.8.8 and 127.0.0.1
	{"2001:1::1", "2001:1::3", Reserved},                                       // anycast
	{"2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", Reserved},                // benchmarks
	{"2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},             // AMT
	{"2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff", Reserved},          // AS112
	{"2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},           // ORCHID
	{"2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},           // ORCHIDv2
	{"2001:30::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},          // drones, the end of the /23
	{"2001:200::", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", Public},
	{"2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},
	{"2001:db9::", "2001:4860:4860::8888", Public},
	{"2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff::", Public},
	{"2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},
	{"2002:7f00:1::", "2002:a9fe:a9fe::", Reserved}, // of 127.0.0.1 and 169.254.169.254
	{"2002:808:808::1", "2002:c0a8:101::1", Reserved},
	{"2003::", "2620:4f:7fff:ffff:ffff:ffff:ffff:ffff", Public},
	{"2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", Reserved},
	{"2620:4f:8001::", "2a00:1450:4001:81b::200e", Public},
	{"2c00::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Public},
	{"3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},
	{"3fff:1000::", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Public},
	{"4000::", "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},
	{"5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},
	{"5f01::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},
	{"fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Private},
	{"fd00:42::41", "fd00:42::43", Private},
	{"fd00:42::42", "fd00:42::42", Metadata},
	{"fd00:a9fe:a9fe::1", "fd00:a9fe:a9fe::1", Metadata},
	{"fd00:c1::a9fe:a9fe", "fd00:c1::a9fe:a9fe", Metadata},
	{"fd00:100::100:200", "fd00:100::100:200", Metadata},
	{"fd00:ec1:ffff::", "fd00:ec3::", Private},
	{"fd00:ec2::", "fd00:ec2:ffff:ffff:ffff:ffff:ffff:ffff", Metadata},
	{"fd00:ec2::23", "fd00:ec2::254", Metadata},
	{"fd20:ce::253", "fd20:ce::255", Private},
	{"fd20:ce::254", "fd20:ce::254", Metadata},
	{"fe00::", "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Reserved},
	{"fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", LinkLocal},
	{"fe80::a9fe:a9fe", "fe80::a9fe:a9fe", Metadata},
	{"fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Reserved}, // site-local
	{"ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Multicast},
	{"ff02::1", "ff0e::1", Multicast},

	// The local prefix of NAT64, with the lengths of RFC 6052, section 2.2.
	{"64:ff9b:1::8.8.8.8", "64:ff9b:1::1.1.1.1", Private},
	{"64:ff9b:1:808:8:800::", "64:ff9b:1:8:8:808::", Private},             // 8.8.8.8 in 48 and 56 bits
	{"64:ff9b:1:7f00:0:100::", "64:ff9b:1:7f:0:1::", Loopback},            // 127.0.0.1 likewise
	{"64:ff9b:1:0:7f:0:100:0", "64:ff9b:1:7f00:0:100:808:808", Loopback},  // in 64 bits; in 48 with a suffix
	{"64:ff9b:1:a9fe:a9:fe00::", "64:ff9b:1:a9:fe:a9fe::", Metadata},      // 169.254.169.254
	{"64:ff9b:1:0:a9:fea9:fe00:0", "64:ff9b:1:ffff::a9fe:a9fe", Metadata}, // in 64 and 96 bits
}

func TestClassify(t *testing.T) {
	n := 0
	check := func(addr netip.Addr, want Class) {
		t.Helper()
		n++
		if got := Classify(addr); got != want {
			t.Errorf("Classify(%s) = %s, want %s", addr, got, want)
		}
	}
	for _, b := range blocks4 {
		for _, s := range []string{b.first, b.last} {
			check(netip.MustParseAddr(s), b.want)
			check(netip.MustParseAddr("::ffff:"+s), b.want)
			check(netip.MustParseAddr("::ffff:"+s+"%eth0"), b.want)
			check(netip.MustParseAddr("64:ff9b::"+s), b.want)
			check(netip.MustParseAddr("64:ff9b:1::"+s), max(b.want, Private))
			check(netip.MustParseAddr("64:ff9b:1::"+s+"%eth0"), max(b.want, Private))
		}
	}
	for _, b := range blocks6 {
		for _, s := range []string{b.first, b.last} {
			check(netip.MustParseAddr(s), b.want)
			check(netip.MustParseAddr(s+"%eth0"), b.want)
		}
	}
	check(netip.Addr{}, Reserved)
	if n < 300 {
		t.Errorf("%d addresses, want 300 and more", n)
	}
}

// What is public is so for net/netip as well, and an IPv4 address is in its class
// in every spelling.
func FuzzClassify(f *testing.F) {
	for _, b := range blocks4 {
		a := netip.MustParseAddr(b.first).As4()
		f.Add(a[:])
	}
	for _, b := range blocks6 {
		a := netip.MustParseAddr(b.last).As16()
		f.Add(a[:])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		addr, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		class := Classify(addr)
		if class.String() == "" {
			t.Errorf("%s: class %d has no name", addr, class)
		}
		if class == Public && (!addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLoopback()) {
			t.Errorf("%s is public", addr)
		}
		if got := Classify(netip.AddrFrom16(addr.As16())); got != class {
			t.Errorf("%s is %s, and %s as IPv6", addr, class, got)
		}
		if addr = addr.Unmap(); !addr.Is4() {
			return
		}
		if got := Classify(netip.MustParseAddr("64:ff9b::" + addr.String())); got != class {
			t.Errorf("%s is %s, and %s behind NAT64", addr, class, got)
		}
	})
}
