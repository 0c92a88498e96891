package fakegithub

import (
	"fmt"
	"strings"

	"pifetch/test/fakegithub/gitrepo"
	"pifetch/test/fakegithub/graph"
)

// graphPull adds what a pull request has beyond an issue.
func (f *Fake) graphPull(out o, r *Repo, i *Issue) {
	p := i.Pull
	delete(out, "editor")
	headRepo, _ := f.World.Repo(p.HeadRepo)
	owner := p.HeadOwner
	if owner == "" && headRepo != nil {
		owner = headRepo.Owner
	}
	mergeable, mergeState := "MERGEABLE", "CLEAN"
	switch {
	case !i.Closed.IsZero():
		mergeable, mergeState = "UNKNOWN", "UNKNOWN"
	case p.Conflicts:
		mergeable, mergeState = "CONFLICTING", "DIRTY"
	case p.Draft:
		mergeState = "DRAFT"
	case p.Decision == "CHANGES_REQUESTED", p.Decision == "REVIEW_REQUIRED":
		mergeState = "BLOCKED"
	}
	changes := func(pick func([]gitrepo.Change) any) graph.Resolver {
		return lazy(func() any { return pick(f.changes(r, p.mergeBase(r), p.HeadSHA)) })
	}
	commits := func() []gitrepo.CommitInfo { return f.log(r, "--reverse", p.mergeBase(r)+".."+p.HeadSHA) }
	for k, v := range (o{
		"__typename": "PullRequest", "id": node("PR", r, i.Number), "isDraft": p.Draft, "merged": !p.Merged.IsZero(), "mergedAt": stamp(p.Merged), "mergedBy": f.graphActor(p.MergedBy),
		"baseRefName": p.Base, "baseRefOid": p.BaseSHA, "headRefName": p.Head, "headRefOid": p.HeadSHA, "isCrossRepository": headRepo != r, "permalink": r.HTML("/pull/%d", i.Number),
		"baseRepository": lazy(func() any { return f.graphRepo(r) }), "headRepositoryOwner": f.graphActor(owner),
		"headRepository": lazy(func() any {
			if headRepo == nil {
				return nil
			}
			return f.graphRepo(headRepo)
		}),
		"headRef": lazy(func() any {
			if headRepo != r {
				return nil
			}
			return f.graphRef(r, "refs/heads/"+p.Head)
		}),
		"baseRef":   lazy(func() any { return f.graphRef(r, "refs/heads/"+p.Base) }),
		"mergeable": mergeable, "mergeStateStatus": mergeState, "canBeRebased": !p.Conflicts, "maintainerCanModify": false, "isInMergeQueue": false, "isMergeQueueEnabled": false, "autoMergeRequest": nil, "mergeQueueEntry": nil,
		"reviewDecision": orNil(p.Decision), "mergeCommit": lazy(func() any { return f.graphCommit(r, p.MergeSHA) }),
		"additions":               changes(func(cs []gitrepo.Change) any { n, _ := sums(cs); return n }),
		"deletions":               changes(func(cs []gitrepo.Change) any { _, n := sums(cs); return n }),
		"changedFiles":            changes(func(cs []gitrepo.Change) any { return len(cs) }),
		"files":                   changes(func(cs []gitrepo.Change) any { return graphList(cs, graphFile) }),
		"closingIssuesReferences": lazy(func() any { return f.graphSome(r, p.Fixes) }),
		"commits": lazy(func() any {
			return graphList(commits(), func(c gitrepo.CommitInfo) any {
				return o{"id": node("PRC", r, c.SHA), "url": r.HTML("/pull/%d/commits/%s", i.Number, c.SHA), "commit": lazy(func() any { return f.graphCommit(r, c.SHA) })}
			})
		}),
		"reviews": lazy(func() any { return graphList(p.Reviews, func(v *Review) any { return f.graphReview(r, i, v) }) }),
		"latestReviews": lazy(func() any {
			return graphList(p.Reviews, func(v *Review) any { return f.graphReview(r, i, v) })
		}),
		"reviewRequests": lazy(func() any { return f.graphRequests(r, p) }),
		"reviewThreads": lazy(func() any {
			threads := []o{}
			for n := range p.Threads {
				threads = append(threads, f.graphThread(r, i, n))
			}
			return threads
		}),
		"statusCheckRollup":  lazy(func() any { return f.graphRollup(r, p.HeadSHA) }),
		"totalCommentsCount": lazy(func() any { return p.comments() + len(i.Comments) }),
	}) {
		out[k] = v
	}
}

