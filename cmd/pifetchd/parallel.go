package main

import (
	"net/http"
	"os"
	"slices"

	"pifetch/fetchers"
	"pifetch/fetchers/parallel"
	"pifetch/internal/settings"
)

// newParallel makes the fetcher of Parallel's API, behind the network guard.
// All its requests go to a base URL that the user has named.
func newParallel(current func() settings.Settings, loggedIn func(host string) bool) *parallel.Fetcher {
	return parallel.New(parallel.Config{
		Transport: &endpointTransport{
			guard: newGuard(current),
			hosts: func(r *http.Request) []string { return []string{r.URL.Hostname()} },
		},
		Env:       os.Environ(),
		BaseURL:   func() string { return current().Parallel.BaseURL },
		LoggedIn:  loggedIn,
		UserAgent: "pifetch/" + version,
	})
}

// forceLocal reports whether no fetcher but local may see a URL. While the
// settings are wrong none may see any: the user may have forbidden it.
func forceLocal(file *settings.File, u fetchers.URL) bool {
	s, _, err := file.Load()
	return err != nil || u.Parsed != nil && slices.ContainsFunc(s.ForceLocal, func(p settings.Pattern) bool { return p.Match(u.Parsed) })
}
