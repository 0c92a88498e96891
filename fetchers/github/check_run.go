package github

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
)

// checkRun is what a service, or Actions, reports about a commit.
type checkRun struct {
	restCheckRun
	ID     int64
	SHA    string `json:"head_sha"`
	Output struct {
		Title, Summary, Text string
		Annotations          int `json:"annotations_count"`
	}
	App *struct{ Slug, Name string }
}

func resolveCheckRun(ctx context.Context, j *job) (fetchers.Document, error) {
	if !j.keepsTo() {
		return fetchers.Document{}, errUnclaimed
	}
	var r checkRun
	if _, err := j.api.Get(ctx, j.path("check-runs/"+j.ID), nil, &r); err != nil {
		return fetchers.Document{}, err
	}
	if r.App != nil && r.App.Slug == "github-actions" {
		doc, err := j.actionsJob(ctx, j.ID)
		if e, ok := errors.AsType[*api.Error](err); !ok || e.Code != api.NotFound {
			return doc, err // not a check that a workflow made through the API
		}
	}
	return r.deliver(ctx, j)
}

func (r checkRun) deliver(ctx context.Context, j *job) (fetchers.Document, error) {
	var notes []annotation
	more := false
	if r.Output.Annotations > 0 {
		notes, more = j.annotations(ctx, r.ID)
	}
	repo := j.nowIn(r.URL)
	c := r.check()
	body, err := j.write("check.md", r.render(repo, c, notes, more))
	if err != nil {
		return fetchers.Document{}, err
	}
	facts := []string{c.Result}
	if r.App != nil {
		facts = append(facts, "by "+named(r.App.Name))
	}
	facts = append(facts, "commit "+short(r.SHA)+": https://github.com/"+repo+"/commit/"+r.SHA)
	if r.Output.Annotations > 0 {
		fact := markdown.Count(r.Output.Annotations, "annotation")
		if len(notes) < r.Output.Annotations {
			fact += fmt.Sprintf(", %d read", len(notes))
		}
		facts = append(facts, fact)
	}
	var excerpt []string
	for _, text := range []string{r.Output.Title, r.Output.Summary} {
		if text != "" {
			excerpt = append(excerpt, text)
		}
	}
	for _, a := range notes {
		excerpt = append(excerpt, a.Level+": "+a.line())
	}
	return fetchers.Document{
		Kind: "github.check_run", Title: repo + ": " + markdown.Line(r.Name), Link: j.linkTo(r.URL), Facts: append(facts, with(j.newName(r.URL))...),
		Excerpt: excerptOf(strings.Join(excerpt, "\n")), Via: "api", Bodies: []fetchers.Body{body},
	}, nil
}

func (r checkRun) render(repo string, c check, notes []annotation, more bool) string {
	var h head
	h.add("result", c.Result)
	if r.App != nil {
		h.add("by", r.App.Name)
	}
	h.add("says", r.Output.Title)
	h.add("commit", "https://github.com/"+repo+"/commit/"+r.SHA)
	h.add("started", markdown.Time(c.Started))
	h.add("ended", markdown.Time(c.Ended))
	h.add("took", c.took())
	h.add("page", r.URL)
	if r.Details != r.URL {
		h.add("details", r.Details)
	}
	var d markdown.Doc
	d.Heading(1, repo+": "+r.Name)
	d.Add(strings.Join(h, "\n"))
	for _, part := range []struct{ title, text string }{{"Summary", r.Output.Summary}, {"Text", r.Output.Text}} {
		if text := markdown.Body(part.text, 2); text != "" {
			d.Heading(2, part.title)
			d.Add(text)
		}
	}
	addAnnotations(&d, notes, more, "https://api.github.com/repos/"+repo+"/check-runs/"+decimal(r.ID)+"/annotations?per_page=100&page="+number(maxAnnotations/perPage+1))
	return d.String()
}
