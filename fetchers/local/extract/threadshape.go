package extract

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var depthClass = regexp.MustCompile(`(?i)^(?:depth|level|lvl|indent|nested|ind)[-_]?(\d{1,2})$`)

// namedDepth is the level of a post that lies in no other, as its markup tells.
func (t *thread) namedDepth(p *found) int {
	n := t.nodes[p.at]
	for _, key := range []string{"data-depth", "depth", "data-level", "aria-level", "indent"} {
		if v, err := strconv.Atoi(attr(n, key)); err == nil && v >= 0 && v < 1000 {
			return v
		}
	}
	for c := range strings.FieldsSeq(attr(n, "class")) {
		if m := depthClass.FindStringSubmatch(c); m != nil {
			v, _ := strconv.Atoi(m[1])
			return v
		}
	}
	if n.DataAtom == atom.Tr || n.DataAtom == atom.Table {
		limit := t.end[p.at]
		if p.body >= 0 {
			limit = p.body
		}
		for _, c := range t.nodes[p.at:limit] {
			if v, err := strconv.Atoi(attr(c, "indent")); err == nil && v >= 0 {
				return v
			}
			if c.DataAtom == atom.Img && attr(c, "height") == "1" {
				if v, err := strconv.Atoi(attr(c, "width")); err == nil && v >= 0 {
					return v / 40 // pixels a level, as tables of replies are indented
				}
			}
		}
	}
	depth := 0
	for a := n.Parent; a != nil; a = a.Parent {
		if at, ok := t.pos[a]; ok && t.traitsOf(a).replies && t.posts[0].at < at {
			depth++
		}
	}
	return depth
}

// headingsBeside are the texts of the headings in a post that stand before its
// text, and tell neither an author nor the date.
func (t *thread) headingsBeside(p *found) []string {
	var all []string
	names := map[string]bool{}
	for _, m := range t.own(t.authors, p.at, p.inner) {
		names[m.text] = true
	}
	inner := p.inner
	end := t.end[p.at]
	if p.body >= 0 {
		end = p.body
	}
	for i := p.at + 1; i < end; {
		for len(inner) > 0 && t.end[inner[0]] <= i {
			inner = inner[1:]
		}
		if len(inner) > 0 && i == inner[0] {
			i = t.end[i]
			continue
		}
		if n := t.nodes[i]; isHeading(n) {
			if h := trimmedText(n); h != "" && !names[h] && !t.inside(p.author.at, i) && !t.inside(p.date.at, i) && !t.isAboutAuthor(n) {
				all = append(all, h)
			}
		}
		i++
	}
	return all
}

// isAboutAuthor reports whether n is named as telling something of the author.
func (t *thread) isAboutAuthor(n *html.Node) bool {
	tr := t.traitsOf(n)
	return tr.author > 0 || tr.profile || tr.noise
}

func (t *thread) inside(at, outer int) bool { return at >= outer && at < t.end[outer] }

// arrange brings the post into its final shape.
func (t *thread) arrange(p *found) post {
	root := t.nodes[p.at]
	out := post{root: root, head: p.headLine()}
	if p.body >= 0 {
		out.body = t.nodes[p.body]
		t.trim(root, p)
		t.trimBody(out.body, p)
	} else {
		out.body = t.loose(root, p)
	}
	setAttr(out.body, "class", "comment-body")
	dropAttr(out.body, "id")
	if isOne(out.body, atom.Td, atom.Th, atom.Section, atom.Article, atom.Main) {
		retag(out.body, atom.Div)
	}
	t.dissolveTables(out.body)
	t.dissolveTables(root)
	// The selection takes one article of several, or one long text of many
	// short ones, for the page's content. A post is neither.
	retag(root, atom.Div)
	if !isReplies(root) {
		setAttr(root, "class", "comment "+attr(root, "class"))
	}
	for a := root.Parent; a != nil && !t.plain[a]; a = a.Parent {
		if isOne(a, atom.Ul, atom.Ol, atom.Dl, atom.Li, atom.Dd) {
			retag(a, atom.Div)
		}
		t.plain[a] = true
	}
	root.InsertBefore(out.head, root.FirstChild)
	return out
}

// retag makes n another element under the same attributes.
func retag(n *html.Node, tag atom.Atom) { n.Data, n.DataAtom = tag.String(), tag }

// dissolveTables makes plain blocks of the table the element lies in or is a
// part of.
func (t *thread) dissolveTables(n *html.Node) {
	for ; isOne(n, atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Table) || isOne(n.Parent, atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Table); n = n.Parent {
		if isOne(n, atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Table) {
			retag(n, atom.Div)
		}
		if n.Parent == nil {
			return
		}
	}
}

