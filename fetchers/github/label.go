package github

import (
	"context"
	"net/url"
	"slices"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
)

// resolveLabels makes a listing of a repository's labels.
func resolveLabels(ctx context.Context, j *job) (fetchers.Document, error) {
	if !onlyParams(j.Target, "sort", "page") {
		return fetchers.Document{}, errUnclaimed
	}
	type label struct {
		Name, Description string
		URL               string
	}
	labels, more, err := readList[label](ctx, j, j.path("labels"), maxListed)
	if err != nil {
		return fetchers.Document{}, err
	}
	l := listing{Kind: "github.label_list", Title: j.repo() + " labels", Link: j.repoPage("labels"), Columns: []string{"label", "description", "URL"}}
	now := ""
	for _, x := range labels {
		now = x.URL
		l.add(markdown.Code(x.Name), x.Name, x.Description, j.repoPage("labels/"+url.PathEscape(x.Name)))
	}
	l.Facts = with(extent{First: 1, Shown: len(labels), Total: -1, More: more}.fact("label", "labels"), j.newName(now))
	l.Notes = rest(more, "https://api.github.com/"+j.path("labels?per_page=100&page=11"))
	return j.deliver(l)
}

// labelPage is the page of the URL's label, with the parameters that narrow or
// order it.
func labelPage(j *job) string {
	q := url.Values{}
	for name, values := range j.Params {
		if name != "page" && slices.Contains(listParams, name) {
			q[name] = values
		}
	}
	page := j.repoPage("labels/" + url.PathEscape(j.ID))
	if len(q) > 0 {
		page += "?" + q.Encode()
	}
	return page
}
