package fakegithub

import (
	"fmt"
	"strings"

	"pifetch/test/fakegithub/gitrepo"
)

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
