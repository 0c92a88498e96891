package github

import (
	"testing"
	"time"

	"pifetch/fetchers/fetchertest"
	"pifetch/test/fakegithub"
)

func TestConformance(t *testing.T) {
	for _, m := range []mode{withToken, anonymous} {
		t.Run(string(m), func(t *testing.T) { testConformance(t, m) })
	}
}

func testConformance(t *testing.T, m mode) {
	f := fakegithub.New(t)
	f.SetRemaining(false, "core", 5000, time.Now().Add(time.Hour)) // the suite asks for everything many times
	release := make(chan struct{})
	defer close(release)
	f.Handle("GET /repos/{owner}/{repo}/languages", func(fakegithub.Request) (int, any) {
		<-release
		return 200, map[string]int{"Go": 1}
	})
	silent := []string{"https://github.com/octo/hello/blob/nothing/src/main.go"}
	if m == anonymous {
		silent = append(silent, "https://github.com/octo/hello/discussions/20", "https://github.com/search?q=greet&type=code")
	}
	fetchertest.Run(t, fetchertest.Suite{
		Fetcher: newFetcher(t, f), Request: request(f, m),
		Documents: []string{
			"https://github.com/octo/hello", "https://github.com/octo/hello/blob/feature/x/src/main.go#L3", "https://github.com/octo/hello/tree/main/docs",
			"https://github.com/octo/hello/issues/1", "https://github.com/octo/hello/pull/7", "git@github.com:octo/hello.git",
			"https://github.com/octo/hello/pull/7.diff", "https://github.com/octo/hello/releases/tag/v1.1.0", "https://github.com/octo/hello/raw/main/assets/logo.png",
		},
		Failures:  []string{"https://github.com/octo/nothing", "https://github.com/octo/hello/issues/6"},
		Silent:    silent,
		Unclaimed: []string{"https://github.com/settings/profile", "https://example.com/octo/hello", "ftp://github.com/octo/hello"},
		Slow:      "https://api.github.com/repos/octo/hello/languages",
		Hits:      func() int { return len(f.Calls()) },
	})
}
