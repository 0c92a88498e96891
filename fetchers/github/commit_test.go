package github

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pifetch/test/fakegithub"
)

// remarks gives a commit of octo/hello comments, a signature and a committer
// of its own.
func remarks(f *fakegithub.Fake, sha string) {
	comment := func(id int64, login, path string, line any, body string) map[string]any {
		c := map[string]any{
			"id": id, "body": body, "commit_id": sha, "path": nil, "position": nil, "line": line,
			"html_url":   "https://github.com/octo/hello/commit/" + sha + "#commitcomment-" + decimal(id),
			"created_at": "2026-02-04T09:00:00Z", "updated_at": "2026-02-04T09:00:00Z", "author_association": "MEMBER",
			"user": map[string]any{"login": login},
		}
		if path != "" {
			c["path"], c["position"] = path, 1
		}
		return c
	}
	list := []any{
		comment(5000000001, "grace", "", nil, "Thanks!\r\n\r\n# Not a heading of ours"),
		comment(5000000002, "linus", "src/greet_test.go", 6, "Why `xx`?"),
	}
	f.Handle("GET /repos/{owner}/{repo}/commits/{commit_sha}/comments", func(r fakegithub.Request) (int, any) {
		if r.Params["commit_sha"] != sha {
			return 200, fakegithub.List{}
		}
		return 200, fakegithub.List{Items: list}
	})
	f.Handle("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", func(r fakegithub.Request) (int, any) {
		if r.Params["commit_sha"] != sha {
			return 0, nil
		}
		return 200, fakegithub.List{Items: []any{map[string]any{
			"number": 3, "title": "Test greet", "state": "closed", "merged_at": "2026-02-03T08:30:00Z", "html_url": "https://github.com/octo/hello/pull/3",
		}}}
	})
}

func TestCommit(t *testing.T) {
	f := fakegithub.New(t)
	git := f.World.Repos[0].Git
	tested := git.CommitSHA("v1.1.0")
	remarks(f, tested)
	sum := sha256.Sum256([]byte("src/greet_test.go"))
	hash := hex.EncodeToString(sum[:])
	for name, url := range map[string]string{
		"plain":           "https://github.com/octo/hello/commit/" + tested,
		"short":           "https://github.com/octo/hello/commit/" + tested[:8],
		"diff":            "https://github.com/octo/hello/commit/" + tested + ".diff",
		"patch":           "https://github.com/octo/hello/commit/" + tested[:10] + ".patch",
		"checks":          "https://github.com/octo/hello/commit/" + git.CommitSHA("refs/pull/8/head") + "/checks",
		"first":           "https://github.com/octo/hello/commit/" + git.Line("rev-list", "--max-parents=0", "main"),
		"merge":           "https://github.com/octo/hello/commit/" + git.CommitSHA("main"),
		"branch":          "https://github.com/octo/hello/commit/release-1.0",
		"api":             "https://api.github.com/repos/octo/hello/commits/feature/x",
		"renamed":         "https://github.com/octo/old-hello/commit/" + tested,
		"comment":         "https://github.com/octo/hello/commit/" + tested + "#commitcomment-5000000001",
		"line_comment":    "https://github.com/octo/hello/commit/" + tested + "#r5000000002",
		"comment_absent":  "https://github.com/octo/hello/commit/" + tested + "#commitcomment-9",
		"file":            "https://github.com/octo/hello/commit/" + tested + "#diff-" + hash + "R6",
		"missing":         "https://github.com/octo/hello/commit/" + strings.Repeat("0", 40),
		"private":         "https://github.com/octo/secret/commit/main",
		"of_pull_request": "https://github.com/octo/hello/pull/9/commits/" + git.CommitSHA("feature/x"),
		"unknown_page":    "https://github.com/octo/hello/commit/" + tested + "?page=2",
	} {
		golden(t, f, "commit/"+name, url)
	}
}

// A diff that GitHub does not make as a whole is made from the listed files.
func TestCommitOverTheLimits(t *testing.T) {
	f := fakegithub.New(t)
	sha := f.World.Repos[0].Git.Line("rev-list", "--max-parents=0", "main")
	f.Handle("GET /repos/{owner}/{repo}/commits/{ref}", func(r fakegithub.Request) (int, any) {
		if strings.Contains(r.Header.Get("Accept"), "diff") {
			return 406, fakegithub.TooLarge()
		}
		return 0, nil
	})
	got := fetch(t, f, withToken, "https://github.com/octo/hello/commit/"+sha)
	text := got.body(t, diffName)
	for _, want := range []string{"diff --git a/README.md b/README.md\nnew file mode 100644\n", "# omitted: assets/logo.png (binary or too large for GitHub's API)\n", "new file mode 120000\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %q", diffName, want)
		}
	}
	if fact := "diff.patch: 5 files left out"; !slices.Contains(got.Document.Facts, fact) {
		t.Errorf("facts %q lack %q", got.Document.Facts, fact)
	}
}

