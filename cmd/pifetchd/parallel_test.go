package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/internal/netguard"
	"pifetch/internal/settings"
	"pifetch/internal/weburl"
	"pifetch/test/fakeparallel"
)

// The composed daemon with a fake Parallel. No Chrome is needed: what would be
// local's is only explained.
func TestParallel(t *testing.T) {
	fake := fakeparallel.New(t)
	paths := agent(t)
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(paths.AgentDir, "settings.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(fmt.Sprintf(`{"webTools": {"fetch": {
		"parallel": {"baseURL": %q}, "artifacts": {"root": %q},
		"forceLocal": ["*.corp.example.com", "github.com"]
	}}}`, fake.URL, filepath.Join(paths.AgentDir, "files")))
	if err := os.Mkdir(paths.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths.Logins, []byte("shop.test.example.net\nexample.net\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PARALLEL_API_KEY", "pk-canary-of-the-daemon")
	t.Setenv("PARALLEL_BASE_URL", "")
	d := start(t, paths, "")

	const url = "https://www.example.com/page"
	res, err := d.Fetch(t.Context(), wire.FetchRequest{
		URLs: []string{url}, Objective: "what it says", Env: fetchers.Env{"PARALLEL_API_KEY": fakeparallel.Key},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	doc := res.Outcomes[0].Document
	if doc == nil || doc.Source != "parallel" || len(doc.Highlights) != 2 {
		t.Fatalf("outcome: %+v", res.Outcomes[0])
	}
	for _, want := range []string{"1. Title of page\n", "published 2026-03-04", url, "- content.md (3 lines", "highlight:\n   > First excerpt of page\n"} {
		if !strings.Contains(res.Digest, want) {
			t.Errorf("the digest has no %q:\n%s", want, res.Digest)
		}
	}
	if text, err := os.ReadFile(doc.Bodies[0].Path); err != nil || !strings.Contains(string(text), "Full text of "+url) {
		t.Errorf("content.md: %q, %v", text, err)
	}
	if calls := fake.Calls(); len(calls) != 1 || calls[0].Key != fakeparallel.Key || calls[0].Objective != "what it says" {
		t.Errorf("calls: %+v", calls)
	}

	sources := func(want map[string]string) {
		t.Helper()
		for url, source := range want {
			if got, err := d.Explain(t.Context(), wire.ExplainRequest{URL: url}); err != nil || got.Source != source {
				t.Errorf("%s goes to %+v, %v, want %s", url, got, err, source)
			}
		}
	}
	sources(map[string]string{ // with the daemon's key
		url: "parallel", "https://docs.corp.example.com/": "local", "https://github.com/octo/hello": "local", "github.com/octo/hello": "", "git@github.com:octo/hello.git": "", "git@gist.github.com:0123456789abcdef0123.git": "github", "https://gist.github.com/octo/0123456789abcdef0123": "github",
		"https://wiki/": "local", "http://0x7f.1/": "local", "https://shop.example.net/": "local", "https://ann:pw@www.example.com/": "local",
	})
	for _, tt := range []struct {
		url  string
		env  fetchers.Env
		want fetchers.Claim
	}{
		{url, nil, fetchers.Claim{Source: "parallel", Claims: true, Reason: "a page of a public host", Auth: "the daemon's PARALLEL_API_KEY"}},
		{url, fetchers.Env{"PARALLEL_API_KEY": fakeparallel.Key}, fetchers.Claim{Source: "parallel", Claims: true, Reason: "a page of a public host", Auth: "PARALLEL_API_KEY"}},
		{url, fetchers.Env{"PARALLEL_BASE_URL": "http://127.0.0.1:1"}, fetchers.Claim{Source: "parallel", Reason: "no PARALLEL_API_KEY"}},
		{"https://docs.corp.example.com/", nil, fetchers.Claim{Source: "parallel", Reason: "kept from it by webTools.fetch.forceLocal"}},
		{"https://wiki/", nil, fetchers.Claim{Source: "parallel", Reason: "not told of it: only http and https URLs of public hosts, without a login or a token in them, leave the machine"}},
		{"https://shop.example.net/", nil, fetchers.Claim{Source: "parallel", Reason: "not told of it: the login window got cookies of that site"}},
		{url, nil, fetchers.Claim{Source: "github", Reason: "not a URL that GitHub's APIs have an answer to"}},
		{"https://gist.github.com/octo/0123456789abcdef0123", fetchers.Env{"GH_TOKEN": "ghp_x"}, fetchers.Claim{Source: "github", Claims: true, Reason: "a GitHub URL: gist", Auth: "GH_TOKEN"}},
		{"https://ann:pw@gist.github.com/octo/0123456789abcdef0123", nil, fetchers.Claim{Source: "github", Reason: "the login in the URL is none for GitHub's API"}},
		{"https://ann:pw@www.example.com/", nil, fetchers.Claim{Source: "local", Claims: true, Reason: "a page for Chrome", Auth: "the login in the URL, and those of the browser profile"}},
		{url, nil, fetchers.Claim{Source: "local", Claims: true, Reason: "a page for Chrome", Auth: "the logins of the browser profile"}},
		{"ftp://a.example/", nil, fetchers.Claim{Source: "local", Reason: "http and https URLs only"}},
	} {
		got, err := d.Explain(t.Context(), wire.ExplainRequest{URL: tt.url, Env: tt.env})
		if err != nil || !slices.Contains(got.Fetchers, tt.want) {
			t.Errorf("%s: %+v, %v, want %+v", tt.url, got, err, tt.want)
		}
	}
	write(`{"webTools": {"fetch": {"forceLocal": "oops"}}}`)
	sources(map[string]string{url: "local", "https://gist.github.com/octo/0123456789abcdef0123": "local"})

	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	log, err := io.ReadAll(d.log)
	if err != nil {
		t.Fatal(err)
	}
	said, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if all := string(log) + string(said); !strings.Contains(all, "fetch done") || strings.Contains(all, "pk-canary") {
		t.Errorf("a key was said:\n%s", all)
	}
}

func TestForceLocal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	file := settings.Open(path)
	forced := func(raw string) bool {
		u, _ := weburl.Parse(raw)
		return forceLocal(file, fetchers.URL{Asked: raw, Parsed: u})
	}
	if forced("https://a.example/") {
		t.Error("forced without settings")
	}
	for _, tt := range []struct {
		text, url string
		want      bool
	}{
		{`{"webTools": {"fetch": {"forceLocal": ["a.example"]}}}`, "https://a.example/x", true},
		{`{"webTools": {"fetch": {"forceLocal": ["a.example"]}}}`, "https://b.example/x", false},
		{`{"webTools": {"fetch": {"forceLocal": ["a.example"]}}}`, "git@a.example:o/r.git", true},
		{`{"webTools": {"fetch": {"forceLocal": ["a.example"]}}}`, "git@b.example:o/r.git", false},
		{`{"webTools": {"fetch": {"forceLocal": ["a.example"]}}}`, "ssh://git@A.example:22/o/r.git", true},
		{`{"webTools": {"fetch": {"forceLocal": ["a.example"]}}}`, "ssh://git@ssh.a.example:443/o/r.git", true},
		{`{"webTools": {"fetch": {"forceLocal": ["a.example"]}}}`, "git+https://a.example/o/r", true},
		{`{"webTools": {"fetch": {"forceLocal": ["a.example"]}}}`, "a.example/o/r", true},
		{`{"webTools": {"fetch": {"forceLocal": ["https://a.example/o/r"]}}}`, "git@a.example:/o/r.git", true},
		{`{"webTools": {"fetch": {"forceLocal": ["https://a.example/o/r"]}}}`, "git@a.example:o/other.git", false},
		{`{"webTools": {"fetch": {"forceLocal": ["https://a.example/o/r"]}}}`, "git@a.example:o//r.git", true},
		{`{"webTools": {"fetch": {"forceLocal": ["https://a.example/o/*"]}}}`, "https://a.example//o///r", true},
		{`{"webTools": {"fetch": {"forceLocal": ["https://a.example/o/"]}}}`, "https://a.example//o//", true},
		{`{"webTools": {"fetch": {"forceLocal": ["https://a.example/*//r"]}}}`, "https://a.example/o//r", true},
		{`{"webTools": {"fetch": {"forceLocal": ["a.example"]}}}`, "nonsense", false},
		{`{"webTools": {"fetch": {"forceLocal": []}}}`, "https://a.example/x", false},
		{`{"webTools": {"fetch": {"forceLocal": 1}}}`, "https://b.example/x", true},
		{``, "git@a.example:o/r.git", true}, // being written
	} {
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := forced(tt.url); got != tt.want {
			t.Errorf("%q: forced(%s) = %v, want %v", tt.text, tt.url, got, tt.want)
		}
	}
}

func TestEndpointTransport(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	hosts := []string{"127.0.0.1"}
	transport := &endpointTransport{guard: &netguard.Guard{}, hosts: func(*http.Request) []string { return hosts }}
	get := func() error {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		if err != nil {
			return err
		}
		resp, err := transport.RoundTrip(req)
		if err == nil {
			resp.Body.Close()
		}
		return err
	}
	if err := get(); err != nil {
		t.Errorf("an endpoint on loopback: %v", err)
	}
	first := transport.get(hosts)
	for i := range maxTransports - 1 { // others between
		transport.get([]string{fmt.Sprintf("api%d.example", i)})
	}
	if transport.get([]string{"127.0.0.1"}) != first {
		t.Error("the same hosts got a new transport")
	}
	for i := range maxTransports {
		transport.get([]string{fmt.Sprintf("api%d.example", i)})
	}
	if n := len(transport.known); n != maxTransports {
		t.Errorf("%d transports are kept, want %d", n, maxTransports)
	}
	if transport.get([]string{"127.0.0.1"}) == first {
		t.Error("what was used the longest ago is kept")
	}
	hosts = []string{"api.example"}
	if err := get(); err == nil || !strings.Contains(err.Error(), "network guard: 127.0.0.1 is a loopback address") {
		t.Errorf("another host on loopback: %v", err)
	}
}
