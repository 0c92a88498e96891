package github

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pifetch/test/fakegithub"
)

func TestPullRequest(t *testing.T) {
	f := fakegithub.New(t)
	talk(f)
	head := f.World.Repos[0].Issue(fakegithub.PullDraft).Pull.HeadSHA
	sum := sha256.Sum256([]byte("src/main.go"))
	hash := hex.EncodeToString(sum[:])
	for name, path := range map[string]string{
		"big":                  "/pull/8",
		"torture":              "/pull/7",
		"draft":                "/pull/9",
		"merged":               "/pull/10",
		"lost_fork":            "/pull/11",
		"files":                "/pull/9/files",
		"changes":              "/pull/9/changes",
		"file":                 "/pull/9/files#diff-" + hash,
		"line":                 "/pull/9/files#diff-" + hash + "R10",
		"line_before":          "/pull/9/files#diff-" + hash + "L10-L12",
		"line_outside":         "/pull/9/files#diff-" + hash + "R900",
		"line_malformed":       "/pull/9/files#diff-" + hash + "-R",
		"file_absent":          "/pull/9/files#diff-" + strings.Repeat("0", 64),
		"range":                "/pull/9/files/BASE..HEAD",
		"up_to_a_commit":       "/pull/9/files/" + head,
		"commits":              "/pull/9/commits",
		"checks":               "/pull/10/checks",
		"diff":                 "/pull/9.diff",
		"patch":                "/pull/9.patch",
		"comment":              "/pull/9#issuecomment-3300000001",
		"review":               "/pull/9#pullrequestreview-4300000001",
		"review_absent":        "/pull/9#pullrequestreview-1",
		"thread":               "/pull/9#discussion_r4400000002",
		"thread_on_files":      "/pull/9/files#r4400000011",
		"thread_absent":        "/pull/9#discussion_r1",
		"thread_of_other_pull": "/pull/9#discussion_r4200000000",
	} {
		golden(t, fresh(f), "pull/"+name, hello+path)
	}
	golden(t, fresh(f), "pull/renamed_repository", "https://github.com/oldocto/hello/pull/10")
}

// fresh gives everybody their whole limit back.
func fresh(f *fakegithub.Fake) *fakegithub.Fake {
	f.SetRemaining(false, "core", 60, time.Now().Add(time.Hour))
	return f
}

// A number is looked for among the issues when it is no pull request's.
func TestPullRequestThatIsNone(t *testing.T) {
	f := fakegithub.New(t)
	for _, m := range []mode{withToken, anonymous} {
		got := fetch(t, f, m, hello+"/pull/5")
		if got.Document == nil || got.Document.Kind != "github.issue" || got.Document.Link != hello+"/issues/5" || len(got.Document.Bodies) != 1 {
			t.Errorf("%s: %+v, %+v", m, got.Document, got.Failure)
		}
		got = fetch(t, f, m, hello+"/pull/999")
		if got.Failure == nil || !strings.HasPrefix(got.Failure.Reason, "404 Not Found: octo/hello has no issue or pull request 999") {
			t.Errorf("%s: %+v, %+v", m, got.Document, got.Failure)
		}
	}
}

