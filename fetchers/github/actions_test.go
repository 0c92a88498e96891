package github

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pifetch/test/fakegithub"
)

// The workflow run of the tests, its jobs, and a check that is none of Actions'.
const (
	theRun     = 17600000001
	passedJob  = 73475988064
	failedJob  = 73475988065
	twinJob    = 73475988066
	goneJob    = 73475988067
	skippedJob = 73475988068
	runningJob = 73475988069
	lintCheck  = 81000000001
)

const goodLog = "passed"

// badLog is the log of a job whose second step failed.
func badLog() string {
	return rawLog(
		"0.1 Current runner version: '2.330.0'",
		"0.2 ##[group]Operating System",
		"0.2 Ubuntu",
		"0.2 ##[endgroup]",
		"2.0 ##[group]Run go test ./...",
		"2.0 \x1b[36;1mgo test ./...\x1b[0m",
		"2.1 ##[endgroup]",
		"3.5 \x1b[31m--- FAIL\x1b[0m: TestGreet (0.00s)",
		"3.5     greet_test.go:7: got \"Hallo\"",
		"3.6 FAIL",
		"4.0 ##[error]src/greet_test.go:7: got \"Hallo\"",
		"4.1 ##[error]Process completed with exit code 1.",
		"6.0 Post job cleanup.",
		"6.3 Cleaning up orphan processes",
	)
}

func jobJSON(id int64, name, status, conclusion string, steps ...map[string]any) map[string]any {
	j := map[string]any{
		"id": id, "run_id": int64(theRun), "run_attempt": 2, "name": name, "workflow_name": "CI", "head_branch": "feature/big", "head_sha": strings.Repeat("c", 40),
		"html_url": fmt.Sprintf("https://github.com/octo/hello/actions/runs/%d/job/%d", int64(theRun), id),
		"status":   status, "conclusion": nil, "started_at": at(0), "completed_at": nil, "labels": []any{"ubuntu-latest"}, "runner_name": "GitHub Actions 3", "steps": []any{},
	}
	if conclusion != "" {
		j["conclusion"], j["completed_at"] = conclusion, at(7)
	}
	if len(steps) > 0 {
		j["steps"] = steps
	}
	return j
}

func stepJSON(s jobStep) map[string]any {
	return map[string]any{
		"number": s.Number, "name": s.Name, "status": s.Status, "conclusion": s.Conclusion, "started_at": s.Started, "completed_at": s.Completed,
	}
}

func theJobs() map[int64]map[string]any {
	bad := []map[string]any{
		stepJSON(step(1, "Set up job", "success", 0, 2)), stepJSON(step(2, "Run go test ./...", "failure", 2, 5)),
		stepJSON(step(3, "Upload | report", "skipped", 5, 5)), stepJSON(step(5, "Post checkout", "success", 6, 6)), stepJSON(step(6, "Complete job", "success", 6, 6)),
	}
	return map[int64]map[string]any{
		passedJob:  jobJSON(passedJob, "test (linux)", "completed", "success", stepJSON(step(1, "Set up job", "success", 0, 2))),
		failedJob:  jobJSON(failedJob, "test (macos)", "completed", "failure", bad...),
		twinJob:    jobJSON(twinJob, "test (macos)", "completed", "failure", bad...),
		goneJob:    jobJSON(goneJob, "test / windows", "completed", "failure"),
		skippedJob: jobJSON(skippedJob, "deploy", "completed", "skipped"),
		runningJob: jobJSON(runningJob, "slow", "in_progress", ""),
	}
}

func runJSON(attempt int) map[string]any {
	repo := map[string]any{"full_name": "octo/hello"}
	r := map[string]any{
		"id": int64(theRun), "name": "CI", "path": ".github/workflows/ci.yml", "display_title": "Add all | languages", "run_number": 42, "run_attempt": attempt,
		"event": "pull_request", "status": "completed", "conclusion": "failure", "head_branch": "feature/big", "head_sha": strings.Repeat("c", 40),
		"html_url": fmt.Sprintf("https://github.com/octo/hello/actions/runs/%d", int64(theRun)), "actor": map[string]any{"login": "linus"},
		"triggering_actor": map[string]any{"login": "linus"}, "created_at": at(-60), "run_started_at": at(-5), "updated_at": at(120),
		"pull_requests": []any{map[string]any{"number": 8}}, "repository": repo, "head_repository": map[string]any{"full_name": "linus/hello"},
	}
	if attempt > 1 {
		r["triggering_actor"] = map[string]any{"login": "ada"}
	}
	return r
}

