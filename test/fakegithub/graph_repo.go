package fakegithub

import (
	"slices"
	"strings"

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
		"discussionCategory": graph.Resolver(func(args map[string]any) any {
			for _, d := range r.Discussions {
				if c := graphCategory(r, d); c["slug"] == text(args, "slug") {
					return c
				}
			}
			return nil
		}),
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
