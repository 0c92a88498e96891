package github

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
)

// searchKind is a type of GitHub's search that the REST API has.
type searchKind struct {
	run   func(context.Context, *job, searchCall) (fetchers.Document, error)
	sorts []string // orders of the page that the API has under the same names
}

var searchKinds = map[string]searchKind{
	"repositories": {searchRepositories, []string{"stars", "forks", "help-wanted-issues", "updated"}},
	"issues":       {searchIssues, []string{"comments", "reactions", "interactions", "created", "updated"}},
	"pullrequests": {searchIssues, []string{"comments", "reactions", "interactions", "created", "updated"}},
	"commits":      {searchCommits, []string{"author-date", "committer-date"}},
	"users":        {searchUsers, []string{"followers", "repositories", "joined"}},
	"code":         {searchCode, nil},
}

// searchCall is a search that is understood.
type searchCall struct {
	kind        string // in searchKinds
	query       string
	sort, order string
}

// values are the parameters of the API for one page.
func (c searchCall) values(page int) url.Values {
	q := onPage(page)
	q.Set("q", c.query)
	if c.sort != "" {
		q.Set("sort", c.sort)
		q.Set("order", c.order)
	}
	return q
}

func (c searchCall) title() string { return "search " + c.kind + ": " + c.query }

func (c searchCall) link() string {
	q := url.Values{"q": {c.query}, "type": {c.kind}}
	if c.sort != "" {
		q.Set("s", c.sort)
		q.Set("o", c.order)
	}
	return "https://github.com/search?" + q.Encode()
}

// found is an answer of GitHub's search.
type found[T any] struct {
	Total      int  `json:"total_count"`
	Incomplete bool `json:"incomplete_results"`
	Items      []T
	Hidden     bool `json:"-"` // there is more for a token with single sign-on
}

// search asks for a page of GitHub's search.
func search[T any](ctx context.Context, j *job, kind string, q url.Values) (f found[T], err error) {
	answer, err := j.api.Get(ctx, "search/"+kind, q, &f)
	f.Hidden = hides(answer.Header)
	return f, err
}

// hides reports whether GitHub has left out what belongs to organisations that
// the token is not authorised for.
func hides(h http.Header) bool { return strings.HasPrefix(h.Get("X-GitHub-SSO"), "partial-results") }

// incomplete is the fact of an answer that lacks matches.
func (f found[T]) incomplete() string {
	return strings.Join(with(
		yes(f.Incomplete, "incomplete: GitHub's search ran out of time, so matches may be missing"),
		yes(f.Hidden, "incomplete: the token is not authorised for single sign-on of some organisations"),
	), "; ")
}

// resultsPerPage is how many results a page of GitHub's search has at least.
const resultsPerPage = 10

// resolveSearch makes a listing of the first 100 results of a search, of all of
// GitHub or of one repository. Types that the REST API cannot search are left
// to others.
func resolveSearch(ctx context.Context, j *job) (fetchers.Document, error) {
	c := searchCall{kind: j.Sub, query: j.Query, sort: j.Params.Get("s"), order: j.Params.Get("o")}
	switch {
	case c.kind == "" && j.Repo != "":
		c.kind = "code"
	case c.kind == "":
		c.kind = "repositories"
	}
	kind, known := searchKinds[c.kind]
	page, ok := apiPage(j.Target, "p", resultsPerPage)
	if !known || !ok || page != 1 || !onlyParams(j.Target, "q", "type", "s", "o", "p", "ref") {
		return fetchers.Document{}, errUnclaimed
	}
	if c.sort != "" && !slices.Contains(kind.sorts, c.sort) {
		return fetchers.Document{}, errUnclaimed
	}
	if c.sort != "" && c.order != "asc" {
		c.order = "desc"
	}
	if j.Repo != "" {
		c.query = "repo:" + j.repo() + " " + c.query
	}
	return kind.run(ctx, j, c)
}

// results makes a listing of what a search has found.
func results[T any](j *job, c searchCall, f found[T], columns []string, add func(*listing, T), more ...fetchers.Body) (fetchers.Document, error) {
	l := listing{Kind: "github.search", Title: c.title(), Link: c.link(), Columns: columns}
	for _, item := range f.Items {
		add(&l, item)
	}
	e := extent{First: 1, Shown: len(f.Items), Total: f.Total}
	l.Facts = with(e.fact("match", "matches"), f.incomplete())
	l.Notes = restOfSearch(e, c.kind, c.values(2))
	return j.deliver(l, more...)
}

