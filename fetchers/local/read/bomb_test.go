package read_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"pifetch/fetchers/local/read"
	"pifetch/fetchers/local/read/render"
)

// part is an entry of a bomb: what begins it, and what then fills it.
type part struct {
	name, head string
	fill       string
	times      int
	tail       string
}

func bomb(t testing.TB, parts ...part) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	for _, p := range parts {
		w, err := z.Create(p.name)
		check(t, err)
		_, err = io.WriteString(w, p.head)
		check(t, err)
		chunk := strings.Repeat(p.fill, 1000)
		for range p.times / 1000 {
			_, err = io.WriteString(w, chunk)
			check(t, err)
		}
		_, err = io.WriteString(w, p.tail)
		check(t, err)
	}
	check(t, z.Close())
	return buf.Bytes()
}

// manyEntries is an archive whose directory has n entries and nothing else.
func manyEntries(n int) []byte {
	var buf bytes.Buffer
	for i := range n {
		h := make([]byte, 46)
		name := fmt.Sprintf("f%d", i)
		binary.LittleEndian.PutUint32(h, 0x02014b50)
		binary.LittleEndian.PutUint32(h[24:], 1<<32-2)
		binary.LittleEndian.PutUint16(h[28:], uint16(len(name)))
		buf.Write(h)
		buf.WriteString(name)
	}
	size := buf.Len()
	e := make([]byte, 56+20+22)
	binary.LittleEndian.PutUint32(e, 0x06064b50)
	binary.LittleEndian.PutUint64(e[4:], 44)
	binary.LittleEndian.PutUint64(e[24:], uint64(n))
	binary.LittleEndian.PutUint64(e[32:], uint64(n))
	binary.LittleEndian.PutUint64(e[40:], uint64(size))
	binary.LittleEndian.PutUint32(e[56:], 0x07064b50)
	binary.LittleEndian.PutUint64(e[64:], uint64(size)+4)
	binary.LittleEndian.PutUint32(e[76:], 0x06054b50)
	for _, at := range []int{84, 86} {
		binary.LittleEndian.PutUint16(e[at:], 1<<16-1)
	}
	binary.LittleEndian.PutUint32(e[88:], 1<<32-1)
	binary.LittleEndian.PutUint32(e[92:], 1<<32-1)
	return append([]byte("PK\x05\x06"), append(buf.Bytes(), e...)...)
}

// gzipBomb is head and 600 MB of zeros.
func gzipBomb(t testing.TB, head []byte) []byte {
	t.Helper()
	return append(gz(t, "", head), bytes.Repeat(gz(t, "", make([]byte, 6<<20)), 100)...)
}

func tarHead(t testing.TB, size int64) []byte {
	t.Helper()
	var buf bytes.Buffer
	check(t, tar.NewWriter(&buf).WriteHeader(&tar.Header{Name: "big", Size: size, Mode: 0o600}))
	return buf.Bytes()
}

