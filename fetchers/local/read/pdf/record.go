package pdf

import (
	"fmt"
	"strings"

	"pifetch/internal/termtext"
)

// record is one line from the child to its reader: first ready, then what the
// document is, then its pages in order, then the end.
type record struct {
	Ready   bool   `json:"ready,omitempty"`   // pdfium runs
	Refused string `json:"refused,omitempty"` // why there is no document
	Pages   int    `json:"pages,omitempty"`   // how many the document has
	Title   string `json:"title,omitempty"`
	Note    string `json:"note,omitempty"` // one more fact about the document
	Page    *page  `json:"page,omitempty"`
	Cut     string `json:"cut,omitempty"` // why the last page is not the document's last
	End     bool   `json:"end,omitempty"`
}

// page is the text of one page.
type page struct {
	Number  int    `json:"n"` // from 1
	Text    string `json:"text,omitempty"`
	Chars   int    `json:"chars,omitempty"`   // of text, spaces and headings of ours aside
	Unknown int    `json:"unknown,omitempty"` // of these, without a meaning in the font
	Broken  bool   `json:"broken,omitempty"`  // could not be read
}

// transcript collects the records of one document.
type transcript struct {
	refused, title, cut string
	notes               []string
	pages               int
	ended               bool

	text                         strings.Builder
	last                         int // number of the last page
	chars, unknown, empty, broke int
}

func (t *transcript) add(r record) {
	switch {
	case r.Refused != "":
		t.refused = r.Refused
	case r.Pages > 0:
		t.pages, t.title = r.Pages, r.Title
		if r.Note != "" {
			t.notes = append(t.notes, r.Note)
		}
	case r.Page != nil && t.text.Len()+len(r.Page.Text) <= maxBytes:
		t.page(r.Page)
	}
	if r.Cut != "" {
		t.cut = r.Cut
	}
	t.ended = t.ended || r.End
}

func (t *transcript) page(p *page) {
	t.last = p.Number
	t.chars += p.Chars
	t.unknown += p.Unknown
	if p.Chars < minChars && !p.Broken {
		t.empty++
	}
	fmt.Fprintf(&t.text, "<!-- page %d -->\n", p.Number)
	if p.Broken {
		t.broke++
		t.text.WriteString("\n*This page could not be read.*\n")
	}
	if p.Text != "" {
		t.text.WriteString("\n" + p.Text + "\n")
	}
	t.text.WriteString("\n")
}

// content is the document that came out of the records.
func (t *transcript) content() Content {
	c := Content{Title: t.title}
	if t.pages > 0 {
		c.Facts = append(c.Facts, count(t.pages, "page"))
	}
	c.Facts = append(c.Facts, t.notes...)
	switch {
	case t.refused != "":
		c.Facts = append(c.Facts, t.refused)
		return c
	case t.last == 0:
		c.Facts = append(c.Facts, "no text extracted: "+t.cut)
		return c
	}
	if t.broke > 0 {
		c.Facts = append(c.Facts, count(t.broke, "unreadable page"))
	}
	switch {
	case t.chars == 0 && t.broke > 0: // there may have been some
	case t.chars == 0:
		c.Facts = append(c.Facts, "no text layer")
	case t.chars < minChars*t.last:
		c.Facts = append(c.Facts, fmt.Sprintf("no text layer to speak of (%s)", count(t.chars, "character")))
	case t.empty > 1 && t.empty*5 >= t.last:
		c.Facts = append(c.Facts, fmt.Sprintf("%s of %s pages without text", termtext.Count(t.empty), termtext.Count(t.last)))
	}
	if t.unknown*100 > t.chars {
		c.Facts = append(c.Facts, fmt.Sprintf("%d %% of characters unreadable", max(1, t.unknown*100/t.chars)))
	}
	cut := ""
	if t.cut != "" {
		cut = fmt.Sprintf("text of the first %s of %s only: %s", termtext.Count(t.last), count(t.pages, "page"), t.cut)
		c.Facts = append(c.Facts, cut)
	}
	if t.chars == 0 {
		return c
	}
	if cut != "" {
		fmt.Fprintf(&t.text, "*Cut: %s. The PDF has the rest.*\n", cut)
	}
	c.Markdown = strings.TrimRight(t.text.String(), "\n") + "\n"
	return c
}

// count is "1 page", "1,158 pages".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return termtext.Count(n) + " " + what
}
