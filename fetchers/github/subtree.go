package github

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/checkout"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/target"
	"pifetch/internal/termtext"
)

// subtree makes files of a folder at one commit. Nothing else can do that, so
// its failures are final.
func (j *job) subtree(ctx context.Context) (fetchers.Document, error) {
	doc, err := j.subtreeDocument(ctx)
	switch {
	case errors.Is(err, errUnclaimed) && j.Kind == target.Repo:
		err = fmt.Errorf("the repository %s is empty", j.repo())
	case errors.Is(err, errUnclaimed):
		err = fmt.Errorf("no branch, tag or commit of %s goes with this URL", j.repo())
	case errors.Is(err, checkout.ErrNoPath):
		err = fmt.Errorf("%s: %w", j.repo(), err)
	}
	if err != nil {
		return doc, finalError{err}
	}
	return doc, nil
}

func (j *job) subtreeDocument(ctx context.Context) (fetchers.Document, error) {
	places, err := j.subtreePlaces(ctx)
	if err != nil {
		return fetchers.Document{}, err
	}
	var got *subtree
	for _, p := range places {
		if got, err = j.materialise(ctx, p); !errors.Is(err, checkout.ErrNoPath) {
			break
		}
	}
	if err != nil {
		return fetchers.Document{}, err
	}
	return j.describe(got)
}

// subtreePlaces are the places the URL can mean.
func (j *job) subtreePlaces(ctx context.Context) ([]place, error) {
	if !j.api.Token(ctx) {
		return j.publicPlaces(ctx, true)
	}
	p, err := j.locate(ctx, true)
	if err == nil && p.entry.Mode != modeFolder {
		err = fmt.Errorf("%s is a file, not a folder: fetch it without its tree", p.path)
	}
	return []place{p}, err
}

// subtree is a folder that was made files of.
type subtree struct {
	place
	checkout.Result
	folder  string // absolute path
	archive bool   // it was taken from GitHub's archive
	exports bool   // .gitattributes keeps files out of archives, or changes them there
}

// materialise takes a folder with git, and the whole repository, or a folder
// git cannot get, from GitHub's archive.
func (j *job) materialise(ctx context.Context, p place) (*subtree, error) {
	if p.path == "" {
		return j.fromArchive(ctx, p)
	}
	s, gitErr := j.fromGit(ctx, p)
	if gitErr == nil || ctx.Err() != nil || errors.Is(gitErr, checkout.ErrNoPath) {
		return s, gitErr
	}
	s, err := j.fromArchive(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("%w, and before that %w", err, gitErr)
	}
	return s, nil
}

func (j *job) fromGit(ctx context.Context, p place) (*subtree, error) {
	repo, remove, err := j.clone(ctx, p.repo+".git", p.commit)
	if err != nil {
		return nil, err
	}
	defer remove()
	s := &subtree{place: p}
	s.folder, err = j.folder.Tree("tree", func(root *os.Root) (err error) {
		s.Result, err = repo.Subtree(ctx, root, p.path, checkout.DefaultLimits)
		return err
	})
	return s, err
}

// clone gets one commit of a repository of the web host into a temporary
// folder, which remove deletes.
func (j *job) clone(ctx context.Context, repository, commit string) (repo *checkout.Repo, remove func(), err error) {
	folder, err := j.folder.Path()
	if err != nil {
		return nil, nil, err
	}
	dir := filepath.Join(folder, fetchers.PartPrefix+"git")
	remove = func() { _ = os.RemoveAll(dir) }
	remote := checkout.Remote{URL: j.api.Endpoint(api.Web) + "/" + escapePath(repository), Token: j.api.GitToken(ctx)}
	repo, err = checkout.Fetch(ctx, dir, remote, commit)
	if err != nil {
		remove()
		return nil, nil, err
	}
	return repo, remove, nil
}

func (j *job) fromArchive(ctx context.Context, p place) (*subtree, error) {
	host, at, accept := api.Codeload, escapePath(p.repo)+"/tar.gz/"+p.commit, ""
	if p.private {
		host, at, accept = api.API, "repos/"+escapePath(p.repo)+"/tarball/"+p.commit, api.JSON
	}
	stream, err := j.api.Open(ctx, host, at, nil, accept)
	if err != nil {
		return nil, err
	}
	defer stream.Body.Close()
	s := &subtree{place: p, archive: true}
	s.folder, err = j.folder.Tree("tree", func(root *os.Root) (err error) {
		in := &meter{Reader: stream.Body, total: max(0, stream.Length), stage: j.stage, reported: time.Now()}
		s.Result, err = checkout.Tar(ctx, root, in, p.path, checkout.DefaultLimits)
		s.exports = exports(root)
		return err
	})
	return s, err
}

