package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxListDepth  = 24 // deeper lists are shown at this depth
	maxQuoteDepth = 8
)

// tidyBlocks rewrites the blocks markdown has no words for: definition lists,
// details, admonitions, figures; and repairs lists.
func tidyBlocks(content *html.Node) {
	for _, n := range findAll(content, func(n *html.Node) bool { return n != content }) {
		if n.Parent == nil {
			continue
		}
		switch n.DataAtom {
		case atom.Dl, atom.Dd, atom.Details:
			rename(n, atom.Div)
		case atom.Dt:
			label(n)
		case atom.Summary:
			label(n)
		case atom.Figcaption, atom.Caption:
			if !isOne(n.Parent, atom.Table) {
				rename(n, atom.P)
			}
		case atom.Fieldset, atom.Form, atom.Center, atom.Hgroup:
			rename(n, atom.Div)
		case atom.Menu, atom.Dir:
			rename(n, atom.Ul)
		case atom.Q:
			n.InsertBefore(text("“"), n.FirstChild)
			n.AppendChild(text("”"))
			unwrap(n)
		case atom.Label, atom.Font, atom.Nobr:
			rename(n, atom.Span)
		case atom.Wbr:
			remove(n)
		case atom.B, atom.Strong:
			if within(n, func(p *html.Node) bool { return isHeading(p) || isOne(p, atom.B, atom.Strong) }) {
				unwrap(n) // bold already
			}
		case atom.Ruby:
			dropRuby(n)
		}
		if n.Parent != nil && isAdmonition(n) {
			quoteAdmonition(n)
		}
	}
	repairLists(content)
	limitDepth(content)
}

// label makes the term of a definition or the summary of details a line of its
// own in bold.
func label(n *html.Node) {
	rename(n, atom.Div)
	if contains(n, isBlock) || contains(n, is(atom.B, atom.Strong)) || strings.TrimSpace(textOf(n)) == "" {
		return
	}
	strong := element(atom.Strong)
	adopt(strong, n)
	n.AppendChild(strong)
}

func dropRuby(n *html.Node) {
	for _, rp := range findAll(n, is(atom.Rp)) {
		remove(rp)
	}
	for _, rt := range findAll(n, is(atom.Rt)) {
		rt.InsertBefore(text("("), rt.FirstChild)
		rt.AppendChild(text(")"))
		rename(rt, atom.Span)
	}
	rename(n, atom.Span)
}

// The names that documentation generators give admonitions.
var (
	admonitions = set("admonition callout markdown-alert theme-admonition custom-block alert starlight-aside hint admonitionblock notecard callout-block")
	titles      = set(`admonition-title callout-title markdown-alert-title admonition-heading custom-block-title starlight-aside__title
		callout-heading alert-heading admonition__title admonitionheading`)
	icons = set("icon")
	kinds = []string{"warning", "caution", "danger", "important", "note", "tip", "info", "hint", "seealso", "attention", "error", "success", "question", "example"}
)

func isAdmonition(n *html.Node) bool {
	return isOne(n, atom.Div, atom.Aside, atom.Section, atom.Details) && hasClass(n, admonitions) && kind(n) != "" && !isOne(n.Parent, atom.Blockquote) ||
		n.DataAtom == atom.Aside && role(n) == "note"
}

// kind is what an admonition is called in its classes.
func kind(n *html.Node) string {
	for c := range strings.FieldsSeq(strings.ToLower(attr(n, "class"))) {
		for _, k := range kinds {
			if c == k || strings.HasSuffix(c, "-"+k) || strings.HasPrefix(c, k+"-") {
				return k
			}
		}
	}
	if isTitle(n) || contains(n, isTitle) {
		return "note"
	}
	return ""
}

// isTitle reports whether n is named as the title of an admonition, also with
// the suffix of a style module (admonitionHeading_x1Y2).
func isTitle(n *html.Node) bool {
	for c := range strings.FieldsSeq(strings.ToLower(attr(n, "class"))) {
		name, _, _ := strings.Cut(c, "_")
		if titles[c] || titles[name] {
			return true
		}
	}
	return false
}

// iconCell dissolves the one-row table that lays out an admonition with its
// name or icon in the first cell, and returns what the name stands in.
func iconCell(n *html.Node) *html.Node {
	t := elementAt(n, 0)
	if !isOne(t, atom.Table) {
		return nil
	}
	cells := findAll(t, is(atom.Td))
	if len(cells) != 2 || !hasClass(cells[0], icons) {
		return nil
	}
	for _, c := range cells {
		div := element(atom.Div)
		adopt(div, c)
		n.InsertBefore(div, t)
	}
	remove(t)
	return elementAt(n, 0)
}

// quoteAdmonition makes an admonition a quotation that opens with its title.
func quoteAdmonition(n *html.Node) {
	k := kind(n)
	title := find(n, func(c *html.Node) bool { return c != n && isTitle(c) })
	if title == nil {
		title = iconCell(n)
	}
	if title != nil && strings.TrimSpace(textOf(title)) != "" {
		t := trimmedText(title)
		replace(title, element(atom.P, element(atom.Strong, text(t))))
	} else if k != "" && n.FirstChild != nil && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(headText(n, 40))), k) {
		n.InsertBefore(element(atom.P, element(atom.Strong, text(strings.ToUpper(k[:1])+k[1:]))), n.FirstChild)
	}
	rename(n, atom.Blockquote)
}

// repairLists puts lists that stand directly in a list into the item before,
// and everything else that is no item into an item of its own.
func repairLists(content *html.Node) {
	for _, list := range findAll(content, is(atom.Ul, atom.Ol)) {
		var item *html.Node
		for c := list.FirstChild; c != nil; {
			next := c.NextSibling
			switch {
			case isOne(c, atom.Li):
				item = c
			case c.Type == html.TextNode && strings.TrimSpace(c.Data) == "":
			case c.Type != html.ElementNode && c.Type != html.TextNode:
			case isOne(c, atom.Ul, atom.Ol) && item != nil:
				list.RemoveChild(c)
				item.AppendChild(c)
			case isOne(c, atom.Div, atom.Span, atom.Section) && contains(c, is(atom.Li)) && !contains(c, is(atom.Ul, atom.Ol)):
				next = c.FirstChild
				unwrap(c)
			default:
				li := element(atom.Li)
				replace(c, li)
				li.AppendChild(c)
				item = nil
			}
			c = next
		}
	}
	for _, li := range findAll(content, is(atom.Li)) {
		if !isOne(li.Parent, atom.Ul, atom.Ol) {
			rename(li, atom.Div)
		}
	}
}

// limitDepth bounds the nesting of what is rendered level by level.
func limitDepth(content *html.Node) {
	var visit func(n *html.Node, lists, quotes int)
	visit = func(n *html.Node, lists, quotes int) {
		switch n.DataAtom {
		case atom.Ul, atom.Ol:
			if lists++; lists > maxListDepth {
				for c := n.FirstChild; c != nil; c = c.NextSibling {
					if isOne(c, atom.Li) {
						rename(c, atom.Div)
					}
				}
				rename(n, atom.Div)
			}
		case atom.Blockquote:
			if quotes++; quotes > maxQuoteDepth {
				rename(n, atom.Div)
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c, lists, quotes)
		}
	}
	visit(content, 0, 0)
}
