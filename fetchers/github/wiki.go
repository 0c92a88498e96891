package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/checkout"
	"pifetch/fetchers/github/markdown"
	"pifetch/internal/termtext"
)

// resolveWiki makes a document of one page of a wiki. Public pages in
// markdown have an address of their own; others take a clone.
func resolveWiki(ctx context.Context, j *job) (fetchers.Document, error) {
	page := cmp.Or(j.ID, "Home")
	if j.Sub == "" {
		s, err := j.api.Open(ctx, api.Raw, "wiki/"+escapePath(j.repo())+"/"+escapePath(page)+".md", nil, "")
		if err == nil {
			body, err := j.store(page+".md", s)
			if err != nil {
				return fetchers.Document{}, err
			}
			return j.wikiDocument(page, []fetchers.Body{body}, nil)
		}
		if api.CodeOf(err) != api.NotFound {
			return fetchers.Document{}, err
		}
	}
	return j.clonedPage(ctx, page)
}

func (j *job) clonedPage(ctx context.Context, page string) (fetchers.Document, error) {
	moved := ""
	if r, err := j.publicRefs(ctx, false); err == nil { // git is let follow no redirect
		moved = place{repo: r.repo}.moved(j)
		j.Owner, j.Repo, _ = strings.Cut(r.repo, "/")
	}
	repo, remove, err := j.clone(ctx, j.repo()+".wiki.git", cmp.Or(j.Sub, "HEAD"))
	if err != nil {
		if errors.Is(err, checkout.ErrNoGit) {
			err = fmt.Errorf("the page has no public address, and a clone of the wiki needs git: %w", err)
		}
		return fetchers.Document{}, fmt.Errorf("wiki of %s: %w", j.repo(), err)
	}
	defer remove()
	objects, _, err := repo.List(ctx, "", checkout.DefaultLimits.Files)
	if err != nil {
		return fetchers.Document{}, err
	}
	objects = slices.DeleteFunc(objects, func(o checkout.Object) bool { return !isPage(o) })
	i := slices.IndexFunc(objects, func(o checkout.Object) bool { return pageName(o.Path) == pageName(page+".md") })
	if i < 0 {
		return fetchers.Document{}, fmt.Errorf("404 Not Found: the wiki of %s has no page %s", j.repo(), page)
	}
	found := objects[i]
	if _, err := repo.Load(ctx, []checkout.Object{found}, maxFile); err != nil {
		return fetchers.Document{}, err
	}
	var body fetchers.Body
	err = repo.Read(ctx, []string{found.SHA}, func(_ int, _ int64, content io.Reader) (err error) {
		body, err = j.folder.Write(path.Base(found.Path), content)
		return err
	})
	if err != nil {
		return fetchers.Document{}, err
	}
	listing, err := j.write("listing.md", j.wikiListing(repo.Commit, objects))
	if err != nil {
		return fetchers.Document{}, err
	}
	facts := []string{"commit " + short(repo.Commit), markdown.Count(len(objects), "page")}
	if moved != "" {
		facts = append(facts, moved)
	}
	return j.wikiDocument(page, []fetchers.Body{body, listing}, facts)
}

func (j *job) wikiDocument(page string, bodies []fetchers.Body, facts []string) (fetchers.Document, error) {
	view, err := j.view(bodies[0])
	facts = append([]string{"repo " + j.repo()}, facts...)
	if view.anchor != "" {
		facts = append(facts, view.anchor)
	}
	return fetchers.Document{
		Kind: "github.wiki", Title: j.repo() + " wiki: " + strings.ReplaceAll(page, "-", " "), Link: j.wikiURL(page) + view.fragment, Via: "web",
		Facts: facts, Excerpt: view.excerpt, Bodies: bodies,
	}, err
}

func (j *job) wikiURL(page string) string {
	u := "https://github.com/" + j.repo() + "/wiki"
	if page == "Home" {
		return u
	}
	return u + "/" + escapePath(page)
}

// wikiListing is a table of a wiki's pages.
func (j *job) wikiListing(commit string, pages []checkout.Object) string {
	var d markdown.Doc
	d.Heading(1, j.repo()+" wiki at "+short(commit))
	var rows [][]string
	for _, o := range pages {
		name := strings.TrimSuffix(path.Base(o.Path), path.Ext(o.Path))
		rows = append(rows, []string{termtext.Exact(name), termtext.Exact(o.Path), j.wikiURL(name)})
	}
	d.Table([]string{"page", "file", "URL"}, rows)
	return d.String()
}

// wikiTypes are the extensions of pages that GitHub renders.
var wikiTypes = []string{".md", ".markdown", ".mdown", ".mkdn", ".mkd", ".asciidoc", ".adoc", ".asc", ".creole", ".mediawiki", ".wiki", ".org", ".pod", ".rdoc", ".rst", ".rest", ".textile"}

func isPage(o checkout.Object) bool {
	return o.Mode != checkout.Link && o.Mode != checkout.Submodule && slices.Contains(wikiTypes, strings.ToLower(path.Ext(o.Path)))
}

// pageName is what a page goes by: its file's name in any folder, without
// regard to case, spaces as dashes.
func pageName(file string) string {
	name := path.Base(file)
	return strings.ToLower(strings.ReplaceAll(strings.TrimSuffix(name, path.Ext(name)), " ", "-"))
}
