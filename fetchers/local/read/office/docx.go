package office

import (
	"context"
	"encoding/xml"
	"html"
	"path"
	"slices"
	"strconv"
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
)

// DOCX renders a text document of Word: headings, lists, tables, links and
// notes; what was deleted in tracked changes is left out. What is no such
// document is ErrMalformed.
func DOCX(ctx context.Context, f input.File) (render.Content, error) {
	z, err := input.OpenZip(ctx, f.Path)
	if err != nil {
		return render.Content{}, err
	}
	defer z.Close()
	p := packaged{ctx: ctx, z: z}
	main := p.main("word/document.xml")
	d := &docx{packaged: p, links: p.relations(main)}
	dir := path.Dir(main)
	d.readStyles(path.Join(dir, "styles.xml"))
	d.readNumbering(path.Join(dir, "numbering.xml"))
	d.notes = map[string]string{}
	d.readNotes(path.Join(dir, "footnotes.xml"), "footnote")
	d.readNotes(path.Join(dir, "endnotes.xml"), "endnote")

	part, err := z.Open(main)
	if err != nil {
		return render.Content{}, input.ErrMalformed
	}
	defer part.Close()
	x := input.NewXML(ctx, part, false)
	d.body(x)
	return d.out.content(ctx, p.title(), nil, x.Err())
}

type docx struct {
	packaged
	out    writer
	links  map[string]relation
	styles map[string]style
	lists  map[string][]listLevel // by numId
	counts map[string][]int       // items so far, by numId and level
	notes  map[string]string      // by kind and id
	field  string                 // the instruction of a field that is open
	href   string                 // of the link that is open
}

type style struct {
	heading int // 1 to 6
	code    bool
	quote   bool
	numID   string
	level   int
}

type listLevel struct {
	ordered bool
	start   int
}

func (d *docx) readStyles(part string) {
	d.styles = map[string]style{}
	id, based := "", ""
	d.each(part, func(t xml.StartElement) {
		val := input.Attr(t, "val")
		s := d.styles[id]
		switch t.Name.Local {
		case "style":
			id, based = input.Attr(t, "styleId"), ""
			return
		case "name":
			name := strings.ToLower(val)
			if n, ok := strings.CutPrefix(name, "heading "); ok {
				s.heading, _ = strconv.Atoi(n)
				s.heading = min(s.heading, 6)
			}
			if name == "title" {
				s.heading = 1
			}
			s.code = strings.Contains(name, "preformatted") || strings.Contains(name, "source code") || strings.Contains(name, "code block") || name == "code"
			s.quote = name == "quote" || name == "intense quote" || name == "block text"
		case "basedOn":
			based = val
			if b, ok := d.styles[based]; ok && s.heading == 0 && !strings.EqualFold(based, "Normal") {
				s = b
			}
		case "outlineLvl":
			if n, err := strconv.Atoi(val); err == nil && n < 6 && s.heading == 0 {
				s.heading = n + 1
			}
		case "numId":
			s.numID = val
		case "ilvl":
			s.level, _ = strconv.Atoi(val)
		default:
			return
		}
		if len(d.styles) < 10_000 {
			d.styles[id] = s
		}
	})
}

func (d *docx) readNumbering(part string) {
	d.lists, d.counts = map[string][]listLevel{}, map[string][]int{}
	abstract := map[string][]listLevel{}
	id, num, level := "", "", 0
	d.each(part, func(t xml.StartElement) {
		val := input.Attr(t, "val")
		switch t.Name.Local {
		case "abstractNum":
			id = input.Attr(t, "abstractNumId")
			abstract[id] = make([]listLevel, 9)
		case "lvl":
			level, _ = strconv.Atoi(input.Attr(t, "ilvl"))
		case "start":
			if l := abstract[id]; level >= 0 && level < len(l) {
				l[level].start, _ = strconv.Atoi(val)
			}
		case "numFmt":
			if l := abstract[id]; level >= 0 && level < len(l) {
				l[level].ordered = val != "bullet" && val != "none"
			}
		case "num":
			num = input.Attr(t, "numId")
		case "abstractNumId":
			if len(d.lists) < 10_000 {
				d.lists[num] = abstract[val]
			}
		}
	})
}

