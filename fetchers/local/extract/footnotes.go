package extract

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// keepFootnotes turns the marks of notes on the same page, and the notes, into
// markdown footnotes: marks that link to their note, and raised numbers whose
// notes are numbered alike.
func (d *document) keepFootnotes(content *html.Node) {
	f := footnotes{
		document: d, notes: findNotes(content), labels: map[*html.Node]string{}, taken: map[string]int{}, sources: map[string]bool{},
	}
	for _, a := range findAll(content, is(atom.A)) {
		f.keepLink(a)
	}
	f.keepNumbers(content)
	f.keepSidenotes(content)
	for note, label := range f.labels {
		f.define(note, label)
	}
}

type footnotes struct {
	*document
	notes   map[string]*html.Node // by the id that marks link to
	labels  map[*html.Node]string // of the notes that have a mark
	taken   map[string]int        // labels in use, with the last number added to each
	sources map[string]bool       // ids of marks, which notes link back to
}

// findNotes are the elements that may be notes, by id. An id may also stand on
// an empty element at the head of the note, or be only in the link with which
// the note begins: a note that leads to #_ftnref1 is #_ftn1.
func findNotes(content *html.Node) map[string]*html.Node {
	notes := map[string]*html.Node{}
	keep := func(id string, n *html.Node) {
		if id != "" && notes[id] == nil && isOne(n, atom.Li, atom.P, atom.Div, atom.Aside, atom.Dd) && !contains(n, isHeading) {
			notes[id] = n
		}
	}
	for _, n := range findAll(content, func(n *html.Node) bool { return attr(n, "id") != "" }) {
		keep(attr(n, "id"), n)
	}
	for _, n := range findAll(content, is(atom.A, atom.Span, atom.Sup)) {
		ids := []string{attr(n, "id")}
		if isOne(n, atom.A) {
			ids = append(ids, attr(n, "name"))
			if _, fragment, ok := strings.Cut(attr(n, "href"), "#"); ok && strings.Contains(fragment, "ref") {
				ids = append(ids, strings.Replace(fragment, "ref", "", 1))
			}
		}
		if strings.Join(ids, "") == "" {
			continue
		}
		if note := headOf(n); note != nil {
			for _, id := range ids {
				keep(id, note)
			}
		}
	}
	return notes
}

// headOf is the block that begins with n, nil when there is text before n.
func headOf(n *html.Node) *html.Node {
	for ; n != nil && !isBlock(n); n = n.Parent {
		for s := n.PrevSibling; s != nil; s = s.PrevSibling {
			if s.Type == html.ElementNode || strings.TrimSpace(s.Data) != "" {
				return nil
			}
		}
	}
	return n
}

// keepLink makes a a footnote mark when it leads to a note.
func (f *footnotes) keepLink(a *html.Node) {
	id, ok := strings.CutPrefix(attr(a, "href"), "#")
	note := f.notes[id]
	mark := strings.Trim(shortText(a, 40), "[]() ")
	if !ok || note == nil || mark == "" || len(mark) > 8 || strings.ContainsAny(mark, " ^|`") || inside(a, note) {
		return
	}
	if !isMark(a) && !(followsText(a) && begins(note, mark)) {
		return
	}
	at := a
	if isOne(a.Parent, atom.Sup) && strings.Trim(shortText(a.Parent, 40), "[]() ") == mark {
		at = a.Parent
	}
	if prev, next := at.PrevSibling, at.NextSibling; prev != nil && next != nil && prev.Type == html.TextNode && next.Type == html.TextNode &&
		strings.HasSuffix(prev.Data, "[") && strings.HasPrefix(next.Data, "]") {
		prev.Data, next.Data = strings.TrimSuffix(prev.Data, "["), strings.TrimPrefix(next.Data, "]")
	}
	for p := a; p != nil && !isBlock(p); p = p.Parent {
		if p.PrevSibling != nil {
			f.sources[attr(p.PrevSibling, "id")] = true
		}
		f.sources[attr(p, "id")] = true
	}
	walk(a, func(n *html.Node) bool {
		f.sources[attr(n, "id")] = true
		return true
	})
	f.mark(at, note, mark)
}

// mark puts the footnote mark for note in n's place.
func (f *footnotes) mark(n, note *html.Node, mark string) {
	if f.labels[note] == "" {
		plain := mark
		for f.taken[mark] > 0 {
			f.taken[plain]++
			mark = plain + "-" + strconv.Itoa(f.taken[plain])
		}
		f.taken[mark] = 1
		f.labels[note] = mark
	}
	replace(n, f.inline("[^"+f.labels[note]+"]"))
}