// exports reports whether the top .gitattributes changes what archives hold.
func exports(root *os.Root) bool {
	f, err := root.Open(".gitattributes")
	if err != nil {
		return false
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, 1<<20))
	return strings.Contains(string(text), "export-ignore") || strings.Contains(string(text), "export-subst")
}

// describe writes the listing of a subtree and its document.
func (j *job) describe(s *subtree) (fetchers.Document, error) {
	if s.Commit != "" {
		s.commit = s.Commit // the URL may have it in short
	}
	files, bytes := s.Written()
	counts := []string{markdown.Count(files, "file") + ", " + termtext.Bytes(bytes)}
	if n := s.Missing(); n > 0 {
		most := checkout.DefaultLimits
		counts = append(counts, fmt.Sprintf("incomplete: %s, the most is %s and %s files: fetch a folder below it, or git clone https://github.com/%s.git",
			are(n, "file is missing", "files are missing"), termtext.Bytes(most.Bytes), termtext.Count(most.Files), s.repo))
	}
	if n := len(s.Entries) - files - s.Missing() + s.More; n > 0 {
		counts = append(counts, are(n, "link or submodule is no file here", "links and submodules are no files here"))
	}
	if s.exports {
		counts = append(counts, "from GitHub's archive, which .gitattributes keeps some files out of or changes them in (export-ignore, export-subst)")
	}

	var d markdown.Doc
	d.Heading(1, s.repo+": "+termtext.Exact(s.path)+"/ at "+s.at())
	d.Add(s.url("tree"))
	d.Add("The files are in the folder " + filepath.Base(s.folder) + " beside this listing, which has the biggest first.")
	for _, c := range counts {
		d.Add(c)
	}
	if s.archive && !s.exports {
		d.Add("They come from GitHub's archive of the commit. A file marked export-ignore in .gitattributes is not in it.")
	}
	d.Table([]string{"bytes", "path", "note"}, s.rows())
	if s.More > 0 {
		d.Add(are(s.More, "further entry is not listed", "further entries are not listed"))
	}
	body, err := j.write("listing.md", d.String())
	if err != nil {
		return fetchers.Document{}, err
	}
	facts := append(j.placeFacts(s.place), "files: "+s.folder+"/")
	return fetchers.Document{
		Kind: "github.subtree", Title: s.repo + ": files of " + termtext.Exact(s.path) + "/", Link: s.url("tree"), Via: "web",
		Facts: append(facts, counts...), Excerpt: s.top(), Bodies: []fetchers.Body{body},
	}, nil
}

func are(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return termtext.Count(n) + " " + more
}

// rows are the entries, those with the most bytes first.
func (s *subtree) rows() [][]string {
	entries := slices.SortedStableFunc(slices.Values(s.Entries), func(a, b checkout.Entry) int {
		return cmp.Or(-cmp.Compare(a.Size, b.Size), strings.Compare(a.Path, b.Path))
	})
	var rows [][]string
	for _, e := range entries {
		var notes []string
		if e.Executable {
			notes = append(notes, "executable in the repository")
		}
		size := strconv.FormatInt(e.Size, 10)
		if e.Omitted != "" {
			notes = append(notes, "not here: "+termtext.Exact(e.Omitted))
			if e.Size == 0 {
				size = ""
			}
		} else if e.File != e.Path {
			notes = append(notes, "here as "+e.File)
		}
		rows = append(rows, []string{size, termtext.Exact(e.Path), strings.Join(notes, "; ")})
	}
	return rows
}

// top are the names directly in the folder.
func (s *subtree) top() string {
	var folder gitEntry
	seen := make(map[string]bool)
	for _, e := range s.Entries {
		name, _, isFolder := strings.Cut(e.Path, "/")
		if seen[name] {
			continue
		}
		seen[name] = true
		mode := modeFile
		if isFolder {
			mode = modeFolder
		}
		folder.Entries = append(folder.Entries, gitEntry{Name: name, Mode: mode})
	}
	return entryNames(folder)
}
