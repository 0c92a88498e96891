package github

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"path"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/internal/termtext"
)

// maxFile is the most bytes GitHub serves of one file.
const maxFile = 100 << 20

// maxTarget is the most characters of a link's target in the facts.
const maxTarget = 200

// resolveFile makes a document of one file of a repository at one commit. A
// path that is a folder becomes the folder's document.
func resolveFile(ctx context.Context, j *job) (fetchers.Document, error) {
	if j.api.Token(ctx) {
		p, err := j.locate(ctx, false)
		if err != nil {
			return fetchers.Document{}, err
		}
		return j.fileAt(ctx, p)
	}
	places, err := j.publicPlaces(ctx, false)
	if err != nil {
		return fetchers.Document{}, err
	}
	for _, p := range places {
		if p.path == "" {
			return resolveDirectory(ctx, j)
		}
		body, err := j.storePublic(ctx, p)
		switch {
		case api.CodeOf(err) == api.NotFound:
			continue
		case err != nil:
			return fetchers.Document{}, err
		}
		return j.fileDocument(p, body, "web", "")
	}
	if j.Sub == "contents" { // folders have the same URLs
		return resolveDirectory(ctx, j)
	}
	return fetchers.Document{}, errUnclaimed
}

// fileAt fetches a file whose entry is known.
func (j *job) fileAt(ctx context.Context, p place) (fetchers.Document, error) {
	switch p.entry.Mode {
	case modeFolder:
		if j.tree {
			return j.subtree(ctx)
		}
		return j.directoryDocument(p, "api")
	case modeSubmodule:
		return j.submoduleDocument(p)
	}
	if p.entry.Size > maxFile {
		return fetchers.Document{}, fileTooLarge(p, p.entry.Size)
	}
	target := ""
	if p.entry.Mode == modeLink {
		var err error
		if target, err = j.linkTarget(ctx, p); err != nil {
			return fetchers.Document{}, err
		}
	}
	if j.Sub == "media" {
		body, err := j.storeMedia(ctx, p)
		if err != nil {
			return fetchers.Document{}, err
		}
		return j.fileDocument(p, body, "web", target)
	}
	s, err := j.api.Open(ctx, api.API, "repos/"+escapePath(p.repo)+"/contents/"+escapePath(p.path), url.Values{"ref": {p.commit}}, api.RawObj)
	if err != nil {
		return fetchers.Document{}, err
	}
	if target != "" && isJSON(s) { // the link leads to no file: GitHub describes it
		s.Body.Close()
		body, err := j.write(path.Base(p.path), target)
		if err != nil {
			return fetchers.Document{}, err
		}
		return j.fileDocument(p, body, "api", target)
	}
	body, err := j.storeFile(p, s)
	if err != nil {
		return fetchers.Document{}, err
	}
	return j.fileDocument(p, body, "api", target)
}

// isJSON reports whether the API describes a thing instead of sending its
// bytes.
func isJSON(s *api.Stream) bool {
	mediaType, _, _ := mime.ParseMediaType(s.Header.Get("Content-Type"))
	return mediaType == "application/json" || strings.HasPrefix(mediaType, "application/vnd.github") && strings.Contains(mediaType, "+json") && !strings.Contains(mediaType, ".raw")
}

// storePublic stores a public file without the API.
func (j *job) storePublic(ctx context.Context, p place) (fetchers.Body, error) {
	if j.Sub == "media" {
		return j.storeMedia(ctx, p)
	}
	s, err := j.api.Open(ctx, api.Raw, escapePath(p.repo)+"/"+p.commit+"/"+escapePath(p.path), nil, "")
	if err != nil {
		return fetchers.Body{}, err
	}
	return j.storeFile(p, s)
}

// storeMedia stores what a Git LFS pointer stands for. GitHub's pages lead
// there.
func (j *job) storeMedia(ctx context.Context, p place) (fetchers.Body, error) {
	s, err := j.api.Open(ctx, api.Web, escapePath(p.repo)+"/raw/"+p.commit+"/"+escapePath(p.path), nil, "")
	if err != nil {
		return fetchers.Body{}, err
	}
	return j.storeFile(p, s)
}

