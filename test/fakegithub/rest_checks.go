package fakegithub

import (
	"fmt"
)

func (f *Fake) checkRun(r *Repo, sha string, c Check) m {
	app := c.App
	if app == "" {
		app = "github-actions"
	}
	return m{
		"id": c.ID, "name": c.Name, "head_sha": sha, "status": lower(c.Status), "conclusion": lower(c.Conclusion), "started_at": stamp(c.Started), "completed_at": stamp(c.Completed),
		"html_url": r.HTML("/runs/%d", c.ID), "details_url": orNil(c.Details), "url": r.API("/check-runs/%d", c.ID), "external_id": fmt.Sprint(c.ID),
		"output": m{"title": orNil(c.Title), "summary": orNil(c.Summary), "text": nil, "annotations_count": 0, "annotations_url": r.API("/check-runs/%d/annotations", c.ID)},
		"app":    m{"id": 15368, "slug": app, "name": app}, "check_suite": m{"id": 5000000001}, "pull_requests": []any{},
	}
}

func (f *Fake) restCheckRuns(r Request) (int, any) {
	sha := r.Repo.Git.CommitSHA(r.Params["ref"])
	if sha == "" {
		return 422, failed(422, "No commit found for SHA: "+r.Params["ref"])
	}
	out := items(r.Repo.Checks[sha], func(c Check) any { return f.checkRun(r.Repo, sha, c) })
	out.Key = "check_runs"
	return 200, out
}

func (f *Fake) restStatus(r Request) (int, any) {
	sha := r.Repo.Git.CommitSHA(r.Params["ref"])
	if sha == "" {
		return notFound()
	}
	out := items(r.Repo.Statuses[sha], func(s Status) any {
		return m{
			"id": s.ID, "context": s.Context, "state": lower(s.State), "description": orNil(s.Description), "target_url": orNil(s.Target), "avatar_url": nil,
			"url": r.Repo.API("/statuses/%s", sha), "created_at": stamp(s.Created), "updated_at": stamp(s.Created),
		}
	})
	state := "success"
	for _, s := range r.Repo.Statuses[sha] {
		if s.State == "FAILURE" || s.State == "ERROR" {
			state = "failure"
		}
	}
	if len(out.Items) == 0 {
		state = "pending"
	}
	out.Key, out.Fields = "statuses", m{"sha": sha, "state": state, "repository": f.repo(r.Repo), "url": r.Repo.API("/commits/%s/status", sha), "commit_url": r.Repo.API("/commits/%s", sha)}
	return 200, out
}
