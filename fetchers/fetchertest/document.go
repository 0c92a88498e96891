package fetchertest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/internal/weburl"
)

func checkReason(url, reason string) error {
	if reason == "" || reason != strings.Join(strings.Fields(reason), " ") {
		return fmt.Errorf("%s: reason %q is not one line", url, reason)
	}
	return nil
}

func checkDocument(url string, d fetchers.Document, f *folder) error {
	var errs errorList
	if source, shape, ok := strings.Cut(d.Kind, "."); !ok || source == "" || shape == "" {
		errs.addf("%s: kind %q is not <source>.<shape>", url, d.Kind)
	}
	if d.Title == "" || strings.ContainsAny(d.Title, "\r\n") {
		errs.addf("%s: title %q is not one line", url, d.Title)
	}
	for _, fact := range d.Facts {
		if fact == "" || strings.ContainsAny(fact, "\r\n") {
			errs.addf("%s: fact %q is not one line", url, fact)
		}
	}
	if len(d.Excerpt) > fetchers.ExcerptBytes || !utf8.ValidString(d.Excerpt) {
		errs.addf("%s: excerpt of %d bytes, valid UTF-8: %v", url, len(d.Excerpt), utf8.ValidString(d.Excerpt))
	}
	if d.Link != "" {
		if u, err := weburl.Parse(d.Link); err != nil || u.User != nil {
			errs.addf("%s: link %q: %v", url, d.Link, err)
		}
	}
	if len(d.Bodies) == 0 {
		errs.addf("%s: no bodies", url)
	}
	named := make(map[string]bool)
	for _, b := range d.Bodies {
		named[b.Name] = true
		errs.add(checkBody(url, b, f))
	}
	for _, name := range f.files() {
		if !named[name] {
			errs.addf("%s: %s is in the folder, but no body of the document", url, name)
		}
	}
	return errs.err()
}

// checkBody compares what is said about a body with its file.
func checkBody(url string, b fetchers.Body, f *folder) error {
	path, err := f.Folder.Path()
	if err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	if b.Name != artifact.SafeName(b.Name) || b.Path != filepath.Join(path, b.Name) {
		return fmt.Errorf("%s: body %q is at %s, which is not in %s", url, b.Name, b.Path, path)
	}
	content, err := os.ReadFile(b.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	lines := bytes.Count(content, []byte("\n"))
	if len(content) > 0 && content[len(content)-1] != '\n' {
		lines++
	}
	if !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0 {
		lines = 0
	}
	if b.Bytes != int64(len(content)) || b.Lines != lines {
		return fmt.Errorf("%s: %s has %d bytes and %d lines, said to have %d and %d", url, b.Name, len(content), lines, b.Bytes, b.Lines)
	}
	last := 0
	for _, h := range b.Outline {
		if h.Line <= last || h.Line > lines || h.Level < 1 || h.Level > 6 || h.Text == "" || strings.ContainsAny(h.Text, "\r\n") {
			return fmt.Errorf("%s: %s has an impossible heading %+v", url, b.Name, h)
		}
		last = h.Line
	}
	return nil
}
