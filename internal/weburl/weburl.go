// Package weburl reads URLs as browsers do. People and pages write URLs that
// net/url refuses or understands differently (raw spaces, stray percent signs,
// Unicode hosts, 0x7f.1 for an address); whatever decides on a URL must see
// what Chrome will see.
package weburl

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	whatwgerrors "github.com/nlnwa/whatwg-url/errors"
	whatwg "github.com/nlnwa/whatwg-url/url"
)

// ErrNotAbsolute is the error of Parse for text without a scheme, such as
// example.com/page, localhost:8080 or git@github.com:o/r.git.
var ErrNotAbsolute = errors.New("not an absolute URL")

// maxBytes is the longest URL Parse reads; its time grows with the square of
// the length.
const maxBytes = 32 << 10

// net/url keeps a path or fragment as it was written only when every
// character that it would escape itself is escaped already; otherwise it
// escapes anew and %2F is lost. These two close the difference.
var (
	parser = whatwg.NewParser(whatwg.WithPathPercentEncodeSet(
		whatwg.PathPercentEncodeSet.Set('\\', '^', '|')))
	fragmentEscaper = strings.NewReplacer("#", "%23", "[", "%5B", `\`, "%5C", "]", "%5D",
		"^", "%5E", "{", "%7B", "|", "%7C", "}", "%7D")
)

// Parse reads an absolute URL by the WHATWG rules: host in ASCII and lower
// case, addresses in their plain form, default port dropped, an empty path as
// "/", dot segments resolved. A percent sign that escapes nothing becomes %25.
// Parsing the result's String again gives the same URL.
//
// An error never quotes the URL's userinfo.
func Parse(raw string) (*url.URL, error) {
	if len(raw) > maxBytes {
		return nil, fmt.Errorf("malformed URL: longer than %d KB", maxBytes>>10)
	}
	w, err := parser.Parse(strings.ToValidUTF8(raw, "\uFFFD"))
	if err != nil {
		if whatwgerrors.Type(err) == whatwgerrors.MissingSchemeNonRelativeURL {
			return nil, ErrNotAbsolute
		}
		return nil, fmt.Errorf("malformed URL: %s", describe(err))
	}
	href := escapeLonePercents(w.Href(true))
	if fragment := w.Fragment(); fragment != "" {
		href += "#" + fragmentEscaper.Replace(escapeLonePercents(fragment))
	}
	u, err := url.Parse(href)
	if err != nil {
		return nil, fmt.Errorf("malformed URL: %s", describe(err))
	}
	if u.Opaque != "" && (u.Scheme == "localhost" || strings.Contains(u.Scheme, ".")) {
		return nil, ErrNotAbsolute // host:port
	}
	return u, nil
}

// describe says in a few words what is wrong, without quoting the URL.
func describe(err error) string {
	switch t := whatwgerrors.Type(err); {
	case t == whatwgerrors.HostMissing, t == whatwgerrors.InvalidCredentials:
		return "no host"
	case t == whatwgerrors.PortInvalid, t == whatwgerrors.PortOutOfRange:
		return "bad port"
	case strings.Contains(string(t), "IPv4"), strings.Contains(string(t), "IPv6"):
		return "bad IP address"
	case t != "":
		return "bad host name"
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return err.Error()
}

func escapeLonePercents(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i+1])
		s = s[i+1:]
		if len(s) < 2 || !isHex(s[0]) || !isHex(s[1]) {
			b.WriteString("25")
		}
	}
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// Key is the identity of a URL within one request: equal keys are one
// document. Userinfo and fragment count. Text that is no URL is its own key.
func Key(raw string) string {
	u, err := Parse(raw)
	if err != nil {
		return strings.TrimSpace(raw)
	}
	return u.String()
}

// authority matches all in front of a URL's authority as browsers see it:
// white space around, tabs and line breaks anywhere, and for the schemes they
// know any number of slashes in either direction.
var authority = regexp.MustCompile(`(?i)^[\x00-\x20]*(?:` +
	`(?:` + spaced("http") + `[s\t\r\n]*|` + spaced("ws") + `[s\t\r\n]*|` + spaced("ftp") + `):[\t\r\n/\\]*|` +
	`(?:[a-z][a-z0-9+.\-\t\r\n]*:)?[\t\r\n]*/[\t\r\n]*/[\t\r\n/]*)`)

// spaced is a pattern for s with tabs and line breaks between its letters.
func spaced(s string) string {
	return strings.Join(strings.Split(s, ""), `[\t\r\n]*`) + `[\t\r\n]*`
}

// Redact removes the userinfo from a URL and leaves the rest as it was
// written, also when the text is no URL. Without a scheme or slashes there is
// no userinfo: git@github.com:o/r.git stays as it is.
func Redact(raw string) string {
	u, err := Parse(raw)
	if err == nil && u.User == nil {
		return raw
	}
	redacted := raw
	if at := authority.FindStringIndex(raw); at != nil {
		rest := raw[at[1]:]
		end := strings.IndexAny(rest, `/\?#`)
		if end < 0 {
			end = len(rest)
		}
		if i := strings.LastIndexByte(rest[:end], '@'); i >= 0 {
			redacted = raw[:at[1]] + rest[i+1:]
		}
	}
	if err != nil {
		return redacted
	}
	u.User = nil
	if again, err := Parse(redacted); err != nil || again.String() != u.String() {
		return u.String()
	}
	return redacted
}

var embedded = regexp.MustCompile(`(?i)\b([a-z][a-z0-9+.-]*://)[^\s/\\?#"'<>]*@`)

// RedactText removes the userinfo from every URL within a text, such as the
// message of an error.
func RedactText(s string) string {
	return embedded.ReplaceAllString(s, "$1")
}
