package extract

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/JohannesKaufmann/html-to-markdown/v2/marker"
)

// The converter escapes what could be markup anywhere, which nobody greps for.
// So the characters of aside pass it as code points of their own, asideFirst
// for the first, and unescape decides for each with the whole line in view.
const (
	aside      = "<>[]*_~\\`"
	asideFirst = '\uFDD2'
)

var asides = func() *strings.Replacer {
	var pairs []string
	for i, c := range []byte(aside) {
		pairs = append(pairs, string(rune(c)), string(asideFirst+rune(i)))
	}
	return strings.NewReplacer(pairs...)
}()

// isReserved reports whether r is a code point this package marks things with.
func isReserved(r rune) bool { return r >= 0xfdd0 && r <= 0xfdef }

// dropReserved removes from a page's own text what would pass for a mark.
func dropReserved(s string) string {
	if !strings.Contains(s, "\uFDD0"[:2]) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isReserved(r) {
			return -1
		}
		return r
	}, s)
}

// shown is the character r stands for, and whether it was set aside.
func shown(r rune) (rune, bool) {
	if i := int(r - asideFirst); i >= 0 && i < len(aside) {
		return rune(aside[i]), true
	}
	return r, false
}

// labelText is text as the label of a link or picture: on one line, its
// brackets escaped unless they pair up.
func labelText(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if bracketsPair(s) {
		return s
	}
	var sb strings.Builder
	for _, r := range s {
		if c, set := shown(r); set && (c == '[' || c == ']') {
			sb.WriteByte('\\')
			r = c
		}
		sb.WriteRune(r)
	}
	return sb.String()
}

// bracketsPair reports whether the brackets of a label's text pair up, no pair
// looking like a link of its own.
func bracketsPair(s string) bool {
	depth := 0
	var last rune
	for _, r := range s {
		c, set := shown(r)
		switch {
		case c == marker.MarkerEscaping:
			continue
		case last == ']' && c == '(':
			return false
		case set && c == '[':
			depth++
		case set && c == ']':
			depth--
		}
		if depth < 0 {
			return false
		}
		if last = 0; set {
			last = c
		}
	}
	return depth == 0
}

// numbered matches a paragraph the author numbered by hand. As an item of a
// list it reads the same, so the full stop needs no backslash.
var numbered = regexp.MustCompile(`^([ >-]*[0-9]+)\\([.)] )`)