// actionsOn gives octo/hello a workflow run.
func actionsOn(f *fakegithub.Fake) {
	const repo = "GET /repos/{owner}/{repo}"
	jobs := theJobs()
	log := f.Store("log-of-the-job", "text/plain; charset=utf-8", []byte(badLog()))
	good := f.Store("log-that-is-short", "text/plain", []byte(goodLog+"\n"))
	one := func(attempt int) fakegithub.Handler {
		return func(r fakegithub.Request) (int, any) {
			if r.Params["run_id"] != decimal(theRun) {
				return 404, fakegithub.NotFound()
			}
			return 200, fakegithub.Partial{Body: runJSON(attempt)}
		}
	}
	list := func(fakegithub.Request) (int, any) {
		return 200, fakegithub.List{Key: "jobs", Items: []any{jobs[passedJob], jobs[failedJob], jobs[twinJob], jobs[goneJob], jobs[skippedJob], jobs[runningJob]}}
	}
	f.Handle(repo+"/actions/runs/{run_id}", one(2))
	f.Handle(repo+"/actions/runs/{run_id}/attempts/{attempt_number}", one(1))
	f.Handle(repo+"/actions/runs/{run_id}/jobs", list)
	f.Handle(repo+"/actions/runs/{run_id}/attempts/{attempt_number}/jobs", list)
	find := func(r fakegithub.Request) map[string]any {
		for id, j := range jobs {
			if decimal(id) == r.Params["job_id"] {
				return j
			}
		}
		return nil
	}
	f.Handle(repo+"/actions/jobs/{job_id}", func(r fakegithub.Request) (int, any) {
		if j := find(r); j != nil {
			return 200, fakegithub.Partial{Body: j}
		}
		return 404, fakegithub.NotFound()
	})
	f.Handle(repo+"/actions/jobs/{job_id}/logs", func(r fakegithub.Request) (int, any) {
		switch {
		case !r.Authorized:
			return 403, fakegithub.Forbidden("Must have admin rights to Repository.")
		case r.Params["job_id"] == decimal(goneJob):
			return 410, fakegithub.Gone("The logs for this run have expired.")
		case r.Params["job_id"] == decimal(runningJob):
			return 404, fakegithub.NotFound()
		case r.Params["job_id"] == decimal(passedJob):
			return 302, fakegithub.Redirect(good)
		}
		return 302, fakegithub.Redirect(log)
	})
	f.Handle(repo+"/check-runs/{check_run_id}", checkRunOf)
	f.Handle(repo+"/check-runs/{check_run_id}/annotations", annotationsOf)
}

func checkRunOf(r fakegithub.Request) (int, any) {
	c := map[string]any{
		"id": int64(lintCheck), "name": "lint", "head_sha": strings.Repeat("c", 40), "status": "completed", "conclusion": "failure",
		"html_url": fmt.Sprintf("https://github.com/octo/hello/runs/%d", int64(lintCheck)), "details_url": "https://lint.example/r/1",
		"started_at": at(0), "completed_at": at(30), "app": map[string]any{"slug": "lint-app", "name": "Lint | App"},
		"output": map[string]any{"title": "2 problems", "summary": "# Problems\r\n\r\nTwo.", "text": nil, "annotations_count": 2, "annotations_url": "https://api.github.com/x"},
	}
	if r.Params["check_run_id"] != decimal(lintCheck) {
		c["app"] = map[string]any{"slug": "github-actions", "name": "GitHub Actions"}
	}
	return 200, fakegithub.Partial{Body: c}
}

func annotationsOf(r fakegithub.Request) (int, any) {
	note := func(path string, first, last int, level, title, text string) map[string]any {
		return map[string]any{"path": path, "start_line": first, "end_line": last, "annotation_level": level, "title": title, "message": text, "blob_href": "https://github.com/x"}
	}
	if r.Params["check_run_id"] == decimal(lintCheck) {
		return 200, fakegithub.List{Items: []any{
			note("src/main.go", 3, 5, "warning", "unused", "x is unused\nremove | it"), note("src/greet.go", 7, 7, "failure", "", "missing comma"),
		}}
	}
	return 200, fakegithub.List{Items: []any{
		note(".github", 12, 12, "failure", "", "Process completed with exit code 1."), note("src/greet_test.go", 7, 7, "failure", "", "got \"Hallo\""),
	}}
}

