package fakegithub

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pifetch/test/fakegithub/gitrepo"
	"pifetch/test/fakegithub/graph"
)

func (f *Fake) graphRepo(r *Repo) o {
	out := o{
		"__typename": "Repository", "id": node("R", r, 0), "databaseId": r.ID, "name": r.Name, "nameWithOwner": r.Full(), "url": r.HTML(""), "resourcePath": "/" + r.Full(),
		"owner":       lazy(func() any { return f.graphActor(r.Owner) }),
		"description": orNil(r.Description), "homepageUrl": orNil(r.Homepage), "stargazerCount": r.Stars, "forkCount": 1, "diskUsage": 120,
		"isArchived": r.Archived, "isFork": r.Fork != "", "isPrivate": r.Private, "isMirror": false, "isTemplate": false, "isDisabled": false, "isLocked": false, "isInOrganization": r.Owner == "octo",
		"isEmpty": lazy(func() any { return r.Empty() }), "visibility": map[bool]string{true: "PRIVATE", false: "PUBLIC"}[r.Private],
		"hasIssuesEnabled": !r.IssuesOff, "hasWikiEnabled": r.Wiki.Dir != "", "hasDiscussionsEnabled": len(r.Discussions) > 0, "hasProjectsEnabled": false,
		"createdAt": stamp(r.Created), "pushedAt": stamp(r.Pushed), "updatedAt": stamp(r.Pushed), "archivedAt": nil, "mirrorUrl": nil,
		"licenseInfo": nil, "primaryLanguage": nil,
		"parent": lazy(func() any {
			if p, _ := f.World.Repo(r.Fork); p != nil {
				return f.graphRepo(p)
			}
			return nil
		}),
		"defaultBranchRef": lazy(func() any { return f.graphRef(r, "refs/heads/main") }),
		"object":           graph.Resolver(func(args map[string]any) any { return f.graphObject(r, args) }),
		"ref":              graph.Resolver(func(args map[string]any) any { return f.graphRef(r, text(args, "qualifiedName")) }),
		"refs":             graph.Resolver(func(args map[string]any) any { return f.graphRefs(r, args) }),
		"issueOrPullRequest": graph.Resolver(func(args map[string]any) any {
			return f.graphNumbered(r, number64(args["number"]), "issue or pull request", func(*Issue) bool { return true })
		}),
		"issue": graph.Resolver(func(args map[string]any) any {
			return f.graphNumbered(r, number64(args["number"]), "Issue", func(i *Issue) bool { return i.Pull == nil })
		}),
		"pullRequest": graph.Resolver(func(args map[string]any) any {
			return f.graphNumbered(r, number64(args["number"]), "PullRequest", func(i *Issue) bool { return i.Pull != nil })
		}),
		"issues":       graph.Resolver(func(args map[string]any) any { return f.graphIssues(r, args, false) }),
		"pullRequests": graph.Resolver(func(args map[string]any) any { return f.graphIssues(r, args, true) }),
		"discussion": graph.Resolver(func(args map[string]any) any {
			if d := r.Discussion(number64(args["number"])); d != nil {
				return f.graphDiscussion(r, d)
			}
			return unresolved("a Discussion with the number of %d.", number64(args["number"]))
		}),
		"discussions": graph.Resolver(func(args map[string]any) any { return f.graphDiscussions(r, args) }),
		"discussionCategories": lazy(func() any {
			var list []o
			for _, d := range r.Discussions {
				list = append(list, graphCategory(r, d))
			}
			return list
		}),
		"latestRelease": lazy(func() any { return f.graphRelease(r, r.Latest()) }),
		"release":       graph.Resolver(func(args map[string]any) any { return f.graphRelease(r, r.Release(text(args, "tagName"))) }),
		"releases":      lazy(func() any { return graphList(r.Releases, func(x *Release) any { return f.graphRelease(r, x) }) }),
		"labels":        lazy(func() any { return graphList(r.Labels, func(l Label) any { return graphLabel(r, l.Name) }) }),
		"milestones":    graph.Resolver(func(args map[string]any) any { return f.graphMilestones(r, args) }),
		"milestone":     graph.Resolver(func(args map[string]any) any { return f.graphMilestone(r, number64(args["number"])) }),
		"repositoryTopics": lazy(func() any {
			return graphList(r.Topics, func(t string) any {
				return o{"topic": o{"name": t, "id": "T_" + t}, "url": "https://github.com/topics/" + t}
			})
		}),
		"languages": []o{}, "watchers": []o{}, "forks": []o{},
	}
	if r.License != "" {
		out["licenseInfo"] = o{"spdxId": r.License, "name": r.License + " License", "key": strings.ToLower(r.License), "nickname": nil, "url": nil}
	}
	if r.Language != "" {
		out["primaryLanguage"] = o{"name": r.Language, "color": nil}
	}
	return out
}

