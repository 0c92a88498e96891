package github

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/target"
)

// Anchors of a conversation's page, up to the number.
const (
	issueComment        = "issuecomment-"
	reviewCommentAnchor = "discussion_r"
	reviewAnchor        = "pullrequestreview-"
	eventAnchor         = "event-"
	openingPost         = "issue-"
)

// anchored is the one thing on a page that a URL asks for.
type anchored struct {
	anchor string // as in marks; "" when the URL has none of these
	shown  string // as in the URL
	err    error  // why it could not be had, nil when it could or was not tried
}

func newAnchored(a target.Anchor) anchored {
	switch a.Name {
	case "issuecomment":
		return anchored{anchor: issueComment + a.ID, shown: "issuecomment-" + a.ID}
	case "discussion_r", "r":
		return anchored{anchor: reviewCommentAnchor + a.ID, shown: a.Name + a.ID}
	case "pullrequestreview":
		return anchored{anchor: reviewAnchor + a.ID, shown: "pullrequestreview-" + a.ID}
	case "event":
		return anchored{anchor: eventAnchor + a.ID, shown: "event-" + a.ID}
	case "issue":
		return anchored{anchor: openingPost, shown: "issue-" + a.ID}
	}
	return anchored{}
}

// describe makes the anchored thing the document's excerpt and says where it
// stands.
func (a anchored) describe(doc *fetchers.Document, found marks) {
	a.describeIn(doc, conversationName, found)
}

// describeIn is describe for another body than a conversation.
func (a anchored) describeIn(doc *fetchers.Document, body string, found marks) {
	if a.anchor == "" {
		return
	}
	m, ok := found[a.anchor]
	switch {
	case ok:
		doc.Excerpt = m.excerpt
		doc.Facts = append(doc.Facts, "anchor: "+body+":"+strconv.Itoa(m.line))
	case a.err != nil && api.CodeOf(a.err) != api.NotFound:
		doc.Facts = append(doc.Facts, "anchor #"+a.shown+" not found: "+reason(a.err))
	default:
		doc.Facts = append(doc.Facts, "anchor #"+a.shown+" not found")
	}
}

// linkedItem reads what the URL points at when the conversation does not have it.
func (j *job) linkedItem(ctx context.Context, c *conversation, has func(anchor string) bool) anchored {
	a := newAnchored(j.Anchor)
	id, err := strconv.ParseInt(j.Anchor.ID, 10, 64)
	if err != nil || a.anchor == "" || a.anchor == openingPost || has(a.anchor) {
		return a
	}
	switch j.Anchor.Name {
	case "issuecomment":
		c.Linked, a.err = j.linkedComment(ctx, c, id)
	case "event":
		c.Linked, a.err = j.linkedEvent(ctx, c, id)
	case "discussion_r", "r":
		c.Linked, a.err = j.linkedReviewComment(ctx, c, id)
	case "pullrequestreview":
		c.Linked, a.err = j.linkedReview(ctx, c, id)
	}
	return a
}

func (c *conversation) has(anchor string) bool {
	for _, reply := range c.Comments.List {
		if reply.ID == anchor {
			return true
		}
	}
	return false
}

// addLinked writes what was read for the URL's sake.
func (c *conversation) addLinked(d *document) {
	if c.Linked == nil {
		return
	}
	d.body.Heading(2, "What the URL points at")
	c.Linked(d)
}

func (j *job) linkedReviewComment(ctx context.Context, c *conversation, id int64) (func(*document), error) {
	var r struct {
		restReviewComment
		Pull string `json:"pull_request_url"`
	}
	if _, err := j.api.Get(ctx, j.path("pulls/comments/"+decimal(id)), nil, &r); err != nil {
		return nil, err
	}
	if !strings.HasSuffix(r.Pull, "/"+number(c.Number)) {
		return nil, errElsewhere(r.URL)
	}
	t := r.thread()
	t.Comments = []reviewComment{r.reviewComment()}
	return func(d *document) { d.addThread(t, "") }, nil
}

func (j *job) linkedReview(ctx context.Context, c *conversation, id int64) (func(*document), error) {
	var r restReview
	if _, err := j.api.Get(ctx, j.path("pulls/"+number(c.Number)+"/reviews/"+decimal(id)), nil, &r); err != nil {
		return nil, err
	}
	return func(d *document) { d.addReview(r.review(), "", nil) }, nil
}

func (j *job) linkedComment(ctx context.Context, c *conversation, id int64) (func(*document), error) {
	var r struct {
		restText
		Issue string `json:"issue_url"`
	}
	if _, err := j.api.Get(ctx, j.path("issues/comments/"+decimal(id)), nil, &r); err != nil {
		return nil, err
	}
	if !strings.HasSuffix(r.Issue, "/"+number(c.Number)) {
		return nil, errElsewhere(r.URL)
	}
	return func(d *document) { d.addComment(r.comment(issueComment), 3) }, nil
}

// errElsewhere is the error of a comment that belongs to another page.
func errElsewhere(url string) error { return fmt.Errorf("it belongs to %s", url) }

type restEvent struct {
	ID        int64
	Actor     *restUser
	Event     string
	Commit    string    `json:"commit_id"`
	Created   time.Time `json:"created_at"`
	Issue     *struct{ Number int }
	Label     *struct{ Name string }
	Rename    *struct{ From, To string }
	Assignee  *restUser
	Milestone *struct{ Title string }
}

func (j *job) linkedEvent(ctx context.Context, c *conversation, id int64) (func(*document), error) {
	var e restEvent
	if _, err := j.api.Get(ctx, j.path("issues/events/"+decimal(id)), nil, &e); err != nil {
		return nil, err
	}
	if e.Issue != nil && e.Issue.Number != c.Number {
		return nil, errElsewhere("https://github.com/" + c.Repo + "/issues/" + number(e.Issue.Number))
	}
	return func(d *document) {
		text := e.text()
		d.mark(eventAnchor+decimal(id), text)
		d.body.Heading(3, "Event")
		d.body.Add(text)
	}, nil
}

// text is the event as a sentence: "bob labeled `bug`, 2026-03-01 10:00 UTC".
func (e restEvent) text() string {
	s := author(e.Actor.login()) + " " + words(e.Event)
	switch {
	case e.Label != nil:
		s += " " + markdown.Code(e.Label.Name)
	case e.Rename != nil:
		s += " from " + markdown.Code(e.Rename.From) + " to " + markdown.Code(e.Rename.To)
	case e.Assignee != nil:
		s += " " + e.Assignee.Login
	case e.Milestone != nil:
		s += " " + markdown.Code(e.Milestone.Title)
	}
	if e.Commit != "" {
		s += " with commit " + e.Commit
	}
	return s + ", " + markdown.Time(e.Created)
}
