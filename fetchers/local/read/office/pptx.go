package office

import (
	"context"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
)

// PPTX renders a presentation of PowerPoint: a section for each slide, with its
// number, then its notes. What is no presentation is ErrMalformed.
func PPTX(ctx context.Context, f input.File) (render.Content, error) {
	z, err := input.OpenZip(ctx, f.Path)
	if err != nil {
		return render.Content{}, err
	}
	defer z.Close()
	p := packaged{ctx: ctx, z: z}
	main := p.main("ppt/presentation.xml")
	if !z.Has(main) {
		return render.Content{}, input.ErrMalformed
	}
	rels := p.relations(main)
	var slides []string
	p.each(main, func(t xml.StartElement) {
		if t.Name.Local != "sldId" {
			return
		}
		for _, a := range t.Attr {
			if r, ok := rels[a.Value]; ok && a.Name.Local == "id" && a.Name.Space != "" && r.kind == "slide" {
				slides = append(slides, r.target)
			}
		}
	})
	var out writer
	var last error
	for i, part := range slides {
		s := &slide{packaged: p, links: p.relations(part)}
		if err := s.read(part); err != nil {
			if ctx.Err() != nil {
				return render.Content{}, context.Cause(ctx)
			}
			last = err
		}
		s.write(&out, i+1)
		for _, r := range s.links {
			if r.kind == "notesSlide" {
				n := &slide{packaged: p, links: p.relations(r.target)}
				if err := n.read(r.target); err == nil {
					writeNotes(&out, n.notes())
				}
				break
			}
		}
		if out.cut {
			break
		}
	}
	return out.content(ctx, p.title(), []string{render.Plural(len(slides), "slide")}, last)
}

// writeSlide writes the heading of a slide.
func writeSlide(out *writer, n int, title string, hidden bool) {
	h := fmt.Sprintf("Slide %d", n)
	if hidden {
		h += " (hidden)"
	}
	if strings.TrimSpace(title) != "" {
		h += ": "
	}
	out.block("h2", h+strings.ReplaceAll(title, "<br>", " "))
}

func writeNotes(out *writer, paragraphs []string) {
	if len(paragraphs) > 0 {
		out.block("p", "Notes:")
		out.block("blockquote", "<p>"+strings.Join(paragraphs, "</p><p>")+"</p>")
	}
}

// shape is a text, a table or a picture on a slide.
type shape struct {
	kind string // of its placeholder: title, body, sldNum, …
	text []line
	rows [][]cell
}

type line struct {
	inner  string
	level  int
	bullet bool
}

type slide struct {
	packaged
	links  map[string]relation
	hidden bool
	shapes []shape
	size   int
}

func (s *slide) read(part string) error {
	rc, err := s.z.Open(part)
	if err != nil {
		return input.ErrMalformed
	}
	defer rc.Close()
	x := input.NewXML(s.ctx, rc, false)
	for t := range x.Elements() {
		switch t.Name.Local {
		case "sld":
			s.hidden = input.Attr(t, "show") == "0"
		case "sp", "graphicFrame":
			s.shape(x)
		case "cNvPr":
			if d := input.Attr(t, "descr"); d != "" {
				s.shapes = append(s.shapes, shape{text: []line{{inner: picture(d)}}})
			}
		case "Fallback":
			x.Skip()
		}
		if s.size >= render.MaxHTML {
			break
		}
	}
	return x.Err()
}

// shape reads the shape that was opened last.
func (s *slide) shape(x *input.XML) {
	sh := shape{}
	for t := range x.Elements() {
		switch t.Name.Local {
		case "ph":
			if sh.kind = input.Attr(t, "type"); sh.kind == "" {
				sh.kind = "body"
			}
		case "p":
			if l := s.paragraph(x); l.inner != "" {
				sh.text = append(sh.text, l)
			}
		case "tr":
			sh.rows = append(sh.rows, nil)
		case "tc":
			c := s.cell(x, t)
			if n := len(sh.rows); n > 0 {
				sh.rows[n-1] = append(sh.rows[n-1], c)
			}
		case "Fallback":
			x.Skip()
		}
	}
	if x.Err() == nil {
		s.shapes = append(s.shapes, sh)
	}
}

func (s *slide) cell(x *input.XML, start xml.StartElement) cell {
	c := cell{}
	c.span, _ = strconv.Atoi(input.Attr(start, "gridSpan"))
	if input.Attr(start, "hMerge") == "1" {
		x.Skip()
		return c
	}
	var paragraphs []string
	for t := range x.Elements() {
		if t.Name.Local != "p" {
			continue
		}
		if l := s.paragraph(x); l.inner != "" {
			paragraphs = append(paragraphs, l.inner)
		}
	}
	c.inner = strings.Join(paragraphs, "<br>")
	return c
}

func (s *slide) paragraph(x *input.XML) line {
	l := line{bullet: true}
	var p prose
	var f format
	for t := range x.Elements() {
		switch t.Name.Local {
		case "pPr":
			l.level, _ = strconv.Atoi(input.Attr(t, "lvl"))
		case "buNone":
			l.bullet = false
		case "r", "fld":
			f = format{}
		case "rPr":
			b, i, strike := input.Attr(t, "b"), input.Attr(t, "i"), input.Attr(t, "strike")
			f.bold, f.italic, f.strike = b == "1" || b == "true", i == "1" || i == "true", strike != "" && strike != "noStrike"
		case "hlinkClick":
			if r := s.links[input.Attr(t, "id")]; isAddress(r.target) {
				f.href = r.target
			}
		case "br":
			p.markup("<br>")
		case "t":
			p.add(f, x.Text())
		}
	}
	l.inner = strings.TrimSpace(p.String())
	s.size += len(l.inner)
	return l
}

func (s *slide) write(out *writer, n int) {
	title := -1
	for i, sh := range s.shapes {
		if (sh.kind == "title" || sh.kind == "ctrTitle") && len(sh.text) > 0 {
			title = i
			break
		}
	}
	if title >= 0 {
		writeSlide(out, n, joined(s.shapes[title].text), s.hidden)
	} else {
		writeSlide(out, n, "", s.hidden)
	}
	for i, sh := range s.shapes {
		if i == title || sh.kind == "sldNum" || sh.kind == "dt" || sh.kind == "ftr" {
			continue
		}
		if len(sh.rows) > 0 {
			out.table(sh.rows)
			continue
		}
		list := sh.kind == "body" && len(sh.text) > 1
		for _, l := range sh.text {
			if list && l.bullet || l.level > 0 {
				out.item(l.level, 0, l.inner)
			} else {
				out.block("p", l.inner)
			}
		}
		out.closeTo(0)
	}
}

func joined(lines []line) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.inner)
	}
	return strings.Join(all, " ")
}

// notes are the paragraphs of a slide of notes.
func (s *slide) notes() []string {
	var all []string
	for _, sh := range s.shapes {
		if sh.kind == "body" {
			for _, l := range sh.text {
				all = append(all, l.inner)
			}
		}
	}
	return all
}
