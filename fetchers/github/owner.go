package github

import (
	"context"
	"net/url"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
	"pifetch/internal/termtext"
)

// restAccount is the profile of a user or an organisation.
type restAccount struct {
	Login     string
	Name      string
	Type      string // "User", "Organization", "Bot"
	Bio       string
	Text      string `json:"description"` // of an organisation
	Company   string
	Location  string
	Blog      string
	Followers int
	Repos     int       `json:"public_repos"`
	Gists     int       `json:"public_gists"`
	Created   time.Time `json:"created_at"`
	URL       string    `json:"html_url"`
}

// title is "Octo Works (octo)", or the login alone.
func (a restAccount) title() string {
	if name := markdown.Line(a.Name); name != "" && name != a.Login {
		return name + " (" + a.Login + ")"
	}
	return a.Login
}

// reposPerPage is how many repositories a page of GitHub has.
const reposPerPage = 30

// resolveOwner makes a listing of the repositories of a user or an
// organisation, those pushed to last first, below the profile.
func resolveOwner(ctx context.Context, j *job) (fetchers.Document, error) {
	page, ok := apiPage(j.Target, "page", reposPerPage)
	if !ok || page != 1 || !onlyParams(j.Target, "tab", "page") {
		return fetchers.Document{}, errUnclaimed
	}
	at := "users/" + url.PathEscape(j.Owner)
	var a restAccount
	if _, err := j.api.Get(ctx, at, nil, &a); err != nil {
		return fetchers.Document{}, err
	}
	list := at + "/repos"
	if a.Type == "Organization" && j.api.Token(ctx) { // with what only members see
		list = "orgs/" + url.PathEscape(a.Login) + "/repos"
	}
	q := onPage(1)
	q.Set("sort", "pushed")
	repos, e, err := readPage[restRepo](ctx, j, list, q)
	if err != nil {
		return fetchers.Document{}, err
	}
	if e.More && strings.HasPrefix(list, "users/") && a.Repos > e.Shown { // private ones are not in the count
		e.Total = a.Repos
	}
	l := listing{Kind: "github.owner", Title: a.title(), Link: a.URL, Columns: repoColumns}
	for _, r := range repos {
		l.addRepo(r)
	}
	l.Facts = with(
		strings.ToLower(a.Type), e.fact("repository", "repositories")+yes(e.More, " (by their last push)"),
		yes(a.Followers > 0, termtext.Count(a.Followers)+" followers"), yes(a.Gists > 0, markdown.Count(a.Gists, "public gist")),
		yes(a.Company != "", "company: "+a.Company), yes(a.Location != "", "location: "+a.Location), yes(a.Blog != "", "site: "+a.Blog),
		yes(!a.Created.IsZero(), "since "+markdown.Day(a.Created)),
	)
	if about := strings.TrimSpace(a.Bio + a.Text); about != "" {
		l.Notes = append(l.Notes, markdown.Body(about, 1))
		l.Lines = append([]string{markdown.Line(about)}, l.Lines...)
	}
	l.Notes = append(l.Notes, rest(e.More, "https://api.github.com/"+list+"?sort=pushed&per_page=100&page=2")...)
	return j.deliver(l)
}
