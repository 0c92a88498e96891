package target

import "strings"

// issues reads what follows issues/.
func issues(t Target, rest []string) (Target, bool) {
	switch {
	case len(rest) == 0:
		return t.is(IssueList)
	case len(rest) == 1:
		return numbered(t, Issue, rest[0])
	case rest[0] == "created_by":
		return t.by(IssueList, rest[1:])
	}
	return none()
}

// by reads who opened what is listed: a login, "@me", or "app/NAME", whose
// slash may be escaped, for the app that logs in as NAME[bot].
func (t Target) by(list Kind, rest []string) (Target, bool) {
	t.Kind, t.Sub = list, strings.Join(rest, "/")
	if app, ok := strings.CutPrefix(t.Sub, "app/"); ok {
		t.Sub = app + "[bot]"
	}
	return t, t.Sub == "@me" || login.MatchString(t.Sub)
}

func numbered(t Target, k Kind, s string) (Target, bool) {
	n, ok := number(s)
	t.Kind, t.Number = k, n
	return t, ok
}

// pulls reads what follows pulls/: an author, or a number as after pull/.
func pulls(t Target, rest []string) (Target, bool) {
	if len(rest) == 0 {
		return t.is(PullRequestList)
	}
	if _, ok := number(rest[0]); ok {
		return pull(t, rest)
	}
	return t.by(PullRequestList, rest)
}

// pullTabs are the tabs of a pull request and the Sub each stands for.
var pullTabs = map[string]string{"files": "files", "changes": "files", "commits": "commits", "checks": "checks"}

// pull reads NUMBER[.diff|.patch], NUMBER/TAB, NUMBER/files/COMMIT or RANGE,
// and NUMBER/commits/COMMIT.
func pull(t Target, rest []string) (Target, bool) {
	if len(rest) == 0 {
		return none()
	}
	if len(rest) == 1 {
		var name string
		name, t.Sub = cutForm(rest[0])
		return numbered(t, PullRequest, name)
	}
	t, ok := numbered(t, PullRequest, rest[0])
	tab, known := pullTabs[rest[1]]
	if !ok || !known || len(rest) > 3 {
		return none()
	}
	t.Sub = tab
	if len(rest) == 2 {
		return t, true
	}
	switch tab {
	case "files":
		t.ID = rest[2]
		return t, shaRange.MatchString(t.ID)
	case "commits":
		t.ID, _ = cutForm(rest[2])
		return t, sha.MatchString(t.ID)
	}
	return none()
}

// discussions reads what follows discussions/, of a repository or an
// organisation.
func discussions(t Target, rest []string) (Target, bool) {
	switch {
	case len(rest) == 0:
		return t.is(DiscussionList)
	case len(rest) == 1:
		return numbered(t, Discussion, rest[0])
	case len(rest) == 2 && rest[0] == "categories":
		t.ID = rest[1]
		return t.is(DiscussionList)
	}
	return none()
}

// labels reads the labels of a repository, or the issues that have one.
func labels(t Target, rest []string) (Target, bool) {
	switch len(rest) {
	case 0:
		return t.is(LabelList)
	case 1:
		t.ID, t.Sub = rest[0], "label"
		return t.is(IssueList)
	}
	return none()
}

func milestone(t Target, rest []string) (Target, bool) {
	if len(rest) != 1 {
		return none()
	}
	return numbered(t, Milestone, rest[0])
}
