package fakegithub

import (
	"encoding/base64"
	"fmt"
	"path"
	"strings"

	"pifetch/test/fakegithub/gitrepo"
)

// revision is the ref of a request, the default branch when it names none.
func revision(r Request) string {
	if ref := r.Query.Get("ref"); ref != "" {
		return strings.TrimPrefix(ref, "refs/heads/")
	}
	return "main"
}

// Most entries of a folder that the contents API lists, and the sizes from
// which on it gives no content, and nothing.
const (
	mostEntries    = 1000
	mostInline     = 1 << 20
	mostContent    = 100 << 20
	contentVersion = "application/vnd.github.raw+json; charset=utf-8"
)

func (f *Fake) restContents(r Request) (int, any) {
	ref := revision(r)
	if r.Repo.Empty() {
		return 404, failed(404, "This repository is empty.")
	}
	sha := r.Repo.Git.CommitSHA(ref)
	if sha == "" {
		return 404, failed(404, "No commit found for the ref "+ref)
	}
	return f.contents(r, sha, ref, strings.Trim(r.Params["path"], "/"))
}

func (f *Fake) contents(r Request, sha, ref, name string) (int, any) {
	accept := r.Header.Get("Accept")
	kind, object := r.Repo.Git.Object(sha + ":" + name)
	if kind == "tree" {
		entries, err := r.Repo.Git.Tree(sha+":"+name, false)
		if err != nil {
			f.fault("%v", err)
		}
		listed := []any{}
		for _, e := range entries[:min(len(entries), mostEntries)] {
			listed = append(listed, f.content(r.Repo, ref, path.Join(name, e.Path), e, true))
		}
		if strings.Contains(accept, ".object") {
			e := gitrepo.Entry{Mode: "040000", Type: "tree", SHA: object}
			folder := f.content(r.Repo, ref, name, e, false)
			folder["entries"] = listed
			return 200, asType{"application/vnd.github.object+json; charset=utf-8", Partial{folder}}
		}
		return 200, Partial{listed}
	}
	entries, err := r.Repo.Git.Tree(sha+":"+parent(name), false)
	if err != nil {
		return notFound()
	}
	for _, e := range entries {
		if e.Path != path.Base(name) {
			continue
		}
		if e.Mode == "120000" {
			target, _ := r.Repo.Git.Blob(e.SHA)
			to := path.Join(path.Dir(name), string(target))
			if kind, _ := r.Repo.Git.Object(sha + ":" + to); kind == "blob" {
				return f.contents(r, sha, ref, to)
			}
		}
		if e.Type == "blob" && strings.Contains(accept, ".raw") {
			data, err := r.Repo.Git.Blob(e.SHA)
			if err != nil {
				f.fault("%v", err)
			}
			return 200, Bytes{contentVersion, data}
		}
		c := f.content(r.Repo, ref, name, e, false)
		if strings.Contains(accept, ".object") {
			return 200, asType{"application/vnd.github.object+json; charset=utf-8", Partial{c}}
		}
		return 200, Partial{c}
	}
	return notFound()
}

func (f *Fake) restBlob(r Request) (int, any) {
	kind, sha := r.Repo.Git.Object(r.Params["file_sha"])
	if kind != "blob" {
		return notFound()
	}
	data, err := r.Repo.Git.Blob(sha)
	if err != nil {
		f.fault("%v", err)
	}
	if strings.Contains(r.Header.Get("Accept"), ".raw") {
		return 200, Bytes{contentVersion, data}
	}
	return 200, Partial{m{"sha": sha, "size": len(data), "encoding": "base64", "content": wrap(base64.StdEncoding.EncodeToString(data)), "url": r.Repo.API("/git/blobs/%s", sha)}}
}

// asType is a body in JSON with a media type of its own.
type asType struct {
	mediaType string
	Partial
}

func parent(name string) string {
	dir := path.Dir(name)
	if dir == "." {
		return ""
	}
	return dir
}

// content is a file or a folder of the contents API.
func (f *Fake) content(r *Repo, ref, name string, e gitrepo.Entry, listed bool) m {
	page := map[string]string{"blob": "blob", "tree": "tree", "commit": "tree"}[e.Type]
	out := m{
		"name": path.Base(name), "path": name, "sha": e.SHA, "size": e.Size,
		"type": map[string]string{"blob": "file", "tree": "dir", "commit": "submodule"}[e.Type],
		"url":  r.API("/contents/%s?ref=%s", escapePath(name), ref), "html_url": r.HTML("/%s/%s/%s", page, ref, escapePath(name)),
		"git_url": r.API("/git/%ss/%s", e.Type, e.SHA), "download_url": nil,
	}
	if name == "" {
		out["name"], out["html_url"] = "", r.HTML("/tree/%s", ref)
	}
	switch {
	case e.Mode == "120000":
		out["type"] = "symlink"
		if !listed {
			target, _ := r.Git.Blob(e.SHA)
			out["target"] = string(target)
		}
	case e.Type == "commit":
		out["git_url"], out["html_url"] = nil, nil
		if listed {
			out["type"] = "file" // so that older clients do not stumble
		} else {
			out["submodule_git_url"] = r.submodule(ref, name)
		}
	case e.Type == "blob" && !listed:
		out["encoding"], out["content"] = "none", ""
		if e.Size <= mostInline {
			data, _ := r.Git.Blob(e.SHA)
			out["encoding"], out["content"] = "base64", wrap(base64.StdEncoding.EncodeToString(data))
		}
	}
	if e.Type == "blob" {
		out["download_url"] = fmt.Sprintf("https://raw.githubusercontent.com/%s/%s/%s", r.Full(), ref, escapePath(name))
	}
	out["_links"] = m{"self": out["url"], "git": out["git_url"], "html": out["html_url"]}
	return out
}

