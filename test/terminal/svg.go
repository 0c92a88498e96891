package terminal

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
)

// Sizes in pixels.
const (
	cellWidth, cellHeight = 8.4, 19
	baseline              = 14 // below the top of a cell
	margin                = 14
)

// draw is the screen as SVG, without the empty rows at its end. Text is set in
// whatever font for code the reader has, each run stretched to its cells.
func draw(screen *vt.Emulator) []byte {
	var body bytes.Buffer
	rows := 0
	for y := range screen.Height() {
		for x := 0; x < screen.Width(); {
			run := runAt(screen, x, y)
			left, top := margin+float64(x)*cellWidth, float64(margin+y*cellHeight)
			if !same(run.ground, background) {
				fmt.Fprintf(&body, `<rect x="%.1f" y="%.0f" width="%.1f" height="%d" fill="%s"/>`+"\n",
					left, top, float64(run.cells)*cellWidth, cellHeight, hex(run.ground))
				rows = y + 1
			}
			if text := strings.TrimLeft(run.text, " "); text != "" {
				before := len(run.text) - len(text)
				text = strings.TrimRight(text, " ")
				after := len(run.text) - before - len(text)
				fmt.Fprintf(&body, `<text x="%.1f" y="%.0f" textLength="%.1f" fill="%s"%s>`,
					left+float64(before)*cellWidth, top+baseline, float64(run.cells-before-after)*cellWidth, hex(run.ink), run.attributes())
				xml.EscapeText(&body, []byte(strings.ReplaceAll(text, " ", "\u00a0"))) // XML folds spaces
				body.WriteString("</text>\n")
				rows = y + 1
			}
			x += run.cells
		}
	}
	var svg bytes.Buffer
	width, height := 2*margin+float64(screen.Width())*cellWidth, 2*margin+rows*cellHeight
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" width="%.0f" height="%d" font-size="14"`+
		` font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace">`+"\n", width, height, width, height)
	fmt.Fprintf(&svg, `<rect x=".5" y=".5" width="%.0f" height="%d" rx="8" fill="%s" stroke="#30363d"/>`+"\n", width-1, height-1, hex(background))
	body.WriteTo(&svg)
	svg.WriteString("</svg>\n")
	return svg.Bytes()
}

// run is a stretch of cells in one row that look alike.
type run struct {
	text        string
	cells       int
	ink, ground color.Color
	attrs       uint8 // uv.AttrBold, …
	underline   bool
}

func runAt(screen *vt.Emulator, x, y int) run {
	r := look(screen.CellAt(x, y))
	for x += r.cells; x < screen.Width(); {
		next := look(screen.CellAt(x, y))
		if !same(next.ink, r.ink) || !same(next.ground, r.ground) || next.attrs != r.attrs || next.underline != r.underline {
			break
		}
		r.text += next.text
		r.cells += next.cells
		x += next.cells
	}
	return r
}

// look is a run of one cell.
func look(c *uv.Cell) run {
	r := run{text: " ", cells: 1, ink: foreground, ground: background}
	if c == nil {
		return r
	}
	if c.Content != "" {
		r.text, r.cells = c.Content, max(1, c.Width)
	}
	if c.Style.Fg != nil {
		r.ink = c.Style.Fg
	}
	if c.Style.Bg != nil {
		r.ground = c.Style.Bg
	}
	r.attrs, r.underline = c.Style.Attrs, c.Style.Underline != uv.UnderlineNone
	if r.attrs&uv.AttrReverse != 0 {
		r.ink, r.ground = r.ground, r.ink
	}
	return r
}

func (r run) attributes() string {
	var a string
	if r.attrs&uv.AttrBold != 0 {
		a += ` font-weight="bold"`
	}
	if r.attrs&uv.AttrItalic != 0 {
		a += ` font-style="italic"`
	}
	if r.attrs&uv.AttrFaint != 0 {
		a += ` opacity=".6"`
	}
	if r.underline {
		a += ` text-decoration="underline"`
	}
	return a
}

func same(a, b color.Color) bool { return hex(a) == hex(b) }

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
