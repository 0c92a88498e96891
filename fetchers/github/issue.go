package github

import (
	"context"
	"errors"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/target"
)

// issue is an issue.
type issue struct {
	conversation

	State         string    // "open", "closed"
	Reason        string    // "completed", "not planned", "duplicate", "reopened"; "" when none is given
	DuplicateOf   reference // the issue it repeats, where that is known
	Parent        string    // the issue it is a part of, with its title where that is known
	SubIssues     items[reference]
	ClosedByPulls []reference // pull requests that close it, once they are merged
	Partial       bool        // read without a token: ClosedByPulls is not known
}

const conversationName = "conversation.md"

func resolveIssue(ctx context.Context, j *job) (fetchers.Document, error) {
	is, err := loadIssue(ctx, j)
	if errors.Is(err, errOther) {
		j.Kind = target.PullRequest
		return resolvePullRequest(ctx, j)
	}
	if errors.Is(err, errNothing) && j.api.Token(ctx) {
		// An issue that was made a discussion keeps its number.
		other := *j
		other.Kind = target.Discussion
		if doc, err := resolveDiscussion(ctx, &other); err == nil {
			return doc, nil
		}
	}
	if err != nil {
		return fetchers.Document{}, err
	}
	return is.deliver(ctx, j)
}

// loadIssue asks GraphQL where there is a token, and REST for what GraphQL does
// not know: an issue that was moved or deleted.
func loadIssue(ctx context.Context, j *job) (*issue, error) {
	if !j.api.Token(ctx) {
		return readIssue(ctx, j)
	}
	is, err := queryIssue(ctx, j)
	if !errors.Is(err, errNothing) {
		return is, err
	}
	owner, repo, number := j.Owner, j.Repo, j.Number
	found, err := readIssue(ctx, j)
	if err != nil {
		return found, err
	}
	if j.Owner == owner && j.Repo == repo && j.Number == number {
		return found, nil
	}
	return queryIssue(ctx, j) // under its new name
}

func (is *issue) deliver(ctx context.Context, j *job) (fetchers.Document, error) {
	asked := j.linkedItem(ctx, &is.conversation, is.has)
	text, marks := is.render()
	body, err := j.writeConversation(conversationName, text)
	if err != nil {
		return fetchers.Document{}, err
	}
	doc := fetchers.Document{
		Kind: "github.issue", Title: is.name() + ": " + markdown.Line(is.Title), Link: is.link(j),
		Facts: is.facts(j), Excerpt: is.opening(), Via: "api", Bodies: []fetchers.Body{body},
	}
	asked.describe(&doc, marks)
	return doc, nil
}

func (is *issue) facts(j *job) []string {
	facts := []string{is.state(), "by " + author(is.Post.Author)}
	facts = append(facts, is.commonFacts()...)
	if n := is.SubIssues.Total; n > 0 {
		facts = append(facts, markdown.Count(n, "sub-issue"))
	}
	if is.DuplicateOf.URL != "" {
		facts = append(facts, "duplicate of "+is.DuplicateOf.URL+" ("+is.DuplicateOf.State+")")
	}
	for _, pull := range is.ClosedByPulls {
		facts = append(facts, is.tie(pull)+" "+pull.URL+" ("+pull.State+")")
	}
	return append(facts, is.moved(j)...)
}

// tie is what a pull request that closes the issue is to it at present.
func (is *issue) tie(pull reference) string {
	if is.State == "closed" && pull.State == "merged" {
		return "closed by"
	}
	return "linked pull request"
}

// state is "closed as completed by bob", "open, reopened".
func (is *issue) state() string {
	state := is.State
	switch {
	case is.Reason != "" && is.State == "open":
		state += ", " + is.Reason
	case is.Reason != "":
		state += " as " + is.Reason
	}
	if !is.Closed.IsZero() {
		state += by(is.ClosedBy)
	}
	return state
}

func (is *issue) render() (string, marks) {
	head := head{}
	state := is.state()
	if !is.Closed.IsZero() {
		state += ", " + markdown.Time(is.Closed)
	}
	head.add("state", state)
	is.addTo(&head)
	head.add("duplicate of", is.DuplicateOf.String())
	head.add("part of", is.Parent)
	for _, r := range is.ClosedByPulls {
		head.add(is.tie(r), r.String())
	}
	if is.Partial {
		head.add("linked pull requests", "told only with a token")
	}
	for _, sub := range is.SubIssues.List {
		head.add("sub-issue", sub.String())
	}
	if is.SubIssues.More {
		head.add("sub-issues", is.SubIssues.count("sub-issue")+" above; all of them: "+is.apiURL("issues/"+number(is.Number)+"/sub_issues?per_page=100&page=1"))
	}
	d := is.document(head)
	is.addPost(d)
	is.addComments(d)
	is.addLinked(d)
	return d.text(nil)
}
