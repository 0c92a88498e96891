package github

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
)

type restCheckRun struct {
	Name       string
	Status     string
	Conclusion string
	Started    time.Time `json:"started_at"`
	Completed  time.Time `json:"completed_at"`
	URL        string    `json:"html_url"`
	Details    string    `json:"details_url"`
	Output     struct{ Title string }
}

func (r restCheckRun) check() check {
	return check{
		Name: r.Name, Result: result(r.Status, r.Conclusion), Started: r.Started, Ended: r.Completed,
		Note: r.Output.Title, URL: r.URL, Details: r.Details,
	}
}

type restStatus struct {
	Context     string
	State       string
	Description string
	Target      string `json:"target_url"`
}

// readChecks reads check runs and commit statuses of a pull request's head as far
// as they are wanted. What it does not read, or is not told, it names in Missing.
func readChecks(ctx context.Context, j *job, sha string, wanted plan) checks {
	c := checks{SHA: sha}
	var missing []string
	query := url.Values{"per_page": {"100"}}
	if wanted.checks {
		var runs struct {
			Total int            `json:"total_count"`
			Runs  []restCheckRun `json:"check_runs"`
		}
		if _, err := j.api.Get(ctx, j.path("commits/"+sha+"/check-runs"), query, &runs); err != nil {
			missing = append(missing, "check runs: "+reason(err))
		}
		for _, run := range runs.Runs {
			c.List = append(c.List, run.check())
		}
		c.Total, c.More = runs.Total, runs.Total > len(runs.Runs)
	}
	if wanted.statuses {
		var combined struct {
			Total    int `json:"total_count"`
			Statuses []restStatus
		}
		if _, err := j.api.Get(ctx, j.path("commits/"+sha+"/status"), query, &combined); err != nil {
			missing = append(missing, "commit statuses: "+reason(err))
		}
		for _, s := range combined.Statuses {
			c.List = append(c.List, check{Name: s.Context, Result: words(s.State), Note: s.Description, Details: s.Target})
		}
		c.Total += combined.Total
		c.More = c.More || combined.Total > len(combined.Statuses)
	}
	page := fmt.Sprintf("https://github.com/%s/pull/%d/checks", j.repo(), j.Number)
	switch {
	case !wanted.checks:
		missing = append(missing, "not read, see "+page)
	case !wanted.statuses:
		c.RunsRead = len(missing) == 0
		missing = append(missing, "commit statuses not read, see "+page)
	}
	c.Missing = strings.Join(missing, "; ")
	return c
}
