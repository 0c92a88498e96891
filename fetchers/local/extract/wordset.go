package extract

import (
	"math/bits"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// wordSet is a set of words of a vocabulary, by their number.
type wordSet [(400 + 63) / 64]uint64

func (s *wordSet) add(i int) { s[i/64] |= 1 << (i % 64) }

func (s wordSet) union(o wordSet) wordSet {
	for i := range s {
		s[i] |= o[i]
	}
	return s
}

func (s wordSet) each(f func(int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(i*64 + bits.TrailingZeros64(w))
		}
	}
}

// maxName bounds the length of an attribute that is read for words: a longer
// one is generated.
const maxName = 400

// namesOf are the nameWords in an element's names.
func namesOf(n *html.Node) wordSet {
	var s wordSet
	for _, a := range n.Attr {
		switch a.Key {
		case "class", "id", "role", "itemprop", "data-testid", "aria-label":
		default:
			continue
		}
		if len(a.Val) > maxName {
			continue
		}
		for _, w := range nameParts(a.Val) {
			if i, ok := nameIndex[w]; ok {
				s.add(i)
			}
		}
	}
	return s
}

// nameParts are the lower-cased words of a name: letters up to a change from
// lower to upper case or to anything else.
func nameParts(name string) []string {
	var parts []string
	start, prev := 0, rune(0)
	cut := func(end int) {
		if end > start {
			parts = append(parts, strings.ToLower(name[start:end]))
		}
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r):
			cut(i)
			start = i + len(string(r))
		case unicode.IsUpper(r) && unicode.IsLower(prev):
			cut(i)
			start = i
		}
		prev = r
	}
	cut(len(name))
	return parts
}

// maxLabel is the number of words up to which a block is read as a label.
const maxLabel = 12

// labelsOf are the labelWords of a short block.
func labelsOf(words []string) wordSet {
	var s wordSet
	if len(words) <= maxLabel {
		for _, w := range words {
			if i, ok := labelIndex[w]; ok {
				s.add(i)
			}
		}
	}
	return s
}
