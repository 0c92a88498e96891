package artifact

import (
	"regexp"
	"strings"
	"testing"

	"pifetch/fetchers"
	"pifetch/internal/weburl"
)

func asked(raw string) fetchers.URL {
	u, _ := weburl.Parse(raw)
	return fetchers.URL{Asked: weburl.Redact(raw), Parsed: u}
}

func TestSlug(t *testing.T) {
	tests := []struct{ name, url, want string }{
		{"pull request", "https://github.com/octokit/rest.js/pull/607", "github-com-octokit-rest-js-pull-607"},
		{"host only", "https://example.com/", "example-com"},
		{"port", "http://localhost:8080/a", "localhost-8080-a"},
		{"query", "https://example.com/s?q=go+modules&page=2", "example-com-s-q-go-modules-page-2"},
		{"fragment", "https://example.com/#/inbox", "example-com-inbox"},
		{"upper case", "https://example.com/README.md", "example-com-readme-md"},
		{"escapes", "https://example.com/a%20b%2Fc", "example-com-a-b-c"},
		{"accents", "https://example.com/caf%C3%A9", "example-com-cafe"},
		{"other scripts", "https://ja.example/wiki/日本", "ja-example-wiki"},
		{"userinfo", "https://user:secret@example.com/a", "example-com-a"},
		{"IPv6", "http://[::1]:80/", "1"},
		{"device", "http://nul/", "nul-url"},
		{"not parseable", "git@github.com:o/r.git", "git-github-com-o-r-git"},
		{"nothing left", "日本", "url"},
		{"long", "https://example.com/" + strings.Repeat("a", 300), "example-com-" + strings.Repeat("a", 84)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := slug(asked(tt.url)); got != tt.want {
				t.Errorf("slug(%q) = %q, want %q", tt.url, got, tt.want)
			}
		})
	}
}

func FuzzSlug(f *testing.F) {
	f.Add("https://example.com/a b?q=%zz#f")
	f.Add("con")
	f.Add("//..")
	safe := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	f.Fuzz(func(t *testing.T, raw string) {
		if got := slug(asked(raw)); !safe.MatchString(got) || len(got) > maxSlugBytes+4 || isDevice(got) {
			t.Errorf("slug(%q) = %q", raw, got)
		}
	})
}
