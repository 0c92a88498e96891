package netguard

import (
	"fmt"
	"net/netip"
	"strings"

	"pifetch/internal/weburl"
)

// canonical is the one spelling of a host that the guard compares and resolves.
// It reads the host as browsers do: 0x7f.1, 2130706433 and 127.1 are 127.0.0.1,
// names are in ASCII and lower case. A mapped address is its IPv4 address, and
// the dot at the end of a name goes. What a browser would not open is an error.
func canonical(host string) (string, error) {
	// Before WHATWG's rules, which know no zones.
	if addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")); err == nil {
		return addr.Unmap().String(), nil
	}
	if host == "" || len(host) > maxHostBytes || strings.ContainsAny(host, "/\\?#@:[]\t\r\n") {
		return "", fmt.Errorf("%.100q is no host name", host)
	}
	u, err := weburl.Parse("http://" + host + "/")
	if err != nil {
		return "", fmt.Errorf("%q is no host name: %w", host, err)
	}
	name := strings.TrimSuffix(u.Hostname(), ".")
	if name == "" || strings.HasSuffix(name, ".") {
		return "", fmt.Errorf("%q is no host name", host)
	}
	return name, nil
}

// maxHostBytes is more than any name of the DNS has, in Unicode too.
const maxHostBytes = 1 << 10
