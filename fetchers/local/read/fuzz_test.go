package read_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pifetch/fetchers/local/read"
	"pifetch/fetchers/local/read/archive"
	"pifetch/fetchers/local/read/feed"
	"pifetch/fetchers/local/read/image"
	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/notebook"
	"pifetch/fetchers/local/read/office"
	"pifetch/fetchers/local/read/render"
	"pifetch/fetchers/local/read/sheet"
	"pifetch/fetchers/local/read/table"
	"pifetch/fetchers/local/read/text"
	"pifetch/fetchers/local/read/tree"
)

type reader func(context.Context, input.File) (render.Content, error)

// fuzz feeds a reader with variations of seeds. Whatever they hold, it says
// that it cannot read them or returns valid text.
func fuzz(f *testing.F, r reader, seeds ...[]byte) {
	for _, s := range seeds {
		f.Add(s)
	}
	path := filepath.Join(f.TempDir(), "f")
	f.Fuzz(func(t *testing.T, b []byte) {
		check(t, os.WriteFile(path, b, 0o600))
		c, err := r(t.Context(), input.File{Path: path})
		if err != nil && !errors.Is(err, input.ErrMalformed) && !errors.Is(err, input.ErrTooLarge) {
			t.Fatal(err)
		}
		checkContent(t, c)
	})
}

func checkContent(t *testing.T, c read.Content) {
	t.Helper()
	if !utf8.ValidString(c.Markdown) || len(c.Markdown) > render.MaxBytes {
		t.Errorf("%d bytes of markdown, or not UTF-8", len(c.Markdown))
	}
	for _, s := range append(c.Facts, c.Title) {
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\n\x1b") {
			t.Errorf("fact or title %q", s)
		}
	}
}

// part makes a reader of archives one of a part of it.
func partOf(name string, others ...string) func(reader) reader {
	return func(r reader) reader {
		return func(ctx context.Context, f input.File) (render.Content, error) {
			b, err := os.ReadFile(f.Path)
			if err != nil {
				return render.Content{}, err
			}
			t := ctx.Value(testKey{}).(testing.TB)
			if err := os.WriteFile(f.Path, zipOf(t, append(others, name, string(b))...), 0o600); err != nil {
				return render.Content{}, err
			}
			return r(ctx, f)
		}
	}
}

type testKey struct{}

// fuzzPart is fuzz for one part of an archive.
func fuzzPart(f *testing.F, r reader, name, seed string, others ...string) {
	f.Add([]byte(seed))
	path := filepath.Join(f.TempDir(), "f")
	f.Fuzz(func(t *testing.T, b []byte) {
		check(t, os.WriteFile(path, b, 0o600))
		c, err := partOf(name, others...)(r)(context.WithValue(t.Context(), testKey{}, testing.TB(t)), input.File{Path: path})
		if err != nil && !errors.Is(err, input.ErrMalformed) && !errors.Is(err, input.ErrTooLarge) {
			t.Fatal(err)
		}
		checkContent(t, c)
	})
}

func FuzzTable(f *testing.F) {
	fuzz(f, table.Read, []byte("a,b\n\"1\n2\",'x'\r3|4\t5;6\n"), []byte("sep=;\na;b\n1;2\n"))
}

func FuzzJSON(f *testing.F) {
	fuzz(f, tree.JSON, []byte(`{"a":[{"b":1,"c":null},{"b":"x\ny"}],"d":[1,[2]]}`), []byte("{\"a\":1}\n{\"b\":2}\n"))
}

func FuzzXML(f *testing.F) {
	fuzz(f, tree.XML, []byte(`<!DOCTYPE a [<!ENTITY x "y">]><a b="c">&x;<d:e>f</d:e><![CDATA[g]]></a>`))
}

func FuzzNotebook(f *testing.F) { fuzz(f, notebook.Read, notebookOf()) }

