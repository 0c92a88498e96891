package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/shurcooL/githubv4"
)

type viewer struct {
	Repository *struct {
		Name  string
		Issue *struct{ Title string } `graphql:"issue(number: $number)"`
	} `graphql:"repository(owner: \"o\", name: \"r\")"`
}

var number = map[string]any{"number": githubv4.Int(7)}

func TestQuery(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, req *http.Request) {
		var in struct {
			Query     string
			Variables map[string]any
		}
		body, _ := io.ReadAll(req.Body)
		if err := json.Unmarshal(body, &in); err != nil {
			t.Error(err)
		}
		if want := `query($number:Int!){repository(owner: "o", name: "r"){name,issue(number: $number){title}}}`; in.Query != want {
			t.Errorf("query %s", in.Query)
		}
		if in.Variables["number"] != 7.0 || req.Method != "POST" || req.URL.Path != "/graphql" || req.Header.Get("Authorization") != "Bearer "+canary {
			t.Errorf("%s %s %v %v", req.Method, req.URL, req.Header, in.Variables)
		}
		reply(200, `{"data":{"repository":{"name":"r","issue":{"title":"seven"}}}}`)(w, req)
	})
	var q viewer
	if err := client(srv.server.URL).Session(withToken).Query(t.Context(), &q, number); err != nil {
		t.Fatal(err)
	}
	if q.Repository.Name != "r" || q.Repository.Issue.Title != "seven" {
		t.Errorf("got %+v", q.Repository)
	}
}

func TestQueryNeedsAToken(t *testing.T) {
	srv := serve(t, reply(500, ""))
	var q viewer
	err := client(srv.server.URL).Session(nil).Query(t.Context(), &q, number)
	if !errors.Is(err, ErrNoToken) || CodeOf(err) != Unauthorized || len(srv.asked()) != 0 {
		t.Errorf("error %v, %d requests", err, len(srv.asked()))
	}
}

func TestQueryErrors(t *testing.T) {
	budget := []string{"X-RateLimit-Resource", "graphql", "X-RateLimit-Limit", "5000", "X-RateLimit-Remaining", "4990", "X-RateLimit-Reset", "4102444800"}
	for _, test := range []struct {
		name   string
		status int
		body   string
		header []string
		code   Code
		query  bool // a *QueryError
		text   string
	}{
		{
			"not found", 200,
			`{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","path":["repository"],"locations":[{"line":1,"column":2}],"message":"Could not resolve to a Repository with the name 'o/r'."}]}`, budget,
			NotFound, true, "404 Not Found: Could not resolve to a Repository with the name 'o/r' (it does not exist, or the token may not see it)",
		},
		{
			"forbidden", 200,
			`{"data":{"repository":null},"errors":[{"type":"FORBIDDEN","path":["repository"],"message":"Resource not accessible by personal access token"}]}`, budget,
			Forbidden, true, "GraphQL: Resource not accessible by personal access token",
		},
		{
			"SAML", 200,
			`{"data":{"repository":null},"errors":[{"type":"FORBIDDEN","path":["repository"],"extensions":{"saml_failure":true},"message":"Resource protected by organization SAML enforcement."}]}`,
			append([]string{"X-GitHub-SSO", "required; url=https://github.com/orgs/o/sso?authorization_request=A"}, budget...),
			SSO, false, "403 Forbidden: the organisation wants the token from GH_TOKEN authorised for SAML single sign-on: open https://github.com/orgs/o/sso?authorization_request=A",
		},
		{
			"invalid query", 200,
			`{"errors":[{"path":["query","repository","x"],"extensions":{"code":"undefinedField"},"message":"Field 'x' doesn't exist\non type 'Repository'"}]}`, budget,
			Other, true, "GraphQL: Field 'x' doesn't exist on type 'Repository'",
		},
		{
			"took too long", 200,
			`{"data":null,"errors":[{"message":"Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug."}]}`, budget,
			Unavailable, false, "GraphQL: Something went wrong while executing your query. This may be the result of a timeout, or it could be a GitHub bug",
		},
		{
			"too much in all", 200,
			`{"data":null,"errors":[{"type":"RESOURCE_LIMITS_EXCEEDED","message":"Resource limits for this query exceeded."}]}`, budget,
			Unavailable, false, "GraphQL: Resource limits for this query exceeded",
		},
		{
			"502", 502,
			`{"data":null,"errors":[{"message":"Something went wrong while executing your query on 2026-01-01"}]}`, nil,
			Unavailable, false, "502 Bad Gateway: GraphQL: Something went wrong while executing your query on 2026-01-01",
		},
		{"504", 504, `<html>timeout</html>`, []string{"Content-Type", "text/html"}, Unavailable, false, "504 Gateway Timeout: GraphQL"},
		{
			"limit in a 200", 200,
			`{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded for user ID 1."}]}`,
			[]string{"X-RateLimit-Resource", "graphql", "X-RateLimit-Limit", "5000", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "946688400"},
			Limited, false, "GitHub's limit of 5,000 GraphQL points an hour with the token from GH_TOKEN is used up until 01:00 UTC",
		},
		{
			"limit without a figure", 200, `{"errors":[{"type":"RATE_LIMITED","message":"slow down"}]}`, nil,
			Secondary, false, "GitHub asks for a pause of 60s (secondary rate limit) until 00:01:00 UTC",
		},
		{
			"secondary in a 200", 200, `{"data":null,"errors":[{"message":"You have exceeded a secondary rate limit."}]}`,
			append([]string{"Retry-After", "30"}, budget...),
			Secondary, false, "GitHub asks for a pause of 30s (secondary rate limit) until 00:00:30 UTC",
		},
		{"secondary in a 403", 403, secondaryBody, nil, Secondary, false, "GitHub asks for a pause of 60s (secondary rate limit) until 00:01:00 UTC"},
		{"page", 200, `<html>`, []string{"Content-Type", "text/html"}, Unavailable, false, "GraphQL: the answer is text/html instead of JSON"},
		{"cut short", 200, `{"data":{"repos`, nil, Unavailable, false, "GraphQL: the answer is broken JSON after 15B: unexpected end of JSON input"},
		{"nothing", 200, `{}`, nil, Unavailable, false, "GraphQL: the answer has neither data nor errors"},
		{
			"a field nobody asked for", 200, `{"data":{"repository":{"name":"r","stars":1}}}`, nil,
			Other, false, `GraphQL: GitHub's answer is not understood: struct field for "stars" doesn't exist in any of 1 places to unmarshal`,
		},
		{"401", 401, `{"message":"Bad credentials"}`, nil, Unauthorized, false, "401 Unauthorized: the token from GH_TOKEN is not valid: Bad credentials: set GH_TOKEN to a valid one"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, sent := answering(func(int, *http.Request) *http.Response { return response(test.status, test.body, test.header...) })
				var q viewer
				err := c.Session(withToken).Query(t.Context(), &q, number)
				if CodeOf(err) != test.code || err.Error() != test.text {
					t.Errorf("code %d, want %d\n%s\nwant\n%s", CodeOf(err), test.code, err, test.text)
				}
				if _, ok := errors.AsType[*QueryError](err); ok != test.query {
					t.Errorf("%T", err)
				}
				if test.code == Limited || test.code == Secondary {
					if err := c.Session(withToken).Query(t.Context(), &q, number); err.Error() != test.text || sent() != 1 {
						t.Errorf("the second: %v, %d requests", err, sent())
					}
				}
			})
		})
	}
}

