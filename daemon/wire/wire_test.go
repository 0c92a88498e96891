package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
)

var update = flag.Bool("update", false, "rewrite golden files, the frozen ones excepted")

// golden is every message of the protocol. The names of the files say which
// are frozen: these are never rewritten, not even by -update.
var golden = map[string][]any{
	"hello.request.frozen": {
		wire.HelloRequest{Header: head("1", "hello"), Client: "pifetchctl/1.2.0", Protocol: "1.0"},
	},
	"hello.result.frozen": {
		wire.HelloResult{
			Event: result("1", "hello"), Protocol: "1.0", Version: "1.2.0", PID: 4242,
			Capabilities: []string{"cancel", "close-browser", "explain", "fetch", "fetch.raw", "hello", "open-browser", "open-browser.wait", "retire", "status"},
			State:        wire.StateServing,
		},
	},
	"status.limits": {
		wire.StatusResult{
			Event: result("2", "status"), Version: "1.2.0", Protocol: "1.0", PID: 4242, State: wire.StateServing, UptimeSecs: 93, IdleSecs: 4,
			Requests: []wire.RequestInfo{}, Browser: wire.BrowserStatus{Tabs: 6}, Fetchers: []string{"github", "parallel", "local"}, Warnings: []string{},
			Limits: []wire.Limit{
				{Source: "github", Key: "GH_TOKEN", Resource: "core", Limit: 5000, Remaining: 4711, ResetSecs: 1800},
				{Source: "github", Key: "anonymous", Resource: "search", Limit: 10, ResetSecs: 42, BlockedSecs: 42},
			},
		},
	},
	"status.request.frozen": {head("2", "status")},
	"status.result.frozen": {
		wire.StatusResult{
			Event: result("2", "status"), Version: "1.2.0", Protocol: "1.0", PID: 4242, State: wire.StateServing, UptimeSecs: 93,
			Requests: []wire.RequestInfo{{Op: "fetch", Client: "pi/1.6.0", Session: "a1b2", URLs: 2, AgeSecs: 3}},
			Browser: wire.BrowserStatus{
				Running: true, PID: 4250, Version: "140.0.7339.80", Tabs: 6, Busy: 2,
				Interactive: &wire.Interactive{PID: 4300, URL: "https://sso.example/login", AgeSecs: 12},
			},
			Fetchers: []string{"github", "parallel", "local"},
			Warnings: []string{"settings: unknown key webTools.fetch.idleMinute, known here are artifacts, browser, challenge, forceLocal, github, idleMinutes, network, parallel"},
		},
	},
	"retire.request.frozen": {head("3", "retire")},
	"retire.result.frozen":  {wire.RetireResult{Event: result("3", "retire"), Retiring: true}},
	"retire.error.frozen":   {fail("3", wire.CodeBusy, "requests are running")},

	"fetch.request": {
		wire.FetchRequest{Header: head("4", "fetch"), URLs: []string{"https://example.com/", "https://intranet.example/wiki/Home"}},
		wire.FetchRequest{
			Header: head("4", "fetch"), URLs: []string{"https://github.com/octokit/rest.js/pull/607"}, Objective: "what changed for users",
			ArtifactRoot: "/home/me/research", Session: "a1b2", Env: fetchers.Env{"GH_TOKEN": "secret"},
			Display: map[string]string{"DISPLAY": ":0"}, Tree: true,
		},
	},
	"fetch.status": {
		stage("4", fetchers.Stage{Name: fetchers.StageQueued}),
		stage("4", fetchers.Stage{Name: fetchers.StageStarted, BudgetSecs: 60}),
		stage("4", fetchers.Stage{Name: fetchers.StageNavigating}),
		stage("4", fetchers.Stage{Name: fetchers.StageSettling}),
		stage("4", fetchers.Stage{Name: fetchers.StageDownloading, Bytes: 1 << 20, Total: 3 << 20}),
		stage("4", fetchers.Stage{Name: fetchers.StageExtracting}),
		stage("4", fetchers.Stage{Name: fetchers.StageWritten}),
	},
	"fetch.heartbeat": {wire.Event{ID: "4", Event: "heartbeat"}},
	"fetch.result": {
		wire.FetchResult{
			Event:  result("4", "fetch"),
			Digest: "1. Example Domain\n   https://example.com/\n   …\n",
			Result: fetchers.Result{
				ArtifactRoot: "/tmp/pi-fetch/2026-07-06T12-57-08-183Z",
				Outcomes: []fetchers.Outcome{
					{
						URL: "https://example.com/",
						Document: &fetchers.Document{
							Kind: "local.page", Source: "local", URL: "https://example.com/", Title: "Example Domain",
							Facts: []string{"still loading"}, Excerpt: "This domain is for use in documentation examples.", Via: "rendered",
							Bodies: []fetchers.Body{{
								Name: "content.md", Path: "/tmp/pi-fetch/2026-07-06T12-57-08-183Z/example-com/content.md", Lines: 5, Bytes: 181,
								Outline: []fetchers.Heading{{Line: 1, Level: 1, Text: "Example Domain"}},
							}},
						},
						Attempts: []fetchers.Attempt{{Source: "parallel", Reason: "503 Service Unavailable"}},
					},
					{
						URL:      "https://intranet.example/wiki/Home",
						Attempts: []fetchers.Attempt{{Source: "local", Reason: "login needed (redirected to sso.example/login) — run: pifetchctl open-browser 'https://intranet.example/wiki/Home'"}},
					},
					{URL: "ftp://example.com/a", Attempts: []fetchers.Attempt{}, Reason: `unsupported scheme "ftp": http and https only`},
				},
				Warnings: []string{},
			},
		},
	},
	"fetch.error": {
		fail("4", wire.CodeBadSettings, "/home/me/.pi/agent/settings.json:3:17: webTools.fetch.browser.tabs must be a whole number from 1 to 32"),
		fail("4", wire.CodeCancelled, "cancelled by the client"),
		fail("4", wire.CodeShuttingDown, "pifetchd is shutting down — repeat the request, a new daemon will serve it"),
	},
	"raw.request": {wire.FetchRequest{Header: head("5", "fetch"), URL: "https://example.com/", DownloadDir: "/home/me/page"}},
	"raw.result": {
		wire.RawResult{
			Event: result("5", "fetch"), FinalURL: "https://example.com/", File: "/home/me/page/page.html",
			ContentType: "text/html", Bytes: 1256, Title: "Example Domain",
		},
	},
	"raw.error": {fail("5", wire.CodeFetchFailed, "404 Not Found")},

	"open-browser.request": {
		wire.OpenBrowserRequest{
			Header: head("6", "open-browser"), URL: "https://sso.example/login",
			Display: map[string]string{"DISPLAY": ":0", "XAUTHORITY": "/home/me/.Xauthority"}, Wait: true,
		},
	},
	"open-browser.status": {
		wire.StatusEvent{
			Event: wire.Event{ID: "6", Event: "status"}, URL: "https://sso.example/login", Stage: fetchers.Stage{Name: wire.StageOpened},
		},
	},
	"open-browser.result": {
		wire.OpenBrowserResult{Event: result("6", "open-browser"), PID: 4300},
		wire.OpenBrowserResult{Event: result("6", "open-browser"), PID: 4300, Already: true},
		wire.OpenBrowserResult{Event: result("6", "open-browser"), PID: 4300, Closed: true},
	},
	"open-browser.error":    {fail("6", wire.CodeNoDisplay, "no display for the login window: neither DISPLAY nor WAYLAND_DISPLAY is set: run pifetchctl open-browser in a desktop session, or over ssh -X")},
	"close-browser.request": {head("7", "close-browser")},
	"close-browser.result":  {wire.CloseBrowserResult{Event: result("7", "close-browser"), Closed: true}},
	"cancel.request":        {wire.CancelRequest{Header: head("8", "cancel"), Target: "4"}},
	"cancel.result":         {wire.CancelResult{Event: result("8", "cancel"), Found: true}},
	"explain.request":       {wire.ExplainRequest{Header: head("9", "explain"), URL: "https://example.com/"}},
	"explain.result": {wire.ExplainResult{
		Event: result("9", "explain"), URL: "https://example.com/", Source: "local",
		Fetchers: []fetchers.Claim{
			{Source: "github", Reason: "not a URL that GitHub's APIs have an answer to"},
			{Source: "parallel", Reason: "no PARALLEL_API_KEY"},
			{Source: "local", Claims: true, Reason: "a page for Chrome", Auth: "the logins of the browser profile"},
		},
		Policy: "decided on the address the name has when it is dialled; private ones are reached, because the URL asks for them",
	}},
	"connection.error": {
		fail("", wire.CodeForbidden, "this socket serves uid 1000 only"),
		fail("", wire.CodeLineTooLong, "the line was skipped: at most 1048576 bytes are allowed"),
		fail("", wire.CodeBadRequest, "id: a JSON number does not fit here"),
	},
	"unknown-op.error": {fail("10", wire.CodeUnknownOp, `unknown op "search" — hello lists the capabilities of this daemon`)},
}

