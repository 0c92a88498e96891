package github

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
)

// history is a list of commits under way.
type history struct {
	ref     string // as the URL has it, "" for the default branch
	commit  string // that ref stands for; "" when nobody was asked
	path    string
	query   url.Values
	commits []gitCommit
}

func resolveCommits(ctx context.Context, j *job) (fetchers.Document, error) {
	h := history{query: url.Values{}}
	if !j.keepsTo("author", "since", "until") || !h.narrow(j.Params) {
		return fetchers.Document{}, errUnclaimed
	}
	if err := h.locate(ctx, j); err != nil {
		return fetchers.Document{}, err
	}
	set := func(name, value string) {
		if value != "" {
			h.query.Set(name, value)
		}
	}
	set("sha", h.at())
	set("path", h.path)
	h.query.Set("per_page", number(perPage))
	answer, err := j.api.Get(ctx, j.path("commits"), h.query, &h.commits)
	guessed := h.ref != "" && h.commit == ""
	switch {
	case guessed && api.CodeOf(err) == api.NotFound: // what was taken for a path may be part of the ref
		return fetchers.Document{}, errUnclaimed
	case err != nil:
		return fetchers.Document{}, err
	case len(h.commits) == 0 && h.path != "" && !h.narrowed(): // no such path, now or before
		return fetchers.Document{}, errUnclaimed
	}
	return j.deliver(h.listing(j, answer.Next))
}

// narrow takes over the parameters of the page. It reports false for a day
// that is none.
func (h *history) narrow(params url.Values) bool {
	if a := params.Get("author"); a != "" {
		h.query.Set("author", a)
	}
	for name, clock := range map[string]string{"since": "T00:00:00Z", "until": "T23:59:59Z"} {
		day := params.Get(name)
		if day == "" {
			continue
		}
		if _, err := time.Parse(time.DateOnly, day); err == nil {
			day += clock
		} else if _, err := time.Parse(time.RFC3339, day); err != nil {
			return false
		}
		h.query.Set(name, day)
	}
	return true
}

// narrowed reports whether the URL asks for some of the commits only.
func (h *history) narrowed() bool {
	return h.query.Has("author") || h.query.Has("since") || h.query.Has("until")
}

// locate tells ref and path apart. The path may be one that the ref has no
// longer; then the ref is taken for one element.
func (h *history) locate(ctx context.Context, j *job) error {
	if len(j.Path) == 0 {
		return nil
	}
	var found place
	var err error
	if j.api.Token(ctx) {
		found, err = j.locate(ctx, true)
	} else {
		var places []place
		if places, err = j.publicPlaces(ctx, true); err == nil {
			found = places[0]
		}
	}
	switch {
	case err == nil:
		h.ref, h.commit, h.path = found.ref, found.commit, found.path
	case errors.Is(err, errUnclaimed):
		h.ref, h.path = j.Path[0], strings.Join(j.Path[1:], "/")
	default:
		return err
	}
	return nil
}

// at is what the API is asked for: the commit, so that what was found is what
// is listed.
func (h *history) at() string {
	if h.commit != "" {
		return h.commit
	}
	return h.ref
}

// listing is the history as a list. next is the API's next page.
func (h *history) listing(j *job, next string) listing {
	page := "commits"
	if h.ref != "" {
		page += "/" + escapePath(strings.Trim(h.ref+"/"+h.path, "/"))
	}
	e := extent{First: 1, Shown: len(h.commits), Total: -1, More: next != ""}
	l := listing{
		Kind: "github.commit_list", Title: j.repo() + " commits", Link: j.repoPage(page),
		Facts: []string{e.fact("commit", "commits")}, Columns: commitColumns,
		Notes: rest(e.More, j.restOf("commits", h.query, next)),
	}
	if h.ref != "" {
		l.Title += ": " + strings.Trim(h.ref+" "+h.path, " ")
	}
	if h.commit != "" {
		l.Facts = append(l.Facts, named(place{ref: h.ref, commit: h.commit}.at()))
	}
	kept := url.Values{}
	for _, name := range []string{"author", "since", "until"} {
		if value := j.Params.Get(name); value != "" {
			l.Facts = append(l.Facts, name+" "+named(value))
			kept.Set(name, value)
		}
	}
	if len(kept) > 0 {
		l.Link += "?" + kept.Encode()
	}
	for i, c := range h.commits {
		if i == 0 {
			l.Facts = append(l.Facts, with(j.newName(c.URL))...)
		}
		l.add(short(c.SHA)+" "+c.line().subject(), c.line().cells()...)
	}
	return l
}
