package github

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pifetch/test/fakegithub"
	"pifetch/test/fakegithub/graph"
)

func TestDiscussion(t *testing.T) {
	f := fakegithub.New(t)
	for name, url := range map[string]string{
		"answered":       "https://github.com/octo/hello/discussions/20",
		"closed":         "https://github.com/octo/hello/discussions/21",
		"comment":        "https://github.com/octo/hello/discussions/20#discussioncomment-9000002",
		"reply":          "https://github.com/octo/hello/discussions/20#discussioncomment-9000003",
		"comment_absent": "https://github.com/octo/hello/discussions/20?sort=new#discussioncomment-1",
		"renamed":        "https://github.com/octo/old-hello/discussions/20",
		"absent":         "https://github.com/octo/hello/discussions/999",
		"was_issue":      "https://github.com/octo/hello/issues/20",
	} {
		golden(t, f, "discussion/"+name, url)
	}
}

func TestDiscussionList(t *testing.T) {
	f := fakegithub.New(t)
	f.Override("Query.search", func(_ graph.Object, args map[string]any) any {
		if args["type"] != "DISCUSSION" || args["query"] != "repo:octo/hello is:answered language" {
			t.Errorf("search for %v", args)
		}
		found := graph.Object{
			"__typename": "Discussion", "number": 20, "title": "How do I add a language?", "url": "https://github.com/octo/hello/discussions/20",
			"author": nil, "updatedAt": "2026-03-01T10:00:00Z", "closed": true, "isAnswered": true, "upvoteCount": 4,
			"category": graph.Object{"name": "Q&A", "isAnswerable": true}, "comments": graph.Connection{Items: []graph.Object{{}, {}}},
		}
		return graph.Connection{Items: []graph.Object{found}, Fields: graph.Object{
			"discussionCount": 101, "issueCount": 0, "repositoryCount": 0, "userCount": 0, "codeCount": 0, "wikiCount": 0,
		}}
	})
	for name, url := range map[string]string{
		"open":         "https://github.com/octo/hello/discussions",
		"category":     "https://github.com/octo/hello/discussions/categories/q-a",
		"search":       "https://github.com/octo/hello/discussions?discussions_q=is%3Aanswered+language",
		"both":         "https://github.com/octo/hello/discussions/categories/q-a?discussions_q=language",
		"no_category":  "https://github.com/octo/hello/discussions/categories/poems",
		"unknown_page": "https://github.com/octo/hello/discussions?page=2",
		"no_such_repo": "https://github.com/octo/nothing/discussions",
		"organisation": "https://github.com/orgs/octo/discussions",
	} {
		golden(t, f, "discussion_list/"+name, url)
	}
}

// The repository of an organisation's discussions is the one whose page leads
// to the organisation's.
func TestDiscussionsOfAnOrganisation(t *testing.T) {
	f := fakegithub.New(t)
	f.World.Repos[0].Name = "community"
	f.FailAlways("web /octo/community/discussions", fakegithub.Failure{Status: 302, Header: map[string]string{"Location": "/orgs/Octo/discussions"}})
	f.FailAlways("web /orgs/Octo/discussions", fakegithub.Failure{Status: 200, Header: map[string]string{"Content-Type": "text/html"}, Body: "<title>Discussions</title>"})
	for name, url := range map[string]string{
		"one":  "https://github.com/orgs/octo/discussions/20#discussioncomment-9000002",
		"list": "https://github.com/orgs/octo/discussions",
	} {
		golden(t, f, "discussion_of_organisation/"+name, url)
	}
}

// talkative is a discussion with more comments and replies than are read, and
// its answer beyond them.
func talkative(f *fakegithub.Fake) string {
	d := &fakegithub.Discussion{
		Number: 30, ID: 8000030, Title: "All about greetings", Author: "ada", Category: "Q&A", Answerable: true,
		Created: at(0), Updated: at(0), Answered: at(0), AnsweredBy: "ada",
	}
	for i := range 230 {
		c := &fakegithub.DiscussionComment{Comment: fakegithub.Comment{
			ID: 9100000000 + int64(i), Author: "linus", Body: fmt.Sprintf("Comment %d", i), Created: at(0).Add(time.Duration(i) * time.Minute),
		}}
		if i == 3 {
			for n := range 60 {
				c.Replies = append(c.Replies, &fakegithub.Comment{ID: 9200000000 + int64(n), Author: "grace", Body: fmt.Sprintf("Reply %d", n), Created: at(0)})
			}
		}
		c.Answer = i == 220
		d.Comments = append(d.Comments, c)
	}
	f.World.Repos[0].Discussions = append(f.World.Repos[0].Discussions, d)
	return "https://github.com/octo/hello/discussions/30"
}