func FuzzFeed(f *testing.F) {
	fuzz(f, feed.Read, []byte(`<rss><channel><title>t</title><item><title>i</title><description>&lt;b&gt;x</description></item></channel></rss>`),
		[]byte(`<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><title>e</title></entry></feed>`),
		[]byte(`{"version":"https://jsonfeed.org/version/1.1","title":"JF","items":[{"id":"1","content_html":"<p>x"}]}`))
}

func FuzzArchive(f *testing.F) {
	fuzz(f, archive.Read, zipOf(f, "a/b.txt", "x"), tarOf(f), gz(f, "a", []byte("x")), zst(f, tarOf(f)), tarXZ(f))
}

func FuzzImage(f *testing.F) {
	fuzz(f, image.Read, pngOf(f), gifOf(f), jpegOf(f), webpOf(1), avifOf(), []byte(`<svg width="1" height="2"><title>x</title></svg>`))
}

func FuzzText(f *testing.F) { fuzz(f, text.Read, []byte("gr\xf6\xdfe"), []byte("\xff\xfea\x00")) }

func FuzzDOCX(f *testing.F) {
	fuzzPart(f, office.DOCX, "word/document.xml", `<w:document `+wordNS+`><w:body>`+docxBody+`</w:body></w:document>`, "[Content_Types].xml", types)
}

func FuzzPPTX(f *testing.F) {
	fuzzPart(f, office.PPTX, "s.xml", `<p:sld show="0"><p:sp><p:ph type="title"/><a:p><a:pPr lvl="1"/><a:r><a:t>x</a:t></a:r></a:p></p:sp><p:graphicFrame><a:tr><a:tc gridSpan="2"><a:p/></a:tc></a:tr></p:graphicFrame></p:sld>`,
		"ppt/presentation.xml", `<p xmlns:r="r"><sldId r:id="a"/></p>`, "ppt/_rels/presentation.xml.rels", `<r><Relationship Id="a" Type="x/slide" Target="/s.xml"/></r>`)
}

func FuzzODF(f *testing.F) {
	fuzzPart(f, office.ODF, "content.xml", `<o:d><o:body><o:text><t:h t:outline-level="9">x</t:h><t:list><t:list-item><t:p>a<t:note><t:note-body><t:p>n</t:p></t:note-body></t:note></t:p></t:list-item></t:list><tb:table><tb:table-row><tb:table-cell/></tb:table-row></tb:table><d:page><d:frame/></d:page></o:text></o:body></o:d>`)
}

func FuzzODS(f *testing.F) {
	fuzzPart(f, sheet.ODS, "content.xml", `<o:d><tb:table tb:name="a"><tb:table-row tb:number-rows-repeated="9"><tb:table-cell tb:number-columns-repeated="3"><t:p>x</t:p></tb:table-cell></tb:table-row></tb:table></o:d>`)
}

func FuzzXLSX(f *testing.F) { fuzz(f, sheet.XLSX, xlsxOf(f)) }

func FuzzEPUB(f *testing.F) {
	fuzzPart(f, office.EPUB, "c", `<html><h1 id="a">x</h1><a epub:type="noteref" href="#a">1</a><img alt="y"/></html>`,
		"META-INF/container.xml", `<c><rootfile full-path="o"/></c>`, "o", `<p><item id="a" href="c" media-type="text/html"/><itemref idref="a"/></p>`)
}

func FuzzRead(f *testing.F) {
	for _, b := range [][]byte{notebookOf(), pngOf(f), zipOf(f, "a", "b"), []byte("a,b,c\n1,2,3\n4,5,6\n"), []byte(`<?xml version="1.0"?><rss/>`), []byte(`[{"a":1}]`)} {
		f.Add(b, "a.txt", "text/plain")
	}
	path := filepath.Join(f.TempDir(), "f")
	f.Fuzz(func(t *testing.T, b []byte, name, mediaType string) {
		check(t, os.WriteFile(path, b, 0o600))
		c, err := unhurried.Read(t.Context(), read.Source{Path: path, Name: name, MediaType: mediaType})
		check(t, err)
		checkContent(t, c)
	})
}
