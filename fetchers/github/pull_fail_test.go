package github

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/internal/weburl"
	"pifetch/test/fakegithub"
)

// Where GitHub gives up on the whole query, halves of it are asked for.
func TestHeavyPullRequestIsReadInHalves(t *testing.T) {
	f := fakegithub.New(t)
	f.Fail("graphql $withThreads", fakegithub.Unavailable(502))
	whole := fetch(t, f, withToken, hello+"/pull/8")
	f.ResetCalls()
	again := fetch(t, f, withToken, hello+"/pull/8")
	if whole.Document == nil {
		t.Fatal(whole.Failure)
	}
	if whole.body(t, conversationName) != again.body(t, conversationName) {
		t.Error("the halves make another document")
	}
}

// What a token may not see of a pull request is named, and nothing is claimed
// about it.
func TestPullRequestThatIsPartlyForbidden(t *testing.T) {
	const text = "Resource not accessible by personal access token"
	for _, tt := range []struct{ null, want, never string }{
		{"statusCheckRollup", "checks: " + text, "no checks"},
		{"statusCheckRollup.contexts.nodes.*", "checks: " + text, "no checks"},
		{"statusCheckRollup.contexts.nodes.0", "2 passed; " + text, "no checks"},
		{"reviews", "reviews not read", "0 reviews"},
		{"reviews.nodes.1", "3 of 4 reviews", "\n3 reviews"},
		{"comments.nodes.*", "comments not read", "0 comments"},
		{"commits.nodes.*", "not told by GitHub: commits: " + text, "no checks"},
		{"files", "not told by GitHub: files: " + text, "no checks"},
		{"files.nodes.1", "not told by GitHub: files: " + text, "no checks"},
	} {
		t.Run(tt.null, func(t *testing.T) {
			f := fakegithub.New(t)
			issue := f.World.Repos[0].Issue(fakegithub.PullBig)
			issue.Comments = issue.Comments[:3]
			f.Fail("graphql $withThreads", fakegithub.QueryErrors([]string{"repository.pullRequest." + tt.null}, "FORBIDDEN", text))
			got := fetch(t, f, withToken, hello+"/pull/8")
			if got.Document == nil {
				t.Fatal(got.Failure)
			}
			facts := strings.Join(got.Document.Facts, "\n")
			if !strings.Contains(facts, tt.want) || strings.Contains(facts, tt.never) || strings.Count(facts, text) != 1 {
				t.Errorf("no %q in\n%s", tt.want, facts)
			}
			body := got.body(t, conversationName)
			for _, never := range []string{"| `` |", "-1 commit", "of -1"} {
				if strings.Contains(body, never) {
					t.Errorf("%q in the conversation", never)
				}
			}
		})
	}
}

// Comments of an issue that a token may not see are not counted as absent.
func TestIssueThatIsPartlyForbidden(t *testing.T) {
	f := fakegithub.New(t)
	f.Fail("graphql issueOrPullRequest", fakegithub.QueryErrors([]string{"repository.issueOrPullRequest.comments.nodes.*"}, "FORBIDDEN", "Resource not accessible"))
	got := fetch(t, f, withToken, hello+"/issues/1")
	if got.Document == nil {
		t.Fatal(got.Failure)
	}
	if facts := got.Document.Facts; !slices.Contains(facts, "3 comments not read") {
		t.Errorf("facts %q", facts)
	}
}

// Threads that cannot be read even on their own are said to be unread.
func TestPullRequestWithoutThreads(t *testing.T) {
	f := fakegithub.New(t)
	f.Fail("graphql $withThreads", fakegithub.Unavailable(504))
	f.FailAlways("graphql $threadsAfter", fakegithub.Unavailable(504))
	got := fetch(t, f, withToken, hello+"/pull/9")
	if got.Document == nil {
		t.Fatal(got.Failure)
	}
	facts := strings.Join(got.Document.Facts, "\n")
	if !strings.Contains(facts, "review threads not read") || !strings.Contains(facts, "not told by GitHub: further pages: ") || strings.Contains(facts, "unresolved") {
		t.Errorf("facts\n%s", facts)
	}
}

