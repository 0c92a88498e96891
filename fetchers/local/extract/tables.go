package extract

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxColumns = 200     // a wider span is an accident
	maxCells   = 400_000 // more, with spans filled in, leaves the spans out
	longCell   = 1500    // characters of prose that make a headless table layout
)

// tidyTables dissolves tables that only place things on the page and brings
// the others into the one form markdown has: a header row, cells of one line,
// the same number of cells in every row.
func (d *document) tidyTables(content *html.Node) {
	nameTables(content)
	for _, t := range findAll(content, is(atom.Table)) {
		g := readGrid(t)
		if g.isLayout() {
			g.dissolve()
			continue
		}
		for _, r := range g.rows {
			for _, c := range r.cells {
				d.flattenCell(c)
			}
		}
		g.rebuild()
	}
}

// nameTables makes a table of elements that are one by their roles only.
func nameTables(content *html.Node) {
	isCell := func(n *html.Node) bool {
		r := role(n)
		return r == "cell" || r == "gridcell" || r == "columnheader" || r == "rowheader"
	}
	for _, t := range outermost(content, func(n *html.Node) bool {
		return isOne(n, atom.Div, atom.Section, atom.Span) && (role(n) == "table" || role(n) == "grid")
	}) {
		rows := outermost(t, func(n *html.Node) bool { return role(n) == "row" })
		if len(rows) < 2 || contains(t, is(atom.Table)) {
			continue
		}
		table := element(atom.Table)
		for _, r := range rows {
			tr := element(atom.Tr)
			for _, c := range outermost(r, isCell) {
				cell := element(atom.Td)
				if role(c) == "columnheader" || role(c) == "rowheader" {
					cell = element(atom.Th)
				}
				adopt(cell, c)
				tr.AppendChild(cell)
			}
			table.AppendChild(tr)
		}
		replace(t, table)
	}
}

// grid is a table as written: rows of cells with their spans.
type grid struct {
	table   *html.Node
	caption *html.Node
	rows    []row
	columns int
}

type row struct {
	tr    *html.Node
	cells []*html.Node
	head  bool // in thead
}

func readGrid(t *html.Node) *grid {
	g := &grid{table: t}
	var foot []row
	var read func(n *html.Node, section atom.Atom)
	read = func(n *html.Node, section atom.Atom) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode {
				continue
			}
			switch c.DataAtom {
			case atom.Thead, atom.Tbody, atom.Tfoot:
				read(c, c.DataAtom)
			case atom.Caption:
				g.caption = c
			case atom.Tr:
				r := row{tr: c, head: section == atom.Thead}
				for d := c.FirstChild; d != nil; d = d.NextSibling {
					if isOne(d, atom.Td, atom.Th) {
						r.cells = append(r.cells, d)
					}
				}
				g.columns = max(g.columns, len(r.cells))
				if section == atom.Tfoot {
					foot = append(foot, r)
				} else {
					g.rows = append(g.rows, r)
				}
			}
		}
	}
	read(t, 0)
	g.rows = append(g.rows, foot...)
	return g
}

// isLayout reports whether the table places content rather than relating it.
func (g *grid) isLayout() bool {
	t := g.table
	if r := role(t); r == "presentation" || r == "none" {
		return true
	}
	if g.columns < 2 || contains(t, is(atom.Table)) || within(t, is(atom.Td, atom.Th)) {
		return true
	}
	head := g.caption != nil
	for _, r := range g.rows {
		for _, c := range r.cells {
			head = head || r.head || isOne(c, atom.Th)
			if isOne(c, atom.Td) && contains(c, is(atom.H1, atom.H2, atom.H3, atom.H4, atom.Article, atom.Section)) {
				return true
			}
		}
	}
	if head {
		return false
	}
	if attr(t, "cellpadding") == "0" && attr(t, "cellspacing") == "0" && (attr(t, "border") == "0" || !hasAttr(t, "border")) {
		return true
	}
	for _, r := range g.rows {
		if slices.ContainsFunc(r.cells, isLayoutCell) {
			return true
		}
	}
	return false
}

func isLayoutCell(c *html.Node) bool {
	paragraphs := 0
	if contains(c, func(n *html.Node) bool {
		if isOne(n, atom.P) {
			paragraphs++
		}
		return paragraphs > 2 || isOne(n, atom.Ul, atom.Ol, atom.Hr, atom.Blockquote, atom.H5, atom.H6) || n.Data == blockTag
	}) {
		return true
	}
	return textLen(textOf(c)) > longCell && contains(c, isBlock)
}

// dissolve makes each row a block: of blocks where its cells hold blocks, of
// running text otherwise.
func (g *grid) dissolve() {
	for _, r := range g.rows {
		blocks := false
		for _, c := range r.cells {
			blocks = blocks || contains(c, isBlock) && textLen(textOf(c)) > 0
		}
		for _, c := range r.cells {
			if blocks {
				rename(c, atom.Div)
			} else {
				r.tr.InsertBefore(text(" "), c)
				rename(c, atom.Span)
			}
		}
		if blocks {
			rename(r.tr, atom.Div)
		} else {
			rename(r.tr, atom.P)
		}
	}
	if g.caption != nil {
		rename(g.caption, atom.P)
	}
	for _, part := range findAll(g.table, is(atom.Thead, atom.Tbody, atom.Tfoot, atom.Colgroup, atom.Col)) {
		if inSame(part, g.table) {
			rename(part, atom.Div)
		}
	}
	rename(g.table, atom.Div)
}

func inSame(n, table *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p == table {
			return true
		}
		if isOne(p, atom.Table) {
			return false
		}
	}
	return false
}

