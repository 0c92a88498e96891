package main

import (
	"slices"
	"testing"

	"pifetch/fetchers/local/extract"
)

func pageOf(t *testing.T, html string) *page {
	t.Helper()
	blocks, err := extract.ReadTextBlocks([]byte(html), base)
	if err != nil {
		t.Fatal(err)
	}
	return &page{kind: kindText, base: base, want: &parsed{}, blocks: blocks}
}

const labelled = `<ul><li>Home<li>About the dog</ul><p>The quick brown fox jumps.<p>Over the dog.<p>Shared on social media`

func TestLabelsFollowTheContextOfWords(t *testing.T) {
	p := pageOf(t, labelled)
	p.want = &parsed{text: "The quick brown fox jumps over the dog."}
	p.labelBlocks()
	if !slices.Equal(p.label, []float32{0, 0, 1, 1, 0}) {
		t.Errorf("labels %v", p.label)
	}
	if !(p.weight[2] > p.weight[3] && p.weight[3] > p.weight[0] && p.weight[0] > leastWeight) {
		t.Errorf("weights %v do not follow the number of words", p.weight)
	}
}

func TestLabelsOfSnippets(t *testing.T) {
	p := pageOf(t, labelled)
	p.kind, p.wanted, p.unwanted = kindSnippets, []string{"brown fox"}, []string{"About", "nowhere"}
	p.labelBlocks()
	if !slices.Equal(p.label, []float32{0, 0, 1, 0, 0}) || !slices.Equal(p.weight, []float32{0, snippetWeight, snippetWeight, 0, 0}) {
		t.Errorf("labels %v, weights %v", p.label, p.weight)
	}
}

func TestSplitKeepsADomainTogether(t *testing.T) {
	var pages []*page
	for _, d := range []string{"a.test", "b.test", "c.test", "d.test", "e.test", "f.test"} {
		pages = append(pages, &page{domain: d}, &page{domain: d})
	}
	seen := 0
	for k := range 3 {
		part, rest := split(pages, 3, k, "x")
		seen += len(part)
		if len(part)+len(rest) != len(pages) {
			t.Errorf("part %d: %d and %d of %d pages", k, len(part), len(rest), len(pages))
		}
		for _, p := range part {
			if slices.ContainsFunc(rest, func(q *page) bool { return q.domain == p.domain }) {
				t.Errorf("%s is on both sides", p.domain)
			}
		}
	}
	if seen != len(pages) {
		t.Errorf("%d of %d pages in a part", seen, len(pages))
	}
}
