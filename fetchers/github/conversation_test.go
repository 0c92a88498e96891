package github

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/patch"
	"pifetch/fetchers/github/target"
)

// The addresses of what a document leaves out are claimed, and none of them is
// the document again.
func TestRestIsFetchable(t *testing.T) {
	p := &pull{conversation: conversation{Repo: "octo/hello", Number: 7}, Head: branch{SHA: strings.Repeat("a", 40)}}
	p.Comments = items[comment]{List: make([]comment, maxComments), Total: 350, More: true}
	p.Files = items[patch.Section]{List: make([]patch.Section, maxFiles), Total: 301, More: true}
	p.Reviews = items[review]{List: make([]review, maxReviews), Total: -1, More: true}
	p.Threads = items[thread]{List: []thread{{Missing: 2, Comments: make([]reviewComment, 1)}}, Total: 9, More: true}
	p.Commits = items[commitLine]{List: make([]commitLine, perPage), Total: 180, More: true}
	p.Checks = checks{SHA: p.Head.SHA, items: items[check]{List: make([]check, 100), Total: 120, More: true}}
	text, _ := p.render(&diff{})
	is := &issue{conversation: p.conversation}
	is.SubIssues = items[reference]{List: make([]reference, 50), Total: 60, More: true}
	issueText, _ := is.render()
	found := 0
	for word := range strings.FieldsSeq(text + issueText + p.renderCommits() + p.renderChecks()) {
		if !strings.HasPrefix(word, "https://api.github.com/") {
			continue
		}
		found++
		if got, ok := target.Parse(word); !ok || got.Kind != target.API {
			t.Errorf("%s is %+v, %v: want one of the API", word, got, ok)
		}
	}
	if found < 8 {
		t.Errorf("%d addresses in the documents, want one for each list", found)
	}
}

// Reading may end before a page of the address is full.
func TestRestOfReviewsOverlaps(t *testing.T) {
	for n, page := range map[int]string{50: "&page=1\n", 100: "&page=2\n"} {
		p := &pull{Reviews: items[review]{List: make([]review, n), Total: 130, More: true}}
		if text, _ := p.render(&diff{}); !strings.Contains(text, "/reviews?per_page=100"+page) {
			t.Errorf("%d reviews read: no %q in\n%.600s", n, page, text)
		}
	}
}

