package read_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/xuri/excelize/v2"
)

var day = time.Date(2024, 5, 6, 7, 8, 10, 0, time.UTC)

// zipOf is an archive of pairs of names and contents.
func zipOf(t testing.TB, parts ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for i := 0; i+1 < len(parts); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: parts[i], Method: zip.Deflate, Modified: day})
		check(t, err)
		_, err = w.Write([]byte(parts[i+1]))
		check(t, err)
	}
	check(t, z.Close())
	return buf.Bytes()
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func tarOf(t testing.TB) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, h := range []tar.Header{
		{Name: "pkg/", Typeflag: tar.TypeDir, Mode: 0o755, ModTime: day},
		{Name: "pkg/a|b.txt", Typeflag: tar.TypeReg, Size: 5, Mode: 0o644, ModTime: day},
		{Name: "../../etc/passwd", Typeflag: tar.TypeReg, Mode: 0o644, ModTime: day},
		{Name: "/abs", Typeflag: tar.TypeSymlink, Linkname: "/etc/shadow", ModTime: day},
		{Name: "esc\x1b[2J", Typeflag: tar.TypeReg, ModTime: day},
	} {
		check(t, w.WriteHeader(&h))
		if h.Size > 0 {
			_, err := w.Write([]byte("hello"))
			check(t, err)
		}
	}
	check(t, w.Close())
	return buf.Bytes()
}

func gz(t testing.TB, name string, b []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	w.Name = name
	_, err := w.Write(b)
	check(t, err)
	check(t, w.Close())
	return buf.Bytes()
}

func zst(t testing.TB, b []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	check(t, err)
	return w.EncodeAll(b, nil)
}

const (
	wordNS = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="wp" xmlns:mc="mc" xmlns:wps="wps" xmlns:m="m"`
	relsNS = `xmlns="http://schemas.openxmlformats.org/package/2006/relationships"`
	types  = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`
)

func docxOf(t testing.TB, body string) []byte {
	t.Helper()
	return zipOf(t,
		"[Content_Types].xml", types,
		"_rels/.rels", `<Relationships `+relsNS+`><Relationship Id="rId1" Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>`,
		"docProps/core.xml", `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>Small report</dc:title></cp:coreProperties>`,
		"word/_rels/document.xml.rels", `<Relationships `+relsNS+`><Relationship Id="rId9" Type="http://x/hyperlink" Target="https://site.example/a?b=1&amp;c=2" TargetMode="External"/><Relationship Id="rId8" Type="http://x/hyperlink" Target="javascript:alert(1)" TargetMode="External"/></Relationships>`,
		"word/styles.xml", `<w:styles `+wordNS+`><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Code"><w:name w:val="Source Code"/></w:style><w:style w:styleId="Sub"><w:name w:val="My sub"/><w:basedOn w:val="H2"/></w:style><w:style w:styleId="Q"><w:name w:val="Quote"/></w:style></w:styles>`,
		"word/numbering.xml", `<w:numbering `+wordNS+`><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
		"word/footnotes.xml", `<w:footnotes `+wordNS+`><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="1"><w:p><w:r><w:t>The first note.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		"word/document.xml", `<w:document `+wordNS+`><w:body>`+body+`<w:sectPr/></w:body></w:document>`,
	)
}

