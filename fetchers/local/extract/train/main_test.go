package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pifetch/fetchers/local/extract"
)

// smallCorpus writes pages of a menu and a text, each of a site of its own.
func smallCorpus(t *testing.T, pages int) string {
	t.Helper()
	dir := t.TempDir()
	var manifest bytes.Buffer
	for i := range pages {
		truth := strings.Repeat(fmt.Sprintf("Sentence %d says what the page is about, and it says it at length. ", i), 5)
		page := fmt.Sprintf("<title>Page %d</title><nav><ul><li><a href=/a>Home</a><li><a href=/b>Contact us</a></ul></nav><p>%s</p><footer>All rights reserved</footer>", i, truth)
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, err := z.Write([]byte(page))
		check(t, err)
		check(t, z.Close())
		line := manifestLine{
			ID: fmt.Sprintf("wcxb/%d", i), URL: fmt.Sprintf("https://site%d.test/", i), Kind: kindText, PageType: "article",
			HTML: fmt.Sprintf("%d.html.gz", i), Expected: fmt.Sprintf("%d.txt", i), Without: []string{"All rights reserved"},
		}
		check(t, os.WriteFile(filepath.Join(dir, line.HTML), packed.Bytes(), 0o600))
		check(t, os.WriteFile(filepath.Join(dir, line.Expected), []byte(truth), 0o600))
		check(t, json.NewEncoder(&manifest).Encode(line))
	}
	check(t, os.WriteFile(filepath.Join(dir, "manifest.jsonl"), manifest.Bytes(), 0o600))
	return dir
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTrainingTwiceGivesTheSameBytes(t *testing.T) {
	dir := smallCorpus(t, 8)
	var weights [2][]byte
	for i := range weights {
		file := filepath.Join(t.TempDir(), "weights.bin")
		check(t, run([]string{"-corpus", dir, "-out", file}, t.Output()))
		var err error
		weights[i], err = os.ReadFile(file)
		check(t, err)
	}
	if !bytes.Equal(weights[0], weights[1]) {
		t.Error("they differ")
	}
	if _, err := extract.DecodeClassifier(weights[0]); err != nil {
		t.Error(err)
	}
}

func TestTable(t *testing.T) {
	dir := smallCorpus(t, 3)
	for name, args := range map[string][]string{
		"of the embedded weights": {"-corpus", dir},
		"of a cross-validation":   {"-corpus", dir, "-cv", "-folds", "2"},
	} {
		var out strings.Builder
		check(t, run(args, &out))
		for _, want := range []string{"word F1", "unwanted", "article", "titles", "3 pages, 0 without content"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the table %s lacks %q:\n%s", name, want, out.String())
			}
		}
	}
}

func TestCorpusErrorsNameTheirPage(t *testing.T) {
	dir := smallCorpus(t, 2)
	check(t, os.Remove(filepath.Join(dir, "1.txt")))
	if err := run([]string{"-corpus", dir}, t.Output()); err == nil || !strings.Contains(err.Error(), "wcxb/1") {
		t.Errorf("error %v", err)
	}
	if err := run([]string{"-corpus", t.TempDir()}, t.Output()); err == nil || !strings.Contains(err.Error(), "manifest.jsonl") {
		t.Errorf("error %v", err)
	}
	if err := run(nil, t.Output()); err == nil || !strings.Contains(err.Error(), "usage") {
		t.Errorf("error %v", err)
	}
}
