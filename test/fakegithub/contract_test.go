package fakegithub

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"pifetch/test/fakegithub/graph"
)

// provoked is a fake whose faults do not fail the test but are compared.
func provoked(t *testing.T) *Fake {
	f := New(t)
	t.Cleanup(func() { f.TakeFaults() }) // before New's own cleanup
	return f
}

// wantFault expects exactly one fault, which contains the text.
func wantFault(t *testing.T, f *Fake, text string) {
	t.Helper()
	faults := f.TakeFaults()
	if len(faults) != 1 || !strings.Contains(faults[0], text) {
		t.Errorf("faults %q, want one with %q", faults, text)
	}
}

func TestRequestFaults(t *testing.T) {
	f := provoked(t)
	for _, tt := range []struct {
		name, path string
		header     []string
		fault      string
	}{
		{name: "parameter of a wrong type", path: "/repos/octo/hello/issues?per_page=abc", fault: "per_page=abc: got string, want integer"},
		{name: "page too large", path: "/repos/octo/hello/issues?per_page=101", fault: "per_page=101: out of range"},
		{name: "page zero", path: "/repos/octo/hello/issues?page=0", fault: "page=0: out of range"},
		{name: "parameter given twice", path: "/repos/octo/hello/issues?page=1&page=2", fault: "given 2 times"},
		{name: "bad value", path: "/repos/octo/hello/issues?state=opened", fault: "state=opened: value must be one of"},
		{name: "unknown parameter", path: "/repos/octo/hello/issues?frobnicate=1", fault: "no query parameter frobnicate"},
		{name: "missing parameter", path: "/search/issues", fault: "query parameter q is missing"},
		{name: "path parameter of a wrong type", path: "/repos/octo/hello/issues/one", fault: "issue_number=one: got string, want integer"},
		{name: "unknown path", path: "/repos/octo/hello/pullz/1", fault: "no such operation"},
		{name: "operation nobody serves", path: "/repos/octo/hello/actions/runs/1", fault: "the world does not serve /repos/{owner}/{repo}/actions/runs/{run_id}: use Handle"},
		{name: "media type", path: "/repos/octo/hello", header: []string{"Accept", "text/html"}, fault: `Accept "text/html" is no media type of the API`},
		{name: "no user agent", path: "/repos/octo/hello", header: []string{"User-Agent", ""}, fault: "no User-Agent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			get(t, f, API, tt.path, tt.header...)
			wantFault(t, f, tt.fault)
		})
	}
	t.Run("token for another host", func(t *testing.T) {
		get(t, f, Web, "/octo/hello/pull/7.diff", "Authorization", "bearer "+f.Token)
		wantFault(t, f, "the token is for the API alone")
	})
}

func TestAnswerFaults(t *testing.T) {
	f := provoked(t)
	const run = "/repos/{owner}/{repo}/actions/runs/{run_id}"
	for _, tt := range []struct {
		name   string
		status int
		body   any
		fault  string // "" for none
	}{
		{"incomplete", 200, m{"id": 1}, "missing properties"},
		{"completed", 200, Partial{m{"id": 1, "run_number": 42}}, ""},
		{"wrong type", 200, Partial{m{"id": "one"}}, "/id: got string, want integer"},
		{"member that does not exist", 200, Partial{m{"id": 1, "verdict": "good"}}, "'verdict'"},
		{"status that does not exist", 299, m{}, "status 299"},
		{"failure", 404, NotFound(), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f.Handle("GET "+run, func(Request) (int, any) { return tt.status, tt.body })
			if status, _, _ := get(t, f, API, "/repos/octo/hello/actions/runs/1"); status != tt.status {
				t.Errorf("status %d, want %d", status, tt.status)
			}
			if tt.fault == "" {
				if faults := f.TakeFaults(); len(faults) > 0 {
					t.Errorf("faults %q, want none", faults)
				}
				return
			}
			wantFault(t, f, tt.fault)
		})
	}
	t.Run("incomplete pull request", func(t *testing.T) {
		f.Handle("GET /repos/{owner}/{repo}/pulls/{pull_number}", func(Request) (int, any) { return 200, m{"number": 7, "title": "Change everything"} })
		get(t, f, API, "/repos/octo/hello/pulls/7")
		wantFault(t, f, "missing properties")
	})
}

