// Package local is the fetcher of everything no other source serves: it opens a
// URL as the user's own browser would and keeps what came of it, a page as
// markdown and anything else as the file it is.
package local

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/local/extract"
	"pifetch/fetchers/local/native"
	"pifetch/fetchers/local/read"
	"pifetch/internal/termtext"
	"pifetch/internal/weburl"
)

// The kinds of documents.
const (
	kindPage = "local.page"
	kindFile = "local.file"
)

// contentName is the name of a page's body.
const contentName = "content.md"

// Fetcher fetches http and https URLs. It is the last of the chain.
type Fetcher struct {
	pages   producer
	readers read.Readers
	reading chan struct{} // holds a token for each file that is being read
}

// Config is what a Fetcher is made from.
type Config struct {
	Browser Browser // the user's Chrome

	// Challenge is asked for each page what to do when a challenge is in its place.
	Challenge func() Challenge

	// Readers add content.md to files that are no page.
	Readers read.Readers
}

// Challenge is how far a challenge is followed to the page behind it.
type Challenge struct {
	Patience       time.Duration // how long it may take to lead there
	Headed         bool          // then a headed browser opens the URL
	HeadedPatience time.Duration // how long it may take there
}

// maxReading is how many files are read at the same time. Each may take some
// tens of megabytes.
const maxReading = 2

// New returns a fetcher.
func New(cfg Config) *Fetcher {
	return &Fetcher{
		pages:   chrome{cfg.Browser, cfg.Challenge},
		readers: cfg.Readers,
		reading: make(chan struct{}, maxReading),
	}
}

// Source implements fetchers.Fetcher.
func (f *Fetcher) Source() string { return "local" }

// Claims implements fetchers.Fetcher.
func (f *Fetcher) Claims(_ fetchers.Request, u fetchers.URL) bool {
	return u.Parsed != nil && (u.Parsed.Scheme == "http" || u.Parsed.Scheme == "https")
}

// Fetch implements fetchers.Fetcher. The tab pool decides how many of the tasks
// run at once.
func (f *Fetcher) Fetch(ctx context.Context, req fetchers.Request, tasks []fetchers.Task, sink fetchers.Sink) error {
	var wg sync.WaitGroup
	for _, t := range tasks {
		wg.Go(func() {
			doc, err := f.fetch(ctx, req, t, sink)
			if err != nil {
				sink.Fail(t, fetchers.Failure{Reason: err.Error()})
				return
			}
			sink.Deliver(t, *doc)
		})
	}
	wg.Wait()
	return nil
}

// fetch runs one task. A panic is the task's failure: a page that breaks the
// extraction must not cost the others theirs.
func (f *Fetcher) fetch(ctx context.Context, req fetchers.Request, t fetchers.Task, sink fetchers.Sink) (doc *fetchers.Document, err error) {
	defer func() {
		if p := recover(); p != nil {
			doc, err = nil, fmt.Errorf("internal error on this page (%v): report it with pifetchd extract", p)
		}
	}()
	as := asMarkdown
	if native.IsFile(t.URL.Parsed) {
		as = asRendered
	}
	page, markdown, err := f.visit(ctx, req, t, as, sink)
	if err != nil {
		return nil, err
	}
	if page.File != "" && markdown != nil && (markdown.Text < shortMarkdown || isNotice(markdown)) {
		// Where a server makes markdown of its own pages, this may be one for a
		// login or the shell of an application: how the page looks decides.
		suspect := markdown
		if page, markdown, err = f.visit(ctx, req, t, asRendered, sink); err != nil {
			return nil, err
		}
		if page.File == "" {
			markdown = suspect
		}
	}
	switch {
	case page.File == "":
		sink.Stage(t, fetchers.Stage{Name: fetchers.StageExtracting})
		return pageDocument(req, t, page, markdown)
	case markdown != nil:
		return negotiatedDocument(t, page, markdown)
	default:
		return f.fileDocument(ctx, t, page, sink)
	}
}

