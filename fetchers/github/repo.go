package github

import (
	"context"
	"fmt"
	"strings"

	"github.com/shurcooL/githubv4"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
	"pifetch/internal/termtext"
)

// repository is what a document tells about one.
type repository struct {
	place
	description string
	license     string // SPDX
	release     string // tag of the latest one
	open        string // "12 open issues · 3 open pull requests"
	stars       int
	archived    bool
	fork        string // what it was forked from, or "another repository"
	readme      string // path, "" when there is none
}

// resolveRepo makes a document of a repository's README and its top folder.
func resolveRepo(ctx context.Context, j *job) (fetchers.Document, error) {
	if j.tree {
		return j.subtree(ctx)
	}
	var r repository
	var readme *fetchers.Body
	var err error
	via := "web"
	if j.api.Token(ctx) {
		via = "api"
		if r, err = j.queryRepository(ctx); err == nil {
			readme, err = j.readme(ctx, &r)
		}
	} else if r, err = j.publicRepository(ctx); err == nil {
		readme, err = j.publicReadme(ctx, &r)
	}
	if err != nil {
		return fetchers.Document{}, err
	}
	return j.repositoryDocument(r, readme, via)
}

// repositoryQuery is what one query tells about a repository.
type repositoryQuery struct {
	Repository *struct {
		NameWithOwner  githubv4.String
		Description    *githubv4.String
		IsPrivate      bool
		IsArchived     bool
		IsFork         bool
		StargazerCount int
		Parent         *struct{ NameWithOwner githubv4.String }
		LicenseInfo    *struct {
			SpdxID *githubv4.String `graphql:"spdxId"`
			Name   githubv4.String
		}
		DefaultBranchRef *struct {
			Name   githubv4.String
			Target *struct {
				Oid    githubv4.String
				Commit struct{ Tree gitTree } `graphql:"... on Commit"`
			}
		}
		LatestRelease *struct{ TagName githubv4.String }
		Issues        struct{ TotalCount int } `graphql:"issues(states: OPEN)"`
		PullRequests  struct{ TotalCount int } `graphql:"pullRequests(states: OPEN)"`
	} `graphql:"repository(owner: $owner, name: $name)"`
}

func (j *job) queryRepository(ctx context.Context) (repository, error) {
	var q repositoryQuery
	err := j.api.Query(ctx, &q, map[string]any{"owner": githubv4.String(j.Owner), "name": githubv4.String(j.Repo)})
	if err != nil {
		return repository{}, j.noRepository(err)
	}
	got := q.Repository
	if got == nil {
		return repository{}, j.missing()
	}
	r := repository{
		place: place{repo: string(got.NameWithOwner), private: got.IsPrivate},
		stars: got.StargazerCount, archived: got.IsArchived,
		open: markdown.Count(got.Issues.TotalCount, "open issue") + " · " + markdown.Count(got.PullRequests.TotalCount, "open pull request"),
	}
	if got.Description != nil {
		r.description = string(*got.Description)
	}
	if got.LicenseInfo != nil {
		r.license = license(got.LicenseInfo.SpdxID, string(got.LicenseInfo.Name))
	}
	if got.LatestRelease != nil {
		r.release = string(got.LatestRelease.TagName)
	}
	if got.IsFork {
		r.fork = "another repository"
		if got.Parent != nil {
			r.fork = string(got.Parent.NameWithOwner)
		}
	}
	if branch := got.DefaultBranchRef; branch != nil && branch.Target != nil {
		r.ref, r.commit = string(branch.Name), string(branch.Target.Oid)
		r.entry = &gitEntry{Mode: modeFolder, Entries: branch.Target.Commit.Tree.list()}
	}
	return r, nil
}

// license is the short name of a license, the long one when that says nothing.
func license(spdx *githubv4.String, name string) string {
	if spdx != nil && *spdx != "" && *spdx != "NOASSERTION" {
		return string(*spdx)
	}
	return name
}

