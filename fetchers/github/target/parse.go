package target

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pifetch/internal/weburl"
)

// Parse reads a URL as a person writes it: with any of the schemes that web
// and git use, as git@github.com:o/r.git, or with no scheme at all. It reports
// false for a URL that is not GitHub's, and for one of a shape that is not
// understood.
//
// Owner and Repo of a target hold no slash and are neither "." nor "..". But for
// what comes from the query, no text of a target holds control characters, and
// no element of Path is empty or holds a slash or is "." or "..".
func Parse(raw string) (Target, bool) {
	a, ok := read(raw)
	if !ok {
		return Target{}, false
	}
	shape, ok := hosts[a.host]
	if !ok {
		return Target{}, false
	}
	t := Target{Params: a.query}
	t.Anchor, t.Lines = fragment(a.fragment)
	t, ok = shape(t, a.segments)
	if !ok || a.git && !clonable(a, t) {
		return Target{}, false
	}
	t.Query = t.Params.Get(searchField(t.Kind))
	return t, true
}

// address is a URL taken apart.
type address struct {
	host     string   // lower case, without a port and the root's dot
	segments []string // decoded; none is empty, "." or ".."
	query    url.Values
	fragment string // decoded
	git      bool   // the scheme is one of git alone
}

// schemes are the accepted schemes and the ports each may name.
var schemes = map[string][]string{
	"http":      {"", "80"},
	"https":     {"", "443"},
	"git":       {"", "9418"},
	"ssh":       {"", "22", "443"},
	"git+http":  {"", "80"},
	"git+https": {"", "443"},
	"git+ssh":   {"", "22", "443"},
}

var (
	// scp is git's short form of an SSH address. Organisations with a
	// certificate authority log in as org-ID.
	scp = regexp.MustCompile(`^(?:git|org-[0-9]+)@([A-Za-z.]+):/?(.+)$`)

	// climb is ".." in the path of a URL, escaped or not.
	climb = regexp.MustCompile(`(?i)^[^?#]*[/\\](?:\.|%2e){2}(?:[/\\?#]|$)`)
)

func read(raw string) (address, bool) {
	raw = strings.TrimSpace(raw)
	if strings.ContainsFunc(raw, unicode.IsControl) || climb.MatchString(raw) {
		return address{}, false
	}
	if m := scp.FindStringSubmatch(raw); m != nil {
		raw = "ssh://" + m[1] + "/" + m[2]
	}
	u, err := weburl.Parse(raw)
	if errors.Is(err, weburl.ErrNotAbsolute) && startsWithHost(raw) {
		u, err = weburl.Parse("https://" + raw)
	}
	if err != nil {
		return address{}, false
	}
	ports, ok := schemes[u.Scheme]
	if !ok {
		return address{}, false
	}
	a := address{
		host: bareHost(u.Hostname()), query: u.Query(), fragment: u.Fragment,
		git: u.Scheme != "http" && u.Scheme != "https",
	}
	overSSH := strings.HasSuffix(u.Scheme, "ssh")
	if overSSH {
		a.host = strings.TrimPrefix(a.host, "ssh.") // SSH on the port of HTTPS
	}
	if u.User != nil && !overSSH || !slices.Contains(ports, u.Port()) {
		return address{}, false
	}
	a.segments, ok = decode(u.EscapedPath())
	return a, ok
}

func startsWithHost(raw string) bool {
	host, _, ok := strings.Cut(raw, "/")
	return ok && hosts[bareHost(host)] != nil
}

func bareHost(s string) string { return strings.TrimSuffix(strings.ToLower(s), ".") }

// decode splits a path and decodes each segment on its own, so that an escaped
// slash stays within its segment.
func decode(escaped string) ([]string, bool) {
	var segments []string
	for s := range strings.SplitSeq(escaped, "/") {
		d, err := url.PathUnescape(s)
		if err != nil || !utf8.ValidString(d) || strings.ContainsFunc(d, unicode.IsControl) {
			return nil, false
		}
		for part := range strings.FieldsFuncSeq(d, isSlash) {
			if part == ".." {
				return nil, false
			}
		}
		if d != "" && d != "." {
			segments = append(segments, d)
		}
	}
	return segments, true
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

// clonable reports whether git could clone what t names. A URL with a scheme of
// git that names anything else, or one version of it, is not understood; what
// pip adds to name the package is.
func clonable(a address, t Target) bool {
	if a.fragment != "" && !strings.HasPrefix(a.fragment, "egg=") {
		return false
	}
	switch a.host {
	case "github.com", "www.github.com", "gist.github.com":
	default:
		return false
	}
	switch t.Kind {
	case Repo, Gist:
		return len(t.Path) == 0
	case Wiki:
		return t.ID == ""
	}
	return false
}

// searchField is the parameter that holds what was typed into a page's search
// box.
func searchField(k Kind) string {
	switch k {
	case DiscussionList:
		return "discussions_q"
	case RunList, BranchList:
		return "query"
	}
	return "q"
}
