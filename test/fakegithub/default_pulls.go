package fakegithub

import (
	"fmt"
	"time"

	"pifetch/test/fakegithub/gitrepo"
)

// helloPulls makes the branches of octo/hello's pull requests, and describes them.
func helloPulls(b *gitrepo.Builder) []*Issue {
	const main = "refs/heads/main"
	head := func(number int, branch string, keep bool) {
		b.Ref(fmt.Sprintf("refs/pull/%d/head", number), branch)
		if !keep {
			b.Delete(branch)
		}
	}
	torture := map[string]gitrepo.File{}
	for path, f := range tortureHead() {
		torture["torture/"+path] = f
	}
	b.Commit(gitrepo.Commit{Branch: "refs/heads/torture", From: main, Author: ada, When: day(time.March, 2, 9, 0), Message: "Change everything in every way\n", Files: torture})
	head(PullTorture, "refs/heads/torture", true)

	big := map[string]gitrepo.File{}
	for i := range 119 {
		big[fmt.Sprintf("lang/%03d.go", i)] = gitrepo.Text(fmt.Sprintf("package lang\n\n// L%d is language %d.\nconst L%d = %d\n", i, i, i, i))
	}
	b.Commit(gitrepo.Commit{Branch: "refs/heads/feature/big", From: main, Author: linus, When: day(time.March, 3, 9, 0), Message: "Add all languages\n", Files: big})
	b.Commit(gitrepo.Commit{
		Branch: "refs/heads/feature/big", Author: linus, When: day(time.March, 4, 9, 0), Message: "Address the review\n\nEvery language is a constant.\n",
		Files: map[string]gitrepo.File{"src/greet.go": gitrepo.Text(helloGreet + "\n// count is the number of languages.\nconst count = 119\n")},
	})
	head(PullBig, "refs/heads/feature/big", true)

	head(PullDraft, "refs/heads/feature/x", true)

	b.Commit(gitrepo.Commit{
		Branch: "refs/heads/spanish", From: main, Author: linus, When: day(time.March, 5, 9, 0), Message: "Greet in Spanish\n",
		Files: map[string]gitrepo.File{"src/spanish.go": gitrepo.Text("package main\n\nfunc init() { greetings[\"es\"] = \"Hola\" }\n")},
	})
	head(PullMerged, "refs/heads/spanish", false)
	b.Commit(gitrepo.Commit{
		Branch: "refs/heads/lost", From: main, Author: linus, When: day(time.March, 6, 9, 0), Message: "Greet in Klingon\n",
		Files: map[string]gitrepo.File{"src/klingon.go": gitrepo.Text("package main\n\nfunc init() { greetings[\"tlh\"] = \"nuqneH\" }\n")},
	})
	head(PullOfLostFork, "refs/heads/lost", false)
	b.Commit(gitrepo.Commit{
		Branch: main, Merge: fmt.Sprintf("refs/pull/%d/head", PullMerged), Author: ada, When: day(time.March, 20, 17, 30), Message: "Merge pull request #10 from linus/spanish\n\nGreet in Spanish\n",
		Files: map[string]gitrepo.File{"src/spanish.go": gitrepo.Text("package main\n\nfunc init() { greetings[\"es\"] = \"Hola\" }\n")},
	})
	return []*Issue{
		{
			Number: PullTorture, ID: 2200000007, Title: "Change everything in every way", Author: "ada", Association: "MEMBER",
			Body: "Renames, modes, links, encodings.", Created: day(time.March, 2, 10, 0),
			Pull: &Pull{Base: "main", Head: "torture", HeadRepo: "octo/hello", Decision: "REVIEW_REQUIRED", Reviewers: []string{"grace"}, Teams: []string{"maintainers"}},
		},
		bigPull(),
		{
			Number: PullDraft, ID: 2200000009, Title: "Feature x", Author: "linus", Association: "CONTRIBUTOR", Created: day(time.March, 7, 10, 0), Labels: []string{"help wanted"},
			Pull: &Pull{Base: "main", Head: "feature/x", HeadRepo: "octo/hello", Draft: true, Conflicts: true},
		},
		{
			Number: PullMerged, ID: 2200000010, Title: "Greet in Spanish", Author: "linus", Association: "CONTRIBUTOR", Body: "Closes #4", Created: day(time.March, 5, 10, 0),
			Closed: day(time.March, 20, 17, 30), ClosedBy: "ada", Milestone: 2,
			Pull: &Pull{
				Base: "main", Head: "spanish", HeadRepo: "linus/hello", HeadOwner: "linus", Merged: day(time.March, 20, 17, 30), MergedBy: "ada", MergeSHA: "main",
				Decision: "APPROVED", Fixes: []int{IssueClosed},
				Reviews: []*Review{{ID: 4100000101, Author: "ada", Association: "MEMBER", State: "APPROVED", Body: "", Submitted: day(time.March, 19, 12, 0)}},
			},
		},
		{
			Number: PullOfLostFork, ID: 2200000011, Title: "Greet in Klingon", Author: "", Association: "NONE", Body: "Qapla'!", Created: day(time.March, 6, 10, 0),
			Closed: day(time.March, 8, 10, 0), ClosedBy: "grace",
			Pull: &Pull{Base: "main", Head: "klingon", HeadOwner: "", HeadRepo: ""},
		},
	}
}

