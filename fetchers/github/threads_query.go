package github

type threadsNode struct {
	listNode
	Nodes []struct {
		ID                string `graphql:"id"`
		IsResolved        bool
		IsOutdated        bool
		ResolvedBy        *actorNode
		Path              string
		Line              int
		StartLine         int
		OriginalLine      int
		OriginalStartLine int
		DiffSide          string
		SubjectType       string
		Comments          threadCommentsNode `graphql:"comments(first: $threadPage)"`
	}
}

func (n threadsNode) threads() []thread {
	var list []thread
	for _, node := range n.Nodes {
		t := thread{
			ID: node.ID, Path: node.Path, Start: node.StartLine, Line: node.Line,
			OldStart: node.OriginalStartLine, Old: node.OriginalLine, Side: words(node.DiffSide),
			WholeFile: node.SubjectType == "FILE", Outdated: node.IsOutdated,
			Resolved: node.IsResolved, ResolvedBy: node.ResolvedBy.login(),
		}
		t.add(node.Comments)
		if len(t.Comments) > 0 {
			list = append(list, t)
		}
	}
	return list
}

type threadCommentsNode struct {
	listNode
	Nodes []struct {
		textNode
		State             string
		DiffHunk          string
		PullRequestReview *struct {
			FullDatabaseID string `graphql:"fullDatabaseId"`
		}
	}
}

// add appends a page of a thread's comments.
func (t *thread) add(page threadCommentsNode) {
	for _, node := range page.Nodes {
		if node.FullDatabaseID == "" {
			continue
		}
		c := reviewComment{comment: node.comment(reviewCommentAnchor)}
		if node.State == "PENDING" {
			c.Label = "pending, seen by its author alone"
		}
		if node.PullRequestReview != nil {
			c.Review = node.PullRequestReview.FullDatabaseID
		}
		if len(t.Comments) == 0 {
			t.Hunk = node.DiffHunk
		}
		t.Comments = append(t.Comments, c)
	}
	t.Missing = max(0, page.TotalCount-len(t.Comments))
	t.afterCursor = ""
	if page.PageInfo.HasNextPage {
		t.afterCursor = page.PageInfo.EndCursor
	}
}
