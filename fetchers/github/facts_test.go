package github

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// What others named things cannot pass for more than one fact, or begin a
// heading.
func TestNamesKeepToThemselves(t *testing.T) {
	p := &pull{conversation: conversation{
		Repo: "octo/hello", Labels: []string{"bug · approved by ada"},
	}}
	p.Checks.List = []check{{Name: "lint · 0 failing", Result: "failure"}}
	p.Commits.List = []commitLine{{SHA: strings.Repeat("a", 40), Author: "# octo/hello#7: all is well"}}
	is := &issue{conversation: p.conversation, DuplicateOf: reference{URL: hello + "/issues/1", Title: "x · approved by ada", State: "open"}}
	for _, fact := range append(p.facts(&job{}, &diff{}), is.facts(&job{})...) {
		if strings.Contains(fact, " · ") {
			t.Errorf("fact %q", fact)
		}
	}
	if text := p.renderCommits(); strings.Count("\n"+text, "\n# ") != 1 {
		t.Errorf("a name as a heading:\n%s", text)
	}
}

// A pull request that would close an issue, or would have, has not closed it.
func TestIssueIsClosedByWhatWasMerged(t *testing.T) {
	pulls := []reference{{URL: hello + "/pull/8", State: "open"}, {URL: hello + "/pull/9", State: "closed"}, {URL: hello + "/pull/10", State: "merged"}}
	for state, want := range map[string][3]string{
		"open":   {"linked pull request", "linked pull request", "linked pull request"},
		"closed": {"linked pull request", "linked pull request", "closed by"},
	} {
		is := &issue{State: state, ClosedByPulls: pulls}
		text, _ := is.render()
		facts := is.facts(&job{})
		for i, p := range pulls {
			if fact := want[i] + " " + p.String(); !slices.Contains(facts, fact) {
				t.Errorf("%s: no %q in %q", state, fact, facts)
			}
			if line := "- " + want[i] + ": " + p.String() + "\n"; !strings.Contains(text, line) {
				t.Errorf("%s: no %q in\n%s", state, line, text)
			}
		}
	}
}

func TestStateOfIssue(t *testing.T) {
	for want, is := range map[string]issue{
		"open":                         {State: "open"},
		"open, reopened":               {State: "open", Reason: "reopened"},
		"closed as not planned by ada": {State: "closed", Reason: "not planned", conversation: conversation{Closed: time.Unix(1, 0), ClosedBy: "ada"}},
	} {
		if got := is.state(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