// visit makes a page of the task's URL that is no failure, with the markdown
// that it is or has beside it.
func (f *Fetcher) visit(ctx context.Context, req fetchers.Request, t fetchers.Task, as form, sink fetchers.Sink) (*Page, *native.Document, error) {
	page, err := f.pages.page(ctx, req, t, as, func(s fetchers.Stage) { sink.Stage(t, s) })
	if err != nil {
		return nil, nil, err
	}
	if err := refuse(req, t, page); err != nil {
		return nil, nil, err
	}
	markdown, err := markdownOf(ctx, t, page)
	return page, markdown, err
}

// refuse says why a response is not what the caller asked for.
func refuse(req fetchers.Request, t fetchers.Task, p *Page) error {
	empty := p.File == "" && len(bytes.TrimSpace(p.HTML)) == 0
	if who := challenge(p); who != "" {
		if p.Status >= 400 {
			who += ", " + statusLine(p)
		}
		if p.Blocked != nil {
			who += "; " + termtext.Cap(termtext.Line(p.Blocked.Error()), 200)
		}
		return fmt.Errorf("challenge in place of the page (%s) — run: %s", who, openBrowser(req, t))
	}
	switch {
	case p.Status == http.StatusUnauthorized:
		return loginNeeded(req, t, "401 Unauthorized")
	case p.Status >= 400, p.Status >= 300 && empty:
		return errors.New(statusLine(p))
	case empty:
		return errors.New("empty body: the server sent a page without content")
	}
	return nil
}

// loginNeeded is the failure of a page that a login stands before. The command
// opens the URL asked for, so that the login leads back to it.
func loginNeeded(req fetchers.Request, t fetchers.Task, why string) error {
	return fmt.Errorf("login needed (%s) — run: %s", why, openBrowser(req, t))
}

// openBrowser is the command that opens the task's URL. The URL is in its plain
// form, which stays whole on one line and between quotes.
func openBrowser(req fetchers.Request, t fetchers.Task) string {
	asked := *t.URL.Parsed
	asked.User = nil
	return req.OpenBrowser(asked.String())
}

// statusLine is the failure of an HTTP error, with the time to come back where
// the server named one.
func statusLine(p *Page) string {
	line := fmt.Sprintf("%d %s", p.Status, cmp.Or(http.StatusText(p.Status), "(a status without a name)"))
	if after := p.Header.Get("Retry-After"); after != "" && (p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable) {
		line += " (retry after " + termtext.Cap(termtext.Line(after), 40) + unitOf(after) + ")"
	}
	return line
}

// unitOf is the unit of a Retry-After value: seconds, or none for a date
// (RFC 9110 §10.2.3).
func unitOf(after string) string {
	if strings.Trim(after, "0123456789") == "" {
		return " s"
	}
	return ""
}

// pageDocument extracts an HTML page into the task's folder, or takes the
// site's markdown of it, which may be nil, when that is the same document.
func pageDocument(req fetchers.Request, t fetchers.Task, p *Page, markdown *native.Document) (*fetchers.Document, error) {
	final, content, facts, err := readPage(req, t, p)
	if err != nil {
		return nil, err
	}
	if markdown != nil && native.Same(content.Markdown, markdown.Markdown) {
		markdown.Title = cmp.Or(p.Title, markdown.Title)
		doc, err := markdownDocument(t, p, markdown)
		if err == nil {
			doc.Facts = append(doc.Facts, factsOf(slices.DeleteFunc(facts, func(f finding) bool { return f.shown }))...)
		}
		return doc, err
	}
	body, err := t.Folder.Write(contentName, strings.NewReader(content.Markdown))
	if err != nil {
		return nil, err
	}
	doc := &fetchers.Document{
		Kind: kindPage, Link: p.URL, Via: p.Via,
		Title:   cmp.Or(termtext.Line(p.Title), content.Title, termtext.Line(final.Host+final.Path)),
		Excerpt: artifact.Excerpt(content.Markdown),
		Facts:   append(pageFacts(p, content), factsOf(facts)...),
		Bodies:  []fetchers.Body{body},
	}
	return doc, nil
}

