package fakegithub

import (
	"encoding/base64"
	"fmt"
	"path"
	"strings"

	"pifetch/test/fakegithub/gitrepo"
)

// revision is the ref of a request, the default branch when it names none.
func revision(r Request) string {
	if ref := r.Query.Get("ref"); ref != "" {
		return strings.TrimPrefix(ref, "refs/heads/")
	}
	return "main"
}

// Most entries of a folder that the contents API lists, and the sizes from
// which on it gives no content, and nothing.
const (
	mostEntries    = 1000
	mostInline     = 1 << 20
	mostContent    = 100 << 20
	contentVersion = "application/vnd.github.raw+json; charset=utf-8"
)

func (f *Fake) restContents(r Request) (int, any) {
	ref := revision(r)
	if r.Repo.Empty() {
		return 404, failed(404, "This repository is empty.")
	}
	sha := r.Repo.Git.CommitSHA(ref)
	if sha == "" {
		return 404, failed(404, "No commit found for the ref "+ref)
	}
	return f.contents(r, sha, ref, strings.Trim(r.Params["path"], "/"))
}

func (f *Fake) contents(r Request, sha, ref, name string) (int, any) {
	accept := r.Header.Get("Accept")
	kind, object := r.Repo.Git.Object(sha + ":" + name)
	if kind == "tree" {
		entries, err := r.Repo.Git.Tree(sha+":"+name, false)
		if err != nil {
			f.fault("%v", err)
		}
		listed := []any{}
		for _, e := range entries[:min(len(entries), mostEntries)] {
			listed = append(listed, f.content(r.Repo, ref, path.Join(name, e.Path), e, true))
		}
		if strings.Contains(accept, ".object") {
			e := gitrepo.Entry{Mode: "040000", Type: "tree", SHA: object}
			folder := f.content(r.Repo, ref, name, e, false)
			folder["entries"] = listed
			return 200, asType{"application/vnd.github.object+json; charset=utf-8", Partial{folder}}
		}
		return 200, Partial{listed}
	}
	entries, err := r.Repo.Git.Tree(sha+":"+parent(name), false)
	if err != nil {
		return notFound()
	}
	for _, e := range entries {
		if e.Path != path.Base(name) {
			continue
		}
		if e.Mode == "120000" {
			target, _ := r.Repo.Git.Blob(e.SHA)
			to := path.Join(path.Dir(name), string(target))
			if kind, _ := r.Repo.Git.Object(sha + ":" + to); kind == "blob" {
				return f.contents(r, sha, ref, to)
			}
		}
		if e.Type == "blob" && strings.Contains(accept, ".raw") {
			data, err := r.Repo.Git.Blob(e.SHA)
			if err != nil {
				f.fault("%v", err)
			}
			return 200, Bytes{contentVersion, data}
		}
		c := f.content(r.Repo, ref, name, e, false)
		if strings.Contains(accept, ".object") {
			return 200, asType{"application/vnd.github.object+json; charset=utf-8", Partial{c}}
		}
		return 200, Partial{c}
	}
	return notFound()
}

func (f *Fake) restBlob(r Request) (int, any) {
	kind, sha := r.Repo.Git.Object(r.Params["file_sha"])
	if kind != "blob" {
		return notFound()
	}
	data, err := r.Repo.Git.Blob(sha)
	if err != nil {
		f.fault("%v", err)
	}
	if strings.Contains(r.Header.Get("Accept"), ".raw") {
		return 200, Bytes{contentVersion, data}
	}
	return 200, Partial{m{"sha": sha, "size": len(data), "encoding": "base64", "content": wrap(base64.StdEncoding.EncodeToString(data)), "url": r.Repo.API("/git/blobs/%s", sha)}}
}

// asType is a body in JSON with a media type of its own.
type asType struct {
	mediaType string
	Partial
}

func parent(name string) string {
	dir := path.Dir(name)
	if dir == "." {
		return ""
	}
	return dir
}

// content is a file or a folder of the contents API.
func (f *Fake) content(r *Repo, ref, name string, e gitrepo.Entry, listed bool) m {
	page := map[string]string{"blob": "blob", "tree": "tree", "commit": "tree"}[e.Type]
	out := m{
		"name": path.Base(name), "path": name, "sha": e.SHA, "size": e.Size,
		"type": map[string]string{"blob": "file", "tree": "dir", "commit": "submodule"}[e.Type],
		"url":  r.API("/contents/%s?ref=%s", escapePath(name), ref), "html_url": r.HTML("/%s/%s/%s", page, ref, escapePath(name)),
		"git_url": r.API("/git/%ss/%s", e.Type, e.SHA), "download_url": nil,
	}
	if name == "" {
		out["name"], out["html_url"] = "", r.HTML("/tree/%s", ref)
	}
	switch {
	case e.Mode == "120000":
		out["type"] = "symlink"
		if !listed {
			target, _ := r.Git.Blob(e.SHA)
			out["target"] = string(target)
		}
	case e.Type == "commit":
		out["git_url"], out["html_url"] = nil, nil
		if listed {
			out["type"] = "file" // so that older clients do not stumble
		} else {
			out["submodule_git_url"] = r.submodule(ref, name)
		}
	case e.Type == "blob" && !listed:
		out["encoding"], out["content"] = "none", ""
		if e.Size <= mostInline {
			data, _ := r.Git.Blob(e.SHA)
			out["encoding"], out["content"] = "base64", wrap(base64.StdEncoding.EncodeToString(data))
		}
	}
	if e.Type == "blob" {
		out["download_url"] = fmt.Sprintf("https://raw.githubusercontent.com/%s/%s/%s", r.Full(), ref, escapePath(name))
	}
	out["_links"] = m{"self": out["url"], "git": out["git_url"], "html": out["html_url"]}
	return out
}

// submodule is the address of a submodule by .gitmodules.
func (r *Repo) submodule(ref, name string) any {
	text, _ := r.Git.Git("show", r.Git.CommitSHA(ref)+":.gitmodules")
	_, rest, found := strings.Cut(string(text), "path = "+name+"\n")
	_, rest, hasURL := strings.Cut(rest, "url = ")
	if !found || !hasURL {
		return nil
	}
	address, _, _ := strings.Cut(rest, "\n")
	return address
}

// wrap breaks lines after 60 characters, as the API does.
func wrap(s string) string {
	var b strings.Builder
	for len(s) > 60 {
		b.WriteString(s[:60] + "\n")
		s = s[60:]
	}
	return b.String() + s + "\n"
}

func (f *Fake) restReadme(r Request) (int, any) {
	ref := revision(r)
	sha := r.Repo.Git.CommitSHA(ref)
	if sha == "" {
		return notFound()
	}
	for _, folder := range []string{".github", "", "docs"} {
		entries, err := r.Repo.Git.Tree(sha+":"+folder, false)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.Type == "blob" && strings.HasPrefix(strings.ToLower(e.Path), "readme") {
				return f.contents(r, sha, ref, path.Join(folder, e.Path))
			}
		}
	}
	return notFound()
}
