package tree

import (
	"strings"

	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

// maxIndent is how deep an outline is indented; what is deeper stays there.
const maxIndent = 40

// outline writes nested lists of at most maxLines lines.
type outline struct {
	b       *render.Builder
	lines   int // all of them
	shown   int
	missing bool // items were left out before they came here
	clipped bool // and parts of texts
}

// line writes one line, or only counts it.
func (o *outline) line(depth int, text string) {
	o.lines++
	if o.shown < maxLines && o.b.Add(strings.Repeat("  ", min(depth, maxIndent))+"- "+text+"\n") {
		o.shown++
	}
}

func (o *outline) cut() bool { return o.shown < o.lines || o.missing || o.clipped }

// reason says what is cut.
func (o *outline) reason() string {
	switch {
	case o.shown < o.lines:
		return "cut: first " + termtext.Count(o.shown) + " of " + render.Plural(o.lines, "line")
	case o.missing:
		return "cut: long lists"
	}
	return "cut: long texts"
}

// finish adds a note on what is cut.
func (o *outline) finish() {
	if o.cut() {
		reason := o.reason()
		o.b.Note(strings.ToUpper(reason[:1]) + reason[1:] + "; the file has it all")
	}
}