func head(id, op string) wire.Header  { return wire.Header{ID: id, Op: op} }
func result(id, op string) wire.Event { return wire.Event{ID: id, Event: "result", Op: op} }
func fail(id string, code wire.Code, reason string) wire.ErrorEvent {
	return wire.ErrorEvent{Event: wire.Event{ID: id, Event: "error"}, Code: code, Reason: reason}
}

func stage(id string, s fetchers.Stage) wire.StatusEvent {
	return wire.StatusEvent{Event: wire.Event{ID: id, Event: "status"}, URL: "https://example.com/", Stage: s}
}

func goldenFile(name string) string { return filepath.Join("testdata", name+".jsonl") }

func TestGoldenLines(t *testing.T) {
	for name, messages := range golden {
		t.Run(name, func(t *testing.T) {
			var got []byte
			for _, m := range messages {
				line, err := wire.Marshal(m, wire.MaxEventLine)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, line...)
			}
			file := goldenFile(name)
			want, err := os.ReadFile(file)
			frozen := strings.HasSuffix(name, ".frozen")
			if *update && (!frozen || errors.Is(err, os.ErrNotExist)) {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				if frozen {
					t.Error("this message is frozen: clients of every version rely on it")
				}
				t.Fatalf("-golden +got:\n%s", diff)
			}
			lines := bytes.SplitAfter(bytes.TrimSuffix(want, []byte("\n")), []byte("\n"))
			for i, line := range lines {
				back := reflect.New(reflect.TypeOf(messages[i]))
				if err := json.Unmarshal(line, back.Interface()); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(messages[i], back.Elem().Interface()); diff != "" {
					t.Errorf("read back: -sent +read:\n%s", diff)
				}
			}
		})
	}
}

