package github

import (
	"context"
	"fmt"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/patch"
)

const compareName = "compare.md"

// comparison is what REST says of two commits.
type comparison struct {
	URL       string    `json:"html_url"`
	Status    string    // "ahead", "behind", "diverged", "identical"
	Ahead     int       `json:"ahead_by"`
	Behind    int       `json:"behind_by"`
	Total     int       `json:"total_commits"`
	Base      gitCommit `json:"base_commit"`
	MergeBase gitCommit `json:"merge_base_commit"`
	Commits   []gitCommit
	Files     []restFile
}

// headSHA is the commit on the right. GitHub lists the latest commits of a long
// comparison, the last of them the head; without any the head is an ancestor
// of the base.
func (c comparison) headSHA() string {
	if n := len(c.Commits); n > 0 {
		return c.Commits[n-1].SHA
	}
	return c.MergeBase.SHA
}

// comparePage is a comparison's document under way.
type comparePage struct {
	comparison
	repo       string
	base, head string // as the URL has them
	dots       string // ".." or "..."
	direct     bool   // the diff is from base to head, not from the merge base
	diff       *diff
	files      []patch.Section
	more       bool // there may be more files
}

func resolveCompare(ctx context.Context, j *job) (fetchers.Document, error) {
	if !j.keepsTo() {
		return fetchers.Document{}, errUnclaimed
	}
	p := comparePage{dots: "..."}
	var ok bool
	if p.base, p.head, ok = strings.Cut(j.ID, p.dots); !ok {
		p.dots = ".."
		p.base, p.head, _ = strings.Cut(j.ID, p.dots)
	}
	alone := fetchers.Document{Kind: "github.compare", Title: j.repo() + ": " + j.ID + ": diff"}
	if doc, ok := j.pageDiff(ctx, p.path(p.dots), alone, "the list of commits"); ok {
		return doc, nil
	}
	if _, err := j.api.Get(ctx, j.path(p.path("...")), nil, &p.comparison); err != nil {
		return fetchers.Document{}, err
	}
	p.repo = j.nowIn(p.URL)
	if err := p.readDiff(ctx, j); err != nil {
		if ctx.Err() != nil || j.Sub != "" {
			return fetchers.Document{}, err
		}
		p.diff = &diff{Missing: reason(err)}
	}
	p.placeFiles()
	return p.deliver(j)
}

// path is the comparison below the repository, of the API and of the web.
func (p *comparePage) path(dots string) string {
	return "compare/" + escapePath(p.base) + dots + escapePath(p.head)
}

// readDiff writes the diff that the URL asks for. Three dots are the changes
// since the merge base. Two are the difference of both ends: the same while
// the base is an ancestor of the head, and else known to the page alone.
func (p *comparePage) readDiff(ctx context.Context, j *job) (err error) {
	p.direct = p.MergeBase.SHA == p.Base.SHA
	if p.dots == ".." && !p.direct {
		if p.diff, err = j.publicDiff(ctx, p.path("..")); err == nil {
			p.direct = true
			return nil
		}
	}
	src := diffSource{api: p.path("..."), web: p.path("..."), files: p.path("...")}
	p.diff, err = j.writeDiff(ctx, src)
	if tooLarge(err) {
		p.diff, err = j.rebuildDiff(ctx, src, p.MergeBase.SHA, p.headSHA(), -1)
	}
	return err
}

// placeFiles joins the listed files with their places in the patch. The list
// ends at a number of files, the patch does not; only the patch knows what
// changed between two ends that have diverged.
func (p *comparePage) placeFiles() {
	asListed := p.MergeBase.SHA == p.Base.SHA || !p.direct
	if len(p.diff.Sections) >= len(p.Files) || !asListed {
		p.files, p.more = p.diff.Sections, p.diff.Truncated
		return
	}
	p.files, p.more = sections(p.Files), len(p.Files) >= maxFiles
	p.diff.place(p.files)
}

func (p *comparePage) title() string {
	return markdown.Line(p.repo + ": " + p.base + p.dots + p.head)
}

func (p *comparePage) deliver(j *job) (fetchers.Document, error) {
	body, err := j.write(compareName, p.render())
	if err != nil {
		return fetchers.Document{}, err
	}
	doc := fetchers.Document{
		Kind: "github.compare", Title: p.title(), Link: j.linkTo("https://github.com/" + p.repo + "/" + p.path(p.dots)),
		Facts: append(p.facts(), with(j.newName(p.URL))...), Excerpt: p.commitsExcerpt(), Via: "api", Bodies: []fetchers.Body{body},
	}
	if p.diff.Body.Name != "" {
		doc.Bodies = append(doc.Bodies, p.diff.Body)
	}
	if j.Sub != "" {
		doc.Bodies, doc.Excerpt = leading(doc.Bodies, diffName), filesExcerpt(p.files)
	}
	if j.Anchor.Name == "diff" {
		j.describeDiff(&doc, p.diff, p.files)
	}
	return doc, nil
}

