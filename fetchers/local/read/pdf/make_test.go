package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maker writes a PDF object by object.
type maker struct {
	objects []string // object i+1
	trailer string
}

func (m *maker) add(format string, args ...any) (ref int) {
	m.objects = append(m.objects, fmt.Sprintf(format, args...))
	return len(m.objects)
}

func (m *maker) stream(dict, data string) int {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(data))
	_ = z.Close()
	return m.add("<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream", dict, b.Len(), b.String())
}

func (m *maker) bytes() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(m.objects))
	for i, o := range m.objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(m.objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(m.objects)+1, m.trailer, table)
	return b.Bytes()
}

const (
	fontRef   = 3
	firstPage = 4 // then page, contents, page, contents, …
)

// newMaker returns a maker of pages with these contents. Objects 1 and 2 are
// the catalog and the page tree.
func newMaker(contents ...string) *maker {
	m := &maker{}
	kids := ""
	for i := range contents {
		kids += fmt.Sprintf("%d 0 R ", firstPage+2*i)
	}
	m.add("<< /Type /Catalog /Pages 2 0 R >>")
	m.add("<< /Type /Pages /Kids [%s] /Count %d >>", kids, len(contents))
	m.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	for _, c := range contents {
		page := m.add("")
		m.objects[page-1] = fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources << /Font << /F1 %d 0 R >> >> >>", page+1, fontRef)
		m.stream("", c)
	}
	return m
}

// catalog adds entries to the catalog.
func (m *maker) catalog(entries string) {
	m.objects[0] = strings.TrimSuffix(m.objects[0], ">>") + entries + " >>"
}

// lines sets lines of text from the top of a page.
func lines(text ...string) string {
	var b strings.Builder
	b.WriteString("BT /F1 12 Tf 18 TL 48 780 Td\n")
	escape := strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`)
	for _, l := range text {
		fmt.Fprintf(&b, "(%s) Tj T*\n", escape.Replace(l))
	}
	b.WriteString("ET")
	return b.String()
}

// outline adds an outline: an entry a page, and one below the first.
func (m *maker) outline(child string, childPage int, titles ...string) {
	root := m.add("")
	first := root + 1
	for i, title := range titles {
		entry := fmt.Sprintf("<< /Title (%s) /Parent %d 0 R /Dest [%d 0 R /Fit]", title, root, firstPage+2*i)
		if i+1 < len(titles) {
			entry += fmt.Sprintf(" /Next %d 0 R", first+i+1)
		}
		if i == 0 && child != "" {
			below := first + len(titles)
			entry += fmt.Sprintf(" /First %d 0 R /Last %d 0 R /Count 1", below, below)
		}
		m.add("%s >>", entry)
	}
	if child != "" {
		m.add("<< /Title (%s) /Parent %d 0 R /Dest [%d 0 R /Fit] >>", child, first, firstPage+2*(childPage-1))
	}
	m.objects[root-1] = fmt.Sprintf("<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>", first, first+len(titles)-1, len(titles))
	m.catalog(fmt.Sprintf("/Outlines %d 0 R", root))
}

// info sets the title in the metadata.
func (m *maker) info(title string) {
	m.trailer += fmt.Sprintf("/Info %d 0 R ", m.add("<< /Title (%s) >>", title))
}

func (m *maker) file(t *testing.T) string {
	t.Helper()
	return file(t, m.bytes())
}

func file(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.pdf")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// slow makes a page's content take for ever and little memory: a form of much
// work and no effect, drawn again and again.
func slow(m *maker, page int) {
	form := m.stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", strings.Repeat("q Q ", 1<<17))
	at := firstPage + 2*(page-1)
	m.objects[at-1] = strings.Replace(m.objects[at-1], "/Resources <<", fmt.Sprintf("/Resources << /XObject << /X %d 0 R >>", form), 1)
}

// slowContent is the content of such a page.
var slowContent = strings.Repeat("/X Do\n", 20_000)

// big is the content of a page with more objects than there is memory for.
func big() string {
	return "BT /F1 1 Tf " + strings.Repeat("(a)Tj ", 2_000_000) + "ET"
}
