// Package office reads text documents, presentations and books: DOCX, ODT,
// PPTX, ODP and EPUB. Each becomes a small HTML document, which becomes
// markdown the way a page does.
package office

import (
	"context"
	"errors"
	"fmt"
	"html"
	"strconv"
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

// chunk is how much HTML is turned into markdown at once.
const chunk = 64 << 10

// writer builds the HTML of a document, and the markdown of it piece by piece.
// What does not fit is left out.
type writer struct {
	sb    strings.Builder
	md    render.Builder
	total int      // bytes of HTML before sb
	aside bool     // the HTML is for another writer
	noted int      // notes that are in the markdown
	lists []string // the tags of the lists that are open, each with an item
	notes []string // the texts of footnotes
	code  []string // the lines of the code block that is open
	size  int      // of all code
	cut   bool
}

func (w *writer) write(s string) {
	if w.cut || w.total+w.sb.Len()+len(s) > render.MaxHTML {
		w.cut = true
		return
	}
	w.sb.WriteString(s)
}

// closeTo ends the lists deeper than level, and code.
func (w *writer) closeTo(level int) {
	if len(w.code) > 0 {
		w.write("<pre>\n" + strings.Join(w.code, "\n") + "</pre>\n")
		w.code = nil
	}
	for len(w.lists) > level {
		last := len(w.lists) - 1
		w.sb.WriteString("</li></" + w.lists[last] + ">")
		w.lists = w.lists[:last]
	}
}

// block writes a paragraph, a heading or another block of its own.
func (w *writer) block(tag, inner string) {
	w.closeTo(0)
	if strings.TrimSpace(inner) != "" {
		w.write("<" + tag + ">" + inner + "</" + tag + ">\n")
	}
	w.flush(chunk)
}

// flush turns the HTML so far into markdown when it has more than limit bytes.
func (w *writer) flush(limit int) {
	if w.aside || w.sb.Len() <= limit && len(w.notes)-w.noted <= limit {
		return
	}
	if w.noted < len(w.notes) {
		w.sb.WriteString("<ol>")
		for i, n := range w.notes[w.noted:] {
			fmt.Fprintf(&w.sb, `<li id="note%d"><p>%s</p></li>`, w.noted+i+1, n)
		}
		w.sb.WriteString("</ol>")
		w.noted = len(w.notes)
	}
	md, err := render.HTML(w.sb.String(), nil, 0)
	if err != nil || md != "" && !w.md.Add("\n"+md) {
		w.cut = true
	}
	w.total += w.sb.Len()
	w.sb.Reset()
}

// line writes a line of code. Lines in a row make one block.
func (w *writer) line(inner string) {
	if len(w.code) == 0 {
		w.closeTo(0)
		if strings.TrimSpace(inner) == "" {
			return
		}
	}
	w.code = append(w.code, inner)
	if w.size += len(inner); w.size > render.MaxHTML {
		w.cut = true
	}
}

// item writes an item of a list at a level from 0, numbered when number is not 0.
func (w *writer) item(level, number int, inner string) {
	tag := "ul"
	if number != 0 {
		tag = "ol"
	}
	level = min(level, len(w.lists), 20)
	if level == 0 && w.sb.Len() > chunk {
		w.closeTo(0)
		w.flush(chunk)
	}
	w.closeTo(level + 1)
	if len(w.lists) == level+1 && w.lists[level] != tag {
		w.closeTo(level)
	}
	if len(w.lists) == level+1 {
		w.sb.WriteString("</li>")
	} else {
		w.sb.WriteString("<" + tag + ">")
		w.lists = append(w.lists, tag)
	}
	value := ""
	if number > 0 {
		value = fmt.Sprintf(` value="%d"`, number)
	}
	w.sb.WriteString("<li" + value + ">")
	w.write(inner)
}

// note is the mark of a footnote with that text.
func (w *writer) note(text string) string {
	w.notes = append(w.notes, text)
	n := strconv.Itoa(len(w.notes))
	return `<sup><a href="#note` + n + `">` + n + `</a></sup>`
}

// cellSize is what a cell counts for beside its text: there are tables of
// nothing but cells.
const cellSize = 100

type cell struct {
	inner string
	span  int // columns, when more than 1
}

// table writes a table whose first row is its header.
func (w *writer) table(rows [][]cell) {
	w.closeTo(0)
	w.write("<table>")
	for i, row := range rows {
		var sb strings.Builder
		tag := "td"
		if i == 0 {
			tag = "th"
		}
		sb.WriteString("<tr>")
		for _, c := range row {
			span := ""
			if c.span > 1 {
				span = fmt.Sprintf(` colspan="%d"`, c.span)
			}
			sb.WriteString("<" + tag + span + ">" + c.inner + "</" + tag + ">")
		}
		sb.WriteString("</tr>\n")
		w.write(sb.String())
	}
	w.sb.WriteString("</table>\n")
	w.flush(chunk)
}

// content is the document as markdown. err is what ended the reading of it
// early.
func (w *writer) content(ctx context.Context, title string, facts []string, err error) (render.Content, error) {
	if ctx.Err() != nil {
		return render.Content{}, context.Cause(ctx)
	}
	w.closeTo(0)
	w.flush(0)
	if w.md.Len() == 0 && w.cut {
		err = input.ErrTooLarge
	}
	if w.md.Len() == 0 && err != nil {
		return render.Content{}, err
	}
	return finish(title, facts, &w.md, w.cut, err), nil
}

// finish is the content of a document whose markdown is b.
func finish(title string, facts []string, b *render.Builder, cut bool, err error) render.Content {
	c := render.Content{Title: termtext.Line(title), Facts: facts}
	reason := ""
	switch {
	case cut, errors.Is(err, input.ErrTooLarge):
		reason = "cut: the document is too large to render whole"
	case err != nil:
		reason = "cut: the document is damaged"
	}
	if reason != "" {
		c.Facts = append(c.Facts, reason)
		b.Note(strings.ToUpper(reason[:1]) + reason[1:])
	}
	c.Markdown = b.String()
	return c
}

// format is how a piece of text looks.
type format struct {
	bold, italic, strike, code bool
	super, sub                 bool
	href                       string
}

// prose builds the inline HTML of one paragraph. Pieces of one look are joined,
// as editors split them anywhere.
type prose struct {
	sb   strings.Builder
	last format
}

// add adds text; markup adds HTML that has no look but its own.
func (p *prose) add(f format, text string) {
	if strings.TrimSpace(text) == "" {
		// The look of a space is not worth a mark of its own.
		f = format{href: f.href}
		if p.last.href == f.href {
			f = p.last
		}
	}
	p.turn(f)
	p.sb.WriteString(html.EscapeString(text))
}

func (p *prose) markup(s string) {
	p.turn(format{})
	p.sb.WriteString(s)
}

func (p *prose) turn(f format) {
	if f == p.last {
		return
	}
	p.sb.WriteString(p.last.end())
	p.sb.WriteString(f.start())
	p.last = f
}

// String is the paragraph so far.
func (p *prose) String() string { return p.sb.String() + p.last.end() }

func (f format) tags() []string {
	var tags []string
	for _, t := range []struct {
		on  bool
		tag string
	}{{f.bold, "strong"}, {f.italic, "em"}, {f.strike, "del"}, {f.code, "code"}, {f.super, "sup"}, {f.sub, "sub"}} {
		if t.on {
			tags = append(tags, t.tag)
		}
	}
	return tags
}

func (f format) start() string {
	s := ""
	if f.href != "" {
		s = `<a href="` + html.EscapeString(f.href) + `">`
	}
	for _, t := range f.tags() {
		s += "<" + t + ">"
	}
	return s
}

func (f format) end() string {
	s := ""
	for _, t := range f.tags() {
		s = "</" + t + ">" + s
	}
	if f.href != "" {
		s += "</a>"
	}
	return s
}

// isAddress reports whether a link leads out of the document.
func isAddress(href string) bool {
	scheme, _, ok := strings.Cut(strings.ToLower(href), ":")
	return ok && (scheme == "http" || scheme == "https" || scheme == "mailto" || scheme == "ftp" || scheme == "tel")
}

// picture is what stands for a picture.
func picture(description string) string {
	d := termtext.Line(description)
	if d == "" {
		return ""
	}
	return html.EscapeString("[picture: " + render.Clip(d, 500) + "]")
}
