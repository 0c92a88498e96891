package main

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// overlap counts what two multisets share.
type overlap struct{ both, got, want float64 }

func compare(want, got map[string]int) overlap {
	var o overlap
	for k, w := range want {
		o.want += float64(w)
		o.both += float64(min(w, got[k]))
	}
	for _, g := range got {
		o.got += float64(g)
	}
	return o
}

// precision and recall are 1 for two empty sets, and 0 when only the set they
// divide by is empty.
func (o overlap) precision() float64 { return ratio(o.both, o.got, o.want == 0) }
func (o overlap) recall() float64    { return ratio(o.both, o.want, o.got == 0) }
func (o overlap) f1() float64        { return ratio(2*o.both, o.got+o.want, true) }

func ratio(a, b float64, ifEmpty bool) float64 {
	switch {
	case b != 0:
		return a / b
	case ifEmpty:
		return 1
	}
	return 0
}

func harmonic(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

// score is what one page's markdown gets.
type score struct {
	words    overlap // bag of lower-case words, as WCXB publishes it
	shingles overlap // 4-grams, as article-extraction-benchmark publishes it
	snippets snippets
	shape    map[string]overlap // multisets of headings, code lines, cells, ...
}

// snippets counts the wanted and the unwanted ones that were found.
type snippets struct{ wanted, found, unwanted, slipped int }

func (p *page) score(markdown string) score {
	got := parseMarkdown(markdown, p.base)
	s := score{snippets: p.snippets(got.text)}
	if p.kind == kindSnippets {
		return s
	}
	splitSigns := p.kind != kindText // the published benchmarks of plain text do not
	s.words = compare(bag(words(p.want.text, true, splitSigns), 1), bag(words(got.text, true, splitSigns), 1))
	s.shingles = compare(bag(words(p.want.text, false, splitSigns), 4), bag(words(got.text, false, splitSigns), 4))
	if p.kind == kindText {
		return s
	}
	s.shape = map[string]overlap{}
	for _, f := range shapeNames {
		if len(p.want.sets[f]) > 0 {
			s.shape[f] = compare(p.want.sets[f], got.sets[f])
		}
	}
	return s
}

func (p *page) snippets(text string) snippets {
	fold := func(s string) string {
		s = strings.Join(strings.Fields(s), " ")
		if p.kind != kindSnippets {
			s = strings.ToLower(s)
		}
		return s
	}
	text = fold(text)
	count := func(list []string) int {
		n := 0
		for _, s := range list {
			if strings.Contains(text, fold(s)) {
				n++
			}
		}
		return n
	}
	return snippets{len(p.wanted), count(p.wanted), len(p.unwanted), count(p.unwanted)}
}

// bag counts the n-grams of a text; one with fewer words has one short n-gram.
func bag(words []string, n int) map[string]int {
	m := make(map[string]int, len(words))
	for i := 0; i < max(1, len(words)-n+1); i++ {
		if g := words[i:min(i+n, len(words))]; len(g) > 0 {
			m[strings.Join(g, " ")]++
		}
	}
	return m
}

// words splits text as the \w+ of the published scripts does: letters, numbers
// and underscores. With splitSigns each sign of an unspaced script is a word.
func words(s string, lower, splitSigns bool) []string {
	if lower {
		s = strings.ToLower(s)
	}
	isWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.N, r) }
	list := strings.FieldsFunc(s, func(r rune) bool { return !isWord(r) })
	if !splitSigns {
		return list
	}
	isSign := func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	}
	var split []string
	for _, w := range list {
		for w != "" {
			i := strings.IndexFunc(w, isSign)
			if i < 0 {
				split = append(split, w)
				break
			}
			if i > 0 {
				split = append(split, w[:i])
			}
			sign := []rune(w[i:])[0]
			split = append(split, string(sign))
			w = w[i+len(string(sign)):]
		}
	}
	return split
}

func parseSnippets(b []byte) (wanted, unwanted []string, err error) {
	var s struct{ With, Without []string }
	err = json.Unmarshal(b, &s)
	return slices.Clip(s.With), slices.Clip(s.Without), err
}
