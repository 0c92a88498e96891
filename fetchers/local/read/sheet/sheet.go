package sheet

import (
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

// writer gathers the sheets of a workbook.
type writer struct {
	b      render.Builder
	sheets int
	rows   int  // headers counted in
	more   bool // of one sheet, rows were not counted
	hidden []string
	left   int // sheets that are not shown
	cut    string
}

// full reports whether the next sheet is only counted.
func (w *writer) full() bool {
	if w.sheets >= maxSheets || w.b.IsCut() {
		w.sheets++
		w.left++
		return true
	}
	return false
}

// rowFunc takes the cells of a row, or the first of its columns, and reports
// whether it wants another.
type rowFunc func(cells []string, columns int) bool

// sheet writes one sheet. each calls its argument for each row from the top,
// until that reports that it has seen enough. Empty rows are left out.
func (w *writer) sheet(name string, each func(row rowFunc)) {
	w.sheets++
	var t render.Table
	first, visited := true, 0
	each(func(cells []string, columns int) bool {
		for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
			visited++
			if columns == len(cells) {
				columns--
			}
			cells = cells[:len(cells)-1]
		}
		visited += len(cells) + 1
		switch {
		case len(cells) > 0 && t.Full(), visited > maxVisited:
			t.More = true
			return false
		case len(cells) == 0:
		case first:
			t.Header(cells)
			t.Columns = max(t.Columns, columns)
			first = false
		default:
			t.Row(cells, columns)
		}
		return true
	})
	if w.rows += t.Rows; !first {
		w.rows++
	}
	w.more = w.more || t.More
	w.b.Add(render.Heading(2, name))
	if first {
		w.b.Add("\n(empty)\n")
	}
	if cut := t.Write(&w.b); cut != "" && w.cut == "" {
		w.cut = cut
	}
}

// content is the workbook. One without sheets is ErrMalformed.
func (w *writer) content() (render.Content, error) {
	if w.sheets+len(w.hidden) == 0 {
		return render.Content{}, input.ErrMalformed
	}
	rows := render.Plural(w.rows, "row")
	if w.more {
		rows = "over " + rows
	}
	c := render.Content{Facts: []string{render.Plural(w.sheets+len(w.hidden), "sheet"), rows}}
	if len(w.hidden) > 0 {
		names := w.hidden
		if len(names) > 20 {
			names = append(names[:20:20], "…")
		}
		hidden := "hidden: " + render.Clip(termtext.Line(strings.Join(names, ", ")), 400)
		c.Facts = append(c.Facts, hidden)
		w.b.Add("\nSheets that are " + render.Text(hidden) + "\n")
	}
	if w.left > 0 {
		w.cut = "cut: " + render.Plural(w.left, "sheet") + " left out"
		w.b.Note(strings.ToUpper(w.cut[:1]) + w.cut[1:] + "; the file has them all")
	}
	if w.cut != "" {
		c.Facts = append(c.Facts, w.cut)
	}
	c.Markdown = w.b.String()
	return c, nil
}
