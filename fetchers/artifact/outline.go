package artifact

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"pifetch/fetchers"
)

// outliner finds the headings of markdown as it streams by: # and underlined
// ones outside code, HTML comments and front matter. It reads lines, not the
// whole grammar: headings within lists and quotes are not entries of an
// outline, and a paragraph of several lines is no heading.
type outliner struct {
	headings []fetchers.Heading

	line   []byte // the head of the current line
	n      int    // number of the current line, from 1
	front  frontMatter
	held   []string // lines that may be front matter
	below  bool     // front matter is over, or there is none
	fence  fence
	until  string // what ends the HTML block we are in
	para   string // the line before, when it alone is a paragraph
	inPara bool
}

// fence is an open code fence.
type fence struct {
	char   byte
	length int
	nested bool // opened within a list: it may be closed at any depth
}

// Outline is the outline that a body of this markdown has.
func Outline(markdown string) []fetchers.Heading {
	var o outliner
	o.write([]byte(markdown))
	return o.finish()
}

func (o *outliner) write(p []byte) {
	for len(p) > 0 && len(o.headings) < maxHeadings {
		line, rest, ended := bytes.Cut(p, []byte{'\n'})
		if room := maxLineBytes - len(o.line); room > 0 {
			o.line = append(o.line, line[:min(room, len(line))]...)
		}
		if ended {
			o.endLine()
		}
		p = rest
	}
}

// finish returns the headings once everything is written.
func (o *outliner) finish() []fetchers.Heading {
	if len(o.line) > 0 {
		o.endLine()
	}
	o.release()
	return o.headings
}

func (o *outliner) endLine() {
	line := strings.TrimRight(string(o.line), " \t\r")
	o.line = o.line[:0]
	if o.below {
		o.read(line)
		return
	}
	if len(o.held) == 0 {
		line = strings.TrimPrefix(line, "\uFEFF")
	}
	o.held = append(o.held, line)
	switch o.front.next(line) {
	case frontNone:
		o.release()
	case frontClosed:
		o.n, o.held, o.below = len(o.held), nil, true
	}
}

// release reads the lines that turned out to be no front matter.
func (o *outliner) release() {
	for _, line := range o.held {
		o.read(line)
	}
	o.held, o.below = nil, true
}

// read looks at a line without the white space at its end.
func (o *outliner) read(line string) {
	o.n++
	if o.until != "" {
		if strings.Contains(strings.ToLower(line), o.until) {
			o.until = ""
		}
		return
	}
	text := strings.TrimLeft(line, " \t")
	indented := isIndented(line)
	if o.fence.char != 0 {
		if o.fence.closedBy(text) && (o.fence.nested || !indented) {
			o.fence = fence{}
		}
		return
	}
	o.block(text, indented)
}

// block looks at a line outside code and HTML.
func (o *outliner) block(text string, indented bool) {
	para, inPara := o.para, o.inPara
	o.para, o.inPara = "", false
	switch {
	case text == "":
	case indented:
		o.inPara = inPara
	case para != "" && strings.Trim(text, "=") == "":
		o.add(o.n-1, 1, para)
	case para != "" && strings.Trim(text, "-") == "":
		o.add(o.n-1, 2, para)
	case o.atx(text):
	case o.openFence(text):
	case o.openHTML(text):
	case noParagraph.MatchString(text):
	default:
		o.inPara = true
		if !inPara {
			o.para = text
		}
	}
}

// noParagraph matches lists, quotes, tables, HTML, rules and link definitions.
var noParagraph = regexp.MustCompile(`^(?:[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)|[>|<]|[-*_][-*_ \t]*$|\[[^\]]+\]:)`)

// isIndented reports whether a line is indented as code is.
func isIndented(line string) bool {
	for i := range 4 {
		switch {
		case i >= len(line):
			return false
		case line[i] == '\t':
			return true
		case line[i] != ' ':
			return false
		}
	}
	return true
}

var closingHashes = regexp.MustCompile(`(^|[ \t]+)#+$`)

func (o *outliner) atx(text string) bool {
	rest := strings.TrimLeft(text, "#")
	level := len(text) - len(rest)
	if level < 1 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return false
	}
	o.add(o.n, level, closingHashes.ReplaceAllString(strings.TrimSpace(rest), ""))
	return true
}

