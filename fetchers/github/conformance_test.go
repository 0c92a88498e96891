package github

import (
	"testing"

	"pifetch/fetchers/fetchertest"
	"pifetch/test/fakegithub"
)

func TestConformance(t *testing.T) {
	f := fakegithub.New(t)
	fetchertest.Run(t, fetchertest.Suite{
		Fetcher: newFetcher(t, f), Request: request(f, withToken),
		Documents: []string{
			"https://github.com/octo/hello", "https://github.com/octo/hello/blob/feature/x/src/main.go#L3", "https://github.com/octo/hello/tree/main/docs",
			"https://github.com/octo/hello/issues/1", "https://github.com/octo/hello/pull/7", "git@github.com:octo/hello.git",
		},
		Failures:  []string{"https://github.com/octo/nothing", "https://github.com/octo/hello/issues/6"},
		Silent:    []string{"https://github.com/octo/hello/blob/nothing/src/main.go"},
		Unclaimed: []string{"https://github.com/settings/profile", "https://example.com/octo/hello", "ftp://github.com/octo/hello"},
		Slow:      "https://github.com/octo/hello/blob/main/LICENSE",
		Hits:      func() int { return len(f.Calls()) },
	})
}
