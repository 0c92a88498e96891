package render

import (
	"strings"

	"pifetch/internal/termtext"
)

// The bounds of one table. More of the file is counted and not shown.
const (
	MaxRows    = 1000
	MaxColumns = 100
	MaxCell    = 1000 // characters
)

// Table gathers the rows of one table, as many as are shown, and counts all.
// The first row is its header.
type Table struct {
	Rows    int  // all rows, the header not counted
	Columns int  // of the widest row
	More    bool // there are rows that were not counted
	Short   bool // a row was cut before it came here

	header []string
	rows   [][]string
	clips  bool // a cell was cut
}

// Header sets the header row.
func (t *Table) Header(cells []string) { t.header = t.take(cells, len(cells)) }

// Row adds a row of cells in the table's order. columns is how many cells the
// row has in the file, when that is more.
func (t *Table) Row(cells []string, columns int) {
	t.Rows++
	t.Columns = max(t.Columns, len(cells), columns)
	if len(t.rows) < MaxRows {
		t.rows = append(t.rows, t.take(cells, columns))
	}
}

// Full reports whether the next row will only be counted.
func (t *Table) Full() bool { return len(t.rows) >= MaxRows }

func (t *Table) take(cells []string, columns int) []string {
	t.Columns = max(t.Columns, len(cells), columns)
	row := make([]string, min(len(cells), MaxColumns))
	for i := range row {
		c := Clip(cells[i], MaxCell)
		t.clips = t.clips || len(c) < len(cells[i])
		row[i] = Cell(c)
	}
	return row
}

// Facts are the size of the table.
func (t *Table) Facts() []string {
	rows := Plural(t.Rows, "row")
	if t.More {
		rows = "over " + rows
	}
	return []string{rows, Plural(t.Columns, "column")}
}

// Write appends the table, and a note when it is not all of it. It reports
// what the note says, "" for a whole table.
func (t *Table) Write(b *Builder) (cut string) {
	width := min(t.Columns, MaxColumns)
	if width == 0 {
		return ""
	}
	shown := 0
	if b.Add("\n"+line(t.header, width)) && b.Add("|"+strings.Repeat("---|", width)+"\n") {
		for _, r := range t.rows {
			if !b.Add(line(r, width)) {
				break
			}
			shown++
		}
	}
	var notes []string
	if t.More {
		notes = append(notes, "first "+Plural(shown, "row"))
	} else if shown < t.Rows {
		notes = append(notes, "first "+termtext.Count(shown)+" of "+Plural(t.Rows, "row"))
	}
	if width < t.Columns {
		notes = append(notes, "first "+termtext.Count(width)+" of "+Plural(t.Columns, "column"))
	}
	if t.Short {
		notes = append(notes, "long rows cut")
	}
	if t.clips {
		notes = append(notes, "cells over "+Plural(MaxCell, "character")+" cut")
	}
	if len(notes) == 0 {
		return ""
	}
	cut = "cut: " + strings.Join(notes, ", ")
	b.Note(strings.ToUpper(cut[:1]) + cut[1:] + "; the file has them all")
	return cut
}

func line(cells []string, width int) string {
	var sb strings.Builder
	sb.WriteByte('|')
	for i := range width {
		if i < len(cells) && cells[i] != "" {
			sb.WriteString(" " + cells[i])
		}
		sb.WriteString(" |")
	}
	sb.WriteByte('\n')
	return sb.String()
}

var cells = strings.NewReplacer(`\|`, `\\\|`, "|", `\|`, "\n", "<br>", "\t", " ")

// Cell is s as the content of one table cell.
func Cell(s string) string {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '|' || c >= 0x7f {
			plain = false
			break
		}
	}
	if !plain {
		s = cells.Replace(strings.TrimSpace(termtext.Text(s)))
	}
	return strings.TrimSpace(s)
}
