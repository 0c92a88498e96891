package github

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
	"pifetch/internal/termtext"
)

// maxContents is how many entries of a folder the contents API lists.
const maxContents = 1000

// resolveDirectory makes a listing of one folder at one commit, or its files.
// A path that is a file becomes the file's document.
func resolveDirectory(ctx context.Context, j *job) (fetchers.Document, error) {
	if j.tree {
		return j.subtree(ctx)
	}
	if j.api.Token(ctx) {
		p, err := j.locate(ctx, true)
		if err != nil {
			return fetchers.Document{}, err
		}
		if p.entry.Mode != modeFolder {
			return j.fileAt(ctx, p)
		}
		return j.directoryDocument(p, "api")
	}
	places, err := j.publicPlaces(ctx, true)
	if err != nil {
		return fetchers.Document{}, err
	}
	for _, p := range places {
		p.entry, err = j.contents(ctx, p)
		switch {
		case api.CodeOf(err) == api.NotFound:
			continue
		case err != nil:
			return fetchers.Document{}, err
		case p.entry.Mode == modeSubmodule:
			return j.submoduleDocument(p)
		case p.entry.Mode != modeFolder:
			body, err := j.storePublic(ctx, p)
			if err != nil {
				return fetchers.Document{}, err
			}
			return j.fileDocument(p, body, "web", "")
		}
		return j.directoryDocument(p, "api")
	}
	return fetchers.Document{}, errUnclaimed
}

// content is an entry as the contents API has it.
type content struct {
	Type        string // "file", "dir", "symlink", "submodule"
	Name        string
	Size        int64
	SHA         string
	DownloadURL string `json:"download_url"`
	HTMLURL     string `json:"html_url"`
	Submodule   string `json:"submodule_git_url"`
}

func (c content) entry() gitEntry {
	e := gitEntry{Name: c.Name, Mode: modeFile, SHA: c.SHA, Size: c.Size, Module: c.Submodule}
	switch {
	case c.Type == "dir":
		e.Mode, e.Size = modeFolder, 0
	case c.Type == "symlink":
		e.Mode = modeLink
	case c.Type == "submodule", c.DownloadURL == "": // a list calls it a file, that cannot be downloaded
		e.Mode, e.Size = modeSubmodule, 0
		if e.Module == "" {
			e.Module, _, _ = strings.Cut(c.HTMLURL, "/tree/"+c.SHA)
		}
	}
	return e
}

// contents asks what stands at a place: one call, which tells no modes of files.
func (j *job) contents(ctx context.Context, p place) (*gitEntry, error) {
	at := "repos/" + escapePath(p.repo) + "/contents"
	if p.path != "" {
		at += "/" + escapePath(p.path)
	}
	var answer json.RawMessage
	if _, err := j.api.Get(ctx, at, url.Values{"ref": {p.commit}}, &answer); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(strings.TrimSpace(string(answer)), "[") {
		var one content
		if err := json.Unmarshal(answer, &one); err != nil {
			return nil, fmt.Errorf("read what is at %s: %w", p.url("tree"), err)
		}
		e := one.entry()
		return &e, nil
	}
	var list []content
	if err := json.Unmarshal(answer, &list); err != nil {
		return nil, fmt.Errorf("read what is at %s: %w", p.url("tree"), err)
	}
	e := gitEntry{Mode: modeFolder, Cut: len(list) >= maxContents}
	for _, c := range list {
		e.Entries = append(e.Entries, c.entry())
	}
	return &e, nil
}

// directoryDocument is the document of a folder whose entries are known.
func (j *job) directoryDocument(p place, via string) (fetchers.Document, error) {
	var d markdown.Doc
	d.Heading(1, p.repo+": "+termtext.Exact(p.path)+"/ at "+p.at())
	d.Add(p.url("tree"))
	addListing(&d, p)
	body, err := j.write("listing.md", d.String())
	if err != nil {
		return fetchers.Document{}, err
	}
	facts := append(j.placeFacts(p), countEntries(len(p.entry.Entries)))
	if p.entry.Cut {
		facts = append(facts, "incomplete: "+cutNote)
	}
	return fetchers.Document{
		Kind: "github.directory", Title: p.repo + ": " + termtext.Exact(p.path) + "/", Link: p.url("tree"), Via: via,
		Facts: facts, Excerpt: entryNames(*p.entry), Bodies: []fetchers.Body{body},
	}, nil
}

// cutNote says of a list of 1,000 entries that it may lack some.
const cutNote = "GitHub lists no more than 1,000 entries of a folder without a token, so some may be missing; with one it lists all"

// countEntries is a number of entries.
func countEntries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return termtext.Count(n) + " entries"
}

// addListing writes the entries of a folder as a table, folders first.
func addListing(d *markdown.Doc, p place) {
	folder := *p.entry
	if len(folder.Entries) == 0 {
		d.Add("(empty)")
		return
	}
	count := countEntries(len(folder.Entries))
	if folder.Cut {
		count += "; " + cutNote
	}
	d.Add(count)
	var rows [][]string
	for _, e := range sorted(folder.Entries) {
		rows = append(rows, []string{e.kind(), termtext.Exact(path.Join(p.path, e.Name)), e.size(), e.note()})
	}
	d.Table([]string{"type", "path", "bytes", "note"}, rows)
}

// sorted puts folders first, as GitHub does.
func sorted(entries []gitEntry) []gitEntry {
	rank := func(e gitEntry) int {
		if e.Mode == modeFolder {
			return 0
		}
		return 1
	}
	return slices.SortedStableFunc(slices.Values(entries), func(a, b gitEntry) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.Name, b.Name))
	})
}

func (e gitEntry) kind() string {
	switch e.Mode {
	case modeFolder:
		return "dir"
	case modeLink:
		return "symlink"
	case modeSubmodule:
		return "submodule"
	}
	return "file"
}

func (e gitEntry) size() string {
	if e.Mode == modeFolder || e.Mode == modeSubmodule {
		return ""
	}
	return strconv.FormatInt(e.Size, 10)
}

func (e gitEntry) note() string {
	switch {
	case e.Mode == modeExecutable:
		return "executable"
	case e.Mode == modeSubmodule && e.Module != "":
		return termtext.Exact(e.Module) + " at " + e.SHA
	case e.Mode == modeSubmodule:
		return "at " + e.SHA
	}
	return ""
}

// entryNames is the excerpt of a folder: "src/, docs/, package.json".
func entryNames(folder gitEntry) string {
	var names []string
	for _, e := range sorted(folder.Entries) {
		name := termtext.Exact(e.Name)
		if e.Mode == modeFolder {
			name += "/"
		}
		names = append(names, name)
	}
	return cut(strings.Join(names, ", "))
}
