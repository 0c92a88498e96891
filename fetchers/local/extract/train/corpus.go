package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/net/publicsuffix"

	"pifetch/fetchers/local/extract"
)

// What the truth of a page is.
const (
	kindText     = "text"     // its main content as plain text
	kindSnippets = "snippets" // texts that must and must not be in it
	kindHTML     = "html"
	kindMarkdown = "markdown"
)

// page is one page of the corpus.
type page struct {
	id       string
	corpus   string // the part of the id before the first slash
	pageType string
	domain   string // registrable; pages of one are never in training and in test
	kind     string
	base     *url.URL
	html     []byte

	want             *parsed
	wanted, unwanted []string

	blocks *extract.TextBlocks
	once   sync.Once
	rows   [][]float32 // features of the first pass
	label  []float32   // of each block: 1 is main content
	weight []float32
}

// manifestLine is a line of manifest.jsonl. Paths are relative to it, and files
// with the suffix .gz are compressed.
type manifestLine struct {
	ID       string   `json:"id"`
	HTML     string   `json:"html"`
	URL      string   `json:"url"`
	Expected string   `json:"expected"`
	Kind     string   `json:"kind"`
	PageType string   `json:"page_type"`
	With     []string `json:"with"`
	Without  []string `json:"without"`
}

// readCorpus reads the pages that dir/manifest.jsonl lists.
func readCorpus(dir string) ([]*page, error) {
	f, err := os.Open(filepath.Join(dir, "manifest.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var lines []manifestLine
	in := bufio.NewScanner(f)
	in.Buffer(nil, 8<<20)
	for in.Scan() {
		var l manifestLine
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("manifest line %d: %w", len(lines)+1, err)
		}
		lines = append(lines, l)
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	pages := make([]*page, len(lines))
	errs := make([]error, len(lines))
	parallel(len(lines), func(i int) {
		if pages[i], errs[i] = readPage(dir, lines[i]); errs[i] != nil {
			errs[i] = fmt.Errorf("%s: %w", lines[i].ID, errs[i])
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return pages, nil
}

func readPage(dir string, l manifestLine) (*page, error) {
	p := &page{id: l.ID, pageType: l.PageType, kind: l.Kind, wanted: l.With, unwanted: l.Without}
	p.corpus, _, _ = strings.Cut(l.ID, "/")
	var err error
	if p.base, err = url.Parse(l.URL); err != nil {
		return nil, err
	}
	if p.domain, err = publicsuffix.EffectiveTLDPlusOne(p.base.Hostname()); err != nil {
		if p.domain = p.base.Hostname(); p.domain == "" {
			p.domain = l.ID
		}
	}
	raw, err := readFile(filepath.Join(dir, l.HTML))
	if err != nil {
		return nil, err
	}
	p.html = extract.Decode(raw, "")
	if p.blocks, err = extract.ReadTextBlocks(p.html, p.base); err != nil {
		return nil, err
	}
	want, err := readFile(filepath.Join(dir, l.Expected))
	if err != nil {
		return nil, err
	}
	switch p.kind {
	case kindText:
		p.want = &parsed{text: string(want)}
	case kindSnippets:
		if p.wanted, p.unwanted, err = parseSnippets(want); err != nil {
			return nil, err
		}
	case kindHTML:
		p.want = parseHTML(string(want), p.base)
	case kindMarkdown:
		p.want = parseMarkdown(string(want), p.base)
	default:
		return nil, fmt.Errorf("unknown kind %q", p.kind)
	}
	p.labelBlocks()
	return p, nil
}

func readFile(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return b, err
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// parallel calls f with 0..n-1 on all processors.
func parallel(n int, f func(int)) {
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	wg.Wait()
}
