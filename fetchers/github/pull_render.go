package github

import (
	"fmt"
	"strings"

	"pifetch/fetchers/github/markdown"
)

func (p *pull) render(d *diff) (string, marks) {
	doc := p.document(p.head(d))
	var index []entry
	index = append(index, entry{p.addPost(doc), "description"})
	index = append(p.addThreads(doc), index...)
	section := func(line int, what string) {
		if line > 0 {
			index = append(index, entry{line, what})
		}
	}
	section(p.addReviews(doc), p.Reviews.count("review"))
	section(p.addComments(doc), p.Comments.count("comment"))
	p.addLinked(doc)
	section(p.addCommits(doc), p.Commits.count("commit"))
	section(p.addFiles(doc, d), "changed files: "+p.filesCount(d))
	return doc.text(func(down int) string { return renderIndex(index, down) })
}

// entry is a line of the index.
type entry struct {
	line int
	what string
}

func renderIndex(index []entry, down int) string {
	rows := make([][]string, len(index))
	for i, e := range index {
		rows[i] = []string{number(e.line + down), e.what}
	}
	return "## Index\n\n" + markdown.Table([]string{"line", "what"}, rows)
}

func (p *pull) head(d *diff) head {
	var h head
	state := p.state()
	switch {
	case !p.Merged.IsZero():
		state += ", " + markdown.Time(p.Merged)
	case !p.Closed.IsZero():
		state += ", " + markdown.Time(p.Closed)
	}
	h.add("state", state)
	if p.MergedAs != "" {
		h.add("merged as", "https://github.com/"+p.Repo+"/commit/"+p.MergedAs)
	}
	h.add("branches", markdown.Code(p.Head.label(p.Repo))+" into "+markdown.Code(p.Base.label(p.Repo)))
	h.add("head", "https://github.com/"+p.Repo+"/commit/"+p.Head.SHA)
	h.add("base", p.Base.SHA)
	commits := p.Commits.count("commit")
	if p.Commits.Total >= 0 {
		commits = markdown.Count(p.Commits.Total, "commit")
	}
	h.add("changes", fmt.Sprintf("+%d -%d in %s, %s", p.Additions, p.Deletions, markdown.Count(p.Changed, "file"), commits))
	h.add("reviews", p.verdict())
	h.add("mergeable", strings.Trim(p.Mergeable+", "+p.Blocked, ", "))
	if len(p.Checks.List) > 0 {
		h.add("checks", p.Checks.summary()+" (see "+checksName+")")
	}
	h.add("checks", p.Checks.Missing)
	p.addTo(&h)
	for _, r := range p.Closing {
		h.add("closes", r.String())
	}
	if p.Partial {
		h.add("closes", "told only with a token")
	}
	if d.Range != "" {
		h.add(diffName, "of the commits "+d.Range+" only")
	}
	for _, text := range d.facts() {
		h.add("diff", text)
	}
	if d.Omitted > 0 || d.Truncated {
		h.add("diff", "a file as it is in the head: https://github.com/"+p.Repo+"/blob/"+p.Head.SHA+"/PATH")
	}
	return h
}

// addReviews writes the verdicts with their texts.
func (p *pull) addReviews(d *document) int {
	if len(p.Reviews.List) == 0 && !p.Reviews.More {
		return 0
	}
	places := map[string][]string{}
	for _, t := range p.Threads.List {
		for _, c := range t.Comments {
			if n := len(places[c.Review]); n == 0 || places[c.Review][n-1] != t.place() {
				places[c.Review] = append(places[c.Review], t.place())
			}
		}
	}
	line := d.body.Line()
	d.body.Heading(2, "Reviews")
	if p.Reviews.More {
		d.body.Add(p.Reviews.count("review") + " here; the rest: " + p.apiURL("pulls/"+number(p.Number)+"/reviews?per_page=100&page="+number(len(p.Reviews.List)/perPage+1)))
	}
	for _, r := range p.Reviews.List {
		d.addReview(r, p.Head.SHA, places[strings.TrimPrefix(r.ID, reviewAnchor)])
	}
	return line
}

// addReview writes a review. places are what its comments on lines are about,
// head is the commit the pull request has now.
func (d *document) addReview(r review, head string, places []string) {
	about := ""
	if len(places) > 0 {
		about = "Comments on lines: " + strings.Join(places, "; ")
	}
	d.mark(r.ID, excerptOf(strings.TrimSpace(r.heading()+":\n"+r.Body+"\n"+about)))
	if r.Body == "" && about != "" {
		d.body.Heading(3, r.heading())
		d.body.Add(r.URL)
	} else {
		r.add(&d.body, 3)
	}
	d.body.Add(about)
	if r.Commit != "" && head != "" && r.Commit != head {
		d.body.Add("Given for commit " + short(r.Commit) + ", which is not the head.")
	}
}

func (p *pull) addCommits(d *document) int {
	if len(p.Commits.List) == 0 && !p.Commits.More {
		return 0
	}
	line := d.body.Line()
	d.body.Heading(2, "Commits")
	if len(p.Commits.List) == 0 {
		d.body.Add("They are listed by " + p.URL + "/commits")
		return line
	}
	p.addCommitsNote(&d.body)
	rows := make([][]string, len(p.Commits.List))
	for i, c := range p.Commits.List {
		rows[i] = []string{short(c.SHA), markdown.Day(c.Time), c.Author, c.subject()}
	}
	d.body.Table([]string{"commit", "date", "author", "subject"}, rows)
	return line
}

func (p *pull) addCommitsNote(d *markdown.Doc) {
	if p.Commits.More {
		d.Add(p.Commits.count("commit") + " here; the rest: " + p.apiURL("pulls/"+number(p.Number)+"/commits?per_page=100&page="+number(len(p.Commits.List)/perPage+1)))
	}
}

// renderChecks is checks.md.
func (p *pull) renderChecks() string {
	rest := p.apiURL("commits/" + p.Head.SHA + "/check-runs?per_page=100&page=" + number(len(p.Checks.List)/perPage+1))
	return p.Checks.render(p.name(), rest)
}

// renderCommits is commits.md.
func (p *pull) renderCommits() string {
	var d markdown.Doc
	d.Heading(1, p.name()+": commits")
	p.addCommitsNote(&d)
	for _, c := range p.Commits.List {
		d.Heading(2, short(c.SHA)+": "+c.subject())
		d.Add("by " + markdown.Line(c.Author) + ", " + markdown.Time(c.Time) + "\n" + c.URL)
		if body := c.body(); body != "" {
			d.Add(markdown.Fence("", body))
		}
	}
	return d.String()
}

func (p *pull) commitsExcerpt() string {
	var b strings.Builder
	for _, c := range p.Commits.List {
		b.WriteString(short(c.SHA) + " " + markdown.Line(c.subject()) + "\n")
	}
	return excerptOf(b.String())
}
