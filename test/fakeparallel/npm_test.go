package fakeparallel_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pifetch/test/fakeparallel"
	"pifetch/test/need"
	"pifetch/test/npm"
)

// client runs one call of Parallel's own client. It prints what the call gave,
// or the error: its class, its status and the API's words.
const client = `
const Parallel = require("parallel-web").default;
const [baseURL, apiKey, method, params] = process.argv.slice(1);
const client = new Parallel({ baseURL, apiKey, maxRetries: 1, timeout: 60000 });
client[method](JSON.parse(params)).then(
  (res) => console.log(JSON.stringify({ res })),
  (e) => console.log(JSON.stringify({ error: { name: e.constructor.name, status: e.status, ref: e.error?.error?.ref_id, detail: e.error?.error?.detail } })),
);`

type said struct {
	Res *fakeparallel.Response
	// Error is what the client threw.
	Error *struct {
		Name   string
		Status int
		Ref    string
		Detail any
	}
}

// call needs node and the npm packages.
func call(t *testing.T, fake *fakeparallel.Fake, key string, params any) said {
	t.Helper()
	locked, err := npm.Locked("parallel-web")
	if err == nil {
		_, err = locked.Read("package.json")
	}
	_, noNode := exec.LookPath("node")
	need.Have(t, "npm", errors.Join(err, noNode))
	root, err := npm.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "-e", client, fake.URL, key, "extract", string(text))
	cmd.Dir = filepath.Join(root, "test", "npm")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var s said
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return s
}

// What Parallel's own client makes of the fake's answers: they have the form
// that it knows, and its requests are taken.
func TestOfficialClient(t *testing.T) {
	urls := []string{"https://www.example.com/one", "https://www.example.com/two", "https://www.example.com/three"}
	full := map[string]any{"urls": urls, "advanced_settings": map[string]any{"full_content": true}}
	refuse, ok := fakeparallel.Refuse, fakeparallel.OK(nil)
	for _, tt := range []struct {
		name   string
		params any // nil: full
		key    string
		script []fakeparallel.Reply
		class  string // of the error
		status int
		calls  int
		fault  string // what the fake says is wrong with the request
	}{
		{name: "all ok", calls: 1},
		{name: "every field", calls: 1, params: map[string]any{
			"urls": urls, "objective": "what", "search_queries": []string{"a b c"}, "max_chars_total": 5000, "session_id": "s", "client_model": "m",
			"advanced_settings": map[string]any{
				"full_content": map[string]any{"max_chars_per_result": 9000}, "excerpt_settings": map[string]any{"max_chars_per_result": 2000},
				"fetch_policy": map[string]any{"max_age_seconds": 600, "timeout_seconds": 20, "disable_cache_fallback": true},
			},
		}},
		{name: "gzip", script: []fakeparallel.Reply{fakeparallel.Gzip()}, calls: 1},
		{name: "new warning", script: []fakeparallel.Reply{fakeparallel.OK(func(r *fakeparallel.Response) {
			r.Warnings = []fakeparallel.Warning{{Type: "brand_new", Message: "m"}}
		})}, calls: 1},
		{name: "wrong key", key: "pk-wrong", class: "AuthenticationError", status: 401, calls: 1},
		{name: "402", script: []fakeparallel.Reply{refuse(402, "m", nil)}, class: "APIError", status: 402, calls: 1},
		{name: "422", script: []fakeparallel.Reply{refuse(422, "m", "d")}, class: "UnprocessableEntityError", status: 422, calls: 1},
		{name: "429 then 200", script: []fakeparallel.Reply{refuse(429, "m", nil, "retry-after-ms", "5"), ok}, calls: 2},
		{name: "500 then 200", script: []fakeparallel.Reply{refuse(500, "m", nil), ok}, calls: 2},
		{name: "503 not to be repeated", script: []fakeparallel.Reply{refuse(503, "m", nil, "x-should-retry", "false"), ok}, class: "InternalServerError", status: 503, calls: 1},
		{name: "502 of a proxy", script: []fakeparallel.Reply{fakeparallel.Text(502, "text/html", "<h1>"), ok}, calls: 2},
		{name: "truncated", script: []fakeparallel.Reply{fakeparallel.Truncate()}, class: "SyntaxError", calls: 1},
		{name: "too many URLs", params: map[string]any{"urls": strings.Split(strings.Repeat("https://www.example.com/ ", 21), " ")[:21]}, class: "UnprocessableEntityError", status: 422, fault: "urls: 21, 1 to 20 are allowed"},
		{name: "unknown field", params: map[string]any{"urls": urls, "full_content": true}, class: "UnprocessableEntityError", status: 422, fault: `unknown field "full_content"`},
		{name: "wrong type", params: map[string]any{"urls": "https://www.example.com/"}, class: "UnprocessableEntityError", status: 422, fault: "cannot unmarshal string"},
		{name: "fresher than allowed", params: map[string]any{"urls": urls, "advanced_settings": map[string]any{"fetch_policy": map[string]any{"max_age_seconds": 599}}}, class: "UnprocessableEntityError", status: 422, fault: "max_age_seconds: 599, at least 600"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fake := fakeparallel.New(t)
			fake.Script(tt.script...)
			params, key := tt.params, tt.key
			if params == nil {
				params = full
			}
			if key == "" {
				key = fakeparallel.Key
			}
			got := call(t, fake, key, params)
			faults := strings.Join(fake.Faults(), "\n")
			if tt.fault == "" != (faults == "") || !strings.Contains(faults, tt.fault) {
				t.Errorf("faults %q, want %q", faults, tt.fault)
			}
			if n := len(fake.Calls()); n != tt.calls {
				t.Errorf("%d calls, want %d", n, tt.calls)
			}
			switch {
			case tt.class != "":
				if got.Error == nil || got.Error.Name != tt.class || got.Error.Status != tt.status || tt.status != 0 && got.Error.Ref != fakeparallel.RefID {
					t.Errorf("error %+v, want %s with status %d", got.Error, tt.class, tt.status)
				}
			case got.Res == nil || len(got.Res.Results) != 3:
				t.Errorf("got %+v, want three results", got)
			default:
				for i, r := range got.Res.Results {
					if r.URL != urls[i] || r.FullContent == nil || len(r.Excerpts) != 2 || *r.PublishDate != "2026-03-04" {
						t.Errorf("result %d: %+v", i, r)
					}
				}
			}
		})
	}
}

func TestOfficialClientOnPages(t *testing.T) {
	fake := fakeparallel.New(t)
	fake.Know(func(url string) fakeparallel.Page {
		switch {
		case strings.HasSuffix(url, "/error"):
			return fakeparallel.Page{Error: &fakeparallel.PageError{Type: "fetch_error", Status: new(404)}}
		case strings.HasSuffix(url, "/none"):
			return fakeparallel.Page{None: true}
		}
		return fakeparallel.PageOf(url)
	})
	got := call(t, fake, fakeparallel.Key, map[string]any{"urls": []string{"https://www.example.com/a", "https://www.example.com/error", "https://www.example.com/none", "https://www.example.com/a"}})
	if got.Res == nil || len(got.Res.Results) != 1 || got.Res.Results[0].FullContent != nil {
		t.Fatalf("got %+v, want one result without full content, which nobody asked for", got.Res)
	}
	if e := got.Res.Errors; len(e) != 1 || e[0].URL != "https://www.example.com/error" || e[0].Type != "fetch_error" || *e[0].Status != 404 {
		t.Errorf("errors %+v", e)
	}
}
