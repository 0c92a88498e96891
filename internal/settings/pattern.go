package settings

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

const patternForms = `a host ("docs.example", "*.corp.example", "localhost:8080") or a URL with * for any text in its path ("https://docs.example/private/*")`

// Pattern is a set of http and https URLs, written as a host or as a URL.
//
// A host is matched whole; *.corp.example stands for every host below
// corp.example but not for that one, and * for every host. A port is matched
// when it is written, after the scheme's own port is filled in. The path of a
// URL is matched whole, * in it standing for any text; without a path every
// page matches. The query counts only when the pattern has a ?.
type Pattern struct {
	text   string
	scheme string // empty: both
	host   string // lower case, ASCII, without the *.
	below  bool   // hosts below host
	port   string // empty: any
	path   string // empty: any
	query  bool   // path is matched with the query
}

// String is the pattern as it was written.
func (p Pattern) String() string { return p.text }

// ParsePattern reads a pattern.
func ParsePattern(s string) (Pattern, error) {
	p := Pattern{text: s}
	rest := s
	if scheme, after, ok := strings.Cut(s, "://"); ok {
		p.scheme, rest = strings.ToLower(scheme), after
		if p.scheme != "http" && p.scheme != "https" {
			return Pattern{}, fmt.Errorf("scheme %q is neither http nor https", scheme)
		}
		if i := strings.IndexAny(rest, "/?#"); i >= 0 {
			if err := p.parsePath(rest[i:]); err != nil {
				return Pattern{}, err
			}
			rest = rest[:i]
		}
	}
	if err := p.parseHost(rest); err != nil {
		return Pattern{}, err
	}
	return p, nil
}

func (p *Pattern) parsePath(s string) error {
	if strings.Contains(s, "#") {
		return errors.New("fragments are not matched")
	}
	path, query, ok := strings.Cut(s, "?")
	path, err := url.PathUnescape(path)
	if err != nil {
		return err
	}
	if path == "" {
		path = "/"
	}
	p.path, p.query = path, ok
	if ok {
		p.path += "?" + query
	}
	return nil
}

func (p *Pattern) parseHost(s string) error {
	if i := strings.LastIndexByte(s, ':'); i >= 0 && !strings.HasSuffix(s, "]") {
		port, err := strconv.ParseUint(s[i+1:], 10, 16)
		if err != nil {
			return fmt.Errorf("port %q is no port", s[i+1:])
		}
		s, p.port = s[:i], strconv.FormatUint(port, 10)
	}
	if s == "*" {
		p.below = true
		return nil
	}
	s, p.below = strings.CutPrefix(s, "*.")
	if v6, ok := strings.CutPrefix(s, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(v6, "]"))
		if err != nil || !strings.HasSuffix(v6, "]") || p.below {
			return fmt.Errorf("%q is no address", s)
		}
		p.host = addr.String()
		return nil
	}
	host, err := hostNames.ToASCII(strings.TrimSuffix(s, "."))
	if err != nil {
		return err
	}
	if host == "" || strings.ContainsFunc(host, forbiddenInHost) || strings.HasPrefix(host, ".") || strings.Contains(host, "..") {
		return fmt.Errorf("%q is no host", s)
	}
	p.host = host
	return nil
}

// hostNames maps a host as a browser does; underscores are in use inside
// companies.
var hostNames = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

func forbiddenInHost(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune(`*#/:<>?@[\]^|%`, r)
}

// Match reports whether u is in the set. It takes a URL by the WHATWG rules:
// lower-case ASCII host, path without dot segments.
func (p Pattern) Match(u *url.URL) bool {
	if u.Scheme != "http" && u.Scheme != "https" || p.scheme != "" && p.scheme != u.Scheme {
		return false
	}
	if p.port != "" && p.port != port(u) {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	switch {
	case p.below && p.host == "":
	case p.below:
		if !strings.HasSuffix(host, "."+p.host) {
			return false
		}
	case host != p.host:
		return false
	}
	if p.path == "" {
		return true
	}
	path := u.Path
	if path == "" {
		path = "/"
	}
	if p.query {
		path += "?" + u.RawQuery
	}
	return glob(p.path, path)
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// glob reports whether s is pattern with something, or nothing, for each *.
func glob(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	s, ok := strings.CutPrefix(s, parts[0])
	if !ok || len(parts) == 1 {
		return ok && s == ""
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s = s[i+len(part):]
	}
	return strings.HasSuffix(s, parts[last])
}