// talk gives pull request 9 one of everything that can be said about it.
func talk(f *fakegithub.Fake) {
	at := func(minute int) time.Time { return time.Date(2026, 3, 8, 9, minute, 0, 0, time.UTC) }
	said := func(id int64, minute int, author, association, body string) fakegithub.Comment {
		return fakegithub.Comment{ID: id, Author: author, Association: association, Body: body, Created: at(minute)}
	}
	on := func(review int64, c fakegithub.Comment) *fakegithub.ReviewComment {
		return &fakegithub.ReviewComment{Comment: c, Review: review}
	}
	issue := f.World.Repos[0].Issue(fakegithub.PullDraft)
	hidden := said(3300000002, 31, "", "NONE", "Buy greetings.")
	hidden.Minimized = "SPAM"
	edited := said(3300000003, 32, "linus", "CONTRIBUTOR", "Done.")
	edited.Edited = at(40)
	first := said(3300000001, 30, "zoe_octo", "FIRST_TIME_CONTRIBUTOR", "## grace · approved\r\n\r\nA heading of mine.")
	issue.Body = "<!-- What does it do? -->\r\n# Feature\r\n\r\nAdds x."
	issue.Comments = []*fakegithub.Comment{&first, &hidden, &edited}
	const review = 4300000001
	issue.Pull.Reviews = []*fakegithub.Review{
		{ID: review, Author: "grace", Association: "MEMBER", State: "COMMENTED", Submitted: at(10), Commit: issue.Pull.HeadSHA},
		{ID: review + 1, Author: "ada", Association: "MEMBER", State: "APPROVED", Body: "Nice.\r\n\r\n```", Submitted: at(20), Commit: issue.Pull.BaseSHA},
	}
	hunk := "@@ -9,7 +9,7 @@ import (\n func main() {\n-\tlang := \"en\"\n+\tlang := \"x\""
	issue.Pull.Threads = []*fakegithub.Thread{
		{Path: "src/main.go", Line: 10, OriginalLine: 10, Hunk: hunk, ResolvedBy: "grace", Comments: []*fakegithub.ReviewComment{
			on(review, said(4400000011, 5, "grace", "MEMBER", "Typo?")),
		}},
		{Path: "src/main.go", Line: 10, OriginalLine: 10, Side: "LEFT", Hunk: hunk, Comments: []*fakegithub.ReviewComment{
			on(review, said(4400000001, 6, "grace", "MEMBER", "Why not keep it?\r\n\r\n```suggestion\r\n\tlang := \"en\"\r\n```")),
			on(review, said(4400000002, 7, "linus", "CONTRIBUTOR", "Because of x.")),
		}},
		{Path: "src/x.go", OriginalLine: 2, Outdated: true, Hunk: "@@ -0,0 +1,2 @@\n+package main\n+", Comments: []*fakegithub.ReviewComment{
			on(review, said(4400000021, 8, "", "NONE", "And tests?")),
		}},
		{Path: "src/x.go", WholeFile: true, Comments: []*fakegithub.ReviewComment{
			on(review, said(4400000031, 9, "grace", "MEMBER", "Rename it.")),
		}},
	}
}

// With a token: a query, one more for all further pages, the diff. Without: the
// pull request, two pages of comments, reviews, comments on lines; the diff and
// the list of files come from the page.
func TestPullRequestCosts(t *testing.T) {
	f := fakegithub.New(t)
	for m, want := range map[mode]int{withToken: 3, anonymous: 5} {
		f.ResetCalls()
		got := fetch(t, f, m, hello+"/pull/8")
		if got.Document == nil {
			t.Fatal(got.Failure)
		}
		calls, web := 0, 0
		for _, c := range f.Calls() {
			if c.API() {
				calls++
			} else {
				web++
			}
		}
		if calls > want || m == withToken && web > 0 {
			t.Errorf("%s: %d calls of the API and %d of other hosts, want at most %d: %+v", m, calls, web, want, f.Calls())
		}
		text := got.body(t, conversationName)
		for thing, n := range map[string]int{
			"\n#### ": 79, "Remark ": 150, "\n### `lang/": 40, "| added | +4 | -0 | `lang/": 119,
		} {
			if got := strings.Count(text, thing); got != n {
				t.Errorf("%s: %d times %q, want %d", m, got, thing, n)
			}
		}
	}
}

// A diff without a token takes nothing of the API.
func TestAnonymousDiffsCostNothing(t *testing.T) {
	f := fakegithub.New(t)
	for range 20 {
		if got := fetch(t, f, anonymous, hello+"/pull/9.diff"); got.Document == nil {
			t.Fatal(got.Failure)
		}
	}
	for _, c := range f.Calls() {
		if c.API() {
			t.Errorf("a call of the API: %+v", c)
		}
	}
}

