package fakegithub

import (
	"crypto/sha256"
	"fmt"
	"path"
	"strings"
	"time"
)

func (f *Fake) repo(r *Repo) m {
	out := m{
		"id": r.ID, "name": r.Name, "full_name": r.Full(), "owner": f.user(r.Owner), "private": r.Private, "fork": r.Fork != "",
		"html_url": r.HTML(""), "url": r.API(""), "description": orNil(r.Description), "homepage": orNil(r.Homepage), "language": orNil(r.Language),
		"clone_url": r.HTML(".git"), "default_branch": "main", "stargazers_count": r.Stars, "watchers_count": r.Stars, "watchers": r.Stars,
		"topics": r.Topics, "archived": r.Archived, "disabled": false, "has_issues": !r.IssuesOff, "has_wiki": r.Wiki.Dir != "", "has_discussions": len(r.Discussions) > 0,
		"open_issues": r.open(), "open_issues_count": r.open(), "created_at": stamp(r.Created), "updated_at": stamp(r.Pushed), "pushed_at": stamp(r.Pushed), "visibility": map[bool]string{true: "private", false: "public"}[r.Private],
		"license": nil, "size": 120, "mirror_url": nil,
	}
	if r.Topics == nil {
		out["topics"] = []any{}
	}
	if r.License != "" {
		out["license"] = m{"key": strings.ToLower(r.License), "name": r.License + " License", "spdx_id": r.License, "url": "https://api.github.com/licenses/" + strings.ToLower(r.License)}
	}
	return out
}

// open counts open issues and pull requests, as REST does.
func (r *Repo) open() int {
	n := 0
	for _, i := range r.Issues {
		if i.Closed.IsZero() && !i.Gone && i.MovedTo == "" {
			n++
		}
	}
	return n
}

func (f *Fake) restRepo(r Request) (int, any) {
	out := f.repo(r.Repo)
	if parent, _ := f.World.Repo(r.Repo.Fork); parent != nil {
		out["parent"] = f.repo(parent)
		out["source"] = out["parent"]
	}
	return ok(out)
}

func label(r *Repo, name string) m {
	l := Label{Name: name, Color: "ededed"}
	for _, x := range r.Labels {
		if x.Name == name {
			l = x
		}
	}
	return m{"id": 100 + len(name), "name": l.Name, "color": l.Color, "description": orNil(l.Description), "default": l.Name == "bug", "url": r.API("/labels/%s", strings.ReplaceAll(l.Name, " ", "%20"))}
}

func (f *Fake) restLabels(r Request) (int, any) {
	return 200, items(r.Repo.Labels, func(l Label) any { return label(r.Repo, l.Name) })
}

func (f *Fake) milestone(r *Repo, number int) any {
	for _, x := range r.Milestones {
		if x.Number != number {
			continue
		}
		open, closed := r.inMilestone(number)
		state := "open"
		if !x.Closed.IsZero() {
			state = "closed"
		}
		return m{
			"id": 600 + number, "number": number, "title": x.Title, "description": orNil(x.Description), "state": state, "creator": f.user(x.Creator),
			"html_url": r.HTML("/milestone/%d", number), "open_issues": open, "closed_issues": closed,
			"created_at": stamp(x.Created), "updated_at": stamp(x.Created), "closed_at": stamp(x.Closed), "due_on": stamp(x.Due),
		}
	}
	return nil
}

func (r *Repo) inMilestone(number int) (open, closed int) {
	for _, i := range r.Issues {
		switch {
		case i.Milestone != number:
		case i.Closed.IsZero():
			open++
		default:
			closed++
		}
	}
	return open, closed
}

func (f *Fake) restMilestones(r Request) (int, any) {
	out := List{}
	for _, x := range r.Repo.Milestones {
		if want := r.Query.Get("state"); want == "all" || (want == "closed") == !x.Closed.IsZero() {
			out.Items = append(out.Items, f.milestone(r.Repo, x.Number))
		}
	}
	return 200, out
}

func (f *Fake) restMilestone(r Request) (int, any) {
	if x := f.milestone(r.Repo, number(r.Params["milestone_number"])); x != nil {
		return ok(x)
	}
	return notFound()
}

func (f *Fake) release(r *Repo, x *Release) m {
	assets := []any{}
	for _, a := range x.Assets {
		assets = append(assets, f.asset(r, x, a))
	}
	return m{
		"id": x.ID, "tag_name": x.Tag, "name": orNil(x.Name), "body": x.Body, "draft": x.Draft, "prerelease": x.Prerelease, "author": f.user(x.Author),
		"target_commitish": "main", "html_url": r.HTML("/releases/tag/%s", x.Tag), "url": r.API("/releases/%d", x.ID), "created_at": stamp(x.Created), "published_at": stamp(x.Published),
		"assets": assets, "tarball_url": r.API("/tarball/%s", x.Tag), "zipball_url": r.API("/zipball/%s", x.Tag),
	}
}

