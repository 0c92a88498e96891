package netguard

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// addrs reads addresses separated by spaces.
func addrs(text string) []netip.Addr {
	var as []netip.Addr
	for _, s := range strings.Fields(text) {
		as = append(as, netip.MustParseAddr(s))
	}
	return as
}

// step is a host that is checked, with its addresses and the ones to pass, or
// the rule that refuses them.
type step struct {
	host, addrs string
	pass        string
	rule        Rule
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name   string
		origin *Origin
		policy Policy
		steps  []step
	}{
		{"public, from anywhere", Asked("wiki.corp"), Policy{}, []step{
			{"wiki.corp", "10.0.0.1", "10.0.0.1", none},
			{"cdn.example", "8.8.8.8 2a00:1450::1", "8.8.8.8 2a00:1450::1", none},
		}},
		{"asked for on loopback", Asked("localhost"), Policy{}, []step{
			{"localhost", "127.0.0.1 ::1", "127.0.0.1 ::1", none},
			{"LOCALHOST.", "127.0.0.1", "127.0.0.1", none},
			{"127.0.0.1", "127.0.0.1", "127.0.0.1", none},
			{"api.localhost", "::1", "::1", none},
			{"wiki.corp", "10.0.0.1", "10.0.0.1", none},
			{"cdn.example", "8.8.8.8", "8.8.8.8", none},
		}},
		{"asked for by address", Asked("[::ffff:7f00:1]"), Policy{}, []step{
			{"127.0.0.1", "::ffff:127.0.0.1", "127.0.0.1", none},
		}},
		{"asked for on a private network", Asked("wiki.corp"), Policy{}, []step{
			{"wiki.corp", "10.0.0.1", "10.0.0.1", none},
			{"sso.corp", "192.168.0.1 fd12::1 100.64.0.1", "192.168.0.1 fd12::1 100.64.0.1", none},
			{"localhost", "127.0.0.1", "", NotAsked},
		}},
		{"asked for a public host", Asked("example.com"), Policy{}, []step{
			{"example.com", "8.8.8.8", "8.8.8.8", none},
			{"router.corp", "192.168.0.1", "", NotAsked},
			{"localhost", "127.0.0.1 ::1", "", NotAsked},
			{"10.0.0.1", "10.0.0.1", "", NotAsked},
			{"nat64.example", "64:ff9b::10.0.0.1", "", NotAsked},
			{"other.example", "1.1.1.1", "1.1.1.1", none},
		}},
		{"before the host asked for is found", Asked("wiki.corp"), Policy{}, []step{
			{"sso.corp", "10.0.0.2", "", NotAsked},
			{"wiki.corp", "10.0.0.1", "10.0.0.1", none},
			{"sso.corp", "10.0.0.2", "10.0.0.2", none},
		}},
		{"no origin", nil, Policy{}, []step{
			{"example.com", "8.8.8.8", "8.8.8.8", none},
			{"wiki.corp", "10.0.0.1", "", NotAsked},
			{"localhost", "127.0.0.1", "", NotAsked},
		}},
		{"asked for what is no host", Asked("a b"), Policy{}, []step{
			{"localhost", "127.0.0.1", "", NotAsked},
		}},
		{"endpoints", Endpoints("localhost", "mirror.corp", "api.example"), Policy{}, []step{
			{"localhost", "127.0.0.1", "127.0.0.1", none},
			{"mirror.corp", "10.0.0.1", "10.0.0.1", none},
			{"mirror.corp", "192.168.0.1 8.8.8.8", "192.168.0.1 8.8.8.8", none},
			{"api.example", "8.8.8.8", "8.8.8.8", none},
			{"cdn.example", "1.1.1.1", "1.1.1.1", none},
			{"127.0.0.1", "127.0.0.1", "", NotAsked},
			{"other.corp", "10.0.0.2", "", NotAsked},
			{"metadata", "169.254.169.254", "", Never},
		}},
		{"never", Asked("here"), Policy{Allow: networks("0.0.0.0/0", "::/0")}, []step{
			{"here", "169.254.169.254", "", Never},
			{"here", "fd00:ec2::254", "", Never},
			{"here", "0.0.0.0 ::", "", Never},
			{"here", "169.254.1.1 fe80::1%eth0", "", Never},
			{"here", "224.0.0.1 255.255.255.255 ff02::1", "", Never},
			{"here", "240.0.0.1 2001:db8::1 192.0.2.1", "", Never},
			{"here", "64:ff9b::169.254.169.254", "", Never},
		}},
		{"an address that is never reached beside one that is", Asked("printer.local"), Policy{}, []step{
			{"printer.local", "fe80::1%eth0 192.168.0.9", "192.168.0.9", none},
		}},
		{"denied", Asked("wiki.corp"), Policy{Deny: networks("10.1.0.0/16", "8.8.8.0/24", "fd00::/8", "127.0.0.9/32")}, []step{
			{"wiki.corp", "10.1.0.1", "", Denied},
			{"wiki.corp", "10.1.0.1 10.2.0.1", "10.2.0.1", none},
			{"dns.example", "8.8.8.8", "", Denied},
			{"dns.example", "64:ff9b::8.8.8.8", "", Denied},
			{"nat.corp", "64:ff9b:1:0a01:0:0100::", "", Denied},
			{"six.corp", "fd12::1%eth0", "", Denied},
		}},
		{"denied and allowed", Asked("wiki.corp"), Policy{Allow: networks("10.0.0.0/8"), Deny: networks("10.1.0.0/16")}, []step{
			{"wiki.corp", "10.1.0.1", "", Denied},
			{"wiki.corp", "10.2.0.1", "10.2.0.1", none},
		}},
		{"denied endpoint", Endpoints("mirror.corp"), Policy{Deny: networks("10.0.0.0/8")}, []step{
			{"mirror.corp", "10.0.0.1", "", Denied},
		}},
		{"allowed", Asked("example.com"), Policy{Allow: networks("10.1.0.0/16", "127.0.0.2/32", "fd00::/8")}, []step{
			{"example.com", "8.8.8.8", "8.8.8.8", none},
			{"wiki.corp", "10.1.0.1", "10.1.0.1", none},
			{"wiki.corp", "10.2.0.1", "", NotAsked},
			{"dev.corp", "127.0.0.1 127.0.0.2", "127.0.0.2", none},
			{"six.corp", "fd12::1%eth0", "fd12::1%eth0", none},
			{"example.com", "10.1.0.1", "10.1.0.1", none}, // whatever it was before
		}},
		{"what is allowed leads on as what it is", Asked("localhost"), Policy{Allow: networks("127.0.0.1/32")}, []step{
			{"localhost", "127.0.0.1", "127.0.0.1", none},
			{"127.0.0.2", "127.0.0.2", "127.0.0.2", none},
		}},
		{"public and local at once", Asked("both.example"), Policy{}, []step{
			{"both.example", "127.0.0.1 8.8.8.8 10.0.0.1", "8.8.8.8", none},
			{"both.example", "127.0.0.1", "", Changed},
		}},
		{"public, then local", Asked("evil.example"), Policy{}, []step{
			{"evil.example", "8.8.8.8", "8.8.8.8", none},
			{"evil.example", "127.0.0.1", "", Changed},
			{"evil.example", "10.0.0.1", "", Changed},
			{"evil.example", "8.8.4.4", "8.8.4.4", none},
		}},
		{"local, then public", Asked("evil.example"), Policy{}, []step{
			{"evil.example", "10.0.0.1", "10.0.0.1", none},
			{"evil.example", "8.8.8.8", "", Changed},
			{"evil.example", "127.0.0.1", "", Changed},
			{"evil.example", "10.0.0.2", "10.0.0.2", none},
		}},
		{"public, then local, within an intranet page", Asked("wiki.corp"), Policy{}, []step{
			{"wiki.corp", "10.0.0.1", "10.0.0.1", none},
			{"ads.example", "8.8.8.8", "8.8.8.8", none},
			{"ads.example", "10.0.0.2", "", Changed},
		}},
		{"a refused host may be found elsewhere", Asked("example.com"), Policy{}, []step{
			{"cdn.example", "10.0.0.1", "", NotAsked},
			{"cdn.example", "8.8.8.8", "8.8.8.8", none},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := &Guard{Policy: func() Policy { return tt.policy }}
			for _, s := range tt.steps {
				got, err := g.Check(tt.origin, s.host, addrs(s.addrs)...)
				if want := addrs(s.pass); !slices.Equal(got, want) {
					t.Errorf("%s at %s: passed %s, want %s (%v)", s.host, s.addrs, got, want, err)
				}
				rule := none
				if r, ok := errors.AsType[*Refusal](err); ok {
					rule = r.Rule
				} else if err != nil {
					t.Errorf("%s at %s: %v", s.host, s.addrs, err)
				}
				if rule != s.rule {
					t.Errorf("%s at %s: rule %d, want %d (%v)", s.host, s.addrs, rule, s.rule, err)
				}
			}
		})
	}
}

