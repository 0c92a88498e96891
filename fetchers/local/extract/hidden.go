package extract

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// dropInvisible removes what no browser paints as text.
func dropInvisible(doc *html.Node) {
	walk(doc, func(n *html.Node) bool {
		switch n.Type {
		case html.CommentNode, html.DoctypeNode:
			remove(n)
			return false
		case html.ElementNode:
		default:
			return true
		}
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Head, atom.Link, atom.Meta, atom.Iframe,
			atom.Frame, atom.Frameset, atom.Object, atom.Embed, atom.Applet, atom.Audio, atom.Video, atom.Canvas,
			atom.Svg, atom.Datalist, atom.Param, atom.Source, atom.Track, atom.Map:
			if n.DataAtom == atom.Source && isOne(n.Parent, atom.Picture) {
				return false
			}
			remove(n)
			return false
		}
		return true
	})
}

// dropHidden removes what the markup hides from a reader. What is merely
// collapsed (tab panels, accordions, hidden=until-found) stays: it is content
// a click away.
func dropHidden(doc *html.Node) {
	size := measure(doc)
	total := size[doc].text
	collapsed := controlled(doc)
	telling := holders(doc, isTelling)
	walk(doc, func(n *html.Node) bool {
		if n.Type != html.ElementNode || isOne(n, atom.Html, atom.Body) {
			return true
		}
		if isCollapsed(n, collapsed) {
			return true
		}
		if isHidden(n) {
			remove(n)
			return false
		}
		// A page that waits for its script, fades in or lies under an open
		// dialog is hidden only for the moment: a large part of the page is
		// never dropped for that.
		if size[n].text*3 < total || total == 0 {
			if s := style(attr(n, "style")); s.transparent() && !s.entering() || isDecoration(n, size[n].text) && !telling[n] {
				remove(n)
				return false
			}
		}
		return true
	})
}

// hiddenMark is set by the reader of a rendered page on elements whose own text
// nobody can see, by computed style.
const hiddenMark = "data-pifetch-hidden"

// dropMarked removes the own text of marked elements, and what is empty then.
// What they hold is judged by itself.
func dropMarked(doc *html.Node) {
	isMarked := func(n *html.Node) bool { return hasAttr(n, hiddenMark) }
	if find(doc, isMarked) == nil {
		return
	}
	panels := controlled(doc)
	var marked []*html.Node
	walk(doc, func(n *html.Node) bool {
		if n.Type == html.ElementNode && isCollapsed(n, panels) {
			return false
		}
		if isMarked(n) {
			marked = append(marked, n)
		}
		return true
	})
	for _, n := range marked {
		for c := n.FirstChild; c != nil; {
			next := c.NextSibling
			if c.Type == html.TextNode {
				remove(c)
			}
			c = next
		}
		for n.FirstChild == nil && n.Parent != nil && !isOne(n, atom.Html, atom.Body, atom.Td, atom.Th) {
			parent := n.Parent
			remove(n)
			n = parent
		}
	}
}

func isHidden(n *html.Node) bool {
	if v, ok := lookAttr(n, "hidden"); ok && !strings.EqualFold(v, "until-found") {
		return true
	}
	if n.DataAtom == atom.Dialog && !hasAttr(n, "open") {
		return true
	}
	s, ok := lookAttr(n, "style")
	return ok && style(s).hides()
}

// isDecoration reports whether n, with that many characters of text, is kept
// from screen readers. Line numbers and indentation of code are judged there. A
// teaser that is one more link to an article is text, and so is what a details
// element shows.
func isDecoration(n *html.Node, text int) bool {
	if !strings.EqualFold(attr(n, "aria-hidden"), "true") || within(n, is(atom.Pre)) {
		return false
	}
	teaser := n.DataAtom == atom.A && !strings.HasPrefix(attr(n, "href"), "#")
	return text < teaserText || !teaser && !within(n, is(atom.Details))
}

// isTelling reports whether n is no decoration for screen readers to leave out:
// a picture described for them, a formula, the page itself.
func isTelling(n *html.Node) bool {
	return n.DataAtom == atom.Img && strings.TrimSpace(attr(n, "alt")) != "" ||
		isOne(n, atom.Main, atom.Article, atom.H1, atom.Pre) || n.Data == "math" || n.Data == inlineTag || n.Data == blockTag
}

// holders are the elements that are or hold one that ok accepts.
func holders(doc *html.Node, ok func(*html.Node) bool) map[*html.Node]bool {
	all := map[*html.Node]bool{}
	for _, n := range findAll(doc, ok) {
		for ; n != nil && !all[n]; n = n.Parent {
			all[n] = true
		}
	}
	return all
}

// teaserText is how many characters are no icon, label or arrow any more.
const teaserText = 60

// collapsible are the names of what a click opens.
var collapsible = set(`accordion-content accordion-body accordion-collapse accordion-panel accordion__content collapse
	collapsible collapsible-content collapse-content tab-pane tab-panel tab-content tabcontent tabpanel tabs-panel
	tabs__panel tabbed-content spoiler spoiler-content toggle-content expandable expandable-content faq-answer details-content`)

// isCollapsed reports whether an element is content behind a click.
func isCollapsed(n *html.Node, panels map[string]string) bool {
	if strings.EqualFold(attr(n, "role"), "tabpanel") || hasClass(n, collapsible) {
		return true
	}
	by, ok := panels[attr(n, "id")]
	if !ok || by != "" && !slices.Contains(strings.Fields(attr(n, "aria-labelledby")), by) {
		return false
	}
	return !isDialog(n) && !isOne(n, atom.Nav, atom.Menu) && role(n) != "menu" && role(n) != "listbox"
}

