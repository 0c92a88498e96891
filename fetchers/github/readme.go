package github

import (
	"context"
	"encoding/base64"
	"net/url"
	"path"
	"slices"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
)

// readme stores the README that GitHub chooses, nil when there is none.
func (j *job) readme(ctx context.Context, r *repository) (*fetchers.Body, error) {
	if r.commit == "" {
		return nil, nil
	}
	at := "repos/" + escapePath(r.repo) + "/"
	query := url.Values{"ref": {r.commit}}
	var got struct{ Name, Path, Encoding, Content string }
	if _, err := j.api.Get(ctx, at+"readme", query, &got); err != nil {
		if api.CodeOf(err) == api.NotFound {
			err = nil
		}
		return nil, err
	}
	r.readme = got.Path
	if got.Encoding != "base64" { // over 1 MB
		s, err := j.api.Open(ctx, api.API, at+"contents/"+escapePath(got.Path), query, api.RawObj)
		if err != nil {
			return nil, err
		}
		body, err := j.storeFile(place{repo: r.repo, path: got.Path}, s)
		return &body, err
	}
	body, err := j.folder.Write(got.Name, base64.NewDecoder(base64.StdEncoding, strings.NewReader(got.Content)))
	return &body, err
}

// publicReadme stores the README from the raw host, which does not follow
// links: of one that is a link the API is asked.
func (j *job) publicReadme(ctx context.Context, r *repository) (*fetchers.Body, error) {
	if r.entry == nil {
		return nil, nil
	}
	for _, name := range readmes(*r.entry) {
		if slices.ContainsFunc(r.entry.Entries, func(e gitEntry) bool { return e.Name == name && e.Mode == modeLink }) {
			return j.readme(ctx, r)
		}
		p := r.place
		p.path = name
		body, err := j.storePublic(ctx, p)
		switch {
		case err == nil:
			r.readme = name
			return &body, nil
		case api.CodeOf(err) != api.NotFound:
			return nil, err
		}
	}
	return nil, nil
}

// readmes are the paths where a repository's README can be, in the order in
// which GitHub looks for it.
func readmes(top gitEntry) []string {
	var found, last []string
	best := len(readmeTypes)
	for _, e := range sorted(top.Entries) {
		switch {
		case e.Mode == modeFolder && e.Name == ".github":
			found = append(found, ".github/README.md")
		case e.Mode == modeFolder && e.Name == "docs":
			last = append(last, "docs/README.md")
		case (e.Mode == modeFile || e.Mode == modeLink) && readmeRank(e.Name) < best:
			best = readmeRank(e.Name)
			last = append([]string{e.Name}, last...)
		}
	}
	return append(found, last...)
}

// readmeTypes are the extensions of READMEs, those that win first.
var readmeTypes = []string{".md", ".markdown", ".mdown", ".mkdn", ".rst", ".adoc", ".asciidoc", ".org", ".textile", ".rdoc", ".creole", ".mediawiki", ".wiki", ".pod", ".txt", ""}

func readmeRank(name string) int {
	ext := path.Ext(name)
	rank := slices.Index(readmeTypes, strings.ToLower(ext))
	if rank < 0 || !strings.EqualFold(strings.TrimSuffix(name, ext), "readme") {
		return len(readmeTypes)
	}
	return rank
}
