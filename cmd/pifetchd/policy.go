package main

import (
	"fmt"
	"net/netip"
	"strings"

	"pifetch/internal/netguard"
	"pifetch/router"
)

// policy is what the network guard says of a URL that a caller asks for, as far
// as the URL tells: a name is not resolved for it. "" of a URL without a host.
func policy(guard *netguard.Guard, url string) string {
	u, err := router.ParseURL(url)
	if err != nil || u.Parsed.Hostname() == "" {
		return ""
	}
	host := u.Parsed.Hostname()
	addr, err := netip.ParseAddr(host)
	if name := strings.TrimSuffix(host, "."); name == "localhost" || strings.HasSuffix(name, ".localhost") {
		addr, err = netip.AddrFrom4([4]byte{127, 0, 0, 1}), nil
	}
	if err != nil {
		return "decided on the address the name has when it is dialled; private ones are reached, because the URL asks for them"
	}
	if _, err := guard.Check(netguard.Asked(host), host, addr); err != nil {
		return err.Error()
	}
	class := netguard.Classify(addr)
	if class == netguard.Public {
		return "reached: a public address"
	}
	return fmt.Sprintf("reached: a %s address, and the URL asks for it", class)
}
