package github

import (
	"fmt"
	"os"
	"os/exec"
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

// manyTags serves tags of the API's list.
func manyTags(n int) fakegithub.Handler {
	return func(fakegithub.Request) (int, any) {
		list := fakegithub.List{}
		for i := range n {
			list.Items = append(list.Items, object{"name": fmt.Sprintf("v%d", i), "commit": object{"sha": strings.Repeat("a", 40)}})
		}
		return 200, list
	}
}

// Lists that take several requests end at 1,000 items, and say that there are
// more when there are.
func TestLongLists(t *testing.T) {
	f := fakegithub.New(t)
	for _, tt := range []struct {
		tags, calls int
		fact, rest  string
	}{
		{1000, 10, "1,000 tags", ""},
		{1001, 11, "1,000 tags, and there are more", "The rest: https://api.github.com/repos/octo/secret/tags?per_page=100&page=11"},
	} {
		t.Run(fmt.Sprint(tt.tags), func(t *testing.T) {
			f.Handle("GET /repos/{owner}/{repo}/tags", manyTags(tt.tags))
			f.ResetCalls()
			got := fetch(t, f, withToken, "https://github.com/octo/secret/tags")
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

// With a token as without one, all tags of a public repository are compared
// for the highest.
func TestManyPublicTags(t *testing.T) {
	f := fakegithub.New(t)
	repo, _ := f.World.Repo("octo/hello")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(repo.Git.Dir)); err != nil {
		t.Fatal(err)
	}
	var refs strings.Builder
	for i := range 1001 {
		fmt.Fprintf(&refs, "create refs/tags/z%d %s\n", i, repo.Git.CommitSHA("main"))
	}
	git := exec.CommandContext(t.Context(), "git", "--git-dir", dir, "update-ref", "--stdin")
	git.Stdin = strings.NewReader(refs.String())
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	repo.Git.Dir = dir
	f.Handle("GET /repos/{owner}/{repo}/tags", manyTags(1005))
	for _, m := range []mode{withToken, anonymous} {
		got := fetch(t, f, m, "https://github.com/octo/hello/tags")
		got.has(t, "1,005 tags, showing first 1,000")
		if rows := got.rows(t); len(rows) != 1000 || !strings.HasPrefix(rows[0], "| z1000 ") {
			t.Errorf("%s: %d rows from %q", m, len(rows), rows[0])
		}
	}
}

func TestCompareVersions(t *testing.T) {
	want := []string{"", "1.9", "1.10", "1.010", "2", "a", "go1.9", "go1.21", "v1.2.0", "v1.10.0-rc.2", "v1.10.0-rc.10", "v1.10.0", "v1.10.0.1", "x", "x-y"}
	for range 3 {
		got := slices.Clone(want)
		slices.Reverse(got)
		slices.SortFunc(got, compareVersions)
		if !slices.Equal(got, want) {
			t.Errorf("got %q\nwant %q", got, want)
		}
	}
}
