package pdf

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"pifetch/internal/termtext"
)

// pageOverhead is at least what stands around the text of a page.
const pageOverhead = 32

// writer makes markdown of the pages of one document, in order.
type writer struct {
	compounds map[string]bool // words with a hyphen met so far, in lower case
}

// page fills p with the text pdfium found and the headings that begin on the
// page.
func (w *writer) page(p *page, raw string, headings []bookmark) {
	text := w.clean(raw)
	for _, r := range text {
		if !unicode.IsSpace(r) {
			p.Chars++
		}
		if r == utf8.RuneError {
			p.Unknown++
		}
	}
	lines := strings.Split(text, "\n")
	var b strings.Builder
	b.Grow(len(text) + len(text)/16)
	at, blank := 0, false
	until := func(end int) {
		for ; at < end; at++ {
			b.WriteString(escape(lines[at]) + "\n")
			blank = false
		}
	}
	for _, h := range place(lines, headings) {
		until(h.at)
		if at > 0 && !blank {
			b.WriteByte('\n')
		}
		b.WriteString(strings.Repeat("#", h.level) + " " + h.text + "\n\n")
		blank = true
		at += h.lines
	}
	until(len(lines))
	p.Text = strings.TrimRight(b.String(), "\n")
}

// The characters pdfium puts in place of the hyphen where it joins a word
// that was divided at the end of a line.
const divided = "\ufffe\u0002"

// clean returns pdfium's text of a page as lines of visible characters.
func (w *writer) clean(raw string) string {
	raw = strings.ReplaceAll(raw, "\r\n", "\n")
	raw = strings.Map(func(r rune) rune {
		switch r {
		case '\r', '\v', '\f', '\u0085': // glyphs without a meaning, and no line ends here
			return -1
		case '\uf0b7': // how Symbol and Wingdings set their list marks
			return '•'
		case '\uf0a7':
			return '▪'
		case '\u00a0':
			return ' '
		}
		return r
	}, raw)
	raw = w.join(raw)
	raw = unknownRun().ReplaceAllString(raw, "\ufffd")
	lines := strings.Split(termtext.Text(raw), "\n")
	kept := lines[:0]
	for _, l := range lines {
		if l = strings.TrimRight(l, " \t"); strings.TrimSpace(l) != "" {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

var (
	unknownRun = lazy("\ufffd{2,}")
	compound   = lazy(`\pL+-\pL+`)
)

// join puts together the words that were divided at the end of a line. The
// hyphen stays where the word has one elsewhere in the document, and where a
// capital or anything but a letter follows.
func (w *writer) join(s string) string {
	if w.compounds == nil {
		w.compounds = map[string]bool{}
	}
	for _, c := range compound().FindAllString(s, -1) {
		if len(w.compounds) < maxCompounds {
			w.compounds[strings.ToLower(c)] = true
		}
	}
	at := strings.IndexAny(s, divided)
	if at < 0 {
		return s
	}
	var b strings.Builder
	for ; at >= 0; at = strings.IndexAny(s, divided) {
		_, size := utf8.DecodeRuneInString(s[at:])
		before, after := s[:at], s[at+size:]
		b.WriteString(before)
		if w.hyphen(before, after) {
			b.WriteByte('-')
		}
		s = after
	}
	b.WriteString(s)
	return b.String()
}

// hyphen reports whether the word divided between before and after is written
// with a hyphen.
func (w *writer) hyphen(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	next, size := utf8.DecodeRuneInString(after)
	if !unicode.IsLetter(last) || !unicode.IsLetter(next) {
		return true
	}
	if unicode.IsUpper(next) {
		second, _ := utf8.DecodeRuneInString(after[size:])
		if unicode.IsLower(last) || unicode.IsLower(second) {
			return true
		}
	}
	return w.compounds[strings.ToLower(lastWord(before)+"-"+firstWord(after))]
}

func lastWord(s string) string {
	s = s[max(0, len(s)-64):]
	return s[len(strings.TrimRightFunc(s, unicode.IsLetter)):]
}

func firstWord(s string) string {
	s = s[:min(len(s), 64)]
	return s[:len(s)-len(strings.TrimLeftFunc(s, unicode.IsLetter))]
}

// special matches what would make markdown of a line that is none: headings,
// underlines of headings, fences, and HTML that hides what follows.
var special = lazy("(?i)^(\\s*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)*)(#{1,6}(?:[ \\t]|$)|=+$|-+$|```|~~~|<(?:!|\\?|(?:pre|script|style|textarea)(?:[ \\t>]|$)))")

// escape returns a line of text as it stands in markdown.
func escape(l string) string {
	return special().ReplaceAllString(l, `$1\$2`)
}

// lazy compiles an expression when it is first used: in the child, while the
// daemon links this package and need not pay for it.
func lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// line is text for one line of a digest or a heading.
func line(s string) string { return termtext.Cap(termtext.Line(s), maxTitle) }

// sensible returns the title in a document's metadata, or "" when it is what a
// program put there in place of one.
func sensible(title string) string {
	title = line(title)
	if notTitle().MatchString(title) || strings.IndexFunc(title, unicode.IsLetter) < 0 ||
		strings.ContainsRune(title, utf8.RuneError) {
		return ""
	}
	return title
}

var notTitle = lazy(`(?i)^(?:untitled|unbenannt|sans titre|document|title|(?:slide|page) ?\d*|microsoft (?:word|powerpoint|excel) - .*|https?://.*|about:blank|\S*\.(?:pdf|docx?|dotx?|pptx?|xlsx?|od[tpsg]|rtf|txt|tex|dvi|ps|eps|indd|qxd|fm|pmd|pub|html?|xml|md|jpe?g|png|tiff?))\d*$`)
