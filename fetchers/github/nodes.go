package github

import (
	"strconv"
	"time"
)

// Parts of GraphQL answers. What may be null is a pointer where its absence
// matters, and a plain value where the zero value says the same.

// actorNode is who did something; null stands for a deleted account.
type actorNode struct {
	Typename string `graphql:"__typename"`
	Login    string
}

// login is the account as REST and GitHub's pages name it.
func (a *actorNode) login() string {
	switch {
	case a == nil:
		return ""
	case a.Typename == "Bot":
		return a.Login + "[bot]"
	}
	return a.Login
}

type pageNode struct {
	HasNextPage bool
	EndCursor   string
}

// listNode is what every page of a list has besides its nodes.
type listNode struct {
	TotalCount int
	PageInfo   pageNode
}

type namesNode struct {
	Nodes []struct{ Name string }
}

func (n namesNode) names() []string {
	var names []string
	for _, node := range n.Nodes {
		if node.Name != "" {
			names = append(names, node.Name)
		}
	}
	return names
}

type loginsNode struct {
	Nodes []struct{ Login string }
}

func (n loginsNode) logins() []string {
	var logins []string
	for _, node := range n.Nodes {
		if node.Login != "" {
			logins = append(logins, node.Login)
		}
	}
	return logins
}

// textNode is what everything written has.
type textNode struct {
	FullDatabaseID    string `graphql:"fullDatabaseId"` // a BigInt: beyond 2^31
	Author            *actorNode
	AuthorAssociation string
	Body              string
	CreatedAt         time.Time
	LastEditedAt      time.Time
	IsMinimized       bool
	MinimizedReason   string
	URL               string `graphql:"url"`
}

// comment is the node under an anchor of the given name.
func (n textNode) comment(anchor string) comment {
	c := comment{
		ID: anchor + n.FullDatabaseID, Author: n.Author.login(), Association: n.AuthorAssociation,
		Created: n.CreatedAt, Edited: n.LastEditedAt, URL: n.URL, Body: n.Body,
	}
	if n.IsMinimized {
		c.Hidden = hiddenAs(n.MinimizedReason)
	}
	return c
}

// hiddenAs is why a comment was minimized, where GitHub says so.
func hiddenAs(reason string) string {
	if reason == "" {
		return "minimized"
	}
	return reason
}

type commentsNode struct {
	listNode
	Nodes []textNode
}

func (n commentsNode) comments() []comment {
	var list []comment
	for _, node := range n.Nodes {
		if node.FullDatabaseID != "" {
			list = append(list, node.comment(issueComment))
		}
	}
	return list
}

// postNode is what an issue and a pull request have in common.
type postNode struct {
	Number            int
	Title             string
	URL               string `graphql:"url"`
	Author            *actorNode
	AuthorAssociation string
	Body              string
	CreatedAt         time.Time
	UpdatedAt         time.Time
	ClosedAt          time.Time
	LastEditedAt      time.Time
	Locked            bool
	ActiveLockReason  string
	Labels            namesNode  `graphql:"labels(first: 50)"`
	Assignees         loginsNode `graphql:"assignees(first: 20)"`
	Milestone         struct{ Title string }
	Reactions         struct{ TotalCount int } `graphql:"reactions(first: 1)"`
	End               endNode                  `graphql:"timelineItems(last: 1, itemTypes: CLOSED_EVENT)"`
}

func (n postNode) conversation(repo string) conversation {
	c := conversation{
		Repo: repo, Number: n.Number, URL: n.URL, Title: n.Title,
		Post: comment{
			Author: n.Author.login(), Association: n.AuthorAssociation, Created: n.CreatedAt,
			Edited: n.LastEditedAt, URL: n.URL, Body: n.Body,
		},
		Updated: n.UpdatedAt, Closed: n.ClosedAt,
		Labels: n.Labels.names(), Assignees: n.Assignees.logins(), Milestone: n.Milestone.Title,
		Reactions: n.Reactions.TotalCount,
	}
	if !n.ClosedAt.IsZero() {
		c.ClosedBy = n.End.closedBy()
	}
	if n.Locked {
		c.Locked = lockedAs(n.ActiveLockReason)
	}
	return c
}

func lockedAs(reason string) string {
	if reason == "" {
		return "locked"
	}
	return "locked as " + words(reason)
}

// decimal is an id of the REST API as GraphQL and anchors write it.
func decimal(id int64) string { return strconv.FormatInt(id, 10) }

// endNode is the last event that tells who closed an issue or a pull request.
type endNode struct {
	Nodes []struct {
		Typename string `graphql:"__typename"`
		Closed   struct {
			Actor *actorNode
		} `graphql:"... on ClosedEvent"`
	}
}

// closedBy is who closed it last.
func (n endNode) closedBy() string {
	for _, event := range n.Nodes {
		if event.Typename == "ClosedEvent" {
			return author(event.Closed.Actor.login())
		}
	}
	return ""
}