func (d *docx) readNotes(part, kind string) {
	rc, err := d.z.Open(part)
	if err != nil {
		return
	}
	defer rc.Close()
	links := d.links
	d.links = d.relations(part)
	defer func() { d.links = links }()
	x := input.NewXML(d.ctx, rc, false)
	size := 0
	for t := range x.Elements() {
		if t.Name.Local != kind {
			continue
		}
		paragraphs, _ := d.cell(x)
		if x.Err() != nil {
			return
		}
		if typ := input.Attr(t, "type"); typ == "" || typ == "normal" {
			text := strings.Join(paragraphs, "<br>")
			if size += len(text); size > render.MaxHTML/2 {
				return
			}
			d.notes[kind+input.Attr(t, "id")] = strings.TrimSpace(text)
		}
	}
}

// body reads the blocks of the document.
func (d *docx) body(x *input.XML) {
	for t := range x.Elements() {
		if d.out.cut {
			return
		}
		switch t.Name.Local {
		case "p":
			d.paragraph(x)
		case "tbl":
			d.table(x)
		case "sectPr", "del", "moveFrom", "Fallback":
			x.Skip()
		}
	}
}

type paragraph struct {
	style
	p     prose
	boxes []string // texts beside it
}

func (d *docx) paragraph(x *input.XML) {
	p, out := &paragraph{}, &d.out
	d.inline(x, p, format{})
	inner := p.p.String()
	switch {
	case p.code:
		out.line(inner)
	case strings.TrimSpace(inner) == "":
	case p.heading > 0:
		out.block("h"+strconv.Itoa(p.heading), inner)
	case p.numID != "" && p.numID != "0":
		out.item(p.level, d.number(p.numID, p.level), inner)
	case p.quote:
		out.block("blockquote", inner)
	default:
		out.block("p", inner)
	}
	for _, b := range p.boxes {
		out.block("p", b)
	}
}

// number is the number of the next item of a list, 0 when it has none.
func (d *docx) number(id string, level int) int {
	levels := d.lists[id]
	if level < 0 || level >= len(levels) || !levels[level].ordered {
		return 0
	}
	if d.counts[id] == nil {
		d.counts[id] = make([]int, len(levels))
		for i, l := range levels {
			d.counts[id][i] = l.start - 1
		}
	}
	counts := d.counts[id]
	counts[level]++
	for i := level + 1; i < len(counts); i++ {
		counts[i] = levels[i].start - 1
	}
	return max(1, counts[level])
}

