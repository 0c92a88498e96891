package github

import (
	"context"
	"fmt"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
)

// runJob is a job of a run, with what explains its failure.
type runJob struct {
	workflowJob
	log    *fetchers.Body
	kept   logPart // of the log
	noLog  string  // why there is none of a failing job
	errors []string
}

// logPart is the part of a failing job's log that stands beside its run.
type logPart struct {
	text string
	of   string // "the end of step 2: Test"
	all  int    // lines of all the log
}

// readLog keeps what is needed of the job's log: there may be many, and long
// ones.
func (r *runJob) readLog(ctx context.Context, j *job) {
	l, why := j.jobLog(ctx, r.workflowJob)
	if r.noLog = why; l == nil {
		return
	}
	text, of := l.tail(r.failed(), r.URL)
	r.kept = logPart{text.text, of, l.dropped + len(l.lines)}
	r.errors = l.errors(r.failed())
}

// store writes what is kept of the job's log.
func (r *runJob) store(j *job) error {
	body, err := j.write(r.Name+".log", r.kept.text)
	if err != nil {
		return err
	}
	r.log = &body
	return nil
}

// addTo writes why the job failed and where its log is.
func (r *runJob) addTo(d *markdown.Doc) {
	d.Heading(2, "Failed: "+r.Name)
	switch {
	case r.log != nil:
		d.Add(fmt.Sprintf("%s has %s; all %s of the log: %s", markdown.Code(r.log.Name), r.kept.of, markdown.Count(r.kept.all, "line"), r.URL))
	case r.noLog != "":
		d.Add("No log: " + r.noLog + ". " + r.URL)
	}
	errs := r.errors[:min(len(r.errors), mostErrors)]
	if len(errs) < len(r.errors) {
		d.Add(fmt.Sprintf("The first %d of %d errors:", len(errs), len(r.errors)))
	}
	if len(errs) > 0 {
		d.Add(markdown.Fence("text", strings.Join(errs, "\n")))
	}
}
