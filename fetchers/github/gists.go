package github

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
)

// resolveGists makes a listing of the gists of an account that everybody may
// see.
func resolveGists(ctx context.Context, j *job) (fetchers.Document, error) {
	if !onlyParams(j.Target) {
		return fetchers.Document{}, errUnclaimed
	}
	gists, e, err := readPage[restGist](ctx, j, "users/"+url.PathEscape(j.Owner)+"/gists", onPage(1))
	if err != nil {
		return fetchers.Document{}, err
	}
	l := listing{
		Kind: "github.gist_list", Title: j.Owner + " gists", Link: "https://gist.github.com/" + j.Owner,
		Columns: []string{"description", "files", "note", "comments", "updated", "URL"},
	}
	for _, g := range gists {
		var names []string
		for _, f := range g.sorted() {
			names = append(names, f.Name)
		}
		l.add(g.title(), g.Description, strings.Join(names, ", "), yes(!g.Public, "secret"), strconv.Itoa(g.Comments), markdown.Day(g.Updated), g.URL)
	}
	l.Facts = []string{e.fact("gist", "gists")}
	l.Notes = rest(e.More, "https://api.github.com/users/"+url.PathEscape(j.Owner)+"/gists?per_page=100&page=2")
	return j.deliver(l)
}