// A handler can leave a request to the world.
func TestHandlePassesOn(t *testing.T) {
	f := New(t)
	f.Handle("GET /repos/{owner}/{repo}/issues/{issue_number}", func(r Request) (int, any) {
		if r.Repo.Full() != "octo/hello" || r.Authorized {
			t.Errorf("repository %s, authorized %v", r.Repo.Full(), r.Authorized)
		}
		if r.Params["issue_number"] == "1" {
			return 404, NotFound()
		}
		return 0, nil
	})
	for path, want := range map[string]int{"/repos/octo/hello/issues/1": 404, "/repos/octo/hello/issues/2": 200} {
		if status, _, _ := get(t, f, API, path); status != want {
			t.Errorf("%s: status %d, want %d", path, status, want)
		}
	}
}

func TestQueryFaults(t *testing.T) {
	f := provoked(t)
	for _, tt := range []struct {
		name, query string
		variables   map[string]any
		fault       string
	}{
		{name: "unknown field", query: `{ repository(owner: "octo", name: "hello") { nope } }`, fault: `Cannot query field "nope" on type "Repository"`},
		{name: "wrong type of a variable", query: `query($n: String!) { repository(owner: "octo", name: "hello") { issue(number: $n) { title } } }`, variables: m{"n": "1"}, fault: `Variable "$n" of type "String!" used in position expecting type "Int!"`},
		{name: "wrong value of a variable", query: `query($n: Int!) { repository(owner: "octo", name: "hello") { issue(number: $n) { title } } }`, variables: m{"n": "one"}, fault: "cannot use string as Int"},
		{name: "variable that is not declared", query: `{ viewer { login } }`, variables: m{"n": 1}, fault: "$n is given but not declared"},
		{name: "conflicting fields", query: `{ repository(owner: "octo", name: "hello") { issueOrPullRequest(number: 1) { ... on Issue { state } ... on PullRequest { state } } } }`, fault: `Fields "state" conflict`},
		{name: "no first", query: `{ repository(owner: "octo", name: "hello") { labels { nodes { name } } } }`, fault: "You must provide a `first` or `last` value"},
		{name: "first too large", query: `{ repository(owner: "octo", name: "hello") { labels(first: 101) { nodes { name } } } }`, fault: "Requesting 101 records"},
		{name: "bad cursor", query: `{ repository(owner: "octo", name: "hello") { labels(first: 1, after: "x") { nodes { name } } } }`, fault: "does not appear to be a valid cursor"},
		{name: "gap in the world", query: `{ repository(owner: "octo", name: "hello") { squashMergeAllowed } }`, fault: "Repository.squashMergeAllowed is not in the world"},
		{
			name:  "too many nodes",
			query: `{ repository(owner: "octo", name: "hello") { issues(first: 100) { nodes { comments(first: 100) { nodes { reactions(first: 100) { nodes { content } } } } } } } }`,
			fault: "asks for 1010100 nodes",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			query(t, f, tt.query, tt.variables)
			wantFault(t, f, tt.fault)
		})
	}
}

func TestQueryNeedsToken(t *testing.T) {
	f := provoked(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.Base(API)+"/graphql", strings.NewReader(`{"query":"{ viewer { login } }"}`))
	if err != nil {
		t.Fatal(err)
	}
	if status, body, _ := do(t, req); status != 401 || !strings.Contains(body, "requires you to be authenticated") {
		t.Errorf("status %d: %s", status, body)
	}
	wantFault(t, f, "GraphQL was asked without a token")
}

