package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/local/extract"
	"pifetch/fetchers/local/native"
	"pifetch/fetchers/local/read/input"
	"pifetch/internal/termtext"
	"pifetch/internal/weburl"
	"pifetch/profile"
)

// accept is the Accept header of Chrome's for documents with markdown before
// everything else and the rest in its order. Servers differ in what they go by:
// the first type, the highest q, or that text/markdown is there at all.
const accept = "text/markdown," +
	"text/html;q=0.9,application/xhtml+xml;q=0.9,image/avif;q=0.9,image/webp;q=0.9,image/apng;q=0.9," +
	"application/xml;q=0.8,*/*;q=0.7,application/signed-exchange;v=b3;q=0.6"

// viaMarkdown is how a document was obtained that is a site's own markdown.
const viaMarkdown = "markdown"

// maxMarkdown is how large markdown may be and still be a page, in bytes: as
// large as HTML may be.
const maxMarkdown = 10 << 20

// shortMarkdown is how many letters and digits markdown that came in place of a
// page must have to be believed without a look at the page: what is no content,
// a login form or a notice that scripts are needed, has less.
const shortMarkdown = loginPageText

// alternates are the addresses where the site may have a page as markdown.
func alternates(p *profile.Page) []*url.URL {
	at, err := weburl.Parse(p.URL)
	if err != nil || p.Status >= 400 || challenge(fromVisit(p)) != "" {
		return nil
	}
	return native.Alternates(p.HTML, p.Header, at)
}

// markdownOf is the markdown that a response is, or that came beside a page,
// nil when there is none. Its file is then used up.
//
// Markdown that was asked for by the name of a file, or is sent to be stored,
// is a file and no page; so is what only calls itself markdown.
func markdownOf(ctx context.Context, t fetchers.Task, p *Page) (*native.Document, error) {
	from := p
	switch {
	case p.File == "":
		if from = p.Alternate; from == nil {
			return nil, nil
		}
	case !native.IsMarkdown(p.MediaType), native.IsFile(t.URL.Parsed), sentToStore(p.Disposition):
		return nil, nil
	}
	dir, err := t.Folder.Path()
	if err != nil {
		return nil, err
	}
	_, params, _ := mime.ParseMediaType(from.Header.Get("Content-Type"))
	file := input.File{Path: filepath.Join(dir, from.File), Charset: params["charset"]}
	text, _, err := file.ReadText(ctx, maxMarkdown)
	switch {
	case err != nil && !errors.Is(err, input.ErrTooLarge):
		return nil, fmt.Errorf("read markdown: %w", err)
	case from == p && (err != nil || native.IsHTML(string(text))):
		return nil, nil
	}
	if err := discard(t, from); err != nil {
		return nil, err
	}
	at, err := weburl.Parse(from.URL)
	if err != nil || len(text) == 0 && from != p || native.IsHTML(string(text)) {
		return nil, nil
	}
	doc := native.Read(string(text), at)
	return &doc, nil
}

// discard removes the file of a response.
func discard(t fetchers.Task, p *Page) error {
	body, err := t.Folder.Adopt(p.File, contentName)
	if err != nil {
		return err
	}
	return t.Folder.Remove(body.Name)
}

func sentToStore(disposition string) bool {
	kind, _, _ := strings.Cut(disposition, ";")
	return strings.EqualFold(strings.TrimSpace(kind), "attachment")
}

// markdownDocument is a page that is the site's own markdown. A title it has
// already, of the page or of the front matter, stands.
func markdownDocument(t fetchers.Task, p *Page, markdown *native.Document) (*fetchers.Document, error) {
	if markdown.Text == 0 {
		return nil, extract.ErrNoContent
	}
	final, err := weburl.Parse(p.URL)
	if err != nil {
		return nil, fmt.Errorf("final URL: %w", err)
	}
	body, err := t.Folder.Write(contentName, strings.NewReader(markdown.Markdown))
	if err != nil {
		return nil, err
	}
	doc := &fetchers.Document{
		Kind: kindPage, Link: p.URL, Via: viaMarkdown,
		Title:   cmp.Or(termtext.Line(markdown.Title), firstHeading(body), termtext.Line(final.Host+final.Path)),
		Excerpt: artifact.Excerpt(markdown.Markdown),
		Bodies:  []fetchers.Body{body},
	}
	fragment := withFragment(final, t.URL.Parsed).Fragment
	if line := artifact.HeadingLine(body.Outline, fragment); line > 0 {
		doc.Facts = append(doc.Facts, anchorFact(extract.Anchor{Fragment: fragment, OnPage: true, Line: line}))
	}
	return doc, nil
}

// negotiatedDocument is markdown that came in place of a page.
func negotiatedDocument(t fetchers.Task, p *Page, markdown *native.Document) (*fetchers.Document, error) {
	doc, err := markdownDocument(t, p, markdown)
	if err != nil {
		return nil, err
	}
	final, err := weburl.Parse(p.URL)
	if err != nil {
		return nil, fmt.Errorf("final URL: %w", err)
	}
	if f := frontPage(view{asked: t.URL.Parsed, final: final}); f.fact != "" {
		doc.Facts = append(doc.Facts, f.fact)
	}
	return doc, nil
}

// isNotice reports whether markdown that came in place of a page is called like
// what stands in place of one. With the frame of its site in it such a notice
// may be of any length.
func isNotice(markdown *native.Document) bool {
	names := segments(markdown.Title)
	first := true
	for line := range strings.Lines(markdown.Markdown) {
		h := strings.TrimLeft(line, "#")
		if marks := len(line) - len(h); marks > 0 && marks <= 6 && strings.HasPrefix(h, " ") && (marks == 1 || first) {
			names, first = append(names, plain(h)), false
		}
	}
	for _, s := range names {
		missing, _ := isNotFound(s)
		if missing || slices.Contains(logins, bareWords(s)) || isCalled(s, consentNames) || len(s) <= headingText && containsAny(s, loginSays) ||
			slices.ContainsFunc(wallKinds, func(k wallKind) bool { return isCalled(s, k.names) }) {
			return true
		}
	}
	return false
}

// firstHeading is the first heading of the highest level that a body has.
func firstHeading(b fetchers.Body) string {
	var top fetchers.Heading
	for _, h := range b.Outline {
		if top.Level == 0 || h.Level < top.Level {
			top = h
		}
	}
	return top.Text
}
