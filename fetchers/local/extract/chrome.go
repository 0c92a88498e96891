package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The names and texts of the controls that documentation generators and
// highlighters put into the text.
var (
	permalinks     = set("¶ # § 🔗 ⚓ ❡ link permalink anchor")
	permalinkClass = set(`headerlink header-anchor heading-anchor anchor anchorjs-link hash-link permalink direct-link heading-link
		header-link anchor-link anchor-heading sl-anchor-link subheading-anchor`)
	editTexts = set(`edit [edit] edit_source edit_this_page edit_this_page_on_github edit_on_github edit_page
		suggest_edits improve_this_page view_page_source show_source copy copy_code copy_link copy_to_clipboard copied! copied`)
	copyClass = set(`copy copy-button copy-btn btn-copy copybtn copy-code copy-code-button clipboard clipboard-button clipboard-copy
		btn-clipboard zeroclipboard-container code-copy toolbar-item copy-to-clipboard copy-to-clipboard-button`)
	screenReader = set(`sr-only visually-hidden visuallyhidden screen-reader-text screen-reader screenreader-only show-for-sr
		u-visually-hidden a11y-hidden assistive-text`)
	backlinks = set("↩ ↩︎ ^ ↑ ⏎ ⤴ ↵")
)

// dropChrome removes the controls in and around the text: buttons, form
// fields, heading permalinks, edit and copy links, links without content.
func dropChrome(content *html.Node) {
	walk(content, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return true
		}
		if isControl(n) {
			remove(n)
			return false
		}
		return true
	})
	for _, b := range findAll(content, is(atom.Button)) {
		b.InsertBefore(text(" "), b.FirstChild)
		b.AppendChild(text(" "))
		unwrap(b)
	}
	for _, a := range findAll(content, is(atom.A)) {
		if !hasContent(a) {
			remove(a)
		}
	}
}

func isControl(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Select, atom.Option, atom.Textarea, atom.Progress, atom.Meter, atom.Output:
		return true
	case atom.Input:
		if strings.EqualFold(attr(n, "type"), "checkbox") && within(n, is(atom.Li)) {
			mark := "[ ] "
			if hasAttr(n, "checked") {
				mark = "[x] "
			}
			if p := n.NextSibling; isOne(p, atom.P, atom.Div) {
				p.InsertBefore(text(mark), p.FirstChild)
			} else {
				n.Parent.InsertBefore(text(mark), n)
			}
		}
		return true
	case atom.Button:
		return !labels(n)
	case atom.A:
		return isPermalink(n) || isEdit(n) || isBacklink(n)
	case atom.Div, atom.Span, atom.Li:
		if hasClass(n, copyClass) && shortText(n, 60) != "" && find(n, is(atom.Pre, atom.Code)) == nil {
			return true
		}
		if hasClass(n, permalinkClass) && permalinks[strings.ToLower(shortText(n, 40))] {
			return true
		}
		return hasClass(n, screenReader) && !contains(n, isHeading)
	}
	if role(n) == "button" && isEdit(n) {
		return true
	}
	return n.Data == "clipboard-copy"
}

// labels reports whether a button is the label of something rather than an
// action: a heading, the question of an accordion, a tab.
func labels(b *html.Node) bool {
	if role(b) == "tab" || within(b, func(p *html.Node) bool { return isHeading(p) || p.DataAtom == atom.Summary || p.DataAtom == atom.Dt }) {
		return true
	}
	return hasAttr(b, "aria-expanded") && len(strings.Fields(shortText(b, 300))) >= 3
}

func isPermalink(a *html.Node) bool {
	t := strings.ToLower(shortText(a, 60))
	href := attr(a, "href")
	if permalinks[t] && within(a, isHeading) && (t != "link" && t != "#" || strings.EqualFold(attr(a, "title"), "permalink")) {
		return true
	}
	if !strings.Contains(href, "#") && href != "" {
		return false
	}
	if permalinks[t] && (t == "¶" || t == "§" || hasClass(a, permalinkClass) || within(a, isHeading) || isHeading(sibling(a))) {
		return true
	}
	return hasClass(a, permalinkClass) && (t == "" || strings.HasPrefix(t, "permalink") || strings.HasPrefix(t, "direct link") || strings.HasPrefix(t, "link to ")) &&
		textLen(textOf(a)) < 80
}

func sibling(n *html.Node) *html.Node {
	for _, step := range []func(*html.Node) *html.Node{
		func(n *html.Node) *html.Node { return n.PrevSibling },
		func(n *html.Node) *html.Node { return n.NextSibling },
	} {
		for s := step(n); s != nil; s = step(s) {
			if s.Type == html.ElementNode {
				if isHeading(s) {
					return s
				}
				break
			}
		}
	}
	return nil
}

func isEdit(n *html.Node) bool {
	t := strings.ToLower(shortText(n, 60))
	return t != "" && editTexts[strings.ReplaceAll(t, " ", "_")]
}

// isBacklink reports whether a leads from a footnote back to its mark.
func isBacklink(a *html.Node) bool {
	return strings.HasPrefix(attr(a, "href"), "#") && backlinks[strings.TrimSuffix(shortText(a, 20), "\ufe0e")]
}

func hasContent(n *html.Node) bool {
	return find(n, func(n *html.Node) bool {
		return n.DataAtom == atom.Img || n.Data == inlineTag || n.Data == blockTag || n.DataAtom == atom.Picture
	}) != nil || strings.TrimSpace(textOf(n)) != ""
}

// maxTabGroups bounds the search for panels, which looks at a whole region of
// the page for each group.
const maxTabGroups = 200

// labelTabs puts the label of each tab at the head of its panel, so that the
// variants of a tab group stay told apart, and removes the row of labels.
func labelTabs(content *html.Node) {
	groups := findAll(content, func(n *html.Node) bool { return role(n) == "tablist" })
	for _, list := range groups[:min(len(groups), maxTabGroups)] {
		tabs := findAll(list, func(n *html.Node) bool { return role(n) == "tab" })
		if list.Parent == nil || len(tabs) < 2 {
			continue
		}
		isPanel := func(n *html.Node) bool { return role(n) == "tabpanel" }
		var panels []*html.Node
		for p := list.Parent; p != nil && len(panels) == 0; p = p.Parent {
			panels = outermost(p, isPanel)
		}
		if len(panels) != len(tabs) {
			continue
		}
		for i, p := range panels {
			if label := shortText(tabs[i], 200); label != "" && p.FirstChild != nil {
				p.InsertBefore(element(atom.P, element(atom.Strong, text(label))), p.FirstChild)
			}
		}
		remove(list)
	}
}