// inline reads what is in the element that was opened last into p. A run's
// look begins as f.
func (d *docx) inline(x *input.XML, p *paragraph, f format) {
	own, hidden := f, false
	depth := x.Depth()
	for t := range x.Elements() {
		val := input.Attr(t, "val")
		on := val != "0" && val != "false" && val != "none"
		switch t.Name.Local {
		case "pStyle":
			p.style = d.styles[val]
		case "outlineLvl":
			if n, err := strconv.Atoi(val); err == nil && n < 6 {
				p.heading = n + 1
			}
		case "numId":
			p.numID = val
		case "ilvl":
			p.level, _ = strconv.Atoi(val)
		case "r", "ins", "smartTag", "sdt", "sdtContent", "fldSimple", "moveTo", "oMath", "oMathPara":
			d.inline(x, p, f)
		case "hyperlink":
			g := f
			if r := d.links[input.Attr(t, "id")]; isAddress(r.target) {
				g.href = r.target
			}
			d.inline(x, p, g)
		case "b":
			own.bold = on && p.heading == 0
		case "i":
			own.italic = on
		case "strike", "dstrike":
			own.strike = on
		case "vertAlign":
			own.super, own.sub = val == "superscript", val == "subscript"
		case "vanish":
			hidden = on
		case "rPrChange", "pPrChange", "del", "moveFrom", "delText", "Fallback", "sectPr", "rPrIns":
			x.Skip()
		case "instrText":
			d.field += x.Text()
		case "fldChar":
			d.fieldChar(input.Attr(t, "fldCharType"))
		case "t":
			s := x.Text()
			if own.href == "" {
				own.href = d.href
			}
			if !hidden {
				p.p.add(own, s)
			}
		case "tab":
			if x.Depth() == depth+1 { // not a tab stop of the paragraph
				p.p.add(own, " ")
			}
		case "br", "cr":
			if input.Attr(t, "type") == "" || input.Attr(t, "type") == "textWrapping" {
				p.p.markup(lineBreak(p.code))
			}
		case "noBreakHyphen":
			p.p.add(own, "-")
		case "footnoteReference", "endnoteReference":
			kind := strings.TrimSuffix(t.Name.Local, "Reference")
			if text, ok := d.notes[kind+input.Attr(t, "id")]; ok {
				p.p.markup(d.out.note(text))
			}
		case "docPr":
			if s := input.Attr(t, "descr"); s != "" {
				p.p.markup(" " + picture(s) + " ")
			}
		case "txbxContent":
			text, _ := d.cell(x)
			p.boxes = append(p.boxes, text...)
		}
	}
}

// fieldChar follows the parts of a field: its instruction, then its result. The
// one that matters is a link.
func (d *docx) fieldChar(part string) {
	switch part {
	case "begin":
		d.field, d.href = "", ""
	case "separate":
		words := strings.Fields(d.field)
		if i := slices.Index(words, "HYPERLINK"); i >= 0 && i+1 < len(words) {
			if href := strings.Trim(words[i+1], `"`); isAddress(href) {
				d.href = href
			}
		}
		d.field = ""
	case "end":
		d.field, d.href = "", ""
	}
}

func lineBreak(code bool) string {
	if code {
		return "\n"
	}
	return "<br>"
}

// table reads a table. One inside a cell of another is text there.
func (d *docx) table(x *input.XML) {
	var rows [][]cell
	size := 0
	for t := range x.Elements() {
		switch t.Name.Local {
		case "tr":
			rows = append(rows, nil)
		case "del", "moveFrom":
			x.Skip()
		case "tc":
			text, span := d.cell(x)
			c := cell{inner: strings.Join(text, "<br>"), span: span}
			if size += len(c.inner) + cellSize; len(rows) > 0 && size < render.MaxHTML {
				last := len(rows) - 1
				rows[last] = append(rows[last], c)
			}
		}
	}
	d.out.cut = d.out.cut || size >= render.MaxHTML
	d.out.table(rows)
}

// cell reads the paragraphs of a cell, or of another element that was opened
// last, and the columns it spans.
func (d *docx) cell(x *input.XML) (text []string, span int) {
	for t := range x.Elements() {
		switch t.Name.Local {
		case "gridSpan":
			span, _ = strconv.Atoi(input.Attr(t, "val"))
		case "p":
			p := &paragraph{}
			d.inline(x, p, format{})
			inner := strings.TrimSpace(p.p.String())
			if inner != "" && p.numID != "" && p.numID != "0" {
				mark := "• "
				if n := d.number(p.numID, p.level); n > 0 {
					mark = strconv.Itoa(n) + ". "
				}
				inner = html.EscapeString(mark) + inner
			}
			if inner != "" {
				text = append(text, inner)
			}
			text = append(text, p.boxes...)
		case "tbl":
			nested, _ := d.cell(x)
			text = append(text, nested...)
		case "del", "moveFrom", "Fallback":
			x.Skip()
		}
	}
	return text, span
}
