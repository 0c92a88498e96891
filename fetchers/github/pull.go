package github

import (
	"context"
	"errors"
	"fmt"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/patch"
	"pifetch/fetchers/github/target"
)

const (
	checksName  = "checks.md"
	commitsName = "commits.md"
)

func resolvePullRequest(ctx context.Context, j *job) (fetchers.Document, error) {
	if j.Sub == "commits" && j.ID != "" {
		commit := *j
		commit.Kind, commit.Sub, commit.Anchor = target.Commit, "", target.Anchor{}
		return resolveCommit(ctx, &commit)
	}
	early := j.startDiff(ctx)
	if (j.Sub == "diff" || j.Sub == "patch") && !j.api.Token(ctx) {
		if doc, ok := j.diffAlone(early); ok {
			return doc, nil
		}
	}
	p, err := loadPull(ctx, j)
	if err != nil {
		if code := api.CodeOf(err); j.Sub == "files" && (code == api.Limited || code == api.Secondary) {
			if doc, ok := j.diffAlone(early); ok {
				return doc, nil
			}
		}
		early.drop(j.folder)
		if !errors.Is(err, errNothing) {
			return fetchers.Document{}, err
		}
		is, err := loadIssue(ctx, j)
		if err != nil {
			return fetchers.Document{}, err
		}
		return is.deliver(ctx, j)
	}
	d, err := j.finishDiff(ctx, early, p)
	if err != nil {
		if ctx.Err() != nil || j.Sub == "diff" || j.Sub == "patch" {
			return fetchers.Document{}, err
		}
		d = &diff{Missing: reason(err)}
	}
	return p.deliver(ctx, j, d)
}

// loadPull fails with errNothing when GitHub has no pull request of the number.
func loadPull(ctx context.Context, j *job) (*pull, error) {
	if j.api.Token(ctx) {
		return queryPull(ctx, j)
	}
	return readPull(ctx, j)
}

// deliver writes the bodies and describes them.
func (p *pull) deliver(ctx context.Context, j *job, d *diff) (fetchers.Document, error) {
	p.takeFiles(d)
	asked := j.linkedItem(ctx, &p.conversation, p.has)
	text, marks := p.render(d)
	conversation, err := j.writeConversation(conversationName, text)
	if err != nil {
		return fetchers.Document{}, err
	}
	doc := fetchers.Document{
		Kind: "github.pull_request", Title: p.name() + ": " + markdown.Line(p.Title), Link: p.link(j),
		Facts: p.facts(j, d), Excerpt: p.opening(), Via: "api", Bodies: []fetchers.Body{conversation},
	}
	if d.Body.Name != "" {
		doc.Bodies = append(doc.Bodies, d.Body)
	}
	first := ""
	switch j.Sub {
	case "files", "diff", "patch":
		first, doc.Excerpt = diffName, filesExcerpt(p.Files.List)
	case "checks":
		first, doc.Excerpt = checksName, p.Checks.excerpt()
	case "commits":
		first, doc.Excerpt = commitsName, p.commitsExcerpt()
		body, err := j.write(commitsName, p.renderCommits())
		if err != nil {
			return fetchers.Document{}, err
		}
		doc.Bodies = append(doc.Bodies, body)
	}
	if len(p.Checks.List) > 0 || j.Sub == "checks" {
		body, err := j.write(checksName, p.renderChecks())
		if err != nil {
			return fetchers.Document{}, err
		}
		doc.Bodies = append(doc.Bodies, body)
	}
	doc.Bodies = leading(doc.Bodies, first)
	asked.describe(&doc, marks)
	if j.Anchor.Name == "diff" {
		j.describeDiff(&doc, d, p.Files.List)
	}
	return doc, nil
}

// leading puts the body of the given name first.
func leading(bodies []fetchers.Body, name string) []fetchers.Body {
	for i, b := range bodies {
		if b.Name == name {
			copy(bodies[1:i+1], bodies[:i])
			bodies[0] = b
		}
	}
	return bodies
}

// takeFiles joins the list of changed files with their places in the patch.
// The list is the patch's own where the API was not asked for one, and where
// the patch is of some commits only.
func (p *pull) takeFiles(d *diff) {
	switch {
	case d.Range != "":
		p.Files = items[patch.Section]{List: d.Sections, Total: -1, More: d.Truncated}
	case p.Partial:
		p.Files = items[patch.Section]{List: d.Sections, Total: p.Changed, More: p.Changed > len(d.Sections)}
	default:
		p.Files.Total = max(p.Files.Total, p.Changed)
		d.place(p.Files.List)
	}
}

// has reports whether the lists hold what an anchor names.
func (p *pull) has(anchor string) bool {
	for _, t := range p.Threads.List {
		for _, c := range t.Comments {
			if c.ID == anchor {
				return true
			}
		}
	}
	for _, r := range p.Reviews.List {
		if r.ID == anchor {
			return true
		}
	}
	return p.conversation.has(anchor)
}

// state is "merged by bob".
func (p *pull) state() string {
	switch p.State {
	case "merged":
		return p.State + by(p.MergedBy)
	case "closed":
		return p.State + by(p.ClosedBy)
	}
	return p.State
}

// facts decide without reading.
func (p *pull) facts(j *job, d *diff) []string {
	facts := []string{p.state(), "by " + author(p.Post.Author)}
	facts = append(facts, fmt.Sprintf("+%d -%d", p.Additions, p.Deletions), markdown.Count(p.Changed, "file"))
	if verdict := p.verdict(); verdict != "" {
		facts = append(facts, verdict)
	}
	if threads := p.threadsFact(); threads != "" {
		facts = append(facts, threads)
	}
	facts = append(facts, p.Checks.fact()...)
	if p.Mergeable == "conflicting" {
		facts = append(facts, "conflicts with "+p.Base.Name)
	}
	if p.Blocked != "" {
		facts = append(facts, "merge "+p.Blocked)
	}
	facts = append(facts, p.commonFacts()...)
	facts = append(facts, p.Reviews.count("review"))
	if p.Head.Repo == "" {
		facts = append(facts, "the fork was deleted")
	}
	facts = append(facts, "head "+short(p.Head.SHA)+": https://github.com/"+p.Repo+"/commit/"+p.Head.SHA)
	if d.Range != "" {
		facts = append(facts, diffName+" is of "+d.Range)
	}
	facts = append(facts, d.facts()...)
	return append(facts, p.moved(j)...)
}

func (p *pull) threadsFact() string {
	n := len(p.Threads.List)
	switch {
	case n == 0 && !p.Threads.More:
		return ""
	case n == 0:
		return "review threads not read"
	case p.Partial:
		return p.Threads.count("review thread") + ", resolved or not is told only with a token"
	}
	open := p.unresolved()
	switch {
	case p.Threads.More:
		return markdown.Count(open, "unresolved thread") + " in " + p.Threads.count("thread")
	case open == 0:
		return "all " + markdown.Count(n, "thread") + " resolved"
	}
	return markdown.Count(open, "unresolved thread") + " of " + number(n)
}
