package fakegithub

import (
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"pifetch/test/fakegithub/gitrepo"
	"pifetch/test/fakegithub/graph"
)

func (f *Fake) graphRef(r *Repo, name string) any {
	for _, prefix := range []string{"", "refs/heads/", "refs/tags/", "refs/"} {
		full := prefix + name
		if !strings.HasPrefix(full, "refs/") {
			continue
		}
		kind, sha := r.Git.Object(full)
		if sha == "" {
			continue
		}
		short, base := full, ""
		for _, p := range []string{"refs/heads/", "refs/tags/", "refs/"} {
			if rest, ok := strings.CutPrefix(full, p); ok {
				short, base = rest, p
				break
			}
		}
		return o{"id": node("REF", r, full), "name": short, "prefix": base, "target": lazy(func() any { return f.graphGit(r, kind, sha, "") })}
	}
	return nil
}

func (f *Fake) graphRefs(r *Repo, args map[string]any) any {
	query := strings.ToLower(text(args, "query"))
	return graphList(f.refs(r, text(args, "refPrefix")), func(ref gitrepo.Ref) any {
		if !strings.Contains(strings.ToLower(ref.Name), query) {
			return nil
		}
		return f.graphRef(r, ref.Name)
	})
}

// graphObject is what an expression of git names, or an object by its oid. A name that is a
// branch's and a tag's is the tag's, as git has it.
func (f *Fake) graphObject(r *Repo, args map[string]any) any {
	rev := text(args, "expression")
	if rev == "" {
		rev = text(args, "oid")
	}
	kind, sha := r.Git.Object(rev)
	_, name, _ := strings.Cut(rev, ":")
	return f.graphGit(r, kind, sha, name)
}

// graphGit is an object of git; name is the path at which it was found.
func (f *Fake) graphGit(r *Repo, kind, sha, name string) any {
	switch kind {
	case "commit":
		return f.graphCommit(r, sha)
	case "tree":
		return f.graphTree(r, sha, name)
	case "blob":
		return f.graphBlob(r, sha)
	case "tag":
		target := r.Git.CommitSHA(sha)
		return o{
			"__typename": "Tag", "oid": sha, "abbreviatedOid": sha[:7], "name": r.Git.Line("for-each-ref", "--points-at="+sha, "--format=%(refname:short)", "refs/tags"),
			"message": r.Git.Line("for-each-ref", "--points-at="+sha, "--format=%(contents)", "refs/tags"), "target": lazy(func() any { return f.graphCommit(r, target) }), "commitUrl": r.HTML("/commit/%s", target),
		}
	}
	return nil
}

func (f *Fake) graphTree(r *Repo, sha, name string) any {
	return o{
		"__typename": "Tree", "oid": sha, "abbreviatedOid": sha[:7],
		"entries": lazy(func() any {
			entries, err := r.Git.Tree(sha, false)
			if err != nil {
				f.fault("%v", err)
			}
			out := []any{}
			for _, e := range entries {
				out = append(out, f.graphEntry(r, path.Join(name, e.Path), e))
			}
			return out
		}),
	}
}

func (f *Fake) graphEntry(r *Repo, name string, e gitrepo.Entry) o {
	mode, _ := strconv.ParseInt(e.Mode, 8, 32)
	entry := o{
		"name": path.Base(name), "path": name, "type": e.Type, "mode": int(mode), "size": e.Size, "oid": e.SHA, "extension": path.Ext(name), "isGenerated": false, "lineCount": nil, "submodule": nil,
		"object": lazy(func() any { return f.graphGit(r, e.Type, e.SHA, name) }),
	}
	if e.Type == "commit" {
		entry["object"] = nil
		entry["submodule"] = lazy(func() any {
			return o{"name": path.Base(name), "path": name, "branch": nil, "gitUrl": r.submodule("main", name), "subprojectCommitOid": e.SHA}
		})
	}
	return entry
}

// graphFile is what a commit has at a path.
func (f *Fake) graphFile(r *Repo, sha string, args map[string]any) any {
	name := strings.Trim(text(args, "path"), "/")
	if entries, err := r.Git.Tree(sha+":"+parent(name), false); err == nil {
		for _, e := range entries {
			if e.Path == path.Base(name) {
				return f.graphEntry(r, name, e)
			}
		}
	}
	return graph.Error{Type: "NOT_FOUND", Message: "Could not resolve file for path '" + name + "'."}
}

func (f *Fake) graphBlob(r *Repo, sha string) any {
	data, err := r.Git.Blob(sha)
	if err != nil {
		f.fault("%v", err)
	}
	const mostText = 512_000
	out := o{"__typename": "Blob", "oid": sha, "abbreviatedOid": sha[:7], "byteSize": len(data), "isTruncated": len(data) > mostText, "isBinary": !isText(data), "text": nil}
	if isText(data) {
		out["text"] = strings.ToValidUTF8(string(data[:min(len(data), mostText)]), string(utf8.RuneError))
	}
	return out
}

func (f *Fake) graphCommit(r *Repo, sha string) any {
	if sha == "" {
		return nil
	}
	c := f.log(r, "-1", sha)[0]
	who := o{"name": c.Name, "email": c.Email, "date": stamp(c.When), "user": lazy(func() any {
		if u := find(f.World.Users, func(u *User) bool { return u.Name == c.Name }); u != nil {
			return f.graphUser(u.Login, "User")
		}
		return nil
	})}
	_, body, _ := strings.Cut(c.Message, "\n")
	stats := func(pick func([]gitrepo.Change) int) graph.Resolver {
		return lazy(func() any { return pick(f.changes(r, before(r, c), sha)) })
	}
	return o{
		"__typename": "Commit", "id": node("C", r, sha), "oid": sha, "abbreviatedOid": sha[:7], "message": c.Message, "messageHeadline": c.Summary, "messageBody": strings.TrimSpace(body),
		"author": who, "committer": who, "authoredDate": stamp(c.When), "committedDate": stamp(c.CommitterWas), "url": r.HTML("/commit/%s", sha), "commitUrl": r.HTML("/commit/%s", sha),
		"tree":              lazy(func() any { return f.graphTree(r, c.Tree, "") }),
		"file":              graph.Resolver(func(args map[string]any) any { return f.graphFile(r, sha, args) }),
		"parents":           lazy(func() any { return graphList(c.Parents, func(p string) any { return f.graphCommit(r, p) }) }),
		"additions":         stats(func(cs []gitrepo.Change) int { n, _ := sums(cs); return n }),
		"deletions":         stats(func(cs []gitrepo.Change) int { _, n := sums(cs); return n }),
		"changedFiles":      stats(func(cs []gitrepo.Change) int { return len(cs) }),
		"history":           graph.Resolver(func(args map[string]any) any { return f.graphHistory(r, sha, args) }),
		"statusCheckRollup": lazy(func() any { return f.graphRollup(r, sha) }),
		"associatedPullRequests": lazy(func() any {
			return graphList(r.Issues, func(i *Issue) any {
				if i.Pull == nil || i.Pull.HeadSHA != sha && i.Pull.MergeSHA != sha {
					return nil
				}
				return f.graphIssue(r, i)
			})
		}),
	}
}

func (f *Fake) graphHistory(r *Repo, sha string, args map[string]any) any {
	list := []string{sha}
	for _, name := range []string{"since", "until"} {
		if v := text(args, name); v != "" {
			list = append(list, "--"+name+"="+v)
		}
	}
	if p := text(args, "path"); p != "" {
		list = append(list, "--", p)
	}
	return graphList(f.log(r, list...), func(c gitrepo.CommitInfo) any { return f.graphCommit(r, c.SHA) })
}
