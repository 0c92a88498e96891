package fakegithub

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

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

func sums(changes []gitrepo.Change) (additions, deletions int) {
	for _, c := range changes {
		additions += c.Additions
		deletions += c.Deletions
	}
	return additions, deletions
}

func (f *Fake) changes(r *Repo, from, to string) []gitrepo.Change {
	changes, err := r.Git.Changes(from, to)
	if err != nil {
		f.fault("%v", err)
	}
	return changes
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

// The most files a listing of a diff has.
const (
	mostPullFiles    = 3000
	mostCompareFiles = 300
)

func (f *Fake) restPullFiles(r Request) (int, any) {
	i := f.onPull(r)
	if i == nil {
		return notFound()
	}
	files := f.files(r.Repo, i.Pull.mergeBase(r.Repo), i.Pull.HeadSHA)
	return 200, List{Items: files[:min(len(files), mostPullFiles)]}
}

// files are the changes between two commits as REST lists them.
func (f *Fake) files(r *Repo, from, to string) []any {
	out := []any{}
	for _, c := range f.changes(r, from, to) {
		path := escapePath(c.Path)
		e := m{
			"sha": c.SHA, "filename": c.Path, "status": c.Status, "additions": c.Additions, "deletions": c.Deletions, "changes": c.Additions + c.Deletions,
			"blob_url": r.HTML("/blob/%s/%s", to, path), "raw_url": r.HTML("/raw/%s/%s", to, path), "contents_url": r.API("/contents/%s?ref=%s", path, to),
		}
		if c.Patch != "" {
			e["patch"] = c.Patch
		}
		if c.OldPath != "" {
			e["previous_filename"] = c.OldPath
		}
		out = append(out, e)
	}
	return out
}

func escapePath(p string) string {
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
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

func (f *Fake) review(r *Repo, i *Issue, v *Review) m {
	page := r.HTML("/pull/%d#pullrequestreview-%d", i.Number, v.ID)
	return m{
		"id": v.ID, "user": f.userOrNil(v.Author), "body": v.Body, "state": v.State, "html_url": page, "pull_request_url": r.API("/pulls/%d", i.Number),
		"commit_id": v.Commit, "submitted_at": stamp(v.Submitted), "author_association": association(v.Association),
	}
}

func (f *Fake) restReviews(r Request) (int, any) {
	i := f.onPull(r)
	if i == nil {
		return notFound()
	}
	return 200, items(i.Pull.Reviews, func(v *Review) any { return f.review(r.Repo, i, v) })
}

func (f *Fake) restReview(r Request) (int, any) {
	if i := f.onPull(r); i != nil {
		for _, v := range i.Pull.Reviews {
			if v.ID == big(r.Params["review_id"]) {
				return ok(f.review(r.Repo, i, v))
			}
		}
	}
	return notFound()
}

func (f *Fake) reviewComment(r *Repo, i *Issue, t *Thread, c *ReviewComment) m {
	api := r.API("/pulls/comments/%d", c.ID)
	out := m{
		"id": c.ID, "pull_request_review_id": c.Review, "path": t.Path, "diff_hunk": t.Hunk, "body": c.Body, "user": f.userOrNil(c.Author), "author_association": association(c.Association),
		"commit_id": i.Pull.HeadSHA, "original_commit_id": i.Pull.HeadSHA, "html_url": r.HTML("/pull/%d#discussion_r%d", i.Number, c.ID), "url": api, "pull_request_url": r.API("/pulls/%d", i.Number),
		"created_at": stamp(c.Created), "updated_at": stamp(latest(c.Created, c.Edited)), "reactions": reactions(api, c.Reactions),
		"subject_type": "line", "side": t.side(), "start_line": nil, "original_start_line": nil, "start_side": nil,
	}
	if t.WholeFile {
		out["subject_type"] = "file"
	}
	out["line"], out["original_line"] = orNone(t.Line), orNone(t.OriginalLine)
	if t.StartLine > 0 {
		out["start_line"], out["original_start_line"], out["start_side"] = t.StartLine, t.StartLine, t.side()
	}
	if first := t.Comments[0]; first != c {
		out["in_reply_to_id"] = first.ID
	}
	return out
}

func (t *Thread) side() string {
	if t.Side == "" {
		return "RIGHT"
	}
	return t.Side
}

func (f *Fake) restReviewComments(r Request) (int, any) {
	i := f.onPull(r)
	if i == nil {
		return notFound()
	}
	out := List{}
	for _, t := range i.Pull.Threads {
		for _, c := range t.Comments {
			out.Items = append(out.Items, f.reviewComment(r.Repo, i, t, c))
		}
	}
	return 200, out
}

func (f *Fake) restReviewComment(r Request) (int, any) {
	for _, i := range r.Repo.Issues {
		if i.Pull == nil {
			continue
		}
		for _, t := range i.Pull.Threads {
			for _, c := range t.Comments {
				if c.ID == big(r.Params["comment_id"]) {
					return ok(f.reviewComment(r.Repo, i, t, c))
				}
			}
		}
	}
	return notFound()
}

// diffType is "diff" or "patch" for the media types of those, "" for others.
func diffType(accept string) string {
	for _, kind := range []string{"diff", "patch"} {
		if strings.Contains(accept, "github."+kind) || strings.Contains(accept, "v3."+kind) {
			return kind
		}
	}
	return ""
}

// GitHub's documented limits of a diff that the API gives.
const (
	mostDiffLines = 20_000
	mostDiffBytes = 1 << 20
	mostDiffFiles = 300
)

// diff is the text between two commits, or 406 when it is over the limits.
func (f *Fake) diff(r *Repo, from, to, kind string) (int, any) {
	text := f.diffText(r, from, to, kind)
	switch {
	case strings.Count(text, "\n") > mostDiffLines, len(text) > mostDiffBytes, strings.Count(text, "\ndiff --git ") >= mostDiffFiles:
		return 406, TooLarge()
	}
	return 200, Bytes{"application/vnd.github." + kind + "; charset=utf-8", []byte(text)}
}

func (f *Fake) diffText(r *Repo, from, to, kind string) string {
	var text []byte
	var err error
	if kind == "patch" {
		text, err = r.Git.Git("format-patch", "--stdout", "--binary", "--abbrev=10", from+".."+to)
	} else {
		text, err = r.Git.Diff(from, to)
	}
	if err != nil {
		f.fault("%v", err)
	}
	return string(text)
}

func (f *Fake) log(r *Repo, args ...string) []gitrepo.CommitInfo {
	commits, err := r.Git.Log(args...)
	if err != nil {
		f.fault("%v", err)
	}
	return commits
}

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
