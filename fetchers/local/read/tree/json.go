// Package tree reads JSON and XML: records as a table, anything else as an
// outline of its keys or elements.
package tree

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

// The bounds of what is rendered.
const (
	maxBytes  = 16 << 20 // of a file
	maxLine   = 1 << 20  // of JSON lines
	maxDepth  = 200
	maxValues = 120_000 // held at once; a table shows 100,000
	maxText   = 20_000  // bytes of one value
	maxLines  = 20_000  // of an outline
	inline    = 120     // characters of a list on one line
)

// JSON renders a JSON document. Records, the document itself, its lines or
// lists at the first level of it, become tables with the union of their keys.
// Anything that is no JSON is ErrMalformed, a document too large or nested too
// deep ErrTooLarge.
func JSON(ctx context.Context, f input.File) (render.Content, error) {
	text, err := f.OpenText(ctx)
	if err != nil {
		return render.Content{}, err
	}
	defer text.Close()
	if text.Size > maxBytes {
		if looksLikeLines(ctx, f) {
			return JSONLines(ctx, f)
		}
		return render.Content{}, input.ErrTooLarge
	}
	d := newDecoder(text)
	root, err := d.document()
	if err != nil {
		return render.Content{}, err
	}
	if _, err := d.dec.Token(); err != io.EOF {
		return JSONLines(ctx, f)
	}
	return finish(root, text.Charset)
}

// JSONLines renders a file of one JSON value a line. Lines that are none are
// counted; when they are the most, the file is ErrMalformed.
func JSONLines(ctx context.Context, f input.File) (render.Content, error) {
	text, err := f.OpenText(ctx)
	if err != nil {
		return render.Content{}, err
	}
	defer text.Close()
	root := &value{kind: '['}
	r := bufio.NewReaderSize(text, 64<<10)
	bad, budget := 0, maxValues
	for {
		full := len(root.items) >= render.MaxRows || budget <= 0
		line, long, err := readLine(r, full)
		if len(bytes.TrimSpace(line)) > 0 || long {
			switch {
			case full:
				root.more++
			case long:
				bad++
			default:
				d := newDecoder(bytes.NewReader(line))
				d.budget = budget
				v, err := d.document()
				if err == nil {
					_, err = d.dec.Token()
				}
				if err != io.EOF {
					bad++
				} else {
					root.items = append(root.items, v)
				}
				budget = d.budget
			}
		}
		if err == io.EOF {
			break
		} else if err != nil {
			return render.Content{}, err
		}
	}
	if bad >= len(root.items) {
		return render.Content{}, input.ErrMalformed
	}
	c, err := finish(root, text.Charset)
	if err == nil && bad > 0 {
		c.Facts = append(c.Facts, render.Plural(bad, "line")+" without a value")
	}
	return c, err
}

// readLine reads a line. Of one that is not wanted it returns some byte, and
// it says of one that is too long to be wanted that it is.
func readLine(r *bufio.Reader, skip bool) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		switch {
		case long:
		case skip && len(line) > 0:
		case len(line)+len(part) > maxLine:
			long, line = true, nil
		default:
			line = append(line, bytes.TrimSpace(part)...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// looksLikeLines reports whether the first two lines are values of their own.
func looksLikeLines(ctx context.Context, f input.File) bool {
	text, err := f.OpenText(ctx)
	if err != nil {
		return false
	}
	defer text.Close()
	r := bufio.NewReader(text)
	for range 2 {
		line, long, err := readLine(r, false)
		if long || err != nil || !json.Valid(line) {
			return false
		}
	}
	return true
}

// finish renders a document. A scalar has nothing to add to the file.
func finish(root *value, charset string) (c render.Content, err error) {
	var b render.Builder
	o := outline{b: &b}
	var cuts []string
	addTable := func(t *render.Table) {
		if cut := t.Write(&b); cut != "" && len(cuts) == 0 {
			cuts = append(cuts, cut)
		}
	}
	switch {
	case root.isRecords():
		t := records(root)
		c.Facts = t.Facts()
		addTable(t)
	case root.kind == '{':
		// Lists of records come last, each as a table of its own.
		rest, lists := split(root)
		o.children(rest, 0)
		o.finish()
		for i, list := range lists.items {
			b.Add(render.Heading(2, lists.keys[i]))
			t := records(list)
			if i < maxFacts {
				c.Facts = append(c.Facts, render.Clip(termtext.Line(lists.keys[i]), 40)+": "+render.Plural(t.Rows, "row"))
			}
			addTable(t)
		}
	case root.kind == '[' && len(root.items) > 0:
		c.Facts = []string{render.Plural(len(root.items)+root.more, "item")}
		o.children(root, 0)
		o.finish()
	}
	if charset != input.UTF8 {
		c.Facts = append(c.Facts, "charset "+charset)
	}
	if o.cut() {
		cuts = append(cuts, o.reason())
	} else if b.IsCut() && len(cuts) == 0 {
		cuts = append(cuts, "cut: too large to render whole")
	}
	c.Facts = append(c.Facts, cuts...)
	c.Markdown = b.String()
	return c, nil
}

// maxFacts is how many lists the facts count the rows of.
const maxFacts = 5

// split separates an object's lists of records from the rest of it.
func split(root *value) (rest, lists *value) {
	rest, lists = &value{kind: '{', more: root.more}, &value{kind: '{'}
	for i, item := range root.items {
		to := rest
		if item.isRecords() {
			to = lists
		}
		to.keys, to.items = append(to.keys, root.keys[i]), append(to.items, item)
	}
	return rest, lists
}

// records is a list of objects as a table with the union of their keys, in
// the order in which they first come.
func records(list *value) *render.Table {
	var t render.Table
	index := map[string]int{}
	var header []string
	for _, r := range list.items {
		for _, key := range r.keys {
			if _, ok := index[key]; !ok {
				index[key] = len(header)
				header = append(header, key)
			}
		}
	}
	t.Header(header)
	for _, r := range list.items {
		row := make([]string, min(len(header), render.MaxColumns))
		for i, key := range r.keys {
			if at := index[key]; at < len(row) {
				row[at] = r.items[i].cell()
			}
		}
		t.Row(row, len(row))
		t.Short = t.Short || r.more > 0
	}
	t.Rows += list.more
	return &t
}

// children writes the items of v as a list.
func (o *outline) children(v *value, depth int) {
	for i, item := range v.items {
		name := strconv.Itoa(i + 1)
		if v.kind == '{' {
			name = termtext.Line(v.keys[i])
		}
		o.clipped = o.clipped || item.cut
		if text, ok := item.short(); ok {
			if v.kind == '{' {
				text = name + ": " + text
			}
			o.line(depth, text)
			continue
		}
		o.line(depth, name+":")
		o.children(item, depth+1)
	}
	if v.more > 0 {
		o.missing = true
		o.line(depth, "… "+render.Plural(v.more, "more item"))
	}
}
