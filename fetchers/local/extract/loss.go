package extract

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Loss says how much of what the page shows is in the markdown. It compares
// words, so it does not depend on how the content was chosen or laid out.
// Where the same words stand elsewhere in the markdown it takes them for
// arrived: what it calls lost is lost.
type Loss struct {
	// Text counts the characters of words outside navigation: landmarks other
	// than main (nav, header without h1, footer, aside), what is named like
	// them, and links of a word or two on a line of their own.
	Text Share

	// Code counts the lines of code blocks wherever they stand. Rows and
	// Headings count those of tables and headings outside navigation.
	Code, Rows, Headings Share
}

// Share is how many of the page's things arrived.
type Share struct{ Page, Kept int }

func (s Share) lost() int { return s.Page - s.Kept }

func (s Share) of(things string) string { return fmt.Sprintf("%d of %d %s", s.Kept, s.Page, things) }

// notable reports whether at least min things are lost, and more than part of
// them.
func (s Share) notable(min int, part float64) bool {
	return s.lost() >= min && float64(s.lost()) > part*float64(s.Page)
}

// Fact is what of the loss a reader has to know, "" when that is nothing. Text
// is told below two thirds: many pages lose comments, forms and teasers on
// purpose, which is less. Headings go with the text under them.
func (l Loss) Fact() string {
	var parts []string
	if l.Text.notable(100, 1./3) {
		parts = append(parts, fmt.Sprintf("%d %% of visible text outside navigation", 100*l.Text.Kept/l.Text.Page))
		if l.Headings.notable(3, 0.5) {
			parts = append(parts, l.Headings.of("headings"))
		}
	}
	if l.Code.notable(3, 0.05) {
		parts = append(parts, l.Code.of("code lines"))
	}
	if l.Rows.notable(3, 0.1) {
		parts = append(parts, l.Rows.of("table rows"))
	}
	if len(parts) == 0 {
		return ""
	}
	return "extracted " + strings.Join(parts, ", ")
}

// inventory is what a page shows.
type inventory struct {
	text                 []string   // words outside navigation
	code, rows, headings [][]string // each as its words; a line of code without a word is one of none
}

// takeInventory counts what body shows once hidden text is gone. It leaves the
// tree as it is.
func (d *document) takeInventory(body *html.Node) inventory {
	t := &taker{d: d, size: measure(body), said: map[string]bool{}}
	t.total = t.size[body].text
	t.visit(body, place{})
	t.endRun()
	return t.inventory
}

// taker takes an inventory. The run is the text since the last line break.
type taker struct {
	inventory
	d     *document
	size  map[*html.Node]metrics
	total int // characters of the page

	said        map[string]bool // lines taken
	run         []string
	chars, link int // of the run, and of its links
}

// place is what a node stands in.
type place struct{ navigation, link bool }

func (t *taker) visit(n *html.Node, p place) {
	switch {
	case n.Type == html.TextNode:
		t.add(n.Data, p)
		return
	case n.Type == html.ElementNode:
		if n.DataAtom == atom.Input || isControl(n) || isGutter(n) {
			return
		}
		switch {
		case n.Data == inlineTag, n.Data == blockTag:
			t.add(t.d.rawOf(n).text, p)
			return
		case isCodeBlock(n):
			t.endRun()
			src := codeText(n)
			t.code = append(t.code, lines(src)...)
			t.add(src, p)
			t.endRun()
			return
		}
		p.link = p.link || n.DataAtom == atom.A
		p.navigation = p.navigation || t.isNavigation(n)
		if p.navigation {
			break
		}
		if isHeading(n) {
			t.headings = t.unit(t.headings, n)
		}
		if isOne(n, atom.Table) {
			t.table(n)
		}
	}
	breaks := isBlock(n) || isOne(n, atom.Br)
	if breaks {
		t.endRun()
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		t.visit(c, p)
	}
	if breaks {
		t.endRun()
	}
}

func (t *taker) add(s string, p place) {
	if p.navigation {
		return
	}
	for w := range words(s) {
		n := utf8.RuneCountInString(w)
		t.run = append(t.run, w)
		t.chars += n
		if p.link {
			t.link += n
		}
	}
}

// menuEntry is the number of characters below which a line that is a link is
// an entry of a menu.
const menuEntry = 20

