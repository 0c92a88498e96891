package github

import (
	"context"
	"strings"

	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/target"
)

// commitCommentAnchor is the anchor of a commit's comment, up to the number.
// That of one on a line may also be written r and the number.
const commitCommentAnchor = "commitcomment-"

// commitComment is a comment on a commit, or on a line of its diff.
type commitComment struct {
	restText
	Path   string
	Line   int    // of the file; 0 when it is not known
	Commit string `json:"commit_id"`
}

// place is what the comment is about, "" for the whole commit.
func (c commitComment) place() string {
	if c.Path == "" {
		return ""
	}
	place := "on " + markdown.Code(c.Path)
	if c.Line > 0 {
		place += ", line " + number(c.Line)
	}
	return place
}

func (c commitComment) comment() comment {
	shown := c.restText.comment(commitCommentAnchor)
	shown.Label = c.place()
	return shown
}

// commentAnchor is the anchor as the URL has it.
func commentAnchor(a target.Anchor) string {
	if a.Name == "r" {
		return "r" + a.ID
	}
	return commitCommentAnchor + a.ID
}

// readComments reads the commit's comments, and the one the URL points at when
// it is not among the first.
func (p *commitPage) readComments(ctx context.Context, j *job) {
	list, more, err := readList[commitComment](ctx, j, j.path("commits/"+p.SHA+"/comments"), maxComments)
	p.comments = items[commitComment]{List: list, Total: p.Commit.Comments, More: more && err == nil}
	if p.comments.Total <= len(list) {
		p.comments.Total = -1 // it cannot be right when there are more
	}
	if err != nil {
		p.noTalk = reason(err)
	}
	if j.Anchor.Name != "commitcomment" && j.Anchor.Name != "r" {
		return
	}
	for _, c := range list {
		if decimal(c.ID) == j.Anchor.ID {
			return
		}
	}
	if !more {
		return
	}
	var one commitComment
	if _, p.linkErr = j.api.Get(ctx, j.path("comments/"+j.Anchor.ID), nil, &one); p.linkErr == nil && one.Commit == p.SHA {
		p.linked = &one
	}
}

// addComments writes the comments below the rest.
func (p *commitPage) addComments(d *document) {
	switch {
	case p.noTalk != "":
		d.body.Heading(2, "Comments")
		d.body.Add("Not all were read: " + p.noTalk)
	case len(p.comments.List) == 0:
		return
	default:
		d.body.Heading(2, "Comments")
	}
	if p.comments.More {
		d.body.Add(p.comments.count("comment") + " here; the rest: https://api.github.com/repos/" + p.repo + "/commits/" + p.SHA + "/comments?per_page=100&page=" + number(maxComments/perPage+1))
	}
	for _, c := range p.comments.List {
		shown := c.comment()
		shown.Body = strings.TrimRight(shown.Body, " \n")
		d.addComment(shown, 3)
	}
}
