package github

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/shurcooL/githubv4"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
)

type discussionItem struct {
	Number      int
	Title       string
	URL         string `graphql:"url"`
	Author      *actorNode
	UpdatedAt   time.Time
	Closed      bool
	IsAnswered  bool
	UpvoteCount int
	Category    struct {
		Name         string
		IsAnswerable bool
	}
	Comments struct{ TotalCount int }
}

func (n discussionItem) state() string {
	d := discussion{Answerable: n.Category.IsAnswerable, Answered: n.IsAnswered}
	if n.Closed {
		d.ClosedAs = "closed"
	}
	return d.state()
}

// discussionList is a listing of discussions.
type discussionList struct {
	repo             string
	what             string // what narrows it: "open in category Q&A", "repo:o/r is:answered token"
	category, search string // as the URL has them
	total            int
	items            []discussionItem
}

func resolveDiscussions(ctx context.Context, j *job) (fetchers.Document, error) {
	searches := j.Query != ""
	if !j.keepsTo("discussions_q") || searches && j.ID != "" || !j.api.Token(ctx) {
		return fetchers.Document{}, errUnclaimed
	}
	of := *j
	if j.Sub == "org" {
		if of.Repo = j.discussionRepo(ctx); of.Repo == "" {
			return fetchers.Document{}, errUnclaimed
		}
	}
	var l *discussionList
	var err error
	switch {
	case searches:
		l, err = of.searchDiscussions(ctx)
	case j.ID != "":
		l, err = of.discussionsOf(ctx)
	default:
		l, err = of.openDiscussions(ctx)
	}
	if err != nil {
		return fetchers.Document{}, err
	}
	l.category, l.search = j.ID, j.Query
	return of.deliver(l.listing(&of))
}

type discussionsNode struct {
	TotalCount int
	Nodes      []discussionItem
}

// openDiscussions are what the page shows first: those that are open, the
// latest activity on top.
func (j *job) openDiscussions(ctx context.Context) (*discussionList, error) {
	var q struct {
		Repository *struct {
			NameWithOwner string
			Discussions   discussionsNode `graphql:"discussions(first: 100, states: [OPEN], orderBy: {field: UPDATED_AT, direction: DESC})"`
		} `graphql:"repository(owner: $owner, name: $name)"`
	}
	if err := j.api.Query(ctx, &q, j.names()); err != nil {
		return nil, j.noRepository(err)
	} else if q.Repository == nil {
		return nil, j.missing()
	}
	return &discussionList{
		repo: q.Repository.NameWithOwner, what: "open", total: q.Repository.Discussions.TotalCount, items: q.Repository.Discussions.Nodes,
	}, nil
}

// discussionsOf are those of a category.
func (j *job) discussionsOf(ctx context.Context) (*discussionList, error) {
	var c struct {
		Repository *struct {
			DiscussionCategory *struct{ ID, Name string } `graphql:"discussionCategory(slug: $slug)"`
		} `graphql:"repository(owner: $owner, name: $name)"`
	}
	vars := j.names()
	vars["slug"] = githubv4.String(j.ID)
	if err := j.api.Query(ctx, &c, vars); err != nil {
		return nil, j.noRepository(err)
	} else if c.Repository == nil {
		return nil, j.missing()
	}
	category := c.Repository.DiscussionCategory
	if category == nil {
		return nil, fmt.Errorf("404 Not Found: %s has no category of discussions %q", j.repo(), j.ID)
	}
	var q struct {
		Repository *struct {
			NameWithOwner string
			Discussions   discussionsNode `graphql:"discussions(first: 100, categoryId: $category, states: [OPEN], orderBy: {field: UPDATED_AT, direction: DESC})"`
		} `graphql:"repository(owner: $owner, name: $name)"`
	}
	vars = j.names()
	vars["category"] = githubv4.ID(category.ID)
	if err := j.api.Query(ctx, &q, vars); err != nil {
		return nil, j.noRepository(err)
	} else if q.Repository == nil {
		return nil, j.missing()
	}
	return &discussionList{
		repo: q.Repository.NameWithOwner, what: "open in category " + category.Name,
		total: q.Repository.Discussions.TotalCount, items: q.Repository.Discussions.Nodes,
	}, nil
}

// searchDiscussions are those the page's search box finds.
func (j *job) searchDiscussions(ctx context.Context) (*discussionList, error) {
	var q struct {
		Search struct {
			DiscussionCount int
			Nodes           []struct {
				Discussion discussionItem `graphql:"... on Discussion"`
			}
		} `graphql:"search(query: $q, type: DISCUSSION, first: 100)"`
	}
	query := "repo:" + j.repo() + " " + j.Query
	if err := j.api.Query(ctx, &q, map[string]any{"q": githubv4.String(query)}); err != nil {
		return nil, err
	}
	l := &discussionList{repo: j.repo(), what: query, total: q.Search.DiscussionCount}
	for _, n := range q.Search.Nodes {
		if n.Discussion.URL != "" {
			l.items = append(l.items, n.Discussion)
		}
	}
	return l, nil
}

// names are the variables of a query about the repository.
func (j *job) names() map[string]any {
	return map[string]any{"owner": githubv4.String(j.Owner), "name": githubv4.String(j.Repo)}
}

// perDiscussionPage is how many discussions a page of GitHub lists.
const perDiscussionPage = 25

// page is the page of GitHub with the list, number 0 its beginning.
func (l *discussionList) page(n int) string {
	query := url.Values{}
	if n > 0 {
		query.Set("page", number(n))
	}
	if l.search != "" {
		query.Set("discussions_q", l.search)
	}
	u := "https://github.com/" + l.repo + "/discussions"
	if l.category != "" {
		u += "/categories/" + url.PathEscape(l.category)
	}
	if len(query) > 0 {
		u += "?" + query.Encode()
	}
	return u
}

// listing is the list as a document is made of it.
func (l *discussionList) listing(j *job) listing {
	e := extent{First: 1, Shown: len(l.items), Total: l.total}
	out := listing{
		Kind: "github.discussion_list", Title: l.repo + " discussions: " + l.what, Link: l.page(0),
		Facts:   with(e.fact("discussion", "discussions"), named(l.what), j.newName(l.page(0))),
		Columns: []string{"number", "title", "category", "state", "author", "comments", "upvotes", "updated", "URL"},
		Notes:   rest(l.total > len(l.items), l.page(len(l.items)/perDiscussionPage+1)),
	}
	for _, n := range l.items {
		out.add("#"+number(n.Number)+" "+n.Title,
			"#"+number(n.Number), n.Title, n.Category.Name, n.state(), author(n.Author.login()),
			number(n.Comments.TotalCount), number(n.UpvoteCount), markdown.Day(n.UpdatedAt), n.URL)
	}
	return out
}

// discussionRepo is the repository that an organisation's discussions belong
// to, "" when it cannot be known. The API does not tell; but the pages of that
// repository's discussions lead to the organisation's, so that the likely
// names are tried.
func (j *job) discussionRepo(ctx context.Context) string {
	page := "orgs/" + url.PathEscape(j.Owner) + "/discussions"
	for _, name := range []string{j.Owner, "community", "discussions", ".github"} {
		s, err := j.api.Open(ctx, api.Web, url.PathEscape(j.Owner)+"/"+url.PathEscape(name)+"/discussions", nil, "")
		if err != nil {
			continue
		}
		s.Body.Close()
		if u, err := url.Parse(s.URL); err == nil && strings.HasSuffix(strings.ToLower(u.EscapedPath()), "/"+strings.ToLower(page)) {
			return name
		}
	}
	return ""
}
