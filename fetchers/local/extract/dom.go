package extract

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func is(tags ...atom.Atom) func(*html.Node) bool {
	return func(n *html.Node) bool { return isOne(n, tags...) }
}

func isOne(n *html.Node, tags ...atom.Atom) bool {
	if n == nil || n.Type != html.ElementNode || n.DataAtom == 0 {
		return false
	}
	return slices.Contains(tags, n.DataAtom)
}

func attr(n *html.Node, key string) string {
	v, _ := lookAttr(n, key)
	return v
}

func lookAttr(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

func hasAttr(n *html.Node, key string) bool {
	_, ok := lookAttr(n, key)
	return ok
}

func setAttr(n *html.Node, key, val string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			n.Attr[i].Val = val
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: val})
}

// role is the first token of the ARIA role, lower-cased.
func role(n *html.Node) string {
	r, _, _ := strings.Cut(strings.TrimSpace(attr(n, "role")), " ")
	return strings.ToLower(r)
}

// hasClass reports whether one of n's classes is in set, without regard to case.
func hasClass(n *html.Node, set map[string]bool) bool {
	for c := range strings.FieldsSeq(attr(n, "class")) {
		if set[strings.ToLower(c)] {
			return true
		}
	}
	return false
}

// named is hasClass for classes and the id.
func named(n *html.Node, set map[string]bool) bool {
	return hasClass(n, set) || set[strings.ToLower(attr(n, "id"))]
}

// partOfName reports whether the id, a class or the test id of n has one of the
// parts in it, without regard to case.
func partOfName(n *html.Node, parts []string) bool {
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "id", "class", "data-testid":
			if containsAny(strings.ToLower(n.Attr[i].Val), parts) {
				return true
			}
		}
	}
	return false
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func element(tag atom.Atom, children ...*html.Node) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: tag.String(), DataAtom: tag}
	for _, c := range children {
		n.AppendChild(c)
	}
	return n
}

func text(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

// rename makes n another element and drops its attributes.
func rename(n *html.Node, tag atom.Atom) {
	n.Data, n.DataAtom, n.Namespace, n.Attr = tag.String(), tag, "", nil
}

func remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

func replace(old, with *html.Node) {
	old.Parent.InsertBefore(with, old)
	remove(old)
}

// unwrap puts n's children in its place.
func unwrap(n *html.Node) {
	p := n.Parent
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c)
		p.InsertBefore(c, n)
	}
	p.RemoveChild(n)
}

// adopt moves all children of from to the end of to.
func adopt(to, from *html.Node) {
	for c := from.FirstChild; c != nil; c = from.FirstChild {
		from.RemoveChild(c)
		to.AppendChild(c)
	}
}

// walk visits n and its descendants in document order. When enter reports
// false the descendants are skipped; enter may remove the node it is given.
func walk(n *html.Node, enter func(*html.Node) bool) {
	if !enter(n) {
		return
	}
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		walk(c, enter)
		c = next
	}
}

func find(n *html.Node, match func(*html.Node) bool) *html.Node {
	if n.Type == html.ElementNode && match(n) {
		return n
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if f := find(c, match); f != nil {
			return f
		}
	}
	return nil
}

func findAll(n *html.Node, match func(*html.Node) bool) []*html.Node {
	var all []*html.Node
	walk(n, func(n *html.Node) bool {
		if n.Type == html.ElementNode && match(n) {
			all = append(all, n)
		}
		return true
	})
	return all
}

// outermost is findAll without matches inside other matches.
func outermost(n *html.Node, match func(*html.Node) bool) []*html.Node {
	var all []*html.Node
	walk(n, func(n *html.Node) bool {
		if n.Type == html.ElementNode && match(n) {
			all = append(all, n)
			return false
		}
		return true
	})
	return all
}

// within reports whether an ancestor of n matches.
func within(n *html.Node, match func(*html.Node) bool) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Type == html.ElementNode && match(p) {
			return true
		}
	}
	return false
}

func contains(n *html.Node, match func(*html.Node) bool) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if find(c, match) != nil {
			return true
		}
	}
	return false
}

func textOf(n *html.Node) string {
	var sb strings.Builder
	walk(n, func(n *html.Node) bool {
		if n.Type == html.TextNode {
			sb.WriteString(n.Data)
		}
		return true
	})
	return sb.String()
}

// trimmedText is the text under n with white space folded, as a label is read.
func trimmedText(n *html.Node) string { return strings.Join(strings.Fields(textOf(n)), " ") }

// shortText is trimmedText for n with at most limit bytes of text, else "".
func shortText(n *html.Node, limit int) string {
	var sb strings.Builder
	if !collect(n, &sb, limit) {
		return ""
	}
	return strings.Join(strings.Fields(sb.String()), " ")
}

// headText is the text that n begins with: all of it, or more than limit bytes.
func headText(n *html.Node, limit int) string {
	var sb strings.Builder
	collect(n, &sb, limit)
	return sb.String()
}

func collect(n *html.Node, sb *strings.Builder, limit int) bool {
	if n.Type == html.TextNode {
		sb.WriteString(n.Data)
		return sb.Len() <= limit
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !collect(c, sb, limit) {
			return false
		}
	}
	return true
}

// metrics of one subtree.
type metrics struct {
	text  int // characters, white space runs counted once
	links int // those of them inside links
}

func (m metrics) density() float64 {
	if m.text == 0 {
		return 0
	}
	return float64(m.links) / float64(m.text)
}

// measure counts every element under root in one pass. The figures do not
// follow later changes of the tree.
func measure(root *html.Node) map[*html.Node]metrics {
	all := map[*html.Node]metrics{}
	var count func(n *html.Node, link bool) metrics
	count = func(n *html.Node, link bool) metrics {
		var m metrics
		if n.Type == html.TextNode {
			m.text = textLen(n.Data)
			if link {
				m.links = m.text
			}
			return m
		}
		link = link || n.DataAtom == atom.A
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			s := count(c, link)
			m.text += s.text
			m.links += s.links
		}
		if n.FirstChild != nil {
			all[n] = m
		}
		return m
	}
	count(root, false)
	return all
}

func textLen(s string) int {
	n, space := 0, true
	for _, r := range s {
		if unicode.IsSpace(r) {
			if !space {
				n++
			}
			space = true
			continue
		}
		space = false
		n++
	}
	return n
}

// isBlock reports whether the element starts a line of its own.
func isBlock(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.DataAtom {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Center, atom.Dd, atom.Details,
		atom.Dialog, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Li, atom.Main,
		atom.Menu, atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td,
		atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul:
		return true
	}
	return n.Data == blockTag
}

var headings = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}

func isHeading(n *html.Node) bool { return isOne(n, headings...) }