func isMark(a *html.Node) bool {
	class := strings.ToLower(attr(a, "class"))
	return role(a) == "doc-noteref" || strings.Contains(class, "footnote") || strings.Contains(class, "noteref") || within(a, is(atom.Sup)) || contains(a, is(atom.Sup))
}

// followsText reports whether n stands right behind a word or its punctuation.
func followsText(n *html.Node) bool {
	for ; n != nil && !isBlock(n); n = n.Parent {
		if s := n.PrevSibling; s != nil {
			t := textOf(s)
			last, _ := utf8.DecodeLastRuneInString(t)
			return t != "" && !unicode.IsSpace(last)
		}
	}
	return false
}

// begins reports whether note begins with its own mark.
func begins(note *html.Node, mark string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(strings.TrimSpace(headText(note, 40)), "[("), mark)
	return ok && rest != "" && strings.ContainsAny(rest[:1], ".)]: \n")
}

// keepNumbers makes raised numbers without a link footnote marks, where the
// page has a note for each.
func (f *footnotes) keepNumbers(content *html.Node) {
	notes := numberedNotes(content)
	for _, note := range notes {
		if f.labels[note] != "" {
			return // marks are links here
		}
	}
	numberOf := func(sup *html.Node) int {
		number, err := strconv.Atoi(strings.Trim(shortText(sup, 20), "[]() "))
		if note := notes[number]; err != nil || note == nil || inside(sup, note) || !followsText(sup) || contains(sup, is(atom.A)) || isPower(sup) {
			return 0
		}
		return number
	}
	marks := findAll(content, func(n *html.Node) bool { return n.DataAtom == atom.Sup && numberOf(n) > 0 })
	classed := slices.ContainsFunc(marks, func(n *html.Node) bool { return hasAttr(n, "class") })
	next := 1
	for _, sup := range marks {
		// What is out of turn or lacks the class of the others is a power.
		if number := numberOf(sup); number <= next && hasAttr(sup, "class") == classed {
			next = max(next, number+1)
			f.mark(sup, notes[number], strconv.Itoa(number))
		}
	}
}

// squared are what is raised to a power in prose.
var squared = set("m cm mm dm km nm µm μm ft in mi yd s x y z n r")

// isPower reports whether sup is the exponent of a unit or a variable.
func isPower(sup *html.Node) bool {
	if p := sup.PrevSibling; p != nil && p.Type == html.TextNode {
		words := strings.FieldsFunc(p.Data, func(r rune) bool { return !unicode.IsLetter(r) })
		return len(words) > 0 && strings.HasSuffix(p.Data, words[len(words)-1]) && squared[strings.ToLower(words[len(words)-1])]
	}
	return false
}

// numberedNotes are the notes of a page by their numbers: items of a list that
// is named as one of notes or stands in an aside with its own numbering, and
// paragraphs that begin with a raised number.
func numberedNotes(content *html.Node) map[int]*html.Node {
	notes := map[int]*html.Node{}
	for _, list := range findAll(content, is(atom.Ol)) {
		aside := isOne(list.Parent, atom.Aside) && hasAttr(list, "start")
		if !aside && !amongNotes(list) {
			continue
		}
		number := span(list, "start")
		for li := list.FirstChild; li != nil; li = li.NextSibling {
			if isOne(li, atom.Li) {
				if notes[number] == nil {
					notes[number] = li
				}
				number++
			}
		}
	}
	var loose []*html.Node // counted from 1 without a gap, or no notes
	counted := true
	for _, p := range findAll(content, is(atom.P)) {
		sup := find(p, is(atom.Sup))
		if sup == nil || headOf(sup) != p {
			continue
		}
		number, err := strconv.Atoi(strings.Trim(shortText(sup, 20), "[]() "))
		switch {
		case err != nil:
		case amongNotes(p):
			if notes[number] == nil {
				notes[number] = p
			}
		default:
			loose = append(loose, p)
			counted = counted && number == len(loose)
		}
	}
	if len(notes) == 0 && counted {
		for i, p := range loose {
			notes[i+1] = p
		}
	}
	return notes
}

// amongNotes reports whether n or an element close around it is named as the
// place of the notes.
func amongNotes(n *html.Node) bool {
	for i := 0; i < 4 && n != nil && !isOne(n, atom.Body, atom.Main, atom.Article); n, i = n.Parent, i+1 {
		if names := strings.ToLower(attr(n, "class") + " " + attr(n, "id")); strings.Contains(names, "footnote") || strings.Contains(names, "endnote") {
			return true
		}
	}
	return false
}