func (p *Pull) comments() int {
	n := 0
	for _, t := range p.Threads {
		n += len(t.Comments)
	}
	return n
}

func graphFile(c gitrepo.Change) any {
	kind := map[string]string{"added": "ADDED", "removed": "DELETED", "modified": "MODIFIED", "renamed": "RENAMED", "changed": "CHANGED"}[c.Status]
	return o{"path": c.Path, "additions": c.Additions, "deletions": c.Deletions, "changeType": kind, "viewerViewedState": "UNVIEWED"}
}

func (f *Fake) graphRequests(r *Repo, p *Pull) []o {
	out := []o{}
	for _, login := range p.Reviewers {
		out = append(out, o{"asCodeOwner": false, "requestedReviewer": f.graphActor(login)})
	}
	for _, slug := range p.Teams {
		out = append(out, o{"asCodeOwner": true, "requestedReviewer": o{
			"__typename": "Team", "slug": slug, "name": slug, "combinedSlug": r.Owner + "/" + slug, "url": "https://github.com/orgs/" + r.Owner + "/teams/" + slug,
		}})
	}
	return out
}

func (f *Fake) graphReview(r *Repo, i *Issue, v *Review) o {
	out := f.written(&Comment{ID: v.ID, Author: v.Author, Association: v.Association, Body: v.Body, Created: v.Submitted, Minimized: v.Minimized})
	for k, x := range (o{
		"__typename": "PullRequestReview", "id": node("PRR", r, v.ID), "state": v.State, "submittedAt": stamp(v.Submitted), "url": r.HTML("/pull/%d#pullrequestreview-%d", i.Number, v.ID),
		"commit": lazy(func() any { return f.graphCommit(r, v.Commit) }),
		"comments": lazy(func() any {
			var list []o
			for _, t := range i.Pull.Threads {
				for _, c := range t.Comments {
					if c.Review == v.ID {
						list = append(list, f.graphReviewComment(r, i, t, c))
					}
				}
			}
			return list
		}),
	}) {
		out[k] = x
	}
	return out
}