func TestQueryCostAndPages(t *testing.T) {
	f := New(t)
	const q = `query($after: String) { repository(owner: "octo", name: "hello") { issue(number: 3) {
		comments(first: 100, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes { body reactions(first: 10) { totalCount } } } } } }`
	var bodies []string
	var after any
	for {
		data, errors := query(t, f, q, map[string]any{"after": after})
		if len(errors) > 0 {
			t.Fatal(errors)
		}
		comments := data["repository"].(m)["issue"].(m)["comments"].(m)
		for _, n := range comments["nodes"].([]any) {
			bodies = append(bodies, n.(m)["body"].(string))
		}
		page := comments["pageInfo"].(m)
		if page["hasNextPage"] != true {
			break
		}
		after = page["endCursor"]
	}
	if len(bodies) != 230 || bodies[0] != "Comment number 1." || bodies[229] != "Comment number 230." {
		t.Errorf("%d comments: %q … %q", len(bodies), bodies[0], bodies[len(bodies)-1])
	}
	calls := f.Calls()
	want := graph.Cost{Requests: 101, Points: 1, Nodes: 1100}
	if len(calls) != 3 || calls[0].Cost != want || !calls[0].Authorized {
		t.Errorf("calls %+v, want three that cost %+v", calls, want)
	}
}

func TestQueryErrors(t *testing.T) {
	f := New(t)
	for q, want := range map[string]string{
		`{ repository(owner: "octo", name: "nothing") { name } }`:                           "NOT_FOUND [repository] Could not resolve to a Repository with the name 'octo/nothing'.",
		`{ repository(owner: "octo", name: "hello") { issue(number: 99) { title } } }`:      "NOT_FOUND [repository issue] Could not resolve to an Issue with the number of 99.",
		`{ repository(owner: "octo", name: "hello") { issue(number: 7) { title } } }`:       "NOT_FOUND [repository issue] Could not resolve to an Issue with the number of 7.",
		`{ repository(owner: "octo", name: "hello") { p: pullRequest(number: 1) { id } } }`: "NOT_FOUND [repository p] Could not resolve to a PullRequest with the number of 1.",
	} {
		_, errors := query(t, f, q, nil)
		if len(errors) != 1 {
			t.Fatalf("%s: %v", q, errors)
		}
		e := errors[0].(m)
		if got := sprint(e["type"], e["path"], e["message"]); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
}

func TestOverride(t *testing.T) {
	f := New(t)
	f.Override("PullRequest.reviewDecision", func(parent graph.Object, _ map[string]any) any {
		if parent["number"] == PullTorture {
			return "APPROVED"
		}
		return nil
	})
	data, _ := query(t, f, `{ repository(owner: "octo", name: "hello") { a: pullRequest(number: 7) { reviewDecision } b: pullRequest(number: 8) { reviewDecision } } }`, nil)
	if got := sprint(data["repository"]); got != "map[a:map[reviewDecision:APPROVED] b:map[reviewDecision:<nil>]]" {
		t.Error(got)
	}
}

func TestFailures(t *testing.T) {
	f := New(t)
	reset := time.Now().Add(time.Hour)
	const path = "/repos/octo/hello/issues/1"
	for _, tt := range []struct {
		name string
		x    Failure
		want int
		head string
		says string
	}{
		{"unauthorized", Unauthorized(), 401, "", "Bad credentials"},
		{"saml", SAML("octo"), 403, "X-Github-Sso", "SAML"},
		{"primary", Primary(reset), 403, "X-Ratelimit-Reset", "API rate limit exceeded"},
		{"forbidden", Forbidden("Must have admin rights"), 403, "", "admin rights"},
		{"not found", NotFound(), 404, "", "Not Found"},
		{"too large", TooLarge(), 406, "", "too_large"},
		{"conflict", Conflict(), 409, "", "empty"},
		{"gone", Gone("This issue was deleted"), 410, "", "deleted"},
		{"invalid", Invalid("bad"), 422, "", "Validation Failed"},
		{"too many requests", TooManyRequests(0), 429, "", "Rate limit"},
		{"blocked", Blocked(), 451, "", "dmca"},
		{"unavailable", Unavailable(502), 502, "", "Unicorn"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f.Fail("api "+path, tt.x)
			status, body, h := get(t, f, API, path)
			if status != tt.want || !strings.Contains(body, tt.says) || tt.head != "" && h.Get(tt.head) == "" {
				t.Errorf("status %d, header %v, body %s", status, h, body)
			}
			if status, _, _ := get(t, f, API, path); status != 200 {
				t.Errorf("then status %d, want 200", status)
			}
		})
	}
	t.Run("lasting", func(t *testing.T) {
		f.FailAlways("web /octo/hello/pull", Unavailable(503))
		for range 2 {
			if status, _, _ := get(t, f, Web, "/octo/hello/pull/7.diff"); status != 503 {
				t.Errorf("status %d, want 503", status)
			}
		}
	})
	t.Run("whole path", func(t *testing.T) {
		f.Fail("api "+path+"$", NotFound())
		for _, tt := range []struct {
			path string
			want int
		}{{path + "/comments", 200}, {path, 404}, {path, 200}} {
			if status, _, _ := get(t, f, API, tt.path); status != tt.want {
				t.Errorf("%s: status %d, want %d", tt.path, status, tt.want)
			}
		}
	})
	t.Run("hanging", func(t *testing.T) {
		f.Fail("raw /octo/hello", Hanging())
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.Base(Raw)+"/octo/hello/main/README.md", nil)
		if err != nil {
			t.Fatal(err)
		}
		if res, err := http.DefaultClient.Do(req); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, %v", res, err)
		}
	})
	t.Run("errors of a query", func(t *testing.T) {
		f.Fail("graphql issue(", QueryErrors([]string{"repository.issue"}, "FORBIDDEN", "Resource not accessible"))
		data, errs := query(t, f, `{ repository(owner: "octo", name: "hello") { name issue(number: 1) { title } } }`, nil)
		if got := sprint(data, errs); got != "map[repository:map[issue:<nil> name:hello]] [map[message:Resource not accessible path:[repository issue] type:FORBIDDEN]]" {
			t.Error(got)
		}
	})
	t.Run("limit of queries", func(t *testing.T) {
		f.Fail("graphql", QueryLimited(reset))
		data, errs := query(t, f, `{ viewer { login } }`, nil)
		if data != nil || len(errs) != 1 {
			t.Error(data, errs)
		}
	})
}

