package github

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
)

const runName = "run.md"

// Bounds of a run.
const (
	maxJobs      = 300 // listed
	maxLogs      = 10  // failing jobs whose log is read
	logsAtOnce   = 3
	maxNotedJobs = 3 // failing jobs whose annotations are read when there is no token for logs
)

// runPage is a run's document under way.
type runPage struct {
	workflowRun
	path    string   // of the API, below the repository
	attempt string   // as the URL has it, "" for the latest
	jobs    []runJob // the failing first
	more    bool     // there are more jobs
}

func resolveRun(ctx context.Context, j *job) (fetchers.Document, error) {
	if !j.keepsTo() {
		return fetchers.Document{}, errUnclaimed
	}
	p := runPage{path: "actions/runs/" + j.ID}
	if len(j.Path) == 2 {
		p.attempt = j.Path[1]
		p.path += "/attempts/" + p.attempt
	}
	if _, err := j.api.Get(ctx, j.path(p.path), nil, &p.workflowRun); err != nil {
		return fetchers.Document{}, err
	}
	if err := p.readJobs(ctx, j); err != nil {
		return fetchers.Document{}, err
	}
	if err := p.explain(ctx, j); err != nil {
		return fetchers.Document{}, err
	}
	return p.deliver(j)
}

// readJobs lists the jobs.
func (p *runPage) readJobs(ctx context.Context, j *job) error {
	query := url.Values{"per_page": {number(perPage)}}
	for next := j.path(p.path + "/jobs"); next != ""; query = nil {
		if len(p.jobs) >= maxJobs {
			p.more = true
			break
		}
		var page struct{ Jobs []workflowJob }
		answer, err := j.api.Get(ctx, next, query, &page)
		if err != nil {
			return err
		}
		for _, w := range page.Jobs {
			p.jobs = append(p.jobs, runJob{workflowJob: w})
		}
		next = answer.Next
	}
	slices.SortStableFunc(p.jobs, func(a, b runJob) int { return int(a.check().outcome()) - int(b.check().outcome()) })
	return nil
}

// failing are the jobs that failed.
func (p *runPage) failing() []*runJob {
	var jobs []*runJob
	for i := range p.jobs {
		if p.jobs[i].check().outcome() == failing {
			jobs = append(jobs, &p.jobs[i])
		}
	}
	return jobs
}

// explain reads what tells why jobs failed: with a token the end of their
// logs, else what the runner noted.
func (p *runPage) explain(ctx context.Context, j *job) error {
	jobs := p.failing()
	if !j.api.Token(ctx) {
		for i, job := range jobs {
			job.noLog = needsToken
			if i >= maxNotedJobs {
				continue
			}
			notes, _ := j.annotations(ctx, job.ID)
			for _, a := range notes {
				if a.Level == "failure" {
					job.errors = append(job.errors, a.line())
				}
			}
			job.errors = tellingFirst(job.errors)
		}
		return nil
	}
	slots := make(chan struct{}, logsAtOnce)
	var wg sync.WaitGroup
	for i, job := range jobs {
		if i >= maxLogs {
			job.noLog = fmt.Sprintf("the logs of the first %d failing jobs are here", maxLogs)
			continue
		}
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			job.readLog(ctx, j)
		})
	}
	wg.Wait()
	var failures []error
	for _, job := range jobs { // one after the other, for the names of the files
		if job.kept.text != "" {
			failures = append(failures, job.store(j))
		}
	}
	return errors.Join(failures...)
}

// page is GitHub's page of the run, or of the attempt that was asked for.
func (p *runPage) page() string {
	if end := "/attempts/" + p.attempt; p.attempt != "" && !strings.HasSuffix(p.URL, end) {
		return p.URL + end
	}
	return p.URL
}

func (p *runPage) deliver(j *job) (fetchers.Document, error) {
	repo := j.nowIn(p.URL)
	body, err := j.write(runName, p.render(repo))
	if err != nil {
		return fetchers.Document{}, err
	}
	doc := fetchers.Document{
		Kind: "github.run", Title: repo + ": " + p.title(), Link: j.linkTo(p.page()), Facts: append(p.facts(), with(j.newName(p.URL))...),
		Excerpt: p.excerpt(), Via: "api", Bodies: []fetchers.Body{body},
	}
	for _, r := range p.failing() {
		if r.log != nil {
			doc.Bodies = append(doc.Bodies, *r.log)
		}
	}
	return doc, nil
}