// rebuild replaces the table by one of plain cells, its caption before it.
func (g *grid) rebuild() {
	lines := g.fill()
	header, body := g.header(lines)

	table := element(atom.Table, element(atom.Thead, rowOf(atom.Th, header)))
	tbody := element(atom.Tbody)
	for _, l := range body {
		tbody.AppendChild(rowOf(atom.Td, l))
	}
	table.AppendChild(tbody)
	leaveInline(g.table)
	if g.caption != nil && strings.TrimSpace(textOf(g.caption)) != "" {
		p := element(atom.P)
		adopt(p, g.caption)
		g.table.Parent.InsertBefore(p, g.table)
	}
	replace(g.table, table)
}

// leaveInline dissolves the inline markup around a block, which markdown has
// no form for.
func leaveInline(n *html.Node) {
	for p := n.Parent; isOne(p, atom.A, atom.B, atom.Strong, atom.Em, atom.I, atom.Del, atom.S, atom.Span, atom.Code, atom.Font, atom.U); p = n.Parent {
		unwrap(p)
	}
}

type line struct {
	cells []*html.Node // nil where a span leaves nothing to say
	head  bool
	heads int // header cells
}

// fill lays the cells out on the grid. A cell that spans rows stands in each
// of them; one that spans columns of a header stands in each of those, too.
func (g *grid) fill() []line {
	spans := g.spanned() <= maxCells
	lines := make([]line, len(g.rows))
	width := 0
	for i, r := range g.rows {
		l := &lines[i]
		l.head = r.head
		x := 0
		for _, c := range r.cells {
			for x < len(l.cells) && l.cells[x] != nil {
				x++
			}
			cols, rows := 1, 1
			if spans {
				cols = min(span(c, "colspan"), maxColumns)
				rows = min(span(c, "rowspan"), len(g.rows)-i)
			}
			isHead := isOne(c, atom.Th)
			for dy := range rows {
				for dx := range cols {
					cell := c
					if dx > 0 && !isHead && !r.head {
						cell = emptyCell
					}
					lines[i+dy].put(x+dx, cell)
				}
				if isHead {
					lines[i+dy].heads += cols
				}
			}
			x += cols
		}
		width = max(width, len(l.cells))
	}
	kept := lines[:0]
	for _, l := range lines {
		width = max(width, len(l.cells))
		for _, c := range l.cells {
			if c != nil && c != emptyCell && hasContent(c) {
				kept = append(kept, l)
				break
			}
		}
	}
	for i := range kept {
		kept[i].put(width-1, nil)
	}
	return kept
}

var emptyCell = element(atom.Td)

func (l *line) put(x int, c *html.Node) {
	for len(l.cells) <= x {
		l.cells = append(l.cells, nil)
	}
	if c != nil {
		l.cells[x] = c
	}
}

// spanned is the number of cells with all spans filled in.
func (g *grid) spanned() int {
	n := 0
	for i, r := range g.rows {
		for _, c := range r.cells {
			n += min(span(c, "colspan"), maxColumns) * min(span(c, "rowspan"), len(g.rows)-i)
		}
	}
	return n
}

func span(c *html.Node, key string) int {
	n, err := strconv.Atoi(strings.TrimSpace(attr(c, key)))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// header splits off the header row. A table without one shows its first row
// as header, unless that row has a header cell of its own at its side: then
// the header stays empty.
func (g *grid) header(lines []line) (line, []line) {
	if len(lines) == 0 {
		return line{cells: make([]*html.Node, 1)}, nil
	}
	first := lines[0]
	filled := 0
	for _, c := range first.cells {
		if c != nil && c != emptyCell && hasContent(c) {
			filled++
		}
	}
	if first.head || first.heads == 0 || first.heads >= filled && filled > 1 || first.heads*2 > filled && filled > 2 {
		return first, lines[1:]
	}
	return line{cells: make([]*html.Node, len(first.cells))}, lines
}

func rowOf(tag atom.Atom, l line) *html.Node {
	tr := element(atom.Tr)
	for _, c := range l.cells {
		cell := element(tag)
		if c != nil {
			for child := c.FirstChild; child != nil; child = child.NextSibling {
				cell.AppendChild(clone(child))
			}
		}
		tr.AppendChild(cell)
	}
	return tr
}

func clone(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Namespace: n.Namespace, Attr: n.Attr}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		c.AppendChild(clone(child))
	}
	return c
}

// flattenCell brings a cell's blocks into one line.
func (d *document) flattenCell(cell *html.Node) {
	for _, n := range findAll(cell, func(n *html.Node) bool { return n != cell }) {
		switch {
		case isOne(n, atom.Br, atom.Hr):
			replace(n, text(" "))
		case isOne(n, atom.Ul, atom.Ol):
			if items := outermost(n, is(atom.Li)); len(items) > 1 {
				for _, li := range items {
					li.InsertBefore(text("• "), li.FirstChild)
				}
			}
			inlineBlock(n)
		case n.Data == blockTag:
			replace(n, d.inline(strings.ReplaceAll(codeSpan(d.rawOf(n).text), "|", `\|`)))
		case isBlock(n):
			inlineBlock(n)
		case isOne(n, atom.Code, atom.Kbd, atom.Samp, atom.Var, atom.Tt):
			walk(n, func(t *html.Node) bool {
				if t.Type == html.TextNode {
					t.Data = strings.ReplaceAll(t.Data, "|", `\|`)
				}
				return true
			})
		}
	}
}

func inlineBlock(n *html.Node) {
	n.Parent.InsertBefore(text(" "), n)
	n.Parent.InsertBefore(text(" "), n.NextSibling)
	unwrap(n)
}
