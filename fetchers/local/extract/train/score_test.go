package main

import (
	"maps"
	"math"
	"net/url"
	"slices"
	"testing"
)

var base = &url.URL{Scheme: "https", Host: "site.test", Path: "/dir/page"}

func TestScoreOfText(t *testing.T) {
	p := &page{kind: kindText, base: base, want: &parsed{text: "One two three four five."}, wanted: []string{"Two  three"}, unwanted: []string{"menu", "footer"}}
	s := p.score("# Menu\n\none two **three** four\n")
	if s.words != (overlap{both: 4, got: 5, want: 5}) {
		t.Errorf("words: %+v", s.words)
	}
	// Case counts in shingles: "One two three four" is not in the result.
	if s.shingles != (overlap{both: 0, got: 2, want: 2}) {
		t.Errorf("shingles: %+v", s.shingles)
	}
	if s.snippets != (snippets{wanted: 1, found: 1, unwanted: 2, slipped: 1}) {
		t.Errorf("snippets: %+v", s.snippets)
	}
}

func TestScoreOfStructure(t *testing.T) {
	src := "# Title #\n\n- [a](b?q=1)\n- two\n  - three\n\n| x | y |\n|---|---|\n| 1 | |\n\n```go\nfunc\n\n  f()\n```\n\n![Alt text](/i.png)\n"
	p := parseMarkdown(src, base)
	for set, want := range map[string]map[string]int{
		"headings": {"# title": 1}, "titles": {"title": 1}, "items": {"a": 1, "two": 1, "three": 1},
		"cells": {"x": 1, "y": 1, "1": 1}, "code": {"func": 1, "f()": 1}, "lang": {"go": 1},
		"links": {"https://site.test/dir/b?q=1": 1}, "images": {"https://site.test/i.png": 1}, "alts": {"alt text": 1},
	} {
		if !maps.Equal(p.sets[set], want) {
			t.Errorf("%s: got %v, want %v", set, p.sets[set], want)
		}
	}
	h := parseHTML(`<h1>Title</h1><ul><li><a href="b?q=1">a</a><li>two<ul><li>three</ul></ul><table><tr><th>x<th>y<tr><td>1<td></table>
<pre class="language-go">func

  f()</pre><img src="/i.png" alt="Alt text">`, base)
	for _, set := range shapeNames {
		if !maps.Equal(p.sets[set], h.sets[set]) {
			t.Errorf("%s: markdown has %v, HTML %v", set, p.sets[set], h.sets[set])
		}
	}
}

func TestOverlapOfEmptySets(t *testing.T) {
	some := map[string]int{"a": 1}
	for _, c := range []struct {
		want, got map[string]int
		p, r, f   float64
	}{{nil, nil, 1, 1, 1}, {some, nil, 0, 0, 0}, {nil, some, 0, 0, 0}, {some, some, 1, 1, 1}} {
		o := compare(c.want, c.got)
		if o.precision() != c.p || o.recall() != c.r || o.f1() != c.f {
			t.Errorf("%v and %v: %v %v %v", c.want, c.got, o.precision(), o.recall(), o.f1())
		}
	}
	if f := harmonic(0.5, 1); math.Abs(f-2.0/3) > 1e-9 {
		t.Errorf("harmonic mean %v", f)
	}
}

func TestWords(t *testing.T) {
	if got := words("Ab c_d 3², 東京へ", true, false); !slices.Equal(got, []string{"ab", "c_d", "3²", "東京へ"}) {
		t.Errorf("%q", got)
	}
	if got := words("x東京 Y", false, true); !slices.Equal(got, []string{"x", "東", "京", "Y"}) {
		t.Errorf("%q", got)
	}
}
