// Package extract turns the HTML of a page into the markdown an agent reads:
// the main content, line-faithful code, tables, math as TeX, absolute links.
// It touches no network, no browser and no files, and knows no site by name.
//
// A page goes through a fixed order of passes over its tree, all called from
// show, mainContent and prepare; each stands in the file named after its subject, with
// the names and limits it goes by. markdown.go then renders what
// is left with html-to-markdown, and escape.go decides on backslashes.
package extract

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// ErrNoContent is returned for a page without any text or picture to show.
var ErrNoContent = errors.New("no content extracted")

// Result is the readable part of one page.
type Result struct {
	// Title is the page's own title on one line: <title>, else og:title, else
	// the first h1. It may be empty.
	Title string

	// Markdown is valid UTF-8 and ends with a newline. It lacks a first h1 that
	// only repeats the page's <title> or og:title.
	Markdown string

	// Text is the number of characters of visible text in Markdown, without
	// its syntax, link targets and white space runs.
	Text int

	// PageText is the same measure for everything the page shows, navigation
	// and other boilerplate included.
	PageText int

	// Loss is what of the page is not in Markdown.
	Loss Loss

	// Anchor is where the part that the fragment of base names starts.
	Anchor Anchor

	// Signs tell whether this is the page that was asked for, and all of it.
	Signs Signs
}

// Extract finds the main content of a page and renders it as markdown. The
// input is UTF-8 as Chrome serialises it (shadow roots as templates with
// shadowrootmode) or as Decode returns it; bytes that are not UTF-8 become
// replacement characters. Links are resolved against the document's <base> and
// base, which may be nil. The time taken grows linearly with the input,
// whatever its nesting; it doubles when base has a fragment, which changes
// nothing but Anchor.
func Extract(page []byte, base *url.URL) (Result, error) { return Embedded().Extract(page, base) }

// Extract is the function Extract with this classifier.
func (c *Classifier) Extract(page []byte, base *url.URL) (Result, error) {
	r, err := c.extract(page, base, nil)
	if err == nil {
		r.Anchor = c.locate(page, base, r.Markdown)
	}
	return r, err
}

// Markdown renders all of a piece of HTML that is known to be content, as
// Extract renders what it has chosen. It returns "" for one that shows nothing.
func Markdown(fragment []byte, base *url.URL) (string, error) {
	doc, err := parse(fragment)
	if err != nil {
		return "", fmt.Errorf("parse HTML: %w", err)
	}
	d := &document{root: doc, base: base}
	content := element(atom.Div)
	adopt(content, d.show(nil).body)
	d.prepare(content)
	return d.markdown(content)
}

// PageText is the PageText of Extract's result, for a part of its time.
func PageText(page []byte) int {
	doc, err := parse(page)
	if err != nil {
		return 0
	}
	return (&document{root: doc}).show(nil).text
}

// extract is Extract without the anchor. It marks the beginning of target,
// which may be nil; a page without it is not looked at any further.
func (c *Classifier) extract(src []byte, base *url.URL, target *target) (Result, error) {
	doc, err := parse(src)
	if err != nil {
		return Result{}, fmt.Errorf("parse page: %w", err)
	}
	d := &document{root: doc, base: base}
	page := d.show(target)
	if page == nil {
		return Result{}, ErrNoContent
	}
	r := Result{Title: page.title, PageText: page.text, Signs: page.signs}
	inventory := d.takeInventory(page.body)
	content := d.mainContent(c, page)
	d.prepare(content)
	r.Text = d.visible(content)
	r.Loss = d.loss(inventory, content, page.title)
	if r.Markdown, err = d.markdown(content); err != nil {
		return Result{}, fmt.Errorf("render markdown: %w", err)
	}
	if r.Markdown == "" {
		return r, ErrNoContent
	}
	return r, nil
}

// view is a page as a reader sees it.
type view struct {
	*metadata
	body  *html.Node
	text  int // characters, before anything is rearranged
	signs Signs
}

