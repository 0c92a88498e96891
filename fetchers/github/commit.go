package github

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/patch"
)

const commitName = "commit.md"

// gitCommit is a commit as REST has it.
type gitCommit struct {
	SHA    string
	URL    string `json:"html_url"`
	Commit struct {
		Author, Committer signature
		Message           string
		Comments          int `json:"comment_count"`
		Verification      *struct {
			Verified bool
			Reason   string
		}
	}
	Author    *restUser // the account, where the address is known
	Committer *restUser
	Parents   []struct {
		SHA string
		URL string `json:"html_url"`
	}
	Stats struct{ Additions, Deletions int }
	Files []restFile
}

// signature is who did something to a commit, as git has it.
type signature struct {
	Name string
	Date time.Time
}

// line is the commit in a list.
func (c gitCommit) line() commitLine {
	l := commitLine{SHA: c.SHA, Message: c.Commit.Message, Author: c.Author.login(), Time: c.Commit.Author.Date, URL: c.URL}
	if l.Author == "" {
		l.Author = c.Commit.Author.Name
	}
	return l
}

// who is the name in the commit, with the account.
func who(s signature, account *restUser) string {
	if login := account.login(); login != "" && login != s.Name {
		return s.Name + " (" + login + ")"
	}
	return s.Name
}

// commitPage is a commit's document under way.
type commitPage struct {
	gitCommit
	repo     string
	ref      string // as the URL has it, when that is no part of the SHA
	diff     *diff
	files    []patch.Section
	more     bool // there may be more files
	pulls    []restPull
	noPulls  string // why they were not read
	checks   checks
	comments items[commitComment]
	noTalk   string         // why the comments were not read
	linked   *commitComment // that the URL points at, beyond those of comments
	linkErr  error          // why it could not be had
}

func resolveCommit(ctx context.Context, j *job) (fetchers.Document, error) {
	if !j.keepsTo() {
		return fetchers.Document{}, errUnclaimed
	}
	name := j.ID
	if isHex(name) {
		name = short(name)
	}
	alone := fetchers.Document{Kind: "github.commit", Title: j.repo() + "@" + name + ": diff"}
	if doc, ok := j.pageDiff(ctx, "commit/"+escapePath(j.ID), alone, "its message"); ok {
		return doc, nil
	}
	p := commitPage{}
	if _, err := j.api.Get(ctx, j.path("commits/"+escapePath(j.ID)), nil, &p.gitCommit); err != nil {
		return fetchers.Document{}, err
	}
	p.repo = j.nowIn(p.URL)
	if !strings.HasPrefix(p.SHA, strings.ToLower(j.ID)) {
		p.ref = j.ID
	}
	if err := p.read(ctx, j); err != nil {
		return fetchers.Document{}, err
	}
	return p.deliver(j)
}

// read asks for what belongs to the commit. Without a token the API is asked
// for what the URL is about alone.
func (p *commitPage) read(ctx context.Context, j *job) error {
	token := j.api.Token(ctx)
	anchored := j.Anchor.Name == "commitcomment" || j.Anchor.Name == "r"
	var diffErr error
	var wg sync.WaitGroup
	wg.Go(func() { diffErr = p.readDiff(ctx, j) })
	if p.Commit.Comments > 0 || anchored {
		wg.Go(func() { p.readComments(ctx, j) })
	}
	if token {
		wg.Go(func() { p.readPulls(ctx, j) })
	} else {
		p.noPulls = "GitHub was not asked, without a token"
	}
	p.checks = checks{SHA: p.SHA, Missing: "not read without a token"}
	if token || j.Sub == "checks" {
		wg.Go(func() { p.checks = readChecks(ctx, j, p.SHA, plan{checks: true, statuses: true}) })
	}
	wg.Wait()
	if diffErr != nil {
		if ctx.Err() != nil || j.Sub == "diff" || j.Sub == "patch" {
			return diffErr
		}
		p.diff = &diff{Missing: reason(diffErr)}
	}
	p.placeFiles()
	return nil
}

// readDiff writes the diff to the first parent.
func (p *commitPage) readDiff(ctx context.Context, j *job) (err error) {
	src := diffSource{api: "commits/" + p.SHA, web: "commit/" + p.SHA, files: "commits/" + p.SHA}
	p.diff, err = j.writeDiff(ctx, src)
	if !tooLarge(err) {
		return err
	}
	parent := ""
	if len(p.Parents) > 0 {
		parent = p.Parents[0].SHA
	}
	p.diff, err = j.rebuildDiff(ctx, src, parent, p.SHA, -1)
	return err
}

// placeFiles joins the listed files with their places in the patch. The patch
// has those that are too many for the list.
func (p *commitPage) placeFiles() {
	if len(p.diff.Sections) >= len(p.Files) {
		p.files, p.more = p.diff.Sections, p.diff.Truncated
		return
	}
	p.files, p.more = sections(p.Files), len(p.Files) >= maxFiles
	p.diff.place(p.files)
}

// sections are listed files before their places in the patch are known.
func sections(listed []restFile) []patch.Section {
	var files []patch.Section
	for _, f := range listed {
		files = append(files, patch.Section{Path: f.Name, OldPath: f.OldName, Status: f.Status, Additions: f.Additions, Deletions: f.Deletions})
	}
	return files
}

func (p *commitPage) readPulls(ctx context.Context, j *job) {
	query := url.Values{"per_page": {number(perPage)}}
	if _, err := j.api.Get(ctx, j.path("commits/"+p.SHA+"/pulls"), query, &p.pulls); err != nil {
		p.noPulls = reason(err)
	}
}

// subject is the first line of the message.
func (p *commitPage) subject() string { return markdown.Line(p.line().subject()) }

// title is "octo/hello@0123456: Fix the parser".
func (p *commitPage) title() string { return p.repo + "@" + short(p.SHA) + ": " + p.subject() }

func (p *commitPage) deliver(j *job) (fetchers.Document, error) {
	text, marks := p.render()
	body, err := j.writeConversation(commitName, text)
	if err != nil {
		return fetchers.Document{}, err
	}
	doc := fetchers.Document{
		Kind: "github.commit", Title: p.title(), Link: j.linkTo(p.URL), Facts: append(p.facts(), with(j.newName(p.URL))...),
		Excerpt: excerptOf(p.Commit.Message), Via: "api", Bodies: []fetchers.Body{body},
	}
	if p.diff.Body.Name != "" {
		doc.Bodies = append(doc.Bodies, p.diff.Body)
	}
	first := ""
	switch j.Sub {
	case "diff", "patch":
		first, doc.Excerpt = diffName, filesExcerpt(p.files)
	case "checks":
		first, doc.Excerpt = checksName, p.checks.excerpt()
		more := "https://api.github.com/repos/" + p.repo + "/commits/" + p.SHA + "/check-runs?per_page=100&page=2"
		body, err := j.write(checksName, p.checks.render(p.repo, more))
		if err != nil {
			return fetchers.Document{}, err
		}
		doc.Bodies = append(doc.Bodies, body)
	}
	doc.Bodies = leading(doc.Bodies, first)
	switch j.Anchor.Name {
	case "diff":
		j.describeDiff(&doc, p.diff, p.files)
	case "commitcomment", "r":
		a := anchored{anchor: commitCommentAnchor + j.Anchor.ID, shown: commentAnchor(j.Anchor), err: p.linkErr}
		a.describeIn(&doc, commitName, marks)
	}
	return doc, nil
}
