package extract

import (
	"fmt"
	"net/url"
)

// TextBlocks are the text blocks of one page and their features, for training.
type TextBlocks struct{ features *features }

// ReadTextBlocks cuts a page into text blocks as Extract does.
func ReadTextBlocks(page []byte, base *url.URL) (*TextBlocks, error) {
	doc, err := parse(page)
	if err != nil {
		return nil, fmt.Errorf("parse page: %w", err)
	}
	d := &document{root: doc, base: base}
	return &TextBlocks{d.readBlocks(d.show(nil))}, nil
}

// Len is the number of blocks.
func (t *TextBlocks) Len() int { return len(t.features.blocks) }

// Words are the words of block i, lower case.
func (t *TextBlocks) Words(i int) []string { return wordsOf(t.features.blocks[i].text) }

// First are the features of all blocks in the first pass.
func (t *TextBlocks) First() [][]float32 {
	rows := make([][]float32, t.Len())
	size := 0
	for i := range rows {
		v := vector{values: make([]float32, 0, size)}
		t.features.first(i, &v)
		rows[i], size = v.values, len(v.values)
	}
	return rows
}

// Second are the features of all blocks in the second pass, given the
// probabilities of the first.
func (t *TextBlocks) Second(p []float32) [][]float32 {
	s := t.features.surroundings(p)
	rows := make([][]float32, len(p))
	size := 0
	for i := range rows {
		v := vector{values: make([]float32, 0, size)}
		s.second(i, &v)
		rows[i], size = v.values, len(v.values)
	}
	return rows
}

// Words splits text into lower-case words.
func Words(s string) []string { return wordsOf(s) }