// What could be had is there beside the errors, and the errors are whole.
func TestPartialData(t *testing.T) {
	srv := serve(t, reply(200, `{"data":{"repository":{"name":"r","issue":null}},"errors":[
		{"type":"NOT_FOUND","path":["repository","issue"],"message":"Could not resolve to an Issue with the number of 7."},
		{"type":"FORBIDDEN","path":["repository","issue","comments",3],"message":"second"}]}`))
	var q viewer
	err := client(srv.server.URL).Session(withToken).Query(t.Context(), &q, number)
	e, ok := errors.AsType[*QueryError](err)
	if !ok || len(e.Errors) != 2 || e.Errors[0].Type != "NOT_FOUND" || e.Errors[1].Message != "second" || e.Errors[1].Path[3] != 3.0 {
		t.Fatalf("error %#v", err)
	}
	if q.Repository == nil || q.Repository.Name != "r" || q.Repository.Issue != nil || CodeOf(err) != NotFound {
		t.Errorf("got %+v, code %d", q.Repository, CodeOf(err))
	}
}

// What is used up for GraphQL is not for REST.
func TestLimitOfGraphQLAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := answering(func(_ int, req *http.Request) *http.Response {
			if req.URL.Path == "/graphql" {
				return response(200, `{"errors":[{"type":"RATE_LIMITED","message":"x"}]}`, rates("graphql", 5000, 0, time.Now().Add(time.Hour))...)
			}
			return response(200, "{}", rates("core", 5000, 4999, time.Now().Add(time.Hour))...)
		})
		s := c.Session(withToken)
		var q viewer
		if err := s.Query(t.Context(), &q, number); CodeOf(err) != Limited {
			t.Error(err)
		}
		if _, err := s.Get(t.Context(), "repos/o/r", nil, nil); err != nil {
			t.Error(err)
		}
		var lines []string
		for _, b := range c.Budgets() {
			lines = append(lines, fmt.Sprintf("%s %s %d/%d blocked %v", b.Token, b.Resource, b.Remaining, b.Limit, !b.Blocked.IsZero()))
		}
		if got, want := strings.Join(lines, "\n"), "GH_TOKEN core 4999/5000 blocked false\nGH_TOKEN graphql 0/5000 blocked true"; got != want {
			t.Errorf("budgets\n%s\nwant\n%s", got, want)
		}
	})
}

func TestCancelledQuerySaysWhy(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("hung up"))
	srv := serve(t, reply(200, "{}"))
	var q viewer
	if err := client(srv.server.URL).Session(withToken).Query(ctx, &q, number); err == nil || err.Error() != "hung up" {
		t.Errorf("error %v", err)
	}
}
