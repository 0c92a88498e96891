package target

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pifetch/internal/weburl"
)

var kinds = []Kind{
	Repo, File, Directory, Issue, IssueList, PullRequest, PullRequestList, LabelList, Milestone, MilestoneList, Search, Discussion, DiscussionList,
	Commit, CommitList, Compare, Release, ReleaseList, ReleaseAsset, TagList, BranchList, Run, RunList, Job, CheckRun, Advisory, AdvisoryList, Wiki,
	Gist, GistList, Owner, Archive, Project, API,
}

// A target is what Parse promises, and the same for every spelling of one URL.
func FuzzParse(f *testing.F) {
	for _, row := range corpus(f) {
		f.Add(row[0])
	}
	f.Fuzz(func(t *testing.T, raw string) {
		got, ok := Parse(raw)
		if !ok {
			if !reflect.DeepEqual(got, Target{}) {
				t.Errorf("Parse(%q) claims nothing, yet gives %+v", raw, got)
			}
			return
		}
		if !slices.Contains(kinds, got.Kind) {
			t.Errorf("Parse(%q): unknown kind %q", raw, got.Kind)
		}
		for _, name := range []string{got.Owner, got.Repo} {
			if name == "." || name == ".." || strings.ContainsAny(name, `/\%?# `) {
				t.Errorf("Parse(%q): owner %q, repository %q", raw, got.Owner, got.Repo)
			}
		}
		for _, s := range append(got.Path, got.ID, got.Sub) {
			if strings.ContainsFunc(s, unicode.IsControl) {
				t.Errorf("Parse(%q): control characters in %q", raw, s)
			}
		}
		for _, s := range got.Path {
			if s == "" || s == "." || s == ".." || strings.Contains(s, "/") {
				t.Errorf("Parse(%q): %q in the path %q", raw, s, got.Path)
			}
		}
		if slices.Contains(strings.FieldsFunc(got.ID, isSlash), "..") {
			t.Errorf("Parse(%q): ID %q climbs", raw, got.ID)
		}
		if l := got.Lines; l.First > l.Last || l.First < 0 || l.First == 0 && l.Last != 0 || got.Number < 0 {
			t.Errorf("Parse(%q): lines %+v, number %d", raw, l, got.Number)
		}
		u, err := weburl.Parse(raw)
		if err != nil {
			return // git's short form, or no scheme
		}
		if again, ok := Parse(u.String()); !ok || !reflect.DeepEqual(again, got) {
			t.Errorf("Parse(%q) = %+v\nParse(%q) = %+v, %v", raw, got, u, again, ok)
		}
	})
}