// submodule is the address of a submodule by .gitmodules.
func (r *Repo) submodule(ref, name string) any {
	text, _ := r.Git.Git("show", r.Git.CommitSHA(ref)+":.gitmodules")
	_, rest, found := strings.Cut(string(text), "path = "+name+"\n")
	_, rest, hasURL := strings.Cut(rest, "url = ")
	if !found || !hasURL {
		return nil
	}
	address, _, _ := strings.Cut(rest, "\n")
	return address
}

// wrap breaks lines after 60 characters, as the API does.
func wrap(s string) string {
	var b strings.Builder
	for len(s) > 60 {
		b.WriteString(s[:60] + "\n")
		s = s[60:]
	}
	return b.String() + s + "\n"
}

func (f *Fake) restReadme(r Request) (int, any) {
	ref := revision(r)
	sha := r.Repo.Git.CommitSHA(ref)
	if sha == "" {
		return notFound()
	}
	for _, folder := range []string{".github", "", "docs"} {
		entries, err := r.Repo.Git.Tree(sha+":"+folder, false)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.Type == "blob" && strings.HasPrefix(strings.ToLower(e.Path), "readme") {
				return f.contents(r, sha, ref, path.Join(folder, e.Path))
			}
		}
	}
	return notFound()
}

func (f *Fake) restTree(r Request) (int, any) {
	if r.Repo.Empty() {
		return 409, Conflict()
	}
	rev, sub, hasPath := strings.Cut(r.Params["tree_sha"], ":")
	if sha := r.Repo.Git.CommitSHA(rev); sha != "" {
		rev = sha
	}
	if hasPath {
		rev += ":" + sub
	}
	entries, err := r.Repo.Git.Tree(rev, r.Query.Get("recursive") != "")
	if err != nil {
		return notFound()
	}
	tree := []any{}
	for _, e := range entries {
		x := m{"path": e.Path, "mode": e.Mode, "type": e.Type, "sha": e.SHA, "url": r.Repo.API("/git/%ss/%s", e.Type, e.SHA)}
		if e.Type == "blob" {
			x["size"] = e.Size
		}
		tree = append(tree, x)
	}
	sha := r.Repo.Git.Line("rev-parse", rev+"^{tree}")
	return ok(m{"sha": sha, "url": r.Repo.API("/git/trees/%s", sha), "tree": tree, "truncated": false})
}

func (f *Fake) gitRef(r *Repo, ref gitrepo.Ref) m {
	kind, _ := r.Git.Object(ref.SHA)
	return m{
		"ref": ref.Name, "url": r.API("/git/%s", ref.Name),
		"object": m{"type": kind, "sha": ref.SHA, "url": r.API("/git/%ss/%s", kind, ref.SHA)},
	}
}

func (f *Fake) restRef(r Request) (int, any) {
	for _, ref := range f.refs(r.Repo, "refs/"+r.Params["ref"]) {
		if ref.Name == "refs/"+r.Params["ref"] {
			return ok(f.gitRef(r.Repo, ref))
		}
	}
	return notFound()
}

func (f *Fake) restMatchingRefs(r Request) (int, any) {
	out := List{}
	for _, ref := range f.refs(r.Repo, "refs/") {
		if strings.HasPrefix(ref.Name, "refs/"+r.Params["ref"]) {
			out.Items = append(out.Items, f.gitRef(r.Repo, ref))
		}
	}
	return 200, out
}

func (f *Fake) refs(r *Repo, prefix string) []gitrepo.Ref {
	refs, err := r.Git.Refs(prefix)
	if err != nil {
		f.fault("%v", err)
	}
	return refs
}

func short(r *Repo, ref gitrepo.Ref, prefix string) m {
	return m{"name": strings.TrimPrefix(ref.Name, prefix), "commit": m{"sha": ref.Commit, "url": r.API("/commits/%s", ref.Commit)}}
}

func (f *Fake) restBranches(r Request) (int, any) {
	return 200, items(f.refs(r.Repo, "refs/heads/"), func(ref gitrepo.Ref) any {
		b := short(r.Repo, ref, "refs/heads/")
		b["protected"] = b["name"] == "main"
		return b
	})
}

func (f *Fake) restBranch(r Request) (int, any) {
	name := r.Params["branch"]
	commits, err := r.Repo.Git.Log("-1", "refs/heads/"+name)
	if err != nil {
		return 404, failed(404, "Branch not found")
	}
	return ok(m{"name": name, "protected": name == "main", "commit": f.commit(r.Repo, commits[0])})
}

func (f *Fake) restTags(r Request) (int, any) {
	refs := f.refs(r.Repo, "refs/tags/")
	out := List{}
	for n := range refs {
		ref := refs[len(refs)-1-n]
		t := short(r.Repo, ref, "refs/tags/")
		t["zipball_url"], t["tarball_url"] = r.Repo.API("/zipball/%s", ref.Name), r.Repo.API("/tarball/%s", ref.Name)
		out.Items = append(out.Items, t)
	}
	return 200, out
}

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

func (f *Fake) restTarball(r Request) (int, any) {
	form := "legacy.tar.gz"
	if strings.Contains(r.Template, "zipball") {
		form = "legacy.zip"
	}
	ref := r.Params["ref"]
	if r.Repo.Git.CommitSHA(strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/tags/")) == "" {
		return notFound()
	}
	return 302, Redirect(fmt.Sprintf("%s/%s/%s/%s?token=%s", f.base[Codeload], r.Repo.Full(), form, ref, archiveToken))
}
