package sheet

import (
	"bytes"
	"context"
	"encoding/xml"
	"strconv"
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

// maxRepeat is how often a row or a cell is repeated at most. What is repeated
// more often fills the sheet with nothing.
const maxRepeat = render.MaxRows + 1

// ODS renders an OpenDocument spreadsheet. What is none is ErrMalformed.
func ODS(ctx context.Context, f input.File) (c render.Content, err error) {
	z, err := input.OpenZip(ctx, f.Path)
	if err != nil {
		return c, err
	}
	defer z.Close()
	part, err := z.Open("content.xml")
	if err != nil {
		return c, input.ErrMalformed
	}
	defer part.Close()
	o := ods{XML: input.NewXML(ctx, part, false), hidden: map[string]bool{}}
	for t := range o.Elements() {
		switch t.Name.Local {
		case "style":
			o.style = input.Attr(t, "name")
		case "table-properties":
			o.hidden[o.style] = input.Attr(t, "display") == "false"
		case "tracked-changes":
			o.Skip()
		case "table":
			o.table(t)
		}
	}
	if err := o.Err(); err != nil {
		if o.w.sheets == 0 || ctx.Err() != nil {
			return c, err
		}
		o.w.cut = "cut: the file is damaged or too large"
	}
	if c, err = o.w.content(); err != nil {
		return c, err
	}
	if meta, err := z.Read("meta.xml", 1<<20); err == nil && meta != nil {
		c.Title = title(ctx, meta)
	}
	return c, nil
}

func title(ctx context.Context, meta []byte) string {
	x := input.NewXML(ctx, bytes.NewReader(meta), false)
	for t := range x.Elements() {
		if t.Name.Local == "title" {
			return termtext.Line(x.Text())
		}
	}
	return ""
}

type ods struct {
	*input.XML
	w      writer
	style  string
	hidden map[string]bool // styles of sheets
}

func (o *ods) table(start xml.StartElement) {
	name := input.Attr(start, "name")
	if o.hidden[input.Attr(start, "style-name")] {
		o.w.hidden = append(o.w.hidden, name)
		o.Skip()
		return
	}
	if o.w.full() {
		o.Skip()
		return
	}
	o.w.sheet(name, func(row rowFunc) {
		full := false
		for t := range o.Elements() {
			if full || t.Name.Local != "table-row" {
				continue
			}
			cells, columns := o.row()
			if o.Err() != nil {
				return
			}
			for range min(repeated(t, "number-rows-repeated"), maxRepeat) {
				if full = !row(cells, columns); full || len(cells) == 0 {
					break
				}
			}
		}
	})
}

// row reads the cells of one row that are shown, and counts all of them but
// empty ones at its end.
func (o *ods) row() (cells []string, columns int) {
	empty, all := 0, 0
	for t := range o.Elements() {
		if t.Name.Local != "table-cell" && t.Name.Local != "covered-table-cell" {
			continue
		}
		n := min(repeated(t, "number-columns-repeated"), 1<<14)
		text := o.text()
		all += n
		if text == "" {
			empty += n
			continue
		}
		for range min(empty, render.MaxColumns-len(cells)) {
			cells = append(cells, "")
		}
		empty = 0
		for range min(n, render.MaxColumns-len(cells)) {
			cells = append(cells, text)
		}
		columns = all
	}
	return cells, columns
}

// text is what a cell shows.
func (o *ods) text() string {
	var sb strings.Builder
	depth := o.Depth()
	for t := range o.Tokens() {
		if sb.Len() > 8*render.MaxCell {
			continue
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "annotation", "table":
				o.Skip()
			case "p", "line-break":
				if sb.Len() > 0 {
					sb.WriteByte('\n')
				}
			case "s", "tab":
				sb.WriteByte(' ')
			}
		case xml.CharData:
			if o.Depth() > depth { // not the white space between paragraphs
				sb.WriteString(string(t))
			}
		}
	}
	return strings.TrimSpace(sb.String())
}

func repeated(t xml.StartElement, name string) int {
	n, err := strconv.Atoi(input.Attr(t, name))
	if err != nil || n < 1 {
		return 1
	}
	return n
}