// Inputs made to cost memory or time end with the file alone, or with a
// rendering that is cut and says so.
func TestBombs(t *testing.T) {
	word := func(p part) []byte {
		p.name = "word/document.xml"
		return bomb(t, part{name: "[Content_Types].xml", head: types}, p)
	}
	open := func(what string) part {
		return part{name: "content.xml", head: `<d><body><text>`, fill: what, times: 200_000}
	}
	workbook := func(p part) []byte {
		return bomb(t, part{name: "[Content_Types].xml", head: types},
			part{name: "_rels/.rels", head: `<Relationships ` + relsNS + `><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
			part{name: "xl/_rels/workbook.xml.rels", head: `<Relationships ` + relsNS + `><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
			part{name: "xl/workbook.xml", head: `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`},
			p)
	}
	mime := func(s string) part { return part{name: "mimetype", head: "application/vnd.oasis.opendocument." + s} }
	lol := `<!DOCTYPE a [<!ENTITY l0 "lol">`
	for i := range 20 {
		lol += fmt.Sprintf(`<!ENTITY l%d "%s">`, i+1, strings.Repeat(fmt.Sprintf("&l%d;", i), 10))
	}
	tests := []struct {
		name, file, mediaType string
		in                    []byte
		fact                  string
	}{
		{"gzip", "a.gz", "", gzipBomb(t, nil), "larger than was looked at"},
		{"tar_gzip", "a.tgz", "", gzipBomb(t, tarHead(t, 1<<40)), "larger than was looked at"},
		{"zip_entries", "a.zip", "", manyEntries(300_000), "first 10,000 of 300,000 entries"},
		{"docx_text", "a", "", word(part{head: `<document><body><p><r><t>`, fill: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", times: 1_000_000}), "too large"},
		{"docx_paragraphs", "a", "", word(part{head: `<document><body>`, fill: "<p><r><t>abcdefgh abcdefgh abcdefgh abcdefgh abcdefgh abcdefgh</t></r></p>", times: 200_000}), "too large"},
		{"docx_deep", "a", "", word(part{head: `<document><body>`, fill: "<tbl><tr><tc>", times: 1_000_000}), "too large"},
		{"docx_attributes", "a", "", word(part{head: `<document><body`, fill: " a=''", times: 1_000_000, tail: "/></document>"}), "too large"},
		{"docx_cells", "a", "", word(part{head: `<document><body><tbl><tr>`, fill: "<tc/>", times: 400_000}), ""},
		{"odt_deep", "a", "", bomb(t, mime("text"), open("<list><list-item>")), "too large"},
		{"odt_spaces", "a", "", bomb(t, mime("text"), open(`<p><s c="200"/></p>`)), ""},
		{"ods_cells", "a", "", bomb(t, mime("spreadsheet"), part{name: "content.xml", head: `<d><table name="t">`, fill: `<table-row number-rows-repeated="1000000"><table-cell number-columns-repeated="16384"><p>abcdefghijk</p></table-cell></table-row>`, times: 100_000, tail: `</table></d>`}), "first 100 of 16,384 columns"},
		{"xlsx_rows", "a.xlsx", "", workbook(part{name: "xl/worksheets/sheet1.xml", head: `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`, fill: `<row><c r="XFD1"><v>1</v></c></row>`, times: 1_200_000}), "first"},
		{"xlsx_styles", "a.xlsx", "", workbook(part{name: "xl/styles.xml", head: `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs>`, fill: `<xf numFmtId="1"/>`, times: 1_600_000, tail: `</cellXfs></styleSheet>`}), "too large"},
		{"json_deep", "a.json", "", []byte(strings.Repeat("[", 5_000_000)), "too large"},
		{"json_keys", "a.json", "", []byte(`[{` + strings.Repeat(`"k":1,`, 400_000) + `"z":1}]`), "cut"},
		{"json_string", "a.json", "", []byte(`{"a":"` + strings.Repeat("x", 15<<20) + `"}`), "cut"},
		{"json_too_large", "a.json", "", []byte(`{"a":"` + strings.Repeat("x", 17<<20) + `"}`), "too large"},
		{"json_line", "a.jsonl", "", []byte("{\"a\":1}\n{\"a\":2}\n{\"a\":\"" + strings.Repeat("x", 50<<20) + "\"}\n"), "1 line without"},
		{"xml_deep", "a.xml", "", []byte(strings.Repeat("<a>", 3_000_000)), "too large"},
		{"xml_entities", "a.xml", "", []byte(lol + `]><a>` + strings.Repeat("&l20;", 10) + `</a>`), "1 element"},
		{"xml_attributes", "a.xml", "", []byte(`<a ` + strings.Repeat("b='' ", 1_000_000) + `/>`), "too large"},
		{"csv_columns", "a.csv", "", []byte(strings.Repeat("a,b\n1,2\n", 10) + strings.Repeat(",", 20_000_000)), "first 100 of 20,000,001 columns"},
		{"csv_line", "a.csv", "", []byte(strings.Repeat("a,b\n1,2\n", 10) + "1," + strings.Repeat("x", 50<<20)), "cut"},
		{"text_line", "a.txt", "text/plain", bytes.Repeat([]byte("x"), 50<<20), ""},
		{"text_latin1", "a.txt", "text/plain", append([]byte("\xfc"), bytes.Repeat([]byte("x"), 50<<20)...), "first 20.0MB"},
		{"feed_deep", "a.rss", "", []byte("<rss><channel><item>" + strings.Repeat("<a>", 1_000_000)), "too large"},
		{"feed_html", "a.rss", "", []byte("<rss><channel><item><description>" + strings.Repeat("&lt;b&gt;", 400_000) + "</description></item></channel></rss>"), "1 entry"},
		{"feed_text", "a.rss", "", []byte("<rss><channel><item><description>" + strings.Repeat("&lt;b&gt;", 1_000_000) + "</description></item></channel></rss>"), "too large"},
		{"feed_cdata", "a.rss", "", []byte("<rss><channel><item><description><![CDATA[" + strings.Repeat("<b>", 5_000_000) + "]]></description></item></channel></rss>"), "too large"},
		{"notebook_cells", "a.ipynb", "", []byte(`{"nbformat":4,"cells":[` + strings.Repeat(`{"cell_type":"raw","source":"x"},`, 200_000) + `{}]}`), "200,001 cells"},
		{"epub_chapters", "a", "", bomb(t, part{name: "mimetype", head: "application/epub+zip"}, part{name: "META-INF/container.xml", head: `<c><rootfile full-path="o"/></c>`}, part{name: "o", head: `<p><item id="a" href="c" media-type="text/html"/>`, fill: `<itemref idref="a"/>`, times: 20_000, tail: "</p>"}, part{name: "c", head: "<p>", fill: "abc ", times: 2_000_000, tail: "</p>"}), "too large"},
		{"png_chunks", "a.png", "", append(pngOf(t)[:33], bytes.Repeat([]byte("\x00\x00\x00\x00tEXt\x00\x00\x00\x00"), 1_000_000)...), "7×5"},
	}
	dir := t.TempDir()
	for i := range tests {
		check(t, os.WriteFile(filepath.Join(dir, tests[i].name), tests[i].in, 0o600))
		tests[i].in = nil // so that the heap is the reader's
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := read.Source{Path: filepath.Join(dir, tt.name), Name: tt.file, MediaType: tt.mediaType}
			var before, after runtime.MemStats
			debug.FreeOSMemory()
			runtime.ReadMemStats(&before)
			c, err := unhurried.Read(t.Context(), s)
			runtime.ReadMemStats(&after)
			check(t, err)
			if len(c.Markdown) > render.MaxBytes {
				t.Errorf("%d bytes of markdown", len(c.Markdown))
			}
			if facts := strings.Join(c.Facts, " · "); !strings.Contains(facts, tt.fact) {
				t.Errorf("facts %q, want %q", facts, tt.fact)
			}
			held := func(m runtime.MemStats) int64 { return int64(m.HeapSys - m.HeapReleased) }
			grown := (held(after) - held(before)) >> 20
			t.Logf("%d bytes out, heap +%d MB, allocated %d MB: %q", len(c.Markdown), grown, (after.TotalAlloc-before.TotalAlloc)>>20, c.Facts)
			// Each needs less than 64 MB; the collector may be late.
			if grown > 96 {
				t.Errorf("the heap grew by %d MB", grown)
			}
		})
	}
}
