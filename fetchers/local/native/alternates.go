package native

import (
	"bytes"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxAlternates is how many addresses are tried for one page.
const maxAlternates = 2

// generators are documentation systems that serve each page as markdown under
// its address with .md added, by the start of their <meta name="generator">.
var generators = []string{"GitBook", "Mintlify"}

// Alternates returns where, on its own origin, the markdown of a page may be,
// the likeliest address first; at is the page's address. A page that says
// nothing about markdown has none:
//
//   - it declares one, as <link rel="alternate" type="text/markdown"> or in the
//     Link header;
//   - else it has a link to its own address with .md added;
//   - else it names an llms.txt, whose convention is .md beside each page
//     (llmstxt.org), or its generator serves that: then these are guessed.
func Alternates(page []byte, header http.Header, at *url.URL) []*url.URL {
	f := finder{at: at, base: at, forms: forms(at)}
	for _, l := range linkHeader(header) {
		f.link(l.rel, l.mediaType, l.href)
	}
	f.signs = f.signs || header.Get("X-Llms-Txt") != ""
	f.read(page)

	found := f.declared
	// Among several, the one that is named after the page.
	slices.SortStableFunc(found, func(a, b *url.URL) int { return f.rank(a) - f.rank(b) })
	switch {
	case len(found) > 0:
	case f.own != nil:
		found = []*url.URL{f.own}
	case f.signs && at.RawQuery == "":
		for _, form := range f.forms {
			found = append(found, at.ResolveReference(&url.URL{Path: form}))
		}
	}
	return found[:min(len(found), maxAlternates)]
}

// finder collects what a page says about its markdown.
type finder struct {
	at, base *url.URL
	forms    []string // paths its markdown would have

	declared []*url.URL
	own      *url.URL // that a link of the page leads to
	signs    bool     // that the site serves markdown beside its pages
}

// forms are the paths of a page's markdown, the likeliest first.
func forms(at *url.URL) []string {
	p := at.Path
	switch {
	case IsFile(at):
		return nil
	case p == "" || p == "/":
		return []string{"/index.md", "/index.html.md"}
	case strings.HasSuffix(p, "/"):
		return []string{p + "index.md", strings.TrimSuffix(p, "/") + ".md", p + "index.html.md"}
	case path.Ext(p) == ".html" || path.Ext(p) == ".htm":
		return []string{strings.TrimSuffix(p, path.Ext(p)) + ".md", p + ".md"}
	default:
		return []string{p + ".md", p + "/index.md"}
	}
}

func (f *finder) rank(u *url.URL) int {
	if i := slices.Index(f.forms, u.Path); i >= 0 {
		return i
	}
	return len(f.forms)
}

func (f *finder) read(page []byte) {
	z := html.NewTokenizer(bytes.NewReader(page))
	based := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := atom.Lookup(name)
			if !more || tag != atom.A && tag != atom.Link && tag != atom.Base && tag != atom.Meta {
				continue
			}
			attrs := map[string]string{}
			for more {
				var k, v []byte
				k, v, more = z.TagAttr()
				if _, twice := attrs[string(k)]; !twice {
					attrs[string(k)] = string(v)
				}
			}
			switch tag {
			case atom.Base:
				if u, err := f.at.Parse(strings.TrimSpace(attrs["href"])); err == nil && attrs["href"] != "" && !based {
					f.base, based = u, true
				}
			case atom.Link:
				f.link(attrs["rel"], attrs["type"], attrs["href"])
			case atom.A:
				f.anchor(attrs["href"])
			case atom.Meta:
				if strings.EqualFold(attrs["name"], "generator") {
					f.signs = f.signs || slices.ContainsFunc(generators, func(g string) bool { return strings.HasPrefix(attrs["content"], g) })
				}
			}
		}
	}
}

// link looks at a declared relation.
func (f *finder) link(rel, mediaType, href string) {
	u := f.resolve(href)
	switch {
	case u == nil:
	case isIndex(u):
		f.signs = true
	case slices.Contains(strings.Fields(strings.ToLower(rel)), "alternate") && IsMarkdown(essence(mediaType)):
		f.declared = append(f.declared, u)
	}
}

// anchor looks at an ordinary link.
func (f *finder) anchor(href string) {
	if !strings.Contains(href, ".md") && !strings.Contains(href, "llms") {
		return
	}
	switch u := f.resolve(href); {
	case u == nil:
	case isIndex(u):
		f.signs = true
	case f.own == nil && slices.Contains(f.forms, u.Path):
		f.own = u
	}
}

// resolve is an address on the page's own origin other than the page's, else nil.
func (f *finder) resolve(href string) *url.URL {
	u, err := f.base.Parse(strings.TrimSpace(href))
	if err != nil || u.Scheme != f.at.Scheme || u.Host != f.at.Host || u.Path == f.at.Path && u.RawQuery == f.at.RawQuery {
		return nil
	}
	u.Fragment, u.RawFragment, u.User = "", "", nil
	return u
}

// isIndex reports whether a URL is that of a site's llms.txt.
func isIndex(u *url.URL) bool {
	name := path.Base(u.Path)
	return name == "llms.txt" || name == "llms-full.txt"
}

func essence(mediaType string) string {
	t, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

type headerLink struct{ href, rel, mediaType string }

var (
	linkValue = regexp.MustCompile(`<([^<>]*)>((?:\s*;\s*[\w*!#$&+.^|~-]+(?:\s*=\s*(?:"[^"]*"|[^\s",;]*))?)*)`)
	linkParam = regexp.MustCompile(`;\s*([\w*!#$&+.^|~-]+)\s*=\s*(?:"([^"]*)"|([^\s",;]*))`)
)

// linkHeader reads the Link header (RFC 8288).
func linkHeader(header http.Header) []headerLink {
	var all []headerLink
	for _, value := range header.Values("Link") {
		for _, m := range linkValue.FindAllStringSubmatch(value, -1) {
			l := headerLink{href: m[1]}
			for _, p := range linkParam.FindAllStringSubmatch(m[2], -1) {
				switch v := p[2] + p[3]; strings.ToLower(p[1]) {
				case "rel":
					l.rel = v
				case "type":
					l.mediaType = v
				}
			}
			all = append(all, l)
		}
	}
	return all
}