// para is a paragraph in a style with one run.
func para(style, text string) string {
	pr := ""
	if style != "" {
		pr = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`
	}
	return `<w:p>` + pr + `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r></w:p>`
}

func item(level int, text string) string {
	return fmt.Sprintf(`<w:p><w:pPr><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="7"/></w:numPr></w:pPr><w:r><w:t>%s</w:t></w:r></w:p>`, level, text)
}

var docxBody = para("berschrift1", "One &amp; two") +
	`<w:p><w:r><w:t xml:space="preserve">Plain </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>bo</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ld</w:t></w:r><w:r><w:t xml:space="preserve"> and </w:t></w:r><w:hyperlink r:id="rId9"><w:r><w:t>a link</w:t></w:r></w:hyperlink><w:r><w:t>, </w:t></w:r><w:hyperlink r:id="rId8"><w:r><w:t>no link</w:t></w:r></w:hyperlink><w:r><w:footnoteReference w:id="1"/></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>, new</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>invisible</w:t></w:r></w:p>` +
	`<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://field.example/" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>field</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:tab/><w:t>after</w:t></w:r></w:p>` +
	para("Sub", "Based on two") +
	item(0, "third") + item(1, "deep") + item(1, "deep too") + item(0, "fourth") +
	para("Code", "func main() {") + para("Code", "") + para("Code", "    *p = &lt;-c") + para("Code", "}") +
	para("Q", "Said somebody.") +
	`<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>` + para("", "Both") + `</w:tc></w:tr><w:tr><w:tc>` + para("", "a|b") + para("", "second line") + `</w:tc><w:tc>` + para("", "2") + `</w:tc></w:tr></w:tbl>` +
	`<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:docPr id="1" descr="A small chart"/><wps:txbx><w:txbxContent>` + para("", "In a box") + `</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback>` + para("", "In a box") + `</mc:Fallback></mc:AlternateContent></w:r></w:p>` +
	item(0, "fifth")

func pptxOf(t testing.TB) []byte {
	t.Helper()
	const ns = `xmlns:a="a" xmlns:p="p" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	text := func(kind, paragraphs string) string {
		return `<p:sp><p:nvSpPr><p:cNvPr id="2"/><p:nvPr><p:ph type="` + kind + `"/></p:nvPr></p:nvSpPr><p:txBody>` + paragraphs + `</p:txBody></p:sp>`
	}
	p := func(level, s string) string {
		return `<a:p><a:pPr lvl="` + level + `"/><a:r><a:rPr b="0"/><a:t>` + s + `</a:t></a:r></a:p>`
	}
	return zipOf(t,
		"[Content_Types].xml", types,
		"ppt/presentation.xml", `<p:presentation `+ns+`><p:sldIdLst><p:sldId id="256" r:id="rB"/><p:sldId id="257" r:id="rA"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", `<Relationships `+relsNS+`><Relationship Id="rA" Type="http://x/slide" Target="slides/slide1.xml"/><Relationship Id="rB" Type="http://x/slide" Target="/ppt/slides/slide2.xml"/></Relationships>`,
		"ppt/slides/slide2.xml", `<p:sld `+ns+`><p:cSld><p:spTree>`+text("body", p("0", "first")+p("1", "below")+p("0", "second"))+text("title", p("0", "Opening"))+text("sldNum", p("0", "1"))+`</p:spTree></p:cSld></p:sld>`,
		"ppt/slides/_rels/slide2.xml.rels", `<Relationships `+relsNS+`><Relationship Id="n" Type="http://x/notesSlide" Target="../notesSlides/notesSlide1.xml"/></Relationships>`,
		"ppt/notesSlides/notesSlide1.xml", `<p:notes `+ns+`><p:cSld><p:spTree>`+text("body", p("0", "Say hello."))+text("sldNum", p("0", "1"))+`</p:spTree></p:cSld></p:notes>`,
		"ppt/slides/slide1.xml", `<p:sld `+ns+` show="0"><p:cSld><p:spTree><p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody>`+p("0", "x")+`</a:txBody></a:tc><a:tc><a:txBody>`+p("0", "y")+`</a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody>`+p("0", "1")+`</a:txBody></a:tc><a:tc><a:txBody>`+p("0", "2")+`</a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame></p:spTree></p:cSld></p:sld>`,
	)
}

const odfNS = `xmlns:office="o" xmlns:text="t" xmlns:table="tb" xmlns:style="s" xmlns:fo="f" xmlns:xlink="x" xmlns:draw="d" xmlns:presentation="p" xmlns:svg="v" xmlns:dc="dc"`

func odtOf(t testing.TB) []byte {
	t.Helper()
	return zipOf(t,
		"mimetype", "application/vnd.oasis.opendocument.text",
		"meta.xml", `<office:document-meta `+odfNS+`><office:meta><dc:title>Open report</dc:title></office:meta></office:document-meta>`,
		"styles.xml", `<office:document-styles `+odfNS+`><office:styles><style:style style:name="Preformatted_20_Text"/></office:styles></office:document-styles>`,
		"content.xml", `<office:document-content `+odfNS+`><office:automatic-styles>
<style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style>
<style:style style:name="P1" style:parent-style-name="Preformatted_20_Text"/>
<text:list-style style:name="L1"><text:list-level-style-number text:level="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>
</office:automatic-styles><office:body><office:text>
<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
<text:h text:outline-level="2">A heading</text:h>
<text:p>Some <text:span text:style-name="T1">bold</text:span> text, <text:a xlink:href="https://odf.example/">link</text:a><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note> and<text:s text:c="3"/>space<text:line-break/>break.<office:annotation><text:p>secret</text:p></office:annotation></text:p>
<text:list text:style-name="L1"><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>
<text:p text:style-name="P1">$ make</text:p><text:p text:style-name="P1">$<text:s/><text:s/>test</text:p>
<table:table><table:table-row><table:table-cell><text:p>k</text:p></table:table-cell><table:table-cell><text:p>v</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>same</text:p></table:table-cell></table:table-row></table:table>
<text:p><draw:frame><draw:image/><svg:desc>A tree</svg:desc></draw:frame></text:p>
</office:text></office:body></office:document-content>`)
}

func odpOf(t testing.TB) []byte {
	t.Helper()
	return zipOf(t,
		"mimetype", "application/vnd.oasis.opendocument.presentation",
		"content.xml", `<office:document-content `+odfNS+`><office:body><office:presentation>
<draw:page draw:name="p1"><draw:frame presentation:class="outline"><draw:text-box><text:list><text:list-item><text:p>a point</text:p></text:list-item></text:list></draw:text-box></draw:frame><draw:frame presentation:class="title"><draw:text-box><text:p>Hello</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>Slowly.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>
<draw:page draw:name="p2"><draw:frame><draw:text-box><text:p>Only text</text:p></draw:text-box></draw:frame></draw:page>
</office:presentation></office:body></office:document-content>`)
}

func odsOf(t testing.TB) []byte {
	t.Helper()
	return zipOf(t,
		"mimetype", "application/vnd.oasis.opendocument.spreadsheet",
		"content.xml", `<office:document-content `+odfNS+`><office:automatic-styles><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>
<table:table table:name="Sums"><table:table-row><table:table-cell><text:p>what</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"/><table:table-cell><text:p>how much</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="2"><table:table-cell office:value="1.5"><text:p>1,50 €</text:p><office:annotation><text:p>no</text:p></office:annotation></table:table-cell><table:table-cell table:number-columns-repeated="16383"/></table:table-row>
<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>
<table:table table:name="Secret" table:style-name="ta2"><table:table-row><table:table-cell><text:p>hidden</text:p></table:table-cell></table:table-row></table:table>
</office:spreadsheet></office:body></office:document-content>`)
}

func xlsxOf(t testing.TB) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	date, err := f.NewStyle(&excelize.Style{NumFmt: 14})
	check(t, err)
	percent, err := f.NewStyle(&excelize.Style{NumFmt: 9})
	check(t, err)
	for cell, v := range map[string]any{"A1": "when", "B1": "share", "D1": "text", "A2": 45000, "B2": 0.25, "D2": "a|b\nc", "A4": 45001, "B4": 1.0} {
		check(t, f.SetCellValue("Sheet1", cell, v))
	}
	check(t, f.SetCellStyle("Sheet1", "A2", "A4", date))
	check(t, f.SetCellStyle("Sheet1", "B2", "B4", percent))
	for _, name := range []string{"Costs", "Empty"} {
		_, err := f.NewSheet(name)
		check(t, err)
	}
	check(t, f.SetCellValue("Costs", "A1", "hidden"))
	check(t, f.SetSheetVisible("Costs", false))
	check(t, f.SetDocProps(&excelize.DocProperties{Title: "Figures"}))
	var buf bytes.Buffer
	check(t, f.Write(&buf))
	return buf.Bytes()
}