// A thread of more comments than a page has is read on.
func TestLongThread(t *testing.T) {
	f := fakegithub.New(t)
	talk(f)
	thread := f.World.Repos[0].Issue(fakegithub.PullDraft).Pull.Threads[1]
	for n := range 100 {
		c := *thread.Comments[1]
		c.ID += int64(100 + n)
		c.Body = fmt.Sprintf("Word %d.", n)
		thread.Comments = append(thread.Comments, &c)
	}
	got := fetch(t, f, withToken, hello+"/pull/9")
	if n := strings.Count(got.body(t, conversationName), "\nWord "); n != 100 {
		t.Errorf("%d of 100 replies", n)
	}
}

// A diff over GitHub's limits is made from the listing of files, and is the same
// but for what the listing does not have.
func TestTooLargeDiffIsRebuilt(t *testing.T) {
	f := fakegithub.New(t)
	for _, m := range []mode{withToken, anonymous} {
		plain := fetch(t, f, m, hello+"/pull/9").body(t, diffName)
		f.Fail(map[mode]string{withToken: "api /repos/octo/hello/pulls/9", anonymous: "web /octo/hello/pull/9.diff"}[m], fakegithub.TooLarge())
		got := fetch(t, f, m, hello+"/pull/9")
		if got.Document == nil {
			t.Fatal(got.Failure)
		}
		index := regexp.MustCompile(`(?m)^index .*\n`)
		if rebuilt, want := index.ReplaceAllString(got.body(t, diffName), ""), index.ReplaceAllString(plain, ""); rebuilt != want {
			t.Errorf("%s: rebuilt\n%s\nwant\n%s", m, rebuilt, want)
		}
	}
}

// The two commits cannot always be compared, which only modes and renames
// want.
func TestRebuiltDiffWithoutTheMergeBase(t *testing.T) {
	f := fakegithub.New(t)
	f.Fail("api /repos/octo/hello/pulls/9$", fakegithub.TooLarge())
	f.FailAlways("api /repos/octo/hello/compare/", fakegithub.Unavailable(504))
	got := fetch(t, f, withToken, hello+"/pull/9")
	if n := strings.Count(got.body(t, diffName), "\ndiff --git "); n != 1 {
		t.Errorf("%d files after the first, want 1: %v", n, got.Document.Facts)
	}
}

// A diff that cannot be had is said to be missing; one that was asked for fails.
func TestPullRequestWithoutItsDiff(t *testing.T) {
	f := fakegithub.New(t)
	f.FailAlways("web /octo/hello/pull/9.diff", fakegithub.NotFound())
	got := fetch(t, f, anonymous, hello+"/pull/9")
	if got.Document == nil {
		t.Fatal(got.Failure)
	}
	if facts := strings.Join(got.Document.Facts, "\n"); !strings.Contains(facts, "no diff.patch: 404 Not Found") || len(got.Document.Bodies) != 1 {
		t.Errorf("bodies %v, facts\n%s", got.Document.Bodies, facts)
	}
	if got := fetch(t, f, anonymous, hello+"/pull/9.diff"); got.Failure == nil || !strings.HasPrefix(got.Failure.Reason, "404 Not Found") {
		t.Errorf("the diff asked for: %+v", got.Failure)
	}
}

// A diff that does not come does not hold up the end of a cancelled request.
func TestCancelWhileTheDiffHangs(t *testing.T) {
	f := fakegithub.New(t)
	const diff = "web /octo/hello/pull/9.diff"
	f.FailAlways(diff, fakegithub.Hanging())
	folders, err := artifact.New(artifact.Config{}).NewRequest(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, _ := weburl.Parse(hello + "/pull/9")
	u := fetchers.URL{Asked: hello + "/pull/9", Parsed: parsed}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := &sink{got: map[string]*fetched{}}
	done := make(chan error, 1)
	go func() {
		done <- newFetcher(t, f).Fetch(ctx, request(f, anonymous), []fetchers.Task{{URL: u, Folder: folders.Folder(u)}}, s)
	}()
	for f.Failed(diff) == 0 {
		select {
		case err := <-done:
			t.Fatalf("ended before its diff came: %v, %+v", err, s.got)
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("still running")
	}
	if len(s.got) != 0 {
		t.Errorf("reported %+v, want nothing", s.got)
	}
}
