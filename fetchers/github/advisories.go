package github

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
)

func resolveAdvisories(ctx context.Context, j *job) (fetchers.Document, error) {
	if !j.keepsTo("state") {
		return fetchers.Document{}, errUnclaimed
	}
	const path = "security-advisories"
	state := cmp.Or(j.Params.Get("state"), "published")
	query := url.Values{"state": {state}, "per_page": {number(perPage)}}
	var list []advisory
	answer, err := j.api.Get(ctx, j.path(path), query, &list)
	if err != nil {
		return fetchers.Document{}, err
	}
	e := extent{First: 1, Shown: len(list), Total: -1, More: answer.Next != ""}
	l := listing{
		Kind: "github.advisory_list", Title: j.repo() + " security advisories: " + state, Link: j.repoPage("security/advisories"),
		Facts:   []string{e.fact(state+" advisory", state+" advisories")},
		Columns: []string{"advisory", "CVE", "severity", "summary", "affected", "published", "URL"},
		Notes:   rest(e.More, j.restOf(path, query, answer.Next)),
	}
	if j.Params.Has("state") {
		l.Link += "?" + url.Values{"state": {state}}.Encode()
	}
	for i, a := range list {
		if i == 0 {
			l.Facts = append(l.Facts, with(j.newName(a.URL))...)
		}
		var packages []string
		for _, v := range a.Vulnerabilities {
			packages = append(packages, strings.TrimSpace(v.name()+" "+v.Range))
		}
		l.add(a.ID+" "+a.Severity+": "+a.Summary,
			a.ID, a.CVE, a.Severity, a.Summary, strings.Join(packages, "; "), markdown.Day(a.Published), a.URL)
	}
	return j.deliver(l)
}