// The files of a pull request can be had when the API's limit is used up; the
// conversation cannot.
func TestAnonymousFilesWithoutTheAPI(t *testing.T) {
	f := fakegithub.New(t)
	f.SetRemaining(false, "core", 0, time.Now().Add(time.Hour))
	got := fetch(t, f, anonymous, hello+"/pull/9/files")
	if got.Document == nil || got.Document.Via != "web" || got.Document.Bodies[0].Name != diffName {
		t.Errorf("%+v, %+v", got.Document, got.Failure)
	}
	if got := fetch(t, f, anonymous, hello+"/pull/9"); got.Failure == nil || !strings.Contains(got.Failure.Reason, "limit") {
		t.Errorf("%+v, %+v", got.Document, got.Failure)
	}
	busy := fakegithub.New(t)
	busy.Fail("api /repos/octo/hello/pulls/9", fakegithub.Secondary(time.Hour))
	if got := fetch(t, busy, anonymous, hello+"/pull/9/files"); got.Document == nil || got.Document.Via != "web" {
		t.Errorf("%+v, %+v", got.Document, got.Failure)
	}
}

// The lines of the index are those of the headings, and the lines of the table
// of files those of the patch.
func TestIndexIsRight(t *testing.T) {
	f := fakegithub.New(t)
	talk(f)
	row := regexp.MustCompile(`(?m)^\| (\d+) \| (.*) \|$`)
	file := regexp.MustCompile("(?m)^\\| .* \\| `(.*)` \\| (\\d+) \\|$")
	for _, m := range []mode{withToken, anonymous} {
		for _, path := range []string{"/pull/8", "/pull/9", "/pull/7"} {
			got := fetch(t, f, m, hello+path)
			text := got.body(t, conversationName)
			lines := strings.Split(text, "\n")
			index, _, _ := strings.Cut(text, "\n## Description\n")
			rows := row.FindAllStringSubmatch(index, -1)
			if len(rows) < 2 {
				t.Errorf("%s %s: an index of %d lines", m, path, len(rows))
			}
			for _, r := range rows {
				n, _ := strconv.Atoi(r[1])
				if place, _, ok := strings.Cut(r[2], ", "); !strings.HasPrefix(lines[n-1], "##") || ok && !strings.Contains(lines[n-1], place[strings.LastIndex(place, " ")+1:]) {
					t.Errorf("%s %s: line %d is %q, the index says %q", m, path, n, lines[n-1], r[2])
				}
			}
			patch := strings.Split(got.body(t, diffName), "\n")
			files := file.FindAllStringSubmatch(text, -1)
			for _, r := range files {
				n, _ := strconv.Atoi(r[2])
				name := r[1][strings.LastIndex(r[1], "`")+1:]
				if line := patch[n-1]; !strings.HasPrefix(line, "diff --git ") || path != "/pull/7" && !strings.HasSuffix(line, "b/"+name) {
					t.Errorf("%s %s: line %d of the patch is %q, the table says %s", m, path, n, line, name)
				}
			}
			if len(files) == 0 {
				t.Errorf("%s %s: no files", m, path)
			}
		}
	}
}

// A range of commits has a diff of its own, and the table is of its files.
func TestRange(t *testing.T) {
	f := fakegithub.New(t)
	first := f.World.Repos[0].Git.CommitSHA("feature/big~1")
	for _, m := range []mode{withToken, anonymous} {
		got := fetch(t, f, m, hello+"/pull/8/files/"+first+"..HEAD")
		if got.Document == nil {
			t.Fatal(got.Failure)
		}
		files := strings.Count(got.body(t, diffName), "diff --git ")
		_, table, _ := strings.Cut(got.body(t, conversationName), "\n## Changed files of ")
		if rows := strings.Count(table, "\n| ") - 2; files == 0 || files >= 120 || rows != files {
			t.Errorf("%s: %d files in the patch, %d in the table", m, files, rows)
		}
		if fact := diffName + " is of " + short(first) + ".."; !strings.Contains(strings.Join(got.Document.Facts, "\n"), fact) {
			t.Errorf("%s: facts %q", m, got.Document.Facts)
		}
	}
}
