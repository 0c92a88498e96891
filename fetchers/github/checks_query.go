package github

import "time"

type contextsNode struct {
	listNode
	Nodes []struct {
		Typename string `graphql:"__typename"`
		CheckRun struct {
			Name        string
			Status      string
			Conclusion  string
			StartedAt   time.Time
			CompletedAt time.Time
			Title       string
			URL         string `graphql:"url"`
			DetailsURL  string `graphql:"detailsUrl"`
			IsRequired  bool   `graphql:"isRequired(pullRequestNumber: $number)"`
			CheckSuite  struct {
				WorkflowRun *struct {
					Workflow struct{ Name string }
				}
			}
		} `graphql:"... on CheckRun"`
		StatusContext struct {
			Context     string
			State       string
			Description string
			CreatedAt   time.Time
			TargetURL   string `graphql:"targetUrl"`
			IsRequired  bool   `graphql:"isRequired(pullRequestNumber: $number)"`
		} `graphql:"... on StatusContext"`
	}
}

func (n contextsNode) checks() []check {
	var list []check
	for _, node := range n.Nodes {
		switch node.Typename {
		case "CheckRun":
			run := node.CheckRun
			c := check{
				Name: run.Name, Result: result(run.Status, run.Conclusion), Required: run.IsRequired,
				Started: run.StartedAt, Ended: run.CompletedAt, Note: run.Title, URL: run.URL, Details: run.DetailsURL,
			}
			if w := run.CheckSuite.WorkflowRun; w != nil {
				c.Workflow = w.Workflow.Name
			}
			list = append(list, c)
		case "StatusContext":
			s := node.StatusContext
			list = append(list, check{
				Name: s.Context, Result: words(s.State), Required: s.IsRequired, Note: s.Description, Details: s.TargetURL,
			})
		}
	}
	return list
}

// result is a check run's conclusion, or its status while it has none.
func result(status, conclusion string) string {
	if conclusion != "" {
		return words(conclusion)
	}
	return words(status)
}
