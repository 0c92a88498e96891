package native

import (
	"net/url"
	"regexp"
	"strings"
)

// absoluteLinks makes the addresses of links and pictures absolute and leaves
// every other byte alone. It reads lines, not the whole grammar, and takes what
// may be code for code: addresses there stay as they are.
func absoluteLinks(markdown string, base *url.URL) string {
	var out, prose strings.Builder
	flush := func() {
		rewrite(&out, prose.String(), base)
		prose.Reset()
	}
	var s scanner
	for line := range strings.Lines(markdown) {
		if s.isCode(line) {
			flush()
			out.WriteString(line)
			continue
		}
		prose.WriteString(line)
		if strings.TrimSpace(line) == "" {
			flush() // code spans end with their paragraph
		}
	}
	flush()
	return out.String()
}

// scanner tells code blocks from prose, line by line.
type scanner struct {
	fence  string // that opened the block we are in, "" outside
	nested bool   // it was opened in a list: it may be closed at any depth
	quoted bool   // it was opened in a quote, with which it ends
	list   bool   // indented lines belong to a list
	indent bool   // the line before was indented code
	blank  bool   // or there was nothing on it
	inside bool   // there was a line before
	until  string // what ends the HTML block we are in, "" outside
}

var (
	listMarker = regexp.MustCompile(`^(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)`)
	openHTML   = regexp.MustCompile(`(?i)^<(?:(!--)|(pre|script|style|textarea)(?:[ \t>]|$))`)
	openFence  = regexp.MustCompile("^(`{3,}[^`]*$|~{3,})")
)

// isCode reports whether a line is part of a code block, of its fence, or of
// HTML that holds no markdown.
func (s *scanner) isCode(line string) bool {
	if s.until != "" {
		if strings.Contains(strings.ToLower(line), s.until) {
			s.until = ""
		}
		return true
	}
	line = strings.TrimRight(line, " \t\r\n")
	text := strings.TrimLeft(line, " \t")
	indent := columns(line[:len(line)-len(text)])
	quoted := strings.HasPrefix(text, ">")
	if quoted {
		text = strings.TrimLeft(text, "> \t")
	}
	blank, indented := s.blank || !s.inside, s.indent
	s.blank, s.indent, s.inside = text == "", false, true

	if s.fence != "" && (!s.quoted || quoted) {
		mark := s.fence[:1]
		if len(text) >= len(s.fence) && strings.Trim(text, mark) == "" && (s.nested || indent < 4) {
			s.fence = ""
		}
		return true
	}
	s.fence = ""
	if text == "" {
		s.indent = indented
		return indented
	}

	marked := false
	for m := listMarker.FindString(text); m != "" && text != m; m = listMarker.FindString(text) {
		text, marked = text[len(m):], true
	}
	// Code within a list is indented further than a list is deep, as a rule.
	if limit := 4; !quoted && !marked && (blank || indented) {
		if s.list {
			limit = 8
		}
		if indent >= limit {
			s.indent = true
			return true
		}
	}
	if marked {
		s.list = true
	} else if blank && indent == 0 {
		s.list = false
	}
	if m := openHTML.FindStringSubmatch(text); m != nil {
		end := "-->"
		if m[1] == "" {
			end = "</" + strings.ToLower(m[2]) + ">"
		}
		if !strings.Contains(strings.ToLower(text), end) {
			s.until = end
		}
		return true
	}
	if m := openFence.FindString(text); m != "" {
		s.fence = m[:len(m)-len(strings.TrimLeft(m, m[:1]))]
		s.nested, s.quoted = marked || s.list || indent > 0, quoted
		return true
	}
	return false
}

// columns is the width of white space at the head of a line.
func columns(space string) int {
	n := 0
	for _, c := range space {
		if n++; c == '\t' {
			n = (n + 3) / 4 * 4
		}
	}
	return n
}

var (
	// destination matches what follows the text of an inline link.
	destination = regexp.MustCompile(`^\]\([ \t]*(<[^<>\n]*>|(?:[^\s()<>\\]|\([^\s()<>\\]*\))+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)`)

	// definition matches the head of a link reference, and no footnote.
	definition = regexp.MustCompile(`^ {0,3}\[[^\]\[^][^\]\[]*\]:[ \t]*(<[^<>\n]*>|[^\s<>\\]+)[ \t]*(?:["'(].*)?\r?(?:\n|$)`)

	tag     = regexp.MustCompile(`^<(?:a|img)\s[^<>]*>`)
	tagLink = regexp.MustCompile(`\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
)

// rewrite writes prose with absolute addresses.
func rewrite(out *strings.Builder, prose string, base *url.URL) {
	resolve := func(s string, from, to int) {
		out.WriteString(s[:from])
		out.WriteString(absolute(s[from:to], base))
		out.WriteString(s[to:])
	}
	for i, lineStart := 0, true; i < len(prose); {
		rest := prose[i:]
		if lineStart {
			lineStart = false
			if m := definition.FindStringSubmatchIndex(rest); m != nil {
				resolve(rest[:m[3]], m[2], m[3])
				i += m[3]
				continue
			}
		}
		next := 1
		switch rest[0] {
		case '\n':
			lineStart = true
		case '\\':
			next = min(2, len(rest))
			lineStart = strings.HasSuffix(rest[:next], "\n")
		case '`':
			next = span(rest)
		case ']':
			if m := destination.FindStringSubmatchIndex(rest); m != nil {
				resolve(rest[:m[3]], m[2], m[3])
				i += m[3]
				continue
			}
		case '<':
			if m := tag.FindString(rest); m != "" {
				if at := tagLink.FindStringSubmatchIndex(m); at != nil {
					from, to := max(at[2], at[4]), max(at[3], at[5])
					resolve(m, from, to)
					i += len(m)
					continue
				}
			}
		}
		out.WriteString(rest[:next])
		i += next
	}
}

// maxSpan is how far the end of a code span is looked for, in bytes.
const maxSpan = 16 << 10

// span is the length of the code span at the head of s, or of its backticks
// when nothing closes it.
func span(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	s = s[:min(len(s), n+maxSpan)]
	for i := n; i < len(s); {
		at := strings.IndexByte(s[i:], '`')
		if at < 0 {
			break
		}
		i += at
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if i += run; run == n {
			return i
		}
	}
	return n
}

var hasScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// absolute resolves the address of a link. What leads within the document, is
// absolute or cannot be told, as with the placeholder of a template, stays.
func absolute(address string, base *url.URL) string {
	bare, bracketed := strings.CutPrefix(address, "<")
	bare = strings.TrimSuffix(bare, ">")
	switch {
	case base == nil, bare == "", bare[0] == '#', hasScheme.MatchString(bare), strings.ContainsAny(bare, "{}\\"):
		return address
	}
	u, err := base.Parse(strings.ReplaceAll(bare, " ", "%20"))
	if err != nil {
		return address
	}
	if bracketed {
		return "<" + u.String() + ">"
	}
	return u.String()
}
