package github

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
)

type restMilestone struct {
	Number      int
	Title       string
	Description string
	State       string
	Creator     *restUser
	Open        int       `json:"open_issues"`
	Done        int       `json:"closed_issues"`
	Due         time.Time `json:"due_on"`
	Closed      time.Time `json:"closed_at"`
	Updated     time.Time `json:"updated_at"`
	URL         string    `json:"html_url"`
}

// progress is "3 open, 9 closed (75%)", of issues and pull requests.
func (m restMilestone) progress() string {
	text := fmt.Sprintf("%d open, %d closed", m.Open, m.Done)
	if total := m.Open + m.Done; total > 0 {
		text += fmt.Sprintf(" (%d%%)", 100*m.Done/total)
	}
	return text
}

func (m restMilestone) due() string {
	if m.Due.IsZero() {
		return ""
	}
	return "due " + markdown.Day(m.Due)
}

// resolveMilestone makes a listing of what is in a milestone: as its page does,
// of what is open, or with the parameter "closed" of what is closed.
func resolveMilestone(ctx context.Context, j *job) (fetchers.Document, error) {
	closed := j.Params.Get("closed")
	if closed != "" && closed != "1" || !onlyParams(j.Target, "closed") {
		return fetchers.Document{}, errUnclaimed
	}
	number := strconv.Itoa(j.Number)
	var m restMilestone
	if _, err := j.api.Get(ctx, j.path("milestones/"+number), nil, &m); err != nil {
		return fetchers.Document{}, err
	}
	const closedPage = "?closed=1"
	state, total, link, other := "open", m.Open, m.URL, "What is closed: "+m.URL+closedPage
	if closed != "" {
		state, total, link, other = "closed", m.Done, m.URL+closedPage, "What is open: "+m.URL
	}
	q := onPage(1)
	q.Set("milestone", number)
	q.Set("state", state)
	var issues []restIssueRow
	e := extent{First: 1, Total: total}
	if total > 0 {
		var err error
		if issues, e, err = readPage[restIssueRow](ctx, j, j.path("issues"), q); err != nil {
			return fetchers.Document{}, err
		}
		if e.More {
			e.Total = max(total, e.Shown+1)
		} else {
			e.Total = e.Shown
		}
	}
	l := listing{Kind: "github.milestone", Title: j.repo() + " milestone: " + m.Title, Link: link, Columns: issueColumns}
	for _, r := range issues {
		l.addIssue(r, repoOf(m.URL))
	}
	l.Facts = with(m.State, m.progress(), m.due(), yes(!m.Closed.IsZero(), "closed "+markdown.Day(m.Closed)), e.fact(state+" item", state+" items"), j.newName(m.URL))
	if m.Description != "" {
		l.Notes = append(l.Notes, markdown.Body(m.Description, 1))
	}
	l.Notes = append(l.Notes, other)
	l.Notes = append(l.Notes, rest(e.Shown < e.Total, "https://api.github.com/"+j.path("issues?milestone="+number+"&state="+state+"&per_page=100&page=2"))...)
	return j.deliver(l)
}

// milestoneSorts are the orders of the page that the API has too, by its names.
var milestoneSorts = map[string]string{"": "", "due_date": "due_on", "completeness": "completeness"}

// resolveMilestones makes a listing of a repository's open milestones, or of its
// closed ones.
func resolveMilestones(ctx context.Context, j *job) (fetchers.Document, error) {
	by, known := milestoneSorts[j.Params.Get("sort")]
	state := j.Params.Get("state")
	if state == "" {
		state = "open"
	}
	if !known || state != "open" && state != "closed" && state != "all" || !onlyParams(j.Target, "state", "sort", "direction") {
		return fetchers.Document{}, errUnclaimed
	}
	q, page := url.Values{"state": {state}}, url.Values{"state": {state}}
	for name, value := range map[string]string{"sort": by, "direction": j.Params.Get("direction")} {
		if value != "" {
			q.Set(name, value)
			page.Set(name, j.Params.Get(name))
		}
	}
	milestones, more, err := readList[restMilestone](ctx, j, j.path("milestones?"+q.Encode()), maxListed)
	if err != nil {
		return fetchers.Document{}, err
	}
	l := listing{
		Kind: "github.milestone_list", Title: j.repo() + " milestones", Link: j.repoPage("milestones?" + page.Encode()),
		Columns: []string{"number", "title", "state", "due", "progress", "updated", "URL"},
	}
	now := ""
	for _, m := range milestones {
		l.add(m.Title+" ("+m.progress()+")", strconv.Itoa(m.Number), m.Title, m.State, markdown.Day(m.Due), m.progress(), markdown.Day(m.Updated), m.URL)
		now = m.URL
	}
	adjective := state + " "
	if state == "all" {
		adjective = ""
	}
	l.Facts = with(extent{First: 1, Shown: len(milestones), Total: -1, More: more}.fact(adjective+"milestone", adjective+"milestones"), j.newName(now))
	l.Notes = rest(more, "https://api.github.com/"+j.path("milestones?"+q.Encode()+"&per_page=100&page=11"))
	return j.deliver(l)
}
