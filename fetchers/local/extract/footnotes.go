package extract

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// keepFootnotes turns marks that lead to a note of the same page, and the
// notes, into markdown footnotes.
func (d *document) keepFootnotes(content *html.Node) {
	notes := map[string]*html.Node{}
	for _, n := range findAll(content, func(n *html.Node) bool { return attr(n, "id") != "" && isOne(n, atom.Li, atom.P, atom.Div, atom.Aside) }) {
		if !contains(n, isHeading) {
			notes[attr(n, "id")] = n
		}
	}
	labels := map[*html.Node]string{}
	taken := map[string]bool{}
	for _, a := range findAll(content, is(atom.A)) {
		id, ok := strings.CutPrefix(attr(a, "href"), "#")
		note := notes[id]
		mark := strings.Trim(shortText(a, 40), "[]() ")
		if !ok || note == nil || mark == "" || len(mark) > 8 || strings.ContainsAny(mark, " ^|`") || !isMark(a) || inside(a, note) {
			continue
		}
		if labels[note] == "" {
			for i := 2; taken[mark]; i++ {
				mark = strings.TrimRight(mark, "-0123456789") + "-" + strconv.Itoa(i)
			}
			taken[mark] = true
			labels[note] = mark
		}
		at := a
		if isOne(a.Parent, atom.Sup) && strings.Trim(shortText(a.Parent, 40), "[]() ") == mark {
			at = a.Parent
		}
		replace(at, d.inline("[^"+labels[note]+"]"))
	}
	for note, mark := range labels {
		list := note.Parent
		first := note
		if p := find(note, is(atom.P)); p != nil && p.Parent == note {
			first = p
		}
		first.InsertBefore(d.inline("[^"+mark+"]: "), first.FirstChild)
		if isOne(note, atom.Li) {
			rename(note, atom.Div)
		}
		if isOne(list, atom.Ol, atom.Ul) && find(list, is(atom.Li)) == nil {
			rename(list, atom.Div)
		}
	}
}

func isMark(a *html.Node) bool {
	return role(a) == "doc-noteref" || strings.Contains(attr(a, "class"), "footnote-ref") || within(a, is(atom.Sup)) || contains(a, is(atom.Sup))
}

func inside(n, ancestor *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == ancestor {
			return true
		}
	}
	return false
}