// title is "CI #12: Fix the parser".
func (p *runPage) title() string {
	return markdown.Line(fmt.Sprintf("%s #%d: %s", p.Workflow, p.Number, p.Title))
}

func (p *runPage) facts() []string {
	facts := []string{p.result(), p.Event, strings.TrimPrefix(named(p.branch())+"@"+short(p.SHA), "@")}
	if p.Attempt > 1 || p.attempt != "" {
		facts = append(facts, fmt.Sprintf("attempt %d", p.Attempt))
	}
	if p.Actor != nil {
		facts = append(facts, "by "+author(p.Actor.login()))
	}
	if len(p.jobs) > 0 {
		facts = append(facts, "jobs: "+p.checks().summary())
	} else {
		facts = append(facts, "no jobs")
	}
	if took := p.took(); took != "" {
		facts = append(facts, "took "+took)
	}
	for _, r := range p.failing() {
		if first := firstOf(r.errors); first != "" {
			facts = append(facts, "error in "+named(r.Name)+": "+headOfLine(first))
			break
		}
	}
	var without []string
	for _, r := range p.failing() {
		if r.noLog != "" && !slices.Contains(without, r.noLog) {
			without = append(without, r.noLog)
			facts = append(facts, "no log of "+named(r.Name)+": "+r.noLog)
		}
	}
	return facts
}

// checks are the jobs as checks of the run's commit.
func (p *runPage) checks() checks {
	c := checks{SHA: p.SHA, items: items[check]{More: p.more}}
	for _, r := range p.jobs {
		c.List = append(c.List, r.check())
	}
	return c
}

// excerpt is what failed, and why.
func (p *runPage) excerpt() string {
	var lines []string
	for _, r := range p.failing() {
		line := markdown.Line(r.Name) + ": " + result(r.Status, r.Conclusion)
		if steps := r.failedSteps(); steps != "" {
			line += " in " + steps
		}
		if first := firstOf(r.errors); first != "" {
			line += ": " + first
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		lines = append(lines, p.Title)
	}
	return excerptOf(strings.Join(lines, "\n"))
}

func (p *runPage) render(repo string) string {
	var h head
	h.add("result", p.result())
	h.add("workflow", p.Workflow+" ("+p.Path+")")
	h.add("event", p.Event)
	h.add("branch", p.branch())
	h.add("commit", "https://github.com/"+repo+"/commit/"+p.SHA)
	for _, pull := range p.Pulls {
		h.add("pull request", "https://github.com/"+repo+"/pull/"+number(pull.Number))
	}
	h.add("attempt", p.attempts(repo))
	h.add("by", p.people())
	h.add("started", markdown.Time(p.Started))
	h.add("took", p.took())
	h.add("page", p.page())
	var d markdown.Doc
	d.Heading(1, repo+": "+p.title())
	d.Add(strings.Join(h, "\n"))
	d.Heading(2, "Jobs")
	if p.more {
		d.Add(fmt.Sprintf("The first %d jobs; the rest: https://api.github.com/repos/%s/%s/jobs?per_page=%d&page=%d", len(p.jobs), repo, p.path, perPage, maxJobs/perPage+1))
	}
	var rows [][]string
	for _, r := range p.jobs {
		rows = append(rows, []string{r.Name, result(r.Status, r.Conclusion), elapsed(r.Started, r.Completed), r.failedSteps(), r.URL})
	}
	if len(rows) > 0 {
		d.Table([]string{"job", "result", "took", "failed in", "page"}, rows)
	} else {
		d.Add("(none)")
	}
	for _, r := range p.failing() {
		r.addTo(&d)
	}
	return d.String()
}

// attempts is "2, the one before: URL".
func (p *runPage) attempts(repo string) string {
	if p.Attempt < 2 {
		return number(p.Attempt)
	}
	return fmt.Sprintf("%d, the one before: https://github.com/%s/actions/runs/%d/attempts/%d", p.Attempt, repo, p.ID, p.Attempt-1)
}

func (p *runPage) people() string {
	actor, trigger := p.Actor.login(), p.Trigger.login()
	if trigger == "" || trigger == actor {
		return actor
	}
	return actor + ", started again by " + trigger
}