func TestEveryGoldenFileHasItsMessage(t *testing.T) {
	files, err := filepath.Glob(goldenFile("*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, ok := golden[strings.TrimSuffix(filepath.Base(f), ".jsonl")]; !ok {
			t.Errorf("%s belongs to no message", f)
		}
	}
}

// The document quotes the golden lines after an arrow that says who sends them.
func TestProtocolDocumentQuotesTheGoldenLines(t *testing.T) {
	doc, err := os.ReadFile(filepath.FromSlash("../../docs/protocol.md"))
	if err != nil {
		t.Fatal(err)
	}
	quoted := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^([→←]) (\{.*\})$`).FindAllStringSubmatch(string(doc), -1) {
		quoted[m[2]] = m[1]
	}
	for name := range golden {
		lines, err := os.ReadFile(goldenFile(name))
		if err != nil {
			t.Fatal(err)
		}
		want := "←"
		if strings.Contains(name, ".request") {
			want = "→"
		}
		for line := range strings.Lines(string(lines)) {
			line = strings.TrimSuffix(line, "\n")
			if arrow, ok := quoted[line]; !ok {
				t.Errorf("%s: not quoted: %s", name, line)
			} else if arrow != want {
				t.Errorf("%s: quoted after %s: %s", name, arrow, line)
			}
			delete(quoted, line)
		}
	}
	for line := range quoted {
		t.Errorf("no golden line: %s", line)
	}
}

func TestProtocolDocumentListsEveryCode(t *testing.T) {
	doc, err := os.ReadFile(filepath.FromSlash("../../docs/protocol.md"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("codes.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`(?m)^\s+Code\w+\s+Code = "(\w+)"`).FindAllSubmatch(source, -1)
	if len(codes) < 10 {
		t.Fatalf("found only %d codes", len(codes))
	}
	for _, m := range codes {
		if !bytes.Contains(doc, []byte("| `"+string(m[1])+"` |")) {
			t.Errorf("no row for %s", m[1])
		}
	}
}

func TestUnknownFieldsAreIgnored(t *testing.T) {
	req, err := wire.ParseRequest[wire.FetchRequest]([]byte(`{"id":"1","op":"fetch","urls":["https://example.com/"],"new":{"a":[1]}}`))
	if err != nil || len(req.URLs) != 1 {
		t.Errorf("got %+v, %v", req, err)
	}
	ev, err := wire.ParseEvent([]byte(`{"id":"1","event":"later","more":true}`))
	if err != nil || ev != (wire.Event{ID: "1", Event: "later"}) {
		t.Errorf("got %+v, %v", ev, err)
	}
}

func TestParseHeader(t *testing.T) {
	long := strings.Repeat("i", wire.MaxID)
	for _, tt := range []struct {
		name, line string
		want       wire.Header
		reason     string
	}{
		{"whole", `{"op":"status","id":"a"}`, head("a", "status"), ""},
		{"longest id", `{"op":"status","id":"` + long + `"}`, head(long, "status"), ""},
		{"id too long", `{"op":"status","id":"` + long + `i"}`, wire.Header{}, "id: at most 256 bytes are allowed"},
		{"no id", `{"op":"status"}`, head("", "status"), "id: a non-empty string is needed"},
		{"id is a number", `{"id":1,"op":"status"}`, head("", "status"), "id: a JSON number does not fit here"},
		{"op is a list", `{"id":"a","op":[]}`, head("a", ""), "op: a JSON array does not fit here"},
		{"not an object", `["a"]`, wire.Header{}, "the line is a JSON array: an object is needed"},
		{"not JSON", `fetch https://example.com/`, wire.Header{}, "the line is not JSON: invalid character 'e' in literal false (expecting 'a')"},
		{"not UTF-8", "{\"id\":\"\xff\",\"op\":\"status\"}", wire.Header{}, "the line is not UTF-8"},
		{"two values", `{"id":"a"} {}`, wire.Header{}, "the line is not JSON: invalid character '{' after top-level value"},
		{"too deep", strings.Repeat("[", 100_000), wire.Header{}, "the line is not JSON: invalid character '[' exceeded max depth"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := wire.ParseHeader([]byte(tt.line))
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			if tt.reason == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e, ok := errors.AsType[*wire.Error](err)
			if !ok || e.Code != wire.CodeBadRequest || e.Reason != tt.reason {
				t.Errorf("got %v, want bad_request %q", err, tt.reason)
			}
		})
	}
}

func TestParseRequestNamesTheField(t *testing.T) {
	_, err := wire.ParseRequest[wire.FetchRequest]([]byte(`{"id":"1","op":"fetch","urls":"https://example.com/"}`))
	if err == nil || err.Error() != "urls: a JSON string does not fit here" {
		t.Errorf("got %v", err)
	}
}

func FuzzParseHeader(f *testing.F) {
	f.Add([]byte(`{"id":"1","op":"fetch","urls":["https://example.com/"]}`))
	f.Add([]byte(`{"id":1}`))
	f.Add([]byte("{\"id\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, line []byte) {
		h, err := wire.ParseHeader(line)
		if err == nil && h.ID == "" {
			t.Error("no id and no error")
		}
		if len(h.ID) > wire.MaxID {
			t.Errorf("id of %d bytes", len(h.ID))
		}
		if _, isWire := errors.AsType[*wire.Error](err); err != nil && !isWire {
			t.Errorf("not for the client: %v", err)
		}
		if _, err := wire.Marshal(wire.Event{ID: h.ID, Event: "error"}, wire.MaxEventLine); err != nil {
			t.Error(err)
		}
	})
}