// Without the diff there is still a commit, and it says what is missing.
func TestCommitWithoutDiff(t *testing.T) {
	f := fakegithub.New(t)
	sha := f.World.Repos[0].Git.CommitSHA("main")
	f.FailAlways("web /octo/hello/commit/", fakegithub.TooManyRequests(time.Minute))
	fetcher := newFetcher(t, f)
	plain := "https://github.com/octo/hello/commit/" + sha
	got := fetchAll(t, fetcher, request(f, anonymous), plain, plain+".diff")
	if failure := got[plain+".diff"].Failure; failure == nil || !strings.Contains(failure.Reason, "too many requests to github.com") {
		t.Errorf("the diff alone: %+v", failure)
	}
	facts := got[plain].Document.Facts
	if fact := "no diff.patch: GitHub did not answer, try again later"; !slices.Contains(facts, fact) {
		t.Errorf("facts %q lack %q", facts, fact)
	}
	if text := got[plain].body(t, commitName); !strings.Contains(text, "| added | +3 | -0 | `src/spanish.go` |") {
		t.Errorf("%s does not list the files:\n%s", commitName, text)
	}
}

func TestCommitList(t *testing.T) {
	f := fakegithub.New(t)
	for name, url := range map[string]string{
		"default_branch":  "https://github.com/octo/hello/commits",
		"branch":          "https://github.com/octo/hello/commits/main",
		"slash_and_path":  "https://github.com/octo/hello/commits/feature/x/src/main.go",
		"folder":          "https://github.com/octo/hello/commits/main/src",
		"tag":             "https://github.com/octo/hello/commits/refs/tags/release-1.0",
		"author":          "https://github.com/octo/hello/commits/main?author=linus",
		"days":            "https://github.com/octo/hello/commits/main?since=2026-01-10&until=2026-02-03",
		"api":             "https://api.github.com/repos/octo/hello/commits",
		"renamed":         "https://github.com/octo/old-hello/commits/main",
		"author_of_path":  "https://github.com/octo/hello/commits/main/src/gone.go?author=ada",
		"unknown_ref":     "https://github.com/octo/hello/commits/nothing/here",
		"unknown_page":    "https://github.com/octo/hello/commits/main?after=abc+34",
		"no_day":          "https://github.com/octo/hello/commits/main?since=yesterday",
		"empty":           "https://github.com/octo/empty/commits",
		"no_such_repo":    "https://github.com/octo/nothing/commits/main",
		"private":         "https://github.com/octo/secret/commits/main",
		"no_file_anymore": "https://github.com/octo/hello/commits/main/src/gone.go",
	} {
		golden(t, f, "commit_list/"+name, url)
	}
}

// A list of a hundred is complete when there is no next page.
func TestCommitListEnds(t *testing.T) {
	f := fakegithub.New(t)
	n := 0
	f.Handle("GET /repos/{owner}/{repo}/commits", func(fakegithub.Request) (int, any) {
		var list fakegithub.List
		for i := range n {
			list.Items = append(list.Items, map[string]any{
				"sha": strings.Repeat("a", 40), "html_url": "https://github.com/octo/hello/commit/" + strings.Repeat("a", 40), "parents": []any{},
				"commit": map[string]any{"message": "Commit " + number(i), "author": map[string]any{"name": "Ada", "date": "2026-01-01T00:00:00Z"}},
			})
		}
		return 200, list
	})
	for _, tt := range []struct {
		n    int
		fact string
	}{{100, "100 commits"}, {101, "100 commits, and there are more"}} {
		n = tt.n
		got := fetch(t, f, anonymous, "https://github.com/octo/hello/commits")
		rest := strings.Contains(got.body(t, "listing.md"), "\nThe rest: https://api.github.com/repos/octo/hello/commits?page=2&per_page=100\n")
		if !slices.Contains(got.Document.Facts, tt.fact) || rest != (tt.n > 100) {
			t.Errorf("%d commits: facts %q, the rest named: %v", tt.n, got.Document.Facts, rest)
		}
	}
}