func epubOf(t testing.TB) []byte {
	t.Helper()
	return zipOf(t,
		"mimetype", "application/epub+zip",
		"META-INF/container.xml", `<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
		"META-INF/encryption.xml", `<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/locked.xhtml"/></CipherData></EncryptedData></encryption>`,
		"OEBPS/book.opf", `<package xmlns:dc="d"><metadata><dc:title>A Book</dc:title><dc:creator>A. Writer</dc:creator></metadata><manifest>
<item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="one.xhtml" media-type="application/xhtml+xml"/><item id="c" href="locked.xhtml" media-type="application/xhtml+xml"/><item id="css" href="s.css" media-type="text/css"/></manifest>
<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>`,
		"OEBPS/one.xhtml", `<?xml version="1.0"?><!DOCTYPE html><html xmlns="h" xmlns:epub="e"><head><title>t</title></head><body class="toc"><h1>Chapter 1</h1><p>It was <i>dark</i><a epub:type="noteref" href="#n1">1</a>.<br/>Very&nbsp;dark. <a href="two.xhtml">next</a></p><aside epub:type="footnote" id="n1"><p>Not so dark.</p></aside><img src="x.png" alt="A moon"/></body></html>`,
		"OEBPS/two b.xhtml", `<html><body><nav class="sidebar"><h2>Chapter 2</h2></nav><p>Unclosed <b>bold</p><ul><li>x</li></ul></body></html>`,
		"OEBPS/locked.xhtml", "\x00\x01\x02",
	)
}

