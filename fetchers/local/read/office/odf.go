package office

import (
	"context"
	"encoding/xml"
	"strconv"
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
)

// ODF renders an OpenDocument text or presentation. What is none is
// ErrMalformed.
func ODF(ctx context.Context, f input.File) (render.Content, error) {
	z, err := input.OpenZip(ctx, f.Path)
	if err != nil {
		return render.Content{}, err
	}
	defer z.Close()
	d := &odf{out: &writer{}, looks: map[string]look{}, ordered: map[string][]bool{}, hidden: map[string]bool{}}
	if part, err := z.Open("styles.xml"); err == nil {
		d.x = input.NewXML(ctx, part, false)
		d.document() // names of styles; without them a text is only plainer
		d.out, d.slides = &writer{}, 0
		part.Close()
	}
	part, err := z.Open("content.xml")
	if err != nil {
		return render.Content{}, input.ErrMalformed
	}
	defer part.Close()
	d.x = input.NewXML(ctx, part, false)
	d.inContent = true
	d.document()
	var facts []string
	if d.slides > 0 {
		facts = []string{render.Plural(d.slides, "slide")}
	}
	return d.out.content(ctx, textOf(ctx, z, "meta.xml", "title"), facts, d.x.Err())
}

// look is what a style does to a text.
type look struct {
	format
	parent string
}

type odf struct {
	x         *input.XML
	out       *writer
	inContent bool
	style     string
	looks     map[string]look
	ordered   map[string][]bool // by style of list and level
	slides    int
	hidden    map[string]bool // styles of slides
}

// document reads a whole part.
func (d *odf) document() {
	for t := range d.x.Elements() {
		switch t.Name.Local {
		case "body":
			if d.inContent {
				d.blocks()
			}
			return
		case "master-styles":
			d.x.Skip()
		default:
			d.readStyle(t)
		}
	}
}

func (d *odf) readStyle(t xml.StartElement) {
	if len(d.looks)+len(d.ordered) > 20_000 {
		return
	}
	switch t.Name.Local {
	case "style":
		d.style = input.Attr(t, "name")
		d.looks[d.style] = look{parent: input.Attr(t, "parent-style-name")}
	case "list-style":
		d.style = input.Attr(t, "name")
	case "text-properties":
		l := d.looks[d.style]
		l.bold = input.Attr(t, "font-weight") == "bold"
		l.italic = input.Attr(t, "font-style") == "italic"
		s := input.Attr(t, "text-line-through-style")
		l.strike = s != "" && s != "none"
		position := input.Attr(t, "text-position")
		l.super, l.sub = strings.HasPrefix(position, "super"), strings.HasPrefix(position, "sub")
		d.looks[d.style] = l
	case "drawing-page-properties":
		d.hidden[d.style] = input.Attr(t, "visibility") == "hidden"
	case "list-level-style-number", "list-level-style-bullet":
		level, err := strconv.Atoi(input.Attr(t, "level"))
		if err != nil || level < 1 || level > 20 {
			return
		}
		levels := d.ordered[d.style]
		for len(levels) < level {
			levels = append(levels, false)
		}
		levels[level-1] = t.Name.Local == "list-level-style-number"
		d.ordered[d.style] = levels
	}
}

// isCode reports whether a paragraph's style, or one it is made from, is that
// of preformatted text.
func (d *odf) isCode(style string) bool {
	for range 10 {
		name := strings.ToLower(style)
		if strings.Contains(name, "preformatted") || strings.Contains(name, "source_20_code") || strings.Contains(name, "sourcecode") {
			return true
		}
		if style = d.looks[style].parent; style == "" {
			return false
		}
	}
	return false
}

// isTitle reports whether a paragraph is the title of the document.
func (d *odf) isTitle(style string) bool {
	return style == "Title" || d.looks[style].parent == "Title"
}

// blocks reads the blocks of the element that was opened last.
func (d *odf) blocks() {
	for t := range d.x.Elements() {
		if d.out.cut {
			return
		}
		d.block(t)
	}
}

func (d *odf) block(t xml.StartElement) {
	switch t.Name.Local {
	case "h":
		level, _ := strconv.Atoi(input.Attr(t, "outline-level"))
		inner, boxes := d.inline(format{})
		d.out.block("h"+strconv.Itoa(min(max(1, level), 6)), inner)
		d.boxes(boxes)
	case "p":
		style := input.Attr(t, "style-name")
		inner, boxes := d.inline(format{})
		switch {
		case d.isCode(style):
			d.out.line(inner)
		case d.isTitle(style):
			d.out.block("h1", inner)
		default:
			d.out.block("p", inner)
		}
		d.boxes(boxes)
	case "list":
		d.list(input.Attr(t, "style-name"), 0)
		d.out.closeTo(0)
	case "table":
		d.table()
	case "page":
		d.slide(t)
	case "tracked-changes", "sequence-decls", "forms", "table-of-content", "alphabetical-index", "settings":
		d.x.Skip()
	case "title", "desc": // of a picture
		d.out.block("p", picture(d.x.Text()))
	}
}

func (d *odf) boxes(boxes []string) {
	for _, b := range boxes {
		d.out.block("p", b)
	}
}

// list reads a list at a level from 0.
func (d *odf) list(style string, level int) {
	ordered := false
	if levels := d.ordered[style]; level < len(levels) {
		ordered = levels[level]
	}
	number := 0
	for t := range d.x.Elements() {
		if t.Name.Local != "list-item" && t.Name.Local != "list-header" {
			continue
		}
		if ordered {
			number++
			if n, err := strconv.Atoi(input.Attr(t, "start-value")); err == nil && n > 0 {
				number = n
			}
		}
		d.item(style, level, number)
	}
}

