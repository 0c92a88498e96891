package github

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/target"
	"pifetch/internal/termtext"
)

// How many items a page of GitHub's lists of issues has, and how many a search
// finds at most.
const (
	issuesPerPage = 25
	maxFound      = 1000
)

// resolveIssueList makes a listing of the issues or pull requests that a page
// shows, or a search finds. GitHub searches no repository under a former name,
// and does not say whether there is one of the name.
func resolveIssueList(ctx context.Context, j *job) (fetchers.Document, error) {
	doc, err := j.issueList(ctx, "")
	if api.CodeOf(err) != api.Invalid {
		return doc, err
	}
	var repo struct {
		Name string `json:"full_name"`
	}
	_, repoErr := j.api.Get(ctx, "repos/"+escapePath(j.repo()), nil, &repo)
	switch owner, name, ok := strings.Cut(repo.Name, "/"); {
	case api.CodeOf(repoErr) == api.NotFound:
		return doc, repoErr
	case repoErr != nil, !ok, strings.EqualFold(repo.Name, j.repo()):
		return doc, err
	default:
		renamed := *j
		renamed.Owner, renamed.Repo = owner, name
		return renamed.issueList(ctx, "the repository is now "+repo.Name)
	}
}

// issueList makes the listing. fact is one more that it has, or "".
func (j *job) issueList(ctx context.Context, fact string) (fetchers.Document, error) {
	page, ok := apiPage(j.Target, "page", issuesPerPage)
	if !ok {
		return fetchers.Document{}, errUnclaimed
	}
	query, err := j.listQuery(ctx)
	if err != nil {
		return fetchers.Document{}, err
	}
	s := issueSearch{query: query, page: page, tab: "issues", title: j.repo() + " issues: " + query, kind: "github.issue_list", fact: fact}
	if j.Kind == target.PullRequestList {
		s.tab, s.title, s.kind = "pulls", j.repo()+" pulls: "+query, "github.pull_request_list"
	}
	switch typed := j.typed(query); {
	case j.Sub == "label":
		s.link, s.title = labelPage(j), j.repo()+" issues and pulls: "+query
	case typed == "is:issue state:open", typed == "is:pr state:open":
		s.link = j.repoPage(s.tab)
	default:
		s.link = j.searchPage(s.tab, typed)
	}
	return j.findIssues(ctx, s)
}

// typed is what stands in the search box of a list with an effective query.
func (j *job) typed(query string) string { return strings.TrimPrefix(query, "repo:"+j.repo()+" ") }

// searchPage is the list of a tab with a text in its search box.
func (j *job) searchPage(tab, typed string) string {
	return j.repoPage(tab + "?q=" + url.QueryEscape(typed))
}

var milestoneNumber = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)

// listQuery is the effective query of the URL.
func (j *job) listQuery(ctx context.Context) (string, error) {
	title := ""
	if number := j.Params.Get("milestone"); milestoneNumber.MatchString(number) && !j.Params.Has("q") {
		if _, ok := buildListQuery(j.Target, "any"); !ok {
			return "", errUnclaimed
		}
		var m restMilestone
		if _, err := j.api.Get(ctx, j.path("milestones/"+number), nil, &m); err != nil {
			return "", err
		}
		title = m.Title
	}
	query, ok := buildListQuery(j.Target, title)
	if !ok {
		return "", errUnclaimed
	}
	return query, nil
}

// issueSearch is a search for issues and pull requests that is to become a
// listing.
type issueSearch struct {
	query       string
	page        int // of 100
	sort, order string
	tab         string // of the repository; "" for a search of all of GitHub
	title, kind string
	link        string // of the first page
	fact        string // one more, or ""
}

// restIssueRow is an issue or a pull request as searches and lists have it.
type restIssueRow struct {
	Number   int
	Title    string
	State    string
	Reason   string `json:"state_reason"`
	Draft    bool
	User     *restUser
	Labels   []restLabel
	Comments int
	Updated  time.Time `json:"updated_at"`
	URL      string    `json:"html_url"`
	Pull     *struct {
		Merged time.Time `json:"merged_at"`
	} `json:"pull_request"`
}

