package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/internal/termtext"
	"pifetch/internal/weburl"
)

// progress is a block of live lines on a terminal, one for each URL. Where they
// do not fit, it is a line with the count and one for each URL that is being
// worked on. A nil progress shows nothing.
type progress struct {
	w     io.Writer
	size  func() (columns, rows int)
	lines []*urlLine
	drawn int // lines on the terminal, the cursor at the end of the last
}

// urlLine is what is known of one URL.
type urlLine struct {
	url   string
	stage fetchers.StageName // "" before the first event
	size  string             // while downloading
}

func (a *app) progress(urls []string) *progress {
	if a.size == nil {
		return nil
	}
	p := &progress{w: a.err, size: a.size}
	for _, u := range urls {
		p.lines = append(p.lines, &urlLine{url: weburl.Redact(u)})
	}
	return p
}

// leastWidth is how many columns a line needs to say something.
const leastWidth = 20

func (p *progress) show(e wire.StatusEvent) {
	if p == nil {
		return
	}
	if i := slices.IndexFunc(p.lines, func(l *urlLine) bool { return l.url == e.URL }); i >= 0 {
		p.lines[i].update(e.Stage)
	}
	columns, rows := p.size() // the window may have been resized
	if columns < leastWidth {
		return
	}
	var block strings.Builder
	block.WriteString(p.erase())
	lines := p.block(rows - 1)
	for i, line := range lines {
		if i > 0 {
			block.WriteByte('\n')
		}
		// The last column stays empty: some terminals wrap when it is written.
		block.WriteString(fit(termtext.Line(line), columns-1))
	}
	p.drawn = len(lines)
	io.WriteString(p.w, block.String())
}

func (l *urlLine) update(s fetchers.Stage) {
	l.stage, l.size = s.Name, ""
	switch {
	case s.Name != fetchers.StageDownloading:
	case s.Total > 0:
		l.size = termtext.Bytes(s.Bytes) + " of " + termtext.Bytes(s.Total)
	case s.Bytes > 0:
		l.size = termtext.Bytes(s.Bytes)
	}
}

func (l *urlLine) String() string {
	stage := string(l.stage)
	if stage == "" {
		stage = "waiting"
	}
	return strings.Join(strings.Fields(stage+" "+l.size), " ") + " · " + l.url
}

// block is what fits into so many rows, at least one line.
func (p *progress) block(rows int) []string {
	var block []string
	if len(p.lines) <= rows || len(p.lines) == 1 {
		for _, l := range p.lines {
			block = append(block, l.String())
		}
		return block
	}
	written := 0
	var busy []string
	for _, l := range p.lines {
		switch l.stage {
		case fetchers.StageWritten:
			written++
		case "", fetchers.StageQueued:
		default:
			busy = append(busy, l.String())
		}
	}
	block = append(block, fmt.Sprintf("%d of %d URLs written", written, len(p.lines)))
	return append(block, busy[:min(len(busy), max(0, rows-1))]...)
}

// erase is the sequence that removes the block and leaves the cursor where it
// began.
func (p *progress) erase() string {
	if p.drawn > 1 {
		return fmt.Sprintf("\r\x1b[%dA\x1b[J", p.drawn-1)
	}
	return "\r\x1b[J"
}

// clear leaves an empty line, for whatever is printed next.
func (p *progress) clear() {
	if p != nil {
		io.WriteString(p.w, p.erase())
		p.drawn = 0
	}
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
