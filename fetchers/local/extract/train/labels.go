package main

import (
	"strings"

	"pifetch/fetchers/local/extract"
)

// How much a block weighs in training: a page's blocks together about 100,
// whatever its length, each by its share of the words of the truth.
const (
	pageWeight    = 100
	slackWords    = 50 // added to the words of the truth: a short one is no reason to shout
	leastWeight   = 0.05
	snippetWeight = 8 // of a block that a snippet decides
)

// labelBlocks compares the blocks with the truth. A block is content when more
// than half of its words stand in the truth with the same words around them.
// Where the truth is snippets, only the blocks they are found in count.
func (p *page) labelBlocks() {
	n := p.blocks.Len()
	p.label, p.weight = make([]float32, n), make([]float32, n)
	if p.kind == kindSnippets {
		p.labelSnippets(p.unwanted, 0)
		p.labelSnippets(p.wanted, 1)
		return
	}
	truth := append(append([]string{"^"}, extract.Words(p.want.text)...), "$")
	runs := map[string]bool{}
	eachRun(truth, func(_ int, run string) { runs[run] = true })
	var all []string
	var block []int // of each word
	for i := range n {
		for _, w := range p.blocks.Words(i) {
			all = append(all, w)
			block = append(block, i)
		}
	}
	found := make([]bool, len(all))
	eachRun(all, func(at int, run string) {
		if runs[run] {
			found[at], found[at+1], found[at+2] = true, true, true
		}
	})
	hits := make([]int, n)
	for k, i := range block {
		if found[k] {
			hits[i]++
		}
	}
	for i := range n {
		words := len(p.blocks.Words(i))
		if words == 0 {
			continue
		}
		if 2*hits[i] > words {
			p.label[i] = 1
		}
		p.weight[i] = min(float32(words)/float32(len(truth)+slackWords), 1)*pageWeight + leastWeight
	}
}

// eachRun calls f with every three words in a row.
func eachRun(words []string, f func(at int, run string)) {
	for i := 0; i+3 <= len(words); i++ {
		f(i, strings.Join(words[i:i+3], " "))
	}
}

func (p *page) labelSnippets(list []string, label float32) {
	for _, s := range list {
		snippet := strings.Join(extract.Words(s), " ")
		if snippet == "" {
			continue
		}
		for i := range p.blocks.Len() {
			block := strings.Join(p.blocks.Words(i), " ")
			if strings.Contains(" "+block+" ", " "+snippet+" ") || len(block) > 20 && strings.Contains(snippet, block) {
				p.label[i], p.weight[i] = label, snippetWeight
			}
		}
	}
}