// sidenotes are what a note inside the text is called, which the page shows
// beside it.
var (
	sidenotes = set("sidenote marginnote margin-note side-note ltx_role_footnote")
	noteMarks = set("ltx_note_mark ltx_tag_note") // the note's number, said again inside of it
)

// keepSidenotes takes the notes out of the sentences they stand in and puts
// them behind the paragraph.
func (f *footnotes) keepSidenotes(content *html.Node) {
	last := map[*html.Node]*html.Node{} // the last note behind a paragraph
	free := 1                           // no number below is
	for _, n := range findAll(content, func(n *html.Node) bool { return isOne(n, atom.Span, atom.Small, atom.Aside) && hasClass(n, sidenotes) }) {
		block := n.Parent
		for block != nil && block != content && !isBlock(block) {
			block = block.Parent
		}
		if !isOne(block, atom.P) || strings.TrimSpace(textOf(n)) == "" {
			continue
		}
		note := element(atom.Div)
		adopt(note, n)
		mark := ""
		if sup := elementAt(note, 0); isOne(sup, atom.Sup) && headOf(sup) == note {
			mark = shortText(sup, 8)
		}
		for _, m := range findAll(note, func(m *html.Node) bool { return hasClass(m, noteMarks) }) {
			mark = shortText(m, 8)
			remove(m)
		}
		if p := n.PrevSibling; isOne(p, atom.Label, atom.Sup) {
			if t := shortText(p, 8); t != "" {
				mark = t
			}
			if textOf(p) == mark || strings.TrimSpace(textOf(p)) == "" {
				remove(p)
			}
		}
		if _, err := strconv.Atoi(mark); err != nil {
			for f.taken[strconv.Itoa(free)] > 0 {
				free++
			}
			mark = strconv.Itoa(free)
		}
		if last[block] == nil {
			last[block] = block
		}
		block.Parent.InsertBefore(note, last[block].NextSibling)
		last[block] = note
		f.mark(n, note, mark)
	}
}

// define makes note the definition of label.
func (f *footnotes) define(note *html.Node, label string) {
	list := note.Parent
	for _, a := range findAll(note, is(atom.A)) {
		fragment, back := "", false
		if _, fragment, back = strings.Cut(attr(a, "href"), "#"); back && fragment != "" && (f.sources[fragment] || headOf(a) == note && strings.Contains(fragment, "ref")) {
			remove(a)
		}
	}
	first := note
	for c := headBlock(first); c != nil; c = headBlock(c) {
		first = c
	}
	mark, _, _ := strings.Cut(label, "-")
	trimMark(first, mark)
	first.InsertBefore(text(" "), first.FirstChild)
	first.InsertBefore(f.inline("[^"+label+"]:"), first.FirstChild)
	if isOne(note, atom.Li) {
		rename(note, atom.Div)
	}
	if isOne(list, atom.Ol, atom.Ul) && find(list, is(atom.Li)) == nil {
		rename(list, atom.Div)
	}
}

// headBlock is the block that n begins with, nil when n begins with text.
func headBlock(n *html.Node) *html.Node {
	c := n.FirstChild
	for c != nil && c.Type == html.TextNode && strings.TrimSpace(c.Data) == "" {
		c = c.NextSibling
	}
	if isOne(c, atom.P, atom.Div, atom.Section) && strings.TrimSpace(textOf(c)) != "" {
		return c
	}
	return nil
}

// trimMark removes a note's own mark and the sign for the way back from its
// head.
func trimMark(note *html.Node, own string) {
	for _, mark := range []string{"↑", "^", own} {
		var head *html.Node
		walk(note, func(n *html.Node) bool {
			if head == nil && n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
				head = n
			}
			return head == nil
		})
		if head == nil {
			return
		}
		t := strings.TrimLeft(head.Data, " \t\n[(")
		rest, ok := strings.CutPrefix(t, mark)
		raised := within(head, is(atom.Sup))
		if ok && (mark != own || raised && strings.Trim(rest, " ])") == "" || rest != "" && strings.ContainsAny(rest[:1], ".)]:")) {
			head.Data = strings.TrimLeft(rest, " ])\n.:")
		}
	}
}

func inside(n, ancestor *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == ancestor {
			return true
		}
	}
	return false
}