func notebookOf() []byte {
	return []byte(`{"nbformat": 4, "metadata": {"kernelspec": {"language": "python", "name": "python3"}}, "cells": [
{"cell_type": "markdown", "source": ["# A study\n", "With *text*."]},
{"cell_type": "code", "source": "print('hi')", "outputs": [
 {"output_type": "stream", "name": "stdout", "text": ["10%\r100%\n", "hi "]}, {"output_type": "stream", "text": "there\n"},
 {"output_type": "display_data", "data": {"image/png": "` + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("x"), 3000)) + `", "text/plain": ["<Figure>"]}},
 {"output_type": "execute_result", "data": {"text/html": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"}},
 {"output_type": "execute_result", "data": {"text/markdown": "**bold**", "text/plain": "x"}},
 {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": ["\u001b[0;31mValueError\u001b[0m: no", "` + "```" + `"]}]},
{"cell_type": "code", "source": ["%%bash\n", "ls"], "outputs": []},
{"cell_type": "raw", "source": "raw"}]}`)
}

func picture() *image.Paletted {
	return image.NewPaletted(image.Rect(0, 0, 7, 5), color.Palette{color.Black, color.White})
}

func pngOf(t testing.TB) []byte {
	t.Helper()
	var buf bytes.Buffer
	check(t, png.Encode(&buf, picture()))
	return buf.Bytes()
}

func jpegOf(t testing.TB) []byte {
	t.Helper()
	var buf bytes.Buffer
	check(t, jpeg.Encode(&buf, picture(), nil))
	return buf.Bytes()
}

func gifOf(t testing.TB) []byte {
	t.Helper()
	var buf bytes.Buffer
	check(t, gif.EncodeAll(&buf, &gif.GIF{Image: []*image.Paletted{picture(), picture(), picture()}, Delay: []int{1, 1, 1}}))
	return buf.Bytes()
}

func webpOf(frames int) []byte {
	body := "WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00\x7f\x02\x00\xdf\x01\x00" + strings.Repeat("ANMF\x02\x00\x00\x00ab", frames)
	n := len(body)
	return []byte("RIFF" + string([]byte{byte(n), byte(n >> 8), 0, 0}) + body)
}

// avifOf is a picture of 640×480 that is put together from tiles.
func avifOf() []byte {
	box := func(kind string, inner ...string) string {
		s := kind + strings.Join(inner, "")
		return string(binary.BigEndian.AppendUint32(nil, uint32(len(s)+4))) + s
	}
	size := func(w, h uint32) string {
		return box("ispe", "\x00\x00\x00\x00", string(binary.BigEndian.AppendUint32(nil, w)), string(binary.BigEndian.AppendUint32(nil, h)))
	}
	return []byte(box("ftyp", "avif\x00\x00\x00\x00avifmif1") + box("meta", "\x00\x00\x00\x00", box("hdlr", "x"),
		box("iprp", box("ipco", size(320, 240), box("pixi", "x"), size(640, 480)), box("ipma", "x"))) + box("mdat", "x"))
}

// tarXZ is an archive of one file, made with xz.
func tarXZ(t testing.TB) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString("/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AGtdADgayRWcD2MsnKAuCzEl9lGVgUj/Jw6bq3mAdtaySGX0lNwBLd4rQkJ7TsjcHYKwMg45asBr5em80XEy5mjlggB8KvmdQxASppA9sIpes0SBhkefYasnUYi0XQGjEpB5yfPl7pTWzaLRUcoAAAC/K5xYlhOuwQABhwGAUAAAhkFlfLHEZ/sCAAAAAARZWg==")
	check(t, err)
	return b
}