// distance is "3 ahead, 1 behind".
func (p *comparePage) distance() string {
	if p.Status == "identical" {
		return "identical"
	}
	var parts []string
	if p.Ahead > 0 {
		parts = append(parts, markdown.Count(p.Ahead, "commit")+" ahead")
	}
	if p.Behind > 0 {
		parts = append(parts, markdown.Count(p.Behind, "commit")+" behind")
	}
	return strings.Join(parts, ", ")
}

// between says what the diff is of.
func (p *comparePage) between() string {
	if p.direct {
		return short(p.Base.SHA) + " to " + short(p.headSHA())
	}
	return "merge base " + short(p.MergeBase.SHA) + " to " + short(p.headSHA())
}

func (p *comparePage) facts() []string {
	facts := []string{p.distance()}
	if p.Total > len(p.Commits) {
		facts = append(facts, fmt.Sprintf("the latest %d of %s", len(p.Commits), markdown.Count(p.Total, "commit")))
	}
	if len(p.files) == 0 && p.diff.Missing == "" {
		return append(facts, "no changes")
	}
	facts = append(facts, p.changes())
	facts = append(facts, "diff of "+p.between())
	if p.dots == ".." && !p.direct {
		facts = append(facts, "two dots asked, three given: GitHub's API has no other diff")
	}
	return append(facts, p.diff.facts()...)
}

// changes is "+3 -1 in 2 files".
func (p *comparePage) changes() string {
	plus, minus := 0, 0
	for _, f := range p.files {
		plus += f.Additions
		minus += f.Deletions
	}
	count := markdown.Count(len(p.files), "file")
	if p.more {
		count = "the first " + count
	}
	return fmt.Sprintf("+%d -%d in %s", plus, minus, count)
}

func (p *comparePage) commitsExcerpt() string {
	var b strings.Builder
	for _, c := range p.Commits {
		b.WriteString(short(c.SHA) + " " + markdown.Line(c.line().subject()) + "\n")
	}
	if b.Len() == 0 {
		return p.head + ": " + p.distance()
	}
	return excerptOf(b.String())
}

func (p *comparePage) render() string {
	var h head
	h.add("base", p.base+" "+p.Base.SHA)
	h.add("head", p.head+" "+p.headSHA())
	h.add("merge base", p.MergeBase.SHA+", "+markdown.Time(p.MergeBase.Commit.Committer.Date))
	h.add("head is", p.distance())
	switch {
	case p.diff.Missing != "":
		h.add("no "+diffName, p.diff.Missing)
	case len(p.files) == 0:
		h.add("changes", "none")
	default:
		h.add("changes", p.changes())
		h.add("diff", diffName+" is of "+p.between())
	}
	h.add("page", "https://github.com/"+p.repo+"/"+p.path(p.dots))
	h.add("permalink", "https://github.com/"+p.repo+"/compare/"+p.Base.SHA+p.dots+p.headSHA())
	var d markdown.Doc
	d.Heading(1, p.title())
	d.Add(strings.Join(h, "\n"))
	if len(p.Commits) > 0 {
		d.Heading(2, "Commits")
		if p.Total > len(p.Commits) {
			d.Add(fmt.Sprintf("The latest %d of %d; all of them, from the first on: https://api.github.com/repos/%s/%s?per_page=100&page=1", len(p.Commits), p.Total, p.repo, p.path("...")))
		}
		var rows [][]string
		for _, c := range p.Commits {
			rows = append(rows, c.line().cells())
		}
		d.Table(commitColumns, rows)
	}
	if len(p.files) > 0 {
		d.Heading(2, "Changed files")
		if p.more {
			d.Add(fmt.Sprintf("There may be more; a clone has them: git diff --stat %s%s%s", p.MergeBase.SHA, "..", p.headSHA()))
		}
		addFileTable(&d, p.files)
	}
	return d.String()
}

// commitColumns name the cells of a commit in a table.
var commitColumns = []string{"commit", "date", "author", "subject", "URL"}

func (c commitLine) cells() []string {
	return []string{short(c.SHA), markdown.Day(c.Time), c.Author, c.subject(), c.URL}
}
