package github

import (
	"testing"

	"pifetch/fetchers/github/target"
)

func TestBuildListQuery(t *testing.T) {
	tests := []struct {
		url       string
		milestone string
		want      string // "" is not understood
	}{
		// A page without a search shows what is open.
		{url: "issues", want: "repo:o/r is:issue state:open"},
		{url: "pulls", want: "repo:o/r is:pr state:open"},

		// What was typed comes as it is, with the type where it has none.
		{url: "issues?q=label:bug", want: "repo:o/r is:issue label:bug"},
		{url: "pulls?q=is:merged", want: "repo:o/r is:merged"},
		{url: "issues?q=is:closed extraction", want: "repo:o/r is:issue is:closed extraction"},
		{url: "pulls?q=is:unmerged", want: "repo:o/r is:unmerged"},
		{url: "issues?q=is:pr", want: "repo:o/r is:pr"},
		{url: "issues?q=type:pr", want: "repo:o/r type:pr"},
		{url: "pulls?q=type:issue+x", want: "repo:o/r type:issue x"},
		{url: "pulls?q=x+is:issue", want: "repo:o/r x is:issue"},
		{url: "issues?q=is:pull-request", want: "repo:o/r is:pull-request"},
		{url: "issues?q=IS:PR", want: "repo:o/r IS:PR"},
		{url: "issues?q=(is:pr+OR+is:issue)+crash", want: "repo:o/r (is:pr OR is:issue) crash"},
		{url: "issues?q=extraction+failed", want: "repo:o/r is:issue extraction failed"},
		{url: "issues?q=a++b%20", want: "repo:o/r is:issue a  b "},
		{url: "issues?q=%22is:pr%22", want: `repo:o/r is:issue "is:pr"`},
		{url: "issues?q=label:%22is:pr+x%22", want: `repo:o/r is:issue label:"is:pr x"`},
		{url: "issues?q=-is:pr", want: "repo:o/r is:issue -is:pr"},
		{url: "issues?q=type:Bug", want: "repo:o/r is:issue type:Bug"},
		{url: "issues?q=is:prs", want: "repo:o/r is:issue is:prs"},
		{url: "issues?q=sort:comments-desc", want: "repo:o/r is:issue sort:comments-desc"},
		{url: "issues?q=", want: "repo:o/r is:issue"},
		{url: "pulls?q=+", want: "repo:o/r is:pr"},
		{url: "issues?q=x&page=2", want: "repo:o/r is:issue x"},
		{url: "issues?q=x&utm_source=y", want: "repo:o/r is:issue x"},
		{url: "issues?q=x&labels=bug"},
		{url: "issues?q=x&frobnicate=1"},
		{url: "labels/bug?q=x"},

		// Paths and parameters that say the same as a search.
		{url: "labels/good%20first%20issue", want: `repo:o/r state:open label:"good first issue"`}, // issues and pull requests
		{url: "labels/bug?state=all&author=ada&page=5", want: `repo:o/r label:"bug" author:ada`},
		{url: "labels/say%20%22hi%22"},
		{url: "issues/created_by/alice", want: "repo:o/r is:issue state:open author:alice"},
		{url: "pulls/alice", want: "repo:o/r is:pr state:open author:alice"},
		{url: "pulls/dependabot[bot]", want: "repo:o/r is:pr state:open author:app/dependabot"},
		{url: "pulls/app%2Frenovate", want: "repo:o/r is:pr state:open author:app/renovate"},
		{url: "issues/created_by/@me", want: "repo:o/r is:issue state:open author:@me"},
		{url: "issues?state=open", want: "repo:o/r is:issue state:open"},
		{url: "issues?state=closed", want: "repo:o/r is:issue state:closed"},
		{url: "pulls?state=all", want: "repo:o/r is:pr"},
		{url: "issues?state=merged"},
		{url: "issues?labels=bug,help+wanted", want: `repo:o/r is:issue state:open label:"bug" label:"help wanted"`},
		{url: "issues?labels=bug,"},
		{url: "issues?creator=alice&assignee=bob&mentioned=carol", want: "repo:o/r is:issue state:open author:alice assignee:bob mentions:carol"},
		{url: "issues?assignee=@me", want: "repo:o/r is:issue state:open assignee:@me"},
		{url: "issues?assignee=none", want: "repo:o/r is:issue state:open no:assignee"},
		{url: "issues?assignee=*"},
		{url: "issues?creator=none"},
		{url: "issues?creator=a+b"},
		{url: "issues?milestone=none", want: "repo:o/r is:issue state:open no:milestone"},
		{url: "issues?milestone=2&state=closed&labels=bug", milestone: "v 1.0", want: `repo:o/r is:issue state:closed label:"bug" milestone:"v 1.0"`},
		{url: "issues?milestone=*"},
		{url: "issues?sort=updated", want: "repo:o/r is:issue state:open sort:updated-desc"},
		{url: "issues?sort=comments&direction=asc", want: "repo:o/r is:issue state:open sort:comments-asc"},
		{url: "issues?direction=asc", want: "repo:o/r is:issue state:open sort:created-asc"},
		{url: "issues?sort=updated&direction=up"},
		{url: "pulls?sort=popularity"},
		{url: "issues?since=2026-01-01"},
	}
	for _, tt := range tests {
		t.Run(tt.url, func(t *testing.T) {
			parsed, ok := target.Parse("https://github.com/o/r/" + tt.url)
			if !ok {
				t.Fatal("not claimed")
			}
			got, ok := buildListQuery(parsed, tt.milestone)
			if !ok {
				got = ""
			}
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}
