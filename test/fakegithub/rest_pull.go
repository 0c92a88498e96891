package fakegithub

import (
	"strconv"

	"pifetch/test/fakegithub/gitrepo"
)

func itoa(n int) string { return strconv.Itoa(n) }

// side is one end of a pull request.
func (f *Fake) side(repo *Repo, owner, branch, sha string) m {
	out := m{"label": owner + ":" + branch, "ref": branch, "sha": sha, "user": f.user(owner), "repo": nil}
	if owner == "" {
		out["label"], out["user"] = "unknown:"+branch, nil
	}
	if repo != nil {
		out["repo"] = f.repo(repo)
	}
	return out
}

// mergeBase is the commit that a pull request's diff starts from.
func (p *Pull) mergeBase(r *Repo) string { return r.Git.MergeBase(p.BaseSHA, p.HeadSHA) }

func (f *Fake) pull(r *Repo, i *Issue, whole bool) m {
	p := i.Pull
	out := f.issue(r, i)
	for _, only := range []string{"comments", "state_reason", "repository_url", "reactions", "pull_request", "sub_issues_summary", "parent_issue_url"} {
		delete(out, only) // of issues
	}
	headRepo, _ := f.World.Repo(p.HeadRepo)
	owner := p.HeadOwner
	if owner == "" && headRepo != nil {
		owner = headRepo.Owner
	}
	teams := []any{}
	for n, slug := range p.Teams {
		teams = append(teams, m{"id": 900 + n, "name": slug, "slug": slug, "html_url": "https://github.com/orgs/" + r.Owner + "/teams/" + slug})
	}
	for k, v := range (m{
		"url": r.API("/pulls/%d", i.Number), "diff_url": r.HTML("/pull/%d.diff", i.Number), "patch_url": r.HTML("/pull/%d.patch", i.Number),
		"merged_at": stamp(p.Merged), "merge_commit_sha": orNil(p.MergeSHA), "draft": p.Draft, "auto_merge": nil,
		"requested_reviewers": f.users(p.Reviewers), "requested_teams": teams,
		"head": f.side(headRepo, owner, p.Head, p.HeadSHA), "base": f.side(r, r.Owner, p.Base, p.BaseSHA),
	}) {
		out[k] = v
	}
	if !whole {
		return out
	}
	changes := f.changes(r, p.mergeBase(r), p.HeadSHA)
	additions, deletions := sums(changes)
	commits := f.log(r, p.mergeBase(r)+".."+p.HeadSHA)
	comments := 0
	for _, t := range p.Threads {
		comments += len(t.Comments)
	}
	mergeable, mergeState := any(true), "clean"
	switch {
	case !i.Closed.IsZero():
		mergeable, mergeState = nil, "unknown"
	case p.Conflicts:
		mergeable, mergeState = false, "dirty"
	case p.Draft:
		mergeState = "draft"
	case p.Decision == "CHANGES_REQUESTED", p.Decision == "REVIEW_REQUIRED":
		mergeState = "blocked"
	}
	for k, v := range (m{
		"merged": !p.Merged.IsZero(), "mergeable": mergeable, "mergeable_state": mergeState, "merged_by": f.userOrNil(p.MergedBy), "rebaseable": mergeable,
		"comments": len(i.Comments), "review_comments": comments, "commits": len(commits), "maintainer_can_modify": false,
		"additions": additions, "deletions": deletions, "changed_files": len(changes),
	}) {
		out[k] = v
	}
	return out
}

// onPull finds the pull request of a request's path.
func (f *Fake) onPull(r Request) *Issue {
	i := r.Repo.Issue(number(r.Params["pull_number"]))
	if i == nil || i.Pull == nil {
		return nil
	}
	return i
}

func (f *Fake) restPull(r Request) (int, any) {
	i := f.onPull(r)
	if i == nil {
		return notFound()
	}
	if kind := diffType(r.Header.Get("Accept")); kind != "" {
		return f.diff(r.Repo, i.Pull.mergeBase(r.Repo), i.Pull.HeadSHA, kind)
	}
	return ok(f.pull(r.Repo, i, true))
}

func (f *Fake) restPulls(r Request) (int, any) {
	want := r.Query.Get("state")
	out := List{}
	for _, i := range newest(r.Repo.Issues) {
		if i.Pull != nil && (want == "all" || (want == "closed") != i.Closed.IsZero()) {
			out.Items = append(out.Items, f.pull(r.Repo, i, false))
		}
	}
	return 200, out
}

func (f *Fake) restPullFiles(r Request) (int, any) {
	i := f.onPull(r)
	if i == nil {
		return notFound()
	}
	files := f.files(r.Repo, i.Pull.mergeBase(r.Repo), i.Pull.HeadSHA)
	return 200, List{Items: files[:min(len(files), mostPullFiles)]}
}

func (f *Fake) restPullCommits(r Request) (int, any) {
	i := f.onPull(r)
	if i == nil {
		return notFound()
	}
	commits := f.log(r.Repo, "--reverse", i.Pull.mergeBase(r.Repo)+".."+i.Pull.HeadSHA)
	out := items(commits, func(c gitrepo.CommitInfo) any { return f.commit(r.Repo, c) })
	out.Items = out.Items[:min(len(out.Items), 250)]
	return 200, out
}

func (t *Thread) side() string {
	if t.Side == "" {
		return "RIGHT"
	}
	return t.Side
}

func (f *Fake) log(r *Repo, args ...string) []gitrepo.CommitInfo {
	commits, err := r.Git.Log(args...)
	if err != nil {
		f.fault("%v", err)
	}
	return commits
}

func (f *Fake) restCommitPulls(r Request) (int, any) {
	sha := r.Repo.Git.CommitSHA(r.Params["commit_sha"])
	out := List{}
	for _, i := range r.Repo.Issues {
		if i.Pull != nil && (i.Pull.HeadSHA == sha || i.Pull.MergeSHA == sha) {
			out.Items = append(out.Items, f.pull(r.Repo, i, false))
		}
	}
	return 200, out
}