func (j *job) storeFile(p place, s *api.Stream) (fetchers.Body, error) {
	if s.Length > maxFile {
		s.Body.Close()
		return fetchers.Body{}, fileTooLarge(p, s.Length)
	}
	body, err := j.store(path.Base(p.path), s)
	if errors.Is(err, fetchers.ErrTooLarge) {
		return fetchers.Body{}, fileTooLarge(p, 0)
	}
	return body, err
}

// fileTooLarge is the failure of a file over the cap; size is 0 when unknown.
func fileTooLarge(p place, size int64) error {
	is := "over " + termtext.Bytes(maxFile)
	if size > 0 {
		is = termtext.Bytes(size) + ", the most is " + termtext.Bytes(maxFile)
	}
	return fmt.Errorf("%s is too large: %s: git clone https://github.com/%s.git", path.Base(p.path), is, p.repo)
}

// linkTarget is what a symbolic link leads to. The contents API would follow it.
func (j *job) linkTarget(ctx context.Context, p place) (string, error) {
	s, err := j.api.Open(ctx, api.API, "repos/"+escapePath(p.repo)+"/git/blobs/"+p.entry.SHA, nil, api.RawObj)
	if err != nil {
		return "", err
	}
	return readText(s, fetchers.ExcerptBytes)
}

// fileDocument is the document of a stored file. target is what it links to.
func (j *job) fileDocument(p place, body fetchers.Body, via, target string) (fetchers.Document, error) {
	doc := fetchers.Document{
		Kind: "github.file", Title: p.repo + ": " + termtext.Exact(p.path), Link: p.url("blob"),
		Facts: j.placeFacts(p), Via: via, Bodies: []fetchers.Body{body},
	}
	view, err := j.view(body)
	if err != nil {
		return doc, err
	}
	doc.Link += view.fragment
	doc.Excerpt = view.excerpt
	if target != "" {
		doc.Facts = append(doc.Facts, "symbolic link to "+termtext.Cap(termtext.Exact(target), maxTarget))
	}
	if p.entry != nil && p.entry.Mode == modeExecutable {
		doc.Facts = append(doc.Facts, "executable")
	}
	switch {
	case body.Bytes == 0:
		doc.Facts = append(doc.Facts, "empty file")
	case body.Lines == 0:
		doc.Facts = append(doc.Facts, "binary")
	case view.pointer != nil:
		doc.Facts = append(doc.Facts, view.pointer.fact(p))
	}
	if view.anchor != "" {
		doc.Facts = append(doc.Facts, view.anchor)
	}
	return doc, nil
}

// placeFacts say where something stands in a repository.
func (j *job) placeFacts(p place) []string {
	facts := []string{"repo " + p.repo, p.at()}
	if p.path != "" {
		facts = append(facts, "path "+termtext.Exact(p.path))
	}
	if moved := p.moved(j); moved != "" {
		facts = append(facts, moved)
	}
	return facts
}

// submoduleDocument says which commit of which repository stands at a path.
func (j *job) submoduleDocument(p place) (fetchers.Document, error) {
	is := "submodule at commit " + p.entry.SHA
	if p.entry.Module != "" {
		is = "submodule: " + termtext.Exact(p.entry.Module) + " at commit " + p.entry.SHA
	}
	body, err := j.write("submodule.md", "# "+p.repo+": "+termtext.Exact(p.path)+"\n\n"+is+"\n")
	if err != nil {
		return fetchers.Document{}, err
	}
	return fetchers.Document{
		Kind: "github.submodule", Title: p.repo + ": " + termtext.Exact(p.path), Link: p.url("tree"), Via: "api",
		Facts: append(j.placeFacts(p), is), Excerpt: is, Bodies: []fetchers.Body{body},
	}, nil
}

// escapePath escapes each element of a path.
func escapePath(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}