func (d *odf) item(style string, level, number int) {
	open := false
	add := func(inner string) {
		switch {
		case strings.TrimSpace(inner) == "":
		case open:
			d.out.write("<p>" + inner + "</p>")
		default:
			d.out.item(level, number, inner)
			open = true
		}
	}
	for t := range d.x.Elements() {
		switch t.Name.Local {
		case "p", "h":
			inner, boxes := d.inline(format{})
			add(inner)
			for _, b := range boxes {
				add(b)
			}
		case "list":
			inner := style
			if s := input.Attr(t, "style-name"); s != "" {
				inner = s
			}
			d.list(inner, level+1)
		case "table":
			d.table()
		}
	}
}

func (d *odf) table() {
	var rows [][]cell
	size := 0
	for t := range d.x.Elements() {
		switch t.Name.Local {
		case "table-row":
			rows = append(rows, nil)
		case "table-cell":
			c := cell{}
			c.span, _ = strconv.Atoi(input.Attr(t, "number-columns-spanned"))
			if c.inner = d.cellText(); d.x.Err() != nil {
				break
			}
			repeat, _ := strconv.Atoi(input.Attr(t, "number-columns-repeated"))
			for range min(max(1, repeat), render.MaxColumns) {
				if size += len(c.inner) + cellSize; len(rows) > 0 && size < render.MaxHTML {
					rows[len(rows)-1] = append(rows[len(rows)-1], c)
				}
			}
			d.out.cut = d.out.cut || size >= render.MaxHTML
		}
	}
	d.out.table(rows)
}

// cellText reads the paragraphs of the element that was opened last. What an
// error cuts off is "".
func (d *odf) cellText() string {
	var all []string
	for t := range d.x.Elements() {
		switch t.Name.Local {
		case "p", "h":
			inner, boxes := d.inline(format{})
			if inner = strings.TrimSpace(inner); inner != "" {
				all = append(all, inner)
			}
			all = append(all, boxes...)
		case "title", "desc":
			if s := picture(d.x.Text()); s != "" {
				all = append(all, s)
			}
		}
	}
	if d.x.Err() != nil {
		return ""
	}
	return strings.Join(all, "<br>")
}

// inline reads what is in the element that was opened last, with the texts
// beside it.
func (d *odf) inline(f format) (inner string, boxes []string) {
	var p prose
	d.inlineTo(&p, &boxes, f)
	return p.String(), boxes
}

func (d *odf) inlineTo(p *prose, boxes *[]string, f format) {
	for t := range d.x.Tokens() {
		switch t := t.(type) {
		case xml.CharData:
			if s := string(t); s != "" {
				p.add(f, s)
			}
		case xml.StartElement:
			switch t.Name.Local {
			case "span":
				g := d.looks[input.Attr(t, "style-name")].format
				g.bold, g.italic, g.strike = g.bold || f.bold, g.italic || f.italic, g.strike || f.strike
				g.href = f.href
				d.inlineTo(p, boxes, g)
			case "a":
				g := f
				if href := input.Attr(t, "href"); isAddress(href) {
					g.href = href
				}
				d.inlineTo(p, boxes, g)
			case "s":
				n, _ := strconv.Atoi(input.Attr(t, "c"))
				p.add(f, strings.Repeat(" ", min(max(1, n), 200)))
			case "tab":
				p.add(f, "\t")
			case "line-break":
				p.markup("<br>")
			case "note":
				d.note(p)
			case "annotation", "tracked-changes", "change", "change-start", "change-end", "ruby-text", "hidden-text":
				d.x.Skip()
			case "text-box":
				if s := d.cellText(); s != "" {
					*boxes = append(*boxes, s)
				}
			case "title", "desc":
				if t.Name.Space == "svg" {
					p.markup(picture(d.x.Text()))
				} else {
					d.inlineTo(p, boxes, f)
				}
			}
		}
	}
}

func (d *odf) note(p *prose) {
	for t := range d.x.Elements() {
		switch t.Name.Local {
		case "note-citation":
			d.x.Skip()
		case "note-body":
			if s := d.cellText(); d.x.Err() == nil {
				p.markup(d.out.note(s))
			}
		}
	}
}

// slide reads a page of a presentation.
func (d *odf) slide(t xml.StartElement) {
	d.slides++
	n := d.slides
	// The title can come after other shapes; the body is written aside.
	outer := d.out
	d.out = &writer{notes: outer.notes, aside: true, total: outer.total + outer.sb.Len()}
	title, notes := d.shapes()
	d.out.closeTo(0)
	body := d.out.sb.String()
	outer.notes, outer.cut = d.out.notes, outer.cut || d.out.cut
	d.out = outer
	writeSlide(d.out, n, title, d.hidden[input.Attr(t, "style-name")])
	d.out.write(body)
	writeNotes(d.out, notes)
}

func (d *odf) shapes() (title string, notes []string) {
	for t := range d.x.Elements() {
		switch {
		case t.Name.Local == "notes":
			if s := d.cellText(); s != "" {
				notes = append(notes, s)
			}
		case t.Name.Local == "frame" && input.Attr(t, "class") == "title" && title == "":
			title = d.cellText()
		default:
			d.block(t)
		}
	}
	return title, notes
}
