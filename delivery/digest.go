// Package delivery is responsible for the digest: the text an agent reads
// instead of the content. It is a pure function of a result and touches
// neither files nor network.
//
// Every field that a page, a server or a file name has a say in stays on its
// own line behind the mark of that line, so that none of them can pass for
// another document, a file or a failure.
package delivery

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"pifetch/fetchers"
	"pifetch/internal/termtext"
)

const (
	targetBytes  = 16 << 10 // what a digest aims at
	excerptChars = 300
	excerptLeast = 20      // a shorter rest of one says nothing
	outlineBytes = 2 << 10 // for all outlines of one document: a map, not the text
	headingChars = 80
	titleChars   = 200
	factChars    = 200
)

// Digest renders r: the documents, numbered in request order, then under
// Failed: every other URL with its attempts. Every line ends with \n; the
// digest of a result without outcomes is empty.
//
// Outlines, then excerpts, give way when the whole would exceed 16 KB: in every
// document down to the same measure, however early or late it stands. URLs,
// paths, sizes, reasons and highlights are never cut, and a digest exceeds 16 KB
// when what cannot be cut does.
func Digest(r fetchers.Result) string {
	var d digest
	for _, o := range r.Outcomes {
		if o.Document == nil {
			d.fail(o)
		} else {
			d.document(o.URL, o.Document)
		}
	}
	return d.fit()
}

// digest is every line of a digest, with what can give way still whole.
type digest struct {
	entries []entry
	failed  strings.Builder
}

// entry is one document.
type entry struct {
	head    string // title, facts, link, files
	outline outline
	excerpt string
	tail    string // highlights
}

// limits is how much each document may spend on what can give way.
type limits struct {
	outline int // bytes
	excerpt int // characters
}

// fit renders within the widest limits that keep to the target, and without
// outlines and excerpts where none do. Excerpts shrink only when the outlines
// are gone.
func (d *digest) fit() string {
	text := d.render(limits{outlineBytes, excerptChars})
	if len(text) <= targetBytes {
		return text
	}
	text, ok := widest(outlineBytes, func(n int) string { return d.render(limits{n, excerptChars}) })
	if !ok {
		text, _ = widest(excerptChars, func(n int) string { return d.render(limits{0, n}) })
	}
	return text
}

// widest is render(n) for the greatest n below most that keeps to the target;
// where there is none it is render(0) and false.
func widest(most int, render func(int) string) (string, bool) {
	best := render(0)
	if len(best) > targetBytes {
		return best, false
	}
	fits, exceeds := 0, most
	for exceeds-fits > 1 {
		n := (fits + exceeds) / 2
		if text := render(n); len(text) <= targetBytes {
			fits, best = n, text
		} else {
			exceeds = n
		}
	}
	return best, true
}

func (d *digest) render(l limits) string {
	var b strings.Builder
	for i, e := range d.entries {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strconv.Itoa(i+1) + ". " + e.head)
		b.WriteString(e.outline.render(l.outline))
		if e.excerpt != "" && l.excerpt >= excerptLeast {
			line(&b, indent, "excerpt: ", termtext.Cap(e.excerpt, l.excerpt))
		}
		b.WriteString(e.tail)
	}
	if d.failed.Len() > 0 {
		if len(d.entries) > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("Failed:\n")
		b.WriteString(d.failed.String())
	}
	return b.String()
}

// indent stands before every line of a document but its first.
const indent = "   "

func line(b *strings.Builder, parts ...string) {
	for _, p := range parts {
		b.WriteString(p)
	}
	b.WriteByte('\n')
}

func (d *digest) document(asked string, doc *fetchers.Document) {
	link := asked
	if doc.Link != "" {
		link = doc.Link
	}
	link = termtext.Exact(link)
	title := termtext.Cap(termtext.Line(doc.Title), titleChars)
	if title == "" {
		title = link
	}

	var head strings.Builder
	line(&head, title)
	if facts := joinFacts(doc.Facts); facts != "" {
		if absolute.MatchString(facts) {
			facts = apart + facts
		}
		line(&head, indent, unmarked(facts))
	}
	line(&head, indent, unmarked(link))
	writeBodies(&head, doc.Bodies)

	var tail strings.Builder
	for _, h := range doc.Highlights {
		writeHighlight(&tail, h)
	}

	d.entries = append(d.entries, entry{
		head:    head.String(),
		outline: newOutline(doc.Bodies),
		excerpt: termtext.Line(doc.Excerpt),
		tail:    tail.String(),
	})
}

func joinFacts(facts []string) string {
	var kept []string
	for _, f := range facts {
		if f = termtext.Cap(termtext.Line(f), factChars); f != "" {
			kept = append(kept, f)
		}
	}
	return strings.Join(kept, " · ")
}

// apart sets text without a mark of its own apart from the lines it would pass
// for.
const apart = "· "

var (
	// marks are how the lines of a digest start, but for facts and link.
	marks = regexp.MustCompile(`^(?:- |>|\d+\. |bodies \(|outline:|excerpt:|highlight:|Failed:)`)
	// absolute is how a link starts.
	absolute = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
)

func unmarked(text string) string {
	if marks.MatchString(text) {
		return apart + text
	}
	return text
}

// writeBodies lists the files, under one heading for each folder.
func writeBodies(b *strings.Builder, bodies []fetchers.Body) {
	folder := ""
	for i, body := range bodies {
		dir, name := split(body)
		if i == 0 || dir != folder {
			folder = dir
			line(b, indent, "bodies (in ", termtext.Exact(dir), "):")
		}
		size := termtext.Bytes(body.Bytes)
		switch {
		case body.Lines == 1:
			size = "1 line, " + size
		case body.Lines > 1:
			size = termtext.Count(body.Lines) + " lines, " + size
		}
		line(b, indent, "- ", termtext.Exact(name), " (", size, ")")
	}
}

// split is the folder of a body, with a slash at its end, and the name that
// leads from there to the file; a name may have folders in it.
func split(b fetchers.Body) (dir, name string) {
	if dir, ok := strings.CutSuffix(b.Path, "/"+b.Name); ok && b.Name != "" {
		return dir + "/", b.Name
	}
	return filepath.Split(b.Path)
}

// writeHighlight renders a highlight in full, each of its lines quoted.
func writeHighlight(b *strings.Builder, text string) {
	text = strings.Trim(termtext.Text(text), "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	line(b, indent, "highlight:")
	for l := range strings.SplitSeq(text, "\n") {
		if l != "" {
			l = " " + l
		}
		line(b, indent, ">", l)
	}
}

func (d *digest) fail(o fetchers.Outcome) {
	line(&d.failed, "- ", termtext.Exact(o.URL))
	line(&d.failed, "  ", trail(o))
}

// trail is why o has no document: the attempts in their order, or the reason
// why there was none.
func trail(o fetchers.Outcome) string {
	var steps []string
	for _, a := range o.Attempts {
		steps = append(steps, termtext.Line(a.Source+": "+a.Reason))
	}
	if reason := termtext.Line(o.Reason); reason != "" {
		steps = append(steps, reason)
	}
	if len(steps) == 0 {
		return "no fetcher took it"
	}
	return strings.Join(steps, " → ")
}
