package fakegithub

import (
	"strings"

	"pifetch/test/fakegithub/gitrepo"
)

// login is the account that a commit's author has.
func (f *Fake) login(c gitrepo.CommitInfo) any {
	if u := find(f.World.Users, func(u *User) bool { return u.Name == c.Name }); u != nil {
		return f.user(u.Login)
	}
	return nil
}

func (f *Fake) commit(r *Repo, c gitrepo.CommitInfo) m {
	who := m{"name": c.Name, "email": c.Email, "date": stamp(c.When)}
	parents := []any{}
	for _, p := range c.Parents {
		parents = append(parents, m{"sha": p, "url": r.API("/commits/%s", p), "html_url": r.HTML("/commit/%s", p)})
	}
	return m{
		"sha": c.SHA, "url": r.API("/commits/%s", c.SHA), "html_url": r.HTML("/commit/%s", c.SHA), "parents": parents, "author": f.login(c), "committer": f.login(c),
		"commit": m{
			"message": c.Message, "author": who, "committer": who, "comment_count": 0, "tree": m{"sha": c.Tree, "url": r.API("/git/trees/%s", c.Tree)},
			"verification": m{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}, "url": r.API("/git/commits/%s", c.SHA),
		},
	}
}

func (f *Fake) restCommits(r Request) (int, any) {
	if r.Repo.Empty() {
		return 409, Conflict()
	}
	from := r.Query.Get("sha")
	if from == "" {
		from = "main"
	}
	sha := r.Repo.Git.CommitSHA(from)
	if sha == "" {
		return notFound()
	}
	args := []string{sha}
	for _, name := range []string{"since", "until", "author"} {
		if v := r.Query.Get(name); v != "" {
			args = append(args, "--"+name+"="+v)
		}
	}
	if p := r.Query.Get("path"); p != "" {
		args = append(args, "--", p)
	}
	return 200, items(f.log(r.Repo, args...), func(c gitrepo.CommitInfo) any { return f.commit(r.Repo, c) })
}

// emptyTree is known to git without being stored.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// before is the tree that a commit's own diff starts from.
func before(r *Repo, c gitrepo.CommitInfo) string {
	if len(c.Parents) > 0 {
		return c.Parents[0]
	}
	return emptyTree
}

func (f *Fake) restCommit(r Request) (int, any) {
	if r.Repo.Empty() {
		return 409, Conflict()
	}
	sha := r.Repo.Git.CommitSHA(r.Params["ref"])
	if sha == "" {
		return 422, failed(422, "No commit found for SHA: "+r.Params["ref"])
	}
	c := f.log(r.Repo, "-1", sha)[0]
	if strings.Contains(r.Header.Get("Accept"), "github.sha") {
		return 200, Bytes{"application/vnd.github.sha; charset=utf-8", []byte(sha)}
	}
	if kind := diffType(r.Header.Get("Accept")); kind == "diff" {
		return f.diff(r.Repo, before(r.Repo, c), sha, kind)
	} else if kind == "patch" {
		return 200, Bytes{"application/vnd.github.patch; charset=utf-8", []byte(f.diffText(r.Repo, sha+"^", sha, kind))}
	}
	changes := f.changes(r.Repo, before(r.Repo, c), sha)
	additions, deletions := sums(changes)
	out := f.commit(r.Repo, c)
	out["stats"] = m{"total": additions + deletions, "additions": additions, "deletions": deletions}
	files := f.files(r.Repo, before(r.Repo, c), sha)
	out["files"] = files[:min(len(files), mostCompareFiles)]
	return ok(out)
}

// ends are the commits of "base...head", each with an owner or without.
func (f *Fake) ends(r *Repo, basehead string) (base, head string) {
	from, to, ok := strings.Cut(basehead, "...")
	if !ok {
		return "", ""
	}
	side := func(s string) string {
		owner, ref, hasOwner := strings.Cut(s, ":")
		if !hasOwner {
			return r.Git.CommitSHA(s)
		}
		if strings.EqualFold(owner, r.Owner) {
			return r.Git.CommitSHA(ref)
		}
		// The branch of a fork is in this repository as the head of its pull request.
		for _, i := range r.Issues {
			if i.Pull != nil && strings.EqualFold(i.Pull.HeadOwner, owner) && i.Pull.Head == ref {
				return i.Pull.HeadSHA
			}
		}
		return ""
	}
	return side(from), side(to)
}

func (f *Fake) restCompare(r Request) (int, any) {
	basehead := r.Params["basehead"]
	base, head := f.ends(r.Repo, basehead)
	if base == "" || head == "" {
		return notFound()
	}
	merge := r.Repo.Git.MergeBase(base, head)
	if merge == "" {
		return 404, failed(404, "No common ancestor between "+basehead)
	}
	if kind := diffType(r.Header.Get("Accept")); kind != "" {
		return f.diff(r.Repo, merge, head, kind)
	}
	ahead, behind := r.Repo.Git.AheadBehind(base, head)
	status := "diverged"
	switch {
	case ahead == 0 && behind == 0:
		status = "identical"
	case behind == 0:
		status = "ahead"
	case ahead == 0:
		status = "behind"
	}
	one := func(sha string) m { return f.commit(r.Repo, f.log(r.Repo, "-1", sha)[0]) }
	commits := items(f.log(r.Repo, "--reverse", merge+".."+head), func(c gitrepo.CommitInfo) any { return f.commit(r.Repo, c) })
	commits.Items = commits.Items[:min(len(commits.Items), 250)]
	out := m{
		"url": r.Repo.API("/compare/%s", basehead), "html_url": r.Repo.HTML("/compare/%s", basehead), "diff_url": r.Repo.HTML("/compare/%s.diff", basehead), "patch_url": r.Repo.HTML("/compare/%s.patch", basehead),
		"permalink_url": r.Repo.HTML("/compare/%s...%s", base, head), "base_commit": one(base), "merge_base_commit": one(merge),
		"status": status, "ahead_by": ahead, "behind_by": behind, "total_commits": ahead, "commits": commits.Items,
	}
	if commits.Items == nil {
		out["commits"] = []any{}
	}
	if page := r.Query.Get("page"); page == "" || page == "1" {
		files := f.files(r.Repo, merge, head)
		out["files"] = files[:min(len(files), mostCompareFiles)]
	}
	return ok(out)
}