// unescape puts the characters that were set aside back into the lines of one
// block of running text, with a backslash before those that a markdown reader
// would take for markup.
func unescape(lines []string) string {
	for i, l := range lines {
		if strings.Contains(l, `\`) {
			lines[i] = numbered.ReplaceAllString(l, "$1$2")
		}
	}
	s := strings.Join(lines, "\n")
	if !strings.Contains(s, string(asideFirst)[:2]) {
		return s
	}
	e := escaper{text: []rune(s)}
	return e.run()
}

// escaper writes one block of running text.
type escaper struct {
	text  []rune
	runs  [len(delimiters)]runs
	ticks int // runs of backticks
	out   strings.Builder
}

// delimiters are the characters that mark emphasis.
const delimiters = "*_~"

// runs is what a block holds of one delimiter.
type runs struct {
	lastClose int // behind the start of the last run that can end emphasis; 0: none
	own       int // behind the start of the converter's first
}

func (e *escaper) run() string {
	e.survey()
	e.out.Grow(len(e.text))
	start := e.lead(0)
	for i, n := 0, 1; i < len(e.text); i += n {
		c, set := shown(e.text[i])
		n = 1
		switch {
		case c == '\n':
			start = e.lead(i + 1)
		case !set:
		case strings.ContainsRune(delimiters, c):
			n = e.length(i)
			e.delimiter(i, n, i == start)
			continue
		case c == '`':
			n = e.length(i)
			escape := ""
			if e.ticks > 1 || i == start && n >= 3 {
				escape = `\`
			}
			e.out.WriteString(strings.Repeat(escape+"`", n))
			continue
		case c == '<' && e.isTag(i, i == start),
			c == '>' && i == start,
			c == ']' && e.at(i+1) == '(',
			c == ']' && e.at(i+1) == ':' && e.at(start) == '[',
			c == '\\' && (e.at(i+1) == '\n' || isPunct(e.at(i+1))):
			e.out.WriteByte('\\')
		}
		e.out.WriteRune(c)
	}
	return e.out.String()
}

// survey looks once for what decides about characters far from it.
func (e *escaper) survey() {
	for i, n := 0, 1; i < len(e.text); i += n {
		c, set := shown(e.text[i])
		n = 1
		switch c {
		case openRune:
			e.ticks++ // a code span, for all that is known here
		case '`':
			n = e.length(i)
			e.ticks++
		case '*', '_', '~':
			n = e.length(i)
			r := &e.runs[strings.IndexByte(delimiters, byte(c))]
			if e.closes(i, n) {
				r.lastClose = i + 1
			}
			if !set && r.own == 0 {
				r.own = i + 1
			}
		}
	}
}

// lead is where the text of the line at i starts, after the markers of the
// blocks it stands in.
func (e *escaper) lead(i int) int {
	for {
		k := i
		for e.at(k) >= '0' && e.at(k) <= '9' {
			k++
		}
		switch c := e.at(k); {
		case k > i && c != '.' && c != ')':
			return i
		case k == i && (c == ' ' || c == '>'):
		case k == i && c != '-' && c != '#':
			return i
		case c != ' ' && e.at(k+1) != ' ' && e.at(k+1) != '#':
			return i
		}
		if _, set := shown(e.text[k]); set {
			return i
		}
		i = k + 1
	}
}

// at is the character shown at i, a line break outside the text.
func (e *escaper) at(i int) rune {
	if i < 0 || i >= len(e.text) {
		return '\n'
	}
	c, _ := shown(e.text[i])
	return c
}

// length is that of the run of equal characters at i.
func (e *escaper) length(i int) int {
	n := 1
	for i+n < len(e.text) && e.text[i+n] == e.text[i] {
		n++
	}
	return n
}

// delimiter writes a run of one delimiter: escaped where it starts a list, a
// rule or a fence, or could find a partner.
func (e *escaper) delimiter(i, n int, start bool) {
	c := e.at(i)
	r := e.runs[strings.IndexByte(delimiters, byte(c))]
	escape := e.opens(i, n) && r.lastClose > i+1 || e.closes(i, n) && r.own > 0 && r.own <= i
	switch {
	case escape:
		e.out.WriteString(strings.Repeat(`\`+string(c), n))
		return
	case start && (n >= 3 || c != '~' && unicode.IsSpace(e.at(i+n))):
		e.out.WriteByte('\\')
	}
	e.out.WriteString(strings.Repeat(string(c), n))
}

// opens and closes are CommonMark's rules for the run of n delimiters at i.
func (e *escaper) opens(i, n int) bool {
	left, right := e.flanks(i, n)
	return left && (e.at(i) != '_' || !right || isPunct(e.at(i-1)))
}

func (e *escaper) closes(i, n int) bool {
	left, right := e.flanks(i, n)
	return right && (e.at(i) != '_' || !left || isPunct(e.at(i+n)))
}

func (e *escaper) flanks(i, n int) (left, right bool) {
	before, after := e.at(i-1), e.at(i+n)
	sb, sa, pb, pa := unicode.IsSpace(before), unicode.IsSpace(after), isPunct(before), isPunct(after)
	return !sa && (!pa || sb || pb), !sb && (!pb || sa || pa)
}

func isPunct(r rune) bool {
	return unicode.IsPunct(r) || unicode.IsSymbol(r) || isReserved(r)
}

// isTag reports whether the < at i could open a tag, a comment or an address.
func (e *escaper) isTag(i int, start bool) bool {
	i++
	switch c := e.at(i); {
	case c == '!' || c == '?':
		return true
	case c == '/':
		i++
	}
	if c := e.at(i); c > unicode.MaxASCII || !unicode.IsLetter(c) {
		return false
	}
	if start {
		return true
	}
	name := true
	for ; e.at(i) < utf8.RuneSelf && (unicode.IsLetter(e.at(i)) || unicode.IsDigit(e.at(i)) || strings.ContainsRune("-+._", e.at(i))); i++ {
		name = name && !strings.ContainsRune("+._", e.at(i))
	}
	switch c := e.at(i); {
	case c == ':' || c == '@':
	case name && (c == '>' || c == '/' || unicode.IsSpace(c)):
	default:
		return false
	}
	quoted := false
	for ; i < len(e.text); i++ {
		switch e.at(i) {
		case '>':
			return true
		case '<':
			return quoted
		case '"', '\'':
			quoted = true
		}
	}
	return false
}
