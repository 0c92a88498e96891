package github

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pifetch/test/fakegithub"
)

// Lists of issues and pull requests, labels and milestones as documents.
func TestGoldenIssueLists(t *testing.T) {
	f := fakegithub.New(t)
	muchSearch(f)
	for _, tt := range []struct{ name, url string }{
		{"issues/open", "https://github.com/octo/hello/issues"},
		{"issues/api", "https://api.github.com/repos/octo/hello/issues?per_page=100"},
		{"issues/search", "https://github.com/octo/hello/issues?q=is%3Aclosed+greet"},
		{"issues/search-for-pulls", "https://github.com/octo/hello/issues?q=is%3Apr+sort%3Acreated-asc"},
		{"issues/none", "https://github.com/octo/hello/issues?q=label%3Anowhere"},
		{"issues/not-understood", "https://github.com/octo/hello/issues?q=flavour%3Asweet"},
		{"issues/label", "https://github.com/octo/hello/labels/good%20first%20issue"},
		{"issues/label-of-both", "https://github.com/octo/hello/labels/area:%20parser"},
		{"issues/author", "https://github.com/octo/hello/issues/created_by/linus"},
		{"issues/parameters", "https://github.com/octo/hello/issues?labels=bug,area%3A+parser&milestone=1&state=all&sort=updated&assignee=ada"},
		{"issues/parameter-unknown", "https://github.com/octo/hello/issues?since=2026-01-01"},
		{"issues/milestone-unknown", "https://github.com/octo/hello/issues?milestone=99"},
		{"issues/missing", "https://github.com/octo/nowhere/issues"},
		{"issues/renamed", "https://github.com/octo/old-hello/issues?labels=bug"},
		{"issues/private", "https://github.com/octo/secret/issues"},
		{"pulls/open", "https://github.com/octo/hello/pulls"},
		{"pulls/merged", "https://github.com/octo/hello/pulls?q=is%3Amerged"},
		{"pulls/author", "https://github.com/octo/hello/pulls/linus?state=all"},
		{"labels/all", "https://github.com/octo/hello/labels"},
		{"labels/search", "https://github.com/octo/hello/labels?q=bug"},
		{"labels/renamed", "https://github.com/octo/old-hello/labels"},
		{"milestone/open", "https://github.com/octo/hello/milestone/1"},
		{"milestone/closed", "https://github.com/octo/hello/milestone/1?closed=1"},
		{"milestone/renamed", "https://github.com/octo/old-hello/milestone/2?closed=1"},
		{"milestone/missing", "https://github.com/octo/hello/milestone/99"},
		{"milestones/open", "https://github.com/octo/hello/milestones"},
		{"milestones/closed", "https://github.com/octo/hello/milestones?state=closed&sort=due_date&direction=desc"},
		{"milestones/order-unknown", "https://github.com/octo/hello/milestones?sort=title"},
	} {
		golden(t, f, tt.name, tt.url)
	}
}