func TestActions(t *testing.T) {
	f := fakegithub.New(t)
	actionsOn(f)
	run := fmt.Sprintf("https://github.com/octo/hello/actions/runs/%d", int64(theRun))
	job := func(id int64) string { return run + "/job/" + decimal(id) }
	for name, url := range map[string]string{
		"run/failed":       run,
		"run/attempt":      run + "/attempts/1",
		"run/absent":       "https://github.com/octo/hello/actions/runs/1",
		"run/renamed":      fmt.Sprintf("https://github.com/octo/old-hello/actions/runs/%d", int64(theRun)),
		"job/failed":       job(failedJob),
		"job/passed":       job(passedJob),
		"job/gone":         job(goneJob),
		"job/skipped":      job(skippedJob),
		"job/running":      job(runningJob),
		"job/line":         job(failedJob) + "#step:2:4",
		"job/step":         job(failedJob) + "#step:5",
		"job/line_outside": job(failedJob) + "#step:2:400",
		"job/step_absent":  job(failedJob) + "#step:9:1",
		"job/of_pull":      job(failedJob) + "?pr=8",
		"job/api":          fmt.Sprintf("https://api.github.com/repos/octo/hello/actions/jobs/%d/logs", int64(failedJob)),
		"job/absent":       job(1),
		"check_run/lint":   fmt.Sprintf("https://github.com/octo/hello/runs/%d", int64(lintCheck)),
		"check_run/job":    fmt.Sprintf("https://github.com/octo/hello/runs/%d?check_suite_focus=true", int64(failedJob)),
		"check_run/made":   "https://github.com/octo/hello/runs/2",
	} {
		golden(t, f, name, url)
	}
}

// No token leaves the API, and neither does the address of the log stand in
// the document.
func TestLogAddressIsKept(t *testing.T) {
	f := fakegithub.New(t)
	actionsOn(f)
	got := fetch(t, f, withToken, fmt.Sprintf("https://github.com/octo/hello/actions/runs/%d/job/%d", int64(theRun), int64(failedJob)))
	text := got.body(t, jobName) + got.body(t, logName) + strings.Join(got.Document.Facts, "\n")
	if strings.Contains(text, "sig=") || strings.Contains(text, f.Base(fakegithub.Storage)) {
		t.Error("the log's address is in the document")
	}
}

func TestManyFailingJobs(t *testing.T) {
	f := fakegithub.New(t)
	actionsOn(f)
	log := f.Store("many", "text/plain", []byte(badLog()))
	var items []any
	for i := range 130 {
		items = append(items, jobJSON(int64(90000000000+i), fmt.Sprintf("job %d", i), "completed", "failure", stepJSON(step(2, "Test", "failure", 2, 5))))
	}
	f.Handle("GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs", func(fakegithub.Request) (int, any) {
		return 200, fakegithub.List{Key: "jobs", Items: items}
	})
	f.Handle("GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs", func(fakegithub.Request) (int, any) { return 302, fakegithub.Redirect(log) })
	url := fmt.Sprintf("https://github.com/octo/hello/actions/runs/%d", int64(theRun))
	got := fetch(t, f, withToken, url)
	if n := len(got.Document.Bodies); n != 1+maxLogs {
		t.Errorf("%d bodies, want %d", n, 1+maxLogs)
	}
	for _, fact := range []string{"jobs: 130 failing (job 0, job 1, job 10, job 100, job 101, …)", "no log of job 10: the logs of the first 10 failing jobs are here"} {
		if !slices.Contains(got.Document.Facts, fact) {
			t.Errorf("facts %q lack %q", got.Document.Facts, fact)
		}
	}
	f.ResetCalls()
	fetch(t, f, anonymous, url)
	if n := len(f.Calls()); n != 3+maxNotedJobs { // the run, two pages of jobs
		t.Errorf("%d calls without a token, want %d", n, 3+maxNotedJobs)
	}
}

// A run whose workflow could not start has no jobs; whatever names there are
// stay one fact each.
func TestRunWithoutJobs(t *testing.T) {
	f := fakegithub.New(t)
	r := runJSON(1)
	r["conclusion"], r["head_branch"] = "startup_failure", nil
	r["html_url"] = r["html_url"].(string) + "/attempts/1"
	f.Handle("GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}", func(fakegithub.Request) (int, any) { return 200, fakegithub.Partial{Body: r} })
	f.Handle("GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs", func(fakegithub.Request) (int, any) {
		return 200, fakegithub.List{Key: "jobs"}
	})
	url := fmt.Sprintf("https://github.com/octo/hello/actions/runs/%d/attempts/1", int64(theRun))
	got := fetch(t, f, withToken, url)
	if facts := got.Document.Facts; !slices.Contains(facts, "no jobs") || facts[0] != "startup failure" {
		t.Errorf("facts %q", facts)
	}
	if text := got.body(t, runName); !strings.Contains(text, "\n- page: "+url+"\n") || !strings.Contains(text, "## Jobs\n\n(none)\n") || got.Document.Link != "" {
		t.Errorf("link %q, %s:\n%s", got.Document.Link, runName, text)
	}
}

