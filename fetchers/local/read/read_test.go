package read_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"pifetch/fetchers/local/read"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// unhurried reads whatever the load of the machine.
var unhurried = read.Readers{Timeout: time.Hour}

// source stores b under a name of its own.
func source(t testing.TB, name, mediaType string, b []byte) read.Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stored")
	check(t, os.WriteFile(path, b, 0o600))
	return read.Source{Path: path, Name: name, MediaType: mediaType, Bytes: int64(len(b))}
}

func readAs(t testing.TB, name, mediaType string, b []byte) read.Content {
	t.Helper()
	c, err := unhurried.Read(t.Context(), source(t, name, mediaType, b))
	check(t, err)
	return c
}

// golden is the form in which a content stands in testdata.
func golden(c read.Content) string {
	return fmt.Sprintf("title: %s\nfacts: %s\n\n%s", c.Title, strings.Join(c.Facts, " · "), c.Markdown)
}

func TestGolden(t *testing.T) {
	latin1 := func(s string) []byte {
		b, err := charmap.Windows1252.NewEncoder().Bytes([]byte(s))
		check(t, err)
		return b
	}
	sjis, err := japanese.ShiftJIS.NewEncoder().Bytes([]byte(strings.Repeat("日本語のテキストです。漢字とかな。\n", 5)))
	check(t, err)
	for _, tt := range []struct {
		golden, name, mediaType string
		in                      []byte
	}{
		{"docx", "a.docx", "application/octet-stream", docxOf(t, docxBody)},
		{"pptx", "a.pptx", "application/zip", pptxOf(t)},
		{"odt", "a", "", odtOf(t)},
		{"odp", "a.odp", "application/vnd.oasis.opendocument.presentation", odpOf(t)},
		{"ods", "a.ods", "application/vnd.oasis.opendocument.spreadsheet", odsOf(t)},
		{"xlsx", "a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", xlsxOf(t)},
		{"epub", "a.epub", "application/epub+zip", epubOf(t)},
		{"notebook", "a.ipynb", "text/plain", notebookOf()},
		{"zip", "a.zip", "application/zip", zipOf(t, "a/", "", "a/b|c.txt", "hello", "../up", "x", `C:\win`, "y", "/abs", "zz")},
		{"tar", "a.tar", "application/x-tar", tarOf(t)},
		{"tar.gz", "a.tgz", "application/gzip", gz(t, "a.tar", tarOf(t))},
		{"tar.zst", "a.tar.zst", "application/zstd", zst(t, tarOf(t))},
		{"tar.xz", "a.tar.xz", "application/x-xz", tarXZ(t)},
		{"gzip", "a.txt.gz", "application/gzip", gz(t, "a.txt", []byte("hello"))},
		{"png", "a", "text/plain", pngOf(t)},
		{"jpeg", "a.png", "image/png", jpegOf(t)},
		{"gif", "a.gif", "image/gif", gifOf(t)},
		{"webp", "a.webp", "image/webp", webpOf(3)},
		{"avif", "a.avif", "image/avif", avifOf()},
		{"svg", "a.svg", "image/svg+xml", []byte(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24.5 10"><title>Logo</title><g><title>no</title></g></svg>`)},
		{"csv", "a.csv", "text/csv", []byte("\xef\xbb\xbfname,\"the, note\",n\r\nAnn,\"a|b \"\"q\"\"\nline 2\",1\r\nBob\r\n,,3,extra\r\n\r\n")},
		{"csv-semicolon", "a", "text/csv", latin1("Ort;Größe\nKöln;1,5\nMünchen;2,5\n")},
		{"csv-utf-16", "a.csv", "text/csv", []byte("\xff\xfeO\x00r\x00t\x00;\x00n\x00\r\x00\n\x00K\x00\xf6\x00l\x00n\x00;\x001\x00\r\x00\n\x00")},
		{"csv-single-quotes", "a.csv", "text/csv", []byte("'a','b'\n'1,5','x'\n'2','y'\n")},
		{"tsv-as-plain", "a", "text/plain", []byte("a\tb\tc\n1\t2\t3\n4\t5\t6\n")},
		{"csv-as-plain", "a", "text/plain", []byte("id,name,n\n1,Ann,2\n2,Bob,3\n")},
		{"json-records", "a.json", "application/json", []byte(`[{"id":1,"name":"A|B\nC"},{"name":"D","tags":["x",null],"n":1.50}]`)},
		{"json-tree", "a", "text/plain", []byte(`{"total":2,"next":null,"s":"true","tags":["a","b"],"meta":{"k":{"x":"1","y":"l1\nl2"},"arr":[[1,2],{"q":[]}]},"items":[{"id":1},{"id":2,"z":{"a":[1]}}]}`)},
		{"json-lines", "a.jsonl", "application/x-ndjson", []byte("{\"a\":1}\n\nbroken\n{\"a\":2,\"b\":true}\n")},
		{"json-lines-as-json", "a", "application/json", []byte("{\"a\":1}\n{\"b\":2}\n")},
		{"xml", "a.xml", "application/xml", latin1("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!DOCTYPE a [<!ENTITY lol \"lol\"><!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n<!-- no --><a xmlns:x=\"u\" id=\"é\">text <b>bold</b> tail &lol; &x; &amp;<x:c y=\"2\">v</x:c><e/><f><![CDATA[<g>]]></f></a>")},
		{"rss", "a", "application/xml", []byte(`<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>News &amp;amp; more</title><link>https://feed.example/</link><description>All of it</description>
<item><title>First</title><link>https://feed.example/1</link><pubDate>Mon, 06 May 2024 07:08:10 GMT</pubDate><author>ann@feed.example (Ann)</author><category>x</category><description>&lt;p&gt;Hello &lt;b&gt;you&lt;/b&gt;&lt;/p&gt;&lt;h2&gt;Sub&lt;/h2&gt;&lt;a href="/rel"&gt;rel&lt;/a&gt;&lt;/article&gt;&lt;p&gt;after&lt;/p&gt;</description></item>
<item><description>plain *text*</description><enclosure url="https://feed.example/a.mp3" type="audio/mpeg" length="1"/></item></channel></rss>`)},
		{"atom", "a.atom", "text/plain", []byte(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><entry><title type="html">A &lt;b&gt;bold&lt;/b&gt; one</title><link href="https://a.example/e"/><updated>2024-01-02T03:04:05+02:00</updated><author><name>Bob</name></author><content type="html">&lt;pre&gt;x
y&lt;/pre&gt;</content></entry></feed>`)},
		{"jsonfeed", "feed.json", "application/json", []byte(`{"version":"https://jsonfeed.org/version/1.1","title":"JF","items":[{"id":"1","url":"https://j.example/1","content_html":"<p>x</p>","date_published":"2024-05-06T00:00:00Z"}]}`)},
		{"text-windows-1252", "a.txt", "text/plain", latin1("Größe “x”\nzweite Zeile\n")},
		{"text-shift-jis", "a.txt", "text/plain", sjis},
		{"text-utf-16", "a.txt", "text/plain", []byte("\xff\xfeh\x00i\x00\n\x00")},
		{"text-utf-16-without-mark", "a.txt", "text/plain", []byte("h\x00e\x00l\x00l\x00o\x00\n\x00")},
	} {
		t.Run(tt.golden, func(t *testing.T) {
			got := golden(readAs(t, tt.name, tt.mediaType, tt.in))
			path := filepath.Join("testdata", tt.golden+".golden")
			if *update {
				check(t, os.WriteFile(path, []byte(got), 0o644))
			}
			want, err := os.ReadFile(path)
			check(t, err)
			if got != string(want) {
				t.Errorf("differs from %s; got:\n%s", path, got)
			}
		})
	}
}

func TestNothingToAdd(t *testing.T) {
	for _, tt := range []struct {
		name, file, mediaType, in string
	}{
		{"empty", "a.csv", "text/csv", ""},
		{"text", "a.txt", "text/plain", "Just text, one comma.\nAnd, another one.\nA third, too.\n"},
		{"text_bom", "a.txt", "text/plain", "\xef\xbb\xbfüber"},
		{"markdown", "a.md", "text/markdown", "{ not json }\n"},
		{"yaml", "a.yaml", "application/yaml", "a: [1, 2]\n"},
		{"yaml_octets", "a.yaml", "application/octet-stream", "a: &x [1, 2]\nb: *x\n"},
		{"script", "a.js", "application/javascript", "{ let a = 1, b = 2, c = 3; }\n"},
		{"code_as_plain", "a.c", "text/plain", "{ int a, b; }\nint c, d;\n"},
		{"ini", "a.ini", "text/plain", "[section]\nkey=1\n"},
		{"html_as_plain", "a.html", "text/plain", "<!doctype html><html><body>x</body></html>"},
		{"html_no_name", "a", "text/plain", "<!doctype html><html><body>x</body></html>"},
		{"malformed_json", "a.json", "application/json", `{"a": 1`},
		{"scalar_json", "a.json", "application/json", `"x"`},
		{"malformed_xml", "a.xml", "application/xml", `<a><b></a>`},
		{"malformed_notebook", "a.ipynb", "text/plain", `{"nbformat": 4, "cells": [`},
		{"malformed_csv", "a.csv", "text/csv", "a,b\n1,\"never closed\n2,3\n"},
		{"one_column", "a.csv", "text/csv", "a\nb\nc\n"},
		{"cut_zip", "a.zip", "application/zip", "PK\x03\x04abc"},
		{"cut_gzip", "a.gz", "application/gzip", "\x1f\x8b\x08\x00"},
		{"cut_png", "a.png", "image/png", "\x89PNG\r\n\x1a\n\x00\x00"},
		{"binary", "a.bin", "application/octet-stream", "\x00\x01\x02\x03\xff\xfe"},
		{"binary_json", "a.json", "application/json", "\x00\x01\x02\x03"},
		{"pdf_without_reader", "a.pdf", "application/pdf", "%PDF-1.4\n"},
		{"ole", "a.doc", "application/msword", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)},
		{"docx_without_document", "a.docx", "", string(zipOf(t, "[Content_Types].xml", types, "word/styles.xml", "<a/>"))},
		{"epub_without_spine", "a.epub", "", string(zipOf(t, "mimetype", "application/epub+zip"))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if c := readAs(t, tt.file, tt.mediaType, []byte(tt.in)); c.Markdown != "" || c.Facts != nil || c.Title != "" {
				t.Errorf("got %+v", c)
			}
		})
	}
}

func TestCharset(t *testing.T) {
	for _, tt := range []struct {
		name, label, in, want, charset string
	}{
		{"label", "iso-8859-2", "za\xbf\xf3\xb3\xe6", "zażółć", "iso-8859-2"},
		{"label_contradicted", "iso-8859-1", "größe", "", ""},
		{"unknown_label_valid", "x-nonsense", "größe", "", ""},
		{"unknown_label", "x-nonsense", "gr\xf6\xdfe", "", ""},
		{"utf8_label_broken", "utf-8", "a\xffb", "", ""},
		{"guessed", "", "gr\xf6\xdfe und stra\xdfe", "größe und straße", "windows-1252"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := source(t, "a.txt", "text/plain", []byte(tt.in))
			s.Charset = tt.label
			c, err := unhurried.Read(t.Context(), s)
			check(t, err)
			facts := ""
			if tt.charset != "" {
				facts = "charset " + tt.charset
			}
			if c.Markdown != tt.want || strings.Join(c.Facts, " ") != facts {
				t.Errorf("got %q, %q; want %q, %q", c.Markdown, c.Facts, tt.want, facts)
			}
		})
	}
}

func TestPDF(t *testing.T) {
	s := source(t, "a", "text/html", []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"))
	broken := errors.New("no engine")
	r := read.Readers{PDF: func(_ context.Context, path string) (read.Content, error) {
		if path != s.Path {
			t.Errorf("path %s", path)
		}
		return read.Content{Title: "T", Facts: []string{"2 pages"}}, broken
	}}
	c, err := r.Read(t.Context(), s)
	if c.Title != "T" || !errors.Is(err, broken) {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestErrors(t *testing.T) {
	gone := read.Source{Path: filepath.Join(t.TempDir(), "gone"), Name: "a.csv", MediaType: "text/csv"}
	if _, err := (read.Readers{}).Read(t.Context(), gone); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("why")
	cancel(why)
	s := source(t, "a.csv", "text/csv", []byte("a,b\n1,2\n"))
	if _, err := (read.Readers{}).Read(ctx, s); !errors.Is(err, why) {
		t.Errorf("cancelled: %v", err)
	}
	panics := read.Readers{PDF: func(context.Context, string) (read.Content, error) { panic("boom") }}
	if _, err := panics.Read(t.Context(), source(t, "a.pdf", "", []byte("%PDF-1.7\n"))); err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("panic: %v", err)
	}
}

func TestCutSaysSo(t *testing.T) {
	var csv, lines, object bytes.Buffer
	csv.WriteString("n,v\n")
	object.WriteString("{")
	for i := range 3000 {
		fmt.Fprintf(&csv, "%d,x\n", i)
		fmt.Fprintf(&lines, "{\"n\":%d}\n", i)
	}
	for i := range 30_000 {
		fmt.Fprintf(&object, "\"k%d\":%d,", i, i)
	}
	object.WriteString(`"z":0}`)
	wide := "a" + strings.Repeat(",b", 500) + "\n1" + strings.Repeat(",2", 500) + "\n"
	for _, tt := range []struct{ name, mediaType, in, want string }{
		{"csv", "text/csv", csv.String(), "cut: first 1,000 of 3,000 rows"},
		{"wide", "text/csv", wide, "cut: first 100 of 501 columns"},
		{"cell", "text/csv", "a,b\n1," + strings.Repeat("x", 2000) + "\n", "cut: cells over 1,000 characters cut"},
		{"lines", "application/x-ndjson", lines.String(), "cut: first 1,000 of 3,000 rows"},
		{"object", "application/json", object.String(), "cut: first 20,000 of 30,001 lines"},
		{"list", "application/json", "[" + strings.Repeat("1,", 5000) + "1]", "cut: long lists"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := readAs(t, "a", tt.mediaType, []byte(tt.in))
			if !strings.Contains(strings.Join(c.Facts, "\n"), tt.want) || !strings.Contains(c.Markdown, "_C"+tt.want[1:]) {
				t.Errorf("facts %q; body ends %q", c.Facts, c.Markdown[max(0, len(c.Markdown)-200):])
			}
		})
	}
}
