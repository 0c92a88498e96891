package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pifetch/internal/demosite"
)

// The demo must notice each page that did not become what it must.
func TestCheck(t *testing.T) {
	const base = "http://127.0.0.1:8080"
	deliver := func(t *testing.T) (demo, string) {
		d := demo{out: &bytes.Buffer{}, base: base, files: t.TempDir()}
		var docs, failed strings.Builder
		for i, p := range demosite.Pages() {
			if p.Failed != "" {
				fmt.Fprintf(&failed, "- %s%s\n  local: %s\n", base, p.Path, p.Failed)
				continue
			}
			fmt.Fprintf(&docs, "%d. A title\n   %s%s\n", i+1, base, p.Path)
			content := p.Bytes
			if content == nil {
				content = []byte(strings.Join(p.Holds, "\n\n"))
			}
			folder := filepath.Join(d.files, "127-0-0-1-8080-"+strings.ReplaceAll(p.Path[1:], ".", "-"))
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, p.Body), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return d, docs.String() + "\nFailed:\n" + failed.String()
	}

	t.Run("everything right", func(t *testing.T) {
		d, digest := deliver(t)
		if err := d.check(digest); err != nil {
			t.Errorf("%v\n%s", err, d.out)
		}
	})
	for _, p := range demosite.Pages() {
		t.Run("wrong "+p.Path[1:], func(t *testing.T) {
			d, digest := deliver(t)
			if p.Failed != "" {
				digest = strings.ReplaceAll(digest, p.Failed, "another reason")
			} else {
				found, _ := filepath.Glob(filepath.Join(d.files, "*"+strings.ReplaceAll(p.Path[1:], ".", "-"), p.Body))
				if err := os.WriteFile(found[0], append(p.Bytes, strings.Join(p.Lacks, " ")...), 0o600); err != nil {
					t.Fatal(err)
				}
				if p.Bytes != nil {
					digest = strings.ReplaceAll(digest, base+p.Path+"\n", "")
				}
			}
			if err := d.check(digest); err == nil || !strings.Contains(d.out.(*bytes.Buffer).String(), "FAIL "+p.Path) {
				t.Errorf("check: %v\n%s", err, d.out)
			}
		})
	}
}
