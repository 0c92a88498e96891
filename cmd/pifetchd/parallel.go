package main

import (
	"net/http"
	"os"

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
