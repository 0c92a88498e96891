package native

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	addresses = regexp.MustCompile(`\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*|(?i:https?://)[^\s<>()]+`)
	tags      = regexp.MustCompile(`</?[A-Za-z][^<>]*>|<!--.*?-->`)
)

// words are the words of markdown in lower case, in their order: runs of
// letters and digits, and single characters of scripts that write without
// spaces. Addresses and HTML tags have none.
func words(markdown string) []string {
	markdown = tags.ReplaceAllString(addresses.ReplaceAllString(markdown, "]"), " ")
	var all []string
	start := -1
	for i, r := range markdown {
		single := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if start >= 0 && (single || !letter) {
			all = append(all, strings.ToLower(markdown[start:i]))
			start = -1
		}
		switch {
		case single:
			all = append(all, string(r))
		case letter && start < 0:
			start = i
		}
	}
	if start >= 0 {
		all = append(all, strings.ToLower(markdown[start:]))
	}
	return all
}

// mostly is the share of word pairs, from 0 to 1, that two documents must have
// in common, seen from either. Nearly all pages of documentation have it with
// their text as people mark it; of different pages of one site those alone that
// hold more of a frame than of their own. Pairs tell such pages apart better
// than words do.
const mostly = 0.7

// Same reports whether markdown is the same document as a page, of which the
// markdown made of it is given. What stands in only one of them, a menu or the
// folded part of a page, may be less than a third of it.
func Same(page, markdown string) bool {
	of, and := pairs(words(page)), pairs(words(markdown))
	if float64(min(len(of), len(and))) < mostly*float64(max(len(of), len(and))) {
		return false // not worth counting
	}
	return covered(of, and) >= mostly && covered(and, of) >= mostly
}

// pair is two words that follow each other.
type pair [2]string

func pairs(words []string) []pair {
	var all []pair
	for i := 1; i < len(words); i++ {
		all = append(all, pair{words[i-1], words[i]})
	}
	return all
}

// covered is the share of the pairs of a that are in b as well, each as often.
// It is 0 when there are none.
func covered(a, b []pair) float64 {
	if len(a) == 0 {
		return 0
	}
	have := map[pair]int{}
	for _, p := range b {
		have[p]++
	}
	n := 0
	for _, p := range a {
		if have[p] > 0 {
			have[p]--
			n++
		}
	}
	return float64(n) / float64(len(a))
}
