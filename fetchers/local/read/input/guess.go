package input

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// weak is the confidence of what nothing contradicts and nothing supports.
const weak = 10

// guess names the charset that b looks most like, of those in which it reads
// like text; nil when none does.
func guess(b []byte) (encoding.Encoding, string) {
	found, err := chardet.NewTextDetector().DetectAll(b)
	if err != nil {
		return nil, ""
	}
	slices.SortFunc(found, func(a, b chardet.Result) int {
		return cmp.Or(b.Confidence-a.Confidence, strings.Compare(a.Charset, b.Charset))
	})
	western := mostlyASCII(b)
	for _, r := range found {
		enc, name := lookup(r.Charset)
		switch name {
		case "", UTF8, "utf-16le", "utf-16be":
			continue
		case "iso-8859-8", "iso-8859-8-i":
			enc, name = charmap.Windows1255, "windows-1255" // the same letters and more
		case "iso-8859-7":
			const iso, windows = 0xB6, 0xA2 // their Ά
			if bytes.IndexByte(b, iso) < 0 && bytes.IndexByte(b, windows) >= 0 {
				enc, name = charmap.Windows1253, "windows-1253"
			}
		case "iso-8859-2", "windows-1250", "windows-1254":
			if fewAccents(b) || readsAlike(enc, charmap.Windows1252, b) {
				continue // as likely French as Romanian
			}
		}
		if western && r.Confidence <= weak {
			continue
		}
		if text, err := enc.NewDecoder().String(string(b)); err == nil && plausible(text) {
			return enc, name
		}
	}
	return nil, ""
}

// fewAccents reports whether b has too little outside ASCII to tell one
// language of Latin letters from another.
func fewAccents(b []byte) bool {
	n := 0
	for _, c := range b {
		if c >= utf8.RuneSelf {
			n++
		}
	}
	return n < 3
}

// readsAlike reports whether b is the same text in both.
func readsAlike(x, y encoding.Encoding, b []byte) bool {
	s, _ := x.NewDecoder().Bytes(b)
	t, _ := y.NewDecoder().Bytes(b)
	return bytes.Equal(s, t)
}

// plausible reports whether s can be text: nothing in it is a control or
// unknown character of a wrong charset, and nine words in ten outside ASCII
// are words.
func plausible(s string) bool {
	// The first and the last character may be halves.
	inner := strings.TrimRight(strings.TrimLeft(s, "\uFFFD"), "\uFFFD")
	if strings.ContainsFunc(inner, func(r rune) bool {
		return r == unicode.ReplacementChar || r >= utf8.RuneSelf && r < 0xA0 || unicode.Is(unicode.Co, r)
	}) {
		return false
	}
	words, wrong := 0, 0
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) > utf8.RuneCountInString(w) {
			words++
			if !isWord(w) {
				wrong++
			}
		}
	}
	return wrong*10 <= words
}

// scripts are those of the charsets of single bytes.
var scripts = []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Hebrew, unicode.Arabic}

// isWord reports whether letters can stand together: of one script, no capital
// after a small letter, and no katakana of half the width beside others, as
// which Shift_JIS reads what is not Japanese.
func isWord(letters string) bool {
	var script *unicode.RangeTable
	small, half, full := false, false, false
	for _, r := range letters {
		if small && r >= utf8.RuneSelf && unicode.IsUpper(r) {
			return false
		}
		small = unicode.IsLower(r)
		if r >= 0xFF61 && r <= 0xFF9F {
			half = true
		} else {
			full = true
		}
		for _, s := range scripts {
			if !unicode.Is(s, r) {
				continue
			}
			if script != nil && script != s {
				return false
			}
			script = s
		}
	}
	return !half || !full
}