// A list of issues is one page of 100, and says where the next is.
func TestIssueListPages(t *testing.T) {
	f := fakegithub.New(t)
	repo, _ := f.World.Repo("octo/many")
	repo.IssuesOff = false
	for n := 1; n <= 130; n++ {
		repo.Issues = append(repo.Issues, &fakegithub.Issue{
			Number: n, ID: int64(n), Title: fmt.Sprint("Issue ", n), Author: "ada", Created: time.Date(2026, 1, 1, 0, n, 0, 0, time.UTC),
		})
	}
	for _, tt := range []struct {
		query       string
		fact, rest  string
		first, last string
		rows        int
	}{
		{"", "130 matches, showing first 100", "The rest: https://github.com/octo/many/issues?page=5, or narrow the query.", "#130 ", "#31 ", 100},
		{"?page=4", "130 matches, showing first 100", "The rest: https://github.com/octo/many/issues?page=5, or narrow the query.", "#130 ", "#31 ", 100},
		{"?page=5", "130 matches, showing 101 to 130", "", "#30 ", "#1 ", 30},
		{"?q=issue", "130 matches, showing first 100", "The rest: https://github.com/octo/many/issues?q=is%3Aissue+issue&page=5, or narrow the query.", "#130 ", "#31 ", 100},
		{"?page=9", "130 matches, none of them here", "", "", "", 0},
	} {
		t.Run(tt.query, func(t *testing.T) {
			f.ResetCalls()
			got := fetch(t, f, withToken, "https://github.com/octo/many/issues"+tt.query)
			got.has(t, tt.fact)
			if calls := f.Calls(); len(calls) != 1 {
				t.Errorf("%d calls, want 1", len(calls))
			}
			if strings.Contains(got.Document.Link, "page=") != (tt.rows <= 30) {
				t.Errorf("link %s", got.Document.Link)
			}
			text := got.body(t, listingName)
			if strings.Contains(text, "The rest:") != (tt.rest != "") || !strings.Contains(text, tt.rest) {
				t.Errorf("want %q in\n%s", tt.rest, text)
			}
			rows := got.rows(t)
			if len(rows) != tt.rows {
				t.Fatalf("%d rows, want %d", len(rows), tt.rows)
			}
			if tt.rows > 0 && (!strings.HasPrefix(rows[0], "| "+tt.first) || !strings.HasPrefix(rows[tt.rows-1], "| "+tt.last)) {
				t.Errorf("rows from %q to %q", rows[0], rows[tt.rows-1])
			}
		})
	}
}

// A page that lacks matches is followed by the next one, not by itself.
func TestIssueListShortPage(t *testing.T) {
	f := fakegithub.New(t)
	f.Handle("GET /search/issues", func(r fakegithub.Request) (int, any) {
		return 200, fakegithub.List{Key: "items", Total: 342, Fields: object{"incomplete_results": true}, Items: []any{
			object{"number": 1, "title": "One", "state": "open", "html_url": "https://github.com/octo/hello/issues/1", "user": nil, "updated_at": "2026-01-01T00:00:00Z"},
		}}
	})
	got := fetch(t, f, withToken, "https://github.com/octo/hello/issues")
	got.has(t, "342 matches, showing first 1")
	if text, want := got.body(t, listingName), "The rest: https://github.com/octo/hello/issues?page=5, "; !strings.Contains(text, want) {
		t.Errorf("want %q in\n%s", want, text)
	}
}

// The rest of a list of milestones is in the same order.
func TestMilestonesOfMany(t *testing.T) {
	f := fakegithub.New(t)
	f.Handle("GET /repos/{owner}/{repo}/milestones", func(r fakegithub.Request) (int, any) {
		list := fakegithub.List{}
		for n := range 1001 {
			list.Items = append(list.Items, object{"number": n + 1, "title": fmt.Sprint("M", n+1), "state": "closed", "html_url": fmt.Sprint("https://github.com/octo/hello/milestone/", n+1)})
		}
		return 200, list
	})
	got := fetch(t, f, withToken, "https://github.com/octo/hello/milestones?state=closed&sort=due_date&direction=desc")
	got.has(t, "1,000 closed milestones, and there are more")
	if want := "https://github.com/octo/hello/milestones?direction=desc&sort=due_date&state=closed"; got.Document.Link != want {
		t.Errorf("link %s, want %s", got.Document.Link, want)
	}
	text, want := got.body(t, listingName), "The rest: https://api.github.com/repos/octo/hello/milestones?direction=desc&sort=due_on&state=closed&per_page=100&page=11\n"
	if !strings.Contains(text, want) {
		t.Errorf("want %q in\n%.300s", want, text)
	}
}

// OR in a search reaches beyond the repository; the list says so.
func TestIssueListOfOtherRepositories(t *testing.T) {
	f := fakegithub.New(t)
	f.Handle("GET /search/issues", func(r fakegithub.Request) (int, any) {
		return 200, fakegithub.List{Key: "items", Fields: object{"incomplete_results": true}, Items: []any{
			object{"number": 1, "title": "Ours", "state": "open", "html_url": "https://github.com/octo/hello/issues/1", "user": nil, "updated_at": "2026-01-01T00:00:00Z"},
			object{"number": 2, "title": "Theirs", "state": "open", "html_url": "https://github.com/linus/hello/issues/2", "user": nil, "updated_at": "2026-01-01T00:00:00Z"},
		}}
	})
	got := fetch(t, f, withToken, "https://github.com/octo/hello/issues?q=label%3Aa+OR+label%3Ab")
	got.has(t, "2 matches", "1 match is in another repository: linus/hello", "incomplete: GitHub's search ran out of time, so matches may be missing")
	if rows := got.rows(t); !strings.HasPrefix(rows[0], "| #1 | Ours | open | ghost |") || !strings.HasPrefix(rows[1], "| linus/hello#2 |") {
		t.Errorf("rows %q", rows)
	}
}