// headLine is the line that stands before a post's text.
func (f *found) headLine() *html.Node {
	head := element(atom.P)
	if f.depth > 0 {
		head.AppendChild(text(strings.Repeat("↳", min(f.depth, maxArrows)) + " "))
	}
	head.AppendChild(element(atom.Strong, text(f.author.text)))
	for _, s := range []string{f.date.text, f.votes} {
		if s != "" {
			head.AppendChild(text(" · " + s))
		}
	}
	if f.accepted {
		head.AppendChild(text(" · accepted answer"))
	}
	return head
}

const (
	strayText = 140 // characters of a text beside the body that may belong to it
	barText   = 150 // characters of a row of controls in a text, at most
)

// trim removes what is beside the body of p and the posts inside it.
func (t *thread) trim(n *html.Node, p *found) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch at, known := t.pos[c]; {
		case c.Type == html.TextNode:
			if textLen(c.Data) < strayText {
				n.RemoveChild(c)
			}
		case !known || at == p.body || t.isPost[at] != nil:
		case t.inside(p.body, at) || t.holdsPost(at, p):
			t.trim(c, p)
		case !t.belongs(c, at, p):
			n.RemoveChild(c)
		}
		c = next
	}
}

func (t *thread) holdsPost(at int, p *found) bool {
	for _, in := range p.inner {
		if t.inside(in, at) {
			return true
		}
	}
	return false
}

// belongs reports whether an element beside the body is part of what was
// posted: a heading, a file, code, another text, or one without a name that is
// long or a paragraph.
func (t *thread) belongs(n *html.Node, at int, p *found) bool {
	m := t.size[n]
	if h := find(n, isHeading); h != nil && m.text < 400 && !t.inside(p.author.at, at) && (h.DataAtom == atom.H1 || slices.Contains(p.headings, trimmedText(h))) {
		return true
	}
	tr := t.traitsOf(n)
	switch {
	case tr.signature || tr.profile:
		return false
	case tr.attached:
		return m.text > 0 || contains(n, is(atom.Img))
	case tr.noise || t.inside(p.author.at, at) || t.inside(p.date.at, at) && p.date.text != "":
		return false
	case tr.edited || tr.author > 0 || tr.date > 0 || tr.vote > 0 || m.density() >= 0.4 || m.text < strayText && edited.MatchString(textOf(n)):
		return false
	case tr.body > 0, len(n.Attr) == 0 && isOne(n, atom.P, atom.Ul, atom.Ol), find(n, is(atom.Pre, atom.Blockquote)) != nil:
		return m.text > 0
	}
	return m.text >= strayText
}

// trimBody removes signatures and rows of controls from the text of a post.
func (t *thread) trimBody(n *html.Node, p *found) {
	walk(n, func(c *html.Node) bool {
		at, known := t.pos[c]
		if c == n || !known {
			return true
		}
		if t.isPost[at] != nil {
			return false
		}
		tr := t.traitsOf(c)
		switch {
		case tr.signature && !t.holdsPost(at, p):
		case c.DataAtom == atom.Img && tr.avatar:
		case tr.edited && t.size[c].text < barText && !contains(c, is(atom.Pre, atom.Code, atom.Blockquote)):
		case tr.noise && t.size[c].text < barText && isOne(c, atom.Div, atom.Ul, atom.Footer, atom.Span, atom.P) &&
			!tr.quote && !contains(c, is(atom.P, atom.Pre, atom.Img, atom.Code)) && !t.holdsPost(at, p) && t.size[c].text*2 < t.size[n].text:
		case c.DataAtom == atom.A || c.DataAtom == atom.Div:
			if !expanders[strings.ToLower(shortText(c, 40))] {
				return true
			}
		default:
			return true
		}
		remove(c)
		return false
	})
}

var expanders = texts("click to expand...", "click to expand…", "select all", "expand", "report")

// loose puts the text of a post that has no element of its own into one, and
// removes from it what shows the author and the date.
func (t *thread) loose(root *html.Node, p *found) *html.Node {
	for _, m := range []mark{p.author, p.date} {
		if n := t.nodes[m.at]; m.text != "" && n != root && t.size[n].text < strayText {
			remove(n)
		}
	}
	walk(root, func(c *html.Node) bool {
		at, known := t.pos[c]
		if c == root || !known {
			return true
		}
		if t.isPost[at] != nil {
			return false
		}
		if tr := t.traitsOf(c); (tr.signature || tr.noise && t.size[c].text < barText) && !t.holdsPost(at, p) {
			remove(c)
			return false
		}
		return true
	})
	body := element(atom.Div)
	for c := root.FirstChild; c != nil; {
		next := c.NextSibling
		if at, known := t.pos[c]; !known || t.isPost[at] == nil && !t.holdsPost(at, p) {
			root.RemoveChild(c)
			body.AppendChild(c)
		}
		c = next
	}
	root.InsertBefore(body, root.FirstChild)
	return body
}
