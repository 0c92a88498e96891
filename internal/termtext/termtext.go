// Package termtext is responsible for what may leave for a digest or a
// terminal. Text that came from a page, a server or a file name passes through
// one of its functions on the way out: what could move a cursor, drive a
// terminal, reorder or hide text is gone afterwards. Files are never touched.
package termtext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns s as one line of visible text: as Text does, and with every run
// of white space folded into one space and none at either end.
func Line(s string) string {
	return strings.Join(strings.Fields(Text(s)), " ")
}

// Text returns s without control characters, escape sequences, bidi controls
// and invisible characters. Lines and tabs stay; every kind of line break
// becomes \n, and each run of bytes that are not UTF-8 becomes one U+FFFD.
// A joiner stays where it joins an emoji or shapes a script that needs it, and
// so does one variation selector after a visible character.
func Text(s string) string {
	return visible(plain(s))
}

// Exact returns s on one line with nothing dropped and no space folded, for
// paths and URLs, which are of no use when changed silently: what Text would
// remove stands as an escape such as \n or \u202e instead.
func Exact(s string) string {
	var b strings.Builder
	for i, n := 0, 0; i < len(s); i += n {
		r, size := utf8.DecodeRuneInString(s[i:])
		n = size
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case isBreak(r), r == '\t', unicode.IsControl(r), hidden(r):
			q := fmt.Sprintf("%+q", r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteString(s[i : i+size])
		}
	}
	return b.String()
}

// Cap returns s cut to at most n characters, the last of them … when
// something was cut. It never cuts inside a character.
func Cap(s string, n int) string {
	if n <= 0 {
		return ""
	}
	end, count := 0, 0 // end of the first n-1 characters
	for i := range s {
		if count == n-1 {
			end = i
		}
		if count == n {
			return strings.TrimRight(s[:end], " \u200c\u200d") + "…"
		}
		count++
	}
	return s
}

// plain returns s as valid UTF-8 whose only control characters are \n and \t:
// escape sequences are removed whole, other line breaks become \n.
func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
			for i++; i < len(s); i++ {
				if r, size := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size != 1 {
					break
				}
			}
			continue
		case r == '\r' && strings.HasPrefix(s[i+size:], "\n"):
		case isBreak(r):
			b.WriteByte('\n')
		case r == '\t' || !unicode.IsControl(r):
			b.WriteString(s[i : i+size])
		default:
			i += sequence(s[i:])
			continue
		}
		i += size
	}
	return b.String()
}

// isBreak reports whether r starts a new line for some reader of the digest.
func isBreak(r rune) bool {
	switch r {
	case '\n', '\v', '\f', '\r', '\u0085', '\u2028', '\u2029':
		return true
	}
	return false
}

const (
	bel = '\a'
	can = '\x18'
	sub = '\x1a'
	esc = '\x1b'
	st  = '\u009c' // ends a control string
)

// sequence is the length of the control character s starts with and of the
// escape sequence it introduces, both in the 7-bit form (ESC [) and in the
// 8-bit form (U+009B). A sequence that breaks off ends where a terminal would
// drop it.
func sequence(s string) int {
	intro, n := utf8.DecodeRuneInString(s)
	if intro == esc {
		if n == len(s) {
			return n
		}
		switch c := s[n]; {
		case c >= '@' && c <= '_':
			intro = rune(c) + 0x40
			n++
		default: // ESC, intermediates, final: a character set, a reset
			n += span(s[n:], ' ', '/')
			return n + min(1, span(s[n:], '0', '~'))
		}
	}
	switch intro {
	case '\u009b': // CSI
		n += span(s[n:], '0', '?')
		n += span(s[n:], ' ', '/')
		return n + min(1, span(s[n:], '@', '~'))
	case '\u0090', '\u0098', '\u009d', '\u009e', '\u009f': // DCS, SOS, OSC, PM, APC
		return n + controlString(s[n:])
	}
	return n
}

// controlString is how much of s belongs to a control string that started
// before it. One without an end swallows the rest of its line and no more.
// It never looks beyond the next control character, which keeps the whole
// linear on hostile text.
func controlString(s string) int {
	line := -1 // where the first line ends
	for i, r := range s {
		switch {
		case r == bel || r == can || r == sub || r == st:
			return i + utf8.RuneLen(r)
		case r == esc && strings.HasPrefix(s[i+1:], `\`):
			return i + 2
		case isBreak(r):
			if line < 0 {
				line = i
			}
		case r != '\t' && unicode.IsControl(r):
			if line < 0 {
				line = i
			}
			return line
		}
	}
	if line < 0 {
		return len(s)
	}
	return line
}

// span is the number of leading bytes of s between lo and hi.
func span(s string, lo, hi byte) int {
	n := 0
	for n < len(s) && s[n] >= lo && s[n] <= hi {
		n++
	}
	return n
}

// visible removes the characters that are not to be seen from s.
func visible(s string) string {
	var b strings.Builder
	prev := rune(' ') // the last one written
	for i, r := range s {
		switch {
		case hidden(r):
			continue
		case r == zwj || r == zwnj:
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if !joins(prev, r, next) {
				continue
			}
		case unicode.Is(unicode.Variation_Selector, r):
			if unicode.IsSpace(prev) || invisible(prev) {
				continue
			}
		}
		b.WriteRune(r)
		prev = r
	}
	return b.String()
}

const (
	zwnj = '\u200c'
	zwj  = '\u200d'
)

// hidden reports whether r is never to be seen: the controls of bidirectional
// text, zero-width and tag characters, fillers. Joiners and variation selectors
// depend on their neighbours and are not among them.
func hidden(r rune) bool {
	switch {
	case r == zwj, r == zwnj:
		return false
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

func invisible(r rune) bool {
	return r == zwj || r == zwnj || unicode.Is(unicode.Variation_Selector, r)
}

// joins reports whether the joiner j between prev and next does what joiners
// are for, and does not merely hide between other characters.
func joins(prev, j, next rune) bool {
	if unicode.In(prev, shaped...) {
		return true
	}
	return j == zwj && pictograph(prev) && pictograph(next)
}

// pictograph reports whether r is part of an emoji that may be joined to
// another.
func pictograph(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Variation_Selector) || r >= 0x1f3fb && r <= 0x1f3ff // skin tones
}

// shaped are the scripts in which joiners change how a word is written.
var shaped = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
	unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
	unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}
