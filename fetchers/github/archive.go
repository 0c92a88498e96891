package github

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/target"
)

// resolveArchive stores the archive of a commit, or makes files of it.
func resolveArchive(ctx context.Context, j *job) (fetchers.Document, error) {
	form, ref := archiveOf(j.Target)
	if j.tree {
		j.Target = archiveTree(j.Target, ref)
		return j.subtree(ctx)
	}
	s, err := j.openArchive(ctx, form, ref)
	if err != nil {
		return fetchers.Document{}, err
	}
	name := artifact.NameFrom(s.Header.Get("Content-Disposition"), &url.URL{Path: "/" + j.Repo + "-" + strings.ReplaceAll(ref, "/", "-") + "." + form}, "")
	body, err := j.store(name, s)
	if errors.Is(err, fetchers.ErrTooLarge) {
		return fetchers.Document{}, fmt.Errorf("%w: git clone --depth 1 https://github.com/%s.git", err, j.repo())
	}
	if err != nil {
		return fetchers.Document{}, err
	}
	commit, err := j.archiveCommit(body, form)
	if err != nil {
		return fetchers.Document{}, fmt.Errorf("%s cannot be read: %w", body.Name, err)
	}
	p := place{repo: j.repo(), ref: shortRef(ref), commit: commit}
	doc := fetchers.Document{
		Kind: "github.archive", Title: fmt.Sprintf("%s: %s of %s", p.repo, form, p.ref), Via: "web",
		Facts: []string{"repo " + p.repo}, Bodies: []fetchers.Body{body},
	}
	if commit != "" {
		doc.Facts = append(doc.Facts, p.at())
		doc.Link = "https://github.com/" + p.repo + "/archive/" + commit + "." + form
	}
	return doc, nil
}

// archiveOf is the form, "zip" or "tar.gz", and the ref of an archive.
func archiveOf(t target.Target) (form, ref string) {
	ref = strings.Join(t.Path, "/")
	switch t.Sub {
	case "zipball":
		return "zip", ref
	case "tarball":
		return "tar.gz", ref
	case "archive":
		if cut, ok := strings.CutSuffix(ref, ".zip"); ok {
			return "zip", cut
		}
		return "tar.gz", strings.TrimSuffix(ref, ".tar.gz")
	}
	return strings.TrimPrefix(t.Sub, "legacy."), ref
}

// archiveTree is the target of the folder that an archive holds.
func archiveTree(t target.Target, ref string) target.Target {
	t.Kind, t.Sub = target.Directory, "contents"
	t.Path, t.Params = nil, url.Values{"ref": {ref}}
	return t
}

// shortRef is a ref without the folder it is in.
func shortRef(ref string) string {
	for _, kind := range []string{"refs/heads/", "refs/tags/"} {
		ref = strings.TrimPrefix(ref, kind)
	}
	return ref
}

// openArchive asks without the API first, which knows public repositories only.
func (j *job) openArchive(ctx context.Context, form, ref string) (*api.Stream, error) {
	s, err := j.api.Open(ctx, api.Codeload, escapePath(j.repo())+"/"+form+"/"+escapePath(ref), nil, "")
	if api.CodeOf(err) != api.NotFound || !j.api.Token(ctx) {
		return s, err
	}
	ball := map[string]string{"zip": "zipball", "tar.gz": "tarball"}[form]
	return j.api.Open(ctx, api.API, "repos/"+escapePath(j.repo())+"/"+ball+"/"+escapePath(ref), nil, api.JSON)
}

// archiveCommit reads the commit an archive was made of, "" when it does not
// tell. It fails when the file is no such archive.
func (j *job) archiveCommit(body fetchers.Body, form string) (string, error) {
	commit := ""
	if form == "zip" {
		z, err := zip.OpenReader(body.Path)
		if err != nil {
			return "", err
		}
		defer z.Close()
		commit = z.Comment
	} else {
		r, err := j.folder.Open(body.Name)
		if err != nil {
			return "", err
		}
		defer r.Close()
		unzipped, err := gzip.NewReader(r)
		if err != nil {
			return "", err
		}
		h, err := tar.NewReader(unzipped).Next()
		if err != nil {
			return "", err
		}
		commit = h.PAXRecords["comment"]
	}
	if !isSHA(commit) {
		return "", nil
	}
	return commit, nil
}
