package parallel

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"pifetch/internal/netguard"
)

// shareable reports whether a URL by the WHATWG rules may be told to others: an
// http or https URL without userinfo and without a secret among its parameters,
// whose host is one of the public internet by its name or address. Nothing is resolved: a public name that leads to a
// private address counts as public.
func shareable(u *url.URL) bool {
	if u.Scheme != "http" && u.Scheme != "https" || u.User != nil || hasSecret(u) {
		return false
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	if addr, err := netip.ParseAddr(host); err == nil {
		return netguard.Classify(addr) == netguard.Public
	}
	return publicName(host)
}

// secrets are the parameters, in lower case, that let whoever has the URL in: the
// signatures of S3, Google Cloud Storage, Azure and CloudFront, tokens (RFC
// 6750 and others), keys, passwords.
var secrets = map[string]bool{
	"x-amz-signature": true, "x-amz-security-token": true, "x-goog-signature": true, "sig": true, "signature": true,
	"access_token": true, "refresh_token": true, "id_token": true, "auth_token": true, "token": true, "jwt": true,
	"oauth_token": true, "private_token": true, "feed_token": true, "rss_token": true, "secret": true,
	"api_key": true, "apikey": true, "api-key": true, "client_secret": true, "password": true, "passwd": true,
}

// hasSecret reports whether the query of a URL names a secret. One by any other
// name, or in the path, is not known for what it is.
func hasSecret(u *url.URL) bool {
	for pair := range strings.FieldsFuncSeq(u.RawQuery, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if value != "" && secrets[strings.ToLower(name)] {
			return true
		}
	}
	return false
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
