package artifact

import (
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"pifetch/fetchers"
)

// slug is the folder name of a URL: host, path, query and fragment in lower
// case, with ASCII letters, digits and dashes only.
func slug(u fetchers.URL) string {
	text := u.Asked
	if p := u.Parsed; p != nil {
		text = p.Host + p.Opaque + " " + p.Path
		if query, err := url.QueryUnescape(p.RawQuery); err == nil {
			text += " " + query
		} else {
			text += " " + p.RawQuery
		}
		text += " " + p.Fragment
	}
	var b strings.Builder
	dash := false
	for _, r := range norm.NFKD.String(text) {
		if b.Len() >= maxSlugBytes {
			break
		}
		switch r = unicode.ToLower(r); {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			dash = false
		case unicode.Is(unicode.Mn, r): // an accent taken off its letter
		default:
			dash = true
		}
	}
	switch s := b.String(); {
	case s == "":
		return "url"
	case isDevice(s):
		return s + "-url"
	default:
		return s
	}
}
