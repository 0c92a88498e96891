package github

import (
	"context"
	"strconv"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
	"pifetch/internal/termtext"
)

// maxGistComments is the most comments that are read of a gist.
const maxGistComments = 200

// addGistComments writes the comments of a gist, if there are any.
func (j *job) addGistComments(ctx context.Context, g restGist, doc *fetchers.Document) error {
	texts, more, err := readList[restText](ctx, j, "gists/"+g.ID+"/comments", maxGistComments)
	if err != nil {
		return err
	}
	var d markdown.Doc
	d.Heading(1, "Comments on "+g.title())
	d.Add(g.URL)
	if more {
		note := termtext.Count(len(texts)) + " of " + termtext.Count(g.Comments) + " comments are here"
		doc.Facts = append(doc.Facts, note)
		d.Add(note + "; the rest: https://api.github.com/gists/" + g.ID + "/comments?per_page=100&page=3")
	}
	at := 0
	for _, t := range texts {
		c := t.comment("gistcomment-")
		c.URL = g.URL + "?permalink_comment_id=" + decimal(t.ID) + "#" + c.ID
		if t.Updated.After(t.Created) {
			c.Edited = t.Updated
		}
		line := c.add(&d, 2)
		if j.Anchor.Name == "gistcomment" && j.Anchor.ID == decimal(t.ID) {
			at = line
			doc.Excerpt = c.excerpt()
		}
	}
	if at == 0 && j.Anchor.Name == "gistcomment" {
		doc.Facts = append(doc.Facts, "anchor #gistcomment-"+j.Anchor.ID+" not found")
	}
	if len(texts) == 0 {
		return nil
	}
	body, err := j.writeConversation("comments.md", d.String())
	if err != nil {
		return err
	}
	doc.Bodies = append(doc.Bodies, body)
	if at > 0 {
		doc.Facts = append(doc.Facts, "anchor: "+body.Name+":"+strconv.Itoa(at))
	}
	return nil
}
