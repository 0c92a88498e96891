package github

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pifetch/test/fakegithub"
)

// Tags and branches as documents.
func TestGoldenRefs(t *testing.T) {
	f := fakegithub.New(t)
	for _, tt := range []struct{ name, url string }{
		{"tags/renamed", "https://github.com/octo/old-hello/tags"},
		{"tags/all", "https://github.com/octo/hello/tags"},
		{"tags/none", "https://github.com/octo/empty/tags"},
		{"tags/missing", "https://github.com/octo/nowhere/tags"},
		{"branches/all", "https://github.com/octo/hello/branches"},
		{"branches/search", "https://github.com/octo/hello/branches/all?query=FEAT"},
		{"branches/renamed", "https://github.com/octo/old-hello/branches"},
		{"branches/private", "https://github.com/octo/secret/branches"},
	} {
		golden(t, f, tt.name, tt.url)
	}
}

// Lists that take several requests end at 1,000 items, and say that there are
// more when there are.
func TestLongLists(t *testing.T) {
	f := fakegithub.New(t)
	tags := func(n int) fakegithub.Handler {
		return func(fakegithub.Request) (int, any) {
			list := fakegithub.List{}
			for i := range n {
				list.Items = append(list.Items, object{"name": fmt.Sprintf("v%d", i), "commit": object{"sha": strings.Repeat("a", 40)}})
			}
			return 200, list
		}
	}
	for _, tt := range []struct {
		tags, calls int
		fact, rest  string
	}{
		{1000, 10, "1,000 tags", ""},
		{1001, 10, "1,000 tags, and there are more", "The rest: https://api.github.com/repos/octo/hello/tags?per_page=100&page=11"},
	} {
		t.Run(fmt.Sprint(tt.tags), func(t *testing.T) {
			f.Handle("GET /repos/{owner}/{repo}/tags", tags(tt.tags))
			f.ResetCalls()
			got := fetch(t, f, withToken, "https://github.com/octo/hello/tags")
			got.has(t, tt.fact)
			text := got.body(t, listingName)
			if strings.Contains(text, "The rest:") != (tt.rest != "") || !strings.Contains(text, tt.rest) {
				t.Errorf("want %q", tt.rest)
			}
			if rows := got.rows(t); len(rows) != 1000 || !strings.HasPrefix(rows[0], "| v999 ") {
				t.Errorf("%d rows from %q", len(rows), rows[0])
			}
			if calls := f.Calls(); len(calls) != tt.calls {
				t.Errorf("%d calls, want %d", len(calls), tt.calls)
			}
		})
	}
}

func TestCompareVersions(t *testing.T) {
	want := []string{"", "1.9", "1.10", "1.010", "2", "a", "go1.9", "go1.21", "v1.2.0", "v1.10.0", "v1.10.0-rc.2"}
	for range 3 {
		got := slices.Clone(want)
		slices.Reverse(got)
		slices.SortFunc(got, compareVersions)
		if !slices.Equal(got, want) {
			t.Errorf("got %q\nwant %q", got, want)
		}
	}
}
