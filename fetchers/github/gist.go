package github

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/target"
)

// restGist is a gist; in lists its files have no content.
type restGist struct {
	ID          string
	Description string
	Public      bool
	Owner       *restUser
	Files       map[string]gistFile
	Truncated   bool // there are more files
	Comments    int
	Created     time.Time `json:"created_at"`
	Updated     time.Time `json:"updated_at"`
	URL         string    `json:"html_url"`
	History     []struct{ Version string }
}

type gistFile struct {
	Name      string `json:"filename"`
	Type      string
	Language  string
	RawURL    string `json:"raw_url"`
	Size      int64
	Truncated bool
	Content   string
}

// sorted are the files by name, as the page shows them.
func (g restGist) sorted() []gistFile {
	var files []gistFile
	for _, f := range g.Files {
		if f.Name != "" {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b gistFile) int { return strings.Compare(a.Name, b.Name) })
	return files
}

// title is the first line of the description, else the name of the first file.
func (g restGist) title() string {
	if first, _, _ := strings.Cut(markdown.Newlines(strings.TrimSpace(g.Description)), "\n"); first != "" {
		return first
	}
	if files := g.sorted(); len(files) > 0 {
		return files[0].Name
	}
	return g.ID
}

// owner is who wrote it; gists without an owner are from when nobody needed to
// log in for one.
func (g restGist) owner() string {
	if g.Owner == nil {
		return "anonymous"
	}
	return g.Owner.Login
}

func (g restGist) visibility() string {
	if g.Public {
		return "public"
	}
	return "secret"
}

// resolveGist stores the files of a gist and writes its comments, or stores the
// one file that a raw URL names.
func resolveGist(ctx context.Context, j *job) (fetchers.Document, error) {
	raw := len(j.Path) > 0 && j.Path[0] == "raw"
	if raw && j.Owner != "" && j.rawName() != "" {
		return j.rawGist(ctx)
	}
	at := "gists/" + j.ID
	if revision := j.revision(); revision != "" {
		at += "/" + revision
	}
	var g restGist
	if _, err := j.api.Get(ctx, at, nil, &g); err != nil {
		return fetchers.Document{}, err
	}
	files := g.sorted()
	count := markdown.Count(len(files), "file")
	if raw {
		wanted := slices.IndexFunc(files, func(f gistFile) bool { return j.rawName() == "" || f.Name == j.rawName() })
		if wanted < 0 {
			return fetchers.Document{}, fmt.Errorf("404 Not Found: the gist %s has no file %s: see %s", j.ID, j.rawName(), g.URL)
		}
		files = files[wanted : wanted+1]
	}
	doc := fetchers.Document{Kind: "github.gist", Title: "gist: " + g.title(), Link: g.URL, Via: "api"}
	doc.Facts = with("by "+g.owner(), g.visibility(), count, yes(g.Truncated, "incomplete: GitHub sends no more files than these: git clone "+g.cloneURL()))
	if len(g.History) > 0 {
		doc.Facts = append(doc.Facts, "revision "+short(g.History[0].Version))
	}
	doc.Facts = append(doc.Facts, "updated "+markdown.Time(g.Updated), markdown.Count(g.Comments, "comment"))
	shown, err := j.storeGistFiles(ctx, files, &doc)
	if err != nil {
		return fetchers.Document{}, err
	}
	doc.Excerpt = shown.excerpt
	doc.Facts = append(doc.Facts, with(shown.anchor)...)
	if !raw && (g.Comments > 0 || j.Anchor.Name == "gistcomment") {
		if err := j.addGistComments(ctx, g, &doc); err != nil {
			return fetchers.Document{}, err
		}
	}
	return doc, nil
}

func (g restGist) cloneURL() string { return "https://gist.github.com/" + g.ID + ".git" }

// revision is the revision in the URL, "" when it has none.
func (j *job) revision() string {
	switch p := j.Path; {
	case len(p) == 1 && p[0] != "raw":
		return p[0]
	case len(p) > 1 && p[0] == "raw" && isSHA(p[1]):
		return p[1]
	}
	return ""
}

// rawName is the file that a raw URL names, "" when it names none.
func (j *job) rawName() string {
	if last := len(j.Path) - 1; last > 0 && !isSHA(j.Path[last]) {
		return j.Path[last]
	}
	return ""
}

// rawGist stores one file without the API.
func (j *job) rawGist(ctx context.Context) (fetchers.Document, error) {
	name := j.rawName()
	at := escapePath(j.Owner + "/" + j.ID + "/" + path.Join(j.Path...))
	s, err := j.api.Open(ctx, api.Gist, at, nil, "")
	if err != nil {
		return fetchers.Document{}, err
	}
	body, err := j.storeAsset(name, s)
	if err != nil {
		return fetchers.Document{}, err
	}
	v, err := readView(j.folder, body, target.Lines{})
	revision := j.revision()
	return fetchers.Document{
		Kind: "github.gist", Title: "gist: " + name, Link: "https://gist.githubusercontent.com/" + at, Via: "web",
		Facts:   with(yes(revision != "", "at "+short(revision)), yes(body.Lines == 0 && body.Bytes > 0, "binary"), "gist: https://gist.github.com/"+j.Owner+"/"+j.ID),
		Excerpt: v.excerpt, Bodies: []fetchers.Body{body},
	}, err
}

// storeGistFiles stores files as the bodies of a document, and views the one
// that the URL's anchor names, else the first.
func (j *job) storeGistFiles(ctx context.Context, files []gistFile, doc *fetchers.Document) (view, error) {
	asked := -1
	if j.Anchor.Name == "file" {
		asked = slices.IndexFunc(files, func(f gistFile) bool { return fileAnchor(f.Name) == fileAnchor(j.Anchor.ID) })
	}
	for _, f := range files {
		body, err := j.storeGistFile(ctx, f)
		if err != nil {
			return view{}, err
		}
		doc.Bodies = append(doc.Bodies, body)
	}
	lines := target.Lines{}
	if asked >= 0 {
		lines = j.Lines
	}
	if len(files) == 0 {
		return view{}, nil
	}
	body := doc.Bodies[max(asked, 0)]
	v, err := readView(j.folder, body, lines)
	switch {
	case asked >= 0 && v.anchor == "":
		v.anchor = "anchor: " + body.Name
	case asked < 0 && j.Anchor.Name == "file":
		v.anchor = "anchor #file-" + j.Anchor.ID + " not found"
	}
	return v, err
}

// storeGistFile stores a file out of the API's answer, or from where it lies
// when the answer has not all of its bytes.
func (j *job) storeGistFile(ctx context.Context, f gistFile) (fetchers.Body, error) {
	if !f.Truncated && int64(len(f.Content)) == f.Size && !strings.ContainsRune(f.Content, utf8.RuneError) {
		return j.write(f.Name, f.Content)
	}
	u, err := url.Parse(f.RawURL)
	if err != nil || u.Host != "gist.githubusercontent.com" {
		return fetchers.Body{}, fmt.Errorf("GitHub sends %s of the gist %s in part, and no address for the rest", f.Name, j.ID)
	}
	s, err := j.api.Open(ctx, api.Gist, u.EscapedPath(), nil, "")
	if err != nil {
		return fetchers.Body{}, err
	}
	return j.storeAsset(f.Name, s)
}

// fileAnchor is what stands after "file-" in the anchor of a gist's file.
func fileAnchor(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), "-")
}