// graphList is a connection's items; those that are null are left out.
func graphList[T any](list []T, fn func(T) any) []o {
	out := []o{}
	for _, x := range list {
		if v, ok := fn(x).(o); ok {
			out = append(out, v)
		}
	}
	return out
}

func graphLabel(r *Repo, name string) any {
	l := label(r, name)
	return o{
		"id": node("LA", r, l["id"]), "name": l["name"], "color": l["color"], "description": l["description"], "isDefault": l["default"],
		"url": r.HTML("/labels/%s", strings.ReplaceAll(name, " ", "%20")),
	}
}

func (f *Fake) graphMilestones(r *Repo, args map[string]any) any {
	states := enumeration(args, "states")
	return graphList(r.Milestones, func(x Milestone) any {
		state := map[bool]string{true: "OPEN", false: "CLOSED"}[x.Closed.IsZero()]
		if states != nil && !slices.Contains(states, state) {
			return nil
		}
		return f.graphMilestone(r, x.Number)
	})
}

func (f *Fake) graphMilestone(r *Repo, number int) any {
	for _, x := range r.Milestones {
		if x.Number != number {
			continue
		}
		open, closed := r.inMilestone(number)
		in := func(args map[string]any, pull bool) any {
			states := enumeration(args, "states")
			return graphList(r.Issues, func(i *Issue) any {
				if i.Milestone != number || (i.Pull != nil) != pull || states != nil && !slices.Contains(states, i.state()) {
					return nil
				}
				return f.graphIssue(r, i)
			})
		}
		return o{
			"id": node("MI", r, number), "number": number, "title": x.Title, "description": orNil(x.Description), "creator": f.graphActor(x.Creator),
			"state": map[bool]string{true: "OPEN", false: "CLOSED"}[x.Closed.IsZero()], "closed": !x.Closed.IsZero(), "closedAt": stamp(x.Closed), "dueOn": stamp(x.Due),
			"createdAt": stamp(x.Created), "updatedAt": stamp(x.Created), "url": r.HTML("/milestone/%d", number), "progressPercentage": float64(closed) * 100 / float64(max(1, open+closed)),
			"issues":       graph.Resolver(func(args map[string]any) any { return in(args, false) }),
			"pullRequests": graph.Resolver(func(args map[string]any) any { return in(args, true) }),
		}
	}
	return nil
}

func (f *Fake) graphRelease(r *Repo, x *Release) any {
	if x == nil {
		return nil
	}
	sha := r.Git.CommitSHA("refs/tags/" + x.Tag)
	return o{
		"id": node("RE", r, x.ID), "databaseId": int(x.ID), "name": orNil(x.Name), "tagName": x.Tag, "description": orNil(x.Body), "isPrerelease": x.Prerelease, "isDraft": x.Draft, "isLatest": x == r.Latest(),
		"author": f.graphUser(x.Author, "User"), "createdAt": stamp(x.Created), "publishedAt": stamp(x.Published), "updatedAt": stamp(x.Published), "url": r.HTML("/releases/tag/%s", x.Tag),
		"tagCommit": lazy(func() any { return f.graphCommit(r, sha) }), "tag": lazy(func() any { return f.graphRef(r, "refs/tags/"+x.Tag) }),
		"releaseAssets": lazy(func() any {
			return graphList(x.Assets, func(a Asset) any {
				return o{
					"id": node("RA", r, a.ID), "name": a.Name, "contentType": a.Type, "size": len(a.Content), "downloadCount": a.Downloads, "uploadedBy": f.graphUser("ada", "User"),
					"downloadUrl": r.HTML("/releases/download/%s/%s", x.Tag, a.Name), "url": r.HTML("/releases/download/%s/%s", x.Tag, a.Name), "createdAt": stamp(a.Created), "updatedAt": stamp(a.Created),
				}
			})
		}),
	}
}

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
