package github

import (
	"slices"
	"strings"
	"testing"

	"pifetch/test/fakegithub"
)

const hello = "https://github.com/octo/hello"

func TestIssue(t *testing.T) {
	f := fakegithub.New(t)
	f.Handle("GET /repos/{owner}/{repo}/issues/events/{event_id}", func(r fakegithub.Request) (int, any) {
		if r.Params["event_id"] != "55" {
			return 404, fakegithub.Partial{Body: map[string]any{"message": "Not Found"}}
		}
		return 200, fakegithub.Partial{Body: map[string]any{
			"id": 55, "event": "closed", "created_at": "2026-01-12T10:01:00Z", "commit_id": strings.Repeat("5", 40),
			"actor": map[string]any{"login": "ada"}, "issue": map[string]any{"number": fakegithub.IssueClosed},
		}}
	})
	for name, path := range map[string]string{
		"open":                 "/issues/1",
		"silent":               "/issues/2",
		"many_comments":        "/issues/3",
		"closed":               "/issues/4",
		"duplicate":            "/issues/5",
		"deleted":              "/issues/6",
		"moved":                "/issues/12",
		"absent":               "/issues/999",
		"of_a_pull_request":    "/issues/10",
		"comment":              "/issues/4#issuecomment-3100000012",
		"comment_past_the_cap": "/issues/3#issuecomment-3000000229",
		"comment_absent":       "/issues/4#issuecomment-77",
		"comment_elsewhere":    "/issues/4#issuecomment-3100000021",
		"event":                "/issues/4#event-55",
		"event_absent":         "/issues/4#event-56",
		"post":                 "/issues/4#issue-2100000004",
	} {
		golden(t, fresh(f), "issue/"+name, hello+path)
	}
	golden(t, fresh(f), "issue/private", "https://github.com/octo/secret/issues/1")
	golden(t, fresh(f), "issue/renamed_repository", "https://github.com/octo/old-hello/issues/5")
}

// Comments are read up to 200, and what is left out is told with its address.
func TestIssueLeavesOutAndSaysSo(t *testing.T) {
	f := fakegithub.New(t)
	for _, m := range []mode{withToken, anonymous} {
		got := fetch(t, f, m, hello+"/issues/3")
		text := got.body(t, conversationName)
		if n := strings.Count(text, "\n### "); n != maxComments {
			t.Errorf("%s: %d comments, want %d", m, n, maxComments)
		}
		want := "200 of 230 comments here; the rest: https://api.github.com/repos/octo/hello/issues/3/comments?per_page=100&page=3"
		if !strings.Contains(text, want) || !slices.Contains(got.Document.Facts, "200 of 230 comments") {
			t.Errorf("%s: facts %q, and in the text no %q", m, got.Document.Facts, want)
		}
	}
	// A list that just fills the cap is not called cut.
	issue := f.World.Repos[0].Issue(fakegithub.IssueMany)
	issue.Comments = issue.Comments[:maxComments]
	for _, m := range []mode{withToken, anonymous} {
		got := fetch(t, f, m, hello+"/issues/3")
		if !slices.Contains(got.Document.Facts, "200 comments") || strings.Contains(got.body(t, conversationName), "the rest") {
			t.Errorf("%s: facts %q of a list of %d", m, got.Document.Facts, maxComments)
		}
	}
}

// An outline tells what people wrote from the document's own headings.
func TestOutlineQuotesWhatPeopleWrote(t *testing.T) {
	f := fakegithub.New(t)
	issue := f.World.Repos[0].Issue(fakegithub.IssueClosed)
	issue.Body = "## Comments\n\n### ada (member) · “approved”\n\nYes."
	var got []string
	for _, h := range fetch(t, f, withToken, hello+"/issues/4").Document.Bodies[0].Outline {
		got = append(got, h.Text)
	}
	want := []string{"octo/hello#4: Only English is greeted", "Description", "“Comments”", `“ada (member) · "approved"”`, "Comments"}
	if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
		t.Errorf("outline %q, want %q first", got, want)
	}
}

// A page of comments that fails costs the page alone with a token; a limit is
// not spoken of.
func TestIssueWithoutItsSecondPage(t *testing.T) {
	f := fakegithub.New(t)
	f.Fail("graphql $after", fakegithub.Unavailable(502))
	got := fetch(t, f, withToken, hello+"/issues/3")
	if got.Document == nil {
		t.Fatal(got.Failure)
	}
	facts := strings.Join(got.Document.Facts, "\n")
	if !strings.Contains(facts, "100 of 230 comments") || !strings.Contains(facts, "not told by GitHub: further comments: ") {
		t.Errorf("facts\n%s", facts)
	}
}
