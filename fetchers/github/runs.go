package github

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
)

// runsPerPage is how many runs a page of GitHub lists.
const runsPerPage = 25

func resolveRuns(ctx context.Context, j *job) (fetchers.Document, error) {
	query, understood := runQuery(j.Query)
	page, ok := apiPage(j.Target, "page", runsPerPage)
	if !understood || !ok || !j.keepsTo("query", "page") {
		return fetchers.Document{}, errUnclaimed
	}
	path, of := "actions/runs", "actions"
	if j.ID != "" {
		path, of = "actions/workflows/"+url.PathEscape(j.ID)+"/runs", "actions/workflows/"+url.PathEscape(j.ID)
	}
	query.Set("per_page", number(perPage))
	if page > 1 {
		query.Set("page", number(page))
	}
	var list struct {
		Total int           `json:"total_count"`
		Runs  []workflowRun `json:"workflow_runs"`
	}
	answer, err := j.api.Get(ctx, j.path(path), query, &list)
	if err != nil {
		return fetchers.Document{}, err
	}
	l := listing{
		Kind: "github.run_list", Title: j.repo() + " workflow runs", Link: j.repoPage(of),
		Columns: []string{"result", "run", "title", "event", "branch", "commit", "by", "created", "took", "URL"},
		Notes:   rest(answer.Next != "", j.restOf(path, query, answer.Next)),
		Facts:   []string{extent{First: (page-1)*perPage + 1, Shown: len(list.Runs), Total: list.Total}.fact("run", "runs")},
	}
	if j.ID != "" {
		l.Title += " of " + j.ID
	}
	shown := url.Values{}
	if j.Query != "" {
		l.Title += ": " + j.Query
		l.Facts = append(l.Facts, "query: "+named(j.Query))
		shown.Set("query", j.Query)
	}
	if page > 1 { // the page of GitHub that begins as this one
		shown.Set("page", number((page-1)*perPage/runsPerPage+1))
	}
	if len(shown) > 0 {
		l.Link += "?" + shown.Encode()
	}
	for i, r := range list.Runs {
		if i == 0 {
			l.Facts = append(l.Facts, with(j.newName(r.URL))...)
		}
		run := fmt.Sprintf("%s #%d", r.Workflow, r.Number)
		l.add(fmt.Sprintf("%s: %s, %s: %s", r.result(), run, r.branch(), r.Title),
			r.result(), run, r.Title, r.Event, r.branch(), short(r.SHA), r.Actor.login(), markdown.Time(r.Created), r.took(), r.URL)
	}
	return j.deliver(l)
}

// runQuery reads the search box above a list of runs. What is more than
// qualifiers that the API knows is not understood.
func runQuery(text string) (query url.Values, ok bool) {
	query = url.Values{}
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, ":")
		switch name {
		case "branch", "event", "actor":
		case "is", "status":
			name = "status"
		default:
			return nil, false
		}
		value = strings.Trim(value, `"`)
		if value == "" || strings.Contains(value, `"`) || query.Has(name) {
			return nil, false
		}
		query.Set(name, value)
	}
	return query, true
}