var listMarker = regexp.MustCompile(`^(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)`)

func (o *outliner) openFence(text string) bool {
	nested := false
	for {
		marker := listMarker.FindString(text)
		if marker == "" {
			break
		}
		text, nested = text[len(marker):], true
	}
	if text == "" || text[0] != '`' && text[0] != '~' {
		return false
	}
	rest := strings.TrimLeft(text, text[:1])
	length := len(text) - len(rest)
	if length < 3 || text[0] == '`' && strings.Contains(rest, "`") {
		return false
	}
	o.fence = fence{char: text[0], length: length, nested: nested}
	return true
}

func (f fence) closedBy(text string) bool {
	return len(text) >= f.length && strings.Trim(text, string(f.char)) == ""
}

var htmlBlock = regexp.MustCompile(`(?i)^<(?:(!--)|(pre|script|style|textarea)(?:[ \t>]|$))`)

func (o *outliner) openHTML(text string) bool {
	m := htmlBlock.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	end := "-->"
	if m[1] == "" {
		end = "</" + strings.ToLower(m[2]) + ">"
	}
	if !strings.Contains(strings.ToLower(text), end) {
		o.until = end
	}
	return true
}

func (o *outliner) add(line, level int, text string) {
	text = plain(text)
	if utf8.RuneCountInString(text) > maxHeadingRunes {
		text = strings.TrimSpace(string([]rune(text)[:maxHeadingRunes-1])) + "…"
	}
	if text != "" && len(o.headings) < maxHeadings {
		o.headings = append(o.headings, fetchers.Heading{Line: line, Level: level, Text: text})
	}
}

var (
	codeOrEscape = regexp.MustCompile("``([^`].*?)``|`([^`]+)`|\\\\([!-/:-@\\[-`{-~])")
	headingID    = regexp.MustCompile(`\s*\{#[^{}]*\}$`)
	image        = regexp.MustCompile(`!\[([^\[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])`)
	link         = regexp.MustCompile(`\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^\[\]]*\])`)
	autolink     = regexp.MustCompile(`<([A-Za-z][A-Za-z0-9+.-]*:[^<>\s]*|[^<>\s@]+@[^<>\s@]+)>`)
	tag          = regexp.MustCompile(`</?[A-Za-z][^<>]*>|<!--.*?-->`)
	emphasis     = []*regexp.Regexp{
		regexp.MustCompile(`\*\*(\S|\S.*?\S)\*\*`),
		regexp.MustCompile(`\*(\S|\S.*?\S)\*`),
		regexp.MustCompile(`\b__(\S|\S.*?\S)__\b`),
		regexp.MustCompile(`\b_(\S|\S.*?\S)_\b`),
		regexp.MustCompile(`~~(\S|\S.*?\S)~~`),
	}
)

// plain is the text of a line of markdown as a reader sees it.
func plain(s string) string {
	s = headingID.ReplaceAllString(strings.ToValidUTF8(s, ""), "")

	// Code and escaped characters are taken out while the rest is cleaned.
	var kept []string
	s = strings.NewReplacer("\x01", "", "\x02", "").Replace(s)
	s = codeOrEscape.ReplaceAllStringFunc(s, func(m string) string {
		if m[0] == '\\' {
			m = m[1:]
		} else {
			m = strings.TrimSpace(strings.Trim(m, "`"))
		}
		kept = append(kept, m)
		return fmt.Sprintf("\x01%d\x02", len(kept)-1)
	})

	s = image.ReplaceAllString(s, "$1")
	s = link.ReplaceAllStringFunc(s, func(m string) string {
		text := link.FindStringSubmatch(m)[1]
		switch strings.TrimSpace(text) {
		case "#", "¶", "§", "🔗": // a heading's link to itself
			return ""
		}
		return text
	})
	s = autolink.ReplaceAllString(s, "$1")
	s = tag.ReplaceAllString(s, "")
	for _, e := range emphasis {
		s = e.ReplaceAllString(s, "$1")
	}
	s = strings.TrimSuffix(html.UnescapeString(s), "¶")

	for i, k := range kept {
		s = strings.Replace(s, fmt.Sprintf("\x01%d\x02", i), k, 1)
	}
	return strings.Join(strings.Fields(s), " ")
}
