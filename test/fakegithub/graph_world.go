package fakegithub

import (
	"fmt"
	"slices"
	"strings"

	"pifetch/test/fakegithub/graph"
)

// o is an object of GraphQL.
type o = graph.Object

// lazy makes a field's value when it is asked for.
func lazy(fn func() any) graph.Resolver { return func(map[string]any) any { return fn() } }

// unresolved is GitHub's error for what does not exist or may not be seen.
func unresolved(format string, args ...any) graph.Error {
	return graph.Error{Type: "NOT_FOUND", Message: fmt.Sprintf("Could not resolve to "+format, args...)}
}

// text is an argument that is a string or an enumeration value.
func text(args map[string]any, name string) string {
	s, _ := args[name].(string)
	return s
}

// enumeration is an argument that is a list of enumeration values, or one.
func enumeration(args map[string]any, name string) []string {
	switch v := args[name].(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, fmt.Sprint(x))
		}
		return out
	}
	return nil
}

func number64(v any) int {
	switch v := v.(type) {
	case int64:
		return int(v)
	case int:
		return v
	case float64:
		return int(v)
	}
	return number(fmt.Sprint(v)) // a json.Number of a variable
}

// graphRoot is the object that queries start from, for the token.
func (f *Fake) graphRoot() o {
	return o{
		"viewer":     lazy(func() any { return f.graphUser("ada", "User") }),
		"repository": graph.Resolver(f.graphRepository),
		"search":     graph.Resolver(f.graphSearch),
		"node":       graph.Resolver(func(args map[string]any) any { return f.graphNode(text(args, "id")) }),
		"user": graph.Resolver(func(args map[string]any) any {
			if u := f.World.User(text(args, "login")); u != nil && u.Type == "User" {
				return f.graphUser(u.Login, "User")
			}
			return unresolved("a User with the login of '%s'.", text(args, "login"))
		}),
		"organization": graph.Resolver(func(args map[string]any) any {
			if u := f.World.User(text(args, "login")); u != nil && u.Type == "Organization" {
				return f.graphUser(u.Login, "Organization")
			}
			return unresolved("an Organization with the login of '%s'.", text(args, "login"))
		}),
		"repositoryOwner": graph.Resolver(func(args map[string]any) any { return f.graphActor(text(args, "login")) }),
	}
}

func (f *Fake) graphRepository(args map[string]any) any {
	full := text(args, "owner") + "/" + text(args, "name")
	r, moved := f.World.Repo(full)
	if r == nil || moved && args["followRenames"] == false {
		return unresolved("a Repository with the name '%s'.", full)
	}
	return f.graphRepo(r)
}

// graphActor is an account, nil for a deleted one.
func (f *Fake) graphActor(login string) any {
	if login == "" {
		return nil
	}
	u := f.World.User(login)
	if u == nil {
		f.fault("the world has no user %q", login)
		return nil
	}
	return f.graphUser(login, u.Type)
}

func (f *Fake) graphUser(login, typ string) any {
	u := f.World.User(login)
	if u == nil || u.Type != typ {
		return nil
	}
	name := strings.TrimSuffix(u.Login, "[bot]") // GraphQL names bots without it
	out := o{
		"__typename": u.Type, "login": name, "id": fmt.Sprintf("U_%d", u.ID), "databaseId": u.ID, "url": "https://github.com/" + u.Login, "resourcePath": "/" + u.Login,
		"avatarUrl": fmt.Sprintf("https://avatars.githubusercontent.com/u/%d?v=4", u.ID), "createdAt": stamp(day(1, 1, 0, 0)), "updatedAt": stamp(day(1, 1, 0, 0)),
	}
	if u.Type == "Bot" {
		out["url"] = "https://github.com/apps/" + name
	}
	if u.Type != "Bot" {
		out["name"] = orNil(u.Name)
		out["repositories"] = graph.Resolver(func(map[string]any) any {
			var repos []o
			for _, r := range f.World.Repos {
				if strings.EqualFold(r.Owner, u.Login) {
					repos = append(repos, f.graphRepo(r))
				}
			}
			return repos
		})
	}
	if u.Type == "User" {
		out["email"], out["bio"], out["company"], out["location"] = "", nil, nil, nil
		out["followers"], out["following"] = []o{}, []o{}
	}
	return out
}