func (f *Fake) asset(r *Repo, x *Release, a Asset) m {
	return m{
		"id": a.ID, "name": a.Name, "label": nil, "state": "uploaded", "content_type": a.Type, "size": len(a.Content), "download_count": a.Downloads, "uploader": f.user(a.Uploader),
		"digest": fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(a.Content))), "created_at": stamp(a.Created), "updated_at": stamp(a.Created),
		"url": r.API("/releases/assets/%d", a.ID), "browser_download_url": r.HTML("/releases/download/%s/%s", x.Tag, a.Name),
	}
}

func (f *Fake) restReleases(r Request) (int, any) {
	return 200, items(r.Repo.Releases, func(x *Release) any { return f.release(r.Repo, x) })
}

func (f *Fake) oneRelease(r Request, x *Release) (int, any) {
	if x == nil {
		return notFound()
	}
	return ok(f.release(r.Repo, x))
}

func (f *Fake) restLatestRelease(r Request) (int, any) { return f.oneRelease(r, r.Repo.Latest()) }

func (f *Fake) restReleaseByTag(r Request) (int, any) {
	return f.oneRelease(r, r.Repo.Release(r.Params["tag"]))
}

func (f *Fake) releaseByID(r Request) *Release {
	return find(r.Repo.Releases, func(x *Release) bool { return x.ID == big(r.Params["release_id"]) })
}

func (f *Fake) restReleaseByID(r Request) (int, any) { return f.oneRelease(r, f.releaseByID(r)) }

func (f *Fake) restAssets(r Request) (int, any) {
	x := f.releaseByID(r)
	if x == nil {
		return notFound()
	}
	return 200, items(x.Assets, func(a Asset) any { return f.asset(r.Repo, x, a) })
}

func (f *Fake) restAsset(r Request) (int, any) {
	for _, x := range r.Repo.Releases {
		for _, a := range x.Assets {
			if a.ID != big(r.Params["asset_id"]) {
				continue
			}
			if r.Header.Get("Accept") == "application/octet-stream" {
				return 302, Redirect(f.Store(path.Join("asset", fmt.Sprint(a.ID)), a.Type, []byte(a.Content)))
			}
			return ok(f.asset(r.Repo, x, a))
		}
	}
	return notFound()
}

func (f *Fake) gist(id string) *Gist {
	return find(f.World.Gists, func(g *Gist) bool { return g.ID == id })
}

func (f *Fake) restGist(r Request) (int, any) {
	g := f.gist(r.Params["gist_id"])
	if g == nil {
		return notFound()
	}
	files := m{}
	for _, x := range g.Files {
		files[x.Name] = m{
			"filename": x.Name, "type": x.Type, "language": x.Language, "size": len(x.Content), "truncated": len(x.Content) > 1<<20, "content": x.Content[:min(len(x.Content), 1<<20)],
			"raw_url": fmt.Sprintf("https://gist.githubusercontent.com/%s/%s/raw/%s/%s", g.Owner, g.ID, gistRevision, x.Name), "encoding": "utf-8",
		}
	}
	return ok(m{
		"id": g.ID, "url": "https://api.github.com/gists/" + g.ID, "html_url": "https://gist.github.com/" + g.Owner + "/" + g.ID, "description": orNil(g.Description),
		"public": !g.Secret, "owner": f.user(g.Owner), "user": nil, "files": files, "comments": len(g.Comments), "truncated": false,
		"created_at": stamp(g.Created), "updated_at": stamp(g.Created),
		"history": []any{m{"version": gistRevision, "user": f.user(g.Owner), "committed_at": stamp(g.Created), "url": "https://api.github.com/gists/" + g.ID + "/" + gistRevision, "change_status": m{"total": 2, "additions": 2, "deletions": 0}}},
		"forks":   []any{},
	})
}

const gistRevision = "57a7f021a713b1c5a6a199b54cc514735d2d462f"

func (f *Fake) restGistComments(r Request) (int, any) {
	g := f.gist(r.Params["gist_id"])
	if g == nil {
		return notFound()
	}
	return 200, items(g.Comments, func(c *Comment) any {
		return m{
			"id": c.ID, "body": c.Body, "user": f.user(c.Author), "author_association": association(c.Association),
			"created_at": stamp(c.Created), "updated_at": stamp(latest(c.Created, c.Edited)), "url": fmt.Sprintf("https://api.github.com/gists/%s/comments/%d", g.ID, c.ID),
		}
	})
}

func latest(times ...time.Time) time.Time {
	var last time.Time
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}