func TestCount(t *testing.T) {
	for _, tt := range []struct {
		list items[comment]
		want string
	}{
		{items[comment]{}, "0 comments"},
		{items[comment]{List: make([]comment, 1), Total: 1}, "1 comment"},
		{items[comment]{List: make([]comment, 200), Total: 200}, "200 comments"},
		{items[comment]{List: make([]comment, 200), Total: 1350, More: true}, "200 of 1,350 comments"},
		{items[comment]{Total: -1, More: true}, "comments not read"},
		{items[comment]{Total: 3, More: true}, "3 comments not read"},
		{items[comment]{List: make([]comment, 200), Total: -1, More: true}, "the first 200 comments"},
	} {
		if got := tt.list.count("comment"); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestExcerptOf(t *testing.T) {
	long := strings.Repeat("ä", fetchers.ExcerptBytes)
	for _, tt := range []struct{ name, in, want string }{
		{"line ends", "a\r\nb", "a\nb"},
		{"hint of a template", "<!-- Describe\nthe bug -->\n\nIt broke.", "It broke."},
		{"open comment", "x <!-- y", "x <!-- y"},
		{"cap", "x" + long, "x" + long[:fetchers.ExcerptBytes-2]},
	} {
		if got := excerptOf(tt.in); got != tt.want {
			t.Errorf("%s: got %.40q of %d bytes, want %.40q of %d", tt.name, got, len(got), tt.want, len(tt.want))
		}
	}
}

func by1(author string) reviewComment { return reviewComment{comment: comment{Author: author}} }

func TestWaitsFor(t *testing.T) {
	for _, tt := range []struct {
		name     string
		comments []reviewComment
		missing  int
		want     string
	}{
		{"a reviewer asks", []reviewComment{by1("bob")}, 0, "alice"},
		{"the author answers", []reviewComment{by1("bob"), by1("alice")}, 0, "bob"},
		{"another joins in", []reviewComment{by1("bob"), by1("alice"), by1("carol")}, 0, "alice"},
		{"the author alone", []reviewComment{by1("alice"), by1("alice")}, 0, ""},
		{"last word unknown", []reviewComment{by1("bob")}, 3, ""},
		{"nothing", nil, 0, ""},
	} {
		if got := (thread{Comments: tt.comments, Missing: tt.missing}).waitsFor("alice"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestThreadPlace(t *testing.T) {
	for _, tt := range []struct {
		thread thread
		want   string
	}{
		{thread{Path: "a.go", Line: 12}, "`a.go`, line 12"},
		{thread{Path: "a.go", Start: 3, Line: 12}, "`a.go`, lines 3-12"},
		{thread{Path: "a.go", Start: 3, Line: 12, Side: "left"}, "`a.go`, lines 3-12 of the base"},
		{thread{Path: "a.go", OldStart: 2, Old: 4, Outdated: true}, "`a.go`, lines 2-4 at the time"},
		{thread{Path: "a`b.go", WholeFile: true}, "``a`b.go``, whole file"},
		{thread{Path: "a.go"}, "`a.go`"},
	} {
		if got := tt.thread.place(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.thread, got, tt.want)
		}
	}
}

func TestSortThreads(t *testing.T) {
	of := func(path string, n int) thread { return thread{Path: path, Comments: make([]reviewComment, n)} }
	resolved := func(t thread) thread { t.Resolved = true; return t }
	outdated := func(t thread) thread { t.Outdated = true; return t }
	p := &pull{}
	p.Threads.List = []thread{
		resolved(of("resolved", 50)), outdated(of("outdated", 60)), of("open", 80), of("open too", 1),
		resolved(outdated(of("both", 40))), resolved(of("left out", 1)),
	}
	p.sortThreads()
	var got []string
	for _, t := range p.Threads.List {
		got = append(got, t.Path)
	}
	want := []string{"open", "open too", "outdated", "resolved", "left out", "both"}
	if !slices.Equal(got, want) || p.Threads.More {
		t.Errorf("got %q, want %q", got, want)
	}
	if last := p.Threads.List[5]; len(last.Comments) != 8 || last.Missing != 32 {
		t.Errorf("the last thread has %d comments and lacks %d, want 8 and 32: 200 in all", len(last.Comments), last.Missing)
	}
	p.Threads.List = append([]thread{of("new", 200)}, p.Threads.List...)
	p.sortThreads()
	if len(p.Threads.List) != 1 || !p.Threads.More {
		t.Errorf("%d threads, more: %v; want the first to fill the cap", len(p.Threads.List), p.Threads.More)
	}
}

func TestVerdict(t *testing.T) {
	given := func(label, author string) review { return review{comment: comment{Author: author, Label: label}} }
	for _, tt := range []struct {
		name string
		pull pull
		want string
	}{
		{"none", pull{}, ""},
		{"decision alone", pull{Decision: "review required"}, "review required"},
		{"last word counts", pull{Decision: "approved", Reviews: items[review]{List: []review{
			given("changes requested", "bob"), given("commented", "bob"), given("approved", "bob"), given("approved", ""),
		}}}, "approved by bob, ghost"},
		{"decision unknown", pull{Reviews: items[review]{List: []review{given("approved", "bob"), given("changes requested", "carol")}}}, "changes requested by carol; approved by bob"},
		{"dismissed", pull{Reviews: items[review]{List: []review{given("approved", "bob"), given("dismissed", "bob")}}}, ""},
		{"many", pull{Decision: "review required", State: "open", Requested: []string{"@octo/core"}, Reviews: items[review]{List: []review{
			given("approved", "a"), given("approved", "b"), given("approved", "c"), given("approved", "d"),
		}}}, "review required; approved by a, b, c, …; waits for @octo/core"},
		{"last word not read", pull{Decision: "approved", Reviews: items[review]{List: []review{given("changes requested", "bob")}, Total: 130, More: true}}, "approved; in 1 of 130 reviews: changes requested by bob"},
		{"last word not read, decision neither", pull{Reviews: items[review]{List: []review{given("approved", "bob")}, Total: -1, More: true}}, "in the first 1 review: approved by bob"},
		{"nobody waits once merged", pull{State: "merged", Requested: []string{"bob"}}, ""},
	} {
		if got := tt.pull.verdict(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestChecks(t *testing.T) {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	c := checks{SHA: strings.Repeat("ab", 20), items: items[check]{List: []check{
		{Name: "build", Result: "success"},
		{Name: "z", Workflow: "CI", Result: "failure", Started: at, Ended: at.Add(95 * time.Second), URL: "https://github.com/o/r/actions/runs/1/job/2"},
		{Name: "a", Result: "timed out", Required: true},
		{Name: "docs", Result: "neutral"},
		{Name: "new", Result: "a word of tomorrow"},
		{Name: "c", Result: "cancelled"},
	}}}
	if got, want := c.summary(), "2 failing (a, z), 1 cancelled, 1 pending, 1 skipped, 1 passed"; got != want {
		t.Errorf("summary %q, want %q", got, want)
	}
	text := c.render("o/r#7", "")
	for _, want := range []string{
		"# o/r#7: checks of abababa\n", "## Failing\n", "| a | timed out, required |  |  |  |\n",
		"| CI / z | failure | 1m35s |  | https://github.com/o/r/actions/runs/1/job/2 |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, tt := range []struct {
		checks checks
		want   string
	}{
		{checks{}, "no checks"},
		{checks{Missing: "not read"}, "checks: not read"},
		{checks{RunsRead: true, Missing: "statuses not read"}, "no check runs; statuses not read"},
		{checks{Missing: "x", items: items[check]{List: []check{{Result: "success"}}}}, "checks: 1 passed; x"},
		{checks{items: items[check]{List: []check{{Result: "success"}}, Total: 9, More: true}}, "checks: 1 passed of the first 1"},
	} {
		if got := tt.checks.fact(); !slices.Equal(got, []string{tt.want}) {
			t.Errorf("fact %q, want %q", got, tt.want)
		}
	}
}

func TestRangeOf(t *testing.T) {
	p := &pull{Base: branch{SHA: "b0"}, Head: branch{SHA: "h0"}}
	for _, tt := range []struct{ id, base, head string }{
		{"aaaa..bbbb", "aaaa", "bbbb"},
		{"bbbb", "b0", "bbbb"},
		{"BASE..HEAD", "b0", "h0"},
		{"HEAD", "b0", "h0"},
	} {
		if base, head := p.rangeOf(tt.id); base != tt.base || head != tt.head {
			t.Errorf("%s: %s to %s, want %s to %s", tt.id, base, head, tt.base, tt.head)
		}
	}
}

func TestPlanKeepsToTheCalls(t *testing.T) {
	for _, tt := range []struct {
		name string
		pull restPull
		sub  string
		want plan
	}{
		{"no talk", restPull{}, "", plan{checks: true, statuses: true, commits: true}},
		{"some talk", restPull{restPost: restPost{Comments: 3}, ReviewComments: 4}, "", plan{checks: true}},
		{"much talk", restPull{restPost: restPost{Comments: 150}, ReviewComments: 80}, "", plan{}},
		{"checks asked for", restPull{restPost: restPost{Comments: 500}, ReviewComments: 500}, "checks", plan{checks: true, statuses: true}},
		{"commits asked for", restPull{restPost: restPost{Comments: 500}, ReviewComments: 500}, "commits", plan{commits: true}},
	} {
		if got := tt.pull.plan(tt.sub); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
