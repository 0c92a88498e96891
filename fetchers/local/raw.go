package local

import (
	"bytes"
	"context"
	"errors"

	"pifetch/fetchers"
	"pifetch/fetchers/local/extract"
)

// rawName is the name of a rendered page in the raw form.
const rawName = "page.html"

// Raw is what the raw form of a fetch answers with: the page or the file as it
// came, nothing extracted.
type Raw struct {
	FinalURL    string
	ContentType string
	Title       string // of a page
	Body        fetchers.Body
}

// Raw opens the task's URL and stores what came: a rendered page as page.html,
// any other bytes under their own name.
func (f *Fetcher) Raw(ctx context.Context, req fetchers.Request, t fetchers.Task, stage func(fetchers.Stage)) (*Raw, error) {
	p, err := f.pages.page(ctx, req, t, asRendered, stage)
	if err != nil {
		return nil, err
	}
	if err := refuse(req, t, p); err != nil {
		return nil, err
	}
	raw := &Raw{FinalURL: p.URL, ContentType: p.MediaType, Title: p.Title}
	if p.File != "" {
		raw.Body, err = adopt(t, p)
		return raw, err
	}
	if _, _, _, err := readPage(req, t, p); err != nil && !errors.Is(err, extract.ErrNoContent) {
		return nil, err
	}
	raw.Body, err = t.Folder.Write(rawName, bytes.NewReader(p.HTML))
	return raw, err
}
