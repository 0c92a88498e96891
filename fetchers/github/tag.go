package github

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"pifetch/fetchers"
)

// restRef is a branch or a tag as lists have it.
type restRef struct {
	Name      string
	Commit    struct{ SHA, URL string }
	Protected bool
}

// resolveTags makes a listing of the 1,000 highest of a repository's tags.
// Where the API has more than that, in an order of its own, git is asked for
// all of them, which it tells of public repositories.
func resolveTags(ctx context.Context, j *job) (fetchers.Document, error) {
	if !onlyParams(j.Target, "after", "page") {
		return fetchers.Document{}, errUnclaimed
	}
	l := listing{Kind: "github.tag_list", Title: j.repo() + " tags", Link: j.repoPage("tags"), Columns: []string{"tag", "commit", "URL"}}
	tags, more, err := j.namedRefs(ctx, &l, "tags")
	if err != nil {
		return fetchers.Document{}, err
	}
	if more {
		if all, err := j.publicNames(ctx, &l, "tags"); err == nil {
			tags, more = all, false
		}
	}
	slices.SortFunc(tags, func(a, b restRef) int { return compareVersions(b.Name, a.Name) })
	e := extent{First: 1, Shown: min(len(tags), maxListed), Total: len(tags)}
	if more {
		e.Total, e.More = -1, true
	}
	for _, t := range tags[:e.Shown] {
		l.add(t.Name, t.Name, t.Commit.SHA, j.repoPage("tree/"+escapePath(t.Name)))
	}
	l.Facts = append([]string{e.fact("tag", "tags")}, l.Facts...)
	l.Notes = rest(more, "https://api.github.com/"+j.path("tags?per_page=100&page=11"))
	if e.Shown < e.Total {
		l.Notes = []string{"The rest: git ls-remote --tags https://github.com/" + j.repo() + ".git"}
	}
	return j.deliver(l)
}

// namedRefs are the branches or tags: the API's list where there is a token,
// else what git is told. It notes in l how they came, and a new name of the
// repository.
func (j *job) namedRefs(ctx context.Context, l *listing, kind string) (list []restRef, more bool, err error) {
	if j.api.Token(ctx) {
		path := map[string]string{"heads": "branches", "tags": "tags"}[kind]
		list, more, err = readList[restRef](ctx, j, j.path(path), maxListed)
		if len(list) > 0 {
			l.Facts = with(j.newName(list[0].Commit.URL))
		}
		return list, more, err
	}
	list, err = j.publicNames(ctx, l, kind)
	return list, false, err
}

// publicNames are all branches or tags of a public repository, and notes in l
// what namedRefs does.
func (j *job) publicNames(ctx context.Context, l *listing, kind string) (list []restRef, err error) {
	r, err := j.newRefs(ctx)
	if err != nil {
		return nil, err
	}
	l.Via = "web"
	l.Facts = with(j.newName("https://github.com/" + r.repo))
	for name, commit := range r.names {
		if name, ok := strings.CutPrefix(name, "refs/"+kind+"/"); ok {
			ref := restRef{Name: name}
			ref.Commit.SHA = commit
			list = append(list, ref)
		}
	}
	return list, nil
}

// compareVersions orders names by their texts, and numbers in them by value. A
// "-" after a number begins a prerelease: v1.0.0-rc.1 is below v1.0.0.
func compareVersions(a, b string) int {
	afterNumber := false
	for a != "" && b != "" {
		x, y := digits(a), digits(b)
		if x == "" || y == "" {
			if a[0] != b[0] {
				break
			}
			a, b, afterNumber = a[1:], b[1:], false
			continue
		}
		a, b, afterNumber = a[len(x):], b[len(y):], true
		m, n := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if c := cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n), cmp.Compare(len(x), len(y))); c != 0 {
			return c
		}
	}
	rank := func(rest string) int {
		switch {
		case rest == "":
			return 1
		case afterNumber && rest[0] == '-':
			return 0
		}
		return 2 + int(rest[0])
	}
	return cmp.Compare(rank(a), rank(b))
}

// digits is the number that s starts with.
func digits(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}
