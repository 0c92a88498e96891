package profile

import (
	"context"
	"net/url"
)

// alternate asks for another form of a page that was read, and returns the
// first that comes as text, stored in the visit's part file, or nil.
func (t *tab) alternate(ctx context.Context, v Visit, page *Page) *Page {
	at, err := url.Parse(page.URL)
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, t.opts.Alternate)
	defer cancel()
	limits := t.opts
	limits.MaxBytes = limits.MaxHTML
	for _, u := range v.Alternates(page) {
		if !sameOrigin(u, at) {
			continue
		}
		ask := Visit{URL: u, Accept: v.Accept, PartFile: v.PartFile}
		if sameOrigin(u, v.URL) && v.URL.User != nil {
			with := *u
			with.User = v.URL.User
			ask.URL = &with
		}
		if t.empty(ctx) != nil { // nothing of the page gets in the way
			return nil
		}
		other, err := t.open(ctx, ask, limits, takeText)
		switch {
		case err == nil && other.File != "":
			return other
		case ctx.Err() != nil || t.ctx.Err() != nil:
			return nil
		}
	}
	return nil
}