func (f *Fake) graphUsers(logins []string) []o {
	out := []o{}
	for _, l := range logins {
		if u, ok := f.graphActor(l).(o); ok {
			out = append(out, u)
		}
	}
	return out
}

func (f *Fake) graphSearch(args map[string]any) any {
	kind := text(args, "type")
	if !slices.Contains([]string{"ISSUE", "ISSUE_ADVANCED"}, kind) {
		f.fault("the world does not serve a search of type %s: use Override", kind)
		return nil
	}
	hits, problem := f.search(text(args, "query"), true)
	if problem != "" {
		hits = nil // GraphQL finds nothing where REST says why
	}
	var found []o
	issues := 0
	for _, h := range hits {
		found = append(found, f.graphIssue(h.repo, h.issue))
		issues++
	}
	found = found[:min(len(found), 1000)]
	return graph.Connection{Items: found, Fields: o{"issueCount": issues, "repositoryCount": 0, "userCount": 0, "discussionCount": 0, "codeCount": 0, "wikiCount": 0}}
}

func graphReactions(up int) []any {
	out := []any{}
	for _, content := range []string{"THUMBS_UP", "THUMBS_DOWN", "LAUGH", "HOORAY", "CONFUSED", "HEART", "ROCKET", "EYES"} {
		n := 0
		if content == "THUMBS_UP" {
			n = up
		}
		out = append(out, o{"content": content, "createdAt": nil, "viewerHasReacted": false, "reactors": make([]o, n), "users": make([]o, n)})
	}
	return out
}

// reacted are the fields of everything that can be reacted to.
func reacted(into o, up int) o {
	into["reactionGroups"] = graphReactions(up)
	into["reactions"] = make([]o, up)
	return into
}

// node names a thing for the node query.
func node(kind string, r *Repo, key any) string { return fmt.Sprintf("%s_%d_%v", kind, r.ID, key) }

// graphNode finds a thing by the name that node gave it.
func (f *Fake) graphNode(id string) any {
	missing := unresolved("a node with the global id of '%s'", id)
	parts := strings.SplitN(id, "_", 3)
	if len(parts) < 3 {
		return missing
	}
	for _, r := range f.World.Repos {
		if itoa(r.ID) != parts[1] {
			continue
		}
		if v := f.nodeIn(r, parts[0], parts[2]); v != nil {
			return v
		}
	}
	return missing
}

func (f *Fake) nodeIn(r *Repo, kind, key string) any {
	first, second, _ := strings.Cut(key, ".")
	switch kind {
	case "I", "PR":
		if i := r.Issue(number(key)); i != nil {
			return f.graphIssue(r, i)
		}
	case "PRRT":
		if i := r.Issue(number(first)); i != nil && i.Pull != nil && number(second) < len(i.Pull.Threads) {
			return f.graphThread(r, i, number(second))
		}
	case "IC":
		for _, i := range r.Issues {
			for _, c := range i.Comments {
				if itoa(int(c.ID)) == key {
					return f.graphComment(r, i, c)
				}
			}
		}
	case "D":
		if d := r.Discussion(number(key)); d != nil {
			return f.graphDiscussion(r, d)
		}
	case "DC":
		if d := r.Discussion(number(first)); d != nil {
			for _, c := range d.Comments {
				if itoa(int(c.ID)) == second {
					return f.graphDiscussionComment(r, d, &c.Comment, c, nil)
				}
			}
		}
	case "C":
		if sha := r.Git.CommitSHA(key); sha != "" {
			return f.graphCommit(r, sha)
		}
	case "R":
		return f.graphRepo(r)
	}
	return nil
}
