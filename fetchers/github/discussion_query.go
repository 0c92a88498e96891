package github

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/shurcooL/githubv4"
)

// Most of a discussion that one query asks for, and when that was too much.
const (
	repliesPerPage = 50
	lighterPage    = 50
	lighterReplies = 20
)

// saidNode is what a post, a comment and a reply of a discussion have in common.
type saidNode struct {
	Author            *actorNode
	AuthorAssociation string
	Body              string
	CreatedAt         time.Time
	LastEditedAt      time.Time
	UpvoteCount       int
	URL               string `graphql:"url"`
}

type replyNode struct {
	saidNode
	IsAnswer        bool
	IsMinimized     bool
	MinimizedReason string
	DeletedAt       time.Time
}

type answerNode struct {
	replyNode
	ReplyTo *struct {
		URL string `graphql:"url"`
	}
}

type discussionCommentNode struct {
	replyNode
	Replies struct {
		TotalCount int
		Nodes      []replyNode
	} `graphql:"replies(first: $replies)"`
}

type discussionCommentsNode struct {
	TotalCount int
	PageInfo   pageNode
	Nodes      []discussionCommentNode
}

type discussionNode struct {
	saidNode
	Number           int
	Title            string
	UpdatedAt        time.Time
	Closed           bool
	ClosedAt         time.Time
	StateReason      string
	Locked           bool
	ActiveLockReason string
	Labels           namesNode                `graphql:"labels(first: 50)"`
	Reactions        struct{ TotalCount int } `graphql:"reactions(first: 1)"`
	Category         struct {
		Name         string
		IsAnswerable bool
	}
	IsAnswered     bool // null where a category has no answers
	Answer         *answerNode
	AnswerChosenAt time.Time
	AnswerChosenBy *actorNode
	Poll           *struct {
		Question       string
		TotalVoteCount int
		Options        struct {
			Nodes []struct {
				Option         string
				TotalVoteCount int
			}
		} `graphql:"options(first: 20)"`
	}
	Comments discussionCommentsNode `graphql:"comments(first: $page)"`
}

type discussionQuery struct {
	Repository struct {
		NameWithOwner string
		Discussion    *discussionNode `graphql:"discussion(number: $number)"`
	} `graphql:"repository(owner: $owner, name: $name)"`
}

// moreDiscussion is the next page of comments.
type moreDiscussion struct {
	Repository struct {
		Discussion struct {
			Comments discussionCommentsNode `graphql:"comments(first: $page, after: $after)"`
		} `graphql:"discussion(number: $number)"`
	} `graphql:"repository(owner: $owner, name: $name)"`
}

// queryDiscussion reads a discussion with a token.
func queryDiscussion(ctx context.Context, j *job) (*discussion, error) {
	vars := j.number()
	vars["page"], vars["replies"] = githubv4.Int(perPage), githubv4.Int(repliesPerPage)
	var q discussionQuery
	err := j.api.Query(ctx, &q, vars)
	if tooHeavy(err) {
		vars["page"], vars["replies"] = githubv4.Int(lighterPage), githubv4.Int(lighterReplies)
		q = discussionQuery{}
		err = j.api.Query(ctx, &q, vars)
	}
	node := q.Repository.Discussion
	if node == nil {
		return nil, nothing(err)
	}
	d := node.discussion(q.Repository.NameWithOwner)
	refused := refusals(err)
	d.unread(refused)
	nodes, page := node.Comments.Nodes, node.Comments.PageInfo
	for page.HasNextPage && len(nodes) < maxComments {
		next := maps.Clone(vars)
		next["after"] = githubv4.String(page.EndCursor)
		var more moreDiscussion
		if err := j.api.Query(ctx, &more, next); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			d.unread([]refusal{{text: "more comments: " + reason(err)}})
			break
		}
		nodes = append(nodes, more.Repository.Discussion.Comments.Nodes...)
		page = more.Repository.Discussion.Comments.PageInfo
	}
	d.talk = items[discussionComment]{Total: node.Comments.TotalCount, More: page.HasNextPage}
	for _, n := range nodes {
		if n.URL != "" { // null stands for what the token may not see
			d.talk.List = append(d.talk.List, n.comment())
		}
	}
	if slices.ContainsFunc(refused, func(r refusal) bool { return r.in() == "comments" }) {
		d.talk.unread()
	}
	return d, nil
}

func (n discussionNode) discussion(repo string) *discussion {
	d := &discussion{
		conversation: conversation{
			Repo: repo, Number: n.Number, URL: n.URL, Title: n.Title, Post: n.comment(),
			Updated: n.UpdatedAt, Closed: n.ClosedAt, Labels: n.Labels.names(), Reactions: n.Reactions.TotalCount,
		},
		Category: n.Category.Name, Answerable: n.Category.IsAnswerable, Answered: n.IsAnswered,
		Upvotes: n.UpvoteCount, Chosen: n.AnswerChosenAt, ChosenBy: n.AnswerChosenBy.login(),
	}
	if n.Closed {
		d.ClosedAs = "closed"
		if n.StateReason != "" {
			d.ClosedAs += " as " + words(n.StateReason)
		}
	}
	if n.Locked {
		d.Locked = lockedAs(n.ActiveLockReason)
	}
	if n.Answer != nil {
		c := n.Answer.comment()
		d.Answer = &c
		if n.Answer.ReplyTo != nil {
			d.AnswerTo = n.Answer.ReplyTo.URL
		}
	}
	if n.Poll != nil {
		d.Poll = n.Poll.Question
		for _, o := range n.Poll.Options.Nodes {
			d.Votes = append(d.Votes, []string{o.Option, number(o.TotalVoteCount)})
		}
	}
	return d
}

// comment is the node under the anchor in its URL: GitHub's numbers of comments
// are beyond what the field databaseId holds.
func (n saidNode) comment() comment {
	_, anchor, _ := strings.Cut(n.URL, "#")
	return comment{
		ID: anchor, Author: n.Author.login(), Association: n.AuthorAssociation,
		Created: n.CreatedAt, Edited: n.LastEditedAt, URL: n.URL, Body: n.Body,
	}
}

func (n replyNode) comment() comment {
	c := n.saidNode.comment()
	var labels []string
	if n.IsAnswer {
		labels = append(labels, "answer")
	}
	if n.UpvoteCount > 0 {
		labels = append(labels, upvotes(n.UpvoteCount))
	}
	if !n.DeletedAt.IsZero() {
		labels = append(labels, "deleted")
	}
	c.Label = strings.Join(labels, " · ")
	if n.IsMinimized {
		c.Hidden = hiddenAs(n.MinimizedReason)
	}
	return c
}

func (n discussionCommentNode) comment() discussionComment {
	c := discussionComment{comment: n.replyNode.comment()}
	for _, reply := range n.Replies.Nodes {
		if reply.URL != "" {
			c.Replies = append(c.Replies, reply.comment())
		}
	}
	c.Missing = max(0, n.Replies.TotalCount-len(c.Replies))
	return c
}