func TestCompare(t *testing.T) {
	f := fakegithub.New(t)
	for name, url := range map[string]string{
		"tags":       "https://github.com/octo/hello/compare/v1.0.0...v1.1.0",
		"diverged":   "https://github.com/octo/hello/compare/main...feature/x",
		"two_dots":   "https://github.com/octo/hello/compare/main..feature/x",
		"two_ahead":  "https://github.com/octo/hello/compare/v1.0.0..v1.1.0",
		"fork":       "https://github.com/octo/hello/compare/main...linus:spanish",
		"behind":     "https://github.com/octo/hello/compare/main...v1.0.0",
		"identical":  "https://github.com/octo/hello/compare/v1.1.0...v1.1.0",
		"diff":       "https://github.com/octo/hello/compare/v1.0.0...v1.1.0.diff",
		"patch":      "https://github.com/octo/hello/compare/v1.0.0..v1.1.0.patch",
		"expanded":   "https://github.com/octo/hello/compare/v1.0.0...v1.1.0?expand=1",
		"torture":    "https://github.com/octo/hello/compare/main...torture",
		"renamed":    "https://github.com/octo/old-hello/compare/v1.0.0...v1.1.0",
		"missing":    "https://github.com/octo/hello/compare/main...nothing",
		"other_page": "https://api.github.com/repos/octo/hello/compare/v1.0.0...v1.1.0?page=2",
	} {
		golden(t, f, "compare/"+name, url)
	}
}

// Two dots and three are told apart where the page's own diff is not to be had.
func TestCompareTwoDotsWithoutPage(t *testing.T) {
	f := fakegithub.New(t)
	f.FailAlways("web /octo/hello/compare/", fakegithub.NotFound())
	got := fetch(t, f, withToken, "https://github.com/octo/hello/compare/main..feature/x")
	fact := "two dots asked, three given: GitHub's API has no other diff"
	if !slices.Contains(got.Document.Facts, fact) {
		t.Errorf("facts %q lack %q", got.Document.Facts, fact)
	}
	if text := got.body(t, diffName); strings.Contains(text, "coffee.go") {
		t.Errorf("%s is no diff from the merge base:\n%s", diffName, text)
	}
}

// Of a long comparison GitHub lists the latest commits, the last of them the head.
func TestLongComparison(t *testing.T) {
	f := fakegithub.New(t)
	commit := func(n int) map[string]any {
		sha := strings.Repeat("0", 37) + fmt.Sprintf("%03d", n)
		who := map[string]any{"name": "Ada", "email": "ada@octo.example", "date": "2026-01-01T00:00:00Z"}
		return map[string]any{
			"sha": sha, "html_url": "https://github.com/octo/hello/commit/" + sha, "parents": []any{}, "author": nil, "committer": nil,
			"commit": map[string]any{"message": "Commit " + number(n), "author": who, "committer": who},
		}
	}
	f.Handle("GET /repos/{owner}/{repo}/compare/{basehead}", func(r fakegithub.Request) (int, any) {
		if strings.Contains(r.Header.Get("Accept"), "diff") {
			return 0, nil
		}
		var commits []any
		for n := 101; n <= 350; n++ {
			commits = append(commits, commit(n))
		}
		return 200, fakegithub.Partial{Body: map[string]any{
			"html_url": "https://github.com/octo/hello/compare/v1.0.0...v1.1.0", "status": "ahead", "ahead_by": 350, "behind_by": 0, "total_commits": 350,
			"base_commit": commit(0), "merge_base_commit": commit(0), "commits": commits, "files": []any{},
		}}
	})
	got := fetch(t, f, withToken, "https://github.com/octo/hello/compare/v1.0.0...v1.1.0")
	if fact := "the latest 250 of 350 commits"; !slices.Contains(got.Document.Facts, fact) {
		t.Errorf("facts %q lack %q", got.Document.Facts, fact)
	}
	const rest = "The latest 250 of 350; all of them, from the first on: https://api.github.com/repos/octo/hello/compare/v1.0.0...v1.1.0?per_page=100&page=1\n"
	if text := got.body(t, compareName); !strings.Contains(text, rest) || !strings.Contains(text, "- head: v1.1.0 "+commit(350)["sha"].(string)+"\n") {
		t.Errorf("%s begins:\n%.900s", compareName, text)
	}
}

// An outline tells what people wrote from the document's own headings.
func TestOutlineOfCommitQuotesComments(t *testing.T) {
	f := fakegithub.New(t)
	sha := f.World.Repos[0].Git.CommitSHA("v1.1.0")
	remarks(f, sha)
	var outline []string
	for _, h := range fetch(t, f, withToken, "https://github.com/octo/hello/commit/"+sha+"#commitcomment-5000000001").Document.Bodies[0].Outline {
		outline = append(outline, h.Text)
	}
	if !slices.Contains(outline, "“Not a heading of ours”") || !slices.Contains(outline, "Comments") {
		t.Errorf("outline %q", outline)
	}
}