// readPage extracts an HTML page that nothing stands in place of. The facts are
// the reservations with which it is delivered.
func readPage(req fetchers.Request, t fetchers.Task, p *Page) (final *url.URL, content extract.Result, facts []finding, err error) {
	final, err = weburl.Parse(p.URL)
	if err != nil {
		return nil, content, nil, fmt.Errorf("final URL: %w", err)
	}
	content, err = extract.Extract(p.HTML, withFragment(final, t.URL.Parsed))
	if why := loginForm(t, p, final, content); why != "" {
		return nil, content, nil, loginNeeded(req, t, why)
	}
	if err != nil && !errors.Is(err, extract.ErrNoContent) {
		return nil, content, nil, fmt.Errorf("extract content: %w", err)
	}
	failed, facts := judge(newView(p, content, t.URL.Parsed, final))
	switch {
	case failed.person:
		err = fmt.Errorf("%s — run: %s", failed.reason, openBrowser(req, t))
	case failed.reason != "":
		err = errors.New(failed.reason)
	}
	return final, content, facts, err
}

// How much text, in characters, may stand beside a password field in a page
// that is a login form and nothing else.
const (
	loginText     = 600  // in the content of a page we were sent to
	loginPageText = 1200 // in all of a page that is where it was asked for
)

// loginForm says in what way a page is a login form in place of the page asked
// for, "" when it is none. A page of its own with a short content may well have
// a login form in its head; one that another URL led to is there for the form.
func loginForm(t fetchers.Task, p *Page, final *url.URL, content extract.Result) string {
	switch {
	case !p.PasswordField || content.Text >= loginText:
		return ""
	case moved(t.URL.Parsed, final):
		return "redirected to " + termtext.Cap(final.Host+final.EscapedPath(), 120)
	case content.PageText < loginPageText:
		return "the page is a login form"
	}
	return ""
}

// fileDocument keeps a response that is not a page under its own name, and adds
// what a reader makes of it.
func (f *Fetcher) fileDocument(ctx context.Context, t fetchers.Task, p *Page, sink fetchers.Sink) (*fetchers.Document, error) {
	body, err := adopt(t, p)
	if err != nil {
		return nil, err
	}
	doc := &fetchers.Document{
		Kind: kindFile, Link: p.URL, Title: body.Name, Via: p.Via,
		Bodies: []fetchers.Body{body},
	}
	if p.MediaType != "" {
		doc.Facts = append(doc.Facts, p.MediaType)
	}
	doc.Facts = append(doc.Facts, termtext.Bytes(body.Bytes))
	if isHTML(p.MediaType) { // over the cap of a page, or sent as an attachment
		doc.Facts = append(doc.Facts, "HTML as it came, not extracted")
		return doc, nil
	}
	content, err := f.readFile(ctx, t, p, body, sink)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	} else if err != nil {
		sink.Warn(err.Error()) // the file itself stands
	}
	doc.Title = cmp.Or(termtext.Line(content.Title), doc.Title)
	doc.Facts = append(doc.Facts, content.Facts...)
	if content.Markdown != "" {
		view, err := t.Folder.Write(contentName, strings.NewReader(content.Markdown))
		if err != nil {
			return nil, err
		}
		doc.Bodies = append(doc.Bodies, view)
		doc.Excerpt = artifact.Excerpt(content.Markdown)
	}
	return doc, nil
}

// readFile reads a stored file when it is its turn.
func (f *Fetcher) readFile(ctx context.Context, t fetchers.Task, p *Page, body fetchers.Body, sink fetchers.Sink) (read.Content, error) {
	select {
	case f.reading <- struct{}{}:
		defer func() { <-f.reading }()
	case <-ctx.Done():
		return read.Content{}, context.Cause(ctx)
	}
	sink.Stage(t, fetchers.Stage{Name: fetchers.StageExtracting})
	_, params, _ := mime.ParseMediaType(p.Header.Get("Content-Type"))
	return f.readers.Read(ctx, read.Source{
		Path: body.Path, Name: body.Name, MediaType: p.MediaType, Charset: params["charset"], Bytes: body.Bytes,
	})
}

// adopt gives the file of a response its own name.
func adopt(t fetchers.Task, p *Page) (fetchers.Body, error) {
	final, err := weburl.Parse(p.URL)
	if err != nil {
		return fetchers.Body{}, fmt.Errorf("final URL: %w", err)
	}
	body, err := t.Folder.Adopt(p.File, artifact.NameFrom(p.Disposition, final, p.MediaType))
	if err == nil && body.Bytes == 0 {
		err = errors.New("empty body: the server sent a file of 0 bytes")
	}
	return body, err
}

func isHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml"
}
