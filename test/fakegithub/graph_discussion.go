package fakegithub

import (
	"fmt"
	"slices"
	"strings"
)

func graphCategory(r *Repo, d *Discussion) o {
	slug := strings.ToLower(strings.ReplaceAll(d.Category, "&", "-"))
	return o{
		"id": node("DIC", r, slug), "name": d.Category, "slug": slug, "isAnswerable": d.Answerable, "emoji": ":speech_balloon:", "description": nil,
		"createdAt": stamp(r.Created), "updatedAt": stamp(r.Created),
	}
}

func (f *Fake) graphDiscussion(r *Repo, d *Discussion) o {
	out := f.written(&Comment{ID: d.ID, Author: d.Author, Association: d.Association, Body: d.Body, Created: d.Created, Edited: d.Edited})
	delete(out, "isMinimized")
	var answer *DiscussionComment
	for _, c := range d.Comments {
		if c.Answer {
			answer = c
		}
	}
	for k, v := range (o{
		"__typename": "Discussion", "id": node("D", r, d.Number), "number": d.Number, "title": d.Title, "updatedAt": stamp(latest(d.Created, d.Updated)), "url": r.HTML("/discussions/%d", d.Number), "resourcePath": "/" + r.Full() + "/discussions/" + itoa(d.Number),
		"category": graphCategory(r, d), "isAnswered": nil, "answerChosenAt": stamp(d.Answered), "answerChosenBy": f.graphActor(d.AnsweredBy), "upvoteCount": d.Upvotes, "locked": d.Locked, "activeLockReason": nil,
		"closed": !d.Closed.IsZero(), "closedAt": stamp(d.Closed), "stateReason": orNil(d.Reason), "poll": nil,
		"labels":     graphList(d.Labels, func(l string) any { return graphLabel(r, l) }),
		"repository": lazy(func() any { return f.graphRepo(r) }),
		"answer": lazy(func() any {
			if answer == nil {
				return nil
			}
			return f.graphDiscussionComment(r, d, &answer.Comment, answer, nil)
		}),
		"comments": lazy(func() any {
			return graphList(d.Comments, func(c *DiscussionComment) any { return f.graphDiscussionComment(r, d, &c.Comment, c, nil) })
		}),
	}) {
		out[k] = v
	}
	if d.Answerable {
		out["isAnswered"] = answer != nil
	}
	return out
}

// graphDiscussionComment is a comment, or with parent a reply to one.
func (f *Fake) graphDiscussionComment(r *Repo, d *Discussion, c *Comment, top, parent *DiscussionComment) o {
	out := f.written(c)
	for k, v := range (o{
		"__typename": "DiscussionComment", "id": node("DC", r, fmt.Sprintf("%d.%d", d.Number, c.ID)), "url": r.HTML("/discussions/%d#discussioncomment-%d", d.Number, c.ID), "isAnswer": false, "upvoteCount": 0, "deletedAt": nil,
		"replyTo": lazy(func() any {
			if parent == nil {
				return nil
			}
			return f.graphDiscussionComment(r, d, &parent.Comment, parent, nil)
		}),
		"replies": []o{}, "discussion": lazy(func() any { return f.graphDiscussion(r, d) }),
	}) {
		out[k] = v
	}
	if top != nil {
		out["isAnswer"], out["upvoteCount"] = top.Answer, top.Upvotes
		out["replies"] = lazy(func() any {
			return graphList(top.Replies, func(c *Comment) any { return f.graphDiscussionComment(r, d, c, nil, top) })
		})
	}
	return out
}

func (f *Fake) graphDiscussions(r *Repo, args map[string]any) any {
	states := enumeration(args, "states")
	list := slices.Clone(r.Discussions)
	slices.SortStableFunc(list, func(a, b *Discussion) int { return b.Updated.Compare(a.Updated) })
	return graphList(list, func(d *Discussion) any {
		state := map[bool]string{true: "OPEN", false: "CLOSED"}[d.Closed.IsZero()]
		if states != nil && !slices.Contains(states, state) || args["answered"] != nil && args["answered"] != !d.Answered.IsZero() ||
			args["categoryId"] != nil && args["categoryId"] != graphCategory(r, d)["id"] {
			return nil
		}
		return f.graphDiscussion(r, d)
	})
}