// bigPull is pull request 8, at the caps.
func bigPull() *Issue {
	i := &Issue{
		Number: PullBig, ID: 2200000008, Title: "Add all languages", Author: "linus", Association: "CONTRIBUTOR",
		Body: "Adds **119** languages.\r\n\r\nCloses #1.", Created: day(time.March, 3, 10, 0), Edited: day(time.March, 3, 11, 0),
		Labels: []string{"help wanted", "area: parser"}, Assignees: []string{"linus"}, Milestone: 1, Reactions: 5,
		Pull: &Pull{
			Base: "main", Head: "feature/big", HeadRepo: "octo/hello", Decision: "CHANGES_REQUESTED", Reviewers: []string{"ada"}, Fixes: []int{IssueFew},
			Reviews: []*Review{
				{ID: 4100000001, Author: "grace", Association: "MEMBER", State: "CHANGES_REQUESTED", Body: "Some of these\r\nare not languages.", Submitted: day(time.March, 4, 8, 0), Commit: "feature/big~1"},
				{ID: 4100000002, Author: "ada", Association: "MEMBER", State: "COMMENTED", Body: "", Submitted: day(time.March, 4, 9, 30)},
				{ID: 4100000003, Author: "ci[bot]", State: "APPROVED", Body: "Looks generated.", Submitted: day(time.March, 4, 10, 0)},
				{ID: 4100000004, Author: "", State: "DISMISSED", Body: "Never mind.", Submitted: day(time.March, 4, 11, 0)},
			},
		},
	}
	for n := range 150 {
		i.Comments = append(i.Comments, &Comment{
			ID: 3200000000 + int64(n), Author: []string{"linus", "grace"}[n%2], Association: []string{"CONTRIBUTOR", "MEMBER"}[n%2],
			Body: fmt.Sprintf("Remark %d", n+1), Created: day(time.March, 4, 12, 0).Add(time.Duration(n) * time.Minute),
		})
	}
	for n := range 40 {
		t := &Thread{
			Path: fmt.Sprintf("lang/%03d.go", n), Line: 4, OriginalLine: 4,
			Hunk: fmt.Sprintf("@@ -0,0 +1,4 @@\n+package lang\n+\n+// L%d is language %d.\n+const L%d = %d", n, n, n, n),
		}
		switch n % 5 {
		case 1:
			t.ResolvedBy = "grace"
		case 2:
			t.StartLine = 3
		case 3:
			t.Outdated, t.Line = true, 0
		case 4:
			t.WholeFile, t.Line, t.OriginalLine, t.Hunk = true, 0, 0, ""
		}
		for c := range 1 + n%3 {
			t.Comments = append(t.Comments, &ReviewComment{Review: 4100000001, Comment: Comment{
				ID: 4200000000 + int64(n)*10 + int64(c), Author: []string{"grace", "linus", "grace"}[c], Association: []string{"MEMBER", "CONTRIBUTOR", "MEMBER"}[c],
				Body: fmt.Sprintf("Thread %d, comment %d.", n+1, c+1), Created: day(time.March, 4, 8, 0).Add(time.Duration(n*3+c) * time.Minute),
			}})
		}
		i.Pull.Threads = append(i.Pull.Threads, t)
	}
	i.Pull.Threads[0].Comments[0].Body = "Is this a language?\r\n\r\n```suggestion\r\nconst L0 = -1\r\n```"
	return i
}

// finishPull fills in what only git knows.
func finishPull(r *Repo, number int, p *Pull) {
	p.HeadSHA = r.Git.CommitSHA(fmt.Sprintf("refs/pull/%d/head", number))
	if p.MergeSHA != "" {
		p.MergeSHA = r.Git.CommitSHA(p.MergeSHA)
		p.BaseSHA = r.Git.CommitSHA(p.MergeSHA + "^1")
	} else {
		p.BaseSHA = r.Git.CommitSHA(p.Base)
	}
	for _, review := range p.Reviews {
		if review.Commit == "" {
			review.Commit = p.HeadSHA
		} else {
			review.Commit = r.Git.CommitSHA(review.Commit)
		}
	}
}

// helloChecks gives the head of pull request 8 what CI says about it.
func helloChecks(r *Repo) {
	sha := r.Issue(PullBig).Pull.HeadSHA
	at := day(time.March, 4, 9, 5)
	run := func(id int64, name, conclusion string, workflowRun int64, title string) Check {
		c := Check{
			ID: id, Name: name, Status: "COMPLETED", Conclusion: conclusion, Title: title, Workflow: "CI", Run: workflowRun,
			Started: at, Completed: at.Add(90 * time.Second), Details: r.HTML("/actions/runs/%d/job/%d", workflowRun, id),
		}
		if conclusion == "" {
			c.Status, c.Completed = "IN_PROGRESS", time.Time{}
		}
		return c
	}
	lint := run(73475988070, "lint", "SUCCESS", 0, "No problems")
	lint.App, lint.Workflow, lint.Details = "linty", "", "https://linty.example/runs/7"
	r.Checks[sha] = []Check{
		run(73475988064, "test (linux)", "SUCCESS", 17600000001, ""),
		run(73475988065, "test (macos)", "FAILURE", 17600000001, "3 tests failed"),
		run(73475988066, "build", "SKIPPED", 17600000001, ""),
		run(73475988067, "deploy preview", "", 17600000002, ""),
		lint,
	}
	r.Statuses[sha] = []Status{
		{ID: 6100000001, Context: "coverage/project", State: "FAILURE", Description: "81.2% (-4.0%)", Target: "https://coverage.example/r/1", Created: at},
		{ID: 6100000002, Context: "license/cla", State: "SUCCESS", Description: "All signed", Created: at},
	}
}
