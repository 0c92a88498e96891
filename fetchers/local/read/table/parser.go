package table

import (
	"bufio"
	"io"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
)

// parser splits text into rows. It takes quotes where they are wrong as they
// stand, and keeps only the head of long rows and cells.
type parser struct {
	dialect
	keep func() bool // whether the cells of the next row are wanted

	cells   []string
	columns int
	cell    []byte
}

// run calls row for each row with the cells kept and the number there are; a
// row that is not wanted has no cells. A quote that is never closed or a zero
// byte is ErrMalformed.
func (p *parser) run(r *bufio.Reader, row func(cells []string, columns int)) error {
	keep := p.keep()
	var (
		quoted bool // inside quotes
		closed bool // after the closing quote
		fresh  = true
		empty  = true // nothing of the row yet
	)
	endCell := func() {
		p.columns++
		if keep && len(p.cells) < render.MaxColumns {
			p.cells = append(p.cells, string(p.cell))
		}
		p.cell = p.cell[:0]
		fresh, closed = true, false
	}
	endRow := func() {
		endCell()
		row(p.cells, p.columns)
		p.cells, p.columns = nil, 0
		keep = p.keep()
		empty = true
	}
	for {
		c, err := r.ReadByte()
		if err == io.EOF {
			if quoted {
				return input.ErrMalformed
			}
			if !empty {
				endRow()
			}
			return nil
		} else if err != nil {
			return err
		}
		switch {
		case c == 0:
			return input.ErrMalformed
		case quoted && c == p.quote:
			if next, err := r.Peek(1); err == nil && next[0] == p.quote {
				_, _ = r.ReadByte()
				p.put(c)
				continue
			}
			quoted, closed = false, true
		case quoted:
			p.put(c)
		case c == p.quote && fresh && !closed:
			quoted, empty = true, false
		case c == p.comma:
			empty = false
			endCell()
			continue
		case c == '\n':
			endRow()
			continue
		case c == '\r':
			if next, err := r.Peek(1); err == nil && next[0] == '\n' {
				continue
			}
			endRow() // as old Macs did it
			continue
		default:
			empty = false
			p.put(c)
		}
		fresh = false
	}
}

func (p *parser) put(c byte) {
	if len(p.cell) < cellBytes+4 {
		p.cell = append(p.cell, c)
	}
}
