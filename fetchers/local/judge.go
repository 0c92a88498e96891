package local

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"pifetch/fetchers/local/extract"
)

// finding is what a look at an extracted page came to. The zero finding is a
// page with nothing to say about.
type finding struct {
	reason string // why the page is none, without the next step
	person bool   // a person in a browser window may get further
	fact   string // with what reservation it is delivered
	shown  bool   // the fact is one of the page as shown, not of its markdown
}

// look judges one thing about a page that came with a status of success. It
// fails a page only when something else stands in its place.
type look func(v view) finding

// looks are all of them. The first failure counts, and every fact.
var looks = []look{consentPage, wall, notFound, frontPage, shell, paywall, partial}

// view is a page as the looks see it.
type view struct {
	page    *Page
	content extract.Result
	asked   *url.URL
	final   *url.URL

	heading  string   // the first h1 or other heading, plain; "" without one
	segments []string // of the title, plain
	lines    []string // of the text outside of the site's frame, plain, headings included
	text     string   // all of them
}

// newView takes what the looks need out of a page.
func newView(p *Page, content extract.Result, asked, final *url.URL) view {
	v := view{page: p, content: content, asked: asked, final: final, segments: segments(cmp.Or(strings.TrimSpace(p.Title), content.Title))}
	for _, l := range content.Signs.Lines {
		t := plain(l.Text)
		if l.Heading && (v.heading == "" || isGeneric(v.heading)) {
			v.heading = t
		}
		v.lines = append(v.lines, t)
	}
	v.text = strings.Join(v.lines, "\n")
	return v
}

func (v view) moved() bool { return moved(v.asked, v.final) }

// moved reports whether a URL led to another page. One that only got a www. or
// a slash at its end is the same.
func moved(asked, final *url.URL) bool {
	return siteOf(asked) != siteOf(final) || strings.TrimRight(asked.Path, "/") != strings.TrimRight(final.Path, "/")
}

// siteOf is the host of a URL without www., lower case.
func siteOf(u *url.URL) string { return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") }

// isNamed reports whether the path that was asked for ends in what the page
// calls itself, as that of a page about a notice does.
func (v view) isNamed() bool {
	name := bareWords(v.heading)
	return name != "" && !v.moved() && strings.Contains(bareWords(plain(path.Base(v.asked.Path))), name)
}

// judge has every look at a page.
func judge(v view) (failure finding, facts []finding) {
	for _, l := range looks {
		f := l(v)
		if f.reason != "" {
			return f, nil
		}
		if f.fact != "" {
			facts = append(facts, f)
		}
	}
	return finding{}, facts
}

// plain is a text as phrases are compared with it: lower case, with plain
// quotes, dashes and spaces.
func plain(s string) string {
	return strings.ToLower(plainer.Replace(strings.Join(strings.Fields(s), " ")))
}

var plainer = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "—", "-", "…", "...", "\u00a0", " ")

// segments are the parts of a title, plain, without the marks between them.
func segments(title string) []string {
	parts := strings.FieldsFunc(plain(title), func(r rune) bool { return strings.ContainsRune("|:·•»«", r) })
	var all []string
	for _, p := range parts {
		for s := range strings.SplitSeq(p, " - ") {
			if s = strings.TrimSpace(s); s != "" {
				all = append(all, s)
			}
		}
	}
	return all
}

// bareWords is a plain text without any punctuation.
func bareWords(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && !unicode.IsMark(r)
	}), " ")
}

func containsAny(s string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(s, p) })
}

// isCalled reports whether a plain heading or title of a notice has one of the
// names. A name that starts with "=" is all of it.
func isCalled(s string, names []string) bool {
	return len(s) <= headingText && slices.ContainsFunc(names, func(name string) bool {
		if whole, ok := strings.CutPrefix(name, "="); ok {
			return bareWords(s) == whole
		}
		return strings.Contains(s, name)
	})
}

// headingText is the length, in bytes, from which on a heading is the title of
// a text rather than the name of a notice.
const headingText = 70

// isGeneric reports whether a heading says nothing of what follows.
func isGeneric(heading string) bool {
	return slices.Contains([]string{"sorry", "we're sorry", "oops", "whoops", "error", "hello", "welcome", "attention", "notice", "hi", "important", "uh oh", "oh no", ""}, bareWords(heading))
}

// abouts are words of texts about notices and errors, which notices and errors
// themselves do not use.
var abouts = []string{
	"status code", "response code", "http response", "error message", "this error", "how to fix", "troubleshoot", "is shown when", "indicates that",
	"means that", "occurs when", "happens when", "status codes", "a web server",
}

// isAbout reports whether a page looks like a text about what it names: it
// explains, or shows code.
func (v view) isAbout() bool {
	for _, question := range []string{"why ", "how ", "what "} {
		if strings.HasPrefix(v.heading, question) {
			return true
		}
	}
	return containsAny(v.text, abouts) || v.hasCode()
}

func (v view) hasCode() bool  { return strings.Contains(v.content.Markdown, "```") }
func (v view) hasImage() bool { return strings.Contains(v.content.Markdown, "![") }