// orNone is a line, null for none.
func orNone(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func (f *Fake) graphThread(r *Repo, i *Issue, n int) o {
	t := i.Pull.Threads[n]
	return o{
		"__typename": "PullRequestReviewThread", "id": node("PRRT", r, fmt.Sprintf("%d.%d", i.Number, n)), "isResolved": t.ResolvedBy != "", "isOutdated": t.Outdated, "isCollapsed": t.ResolvedBy != "",
		"resolvedBy": lazy(func() any { return f.graphUser(t.ResolvedBy, "User") }), "path": t.Path, "line": orNone(t.Line), "originalLine": orNone(t.OriginalLine),
		"startLine": orNone(t.StartLine), "originalStartLine": orNone(t.StartLine), "diffSide": t.side(), "startDiffSide": nil, "subjectType": t.subject(),
		"comments": lazy(func() any {
			return graphList(t.Comments, func(c *ReviewComment) any { return f.graphReviewComment(r, i, t, c) })
		}),
	}
}

func (t *Thread) subject() string {
	if t.WholeFile {
		return "FILE"
	}
	return "LINE"
}

func (f *Fake) graphReviewComment(r *Repo, i *Issue, t *Thread, c *ReviewComment) o {
	out := f.written(&c.Comment)
	for k, v := range (o{
		"__typename": "PullRequestReviewComment", "id": node("PRRC", r, c.ID), "path": t.Path, "diffHunk": t.Hunk, "url": r.HTML("/pull/%d#discussion_r%d", i.Number, c.ID), "state": "SUBMITTED",
		"line": orNone(t.Line), "originalLine": orNone(t.OriginalLine), "startLine": orNone(t.StartLine), "originalStartLine": orNone(t.StartLine), "outdated": t.Outdated, "subjectType": t.subject(),
		"commit": lazy(func() any { return f.graphCommit(r, i.Pull.HeadSHA) }), "originalCommit": lazy(func() any { return f.graphCommit(r, i.Pull.HeadSHA) }),
		"replyTo": lazy(func() any {
			if t.Comments[0] == c {
				return nil
			}
			return f.graphReviewComment(r, i, t, t.Comments[0])
		}),
		"pullRequestReview": lazy(func() any {
			if v := find(i.Pull.Reviews, func(v *Review) bool { return v.ID == c.Review }); v != nil {
				return f.graphReview(r, i, v)
			}
			return nil
		}),
	}) {
		out[k] = v
	}
	return out
}

// graphRollup is what CI says about a commit, nil when it says nothing.
func (f *Fake) graphRollup(r *Repo, sha string) any {
	checks, statuses := r.Checks[sha], r.Statuses[sha]
	if len(checks)+len(statuses) == 0 {
		return nil
	}
	state := "SUCCESS"
	worse := func(s string) {
		if state != "FAILURE" {
			state = s
		}
	}
	contexts := []o{}
	for _, c := range checks {
		contexts = append(contexts, f.graphCheck(r, sha, c))
		switch {
		case c.Conclusion == "FAILURE":
			worse("FAILURE")
		case c.Status != "COMPLETED":
			worse("PENDING")
		}
	}
	for _, s := range statuses {
		contexts = append(contexts, o{
			"__typename": "StatusContext", "id": node("SC", r, s.ID), "context": s.Context, "state": s.State, "description": orNil(s.Description), "targetUrl": orNil(s.Target), "createdAt": stamp(s.Created), "creator": f.graphActor("ci[bot]"),
			"isRequired": graph.Resolver(func(map[string]any) any { return false }), "avatarUrl": nil,
		})
		if s.State == "FAILURE" || s.State == "ERROR" {
			worse("FAILURE")
		}
	}
	return o{
		"id": node("SCR", r, sha), "state": state, "commit": lazy(func() any { return f.graphCommit(r, sha) }),
		"contexts": graph.Connection{Items: contexts, Fields: o{"checkRunCount": len(checks), "statusContextCount": len(statuses), "checkRunCountsByState": nil, "statusContextCountsByState": nil}},
	}
}

func (f *Fake) graphCheck(r *Repo, sha string, c Check) o {
	app := c.App
	if app == "" {
		app = "github-actions"
	}
	suite := o{
		"id": node("CS", r, c.Run), "databaseId": int(c.Run), "status": c.Status, "conclusion": orNil(c.Conclusion), "createdAt": stamp(c.Started), "updatedAt": stamp(c.Started), "url": r.HTML("/commit/%s/checks", sha),
		"app": o{"id": "A_" + app, "slug": app, "name": strings.ToUpper(app[:1]) + app[1:]}, "workflowRun": nil, "commit": lazy(func() any { return f.graphCommit(r, sha) }),
	}
	if c.Run != 0 {
		suite["workflowRun"] = o{
			"id": node("WFR", r, c.Run), "databaseId": int(c.Run), "url": r.HTML("/actions/runs/%d", c.Run), "event": "pull_request", "runNumber": 42, "createdAt": stamp(c.Started), "updatedAt": stamp(c.Started),
			"workflow": o{"id": "W_1", "name": c.Workflow, "databaseId": 1, "url": r.HTML("/actions/workflows/ci.yml"), "state": "ACTIVE"},
		}
	}
	return o{
		"__typename": "CheckRun", "id": node("CR", r, c.ID), "databaseId": int(c.ID), "name": c.Name, "status": c.Status, "conclusion": orNil(c.Conclusion), "startedAt": stamp(c.Started), "completedAt": stamp(c.Completed),
		"title": orNil(c.Title), "summary": orNil(c.Summary), "text": nil, "detailsUrl": orNil(c.Details), "url": r.HTML("/runs/%d", c.ID), "permalink": r.HTML("/runs/%d", c.ID), "externalId": nil,
		"isRequired": graph.Resolver(func(map[string]any) any { return false }), "checkSuite": suite, "annotations": []o{}, "steps": []o{},
	}
}