func TestUnusedFailure(t *testing.T) {
	f := provoked(t)
	f.Fail("api /repos/octo/hello", NotFound())
	wantFault(t, f, `no request for the failure of "api /repos/octo/hello"`)
}

func TestTruncated(t *testing.T) {
	f := New(t)
	f.Fail("api /repos/octo/hello", Truncated(20))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.Base(API)+"/repos/octo/hello", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "fakegithub-test")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	buf := make([]byte, 1000)
	n, err := res.Body.Read(buf)
	for err == nil {
		var more int
		more, err = res.Body.Read(buf[n:])
		n += more
	}
	if n != 20 || err.Error() != "unexpected EOF" {
		t.Errorf("%d bytes, then %v", n, err)
	}
}

// A refusal by a secondary limit holds for the token until the time it names.
func TestSecondaryLimit(t *testing.T) {
	f := provoked(t)
	auth := []string{"Authorization", "bearer " + f.Token}
	f.Fail("api /repos/octo/hello", Secondary(time.Hour))
	if status, _, h := get(t, f, API, "/repos/octo/hello", auth...); status != 403 || h.Get("Retry-After") != "3600" {
		t.Fatalf("status %d, header %v", status, h)
	}
	wait := func(passed time.Duration) {
		f.mu.Lock()
		defer f.mu.Unlock()
		b := f.blocked["token"]
		f.blocked["token"] = blockade{b.since.Add(-passed), b.until.Add(-passed)}
	}
	if status, _, _ := get(t, f, API, "/repos/octo/hello", auth...); status != 403 {
		t.Errorf("status %d, want 403: in flight, but refused", status)
	}
	if faults := f.TakeFaults(); len(faults) > 0 {
		t.Errorf("what was in flight is a fault: %q", faults)
	}
	if status, _, _ := get(t, f, API, "/repos/octo/hello"); status != 200 {
		t.Errorf("status %d, want 200: the limit is the token's", status)
	}
	wait(30 * time.Minute)
	get(t, f, API, "/repos/octo/hello", auth...)
	wantFault(t, f, "before the retry-after of a secondary limit")
	wait(30 * time.Minute)
	if status, _, _ := get(t, f, API, "/repos/octo/hello", auth...); status != 200 {
		t.Errorf("status %d, want 200: the time is over", status)
	}
}

