package github

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
)

const (
	jobName = "job.md"
	logName = "job.log"
)

// needsToken is what a document says in place of a log.
const needsToken = "GitHub gives logs only with a token"

func resolveJob(ctx context.Context, j *job) (fetchers.Document, error) {
	if !j.keepsTo() {
		return fetchers.Document{}, errUnclaimed
	}
	return j.actionsJob(ctx, j.Sub)
}

// actionsJob is the document of the job with an id.
func (j *job) actionsJob(ctx context.Context, id string) (fetchers.Document, error) {
	var w workflowJob
	if _, err := j.api.Get(ctx, j.path("actions/jobs/"+id), nil, &w); err != nil {
		return fetchers.Document{}, err
	}
	p := jobPage{workflowJob: w, repo: j.nowIn(w.URL)}
	var text logText
	if p.log, p.noLog = j.jobLog(ctx, w); p.log != nil {
		text = p.log.whole()
		body, err := j.write(logName, text.text)
		if err != nil {
			return fetchers.Document{}, err
		}
		p.logBody = &body
	} else if len(w.failed()) > 0 {
		p.notes, p.moreNotes = j.annotations(ctx, w.ID)
	}
	body, err := j.write(jobName, p.render(text))
	if err != nil {
		return fetchers.Document{}, err
	}
	doc := fetchers.Document{
		Kind: "github.job", Title: p.repo + ": " + p.title(), Link: j.linkTo(w.URL),
		Facts: append(p.facts(text), with(j.newName(w.URL))...), Excerpt: p.excerpt(), Via: "api", Bodies: []fetchers.Body{body},
	}
	if p.logBody != nil {
		doc.Bodies = append(doc.Bodies, *p.logBody)
	}
	if j.Anchor.Name == "step" {
		p.point(&doc, text, j.Anchor.ID)
	}
	return doc, nil
}

// jobLog reads a job's log, or says why there is none.
func (j *job) jobLog(ctx context.Context, w workflowJob) (l *actionLog, why string) {
	if !j.api.Token(ctx) {
		return nil, needsToken
	}
	if w.Conclusion == "skipped" {
		return nil, "the job was skipped"
	}
	s, err := j.api.Open(ctx, api.API, j.path("actions/jobs/"+decimal(w.ID)+"/logs"), nil, api.JSON)
	if err == nil {
		defer s.Body.Close()
		l, err = readLog(s.Body, w.Steps)
	}
	switch {
	case err == nil:
		return l, ""
	case w.Status != "completed" && api.CodeOf(err) == api.NotFound:
		return nil, "GitHub has the log when the job has ended"
	case api.CodeOf(err) == api.NotFound || api.CodeOf(err) == api.Gone:
		return nil, "GitHub has the log no longer, or the token may not read it"
	}
	return nil, reason(err)
}

// jobPage is a job's document under way.
type jobPage struct {
	workflowJob
	repo      string
	log       *actionLog
	logBody   *fetchers.Body
	noLog     string // why there is no log
	notes     []annotation
	moreNotes bool
}

func (p *jobPage) title() string {
	name := markdown.Line(p.check().titleIn(p.Workflow))
	if p.Attempt > 1 {
		name += fmt.Sprintf(" (attempt %d)", p.Attempt)
	}
	return name
}

// titleIn is the check's title with the workflow it belongs to.
func (c check) titleIn(workflow string) string {
	c.Workflow = workflow
	return c.title()
}

func (p *jobPage) runURL() string {
	return "https://github.com/" + p.repo + "/actions/runs/" + decimal(p.Run)
}

func (p *jobPage) render(text logText) string {
	var h head
	h.add("result", result(p.Status, p.Conclusion))
	h.add("run", p.runURL())
	h.add("workflow", p.Workflow)
	h.add("branch", p.Branch)
	h.add("commit", "https://github.com/"+p.repo+"/commit/"+p.SHA)
	if p.Attempt > 0 {
		h.add("attempt", number(p.Attempt))
	}
	h.add("started", markdown.Time(p.Started))
	h.add("ended", markdown.Time(p.Completed))
	h.add("took", elapsed(p.Started, p.Completed))
	h.add("runner", strings.TrimSpace(p.Runner+" "+codes(p.Labels)))
	h.add("page", p.URL)
	if p.log == nil {
		h.add("no log", p.noLog)
	} else {
		h.add("log", logName+", its times and colours removed")
	}
	var d markdown.Doc
	d.Heading(1, p.repo+": "+p.title())
	d.Add(strings.Join(h, "\n"))
	p.addErrors(&d)
	addAnnotations(&d, p.notes, p.moreNotes, "https://api.github.com/repos/"+p.repo+"/check-runs/"+decimal(p.ID)+"/annotations?per_page=100&page="+number(maxAnnotations/perPage+1))
	if len(p.Steps) > 0 {
		d.Heading(2, "Steps")
		var rows [][]string
		for _, s := range p.Steps {
			at := ""
			if line := text.steps[s.Number]; line > 0 {
				at = number(line)
			}
			rows = append(rows, []string{number(s.Number), s.Name, s.result(), elapsed(s.Started, s.Completed), at})
		}
		d.Table([]string{"step", "name", "result", "took", "line in " + logName}, rows)
	}
	return d.String()
}

