package github

import (
	"fmt"
	"strings"
	"testing"

	"pifetch/fetchers/github/target"
	"pifetch/test/fakegithub"
)

// Searches as documents.
func TestGoldenSearches(t *testing.T) {
	f := fakegithub.New(t)
	muchSearch(f)
	handleSearches(f)
	for _, tt := range []struct{ name, url string }{
		{"search/repositories", "https://github.com/search?q=hello&s=stars"},
		{"search/issues", "https://github.com/search?q=greet&type=issues&s=updated&o=asc"},
		{"search/pulls", "https://github.com/search?q=org%3Aocto+is%3Apr+is%3Aopen&type=pullrequests"},
		{"search/issues-api", "https://api.github.com/search/issues?q=repo:octo/hello+sort:created-asc"},
		{"search/commits", "https://github.com/octo/hello/search?q=greet&type=commits"},
		{"search/users", "https://github.com/search?q=octo&type=users"},
		{"search/code", "https://github.com/octo/hello/search?q=greet"},
		{"search/discussions", "https://github.com/search?q=greet&type=discussions"},
		{"search/order-unknown", "https://github.com/search?q=greet&type=issues&s=beauty"},
		{"search/page", "https://github.com/search?q=greet&type=issues&p=11"},
	} {
		golden(t, f, tt.name, tt.url)
	}
}

// The rest of a search is had from the API, where a page is full.
func TestSearchOfMany(t *testing.T) {
	f := fakegithub.New(t)
	muchSearch(f)
	items := manyRepositories(100)
	f.Handle("GET /search/repositories", func(fakegithub.Request) (int, any) {
		return 200, fakegithub.List{Key: "items", Items: items, Total: 342, Fields: object{"incomplete_results": false}}
	})
	var issues []any
	for n := range 100 {
		issues = append(issues, object{"number": n + 1, "title": "x", "state": "open", "html_url": fmt.Sprint("https://github.com/octo/hello/issues/", n+1), "user": nil, "updated_at": "2026-01-01T00:00:00Z"})
	}
	f.Handle("GET /search/issues", func(fakegithub.Request) (int, any) {
		return 200, fakegithub.List{Key: "items", Items: issues, Total: 101, Fields: object{"incomplete_results": false}}
	})
	for _, tt := range []struct{ url, fact, rest string }{
		{
			"https://github.com/search?q=hello&s=stars", "342 matches, showing first 100",
			"The rest: https://api.github.com/search/repositories?order=desc&page=2&per_page=100&q=hello&sort=stars (JSON), or narrow the query.",
		},
		{
			"https://github.com/search?q=a&type=issues", "101 matches, showing first 100",
			"The rest: https://api.github.com/search/issues?page=2&per_page=100&q=is%3Aissue+a (JSON), or narrow the query.",
		},
	} {
		got := fetch(t, f, withToken, tt.url)
		got.has(t, tt.fact)
		if text := got.body(t, listingName); !strings.Contains(text, tt.rest+"\n") {
			t.Errorf("want %q in\n%.600s", tt.rest, text)
		}
		next, _, _ := strings.Cut(strings.TrimPrefix(tt.rest, "The rest: "), " ")
		if parsed, ok := target.Parse(next); !ok || parsed.Kind != target.API {
			t.Errorf("%s is read as %q, %v", next, parsed.Kind, ok)
		}
	}
}

// GitHub leaves out what the token is not authorised for, and says so.
func TestSearchWithoutSingleSignOn(t *testing.T) {
	f := fakegithub.New(t)
	muchSearch(f)
	none := func(fakegithub.Request) (int, any) {
		return 200, fakegithub.Failure{
			Status: 200, Body: `{"total_count":0,"incomplete_results":false,"items":[]}`,
			Header: map[string]string{"X-GitHub-SSO": "partial-results; organizations=21955855,20582480"},
		}
	}
	for operation, url := range map[string]string{
		"issues":       "https://github.com/octo/hello/issues?q=x",
		"repositories": "https://github.com/search?q=x",
		"commits":      "https://github.com/search?q=x&type=commits",
		"users":        "https://github.com/search?q=x&type=users",
		"code":         "https://github.com/search?q=x&type=code",
	} {
		f.Handle("GET /search/"+operation, none)
		fetch(t, f, withToken, url).has(t, "0 matches", "incomplete: the token is not authorised for single sign-on of some organisations")
	}
}

// handleSearches serves the searches that the fake's world does not.
func handleSearches(f *fakegithub.Fake) {
	answer := func(total int, incomplete bool, items ...any) fakegithub.List {
		return fakegithub.List{Key: "items", Items: items, Total: total, Fields: object{"incomplete_results": incomplete}}
	}
	f.Handle("GET /search/repositories", func(r fakegithub.Request) (int, any) {
		if r.Query.Get("q") != "hello" || r.Query.Get("sort") != "stars" || r.Query.Get("order") != "desc" {
			return 422, fakegithub.Invalid("not the search of the test")
		}
		return 200, answer(342, true, manyRepositories(3)...)
	})
	f.Handle("GET /search/commits", func(r fakegithub.Request) (int, any) {
		if r.Query.Get("q") != "repo:octo/hello greet" {
			return 422, fakegithub.Invalid("not the search of the test")
		}
		return 200, answer(1, false, object{
			"sha": "0123456789abcdef0123456789abcdef01234567", "html_url": "https://github.com/octo/hello/commit/0123456789abcdef0123456789abcdef01234567",
			"author": nil, "commit": object{"message": "Greet | in French\r\n\r\nBonjour.", "author": object{"name": "Ada Octavia", "email": "a@b.example", "date": "2026-01-12T10:00:00Z"}},
			"repository": object{"full_name": "octo/hello"},
		})
	})
	f.Handle("GET /search/users", func(r fakegithub.Request) (int, any) {
		return 200, answer(1, false, object{"login": "octo", "type": "Organization", "html_url": "https://github.com/octo"})
	})
	f.Handle("GET /search/code", func(r fakegithub.Request) (int, any) {
		if !r.Authorized || !strings.Contains(r.Header.Get("Accept"), "text-match") {
			return 401, fakegithub.Unauthorized()
		}
		return 200, answer(2, false,
			object{
				"name": "greet.go", "path": "src/greet.go", "html_url": "https://github.com/octo/hello/blob/0123456789abcdef0123456789abcdef01234567/src/greet.go",
				"repository": object{"full_name": "octo/hello"},
				"text_matches": []any{
					object{"property": "content", "fragment": "func greet(lang string) string {\n\tswitch lang {"},
					object{"property": "content", "fragment": "```\n# greet\n```"},
				},
			},
			object{"name": "greet.md", "path": "docs/greet.md", "html_url": "https://github.com/octo/hello/blob/0123456/docs/greet.md", "repository": object{"full_name": "octo/hello"}},
		)
	})
}

// manyRepositories are repositories as lists have them, one unlike the others.
func manyRepositories(n int) []any {
	list := []any{object{
		"full_name": "octo/hello", "description": "Says hello | in many\nlanguages", "language": "Go", "stargazers_count": 1234, "pushed_at": "2026-03-20T17:30:00Z",
		"html_url": "https://github.com/octo/hello", "archived": true, "fork": true,
	}}
	for i := 1; i < n; i++ {
		name := fmt.Sprintf("octo/repo-%03d", i)
		list = append(list, object{
			"full_name": name, "description": nil, "language": nil, "stargazers_count": i, "pushed_at": "2026-03-01T00:00:00Z", "html_url": "https://github.com/" + name,
		})
	}
	return list
}
