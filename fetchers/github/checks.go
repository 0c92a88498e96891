package github

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"pifetch/fetchers/github/markdown"
	"pifetch/internal/termtext"
)

// checks are the check runs and commit statuses of one commit.
type checks struct {
	SHA string
	// Missing says what was not read and where it is, "" when all was.
	Missing string
	// RunsRead is set when it is the commit statuses alone that are missing.
	RunsRead bool
	items[check]
}

const noChecks = "No check has reported on this commit."

// outcome is how a check stands, the worst first.
type outcome int

const (
	failing outcome = iota
	cancelled
	pending
	skipped
	passed
)

var outcomes = []struct{ word, title string }{
	failing:   {"failing", "Failing"},
	cancelled: {"cancelled", "Cancelled"},
	pending:   {"pending", "Pending"},
	skipped:   {"skipped", "Skipped"},
	passed:    {"passed", "Passed"},
}

type check struct {
	Name     string // "build / test (1.26)"
	Workflow string
	Result   string // GitHub's word: "timed out", "success", "in progress"
	Required bool
	Started  time.Time
	Ended    time.Time
	Note     string // its title or description
	URL      string // of GitHub's page
	Details  string // of the page of what ran it
}

// outcomes as GitHub's own command line sorts them.
func (c check) outcome() outcome {
	switch c.Result {
	case "success":
		return passed
	case "skipped", "neutral":
		return skipped
	case "error", "failure", "timed out", "action required", "startup failure":
		return failing
	case "cancelled":
		return cancelled
	}
	return pending
}

func (c check) took() string {
	if c.Started.IsZero() || c.Ended.Before(c.Started) {
		return ""
	}
	return c.Ended.Sub(c.Started).Round(time.Second).String()
}

func (c check) title() string {
	if c.Workflow == "" || c.Workflow == c.Name {
		return c.Name
	}
	return c.Workflow + " / " + c.Name
}

// sorted are the checks by outcome, the required before the others, then by name.
func (c checks) sorted() []check {
	required := func(c check) int {
		if c.Required {
			return 0
		}
		return 1
	}
	return slices.SortedStableFunc(slices.Values(c.List), func(a, b check) int {
		return cmp.Or(cmp.Compare(a.outcome(), b.outcome()), required(a)-required(b), strings.Compare(a.title(), b.title()))
	})
}

// namesInFact is how many failing checks a fact names.
const namesInFact = 5

// summary is "2 failing (lint, test), 14 passed"; "" when nothing was read.
func (c checks) summary() string {
	groups := make([][]string, len(outcomes))
	for _, check := range c.sorted() {
		o := check.outcome()
		groups[o] = append(groups[o], named(check.Name))
	}
	var parts []string
	for o, names := range groups {
		if len(names) == 0 {
			continue
		}
		part := termtext.Count(len(names)) + " " + outcomes[o].word
		if outcome(o) == failing {
			if len(names) > namesInFact {
				names = append(names[:namesInFact:namesInFact], "…")
			}
			part += " (" + strings.Join(names, ", ") + ")"
		}
		parts = append(parts, part)
	}
	summary := strings.Join(parts, ", ")
	if c.More {
		summary += " of the first " + termtext.Count(len(c.List))
	}
	return summary
}

// fact is the summary as a fact, nil when there is nothing to say.
func (c checks) fact() []string {
	switch {
	case len(c.List) > 0 && c.Missing != "":
		return []string{"checks: " + c.summary() + "; " + c.Missing}
	case len(c.List) > 0:
		return []string{"checks: " + c.summary()}
	case c.RunsRead:
		return []string{"no check runs; " + c.Missing}
	case c.Missing != "":
		return []string{"checks: " + c.Missing}
	}
	return []string{"no checks"}
}

// excerpt is the summary and what fails.
func (c checks) excerpt() string {
	lines := []string{c.summary(), c.Missing}
	if len(c.List) == 0 && c.Missing == "" {
		lines = []string{noChecks}
	}
	for _, check := range c.sorted() {
		if check.outcome() == failing {
			lines = append(lines, strings.TrimSpace(check.title()+": "+check.Result+" "+check.page()))
		}
	}
	return excerptOf(strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), "\n"))
}

// page is where to read on: of a job of Actions the page that its log is got
// from, else GitHub's page and that of the service.
func (c check) page() string {
	switch {
	case c.Details == "" || c.Details == c.URL:
		return c.URL
	case strings.HasPrefix(c.Details, "https://github.com/"):
		return c.Details
	}
	return strings.TrimSpace(c.URL + " " + c.Details)
}

// render is checks.md of what name says. more is where the checks are that
// were left out.
func (c checks) render(name, more string) string {
	var d markdown.Doc
	d.Heading(1, name+": checks of "+short(c.SHA))
	switch {
	case len(c.List) > 0:
		d.Add(c.summary())
	case c.Missing == "":
		d.Add(noChecks)
	}
	if c.Missing != "" {
		d.Add("Not here: " + c.Missing)
	}
	if c.More {
		d.Add("There are more: " + more)
	}
	list := c.sorted()
	for o, group := range outcomes {
		var rows [][]string
		for ; len(list) > 0 && list[0].outcome() == outcome(o); list = list[1:] {
			rows = append(rows, list[0].row())
		}
		if len(rows) > 0 {
			d.Heading(2, group.title)
			d.Table([]string{"check", "result", "took", "says", "page"}, rows)
		}
	}
	return d.String()
}

func (c check) row() []string {
	result := c.Result
	if c.Required {
		result += ", required"
	}
	return []string{c.title(), result, c.took(), c.Note, c.page()}
}