// mostErrors is how many errors of a log a document lists.
const mostErrors = 20

func (p *jobPage) addErrors(d *markdown.Doc) {
	if p.log == nil {
		return
	}
	errs := p.log.errors(p.failed())
	if len(errs) == 0 {
		return
	}
	d.Heading(2, "Errors in the log")
	if len(errs) > mostErrors {
		d.Add(fmt.Sprintf("The first %d of %d; all of them start with `%s` in %s.", mostErrors, len(errs), errorMark, logName))
		errs = errs[:mostErrors]
	}
	d.Add(markdown.Fence("text", strings.Join(errs, "\n")))
}

func (p *jobPage) facts(text logText) []string {
	facts := []string{result(p.Status, p.Conclusion)}
	for _, s := range p.failed() {
		fact := "failed in " + named(s.title())
		if line := text.steps[s.Number]; line > 0 {
			fact += " at " + logName + ":" + number(line)
		}
		facts = append(facts, fact)
	}
	if first := p.firstError(); first != "" {
		facts = append(facts, "error: "+headOfLine(first))
	}
	if p.Branch != "" {
		facts = append(facts, named(p.Branch)+"@"+short(p.SHA))
	}
	if took := elapsed(p.Started, p.Completed); took != "" {
		facts = append(facts, "took "+took)
	}
	facts = append(facts, "run: "+p.runURL())
	if p.noLog != "" {
		facts = append(facts, "no log: "+p.noLog)
	}
	if p.log != nil && p.log.dropped > 0 {
		facts = append(facts, fmt.Sprintf("%s lacks its first %s", logName, markdown.Count(p.log.dropped, "line")))
	}
	return facts
}

// firstError is the error that says most.
func (p *jobPage) firstError() string {
	if p.log != nil {
		return firstOf(p.log.errors(p.failed()))
	}
	var errs []string
	for _, a := range p.notes {
		if a.Level == "failure" {
			errs = append(errs, a.line())
		}
	}
	return firstOf(tellingFirst(errs))
}

// tellingFirst moves the error that every failing command has behind the others.
func tellingFirst(errs []string) []string {
	everyones := func(e string) int {
		if strings.Contains(e, "Process completed with exit code ") {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(errs, func(a, b string) int { return everyones(a) - everyones(b) })
	return errs
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// jobExcerpt is how much of a failing step an excerpt has.
const jobExcerpt = 30

// excerpt is the end of the step that failed, its errors first.
func (p *jobPage) excerpt() string {
	var lines []string
	failed := p.failed()
	for _, s := range failed {
		lines = append(lines, s.title()+": "+s.result())
	}
	if p.log == nil {
		var notes []string
		for _, a := range p.notes {
			notes = append(notes, a.Level+": "+a.line())
		}
		lines = append(lines, tellingFirst(notes)...)
		return excerptOf(strings.Join(lines, "\n"))
	}
	errs := p.log.errors(failed)
	lines = append(lines, errs[:min(len(errs), mostErrors)]...)
	if len(failed) > 0 {
		from, to := p.log.stepLines(failed[0].Number)
		for _, line := range p.log.lines[max(from, to-jobExcerpt):to] {
			if !strings.HasPrefix(line.text, "##[") {
				lines = append(lines, line.text)
			}
		}
	}
	return excerptOf(strings.Join(lines, "\n"))
}

// Lines that an excerpt has before and after the one asked for.
const (
	linesBefore = 2
	linesAfter  = 10
)

// point makes the line of the log that the URL points at the excerpt. id is
// "5:20", or "5" for the step.
func (p *jobPage) point(doc *fetchers.Document, text logText, id string) {
	step, line, _ := strings.Cut(id, ":")
	s, _ := strconv.Atoi(step)
	n, _ := strconv.Atoi(line)
	if p.log == nil {
		doc.Facts = append(doc.Facts, "anchor #step:"+id+" is in the log")
		return
	}
	i, ok := text.find(p.log, s, n)
	if !ok {
		fact := "anchor #step:" + id + " not found"
		if at := text.steps[s]; at > 0 {
			fact += ", its step is at " + logName + ":" + number(at)
		}
		doc.Facts = append(doc.Facts, fact)
		return
	}
	doc.Facts = append(doc.Facts, "anchor: "+logName+":"+number(text.at[i]))
	var around []string
	for _, l := range text.lines[max(0, i-linesBefore):min(len(text.lines), i+1+linesAfter)] {
		around = append(around, l.text)
	}
	doc.Excerpt = excerptOf(strings.Join(around, "\n"))
}
