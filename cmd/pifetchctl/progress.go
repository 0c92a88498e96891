package main

import (
	"fmt"
	"io"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/internal/termtext"
)

// progress is one live line on a terminal. A nil progress shows nothing.
type progress struct {
	w       io.Writer
	width   func() int
	total   int
	written int
}

func (a *app) progress(total int) *progress {
	if a.width == nil {
		return nil
	}
	return &progress{w: a.err, width: a.width, total: total}
}

const eraseLine = "\r\x1b[K"

// leastWidth is how many columns a line needs to say something.
const leastWidth = 20

func (p *progress) show(e wire.StatusEvent) {
	if p == nil {
		return
	}
	if e.Name == fetchers.StageWritten {
		p.written++
	}
	width := p.width() // the window may have been resized
	if width < leastWidth {
		return
	}
	line := fmt.Sprintf("%d/%d · %s %s", p.written, p.total, e.Name, e.URL)
	if e.Name == fetchers.StageDownloading {
		line = fmt.Sprintf("%d/%d · downloading %s %s", p.written, p.total, termtext.Bytes(e.Bytes), e.URL)
	}
	// The last column stays empty: some terminals wrap when it is written.
	fmt.Fprint(p.w, eraseLine, fit(termtext.Line(line), width-1))
}

// fit cuts s to what certainly fits into so many columns: a line that wraps
// cannot be erased. No character from U+1100 on takes more than two.
func fit(s string, columns int) string {
	n := 0
	for _, r := range s {
		if columns--; r >= 0x1100 {
			columns--
		}
		if columns < 0 {
			break
		}
		n++
	}
	return termtext.Cap(s, n)
}

// clear leaves an empty line, for whatever is printed next.
func (p *progress) clear() {
	if p != nil {
		fmt.Fprint(p.w, eraseLine)
	}
}
