package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
)

// textMatches is the media type of search results with the places that match.
const textMatches = "application/vnd.github.text-match+json"

// maxSearch is the most that is read of an answer with matches, in bytes.
const maxSearch = 16 << 20

type codeMatch struct {
	Path       string
	URL        string `json:"html_url"`
	Repository struct {
		Name string `json:"full_name"`
	}
	Matches []struct{ Fragment, Property string } `json:"text_matches"`
}

// searchCode lists files, and writes what matches in them beside the listing.
// GitHub searches code for those with a token only.
func searchCode(ctx context.Context, j *job, c searchCall) (fetchers.Document, error) {
	if !j.api.Token(ctx) {
		return fetchers.Document{}, errUnclaimed
	}
	s, err := j.api.Open(ctx, api.API, "search/code", c.values(1), textMatches)
	if err != nil {
		return fetchers.Document{}, searchFailure(err, c.query)
	}
	defer s.Body.Close()
	var f found[codeMatch]
	if err := json.NewDecoder(io.LimitReader(s.Body, maxSearch)).Decode(&f); err != nil {
		if _, broken := errors.AsType[*api.Error](err); broken {
			return fetchers.Document{}, err
		}
		return fetchers.Document{}, fmt.Errorf("search/code: GitHub's answer is not understood: %w", err)
	}
	f.Hidden = hides(s.Header)
	var more []fetchers.Body
	if text := fragments(c.title(), f.Items); text != "" {
		body, err := j.write("matches.md", text)
		if err != nil {
			return fetchers.Document{}, err
		}
		more = append(more, body)
	}
	return results(j, c, f, []string{"repository", "path", "URL"}, func(l *listing, x codeMatch) {
		l.add(x.Repository.Name+": "+x.Path, x.Repository.Name, x.Path, x.URL)
	}, more...)
}

// fragments are the places that match, file by file; "" when GitHub sent none.
func fragments(title string, files []codeMatch) string {
	var d markdown.Doc
	d.Heading(1, title)
	empty := d.Line()
	for _, x := range files {
		if len(x.Matches) == 0 {
			continue
		}
		d.Heading(2, x.Repository.Name+": "+x.Path)
		d.Add(x.URL)
		for _, m := range x.Matches {
			d.Add(markdown.Fence("", markdown.Newlines(m.Fragment)))
		}
	}
	if d.Line() == empty {
		return ""
	}
	return d.String()
}