func TestIssueState(t *testing.T) {
	type merged = struct {
		state, reason string
		draft         bool
	}
	for want, r := range map[string]merged{
		"open": {"open", "", false}, "draft": {"open", "", true}, "closed": {"closed", "", true}, "closed (not planned)": {"closed", "not_planned", false},
	} {
		if got := (restIssueRow{State: r.state, Reason: r.reason, Draft: r.draft}).state(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// muchSearch allows for more searches than GitHub does.
func muchSearch(f *fakegithub.Fake) {
	for _, resource := range []string{"search", "code_search"} {
		for _, authorized := range []bool{false, true} {
			f.SetRemaining(authorized, resource, 1000, time.Now().Add(time.Hour))
		}
	}
}

// With some tokens GitHub wants every search to say what it is for.
func TestIssueListWithType(t *testing.T) {
	f := fakegithub.New(t)
	f.Handle("GET /search/issues", func(r fakegithub.Request) (int, any) {
		if !strings.Contains(r.Query.Get("q"), "is:pr") {
			return 422, fakegithub.Invalid("Query must include 'is:issue' or 'is:pull-request'")
		}
		return 0, nil
	})
	got := fetch(t, f, withToken, "https://github.com/octo/hello/pulls?q=is%3Amerged")
	got.has(t, "1 match", "query: repo:octo/hello is:merged is:pr")
	if want := "octo/hello pulls: repo:octo/hello is:merged"; got.Document.Title != want {
		t.Errorf("title %q, want %q", got.Document.Title, want)
	}

	// The page of a label is for both.
	f.Handle("GET /search/issues", func(r fakegithub.Request) (int, any) {
		if !strings.Contains(r.Query.Get("q"), "is:issue") {
			return 422, fakegithub.Invalid("Query must include 'is:issue' or 'is:pull-request'")
		}
		return 0, nil
	})
	got = fetch(t, f, withToken, "https://github.com/octo/hello/labels/area:%20parser")
	got.has(t, "1 match", `query: repo:octo/hello state:open label:"area: parser" is:issue`, "issues only: GitHub searches one kind at a time with this token")
	if text, want := got.body(t, listingName), "The pull requests: https://github.com/octo/hello/pulls?q=state%3Aopen+label%3A%22area%3A+parser%22\n"; !strings.Contains(text, want) {
		t.Errorf("want %q in\n%s", want, text)
	}
}

// The pages of a label's list are pages of the label.
func TestLabelPages(t *testing.T) {
	f := fakegithub.New(t)
	repo, _ := f.World.Repo("octo/many")
	repo.IssuesOff = false
	for n := 1; n <= 130; n++ {
		repo.Issues = append(repo.Issues, &fakegithub.Issue{
			Number: n, ID: int64(n), Title: fmt.Sprint("Issue ", n), Author: "ada", Labels: []string{"a/b c"}, Created: time.Date(2026, 1, 1, 0, n, 0, 0, time.UTC),
		})
	}
	got := fetch(t, f, withToken, "https://github.com/octo/many/labels/a%2Fb%20c?sort=created&utm_source=x&page=2")
	got.has(t, "130 matches, showing first 100")
	const page = "https://github.com/octo/many/labels/a%2Fb%20c?sort=created"
	if got.Document.Link != page {
		t.Errorf("link %s, want %s", got.Document.Link, page)
	}
	if text, want := got.body(t, listingName), "The rest: "+page+"&page=5, "; !strings.Contains(text, want) {
		t.Errorf("want %q in\n%s", want, text)
	}
	fetch(t, f, withToken, page+"&page=5").has(t, "130 matches, showing 101 to 130")
}