// What others named things, and what logs say, cannot pass for more than one
// fact.
func TestNamesInRunsKeepToThemselves(t *testing.T) {
	const forged = "x · success"
	failed := workflowJob{Name: forged, Branch: forged, Status: "completed", Conclusion: "failure", Steps: []jobStep{{Number: 1, Name: forged, Conclusion: "failure"}}}
	run := &runPage{jobs: []runJob{{workflowJob: failed, errors: []string{forged}, noLog: needsToken}}, workflowRun: workflowRun{Branch: forged}}
	one := &jobPage{workflowJob: failed, notes: []annotation{{Level: "failure", Text: forged}}}
	commit := &commitPage{ref: forged, diff: &diff{}, gitCommit: gitCommit{Author: &restUser{"ada"}}}
	commit.Commit.Author.Name = forged
	talk := &discussion{Category: forged, conversation: conversation{Labels: []string{forged}}}
	advice := advisory{CVE: forged}
	for _, fact := range slices.Concat(run.facts(), one.facts(logText{}), commit.facts(), talk.facts(&job{}), advice.facts()) {
		if strings.Contains(fact, " · ") {
			t.Errorf("fact %q", fact)
		}
	}
}

func TestRunList(t *testing.T) {
	f := fakegithub.New(t)
	var runs []any
	for i := range 3 {
		r := runJSON(1)
		r["id"], r["run_number"], r["conclusion"] = int64(theRun)-int64(i), 42-i, []string{"failure", "success", "cancelled"}[i]
		runs = append(runs, r)
	}
	answer := func(r fakegithub.Request) (int, any) {
		if r.Query.Get("branch") == "quiet" {
			return 200, fakegithub.List{Key: "workflow_runs"}
		}
		return 200, fakegithub.List{Key: "workflow_runs", Items: runs}
	}
	f.Handle("GET /repos/{owner}/{repo}/actions/runs", answer)
	f.Handle("GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs", answer)
	for name, url := range map[string]string{
		"all":          "https://github.com/octo/hello/actions",
		"workflow":     "https://github.com/octo/hello/actions/workflows/ci.yml",
		"query":        "https://github.com/octo/hello/actions?query=branch%3Amain+is%3Afailure",
		"none":         "https://github.com/octo/hello/actions?query=branch%3Aquiet",
		"free_text":    "https://github.com/octo/hello/actions?query=flaky",
		"unknown_sort": "https://github.com/octo/hello/actions?lab=false",
	} {
		golden(t, f, "run_list/"+name, url)
	}
}

// A page of GitHub's has 25 runs, one of the API's 100.
func TestRunListPage(t *testing.T) {
	f := fakegithub.New(t)
	f.Handle("GET /repos/{owner}/{repo}/actions/runs", func(fakegithub.Request) (int, any) {
		list := fakegithub.List{Key: "workflow_runs"}
		for i := range 230 {
			r := runJSON(1)
			r["run_number"] = 230 - i
			list.Items = append(list.Items, r)
		}
		return 200, list
	})
	got := fetch(t, f, anonymous, "https://github.com/octo/hello/actions?page=6")
	if fact := "230 runs, showing 101 to 200"; !slices.Contains(got.Document.Facts, fact) {
		t.Errorf("facts %q lack %q", got.Document.Facts, fact)
	}
	if want := "https://github.com/octo/hello/actions?page=5"; got.Document.Link != want {
		t.Errorf("link %q, want %q", got.Document.Link, want)
	}
	text := got.body(t, listingName)
	const rest = "\nThe rest: https://api.github.com/repos/octo/hello/actions/runs?page=3&per_page=100\n"
	if !strings.Contains(text, rest) || !strings.Contains(text, "| CI #130 |") || strings.Contains(text, "| CI #131 |") {
		t.Errorf("the listing begins:\n%.700s", text)
	}
}

func TestRunQuery(t *testing.T) {
	for _, tt := range []struct {
		text string
		want map[string]string
		ok   bool
	}{
		{"", nil, true},
		{"branch:main is:failure", map[string]string{"branch": "main", "status": "failure"}, true},
		{`event:push actor:ada branch:"feature/x"`, map[string]string{"event": "push", "actor": "ada", "branch": "feature/x"}, true},
		{"is:failure status:queued", nil, false},
		{"branch:", nil, false},
		{"workflow:CI", nil, false},
		{"flaky", nil, false},
		{`branch:"two words"`, nil, false},
	} {
		query, ok := runQuery(tt.text)
		got := map[string]string{}
		for name := range query {
			got[name] = query.Get(name)
		}
		if ok != tt.ok || ok && !maps.Equal(got, tt.want) {
			t.Errorf("%q: %v, %v; want %v, %v", tt.text, got, ok, tt.want, tt.ok)
		}
	}
}