func networks(ss ...string) []netip.Prefix { return prefixes(ss...) }

func TestCheckWithoutAddresses(t *testing.T) {
	_, err := new(Guard).Check(Asked("a.example"), "a.example")
	if err == nil || err.Error() != "a.example has no address" {
		t.Errorf("error %v", err)
	}
}

func TestPolicyChanges(t *testing.T) {
	var p Policy
	g := &Guard{Policy: func() Policy { return p }}
	addr := netip.MustParseAddr("10.0.0.1")
	if _, err := g.Check(nil, "wiki.corp", addr); err == nil {
		t.Error("passed before it was allowed")
	}
	p.Allow = networks("10.0.0.0/8")
	if _, err := g.Check(nil, "wiki.corp", addr); err != nil {
		t.Errorf("after it was allowed: %v", err)
	}
}

func TestRefusal(t *testing.T) {
	tests := []struct {
		name   string
		origin *Origin
		host   string
		addrs  string
		want   string
	}{
		{
			"never", nil, "metadata.example", "169.254.169.254",
			"network guard: metadata.example (169.254.169.254) is a cloud metadata address, and such are never reached",
		},
		{
			"unspecified", nil, "0", "0.0.0.0",
			"network guard: 0.0.0.0 is an unspecified address, and such are never reached: fetch localhost instead",
		},
		{
			"denied", nil, "wiki.corp", "10.9.0.1",
			"network guard: wiki.corp (10.9.0.1) is denied by 10.9.0.0/16 in webTools.fetch.network.deny",
		},
		{
			"led there", Asked("example.com"), "localhost", "127.0.0.1 ::1",
			"network guard: localhost (127.0.0.1) is a loopback address, where example.com may not lead: fetch its own URL, or list the address in webTools.fetch.network.allow",
		},
		{
			"no endpoint", Endpoints("api.example"), "10.0.0.1", "10.0.0.1",
			"network guard: 10.0.0.1 is a private address: list it in webTools.fetch.network.allow to allow it",
		},
	}
	g := &Guard{Policy: func() Policy { return Policy{Deny: networks("10.9.0.0/16")} }}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := g.Check(tt.origin, tt.host, addrs(tt.addrs)...)
			if err == nil || err.Error() != tt.want {
				t.Errorf("error\n%v, want\n%s", err, tt.want)
			}
		})
	}
	t.Run("changed", func(t *testing.T) {
		o := Asked("evil.example")
		if _, err := g.Check(o, "evil.example", netip.MustParseAddr("8.8.8.8")); err != nil {
			t.Fatal(err)
		}
		_, err := g.Check(o, "evil.example", netip.MustParseAddr("127.0.0.1"))
		const want = "network guard: evil.example (127.0.0.1) is a loopback address, but the host has had one of another class in this request: list it in webTools.fetch.network.allow if that is right"
		if err == nil || err.Error() != want {
			t.Errorf("error\n%v, want\n%s", err, want)
		}
	})
}
