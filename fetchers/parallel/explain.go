package parallel

import (
	"context"
	"strings"

	"pifetch/fetchers"
)

var _ fetchers.Explainer = (*Fetcher)(nil)

// Explain says why u may not be told to the API, or whose key is used.
func (f *Fetcher) Explain(_ context.Context, req fetchers.Request, u fetchers.URL) (reason, auth string) {
	if strings.TrimSpace(req.Env[keyVariable]) != "" {
		auth = keyVariable
	} else if f.key(req.Env) != "" {
		auth = "the daemon's " + keyVariable
	}
	switch {
	case auth == "":
		return "no " + keyVariable, ""
	case u.Parsed == nil || !shareable(u.Parsed):
		return "not told of it: only http and https URLs of public hosts, without a login or a token in them, leave the machine", ""
	case f.cfg.LoggedIn != nil && f.cfg.LoggedIn(u.Parsed.Hostname()):
		return "not told of it: the login window got cookies of that site", ""
	}
	return "a page of a public host", auth
}
