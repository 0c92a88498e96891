package github

import (
	"cmp"
	"context"
	"io"
	"net/url"
	"strings"

	"pifetch/fetchers/github/patch"
)

type restFile struct {
	SHA       string
	Name      string `json:"filename"`
	OldName   string `json:"previous_filename"`
	Status    string
	Additions int
	Deletions int
	Changes   int
	Patch     string
}

// rebuildDiff writes diff.patch from the listing of the changed files, for a
// diff that GitHub does not make as a whole. base and head are the commits on
// either side, base "" before the first; changed is how many files there are, -1 when not known.
// Where GitHub does not compare the commits, modes before the change are unknown.
func (j *job) rebuildDiff(ctx context.Context, src diffSource, base, head string, changed int) (*diff, error) {
	listed, more, err := j.listFiles(ctx, src)
	if err != nil {
		return nil, err
	}
	// GitHub may have no time to compare what it has no time to make a diff of.
	var before map[string]treeEntry
	if base != "" {
		if base, err = j.mergeBase(ctx, base, head); err == nil {
			before = j.readTree(ctx, base)
		}
	}
	after := j.readTree(ctx, head)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	files := make([]patch.File, len(listed))
	for i, f := range listed {
		old := before[cmp.Or(f.OldName, f.Name)]
		files[i] = patch.File{
			Path: f.Name, OldPath: f.OldName, Status: f.Status, Patch: f.Patch, SHA: f.SHA, OldSHA: old.SHA,
			OldMode: old.Mode, NewMode: after[f.Name].Mode,
			Additions: f.Additions, Deletions: f.Deletions, Changes: f.Changes,
		}
	}
	d := &diff{}
	err = d.write(j.folder, func(w io.Writer) (patch.Result, error) { return patch.Rebuild(w, files, patch.Limits{}) })
	if err != nil {
		return nil, err
	}
	d.Truncated = d.Truncated || more || changed > len(listed)
	return d, nil
}

// mergeBase is the commit that GitHub compares head with.
func (j *job) mergeBase(ctx context.Context, base, head string) (string, error) {
	var comparison struct {
		MergeBase struct{ SHA string } `json:"merge_base_commit"`
	}
	_, err := j.api.Get(ctx, j.path(compareDiff(base, head).api), url.Values{"per_page": {"1"}}, &comparison)
	return comparison.MergeBase.SHA, err
}

// listFiles lists the changed files. A commit and a comparison have them beside
// the rest.
func (j *job) listFiles(ctx context.Context, src diffSource) (files []restFile, more bool, err error) {
	if strings.HasPrefix(src.files, "pulls/") {
		return readList[restFile](ctx, j, j.path(src.files), maxFiles)
	}
	var holder struct{ Files []restFile }
	_, err = j.api.Get(ctx, j.path(src.files), nil, &holder)
	return holder.Files, len(holder.Files) >= maxFiles, err
}

// treeEntry is what a tree tells of a file.
type treeEntry struct{ Path, Mode, SHA string }

// readTree reads the files of a commit by path, because the listing of changed
// files has neither modes nor the objects before the change. What it cannot
// have stays unknown.
func (j *job) readTree(ctx context.Context, sha string) map[string]treeEntry {
	entries := map[string]treeEntry{}
	var tree struct{ Tree []treeEntry }
	if _, err := j.api.Get(ctx, j.path("git/trees/"+sha), url.Values{"recursive": {"1"}}, &tree); err != nil {
		return entries
	}
	for _, e := range tree.Tree {
		entries[e.Path] = e
	}
	return entries
}