func TestLimits(t *testing.T) {
	f := New(t)
	auth := []string{"Authorization", "bearer " + f.Token}
	_, _, h := get(t, f, API, "/repos/octo/hello")
	if got := sprint(h.Get("X-Ratelimit-Limit"), h.Get("X-Ratelimit-Remaining"), h.Get("X-Ratelimit-Resource")); got != "60 59 core" {
		t.Error(got)
	}
	_, _, h = get(t, f, API, "/repos/octo/hello", auth...)
	if got := sprint(h.Get("X-Ratelimit-Limit"), h.Get("X-Ratelimit-Remaining")); got != "5000 4999" {
		t.Error(got)
	}
	// Who has the answer already gets none; an authorised asker for nothing.
	for _, tt := range []struct {
		header    []string
		remaining string
		counted   bool
	}{{auth, "4998", false}, {nil, "57", true}} {
		_, _, h := get(t, f, API, "/repos/octo/hello", tt.header...)
		f.ResetCalls()
		status, body, h := get(t, f, API, "/repos/octo/hello", append(slices.Clone(tt.header), "If-None-Match", h.Get("ETag"))...)
		if status != 304 || body != "" {
			t.Errorf("status %d, body %q", status, body)
		}
		if left := h.Get("X-Ratelimit-Remaining"); left != tt.remaining || f.Calls()[0].Counted != tt.counted {
			t.Errorf("%s are left, counted %v", left, f.Calls()[0].Counted)
		}
	}
	f.SetRemaining(false, "core", 0, time.Now().Add(time.Minute))
	if status, body, h := get(t, f, API, "/repos/octo/hello"); status != 403 || h.Get("X-Ratelimit-Remaining") != "0" || !strings.Contains(body, "API rate limit exceeded") {
		t.Errorf("status %d: %s", status, body)
	}
}

func TestVisibility(t *testing.T) {
	f := provoked(t)
	auth := []string{"Authorization", "bearer " + f.Token}
	for _, tt := range []struct {
		path   string
		header []string
		status int
	}{
		{"/repos/octo/secret", nil, 404},
		{"/repos/octo/secret", auth, 200},
		{"/repos/octo/secret", []string{"Authorization", "bearer wrong"}, 401},
		{"/search/issues?q=repo:octo/secret", nil, 422},
		{"/search/issues?q=repo:octo/secret", auth, 200},
		{"/repos/octo/hello/issues/6", nil, 410},
		{"/repos/octo/many/issues/1", nil, 410},
		{"/repos/octo/empty/commits", nil, 409},
		{"/repos/octo/hello/issues/12", nil, 301},
		{"/repos/octo/old-hello/issues/1", nil, 301},
		{"/repositories/5001/issues/1", nil, 200},
	} {
		if status, body, _ := get(t, f, API, tt.path, tt.header...); status != tt.status {
			t.Errorf("%s with %v: status %d, want %d: %s", tt.path, tt.header, status, tt.status, body)
		}
	}
	if faults := f.TakeFaults(); len(faults) > 0 {
		t.Errorf("faults %q", faults)
	}
	_, body, h := get(t, f, API, "/repos/octo/old-hello/issues/1?x=1")
	if want := "/repositories/5001/issues/1?x=1"; h.Get("Location") != f.Base(API)+want || !strings.Contains(body, "https://api.github.com"+want) {
		t.Errorf("location %s, body %s", h.Get("Location"), body)
	}
	wantFault(t, f, "no query parameter x")
}

func TestLinkHeader(t *testing.T) {
	f := New(t)
	_, _, h := get(t, f, API, "/repos/octo/hello/issues/3/comments?per_page=100&page=2")
	base := f.Base(API) + "/repositories/5001/issues/3/comments?"
	want := "<" + base + `page=1&per_page=100>; rel="prev", <` + base + `page=3&per_page=100>; rel="next", <` + base + `page=3&per_page=100>; rel="last", <` + base + `page=1&per_page=100>; rel="first"`
	if got := h.Get("Link"); got != want {
		t.Errorf("Link: %s\nwant  %s", got, want)
	}
}
