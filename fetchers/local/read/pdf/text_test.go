package pdf

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestClean(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"lines", "one\r\n\r\n  two  \r\n \r\nthree", "one\n  two\nthree"},
		{"divided word", "a hy\ufffephen and an\u0002other", "a hyphen and another"},
		{"compound", "well-known things are well\ufffeknown", "well-known things are well-known"},
		{"compound elsewhere", "Command-Line\r\nthe command\ufffeline", "Command-Line\nthe command-line"},
		{"capital", "Burrows\ufffeWheeler, GNU\ufffePLOT, DOE\ufffeMacsyma", "Burrows-Wheeler, GNUPLOT, DOE-Macsyma"},
		{"digit", "UTF\ufffe8", "UTF-8"},
		{"controls", "a\x01b\x0cc\rd\u0088e\u202ef\u200bg\x00", "abcdefg"},
		{"unknown", "x\ufffd\ufffd\ufffdy\ufffd", "x\ufffdy\ufffd"},
		{"list marks", "\uf0b7 one\r\n\uf0a7 two", "• one\n▪ two"},
		{"no-break space", "a\u00a0b", "a b"},
		{"nothing", "\r\n \r\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w writer
			if got := w.clean(c.raw); got != c.want {
				t.Errorf("clean(%q) = %q, want %q", c.raw, got, c.want)
			}
		})
	}
}

func TestEscape(t *testing.T) {
	for l, want := range map[string]string{
		"# comment":          `\# comment`,
		"  ## comment":       `  \## comment`,
		"#":                  `\#`,
		"#hash":              "#hash",
		"#!/bin/sh":          "#!/bin/sh",
		"=====":              `\=====`,
		"---":                `\---`,
		"-":                  `\-`,
		"- item":             "- item",
		"--long-option":      "--long-option",
		"```go":              "\\```go",
		"- ~~~":              `- \~~~`,
		"<!-- hidden":        `\<!-- hidden`,
		"<?xml?>":            `\<?xml?>`,
		"<script>":           `\<script>`,
		"<config>":           "<config>",
		"a <!-- b":           "a <!-- b",
		"plain *text* here_": "plain *text* here_",
	} {
		if got := escape(l); got != want {
			t.Errorf("escape(%q) = %q, want %q", l, got, want)
		}
	}
}

func TestHeadings(t *testing.T) {
	text := strings.Join([]string{
		"Manual 12",
		"3 Data Types",
		"All of Octave's data types.",
		"data types.",
		"• Numbers",
		"3.1 Numbers and a very long",
		"title",
		"Some text",
		"Column The column function",
		"NOTES",
	}, "\r\n")
	var w writer
	var p page
	w.page(&p, text, []bookmark{
		{1, "Data Types", 0}, {2, "Numbers and a very long title", 0}, {3, "Column", 0}, {3, "Not on the page", 0}, {1, "Notes", 0},
	})
	want := `Manual 12

## 3 Data Types

All of Octave's data types.
data types.
• Numbers

### 3.1 Numbers and a very long title

Some text

#### Column

#### Not on the page

Column The column function

## NOTES`
	if diff := cmp.Diff(want, p.Text); diff != "" {
		t.Errorf("page (-want +got):\n%s", diff)
	}
}

func TestSensibleTitle(t *testing.T) {
	for title, want := range map[string]string{
		"  The Maxima\n Book ":           "The Maxima Book",
		"":                               "",
		"Untitled":                       "",
		"untitled1":                      "",
		"Microsoft Word - report v2.doc": "",
		"report.dvi":                     "",
		"final_paper.docx":               "",
		"12345":                          "",
		"Slide 1":                        "",
		"Untitled Goose Game: a study":   "Untitled Goose Game: a study",
		"Parsing with bison.txt files":   "Parsing with bison.txt files",
		"Evil\x1b]0;x\x07 \u202etitle":   "Evil title",
		strings.Repeat("long ", 100):     strings.Repeat("long ", 39) + "long…",
	} {
		if got := sensible(title); got != want {
			t.Errorf("sensible(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestFacts(t *testing.T) {
	for _, c := range []struct {
		name string
		page page
		want []string
	}{
		{"unreadable characters", page{Number: 1, Text: "x", Chars: 200, Unknown: 30}, []string{"1 page", "15 % of characters unreadable"}},
		{"unreadable page", page{Number: 1, Broken: true}, []string{"1 page", "1 unreadable page"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := transcript{pages: 1}
			tr.add(record{Page: &c.page})
			if diff := cmp.Diff(c.want, tr.content().Facts); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Compiled code is run: it is taken from a private folder only.
func TestPrivate(t *testing.T) {
	dir := t.TempDir()
	if err := private(filepath.Join(dir, "a", "b")); err != nil {
		t.Errorf("missing folder: %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, "a", "b")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("made %v, %v", info.Mode(), err)
	}
	if err := private(filepath.Join(dir, "a", "b")); err != nil {
		t.Errorf("our folder: %v", err)
	}
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o750); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "a", "b"), link); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{open, link} {
		if private(bad) == nil {
			t.Errorf("%s is taken", filepath.Base(bad))
		}
	}
}

// A page is always text without control characters, and its only headings are
// the outline's.
func FuzzPage(f *testing.F) {
	f.Add("1 First\r\nsome te\ufffext # not\r\n# not", "First")
	f.Add("\ufffe\x02\ufffd\ufffd", "\ufffe")
	f.Add("- 1. ```\n===\n<!--", "x")
	f.Fuzz(func(t *testing.T, raw, title string) {
		if !utf8.ValidString(raw) {
			return // pdfium's text is UTF-16 in origin
		}
		var w writer
		var p page
		var entries []bookmark
		if title = line(title); title != "" {
			entries = []bookmark{{1, title, 0}}
		}
		w.page(&p, raw, entries)
		headings := 0
		for l := range strings.Lines(p.Text) {
			if strings.HasPrefix(l, "## ") {
				headings++
			} else if escape(strings.TrimSuffix(l, "\n")) != strings.TrimSuffix(l, "\n") {
				t.Errorf("line %q has a meaning in markdown", l)
			}
			if i := strings.IndexFunc(strings.TrimSuffix(l, "\n"), func(r rune) bool { return unicode.IsControl(r) && r != '\t' }); i >= 0 {
				t.Errorf("line %q has a control character", l)
			}
		}
		if headings != len(entries) {
			t.Errorf("%d headings for %d entries:\n%s", headings, len(entries), p.Text)
		}
	})
}