// restOfSearch says where the matches after e are, which a page shows of those
// that the API has. After a page that is not full there are none to be had.
func restOfSearch(e extent, kind string, next url.Values) []string {
	switch {
	case e.Shown == 0 || e.Shown >= e.Total:
		return nil
	case e.Shown < perPage:
		return []string{"The rest is not listed: narrow the query."}
	}
	return []string{"The rest: https://api.github.com/search/" + kind + "?" + next.Encode() + " (JSON), or narrow the query."}
}

// searchIssues adds the type of the page where the query has none; the API's
// own URL is for both.
func searchIssues(ctx context.Context, j *job, c searchCall) (fetchers.Document, error) {
	s := issueSearch{page: 1, sort: c.sort, order: c.order, title: c.title(), kind: "github.search", link: c.link(), query: c.query}
	switch {
	case namesType(c.query):
	case j.ofAPI(): // the page would be for one of the types
		s.link = "https://api.github.com/search/issues?" + url.Values{"q": {c.query}}.Encode()
	default:
		s.query = map[string]string{"issues": "is:issue ", "pullrequests": "is:pr "}[c.kind] + c.query
	}
	return j.findIssues(ctx, s)
}

// ofAPI reports whether the URL is one of the API's host.
func (j *job) ofAPI() bool {
	_, rest, ok := strings.Cut(j.url.Asked, "://")
	if !ok {
		rest = j.url.Asked
	}
	return strings.HasPrefix(strings.ToLower(rest), "api.")
}

func searchRepositories(ctx context.Context, j *job, c searchCall) (fetchers.Document, error) {
	f, err := search[restRepo](ctx, j, c.kind, c.values(1))
	if err != nil {
		return fetchers.Document{}, searchFailure(err, c.query)
	}
	return results(j, c, f, repoColumns, (*listing).addRepo)
}

type foundCommit struct {
	gitCommit
	Repository struct {
		Name string `json:"full_name"`
	}
}

func searchCommits(ctx context.Context, j *job, c searchCall) (fetchers.Document, error) {
	f, err := search[foundCommit](ctx, j, c.kind, c.values(1))
	if err != nil {
		return fetchers.Document{}, searchFailure(err, c.query)
	}
	return results(j, c, f, []string{"commit", "repository", "date", "author", "subject", "URL"}, func(l *listing, x foundCommit) {
		c := x.line()
		l.add(short(c.SHA)+" "+c.subject(), short(c.SHA), x.Repository.Name, markdown.Day(c.Time), c.Author, c.subject(), c.URL)
	})
}

func searchUsers(ctx context.Context, j *job, c searchCall) (fetchers.Document, error) {
	type account struct {
		Login, Type string
		URL         string `json:"html_url"`
	}
	f, err := search[account](ctx, j, c.kind, c.values(1))
	if err != nil {
		return fetchers.Document{}, searchFailure(err, c.query)
	}
	return results(j, c, f, []string{"login", "type", "URL"}, func(l *listing, x account) {
		l.add(x.Login, x.Login, strings.ToLower(x.Type), x.URL)
	})
}

// restRepo is a repository as lists have it.
type restRepo struct {
	Name        string `json:"full_name"`
	Description string
	Language    string
	Stars       int       `json:"stargazers_count"`
	Pushed      time.Time `json:"pushed_at"`
	URL         string    `json:"html_url"`
	Archived    bool
	Fork        bool
	Private     bool
	Template    bool `json:"is_template"`
}

func (r restRepo) note() string {
	return strings.Join(with(yes(r.Private, "private"), yes(r.Archived, "archived"), yes(r.Fork, "fork"), yes(r.Template, "template")), ", ")
}

var repoColumns = []string{"repository", "description", "language", "stars", "pushed", "note", "URL"}

func (l *listing) addRepo(r restRepo) {
	line := r.Name
	if r.Description != "" {
		line += ": " + r.Description
	}
	l.add(line, r.Name, r.Description, r.Language, strconv.Itoa(r.Stars), markdown.Day(r.Pushed), r.note(), r.URL)
}
