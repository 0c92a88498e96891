package fakegithub

import (
	"slices"

	"pifetch/test/fakegithub/graph"
)

// state is that of GraphQL.
func (i *Issue) state() string {
	switch {
	case i.Pull != nil && !i.Pull.Merged.IsZero():
		return "MERGED"
	case !i.Closed.IsZero():
		return "CLOSED"
	}
	return "OPEN"
}

func (f *Fake) graphNumbered(r *Repo, number int, what string, fits func(*Issue) bool) any {
	i := r.Issue(number)
	if i != nil && i.MovedTo != "" {
		i = nil // GraphQL does not follow
	}
	if i == nil || i.Gone || !fits(i) {
		article := "an"
		if what == "PullRequest" {
			article = "a"
		}
		return unresolved("%s %s with the number of %d.", article, what, number)
	}
	return f.graphIssue(r, i)
}

func (f *Fake) graphIssues(r *Repo, args map[string]any, pulls bool) any {
	states, labels := enumeration(args, "states"), enumeration(args, "labels")
	return graphList(newest(r.Issues), func(i *Issue) any {
		switch {
		case i.Gone, i.MovedTo != "", (i.Pull != nil) != pulls:
			return nil
		case states != nil && !slices.Contains(states, i.state()):
			return nil
		case labels != nil && !slices.ContainsFunc(labels, func(l string) bool { return slices.Contains(i.Labels, l) }):
			return nil
		}
		return f.graphIssue(r, i)
	})
}

func (f *Fake) graphSome(r *Repo, numbers []int) []o {
	return graphList(numbers, func(n int) any {
		if i := r.Issue(n); i != nil {
			return f.graphIssue(r, i)
		}
		return nil
	})
}

// graphIssue is an issue or a pull request.
func (f *Fake) graphIssue(r *Repo, i *Issue) o {
	out := o{
		"__typename": "Issue", "id": node("I", r, i.Number), "databaseId": int(i.ID), "fullDatabaseId": itoa(int(i.ID)), "number": i.Number, "title": i.Title, "body": i.Body, "bodyText": i.Body,
		"state": i.state(), "closed": !i.Closed.IsZero(), "author": f.graphActor(i.Author), "authorAssociation": association(i.Association),
		"createdAt": stamp(i.Created), "updatedAt": stamp(i.updated()), "closedAt": stamp(i.Closed), "lastEditedAt": stamp(i.Edited), "includesCreatedEdit": !i.Edited.IsZero(), "publishedAt": stamp(i.Created), "editor": nil,
		"url": r.HTML("/%s/%d", i.page(), i.Number), "resourcePath": "/" + r.Full() + "/" + i.page() + "/" + itoa(i.Number), "locked": i.Locked != "", "activeLockReason": orNil(i.Locked),
		"labels":     graphList(i.Labels, func(l string) any { return graphLabel(r, l) }),
		"assignees":  f.graphUsers(i.Assignees),
		"milestone":  lazy(func() any { return f.graphMilestone(r, i.Milestone) }),
		"repository": lazy(func() any { return f.graphRepo(r) }),
		"comments": lazy(func() any {
			return graphList(i.Comments, func(c *Comment) any { return f.graphComment(r, i, c) })
		}),
		"participants": lazy(func() any {
			var logins []string
			for _, c := range i.Comments {
				if u := f.World.User(c.Author); u != nil && u.Type == "User" && !slices.Contains(logins, c.Author) {
					logins = append(logins, c.Author)
				}
			}
			return f.graphUsers(logins)
		}),
	}
	reacted(out, i.Reactions)
	out["timelineItems"] = graph.Resolver(func(args map[string]any) any { return f.graphTimeline(r, i, enumeration(args, "itemTypes")) })
	if i.Pull != nil {
		f.graphPull(out, r, i)
		return out
	}
	out["stateReason"] = graph.Resolver(func(args map[string]any) any {
		if i.Reason == "DUPLICATE" && args["enableDuplicate"] != true {
			return "NOT_PLANNED"
		}
		return orNil(i.Reason)
	})
	out["parent"] = lazy(func() any {
		if p := r.Issue(i.Parent); p != nil {
			return f.graphIssue(r, p)
		}
		return nil
	})
	out["subIssues"] = lazy(func() any { return f.graphSome(r, i.SubIssues) })
	out["subIssuesSummary"] = lazy(func() any {
		done := 0
		for _, n := range i.SubIssues {
			if sub := r.Issue(n); sub != nil && !sub.Closed.IsZero() {
				done++
			}
		}
		return o{"total": len(i.SubIssues), "completed": done, "percentCompleted": done * 100 / max(1, len(i.SubIssues))}
	})
	out["closedByPullRequestsReferences"] = graph.Resolver(func(args map[string]any) any {
		return graphList(i.FixedBy, func(n int) any {
			p := r.Issue(n)
			if p.state() == "CLOSED" && args["includeClosedPrs"] != true {
				return nil
			}
			return f.graphIssue(r, p)
		})
	})
	out["isPinned"] = false
	out["trackedIssues"], out["trackedInIssues"] = []o{}, []o{}
	return out
}

