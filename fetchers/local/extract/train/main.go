// Train makes the weights of the classifier that chooses a page's main content.
//
//	train -corpus DIR             print the table of the embedded weights
//	train -corpus DIR -cv         cross-validate: the table of pages no model has seen
//	train -corpus DIR -out FILE   train on the whole corpus
//
// DIR holds manifest.jsonl and the pages and truths it lists, as WCXB
// (https://github.com/Murrough-Foley/web-content-extraction-benchmark) and the
// others of NOTICE can be laid out. The same corpus gives the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"time"

	"pifetch/fetchers/local/extract"
	"pifetch/fetchers/local/extract/boost"
)

func main() {
	log.SetFlags(log.Ltime)
	if err := run(os.Args[1:], os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("train", flag.ContinueOnError)
	dir := flags.String("corpus", "", "folder with manifest.jsonl")
	weights := flags.String("out", "", "train on the whole corpus and write the weights here")
	cv := flags.Bool("cv", false, "cross-validate by registrable domain")
	folds := flags.Int("folds", 5, "parts of the cross-validation")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" || flags.NArg() > 0 {
		return errors.New("usage: train -corpus DIR [-cv] [-out FILE]")
	}
	pages, err := readCorpus(*dir)
	if err != nil {
		return fmt.Errorf("read corpus: %w", err)
	}
	switch {
	case *cv:
		if err := printTable(out, crossValidate(pages, *folds)); err != nil {
			return err
		}
	case *weights == "":
		results := make([]result, len(pages))
		for i, p := range pages { // one after the other: they are timed
			results[i] = p.extract(extract.Embedded())
		}
		fmt.Fprintln(out, "The weights were trained on these pages; -cv shows what to expect on others.")
		return printTable(out, results)
	}
	if *weights == "" {
		return nil
	}
	c := trainClassifier(pages)
	b, err := c.Encode()
	if err != nil {
		return err
	}
	log.Printf("%d bytes of weights", len(b))
	return os.WriteFile(*weights, b, 0o644)
}

func (p *page) extract(c *extract.Classifier) result {
	start := time.Now()
	r, err := c.Extract(p.html, p.base)
	took := time.Since(start)
	return result{page: p, score: p.score(r.Markdown), took: took, err: err}
}

// crossValidate scores each page with a classifier that has seen no page of its
// domain.
func crossValidate(pages []*page, folds int) []result {
	parts := make([][]result, folds)
	parallel(folds, func(k int) {
		test, rest := split(pages, folds, k, "outer")
		c := trainClassifier(rest)
		for _, p := range test {
			parts[k] = append(parts[k], p.extract(c))
		}
		log.Printf("fold %d of %d: trained on %d pages, scored %d", k+1, folds, len(rest), len(test))
	})
	return slices.Concat(parts...)
}

// split takes the k-th of n parts of the domains.
func split(pages []*page, n, k int, salt string) (part, rest []*page) {
	for _, p := range pages {
		h := fnv.New32a()
		_, _ = io.WriteString(h, salt+p.domain)
		if int(h.Sum32()>>8)%n == k {
			part = append(part, p)
		} else {
			rest = append(rest, p)
		}
	}
	return part, rest
}

// The parameters of both passes.
var parameters = boosting{trees: 240, leaves: 31, rate: 0.05, lambda: 20, minWeight: 20, columns: 0.5, rows: 0.7, seed: 1}

// innerFolds is in how many parts the pages are cut to learn the second pass:
// it must see a first pass as unsure as it will be on new pages.
const innerFolds = 3

func trainClassifier(pages []*page) *extract.Classifier {
	first := (*page).first
	c := &extract.Classifier{}
	unseen := make([]map[*page][]float32, innerFolds)
	parallel(innerFolds+1, func(k int) {
		if k == innerFolds {
			c.First = parameters.train(examplesOf(pages, first))
			return
		}
		part, rest := split(pages, innerFolds, k, "inner")
		m := parameters.train(examplesOf(rest, first))
		unseen[k] = map[*page][]float32{}
		for _, p := range part {
			unseen[k][p] = predict(m, first(p))
		}
	})
	all := map[*page][]float32{}
	for _, u := range unseen {
		maps.Copy(all, u)
	}
	c.Second = parameters.train(examplesOf(pages, func(p *page) [][]float32 { return p.blocks.Second(all[p]) }))
	return c
}

// first are the features of the first pass. They are kept, because every model
// needs them again.
func (p *page) first() [][]float32 {
	p.once.Do(func() { p.rows = p.blocks.First() })
	return p.rows
}

func predict(m *boost.Model, rows [][]float32) []float32 {
	v := make([]float32, len(rows))
	for i, r := range rows {
		v[i] = m.Predict(r)
	}
	return v
}

// maxBlocks is how many blocks of a page are trained on. Of more, every n-th is.
const maxBlocks = 400

func examplesOf(pages []*page, rows func(*page) [][]float32) examples {
	var e examples
	for k, p := range pages {
		all := rows(p)
		stride := 1 + len(all)/maxBlocks
		for i := k % stride; i < len(all); i += stride {
			if p.weight[i] > 0 {
				e.rows = append(e.rows, all[i])
				e.label = append(e.label, p.label[i])
				e.weight = append(e.weight, p.weight[i]*float32(stride))
			}
		}
	}
	return e
}
