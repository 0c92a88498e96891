package github

import (
	"cmp"
	"net/url"
	"strings"

	"pifetch/internal/termtext"
)

// nowIn is the full name of the repository that a page belongs to, as GitHub
// has it now, and the URL's own where page is none of a repository.
func (j *job) nowIn(page string) string { return cmp.Or(repoOf(page), j.repo()) }

// linkTo is the address of the page where it is not what was asked for.
func (j *job) linkTo(page string) string {
	asked, _, _ := strings.Cut(j.url.Asked, "#")
	if asked == page {
		return ""
	}
	return page
}

// restOf is the next page of a list of the API, as one can ask for it: what a
// document names never is the address of a mirror.
func (j *job) restOf(path string, query url.Values, next string) string {
	from, err := url.Parse(next)
	if err != nil {
		return ""
	}
	all := url.Values{}
	for name, values := range query {
		all[name] = values
	}
	for _, cursor := range []string{"page", "after"} {
		if at := from.Query().Get(cursor); at != "" {
			all.Set(cursor, at)
		}
	}
	return "https://api.github.com/" + j.path(path) + "?" + all.Encode()
}

// factText bounds a fact that quotes GitHub.
const factText = 160

// headOfLine is the head of a line that a fact quotes.
func headOfLine(text string) string { return termtext.Cap(named(text), factText) }
