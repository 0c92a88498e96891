package netguard

import (
	"net/netip"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	tests := []struct{ host, want string }{
		{"example.com", "example.com"},
		{"EXAMPLE.com", "example.com"},
		{"example.com.", "example.com"},
		{"bücher.example", "xn--bcher-kva.example"},
		{"my_host.corp", "my_host.corp"},
		{"example。com", "example.com"},
		{"LOCALHOST.", "localhost"},
		{"a.LocalHost", "a.localhost"},
		{"ｌｏｃａｌｈｏｓｔ", "localhost"},

		{"127.0.0.1", "127.0.0.1"},
		{"127.0.0.1.", "127.0.0.1"},
		{"127.1", "127.0.0.1"},
		{"127.0.1", "127.0.0.1"},
		{"2130706433", "127.0.0.1"},
		{"0x7f000001", "127.0.0.1"},
		{"0X7F.0x0.0x0.0x1", "127.0.0.1"},
		{"0x7f.1", "127.0.0.1"},
		{"017700000001", "127.0.0.1"},
		{"0177.0.0.01", "127.0.0.1"},
		{"127.0.0.0x1", "127.0.0.1"},
		{"１２７.０.０.１", "127.0.0.1"},
		{"127。0。0。1", "127.0.0.1"},
		{"%31%32%37.0.0.1", "127.0.0.1"},
		{"0", "0.0.0.0"},
		{"0x0", "0.0.0.0"},
		{"010.0.0.1", "8.0.0.1"},
		{"0xa9fea9fe", "169.254.169.254"},
		{"2852039166", "169.254.169.254"},
		{"0251.0376.0251.0376", "169.254.169.254"},

		{"::1", "::1"},
		{"[::1]", "::1"},
		{"0:0:0:0:0:0:0:1", "::1"},
		{"::ffff:127.0.0.1", "127.0.0.1"},
		{"[::ffff:7f00:1]", "127.0.0.1"},
		{"::FFFF:7F00:0001", "127.0.0.1"},
		{"::127.0.0.1", "::7f00:1"},
		{"64:ff9b::127.0.0.1", "64:ff9b::7f00:1"},
		{"FE80::1%eth0", "fe80::1%eth0"},
	}
	for _, tt := range tests {
		got, err := canonical(tt.host)
		if err != nil || got != tt.want {
			t.Errorf("canonical(%q) = %q, %v, want %q", tt.host, got, err, tt.want)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	for _, host := range []string{
		"", ".", "..", "0..", "127.0.0.1..", "example.com..", "a b", "a/b", `a\b`, "a?b", "a#b", "user@host", "host:80", "[example.com]", "[", "a\tb", "a\x00b", "a%2fb", "a%00b",
		"256.0.0.1", "1.2.3.4.5", "127.0.0.0x100", "4294967296", "127.0.0.09", "0x7f.1.example.1", "%zz", strings.Repeat("a", maxHostBytes+1),
	} {
		if got, err := canonical(host); err == nil {
			t.Errorf("canonical(%q) = %q, want an error", host, got)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{"example.com.", "0x7f.1", "[::ffff:7f00:1]", "bücher.example", "fe80::1%eth0", "127.0.0.1..", "a%2eb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, host string) {
		got, err := canonical(host)
		if err != nil {
			return
		}
		if again, err := canonical(got); err != nil || again != got {
			t.Errorf("canonical(%q) = %q, and of that %q, %v", host, got, again, err)
		}
		if strings.HasSuffix(got, ".") {
			t.Errorf("canonical(%q) = %q", host, got)
		}
		if addr, err := netip.ParseAddr(got); err == nil && (addr.String() != got || addr.Is4In6()) {
			t.Errorf("canonical(%q) = %q, which is not the plain form of the address", host, got)
		}
	})
}
