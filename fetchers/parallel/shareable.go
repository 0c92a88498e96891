package parallel

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"pifetch/internal/netguard"
)

// shareable reports whether a URL by the WHATWG rules may be told to others: an
// http or https URL without userinfo, whose host is one of the public internet
// by its name or address. Nothing is resolved: a public name that leads to a
// private address counts as public.
func shareable(u *url.URL) bool {
	if u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return false
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	if addr, err := netip.ParseAddr(host); err == nil {
		return netguard.Classify(addr) == netguard.Public
	}
	return publicName(host)
}

// publicName reports whether a name can be one of the public DNS: it has more
// than one label and ends in a suffix of the public suffix list. .local,
// .internal, .localhost, .test, .lan, .corp and whatever else a network makes
// up are not in the list; .arpa (home.arpa, reverse lookups) and .onion, which
// are, have no public pages.
func publicName(host string) bool {
	if !strings.Contains(host, ".") {
		return false
	}
	switch host[strings.LastIndexByte(host, '.')+1:] {
	case "arpa", "onion":
		return false
	}
	suffix, icann := publicsuffix.PublicSuffix(host)
	return icann || strings.Contains(suffix, ".")
}
