package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// result is what one page got, and how long it took.
type result struct {
	page *page
	score
	took time.Duration
	err  error
}

// bar is what a figure is held against.
type bar struct {
	target float64
	peer   float64 // the best figure of another extractor that is known
	name   string  // of that extractor
}

// The peers' figures are measured on pages that no model was trained on, or
// published by the corpus.
var (
	wordBars = map[string]bar{
		"":              {0.87, 0.805, "defuddle"},
		"article":       {0.95, 0.932, "rs-trafilatura"},
		"documentation": {0.945, 0.932, "rs-trafilatura"},
		"service":       {0.86, 0.844, "rs-trafilatura"},
		"forum":         {0.84, 0.808, "rs-trafilatura"},
		"listing":       {0.75, 0.710, "rs-trafilatura"},
		"collection":    {0.72, 0.716, "rs-trafilatura"},
		"product":       {0.76, 0.641, "rs-trafilatura"},
	}
	recallBar   = bar{0.92, 0.878, "defuddle"}
	unwantedBar = bar{0.055, 0.060, "go-readability"}
	newsBar     = bar{0.965, 0.970, "rs-trafilatura"}
	snippetBar  = bar{0.93, 0.924, "trafilatura"}
	shapeBars   = map[string]map[string]bar{
		"defuddle": {
			"titles": {0.90, 0.79, ""}, "code": {0.95, 0.78, ""}, "lang": {0.90, 0.63, ""}, "cells": {0.90, 0.71, ""},
			"links": {0.80, 0.62, ""}, "items": {0.85, 0.79, ""}, "images": {0.75, 0.58, ""}, "alts": {0.85, 0.84, ""},
		},
		"moz": {
			"headings": {0.97, 1, "go-readability"}, "titles": {0.97, 1, "go-readability"}, "code": {0.94, 0.971, "go-readability"}, "cells": {0.435, 0.465, "go-readability"},
			"links": {0.832, 0.862, "go-readability"}, "items": {0.958, 0.988, "go-readability"}, "images": {0.911, 0.941, "go-readability"}, "alts": {0.894, 0.924, "go-readability"},
		},
	}
)

// printTable writes the figures of each corpus and page type beside their bars.
func printTable(out io.Writer, results []result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "corpus\tpages\tmeasure\tpifetch\ttarget\tbest peer")
	line := func(corpus string, n int, measure string, v float64, b bar, lower bool) {
		mark := ""
		if (v < b.target) != lower {
			mark = " missed"
		}
		if b == (bar{}) {
			fmt.Fprintf(w, "%s\t%d\t%s\t%.3f\t\t\n", corpus, n, measure, v)
			return
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%.3f\t%.3f%s\t%.3f %s\n", corpus, n, measure, v, b.target, mark, b.peer, b.name)
	}
	of := func(corpus, pageType string) []result {
		return slices.DeleteFunc(slices.Clone(results), func(r result) bool {
			return r.page.corpus != corpus || pageType != "" && r.page.pageType != pageType
		})
	}
	wcxb := of("wcxb", "")
	line("wcxb", len(wcxb), "word F1", mean(wcxb, func(r result) float64 { return r.words.f1() }), wordBars[""], false)
	line("wcxb", len(wcxb), "precision", mean(wcxb, func(r result) float64 { return r.words.precision() }), bar{}, false)
	line("wcxb", len(wcxb), "recall", mean(wcxb, func(r result) float64 { return r.words.recall() }), recallBar, false)
	s := sumSnippets(wcxb)
	line("wcxb", len(wcxb), "unwanted", ratio(float64(s.slipped), float64(s.unwanted), false), unwantedBar, true)
	for _, t := range []string{"article", "documentation", "service", "forum", "listing", "collection", "product"} {
		rs := of("wcxb", t)
		line("  "+t, len(rs), "word F1", mean(rs, func(r result) float64 { return r.words.f1() }), wordBars[t], false)
	}
	for _, c := range []struct {
		name string
		bar  bar
	}{{"aeb", newsBar}, {"moz", bar{}}} {
		rs := of(c.name, "")
		p := mean(rs, func(r result) float64 { return r.shingles.precision() })
		q := mean(rs, func(r result) float64 { return r.shingles.recall() })
		line(c.name, len(rs), "shingle F1", harmonic(p, q), c.bar, false)
	}
	traf := of("traf", "")
	s = sumSnippets(traf)
	line("traf", len(traf), "snippet F1", ratio(2*float64(s.found), float64(s.found+s.wanted+s.slipped), false), snippetBar, false)
	def := of("defuddle", "")
	line("defuddle", len(def), "word F1", mean(def, func(r result) float64 { return r.words.f1() }), bar{}, false)
	for _, corpus := range []string{"defuddle", "moz"} {
		for _, f := range shapeNames {
			rs := slices.DeleteFunc(of(corpus, ""), func(r result) bool { _, has := r.shape[f]; return !has })
			line(corpus, len(rs), f, mean(rs, func(r result) float64 { return r.shape[f].f1() }), shapeBars[corpus][f], false)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	took := make([]time.Duration, 0, len(results))
	failed := 0
	for _, r := range results {
		took = append(took, r.took)
		if r.err != nil {
			failed++
		}
	}
	if len(took) == 0 {
		return nil
	}
	slices.Sort(took)
	_, err := fmt.Fprintf(out, "%d pages, %d without content; time of a page: median %s, 95th percentile %s, longest %s\n", len(results), failed,
		took[len(took)/2].Round(time.Millisecond/10), took[len(took)*95/100].Round(time.Millisecond/10), took[len(took)-1].Round(time.Millisecond))
	return err
}

func mean(rs []result, f func(result) float64) float64 {
	sum := 0.0
	for _, r := range rs {
		sum += f(r)
	}
	return ratio(sum, float64(len(rs)), false)
}

func sumSnippets(rs []result) snippets {
	var s snippets
	for _, r := range rs {
		s.wanted += r.snippets.wanted
		s.found += r.snippets.found
		s.unwanted += r.snippets.unwanted
		s.slipped += r.snippets.slipped
	}
	return s
}
