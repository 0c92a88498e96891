package tree

import (
	"context"
	"encoding/xml"
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

// XML renders a document as the outline of its elements, attributes as @name.
// What its DTD declares is not looked at. A document that is not well-formed
// is ErrMalformed, one too large or nested too deep ErrTooLarge.
func XML(ctx context.Context, f input.File) (render.Content, error) {
	text, err := f.OpenText(ctx)
	if err != nil {
		return render.Content{}, err
	}
	defer text.Close()
	if text.Size > maxBytes {
		return render.Content{}, input.ErrTooLarge
	}
	var b render.Builder
	w := xmlWriter{outline: outline{b: &b}}
	x := input.NewXML(ctx, text, true)
	for t := range x.Tokens() {
		switch t := t.(type) {
		case xml.StartElement:
			w.open(x.Depth()-1, t)
		case xml.EndElement:
			w.close(x.Depth())
		case xml.CharData:
			if x.Depth() > 0 {
				w.text.Write(t)
			}
		}
	}
	if err := x.Err(); err != nil {
		return render.Content{}, err
	}
	if w.root == "" {
		return render.Content{}, input.ErrMalformed
	}
	w.finish()
	c := render.Content{Markdown: b.String(), Facts: []string{"root " + render.Clip(termtext.Line(w.root), 60), render.Plural(w.elements, "element")}}
	if text.Charset != input.UTF8 {
		c.Facts = append(c.Facts, "charset "+text.Charset)
	}
	if w.cut() {
		c.Facts = append(c.Facts, w.reason())
	}
	return c, nil
}

// xmlWriter writes an element when it knows what is in it: one with a text
// and nothing else stands on one line.
type xmlWriter struct {
	outline
	root     string
	elements int

	pending *xml.StartElement
	text    strings.Builder
}

func (w *xmlWriter) open(depth int, t xml.StartElement) {
	if w.root == "" {
		w.root = input.Qualified(t.Name)
	}
	w.elements++
	w.flush(depth-1, false)
	t = t.Copy()
	w.pending = &t
}

func (w *xmlWriter) close(depth int) { w.flush(depth, true) }

// flush writes the element that is pending at depth and the text after it. A
// text that is all its element has joins it; other text is an item of its own.
func (w *xmlWriter) flush(depth int, ends bool) {
	text := termtext.Line(w.text.String())
	w.text.Reset()
	if len(text) > maxText {
		text, w.clipped = render.Shorten(text, maxText), true
	}
	if p := w.pending; p != nil {
		w.pending = nil
		name := termtext.Line(input.Qualified(p.Name))
		if ends && text != "" {
			name, text = name+": "+text, ""
		}
		w.line(depth, name)
		for _, a := range p.Attr {
			value := termtext.Line(a.Value)
			if len(value) > maxText {
				value, w.clipped = render.Shorten(value, maxText), true
			}
			w.line(depth+1, "@"+termtext.Line(input.Qualified(a.Name))+": "+value)
		}
	}
	if text != "" {
		w.line(depth+1, text)
	}
}