// publicRepository asks the API twice: for the facts and for the top folder.
func (j *job) publicRepository(ctx context.Context) (repository, error) {
	var got struct {
		FullName      string `json:"full_name"`
		Description   string
		DefaultBranch string `json:"default_branch"`
		OpenIssues    int    `json:"open_issues_count"` // pull requests counted in
		Stars         int    `json:"stargazers_count"`
		Archived      bool
		Fork          bool
		Parent        *struct {
			FullName string `json:"full_name"`
		}
		License *struct {
			SPDX *githubv4.String `json:"spdx_id"`
			Name string
		}
	}
	if _, err := j.api.Get(ctx, "repos/"+escapePath(j.repo()), nil, &got); err != nil {
		return repository{}, err
	}
	r := repository{
		place: place{repo: got.FullName}, description: got.Description, stars: got.Stars, archived: got.Archived,
		open: markdown.Count(got.OpenIssues, "open issue or pull request"),
	}
	if got.OpenIssues != 1 {
		r.open = termtext.Count(got.OpenIssues) + " open issues and pull requests"
	}
	if got.License != nil {
		r.license = license(got.License.SPDX, got.License.Name)
	}
	if got.Fork {
		r.fork = "another repository"
		if got.Parent != nil {
			r.fork = got.Parent.FullName
		}
	}
	main := "refs/heads/" + got.DefaultBranch
	refs, err := j.publicRefs(ctx, false)
	if err == nil && refs.names[main] == "" { // what is remembered may be older
		refs, err = j.newRefs(ctx)
	}
	switch {
	case err != nil:
		return r, err
	case len(refs.names) == 0:
		return r, nil
	case refs.names[main] == "":
		return r, fmt.Errorf("the default branch %s of %s is not among its branches", got.DefaultBranch, r.repo)
	}
	r.ref, r.commit = got.DefaultBranch, refs.names[main]
	r.entry, err = j.contents(ctx, r.place)
	return r, err
}

func (j *job) repositoryDocument(r repository, readme *fetchers.Body, via string) (fetchers.Document, error) {
	doc := fetchers.Document{
		Kind: "github.repository", Title: r.repo, Link: "https://github.com/" + r.repo,
		Facts: r.facts(j), Excerpt: r.description, Via: via,
	}
	if r.entry != nil {
		doc.Excerpt = entryNames(*r.entry)
	}
	if readme != nil {
		view, err := j.view(*readme)
		if err != nil {
			return doc, err
		}
		if view.anchor != "" {
			doc.Link += view.fragment
			doc.Facts = append(doc.Facts, view.anchor)
		}
		doc.Kind, doc.Title = "github.readme", r.repo+" README"
		doc.Excerpt = view.excerpt
		doc.Bodies = append(doc.Bodies, *readme)
	}
	listing, err := j.write("listing.md", r.listing())
	doc.Bodies = append(doc.Bodies, listing)
	return doc, err
}

func (r repository) listing() string {
	var d markdown.Doc
	d.Heading(1, r.repo)
	d.Add(markdown.Line(r.description))
	if r.entry == nil {
		d.Add("The repository is empty.")
		return d.String()
	}
	d.Add(r.url("tree"))
	d.Heading(2, "Files at "+r.at())
	addListing(&d, r.place)
	return d.String()
}

// maxDescription is the most characters of a description in the facts.
const maxDescription = 200

func (r repository) facts(j *job) []string {
	var facts []string
	add := func(ok bool, fact string) {
		if ok && fact != "" {
			facts = append(facts, fact)
		}
	}
	add(true, strings.ReplaceAll(termtext.Cap(markdown.Line(r.description), maxDescription), "·", "-")) // which parts facts
	add(true, r.moved(j))
	add(r.archived, "archived")
	add(r.private, "private")
	add(r.fork != "", "fork of "+r.fork)
	add(r.commit != "", r.at())
	add(r.commit == "", "empty repository")
	add(r.license != "", "license "+r.license)
	add(r.release != "", "latest release "+r.release)
	add(true, r.open)
	add(r.stars > 0, markdown.Count(r.stars, "star"))
	add(r.entry != nil && r.entry.Cut, "incomplete listing: "+cutNote)
	add(r.readme != "", "path "+r.readme)
	add(r.readme == "" && r.commit != "", "no README")
	add(true, fmt.Sprintf("whole repository: git clone https://github.com/%s.git", r.repo))
	return facts
}
