package github

import (
	"context"

	"github.com/shurcooL/githubv4"
)

type referenceNode struct {
	Title string
	URL   string `graphql:"url"`
	State string
}

func (n referenceNode) reference() reference {
	return reference{URL: n.URL, Title: n.Title, State: words(n.State)}
}

// issueQuery is an issue with its first comments. It tells a pull request by
// __typename; the fields of both fragments are filled alike.
type issueQuery struct {
	Repository struct {
		NameWithOwner      string
		IssueOrPullRequest struct {
			Typename    string              `graphql:"__typename"`
			PullRequest struct{ ID string } `graphql:"... on PullRequest"`
			Issue       issueNode           `graphql:"... on Issue"`
		} `graphql:"issueOrPullRequest(number: $number)"`
	} `graphql:"repository(owner: $owner, name: $name)"`
}

type issueNode struct {
	postNode
	State       string
	StateReason string `graphql:"stateReason(enableDuplicate: true)"`
	Parent      *referenceNode
	SubIssues   struct {
		TotalCount int
		Nodes      []referenceNode
	} `graphql:"subIssues(first: 50)"`
	ClosedBy struct {
		Nodes []referenceNode
	} `graphql:"closedBy: closedByPullRequestsReferences(first: 20, includeClosedPrs: true)"`
	Duplicate struct {
		Nodes []struct {
			Marked struct {
				Canonical struct {
					Issue referenceNode `graphql:"... on Issue"`
				}
			} `graphql:"... on MarkedAsDuplicateEvent"`
		}
	} `graphql:"marked: timelineItems(last: 1, itemTypes: MARKED_AS_DUPLICATE_EVENT)"`
	Comments commentsNode `graphql:"comments(first: 100)"`
}

// moreComments is the next page of an issue's comments.
type moreComments struct {
	Repository struct {
		Issue struct {
			Comments commentsNode `graphql:"comments(first: 100, after: $after)"`
		} `graphql:"issue(number: $number)"`
	} `graphql:"repository(owner: $owner, name: $name)"`
}

// number makes the variables that every query here has.
func (j *job) number() map[string]any {
	return map[string]any{
		"owner": githubv4.String(j.Owner), "name": githubv4.String(j.Repo), "number": githubv4.Int(j.Number),
	}
}

// queryIssue reads an issue with a token. It fails with errOther when the
// number is a pull request's, and with errNothing when GitHub knows neither.
func queryIssue(ctx context.Context, j *job) (*issue, error) {
	var q issueQuery
	err := j.api.Query(ctx, &q, j.number())
	switch q.Repository.IssueOrPullRequest.Typename {
	case "PullRequest":
		return nil, errOther
	case "Issue":
	default:
		return nil, nothing(err)
	}
	node := q.Repository.IssueOrPullRequest.Issue
	is := node.issue(q.Repository.NameWithOwner)
	list, page := node.Comments.comments(), node.Comments.PageInfo
	for page.HasNextPage && len(list) < maxComments {
		vars := j.number()
		vars["after"] = githubv4.String(page.EndCursor)
		var more moreComments
		if err := j.api.Query(ctx, &more, vars); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			is.unread([]refusal{{text: "further comments: " + reason(err)}})
			break
		}
		list = append(list, more.Repository.Issue.Comments.comments()...)
		page = more.Repository.Issue.Comments.PageInfo
	}
	is.Comments = items[comment]{List: list, Total: node.Comments.TotalCount, More: page.HasNextPage}
	is.unread(refusals(err))
	return is, nil
}

func (n issueNode) issue(repo string) *issue {
	is := &issue{
		conversation: n.conversation(repo),
		State:        words(n.State), Reason: words(n.StateReason),
	}
	if n.Parent != nil {
		is.Parent = n.Parent.reference().String()
	}
	is.SubIssues = items[reference]{
		List: references(n.SubIssues.Nodes), Total: n.SubIssues.TotalCount,
		More: n.SubIssues.TotalCount > len(n.SubIssues.Nodes),
	}
	is.ClosedByPulls = references(n.ClosedBy.Nodes)
	for _, event := range n.Duplicate.Nodes {
		if original := event.Marked.Canonical.Issue; is.Reason == "duplicate" && original.URL != "" {
			is.DuplicateOf = original.reference()
		}
	}
	return is
}

func references(nodes []referenceNode) []reference {
	var list []reference
	for _, n := range nodes {
		if n.URL != "" { // null stands for what the token may not see
			list = append(list, n.reference())
		}
	}
	return list
}
