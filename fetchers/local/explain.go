package local

import (
	"context"

	"pifetch/fetchers"
)

var _ fetchers.Explainer = (*Fetcher)(nil)

// Explain says how u is fetched.
func (f *Fetcher) Explain(_ context.Context, req fetchers.Request, u fetchers.URL) (reason, auth string) {
	switch {
	case !f.Claims(req, u):
		return "http and https URLs only", ""
	case u.Parsed.User != nil:
		return "a page for Chrome", "the login in the URL, and those of the browser profile"
	}
	return "a page for Chrome", "the logins of the browser profile"
}