func (r restIssueRow) state() string {
	switch {
	case r.Pull != nil && !r.Pull.Merged.IsZero():
		return "merged"
	case r.Draft && r.State == "open":
		return "draft"
	case r.State == "closed" && r.Reason != "":
		return "closed (" + words(r.Reason) + ")"
	}
	return r.State
}

// issueColumns head the rows of issues. A name of the repository stands before
// the number where it is another one than the list's.
var issueColumns = []string{"number", "title", "state", "author", "labels", "comments", "updated", "URL"}

// addIssue is a row of an issue in a list of repo's, "" for a list of many.
func (l *listing) addIssue(r restIssueRow, repo string) {
	var labels []string
	for _, label := range r.Labels {
		labels = append(labels, label.Name)
	}
	number := "#" + strconv.Itoa(r.Number)
	if its := repoOf(r.URL); !strings.EqualFold(its, repo) {
		number = its + number
	}
	l.add(
		number+" "+r.Title,
		number, r.Title, r.state(), author(r.User.login()), strings.Join(labels, ", "), strconv.Itoa(r.Comments), markdown.Day(r.Updated), r.URL,
	)
}

// values are the parameters of the API for one page.
func (s issueSearch) values(page int) url.Values {
	return searchCall{query: s.query, sort: s.sort, order: s.order}.values(page)
}

// ask asks for the page of the search.
func (s issueSearch) ask(ctx context.Context, j *job) (found[restIssueRow], error) {
	return search[restIssueRow](ctx, j, "issues", s.values(s.page))
}

// findIssues makes a listing of one page of a search.
func (j *job) findIssues(ctx context.Context, s issueSearch) (fetchers.Document, error) {
	f, err := s.ask(ctx, j)
	var oneKind string // fact
	var notes []string
	switch {
	case !wantsType(err):
	case impliesPulls(s.query):
		s.query += " is:pr"
		f, err = s.ask(ctx, j)
	case s.tab != "" && !namesType(s.query):
		oneKind = "issues only: GitHub searches one kind at a time with this token"
		notes = []string{"The pull requests: " + j.searchPage("pulls", j.typed(s.query))}
		s.query += " is:issue"
		f, err = s.ask(ctx, j)
	}
	if err != nil {
		return fetchers.Document{}, searchFailure(err, s.query)
	}
	repo := ""
	if s.tab != "" {
		repo = j.repo()
	}
	l := listing{Kind: s.kind, Title: s.title, Link: onPageOf(s.link, s.page, issuesPerPage), Columns: issueColumns}
	var others []string
	for _, r := range f.Items {
		l.addIssue(r, repo)
		if its := repoOf(r.URL); repo != "" && !strings.EqualFold(its, repo) {
			others = append(others, its)
		}
	}
	e := extent{First: (s.page-1)*perPage + 1, Shown: len(f.Items), Total: f.Total}
	l.Facts = with(e.fact("match", "matches"), "query: "+s.query, oneKind, f.incomplete(), otherRepos(others), s.fact)
	l.Notes = append(notes, s.rest(e)...)
	return j.deliver(l)
}

// otherRepos says that a list has matches in other repositories, given the one
// of each, and "" that it has none: OR reaches beyond the qualifier of the
// repository.
func otherRepos(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return "1 match is in another repository: " + names[0]
	default:
		return termtext.Count(n) + " matches are in other repositories, such as " + names[0]
	}
}

// rest says where the matches after e are.
func (s issueSearch) rest(e extent) []string {
	switch {
	case s.tab == "":
		return restOfSearch(e, "issues", s.values(2))
	case e.Shown == 0 || e.First+e.Shown-1 >= e.Total:
		return nil
	case s.page*perPage >= maxFound:
		return []string{"The rest is not listed: narrow the query."}
	}
	return []string{"The rest: " + onPageOf(s.link, s.page+1, issuesPerPage) + ", or narrow the query."}
}

// wantsType reports whether GitHub refused a search because it does not say
// whether it is for issues or for pull requests. It does so with some tokens.
func wantsType(err error) bool {
	return api.CodeOf(err) == api.Invalid && strings.Contains(err.Error(), "'is:pull-request'")
}

// searchFailure names the query of a search that GitHub did not understand.
func searchFailure(err error, query string) error {
	if api.CodeOf(err) == api.Invalid {
		return fmt.Errorf("%w (query: %s)", err, markdown.Line(query))
	}
	return err
}