// controlled are the ids of panels that a tab or a disclosure button of the
// content shows and hides. A control that does not say it is one has its id
// there: it is one when the panel is labelled by it.
func controlled(doc *html.Node) map[string]string {
	panels := map[string]string{}
	walk(doc, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return true
		}
		if isOne(n, atom.Nav, atom.Footer) || n.DataAtom == atom.Header && !within(n, is(atom.Main, atom.Article)) {
			return false
		}
		c, by := attr(n, "aria-controls"), attr(n, "id")
		if role(n) == "tab" || hasAttr(n, "aria-expanded") {
			by = ""
		} else if by == "" {
			return true
		}
		if c == "" || hasAttr(n, "aria-haspopup") {
			return true
		}
		for id := range strings.FieldsSeq(c) {
			if old, ok := panels[id]; !ok || old != "" {
				panels[id] = by
			}
		}
		return true
	})
	return panels
}

// style is the text of a style attribute.
type style string

func (s style) value(property string) string {
	v := ""
	for rest := string(s); rest != ""; {
		var decl string
		decl, rest, _ = strings.Cut(rest, ";")
		k, val, ok := strings.Cut(decl, ":")
		if ok && strings.EqualFold(strings.TrimSpace(k), property) {
			v = strings.ToLower(strings.TrimSpace(strings.Replace(val, "!important", "", 1)))
		}
	}
	return v
}

// hides reports whether the declarations keep the element from being seen.
func (s style) hides() bool {
	if len(s) > 4096 {
		s = s[:4096]
	}
	if s.value("display") == "none" {
		return true
	}
	if v, ok := pixels(s.value("font-size")); ok && v <= 2 {
		return true
	}
	if v, ok := pixels(s.value("text-indent")); ok && v <= -500 {
		return true
	}
	if p := s.value("position"); p == "absolute" || p == "fixed" {
		for _, side := range []string{"left", "right", "top", "bottom"} {
			if v, ok := pixels(s.value(side)); ok && v <= -500 {
				return true
			}
		}
		if v := strings.ReplaceAll(s.value("clip"), " ", ""); strings.HasPrefix(v, "rect(0") || strings.HasPrefix(v, "rect(1px,1px") {
			return true
		}
	}
	if v := strings.ReplaceAll(s.value("clip-path"), " ", ""); v == "inset(50%)" || v == "inset(100%)" {
		return true
	}
	if v := strings.ReplaceAll(s.value("transform"), " ", ""); v == "scale(0)" {
		return true
	}
	if o := s.value("overflow"); o == "hidden" || o == "clip" {
		for _, side := range []string{"height", "max-height", "width", "max-width"} {
			if v, ok := pixels(s.value(side)); ok && v <= 1 {
				return true
			}
		}
	}
	fg := colour(s.value("color"))
	if fg == "" {
		return false
	}
	bg := s.value("background-color")
	if bg == "" {
		bg = s.value("background")
	}
	return fg == colour(bg)
}

// transparent reports whether the element takes its place but is not painted.
func (s style) transparent() bool {
	if v := s.value("visibility"); v == "hidden" || v == "collapse" {
		return true
	}
	v := s.value("opacity")
	if v == "" {
		return false
	}
	f, err := strconv.ParseFloat(strings.TrimSuffix(v, "%"), 64)
	return err == nil && f == 0
}

// entering reports whether a transparent element is in the first frame of its
// entrance: moved or scaled in its place in the page. A script shows it once it
// is scrolled to. What lies over the page instead waits for a click or a key.
func (s style) entering() bool {
	if v := s.value("visibility"); v == "hidden" || v == "collapse" {
		return false
	}
	moved := s.value("transform")
	over := s.value("position")
	return moved != "" && moved != "none" && over != "absolute" && over != "fixed" && s.value("pointer-events") != "none"
}

// pixels reads a CSS length; em and the like count as 16 pixels.
func pixels(v string) (float64, bool) {
	unit := strings.TrimLeft(v, "+-.0123456789")
	f, err := strconv.ParseFloat(v[:len(v)-len(unit)], 64)
	if err != nil {
		return 0, false
	}
	switch unit {
	case "", "px", "pt":
		return f, true
	case "em", "rem", "ch", "vw", "vh":
		return f * 16, true
	case "%":
		return f * 10, f <= 0
	}
	return 0, false
}

var colourNames = map[string]string{"white": "#ffffff", "black": "#000000"}

// colour is a comparable form of a plain CSS colour, "" for anything else.
func colour(v string) string {
	if n, ok := colourNames[v]; ok {
		return n
	}
	if strings.HasPrefix(v, "#") && !strings.ContainsAny(v, " ,(") {
		if len(v) == 4 {
			return string([]byte{'#', v[1], v[1], v[2], v[2], v[3], v[3]})
		}
		return v
	}
	if strings.HasPrefix(v, "rgb(") && strings.HasSuffix(v, ")") {
		var hex strings.Builder
		hex.WriteString("#")
		for _, p := range strings.FieldsFunc(v[4:len(v)-1], func(r rune) bool { return r == ',' || r == ' ' }) {
			n, err := strconv.ParseUint(p, 10, 8)
			if err != nil {
				return ""
			}
			hex.WriteString(strconv.FormatUint(n>>4, 16) + strconv.FormatUint(n&15, 16))
		}
		return hex.String()
	}
	return ""
}
