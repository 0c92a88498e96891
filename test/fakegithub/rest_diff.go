package fakegithub

import (
	"net/url"
	"strings"

	"pifetch/test/fakegithub/gitrepo"
)

func sums(changes []gitrepo.Change) (additions, deletions int) {
	for _, c := range changes {
		additions += c.Additions
		deletions += c.Deletions
	}
	return additions, deletions
}

func (f *Fake) changes(r *Repo, from, to string) []gitrepo.Change {
	changes, err := r.Git.Changes(from, to)
	if err != nil {
		f.fault("%v", err)
	}
	return changes
}

// The most files a listing of a diff has.
const (
	mostPullFiles    = 3000
	mostCompareFiles = 300
)

// files are the changes between two commits as REST lists them.
func (f *Fake) files(r *Repo, from, to string) []any {
	out := []any{}
	for _, c := range f.changes(r, from, to) {
		path := escapePath(c.Path)
		e := m{
			"sha": c.SHA, "filename": c.Path, "status": c.Status, "additions": c.Additions, "deletions": c.Deletions, "changes": c.Additions + c.Deletions,
			"blob_url": r.HTML("/blob/%s/%s", to, path), "raw_url": r.HTML("/raw/%s/%s", to, path), "contents_url": r.API("/contents/%s?ref=%s", path, to),
		}
		if c.Patch != "" {
			e["patch"] = c.Patch
		}
		if c.OldPath != "" {
			e["previous_filename"] = c.OldPath
		}
		out = append(out, e)
	}
	return out
}

func escapePath(p string) string {
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// diffType is "diff" or "patch" for the media types of those, "" for others.
func diffType(accept string) string {
	for _, kind := range []string{"diff", "patch"} {
		if strings.Contains(accept, "github."+kind) || strings.Contains(accept, "v3."+kind) {
			return kind
		}
	}
	return ""
}

// GitHub's documented limits of a diff that the API gives.
const (
	mostDiffLines = 20_000
	mostDiffBytes = 1 << 20
	mostDiffFiles = 300
)

// diff is the text between two commits, or 406 when it is over the limits.
func (f *Fake) diff(r *Repo, from, to, kind string) (int, any) {
	text := f.diffText(r, from, to, kind)
	switch {
	case strings.Count(text, "\n") > mostDiffLines, len(text) > mostDiffBytes, strings.Count(text, "\ndiff --git ") >= mostDiffFiles:
		return 406, TooLarge()
	}
	return 200, Bytes{"application/vnd.github." + kind + "; charset=utf-8", []byte(text)}
}

func (f *Fake) diffText(r *Repo, from, to, kind string) string {
	var text []byte
	var err error
	if kind == "patch" {
		text, err = r.Git.Git("format-patch", "--stdout", "--binary", "--abbrev=10", from+".."+to)
	} else {
		text, err = r.Git.Diff(from, to)
	}
	if err != nil {
		f.fault("%v", err)
	}
	return string(text)
}