func TestHistoryNarrow(t *testing.T) {
	for _, tt := range []struct {
		params map[string]string
		want   map[string]string
		ok     bool
	}{
		{map[string]string{"author": "ada"}, map[string]string{"author": "ada"}, true},
		{map[string]string{"since": "2026-01-02", "until": "2026-01-03"}, map[string]string{"since": "2026-01-02T00:00:00Z", "until": "2026-01-03T23:59:59Z"}, true},
		{map[string]string{"since": "2026-01-02T03:04:05Z"}, map[string]string{"since": "2026-01-02T03:04:05Z"}, true},
		{map[string]string{"since": "2026-13-02"}, nil, false},
	} {
		h := history{query: values(nil)}
		ok := h.narrow(values(tt.params))
		got := map[string]string{}
		for name := range h.query {
			got[name] = h.query.Get(name)
		}
		if ok != tt.ok || ok && !maps.Equal(got, tt.want) {
			t.Errorf("%v: %v, %v; want %v, %v", tt.params, got, ok, tt.want, tt.ok)
		}
	}
}

// Diffs of commits and comparisons cost nothing of the API without a token.
func TestPublicDiffsCostNoCalls(t *testing.T) {
	f := fakegithub.New(t)
	sha := f.World.Repos[0].Git.CommitSHA("main")
	urls := []string{
		"https://github.com/octo/hello/commit/" + sha + ".diff", "https://github.com/octo/hello/commit/" + sha[:7] + ".patch",
		"https://github.com/octo/hello/compare/v1.0.0...main.diff", "https://github.com/octo/hello/compare/main..feature/x.patch",
	}
	for url, got := range fetchAll(t, newFetcher(t, f), request(f, anonymous), urls...) {
		if got.Document == nil || got.Document.Via != "web" || got.Document.Bodies[0].Name != diffName {
			t.Errorf("%s: %+v", url, got)
		}
	}
	for _, c := range f.Calls() {
		if c.API() {
			t.Errorf("a call of the API: %s", c.Path)
		}
	}
}

// A comment beyond those that are read is read for the URL's sake, when it is
// the commit's.
func TestCommitCommentBeyondTheCap(t *testing.T) {
	f := fakegithub.New(t)
	sha := f.World.Repos[0].Git.CommitSHA("main")
	comment := func(n int) map[string]any {
		return map[string]any{
			"id": 5100000000 + int64(n), "body": "Comment " + number(n), "commit_id": sha, "path": nil, "line": nil, "position": nil,
			"html_url": "https://github.com/octo/hello/commit/" + sha + "#commitcomment-" + decimal(5100000000+int64(n)),
			"user":     map[string]any{"login": "ada"}, "created_at": "2026-03-21T10:00:00Z", "updated_at": "2026-03-21T10:00:00Z", "author_association": "MEMBER",
		}
	}
	f.Handle("GET /repos/{owner}/{repo}/commits/{commit_sha}/comments", func(fakegithub.Request) (int, any) {
		var list fakegithub.List
		for n := range 230 {
			list.Items = append(list.Items, comment(n))
		}
		return 200, list
	})
	f.Handle("GET /repos/{owner}/{repo}/comments/{comment_id}", func(r fakegithub.Request) (int, any) {
		c := comment(220)
		if r.Params["comment_id"] != "5100000220" {
			c["commit_id"] = strings.Repeat("d", 40)
		}
		return 200, fakegithub.Partial{Body: c}
	})
	page := "https://github.com/octo/hello/commit/" + sha
	got := fetch(t, f, withToken, page+"#commitcomment-5100000220")
	if !strings.HasSuffix(got.Document.Excerpt, "Comment 220") {
		t.Errorf("the excerpt is %q", got.Document.Excerpt)
	}
	text := got.body(t, commitName)
	const rest = "the first 200 comments here; the rest: https://api.github.com/repos/octo/hello/commits/"
	if !strings.Contains(text, rest) || strings.Contains(text, "Comment 219") {
		t.Errorf("%s does not say that there are more comments", commitName)
	}
	if !strings.Contains(text, "## What the URL points at\n\n### ada (member)") {
		t.Errorf("%s has the comment among the first ones", commitName)
	}
	got = fetch(t, f, withToken, page+"#commitcomment-7")
	if fact := "anchor #commitcomment-7 not found"; !slices.Contains(got.Document.Facts, fact) {
		t.Errorf("facts %q lack %q", got.Document.Facts, fact)
	}
}
