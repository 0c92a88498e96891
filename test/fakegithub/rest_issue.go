package fakegithub

import (
	"slices"
	"strings"
	"time"
)

// updated is when something about an issue last changed.
func (i *Issue) updated() time.Time {
	if !i.Updated.IsZero() {
		return i.Updated
	}
	t := latest(i.Created, i.Edited, i.Closed)
	for _, c := range i.Comments {
		t = latest(t, c.Created, c.Edited)
	}
	return t
}

// page is the part of an issue's URLs that says what it is.
func (i *Issue) page() string {
	if i.Pull != nil {
		return "pull"
	}
	return "issues"
}

// absent answers for an issue that is not there; status 0 for one that is.
func (f *Fake) absent(r Request, i *Issue) (status int, body any) {
	switch {
	case r.Repo.IssuesOff:
		return 410, Gone("Issues are disabled for this repo")
	case i == nil:
		return notFound()
	case i.Gone:
		return 410, Gone("This issue was deleted")
	}
	return 0, nil
}

func (f *Fake) issue(r *Repo, i *Issue) m {
	labels := []any{}
	for _, l := range i.Labels {
		labels = append(labels, label(r, l))
	}
	state := "open"
	if !i.Closed.IsZero() {
		state = "closed"
	}
	api := r.API("/issues/%d", i.Number)
	out := m{
		"id": i.ID, "number": i.Number, "title": i.Title, "body": orNil(i.Body), "state": state, "state_reason": lower(i.Reason), "user": f.user(i.Author), "author_association": association(i.Association),
		"html_url": r.HTML("/%s/%d", i.page(), i.Number), "url": api, "repository_url": r.API(""), "labels": labels, "assignee": nil, "assignees": f.users(i.Assignees), "milestone": f.milestone(r, i.Milestone),
		"locked": i.Locked != "", "active_lock_reason": lockReason(i.Locked), "comments": len(i.Comments),
		"created_at": stamp(i.Created), "updated_at": stamp(i.updated()), "closed_at": stamp(i.Closed),
		"reactions": reactions(api, i.Reactions),
	}
	if len(i.Assignees) > 0 {
		out["assignee"] = f.user(i.Assignees[0])
	}
	if i.Parent != 0 {
		out["parent_issue_url"] = r.API("/issues/%d", i.Parent)
	}
	if len(i.SubIssues) > 0 {
		done := 0
		for _, n := range i.SubIssues {
			if sub := r.Issue(n); sub != nil && !sub.Closed.IsZero() {
				done++
			}
		}
		out["sub_issues_summary"] = m{"total": len(i.SubIssues), "completed": done, "percent_completed": done * 100 / len(i.SubIssues)}
	}
	if p := i.Pull; p != nil {
		out["draft"] = p.Draft
		out["pull_request"] = m{
			"url": r.API("/pulls/%d", i.Number), "html_url": r.HTML("/pull/%d", i.Number), "diff_url": r.HTML("/pull/%d.diff", i.Number), "patch_url": r.HTML("/pull/%d.patch", i.Number),
			"merged_at": stamp(p.Merged),
		}
	}
	return out
}

// lockReason is as REST writes it: "off-topic".
func lockReason(s string) any {
	if s == "" {
		return nil
	}
	return strings.ReplaceAll(strings.ToLower(s), "_", "-")
}

func (f *Fake) restIssue(r Request) (int, any) {
	i := r.Repo.Issue(number(r.Params["issue_number"]))
	if status, body := f.absent(r, i); status != 0 {
		return status, body
	}
	if i.MovedTo != "" {
		full, n, _ := strings.Cut(i.MovedTo, "#")
		repo, _ := f.World.Repo(full)
		return 301, Moved{Path: "/repositories/" + itoa(repo.ID) + "/issues/" + n}
	}
	out := f.issue(r.Repo, i)
	out["closed_by"] = f.userOrNil(i.ClosedBy)
	return ok(out)
}

func (f *Fake) restIssues(r Request) (int, any) {
	if r.Repo.IssuesOff {
		return 410, Gone("Issues are disabled for this repo")
	}
	want := r.Query.Get("state")
	out := List{}
	for _, i := range newest(r.Repo.Issues) {
		if i.Gone || i.MovedTo != "" || want != "all" && (want == "closed") == i.Closed.IsZero() {
			continue
		}
		if m := r.Query.Get("milestone"); m != "" && m != itoa(i.Milestone) {
			continue
		}
		out.Items = append(out.Items, f.issue(r.Repo, i))
	}
	return 200, out
}

// newest is a list of issues by their creation, the newest first.
func newest(list []*Issue) []*Issue {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b *Issue) int { return b.Created.Compare(a.Created) })
	return out
}

func (f *Fake) comment(r *Repo, i *Issue, c *Comment) m {
	api := r.API("/issues/comments/%d", c.ID)
	out := m{
		"id": c.ID, "body": c.Body, "user": f.user(c.Author), "author_association": association(c.Association),
		"html_url": r.HTML("/%s/%d#issuecomment-%d", i.page(), i.Number, c.ID), "url": api, "issue_url": r.API("/issues/%d", i.Number),
		"created_at": stamp(c.Created), "updated_at": stamp(latest(c.Created, c.Edited)), "reactions": reactions(api, c.Reactions),
	}
	if c.Minimized != "" {
		out["minimized"] = m{"reason": strings.ToLower(c.Minimized)}
	}
	return out
}

func (f *Fake) restComments(r Request) (int, any) {
	i := r.Repo.Issue(number(r.Params["issue_number"]))
	if status, body := f.absent(r, i); status != 0 {
		return status, body
	}
	return 200, items(i.Comments, func(c *Comment) any { return f.comment(r.Repo, i, c) })
}

func (f *Fake) restComment(r Request) (int, any) {
	for _, i := range r.Repo.Issues {
		for _, c := range i.Comments {
			if c.ID == big(r.Params["comment_id"]) {
				return ok(f.comment(r.Repo, i, c))
			}
		}
	}
	return notFound()
}

func (f *Fake) restSubIssues(r Request) (int, any) {
	i := r.Repo.Issue(number(r.Params["issue_number"]))
	if status, body := f.absent(r, i); status != 0 {
		return status, body
	}
	return 200, items(i.SubIssues, func(n int) any { return f.issue(r.Repo, r.Repo.Issue(n)) })
}

func (f *Fake) restParent(r Request) (int, any) {
	i := r.Repo.Issue(number(r.Params["issue_number"]))
	if status, body := f.absent(r, i); status != 0 {
		return status, body
	}
	if i.Parent == 0 {
		return notFound()
	}
	return ok(f.issue(r.Repo, r.Repo.Issue(i.Parent)))
}