func TestLongDiscussion(t *testing.T) {
	f := fakegithub.New(t)
	got := fetch(t, f, withToken, talkative(f))
	for _, fact := range []string{"200 of 230 comments", "50 of 60 replies to these", "answer by linus: https://github.com/octo/hello/discussions/30#discussioncomment-9100000220"} {
		if !slices.Contains(got.Document.Facts, fact) {
			t.Errorf("facts %q lack %q", got.Document.Facts, fact)
		}
	}
	lines := strings.Split(got.body(t, conversationName), "\n")
	for _, want := range []string{"200 of 230 comments here; the page has the rest: https://github.com/octo/hello/discussions/30", "10 more on the page: https://github.com/octo/hello/discussions/30#discussioncomment-9100000003", "Comment 220"} {
		if !slices.Contains(lines, want) {
			t.Errorf("the document lacks %q", want)
		}
	}
	for _, line := range lines {
		if text, ok := strings.CutSuffix(line, " | answer by linus |"); ok {
			var n int
			if _, err := fmt.Sscanf(text, "| %d", &n); err != nil || lines[n-1] != "## Answer" {
				t.Errorf("the index has the answer at %q", text)
			}
		}
	}
	if n := len(f.Calls()); n != 2 {
		t.Errorf("%d calls, want one query and one for more comments", n)
	}
}

// A discussion that is too much for one query is asked for in smaller parts.
func TestHeavyDiscussion(t *testing.T) {
	f := fakegithub.New(t)
	url := talkative(f)
	f.Fail("graphql discussion(", fakegithub.Unavailable(502))
	got := fetch(t, f, withToken, url)
	if fact := "200 of 230 comments"; !slices.Contains(got.Document.Facts, fact) {
		t.Errorf("facts %q lack %q", got.Document.Facts, fact)
	}
	if n := len(f.Calls()); n != 5 { // one that fails, four of 50 comments each
		t.Errorf("%d calls, want 5", n)
	}
}

// Comments that GitHub refuses to tell are not taken for absent ones.
func TestDiscussionWithoutItsComments(t *testing.T) {
	f := fakegithub.New(t)
	f.Fail("graphql discussion(", fakegithub.QueryErrors([]string{"repository.discussion.comments.nodes.*"}, "FORBIDDEN", "Resource not accessible"))
	got := fetch(t, f, withToken, "https://github.com/octo/hello/discussions/20")
	facts := got.Document.Facts
	if slices.Contains(facts, "0 comments") || !slices.Contains(facts, "2 comments not read") || slices.ContainsFunc(facts, func(f string) bool { return strings.Contains(f, "replies") }) {
		t.Errorf("facts %q", facts)
	}
}

func TestReplies(t *testing.T) {
	comments := []discussionComment{{Replies: []comment{{}, {}}, Missing: 3}, {}}
	for want, d := range map[string]discussion{
		"2 of 5 replies":          {talk: items[discussionComment]{List: comments}},
		"2 of 5 replies to these": {talk: items[discussionComment]{List: comments, More: true}},
		"1 reply":                 {talk: items[discussionComment]{List: []discussionComment{{Replies: []comment{{}}}}}},
		"0 replies":               {},
	} {
		if got := d.replies(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestDiscussionState(t *testing.T) {
	for _, tt := range []struct {
		d    discussion
		want string
	}{
		{discussion{}, "open"},
		{discussion{Answerable: true}, "not answered"},
		{discussion{Answerable: true, Answered: true}, "answered"},
		{discussion{ClosedAs: "closed as resolved", Answerable: true, Answered: true}, "closed as resolved, answered"},
		{discussion{ClosedAs: "closed"}, "closed"},
	} {
		if got := tt.d.state(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.d, got, tt.want)
		}
	}
}

func TestPoll(t *testing.T) {
	d := discussion{Poll: "Which | one?", Votes: [][]string{{"French", "3"}, {"a | b", "0"}}}
	text, _ := d.render()
	want := "## Poll: Which | one?\n\n| option | votes |\n| --- | --- |\n| French | 3 |\n| a \\| b | 0 |\n"
	if !strings.Contains(text, want) {
		t.Errorf("got:\n%s\nwant in it:\n%s", text, want)
	}
}
