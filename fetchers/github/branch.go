package github

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"pifetch/fetchers"
	"pifetch/internal/termtext"
)

// resolveBranches makes a listing of a repository's branches, the default one
// first: of those whose name holds the text in the page's search box.
func resolveBranches(ctx context.Context, j *job) (fetchers.Document, error) {
	if !onlyParams(j.Target, "query", "page") {
		return fetchers.Document{}, errUnclaimed
	}
	l := listing{Kind: "github.branch_list", Title: j.repo() + " branches", Link: j.repoPage("branches/all"), Columns: []string{"branch", "commit", "note", "URL"}}
	branches, more, err := j.namedRefs(ctx, &l, "heads")
	if err != nil {
		return fetchers.Document{}, err
	}
	main, err := j.defaultBranch(ctx)
	if err != nil {
		return fetchers.Document{}, err
	}
	listed := len(branches)
	one, many := "branch", "branches"
	if j.Query != "" {
		branches = slices.DeleteFunc(branches, func(b restRef) bool { return !strings.Contains(strings.ToLower(b.Name), strings.ToLower(j.Query)) })
		l.Link += "?query=" + url.QueryEscape(j.Query)
		one, many = one+" with "+j.Query+" in its name", many+" with "+j.Query+" in their names"
	}
	slices.SortFunc(branches, func(a, b restRef) int {
		switch {
		case a.Name == b.Name:
			return 0
		case a.Name == main:
			return -1
		case b.Name == main:
			return 1
		}
		return compareVersions(a.Name, b.Name)
	})
	e := extent{First: 1, Shown: min(len(branches), maxListed), Total: len(branches)}
	if more && j.Query == "" {
		e.Total, e.More = -1, true
	}
	for _, b := range branches[:e.Shown] {
		note := strings.Join(with(yes(b.Name == main, "default"), yes(b.Protected, "protected")), ", ")
		l.add(b.Name, b.Name, b.Commit.SHA, note, j.repoPage("tree/"+escapePath(b.Name)))
	}
	l.Facts = append(with(
		e.fact(one, many), yes(main != "", "default: "+main),
		yes(more && j.Query != "", "only the first "+termtext.Count(listed)+" branches were searched"),
	), l.Facts...)
	l.Notes = rest(more, "https://api.github.com/"+j.path("branches?per_page=100&page=11"))
	if e.Shown < e.Total {
		l.Notes = []string{"The rest: git ls-remote --heads https://github.com/" + j.repo() + ".git"}
	}
	return j.deliver(l)
}

// defaultBranch is the name of the branch that HEAD stands for, "" when it
// cannot be told.
func (j *job) defaultBranch(ctx context.Context) (string, error) {
	if !j.api.Token(ctx) {
		r, err := j.newRefs(ctx)
		if err != nil {
			return "", err
		}
		return r.main, nil
	}
	var repo struct {
		Default string `json:"default_branch"`
	}
	_, err := j.api.Get(ctx, "repos/"+escapePath(j.repo()), nil, &repo)
	return repo.Default, err
}
