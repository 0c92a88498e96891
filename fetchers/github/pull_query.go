package github

import (
	"time"

	"pifetch/fetchers/github/patch"
)

// pullQuery is a pull request with the first page of each of its lists.
type pullQuery struct {
	Repository struct {
		NameWithOwner string
		PullRequest   *pullNode `graphql:"pullRequest(number: $number)"`
	} `graphql:"repository(owner: $owner, name: $name)"`
}

type pullNode struct {
	postNode
	State                   string
	IsDraft                 bool
	MergedAt                time.Time
	MergedBy                *actorNode
	MergeCommit             *struct{ Oid string }
	BaseRefName             string
	HeadRefName             string
	BaseRefOid              string
	HeadRefOid              string
	HeadRepository          *struct{ NameWithOwner string }
	Mergeable               string
	MergeStateStatus        string
	ReviewDecision          string
	Additions               int
	Deletions               int
	ChangedFiles            int
	ReviewRequests          requestsNode                    `graphql:"reviewRequests(first: 20)"`
	ClosingIssuesReferences struct{ Nodes []referenceNode } `graphql:"closingIssuesReferences(first: 20)"`
	StatusCheckRollup       *struct {
		Contexts contextsNode `graphql:"contexts(first: $page)"`
	}
	Commits       commitsNode  `graphql:"commits(first: $page)"`
	Comments      commentsNode `graphql:"comments(first: $page)"`
	Reviews       reviewsNode  `graphql:"reviews(first: $page)"`
	ReviewThreads threadsNode  `graphql:"reviewThreads(first: $page) @include(if: $withThreads)"`
	Files         filesNode    `graphql:"files(first: $page)"`
}

// morePull is the next page of every list that has one, in one query: the
// variables say which of them are asked for.
type morePull struct {
	Repository struct {
		PullRequest struct {
			StatusCheckRollup *struct {
				Contexts contextsNode `graphql:"contexts(first: $page, after: $checksAfter)"`
			} `graphql:"statusCheckRollup @include(if: $checks)"`
			Commits       commitsNode  `graphql:"commits(first: $page, after: $commitsAfter) @include(if: $commits)"`
			Comments      commentsNode `graphql:"comments(first: $page, after: $commentsAfter) @include(if: $comments)"`
			Reviews       reviewsNode  `graphql:"reviews(first: $page, after: $reviewsAfter) @include(if: $reviews)"`
			ReviewThreads threadsNode  `graphql:"reviewThreads(first: $page, after: $threadsAfter) @include(if: $threads)"`
			Files         filesNode    `graphql:"files(first: $page, after: $filesAfter) @include(if: $files)"`
		} `graphql:"pullRequest(number: $number)"`
	} `graphql:"repository(owner: $owner, name: $name)"`
	Thread struct {
		Thread struct {
			Comments threadCommentsNode `graphql:"comments(first: $page, after: $threadAfter)"`
		} `graphql:"... on PullRequestReviewThread"`
	} `graphql:"thread: node(id: $thread) @include(if: $long)"`
}

type requestsNode struct {
	Nodes []struct {
		RequestedReviewer struct {
			User      struct{ Login string }        `graphql:"... on User"`
			Bot       struct{ Login string }        `graphql:"... on Bot"`
			Mannequin struct{ Login string }        `graphql:"... on Mannequin"`
			Team      struct{ CombinedSlug string } `graphql:"... on Team"`
		}
	}
}

func (n requestsNode) names() []string {
	var names []string
	for _, node := range n.Nodes {
		// The login of any fragment is in all of them.
		r := node.RequestedReviewer
		if r.User.Login != "" {
			names = append(names, r.User.Login)
		} else if r.Team.CombinedSlug != "" {
			names = append(names, "@"+r.Team.CombinedSlug)
		}
	}
	return names
}

type commitsNode struct {
	listNode
	Nodes []struct {
		Commit struct {
			Oid          string
			Message      string
			AuthoredDate time.Time
			URL          string `graphql:"url"`
			Author       *struct {
				Name string
				User *actorNode
			}
		}
	}
}

func (n commitsNode) lines() []commitLine {
	var lines []commitLine
	for _, node := range n.Nodes {
		c := node.Commit
		if c.Oid == "" {
			continue
		}
		line := commitLine{SHA: c.Oid, Message: c.Message, Time: c.AuthoredDate, URL: c.URL}
		if c.Author != nil {
			line.Author = c.Author.Name
			if login := c.Author.User.login(); login != "" {
				line.Author = login
			}
		}
		lines = append(lines, line)
	}
	return lines
}

type reviewsNode struct {
	listNode
	Nodes []struct {
		textNode
		State       string
		SubmittedAt time.Time
		Commit      *struct{ Oid string }
	}
}

func (n reviewsNode) reviews() []review {
	var list []review
	for _, node := range n.Nodes {
		if node.FullDatabaseID == "" {
			continue
		}
		r := review{comment: node.comment(reviewAnchor)}
		r.Label = words(node.State)
		if !node.SubmittedAt.IsZero() {
			r.Created = node.SubmittedAt
		}
		if node.Commit != nil {
			r.Commit = node.Commit.Oid
		}
		list = append(list, r)
	}
	return list
}

type filesNode struct {
	listNode
	Nodes []struct {
		Path       string
		Additions  int
		Deletions  int
		ChangeType string
	}
}

func (n filesNode) files() []patch.Section {
	var list []patch.Section
	for _, node := range n.Nodes {
		if node.Path == "" {
			continue
		}
		status := words(node.ChangeType)
		if status == "deleted" {
			status = "removed" // as REST calls it
		}
		list = append(list, patch.Section{Path: node.Path, Status: status, Additions: node.Additions, Deletions: node.Deletions})
	}
	return list
}
