package github

import (
	"slices"
	"strings"
	"testing"

	"pifetch/fetchers"
	"pifetch/fetchers/github/target"
)

func TestExtentFact(t *testing.T) {
	for _, tt := range []struct {
		e    extent
		want string
	}{
		{extent{First: 1, Shown: 100, Total: 342}, "342 matches, showing first 100"},
		{extent{First: 1, Shown: 100, Total: 100}, "100 matches"},
		{extent{First: 1, Shown: 1, Total: 1}, "1 match"},
		{extent{First: 1}, "0 matches"},
		{extent{First: 101, Shown: 100, Total: 1342}, "1,342 matches, showing 101 to 200"},
		{extent{First: 301, Total: 250}, "250 matches, none of them here"},
		{extent{First: 1, Shown: 100, Total: -1}, "100 matches"},
		{extent{First: 1, Shown: 100, Total: -1, More: true}, "100 matches, and there are more"},
		{extent{First: 101, Shown: 7, Total: -1}, "matches 101 to 107"},
		{extent{First: 101, Total: -1}, "no matches from 101 on"},
	} {
		if got := tt.e.fact("match", "matches"); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.e, got, tt.want)
		}
	}
}

func TestAPIPage(t *testing.T) {
	for _, tt := range []struct {
		page string
		per  int
		want int // 0: there is none
	}{
		{"", 25, 1},
		{"1", 25, 1},
		{"4", 25, 1},
		{"5", 25, 2},
		{"9", 25, 3},
		{"10", 10, 1},
		{"11", 10, 2},
		{"3", 30, 1},
		{"4", 30, 0},
		{"0", 25, 0},
		{"-1", 25, 0},
		{"x", 25, 0},
		{"99999999999999999999", 25, 0},
	} {
		parsed, _ := target.Parse("https://github.com/o/r/issues?page=" + tt.page)
		got, ok := apiPage(parsed, "page", tt.per)
		if !ok {
			got = 0
		}
		if got != tt.want {
			t.Errorf("page %q of %d: got %d, want %d", tt.page, tt.per, got, tt.want)
		}
	}
}

func TestOnPageOf(t *testing.T) {
	for _, tt := range []struct {
		list      string
		page, per int
		want      string
	}{
		{"https://github.com/o/r/pulls", 1, 25, "https://github.com/o/r/pulls"},
		{"https://github.com/o/r/pulls", 2, 25, "https://github.com/o/r/pulls?page=5"},
		{"https://github.com/o/r/issues?q=x", 3, 25, "https://github.com/o/r/issues?q=x&page=9"},
		{"https://github.com/o/r/releases", 2, 10, "https://github.com/o/r/releases?page=11"},
	} {
		got := onPageOf(tt.list, tt.page, tt.per)
		if got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
		parsed, _ := target.Parse(got)
		if page, ok := apiPage(parsed, "page", tt.per); !ok || page != tt.page {
			t.Errorf("%s is read as page %d, %v; want %d", got, page, ok, tt.page)
		}
	}
}

func TestExcerptLines(t *testing.T) {
	if got, want := wholeLines([]string{"#2 b", "#1 a"}), "#2 b\n#1 a"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	line := strings.Repeat("x", 1000)
	got := wholeLines([]string{line, line, line, line, line})
	if want := strings.Join([]string{line, line, line, line}, "\n"); got != want || len(got) > fetchers.ExcerptBytes {
		t.Errorf("%d bytes of whole lines, want %d", len(got), len(want))
	}
}

type object = map[string]any

// rows are the rows of the table in a listing.
func (f fetched) rows(t *testing.T) []string {
	t.Helper()
	var rows []string
	for line := range strings.Lines(f.body(t, listingName)) {
		if strings.HasPrefix(line, "| ") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	return rows[min(2, len(rows)):] // the head, and the line below it
}

func (f fetched) has(t *testing.T, facts ...string) {
	t.Helper()
	if f.Document == nil {
		t.Fatalf("no document: %+v", f.Failure)
	}
	for _, fact := range facts {
		if !slices.Contains(f.Document.Facts, fact) {
			t.Errorf("facts %q, want %q", f.Document.Facts, fact)
		}
	}
}

// Where the rest of a list is said to be is claimed, too.
func TestRestIsClaimed(t *testing.T) {
	for _, url := range []string{
		"https://github.com/o/r/issues?q=is%3Aissue+label%3A%22bug%22&page=5",
		"https://github.com/o/r/pulls?page=5",
		"https://github.com/o/r/releases?page=11",
		"https://github.com/o/r/milestone/4?closed=1",
		"https://api.github.com/repos/o/r/labels?per_page=100&page=11",
		"https://api.github.com/repos/o/r/milestones?state=open&per_page=100&page=11",
		"https://api.github.com/repos/o/r/issues?milestone=4&state=open&per_page=100&page=2",
		"https://api.github.com/repos/o/r/tags?per_page=100&page=11",
		"https://api.github.com/repos/o/r/branches?per_page=100&page=11",
		"https://api.github.com/gists/0123456789abcdef0123/comments?per_page=100&page=3",
		"https://api.github.com/users/o/gists?per_page=100&page=2",
		"https://api.github.com/users/o/repos?sort=pushed&per_page=100&page=2",
		"https://api.github.com/orgs/o/repos?sort=pushed&per_page=100&page=2",
	} {
		if got, ok := target.Parse(url); !ok || resolvers[got.Kind] == nil {
			t.Errorf("%s is not claimed: %+v", url, got)
		}
	}
}
