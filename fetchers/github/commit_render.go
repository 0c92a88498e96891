package github

import (
	"fmt"
	"strings"

	"pifetch/fetchers/github/markdown"
)

// facts decide without reading.
func (p *commitPage) facts() []string {
	author := p.Commit.Author
	var facts []string
	if by := who(author, p.Author); by != "" {
		facts = []string{"by " + named(by), markdown.Day(author.Date)}
	}
	facts = append(facts, fmt.Sprintf("+%d -%d", p.Stats.Additions, p.Stats.Deletions), p.countFiles())
	if p.ref != "" {
		facts = append(facts, named(p.ref)+" is "+p.SHA)
	}
	if n := len(p.Parents); n > 1 {
		facts = append(facts, fmt.Sprintf("merge of %d parents, %s is to the first", n, diffName))
	}
	for _, pull := range p.pulls {
		facts = append(facts, fmt.Sprintf("pull request #%d %s", pull.Number, pull.state()))
	}
	facts = append(facts, p.checks.fact()...)
	switch {
	case p.noTalk != "":
		facts = append(facts, "comments not read: "+p.noTalk)
	case p.comments.More:
		facts = append(facts, p.comments.count("comment"))
	case len(p.comments.List) > 0:
		facts = append(facts, markdown.Count(len(p.comments.List), "comment"))
	}
	return append(facts, p.diff.facts()...)
}

func (p *commitPage) countFiles() string {
	count := markdown.Count(len(p.files), "file")
	if p.more {
		return "the first " + count
	}
	return count
}

// state is "open", "draft", "merged" or "closed".
func (r *restPull) state() string {
	switch {
	case !r.Merged.IsZero():
		return "merged"
	case r.Draft && r.State == "open":
		return "draft"
	}
	return r.State
}

// checksLine is the summary, and where all of them are.
func (p *commitPage) checksLine() string {
	line := strings.TrimPrefix(strings.Join(p.checks.fact(), ""), "checks: ")
	if len(p.checks.List) == 0 && p.checks.Missing == "" {
		return "none"
	}
	return line + ": https://github.com/" + p.repo + "/commit/" + p.SHA + "/checks"
}

func (p *commitPage) render() (string, marks) {
	var h head
	h.add("commit", p.SHA)
	author, committer := p.Commit.Author, p.Commit.Committer
	if by := who(author, p.Author); by != "" {
		h.add("author", by+", "+markdown.Time(author.Date))
	}
	if by := who(committer, p.Committer); committer != author && committer.Name != "" {
		h.add("committer", by+", "+markdown.Time(committer.Date))
	}
	for _, parent := range p.Parents {
		h.add("parent", parent.URL)
	}
	if v := p.Commit.Verification; v != nil && v.Verified {
		h.add("signature", "verified by GitHub")
	} else if v != nil && v.Reason != "unsigned" {
		h.add("signature", "not verified: "+words(v.Reason))
	}
	for _, pull := range p.pulls {
		h.add("pull request", fmt.Sprintf("%s %s (%s)", pull.URL, pull.Title, pull.state()))
	}
	if p.noPulls != "" {
		h.add("pull requests", "not read: "+p.noPulls)
	}
	h.add("changes", fmt.Sprintf("+%d -%d in %s", p.Stats.Additions, p.Stats.Deletions, p.countFiles()))
	h.add("checks", p.checksLine())
	h.add("page", p.URL)
	d := &document{title: p.title(), head: h, marks: marks{}}
	d.body.Heading(2, "Message")
	d.body.Add(markdown.Fence("text", strings.Trim(markdown.Newlines(p.Commit.Message), "\n")))
	if len(p.files) > 0 {
		d.body.Heading(2, "Changed files")
		if p.more {
			d.body.Add("There may be more; a clone has them: git show --stat " + p.SHA)
		}
		addFileTable(&d.body, p.files)
	}
	if p.diff.Missing != "" {
		d.body.Add("No " + diffName + ": " + p.diff.Missing)
	}
	p.addComments(d)
	if p.linked != nil {
		d.body.Heading(2, "What the URL points at")
		d.addComment(p.linked.comment(), 3)
	}
	return d.text(nil)
}
