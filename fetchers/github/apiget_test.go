package github

import (
	"strings"
	"testing"

	"pifetch/test/fakegithub"
)

// Answers of the API as documents.
func TestGoldenAPI(t *testing.T) {
	f := fakegithub.New(t)
	handleAPI(f)
	for _, tt := range []struct{ name, url string }{
		{"api/list", "https://api.github.com/repos/octo/hello/issues?state=all&per_page=2"},
		{"api/object", "https://api.github.com/repos/octo/hello/languages"},
		{"api/text", "https://api.github.com/zen"},
		{"api/computing", "https://api.github.com/repos/octo/hello/stats/contributors"},
		{"api/missing", "https://api.github.com/repos/octo/nowhere/languages"},
	} {
		golden(t, f, tt.name, tt.url)
	}
}

// handleAPI serves what is fetched as the API has it.
func handleAPI(f *fakegithub.Fake) {
	f.Handle("GET /repos/{owner}/{repo}/languages", func(fakegithub.Request) (int, any) {
		return 200, fakegithub.Bytes{Type: "application/json; charset=utf-8", Data: []byte(`{"Go":9007199254740993,"Shell":1e2,"Ada":1}`)}
	})
	f.Handle("GET /zen", func(fakegithub.Request) (int, any) {
		return 200, fakegithub.Bytes{Type: "text/plain;charset=utf-8", Data: []byte("Keep it logically awesome.")}
	})
	f.Handle("GET /repos/{owner}/{repo}/stats/contributors", func(fakegithub.Request) (int, any) {
		return 202, fakegithub.Partial{Body: object{}}
	})
}

func TestDescribeJSON(t *testing.T) {
	for _, tt := range []struct{ raw, facts, page string }{
		{`[1,2]`, "2 items", ""},
		{`[]`, "0 items", ""},
		{`{"total_count":1,"incomplete_results":true,"items":[]}`, "1 item in all · incomplete results", ""},
		{`{"truncated":true,"html_url":"https://github.com/o/r"}`, "truncated by GitHub", "https://github.com/o/r"},
		{`{"Go":12}`, "", ""},
		{`"text"`, "", ""},
	} {
		facts, page := describeJSON([]byte(tt.raw))
		if got := strings.Join(facts, " · "); got != tt.facts || page != tt.page {
			t.Errorf("%s: got %q, %q", tt.raw, got, page)
		}
	}
}