// endRun takes the run, unless it is an entry of a menu or was there before.
func (t *taker) endRun() {
	if t.chars >= menuEntry || t.link*5 < t.chars*4 {
		line := strings.Join(t.run, " ")
		if len(t.run) < repeatedText || !t.said[line] {
			t.text = append(t.text, t.run...)
		}
		t.said[line] = true
	}
	t.run, t.chars, t.link = t.run[:0], 0, 0
}

// navigationNames are words in the class or id of what frames a page or leads
// away from it.
var navigationNames = set("footer sidebar menu nav navbar navheader navfooter navigation breadcrumb breadcrumbs newsletter cookie cookies related share social")

// isNavigation reports whether n is navigation or another part of the frame.
// A name is believed for up to a third of the page.
func (t *taker) isNavigation(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Aside, atom.Menu:
		return true
	case atom.Header:
		return !hasTitle(n)
	}
	switch role(n) {
	case "navigation", "search", "menubar", "menu", "contentinfo", "banner", "complementary":
		return true
	}
	if t.size[n].text*3 > t.total {
		return false
	}
	for w := range strings.FieldsFuncSeq(attr(n, "class")+" "+attr(n, "id"), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if navigationNames[strings.ToLower(w)] {
			return true
		}
	}
	return false
}

// table takes the rows of a table that relates things. Rows of one cell and
// those with a table inside are layout.
func (t *taker) table(n *html.Node) {
	g := readGrid(n)
	if g.isLayout() {
		return
	}
	for _, r := range g.rows {
		if len(r.cells) < 2 || contains(r.tr, isCode) {
			continue
		}
		t.rows = t.unit(t.rows, r.tr)
	}
}

func isCode(n *html.Node) bool { return isCodeBlock(n) || hasClass(n, codeCells) }

// lines are the words of each line of src that is not blank.
func lines(src string) [][]string {
	var all [][]string
	for l := range strings.Lines(src) {
		if strings.TrimSpace(l) == "" {
			continue
		}
		all = append(all, slices.Collect(words(l)))
	}
	return all
}

// words are the runs of letters and digits in s.
func words(s string) iter.Seq[string] {
	return strings.FieldsFuncSeq(cleanProse(s), func(r rune) bool { return !isWord(r) })
}

// unit adds the words a reader sees in n, where there are any.
func (t *taker) unit(units [][]string, n *html.Node) [][]string {
	var all []string
	walk(n, func(n *html.Node) bool {
		s := ""
		switch {
		case n.Type == html.TextNode:
			s = n.Data
		case n.Type == html.ElementNode && (n.DataAtom == atom.Input || isControl(n)):
			return false
		case n.Data == inlineTag || n.Data == blockTag:
			s = t.d.rawOf(n).text
		}
		all = slices.AppendSeq(all, words(s))
		return true
	})
	if len(all) == 0 {
		return units
	}
	return append(units, all)
}

// loss compares what was on the page with the prepared content and the title
// that is delivered beside it.
func (d *document) loss(page inventory, content *html.Node, title string) Loss {
	text, code := bag{}, bag{}
	text.put(title)
	walk(content, func(n *html.Node) bool {
		switch {
		case n.Type == html.TextNode:
			text.put(n.Data)
		case n.Data == inlineTag || n.Data == blockTag:
			text.put(d.rawOf(n).text)
			code.put(d.rawOf(n).text)
		}
		return true
	})
	return Loss{
		Text:     text.characters(page.text),
		Code:     code.units(page.code),
		Rows:     text.units(page.rows),
		Headings: text.units(page.headings),
	}
}

// bag counts words.
type bag map[string]int

func (b bag) put(s string) {
	for w := range words(s) {
		b[w]++
	}
}

// characters is the share of the characters of ws that b has, each word as
// often as it is there.
func (b bag) characters(ws []string) Share {
	var s Share
	used := bag{}
	for _, w := range ws {
		n := utf8.RuneCountInString(w)
		s.Page += n
		if used[w] < b[w] {
			used[w]++
			s.Kept += n
		}
	}
	return s
}

// units is the share of us that b has nearly all words of. One without words
// goes with the one before it.
func (b bag) units(us [][]string) Share {
	s := Share{Page: len(us)}
	used := bag{}
	kept := true
	for _, u := range us {
		all, found := 0, 0
		for _, w := range u {
			n := utf8.RuneCountInString(w)
			all += n
			if used[w] < b[w] {
				used[w]++
				found += n
			}
		}
		if all > 0 {
			kept = found*5 >= all*4
		}
		if kept {
			s.Kept++
		}
	}
	return s
}
