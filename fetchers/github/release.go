package github

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
)

// releasesPerPage is how many releases a page of GitHub has.
const releasesPerPage = 10

type restRelease struct {
	Tag        string `json:"tag_name"`
	Name       string
	Body       string
	Draft      bool
	Prerelease bool
	Immutable  bool
	Author     *restUser
	Created    time.Time `json:"created_at"`
	Published  time.Time `json:"published_at"`
	URL        string    `json:"html_url"`
	Assets     []restAsset
}

type restAsset struct {
	ID        int64
	Name      string
	Size      int64
	Downloads int `json:"download_count"`
	Digest    string
	Updated   time.Time `json:"updated_at"`
	URL       string    `json:"browser_download_url"`
}

// title is "hello 1.1.0 (v1.1.0)", or the tag alone.
func (r restRelease) title() string {
	name := markdown.Line(r.Name)
	if name == "" || name == r.Tag {
		return r.Tag
	}
	return name + " (" + r.Tag + ")"
}

func (r restRelease) state() string {
	return strings.Join(with(yes(r.Draft, "draft"), yes(r.Prerelease, "prerelease"), yes(r.Immutable, "immutable")), ", ")
}

func (r restRelease) published() string {
	return yes(!r.Published.IsZero(), "published "+markdown.Time(r.Published))
}

// resolveRelease makes a document of a release: its notes, and a listing of its
// assets.
func resolveRelease(ctx context.Context, j *job) (fetchers.Document, error) {
	r, err := j.release(ctx)
	if err != nil {
		return fetchers.Document{}, err
	}
	commit := j.tagCommit(ctx, r.Tag)
	repo := cmp.Or(repoOf(r.URL), j.repo())
	facts := with(
		"tag "+r.Tag, yes(commit != "", "commit "+short(commit)), r.state(), r.published(), "by "+author(r.Author.login()),
		markdown.Count(len(r.Assets), "asset"), j.newName(r.URL),
	)
	var d markdown.Doc
	d.Heading(1, r.title())
	d.Add(bullets([]string{
		"repository: " + repo, "tag: " + r.Tag, yes(commit != "", "commit: "+commit), yes(r.state() != "", "state: "+r.state()),
		"author: " + author(r.Author.login()), "created: " + markdown.Time(r.Created),
		yes(!r.Published.IsZero(), "published: "+markdown.Time(r.Published)), "page: " + r.URL,
		"assets: " + strconv.Itoa(len(r.Assets)),
	}))
	d.Heading(2, "Notes")
	notes := markdown.Body(r.Body, 2)
	if notes == "" {
		notes = "(no text)"
	}
	d.Add(notes)
	body, err := j.write("release.md", d.String())
	if err != nil {
		return fetchers.Document{}, err
	}
	doc := fetchers.Document{
		Kind: "github.release", Title: repo + " release: " + r.title(), Link: r.URL, Via: "api",
		Facts: facts, Excerpt: artifact.Excerpt(markdown.Newlines(r.Body)), Bodies: []fetchers.Body{body},
	}
	if len(r.Assets) > 0 {
		body, err := j.write(listingName, r.assetListing(repo))
		if err != nil {
			return fetchers.Document{}, err
		}
		doc.Bodies = append(doc.Bodies, body)
	}
	if doc.Excerpt == "" {
		doc.Excerpt = r.assetNames()
	}
	return doc, nil
}

// release asks for the release that the URL names.
func (j *job) release(ctx context.Context) (restRelease, error) {
	path := "releases/latest"
	if j.Sub != "latest" {
		path = "releases/tags/" + url.PathEscape(j.ID)
	}
	var r restRelease
	_, err := j.api.Get(ctx, j.path(path), nil, &r)
	return r, err
}

// tagCommit is the commit of a tag, "" when it cannot be told at little cost.
func (j *job) tagCommit(ctx context.Context, tag string) string {
	if !j.api.Token(ctx) {
		r, err := j.publicRefs(ctx, false)
		if err != nil {
			return ""
		}
		return r.names["refs/tags/"+tag]
	}
	s, err := j.api.Open(ctx, api.API, j.path("commits/"+url.PathEscape("tags/"+tag)), nil, "application/vnd.github.sha")
	if err != nil {
		return ""
	}
	sha, err := readText(s, 100)
	if sha = strings.TrimSpace(sha); err != nil || !isSHA(sha) {
		return ""
	}
	return sha
}

func (r restRelease) assetNames() string {
	var names []string
	for _, a := range r.Assets {
		names = append(names, a.Name)
	}
	return wholeLines(names)
}

func (r restRelease) assetListing(repo string) string {
	var d markdown.Doc
	d.Heading(1, "Assets of "+repo+" "+r.Tag)
	var rows [][]string
	for _, a := range r.Assets {
		rows = append(rows, []string{a.Name, strconv.FormatInt(a.Size, 10), strconv.Itoa(a.Downloads), markdown.Day(a.Updated), a.Digest, a.URL})
	}
	d.Table([]string{"name", "bytes", "downloads", "updated", "digest", "URL"}, rows)
	return d.String()
}

// resolveReleases makes a listing of the 100 releases among which those of the
// page are, and a body with their notes.
func resolveReleases(ctx context.Context, j *job) (fetchers.Document, error) {
	page, ok := apiPage(j.Target, "page", releasesPerPage)
	if !ok || !onlyParams(j.Target, "page", "expanded") {
		return fetchers.Document{}, errUnclaimed
	}
	releases, e, err := readPage[restRelease](ctx, j, j.path("releases"), onPage(page))
	if err != nil {
		return fetchers.Document{}, err
	}
	l := listing{
		Kind: "github.release_list", Title: j.repo() + " releases", Link: onPageOf(j.repoPage("releases"), page, releasesPerPage),
		Columns: []string{"tag", "name", "note", "published", "author", "assets", "URL"},
	}
	now := ""
	var notes markdown.Doc
	notes.Heading(1, j.repo()+" release notes")
	blank := notes.Line()
	for _, r := range releases {
		l.add(r.title(), r.Tag, r.Name, r.state(), markdown.Day(r.Published), author(r.Author.login()), strconv.Itoa(len(r.Assets)), r.URL)
		now = r.URL
		if text := markdown.Body(r.Body, 2); text != "" {
			notes.Heading(2, r.title())
			notes.Add(text)
		}
	}
	l.Facts = with(e.fact("release", "releases"), j.newName(now))
	l.Notes = rest(e.More, onPageOf(j.repoPage("releases"), page+1, releasesPerPage))
	if notes.Line() == blank {
		return j.deliver(l)
	}
	body, err := j.write("notes.md", notes.String())
	if err != nil {
		return fetchers.Document{}, err
	}
	return j.deliver(l, body)
}