// show brings the whole page to what a reader sees. It returns nil for a page
// without target.
func (d *document) show(target *target) *view {
	doc := d.root
	d.resolveBase()
	s := &view{metadata: d.readMetadata()}
	unwrapShadow(doc)     // first: the parser leaves shadow trees in templates
	s.signs.declared(doc) // while scripts and what readers without them are told are there
	placeStreamed(doc)    // before comments, templates and hidden elements go
	openNoscript(doc)     // before noscript goes
	if target != nil && !target.find(doc) {
		return nil
	}
	d.keepMath() // before scripts and hidden elements go: TeX sources are both
	if target != nil {
		target.leave(doc)
	}
	d.keepProperties() // before meta elements go
	dropInvisible(doc) // from here on all text is text on the page
	dropMarked(doc)
	dropHidden(doc)
	over := dropOverlays(doc) // after dropHidden: a closed dialog weighs nothing
	if s.body = find(doc, is(atom.Body)); s.body == nil {
		s.body = doc
	}
	s.signs.shown(s.body, over)
	s.text = d.visible(s.body)
	marked := target != nil && inside(target.node, doc)
	d.arrangePosts(s.body, s.title)
	if marked {
		target.leave(doc)
		target.put(d)
	}
	return s
}

// document is one page on its way to markdown.
type document struct {
	root *html.Node
	base *url.URL

	// properties are the microdata readers do not see, by the element they are
	// in.
	properties map[*html.Node][]property

	// posts are those of a thread, in document order.
	posts []post

	// raw holds what must reach the output byte for byte, code blocks and
	// formulas; the tree has a placeholder element for each.
	raw []raw
}

// resolveBase applies the page's <base> to the document's address and removes
// it, so that nothing applies it twice. The fragment is no part of a base.
func (d *document) resolveBase() {
	base := url.URL{}
	if d.base != nil {
		base = *d.base
	}
	base.Fragment, base.RawFragment = "", ""
	d.base = &base
	first := true
	for _, n := range findAll(d.root, is(atom.Base)) {
		if href := attr(n, "href"); href != "" && first {
			first = false
			if u, err := d.base.Parse(strings.TrimSpace(href)); err == nil {
				d.base = u
			}
		}
		remove(n)
	}
}

// title is what the page calls itself, and whether only its h1 does.
func (d *document) title() (title string, h1 bool) {
	if n := find(d.root, func(n *html.Node) bool {
		return n.DataAtom == atom.Title && n.Namespace == ""
	}); n != nil {
		if t := oneLine(textOf(n)); t != "" {
			return t, false
		}
	}
	if n := find(d.root, func(n *html.Node) bool {
		return n.DataAtom == atom.Meta && (attr(n, "property") == "og:title" || attr(n, "name") == "og:title")
	}); n != nil {
		if t := oneLine(attr(n, "content")); t != "" {
			return t, false
		}
	}
	if n := find(d.root, is(atom.H1)); n != nil {
		return oneLine(textOf(n)), true
	}
	return "", false
}

// prepare brings the content into the form the converter renders well.
func (d *document) prepare(content *html.Node) {
	labelTabs(content)            // before dropChrome unwraps the tabs
	dropChrome(content)           // while classes are there to tell controls by
	d.keepCode(content)           // from here on all text in the tree is prose
	d.keepFootnotes(content)      // while marks have their classes and roles
	markRaised(content)           // what is raised and is no mark
	resolveMedia(content, d.base) // leaves only src and alt
	resolveLinks(content, d.base) // leaves only href
	spaceInline(content)          // compares resolved links
	tidyBlocks(content)           // dissolves forms and the like into div and span
	d.tidyTables(content)         // after tidyBlocks: cells hold blocks markdown knows
	cleanText(content)            // last: joins the texts the others left side by side
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(cleanProse(s)), " ")
}

// selfClosed matches empty elements as only XHTML writes them; to the parser
// they would be start tags without an end.
var selfClosed = regexp.MustCompile(`(?i)<(title|script|style|textarea|iframe|noscript|a|div|span|p|td|th|li|i|b|em|strong)(\s[^<>]*)?/>`)

// parse never fails on nesting: what exceeds the parser's limit of open
// elements is parsed again with its inner levels dissolved.
func parse(page []byte) (*html.Node, error) {
	if !utf8.Valid(page) {
		page = bytes.ToValidUTF8(page, []byte("\uFFFD"))
	}
	if bytes.HasPrefix(bytes.TrimSpace(page), []byte("<?xml")) {
		page = selfClosed.ReplaceAll(page, []byte("<$1$2></$1>"))
	}
	doc, err := html.Parse(bytes.NewReader(page))
	if err == nil {
		return doc, nil
	}
	for _, limit := range []nesting{{depth: 200}, {depth: 60, plain: true}} {
		if doc, err = html.Parse(bytes.NewReader(limit.flatten(page))); err == nil {
			return doc, nil
		}
	}
	return nil, err
}
