package github

import (
	"context"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/target"
)

var _ fetchers.Explainer = (*Fetcher)(nil)

// Explain names the shape of u, or why it is none, and the token's source.
func (f *Fetcher) Explain(ctx context.Context, req fetchers.Request, u fetchers.URL) (reason, auth string) {
	t, ok := claim(u)
	if ok {
		return "a GitHub URL: " + strings.ReplaceAll(string(t.Kind), "_", " "), f.cfg.API.Session(req.Env).TokenSource(ctx)
	}
	if _, known := target.Parse(u.Asked); known && u.Parsed != nil && u.Parsed.User != nil {
		return "the login in the URL is none for GitHub's API", ""
	}
	return "not a URL that GitHub's APIs have an answer to", ""
}
