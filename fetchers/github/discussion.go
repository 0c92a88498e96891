package github

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
	"pifetch/internal/termtext"
)

// discussion is a discussion of a repository or an organisation.
type discussion struct {
	conversation
	Category   string
	Answerable bool // its category has answers
	Answered   bool
	ClosedAs   string // "" while open; "closed as resolved"
	Upvotes    int
	Answer     *comment
	AnswerTo   string // the comment that the answer is a reply to, "" when it is none
	Chosen     time.Time
	ChosenBy   string
	Poll       string // the question, "" when there is none
	Votes      [][]string
	talk       items[discussionComment]
}

// discussionComment is a comment with its replies.
type discussionComment struct {
	comment
	Replies []comment
	Missing int // replies that were not read
}

// discussionAnchor is the anchor of a comment or a reply, up to the number.
const discussionAnchor = "discussioncomment-"

func resolveDiscussion(ctx context.Context, j *job) (fetchers.Document, error) {
	if !j.keepsTo("sort") || !j.api.Token(ctx) { // REST has no discussions
		return fetchers.Document{}, errUnclaimed
	}
	if j.Sub == "org" {
		of := *j
		if of.Repo = j.discussionRepo(ctx); of.Repo == "" {
			return fetchers.Document{}, errUnclaimed
		}
		j = &of
	}
	d, err := queryDiscussion(ctx, j)
	if errors.Is(err, errNothing) {
		err = fmt.Errorf("404 Not Found: %s has no discussion %d, or the token may not see it", j.repo(), j.Number)
	}
	if err != nil {
		return fetchers.Document{}, err
	}
	return d.deliver(j)
}

func (d *discussion) deliver(j *job) (fetchers.Document, error) {
	text, marks := d.render()
	body, err := j.writeConversation(conversationName, text)
	if err != nil {
		return fetchers.Document{}, err
	}
	doc := fetchers.Document{
		Kind: "github.discussion", Title: d.name() + ": " + markdown.Line(d.Title), Link: d.link(j),
		Facts: d.facts(j), Excerpt: d.opening(), Via: "api", Bodies: []fetchers.Body{body},
	}
	if j.Anchor.Name == "discussioncomment" {
		anchored{anchor: discussionAnchor + j.Anchor.ID, shown: discussionAnchor + j.Anchor.ID}.describe(&doc, marks)
	}
	return doc, nil
}

// state is "answered", "open", "closed as resolved, not answered".
func (d *discussion) state() string {
	var parts []string
	switch {
	case d.ClosedAs != "":
		parts = append(parts, d.ClosedAs)
	case !d.Answerable:
		parts = append(parts, "open")
	}
	switch {
	case d.Answered:
		parts = append(parts, "answered")
	case d.Answerable:
		parts = append(parts, "not answered")
	}
	return strings.Join(parts, ", ")
}

func upvotes(n int) string { return markdown.Count(n, "upvote") }

// replies is how many were read, "50 of 60 replies", where comments were not
// read "2 replies to these": those may have replies, too. It is "" when no
// comment was read of some.
func (d *discussion) replies() string {
	if len(d.talk.List) == 0 && d.talk.More {
		return ""
	}
	read, all := 0, 0
	for _, c := range d.talk.List {
		read += len(c.Replies)
		all += len(c.Replies) + c.Missing
	}
	text := termtext.Count(all) + " replies"
	if all == 1 {
		text = "1 reply"
	}
	if read < all {
		text = termtext.Count(read) + " of " + text
	}
	if d.talk.More {
		text += " to these"
	}
	return text
}

func (d *discussion) counts() []string { return with(d.talk.count("comment"), d.replies()) }

func (d *discussion) facts(j *job) []string {
	facts := []string{d.state(), "by " + author(d.Post.Author), "category: " + named(d.Category), upvotes(d.Upvotes)}
	if d.Answer != nil {
		facts = append(facts, "answer by "+author(d.Answer.Author)+": "+d.Answer.URL)
	}
	if len(d.Labels) > 0 {
		facts = append(facts, "labels: "+named(strings.Join(d.Labels, ", ")))
	}
	facts = append(facts, d.counts()...)
	if d.Locked != "" {
		facts = append(facts, d.Locked)
	}
	for _, text := range d.Unread {
		facts = append(facts, "not told by GitHub: "+text)
	}
	if j.Sub == "org" {
		return facts
	}
	return append(facts, d.moved(j)...)
}

func (d *discussion) render() (string, marks) {
	var h head
	state := d.state()
	if !d.Closed.IsZero() {
		state += ", " + markdown.Time(d.Closed)
	}
	h.add("state", state)
	h.add("category", d.Category)
	h.add("upvotes", number(d.Upvotes))
	d.addTo(&h)
	if d.Answer != nil {
		h.add("answer", d.Answer.URL+" by "+author(d.Answer.Author))
		h.add("answer chosen", strings.TrimPrefix(by(d.ChosenBy)+", ", ", ")+markdown.Time(d.Chosen))
	}
	doc := d.document(h)
	index := []entry{{d.addPost(doc), "description"}}
	d.addPoll(doc)
	if line := d.addTalk(doc); line > 0 {
		index = append(index, entry{line, strings.Join(d.counts(), ", ")})
	}
	if d.Answer != nil {
		at, ok := doc.marks[d.Answer.ID]
		if !ok {
			at = mark{line: d.addAnswer(doc)}
		}
		index = append([]entry{{at.line, "answer by " + author(d.Answer.Author)}}, index...)
	}
	return doc.text(func(down int) string { return renderIndex(index, down) })
}

func (d *discussion) addPoll(doc *document) {
	if d.Poll == "" {
		return
	}
	doc.body.Heading(2, "Poll: "+d.Poll)
	doc.body.Table([]string{"option", "votes"}, d.Votes)
}

// addTalk writes comments with their replies and returns the line they begin
// at, 0 when there are none.
func (d *discussion) addTalk(doc *document) int {
	if len(d.talk.List) == 0 && !d.talk.More {
		return 0
	}
	line := doc.body.Line()
	doc.body.Heading(2, "Comments")
	if d.talk.More {
		doc.body.Add(d.talk.count("comment") + " here; the page has the rest: " + d.URL)
	}
	for _, c := range d.talk.List {
		doc.addComment(c.comment, 3)
		for _, reply := range c.Replies {
			doc.addComment(reply, 4)
		}
		if c.Missing > 0 {
			doc.body.Add(number(c.Missing) + " more on the page: " + c.URL)
		}
	}
	return line
}

// addAnswer writes the answer when the comments that were read lack it.
func (d *discussion) addAnswer(doc *document) int {
	line := doc.body.Line()
	doc.body.Heading(2, "Answer")
	if d.AnswerTo != "" {
		doc.body.Add("A reply to " + d.AnswerTo)
	}
	doc.addComment(*d.Answer, 3)
	return line
}
