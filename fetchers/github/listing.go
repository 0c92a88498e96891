package github

import (
	"slices"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
	"pifetch/internal/termtext"
)

// listingName is the body that a list is written to.
const listingName = "listing.md"

// maxListed is the most items of a list that takes several requests.
const maxListed = 1000

// listing is a list on its way to a document: its facts, and a table.
type listing struct {
	Kind    string // "github.tag_list"
	Title   string
	Link    string // the page that shows the list
	Via     string // "" is the API
	Facts   []string
	Columns []string
	Rows    [][]string
	Lines   []string // the excerpt, one for each row
	Notes   []string // what the body says beside the facts: where the rest is
}

// deliver writes the listing and makes a document of it, in which more bodies
// may follow.
func (j *job) deliver(l listing, more ...fetchers.Body) (fetchers.Document, error) {
	l.Title = markdown.Line(l.Title)
	var d markdown.Doc
	d.Heading(1, l.Title)
	d.Add(bullets(append(slices.Clone(l.Facts), l.Link)))
	for _, note := range l.Notes {
		d.Add(note)
	}
	if len(l.Rows) > 0 {
		d.Table(l.Columns, l.Rows)
	} else {
		d.Add("(none)")
	}
	body, err := j.write(listingName, d.String())
	if err != nil {
		return fetchers.Document{}, err
	}
	via := l.Via
	if via == "" {
		via = "api"
	}
	return fetchers.Document{
		Kind: l.Kind, Title: l.Title, Link: l.Link, Via: via, Facts: l.Facts, Excerpt: wholeLines(l.Lines),
		Bodies: append([]fetchers.Body{body}, more...),
	}, nil
}

// add is one row and its line of the excerpt.
func (l *listing) add(line string, cells ...string) {
	l.Rows = append(l.Rows, cells)
	l.Lines = append(l.Lines, markdown.Line(line))
}

// bullets is a list of texts, those that are empty left out.
func bullets(texts []string) string {
	var lines []string
	for _, t := range texts {
		if t != "" {
			lines = append(lines, "- "+markdown.Line(t))
		}
	}
	return strings.Join(lines, "\n")
}

// wholeLines is as many whole lines as fit into an excerpt.
func wholeLines(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		if b.Len()+len(line) >= fetchers.ExcerptBytes {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}

// extent is the part of a list that one answer holds.
type extent struct {
	First int // place of its first item in the list, counted from 1
	Shown int
	Total int  // -1: unknown
	More  bool // there are more, where Total is unknown
}

// fact says how many there are and which of them are listed: "342 matches,
// showing first 100". one and many name them.
func (e extent) fact(one, many string) string {
	count := func(n int) string {
		if n == 1 {
			return "1 " + one
		}
		return termtext.Count(n) + " " + many
	}
	last := e.First + e.Shown - 1
	switch {
	case e.Total < 0 && e.First > 1 && e.Shown == 0:
		return "no " + many + " from " + termtext.Count(e.First) + " on"
	case e.Total < 0 && e.First > 1:
		return many + " " + termtext.Count(e.First) + " to " + termtext.Count(last) + e.ifMore()
	case e.Total < 0:
		return count(e.Shown) + e.ifMore()
	case e.Shown >= e.Total:
		return count(e.Total)
	case e.Shown == 0:
		return count(e.Total) + ", none of them here"
	case e.First > 1:
		return count(e.Total) + ", showing " + termtext.Count(e.First) + " to " + termtext.Count(last)
	}
	return count(e.Total) + ", showing first " + termtext.Count(e.Shown)
}

func (e extent) ifMore() string {
	if e.More {
		return ", and there are more"
	}
	return ""
}

// rest is the note that says where the rest of a list is, "" when there is none
// or it has no URL.
func rest(more bool, url string) []string {
	if !more {
		return nil
	}
	return []string{"The rest: " + url}
}

// repoPage is a page of the job's repository on GitHub.
func (j *job) repoPage(rest string) string { return "https://github.com/" + j.repo() + "/" + rest }

// repoOf is the full name of the repository that a page of github.com or a
// resource of the API belongs to, "" when it belongs to none.
func repoOf(page string) string {
	path, ok := strings.CutPrefix(page, "https://github.com/")
	if !ok {
		path, ok = strings.CutPrefix(page, "https://api.github.com/repos/")
	}
	parts := strings.SplitN(path, "/", 3)
	if !ok || len(parts) < 2 {
		return ""
	}
	return parts[0] + "/" + parts[1]
}

// newName says that the job's repository has another name now, by a page or a
// resource of its own; "" when it has not.
func (j *job) newName(page string) string {
	if now := repoOf(page); now != "" && !strings.EqualFold(now, j.repo()) {
		return "the repository is now " + now
	}
	return ""
}

// with is a list of facts without those that are empty.
func with(facts ...string) []string {
	return slices.DeleteFunc(facts, func(f string) bool { return f == "" })
}

// yes is a text where something holds, else "".
func yes(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}
