package parallel

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/internal/termtext"
	"pifetch/internal/weburl"
)

const (
	kindPage    = "parallel.page"
	contentName = "content.md"
	viaAPI      = "api"

	maxTitle      = 300     // characters
	maxTitleBytes = 8 << 10 // looked at for them

	// maxHighlights is how many bytes of highlights a document has. They are
	// never cut afterwards, and every answer must fit into one line of the
	// socket protocol.
	maxHighlights = 64 << 10
)

// factExcerpts says that content.md is not the whole page.
const factExcerpts = "excerpts only"

var errNoContent = errors.New("no content extracted")

// document writes what a result says of a page. With an objective its excerpts
// are highlights.
func document(t fetchers.Task, sent string, r extractResult, objective bool) (fetchers.Document, error) {
	doc := fetchers.Document{Kind: kindPage, Via: viaAPI, Link: link(t, sent, r.URL)}
	if date, err := time.Parse(time.DateOnly, r.PublishDate); err == nil {
		doc.Facts = append(doc.Facts, "published "+date.Format(time.DateOnly))
	}
	excerpts := excerptsOf(r)
	content := text(r.FullContent)
	if content == "" {
		if content = text(strings.Join(excerpts, "\n\n---\n\n")); content == "" {
			return fetchers.Document{}, errNoContent
		}
		doc.Facts = append(doc.Facts, factExcerpts)
	}
	if name := notice(r.Title, content); name != "" {
		return fetchers.Document{}, fmt.Errorf("%q in place of the page", name)
	}
	body, err := t.Folder.Write(contentName, io.MultiReader(strings.NewReader(content), strings.NewReader(lastEnd(content))))
	if err != nil {
		return fetchers.Document{}, err
	}
	doc.Bodies = []fetchers.Body{body}
	doc.Title = title(t, r, body)
	switch {
	case len(excerpts) == 0:
		doc.Excerpt = artifact.Excerpt(content)
	case objective:
		var left int
		if doc.Highlights, left = highlights(excerpts); left > 0 {
			doc.Facts = append(doc.Facts, fmt.Sprintf("%d of %d highlights left out: too long", left, len(excerpts)))
		}
	default:
		doc.Excerpt = artifact.Excerpt(excerpts[0])
	}
	return doc, nil
}

// link is the URL of an answer where it differs from the one sent, with the
// fragment that was asked for.
func link(t fetchers.Task, sent, got string) string {
	u, err := weburl.Parse(got)
	if err != nil || got == sent || u.User != nil {
		return ""
	}
	u.Fragment, u.RawFragment = t.URL.Parsed.Fragment, t.URL.Parsed.RawFragment
	return u.String()
}

func title(t fetchers.Task, r extractResult, body fetchers.Body) string {
	heading := ""
	if len(body.Outline) > 0 {
		heading = body.Outline[0].Text
	}
	at := t.URL.Parsed
	return termtext.Cap(cmp.Or(termtext.Line(r.Title[:min(len(r.Title), maxTitleBytes)]), termtext.Line(heading), termtext.Line(at.Host+at.Path)), maxTitle)
}

// lineEnds makes lines end with LF. NUL bytes would make a binary file of a
// text.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "")

// text is markdown as it is stored, as it was sent but for its line ends. Text
// without a character to see is none.
func text(markdown string) string {
	s := lineEnds.Replace(markdown)
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// lastEnd is what the last line of a text lacks to be one.
func lastEnd(text string) string {
	if strings.HasSuffix(text, "\n") {
		return ""
	}
	return "\n"
}

// excerptsOf are the excerpts that say something.
func excerptsOf(r extractResult) []string {
	var kept []string
	for _, e := range r.Excerpts {
		if e = strings.TrimSpace(lineEnds.Replace(e)); e != "" {
			kept = append(kept, e)
		}
	}
	return kept
}

// highlights are the first excerpts that have room, and how many have not.
func highlights(excerpts []string) (kept []string, left int) {
	size := 0
	for i, e := range excerpts {
		if size += len(e); size > maxHighlights {
			return excerpts[:i], len(excerpts) - i
		}
	}
	return excerpts, 0
}