// graphTimeline are the events of the given types that the world tells of.
func (f *Fake) graphTimeline(r *Repo, i *Issue, types []string) []o {
	var events []o
	add := func(kind, name string, actor string, event o) {
		if types == nil || slices.Contains(types, kind) {
			event["__typename"], event["id"], event["actor"] = name, node("E", r, i.Number), f.graphActor(actor)
			event["createdAt"] = stamp(i.Closed)
			events = append(events, event)
		}
	}
	if original := r.Issue(i.Duplicate); original != nil {
		add("MARKED_AS_DUPLICATE_EVENT", "MarkedAsDuplicateEvent", i.ClosedBy, o{
			"canonical": lazy(func() any { return f.graphIssue(r, original) }), "duplicate": lazy(func() any { return f.graphIssue(r, i) }), "isCrossRepository": false,
		})
	}
	if !i.Closed.IsZero() {
		add("CLOSED_EVENT", "ClosedEvent", i.ClosedBy, o{
			"closable": lazy(func() any { return f.graphIssue(r, i) }), "closer": nil, "stateReason": orNil(i.Reason),
			"url": r.HTML("/%s/%d#event-%d", i.page(), i.Number, i.ID), "resourcePath": "/" + r.Full(),
		})
	}
	return events
}

// written are the fields of everything a person wrote.
func (f *Fake) written(c *Comment) o {
	return reacted(o{
		"databaseId": int(c.ID), "fullDatabaseId": itoa(int(c.ID)), "author": f.graphActor(c.Author), "authorAssociation": association(c.Association), "body": c.Body, "bodyText": c.Body,
		"createdAt": stamp(c.Created), "updatedAt": stamp(latest(c.Created, c.Edited)), "publishedAt": stamp(c.Created), "lastEditedAt": stamp(c.Edited), "includesCreatedEdit": !c.Edited.IsZero(), "editor": nil,
		"isMinimized": c.Minimized != "", "minimizedReason": minimized(c.Minimized),
	}, c.Reactions)
}

// minimized is the reason as GraphQL gives it: "off-topic", in small letters.
func minimized(reason string) any { return lockReason(reason) }

func (f *Fake) graphComment(r *Repo, i *Issue, c *Comment) o {
	out := f.written(c)
	out["__typename"], out["id"] = "IssueComment", node("IC", r, c.ID)
	out["url"] = r.HTML("/%s/%d#issuecomment-%d", i.page(), i.Number, c.ID)
	out["issue"] = lazy(func() any {
		if i.Pull != nil {
			return nil
		}
		return f.graphIssue(r, i)
	})
	out["pullRequest"] = lazy(func() any {
		if i.Pull == nil {
			return nil
		}
		return f.graphIssue(r, i)
	})
	return out
}
