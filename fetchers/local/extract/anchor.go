package extract

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Anchor is where the part of the page that the fragment of its address names
// starts in the markdown. The zero value is an address that names none, or one
// whose place is not known.
type Anchor struct {
	Fragment string // decoded, without text directives
	OnPage   bool   // the page has that part
	Line     int    // counted from 1; 0 when the part is not in the markdown
}

// locate finds the anchor of a page whose markdown is known. It extracts the
// page a second time with a mark in the text of the anchor: a mark that had to
// be taken out again could leave traces.
func (c *Classifier) locate(page []byte, base *url.URL, markdown string) Anchor {
	t := newTarget(base)
	if t == nil {
		return Anchor{}
	}
	for t.mark = firstMark; strings.ContainsRune(markdown, t.mark); t.mark++ {
		if t.mark == lastMark {
			return Anchor{}
		}
	}
	a := Anchor{Fragment: t.name}
	r, _ := c.extract(page, base, t) // of the page that could be extracted without
	if t.node == nil {
		if t.isOptional() {
			return Anchor{}
		}
		return a
	}
	a.OnPage = true
	at := strings.IndexRune(r.Markdown, t.mark)
	if at < 0 {
		if slices.ContainsFunc(t.path, is(atom.H1)) {
			a.Line = 1 // dropped for repeating the title: what follows is its text
		}
		return a
	}
	before := r.Markdown[:strings.LastIndexByte(r.Markdown[:at], '\n')+1]
	if !strings.HasPrefix(markdown, before) {
		return Anchor{} // the mark has changed what stands before it
	}
	a.Line = strings.Count(before, "\n") + 1
	return a
}

// The marks are symbols: a letter would change a word, and text of digits only
// is judged by that.
const (
	firstMark = '\u2801'
	lastMark  = '\u28ff'
)

// target is the part of a page that a fragment names.
type target struct {
	name, raw string // the fragment decoded and as it is written
	mark      rune
	node      *html.Node
	path      []*html.Node // from node to the root, as in the page
}

// newTarget is nil when the address names no part of its page.
func newTarget(base *url.URL) *target {
	if base == nil {
		return nil
	}
	// https://wicg.github.io/scroll-to-text-fragment/#the-fragment-directive
	name, _, _ := strings.Cut(base.Fragment, ":~:")
	raw, _, _ := strings.Cut(base.EscapedFragment(), ":~:")
	if name == "" {
		return nil
	}
	return &target{name: name, raw: raw}
}

// isOptional reports whether the fragment may well name nothing: the top of
// the page, the route or the state of a script application.
func (t *target) isOptional() bool {
	return strings.EqualFold(t.name, "top") || strings.ContainsAny(t.name[:1], "/!") || strings.ContainsAny(t.name, "=&?")
}

// find looks the element up as browsers do, by id and by the name of an a
// (https://html.spec.whatwg.org/#find-a-potential-indicated-element), then
// under the prefix that sites give the ids of their users' texts, then without
// regard to case. It reports whether there is one.
func (t *target) find(doc *html.Node) bool {
	best := 4
	for _, n := range findAll(doc, func(n *html.Node) bool { return len(n.Attr) > 0 }) {
		if r := t.rank(n); r < best {
			best, t.node = r, n
		}
	}
	for n := t.node; n != nil; n = n.Parent {
		t.path = append(t.path, n)
	}
	return t.node != nil
}

// leave makes what holds the target the target where it is in the page no more:
// a formula replaced by its source, the column beside a post.
func (t *target) leave(doc *html.Node) {
	for _, n := range t.path {
		if inside(n, doc) {
			t.node = n
			return
		}
	}
}

// rank is how well n goes with the fragment; 4 is not at all.
func (t *target) rank(n *html.Node) int {
	const prefix = "user-content-"
	rank := 4
	id, name := attr(n, "id"), ""
	if n.DataAtom == atom.A {
		name = attr(n, "name")
	}
	for _, v := range []string{id, name} {
		switch {
		case v == "":
		case v == t.name || v == t.raw:
			if v == id {
				return 0
			}
			return 1
		case v == prefix+t.name:
			rank = min(rank, 2)
		case strings.EqualFold(v, t.name), strings.EqualFold(v, prefix+t.name):
			rank = min(rank, 3)
		}
	}
	return rank
}

// How many pieces of text are marked in the target, and after an empty one.
// The first alone may be dropped with the rest staying.
const (
	marksInside = 1000
	marksAfter  = 4
)

// put marks the beginning of the target once hidden text is gone.
func (t *target) put(d *document) {
	if !inside(t.node, d.root) {
		return
	}
	n := t.node
	for p := n; p != nil; p = p.Parent {
		if isHeading(p) {
			n = p // an anchor may well stand at the end of its heading
		}
	}
	if t.markUnder(d, n, marksInside) < marksInside {
		return
	}
	left := marksAfter
	for p := n; p != nil; p = p.Parent {
		for s := p.NextSibling; s != nil; s = s.NextSibling {
			if left = t.markUnder(d, s, left); left == 0 {
				return
			}
		}
	}
}

// markUnder marks up to left texts, pictures and formulas of n and returns how
// many are left.
func (t *target) markUnder(d *document, n *html.Node, left int) int {
	mark := string(t.mark)
	walk(n, func(n *html.Node) bool {
		switch {
		case left == 0:
			return false
		case n.Type == html.TextNode:
			i := strings.IndexFunc(n.Data, isWord)
			if i < 0 {
				return false
			}
			n.Data = n.Data[:i] + mark + n.Data[i:]
		case n.Type != html.ElementNode:
			return true
		case n.DataAtom == atom.Img:
			setAttr(n, "alt", mark+attr(n, "alt"))
		case n.Data == inlineTag:
			replace(n, d.inline(mark+d.rawOf(n).text))
		default:
			return n.DataAtom != atom.Input && !isControl(n) && !isGutter(n)
		}
		left--
		return false
	})
	return left
}
