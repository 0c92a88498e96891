package sheet

import (
	"context"
	"encoding/xml"
	"io"
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
	z, err := input.OpenZip(f.Path)
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
	for {
		t, err := o.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			if o.w.sheets == 0 || ctx.Err() != nil {
				return c, err
			}
			o.w.cut = "cut: the file is damaged or too large"
			break
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "style":
			o.style = input.Attr(start, "name")
		case "table-properties":
			o.hidden[o.style] = input.Attr(start, "display") == "false"
		case "tracked-changes":
			err = o.Skip()
		case "table":
			err = o.table(start)
		}
		if err != nil && ctx.Err() != nil {
			return c, context.Cause(ctx)
		}
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
	x := input.NewXML(ctx, strings.NewReader(string(meta)), false)
	for {
		t, err := x.Next()
		if err != nil {
			return ""
		}
		if start, ok := t.(xml.StartElement); ok && start.Name.Local == "title" {
			if t, err := x.Next(); err == nil {
				if text, ok := t.(xml.CharData); ok {
					return termtext.Line(string(text))
				}
			}
			return ""
		}
	}
}

type ods struct {
	*input.XML
	w      writer
	style  string
	hidden map[string]bool // styles of sheets
}

func (o *ods) table(start xml.StartElement) (err error) {
	name := input.Attr(start, "name")
	if o.hidden[input.Attr(start, "style-name")] {
		o.w.hidden = append(o.w.hidden, name)
		return o.Skip()
	}
	if o.w.full() {
		return o.Skip()
	}
	depth := o.Depth()
	o.w.sheet(name, func(row rowFunc) {
		for o.Depth() >= depth {
			var t xml.Token
			if t, err = o.Next(); err != nil {
				return
			}
			start, ok := t.(xml.StartElement)
			if !ok || start.Name.Local != "table-row" {
				continue
			}
			var cells []string
			columns := 0
			if cells, columns, err = o.row(); err != nil {
				return
			}
			for range min(repeated(start, "number-rows-repeated"), maxRepeat) {
				if !row(cells, columns) {
					err = o.rest(depth)
					return
				}
				if len(cells) == 0 {
					break
				}
			}
		}
	})
	return err
}

// rest passes over what is left of the element at depth.
func (o *ods) rest(depth int) error {
	for o.Depth() >= depth {
		if _, err := o.Next(); err != nil {
			return err
		}
	}
	return nil
}

// row reads the cells of one row that are shown, and counts all of them but
// empty ones at its end.
func (o *ods) row() (cells []string, columns int, err error) {
	empty, all := 0, 0
	for depth := o.Depth(); o.Depth() >= depth; {
		t, err := o.Next()
		if err != nil {
			return nil, 0, err
		}
		start, ok := t.(xml.StartElement)
		if !ok || start.Name.Local != "table-cell" && start.Name.Local != "covered-table-cell" {
			continue
		}
		n := min(repeated(start, "number-columns-repeated"), 1<<14)
		text, err := o.text()
		if err != nil {
			return nil, 0, err
		}
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
	return cells, columns, nil
}

// text is what a cell shows.
func (o *ods) text() (string, error) {
	var sb strings.Builder
	for depth := o.Depth(); o.Depth() >= depth; {
		t, err := o.Next()
		if err != nil {
			return "", err
		}
		if sb.Len() > 8*render.MaxCell {
			continue
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "annotation", "table":
				if err := o.Skip(); err != nil {
					return "", err
				}
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
	return strings.TrimSpace(sb.String()), nil
}

func repeated(t xml.StartElement, name string) int {
	n, err := strconv.Atoi(input.Attr(t, name))
	if err != nil || n < 1 {
		return 1
	}
	return n
}
