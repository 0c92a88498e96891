package github

import (
	"fmt"
	"strings"
	"time"

	"pifetch/fetchers/github/markdown"
)

// workflowRun is a run of a workflow of GitHub Actions.
type workflowRun struct {
	ID         int64
	Workflow   string `json:"name"`
	Path       string // of the workflow's file
	Title      string `json:"display_title"`
	Number     int    `json:"run_number"`
	Attempt    int    `json:"run_attempt"`
	Event      string
	Status     string
	Conclusion string
	Branch     string                 `json:"head_branch"`
	SHA        string                 `json:"head_sha"`
	URL        string                 `json:"html_url"`
	Actor      *restUser              // who caused it
	Trigger    *restUser              `json:"triggering_actor"` // who started this attempt
	Created    time.Time              `json:"created_at"`
	Started    time.Time              `json:"run_started_at"` // this attempt
	Updated    time.Time              `json:"updated_at"`
	Pulls      []struct{ Number int } `json:"pull_requests"`
	Repository struct {
		FullName string `json:"full_name"`
	}
	HeadRepository *struct {
		FullName string `json:"full_name"`
	} `json:"head_repository"`
}

func (r workflowRun) result() string { return result(r.Status, r.Conclusion) }

// took is how long the attempt ran, "" while it does.
func (r workflowRun) took() string {
	if r.Status != "completed" {
		return ""
	}
	return elapsed(r.Started, r.Updated)
}

// branch is where the run's commit was pushed, "alice/fork:topic" elsewhere.
func (r workflowRun) branch() string {
	if r.HeadRepository == nil || strings.EqualFold(r.HeadRepository.FullName, r.Repository.FullName) {
		return r.Branch
	}
	return r.HeadRepository.FullName + ":" + r.Branch
}

// workflowJob is one job of a run.
type workflowJob struct {
	ID         int64
	Run        int64 `json:"run_id"`
	Attempt    int   `json:"run_attempt"`
	Name       string
	Workflow   string `json:"workflow_name"`
	Branch     string `json:"head_branch"`
	SHA        string `json:"head_sha"`
	URL        string `json:"html_url"`
	Status     string
	Conclusion string
	Started    time.Time `json:"started_at"`
	Completed  time.Time `json:"completed_at"`
	Labels     []string
	Runner     string `json:"runner_name"`
	Steps      []jobStep
}

type jobStep struct {
	Number     int
	Name       string
	Status     string
	Conclusion string
	Started    time.Time `json:"started_at"` // in whole seconds
	Completed  time.Time `json:"completed_at"`
}

// check is the job as one of the checks of its commit.
func (w workflowJob) check() check {
	return check{Name: w.Name, Result: result(w.Status, w.Conclusion), Started: w.Started, Ended: w.Completed, URL: w.URL}
}

func (s jobStep) result() string { return result(s.Status, s.Conclusion) }

// title is the step as documents name it: "step 5: Run tests".
func (s jobStep) title() string { return fmt.Sprintf("step %d: %s", s.Number, markdown.Line(s.Name)) }

// failed are the steps that failed, in their order.
func (w workflowJob) failed() []jobStep {
	var steps []jobStep
	for _, s := range w.Steps {
		if (check{Result: s.result()}).outcome() == failing {
			steps = append(steps, s)
		}
	}
	return steps
}

// failedSteps names them, "" for none.
func (w workflowJob) failedSteps() string {
	var names []string
	for _, s := range w.failed() {
		names = append(names, s.title())
	}
	return strings.Join(names, ", ")
}

// elapsed is the time between two moments, "" when one of them is not known.
func elapsed(start, end time.Time) string {
	return check{Started: start, Ended: end}.took()
}
