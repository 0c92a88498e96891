package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pifetch/fetchers"
	"pifetch/internal/agenttext"
)

// pi install, then a fetch: the model is told how to use the tool, the user
// sees progress, and the model gets the digest.
func TestPiFetch(t *testing.T) {
	eachPi(t, func(t *testing.T, p *piRig, s *site) {
		p.set(func(s map[string]any) { delete(s, "packages") })
		if out, err := p.piCommand(t.Context(), "install", extension(t)).CombinedOutput(); err != nil {
			t.Fatalf("pi install: %v\n%s", err, out)
		}
		urls := []string{s.URL + "/guide", s.URL + "/guide#part", "ftp://example.com/a"}
		run := p.once(fetchPrompt("web_fetch", urls...))
		progress := run.next("progress", func(e piEvent) bool { return e.Type == "tool_execution_update" })
		if text := progress.PartialResult.text(); !strings.Contains(text, " of 3 fetched") {
			t.Errorf("progress %q", text)
		}
		end := run.toolEnd()
		run.ends("exit status 0")

		results := p.model.Results()
		if len(results) != 1 || end.IsError {
			t.Fatalf("results %q, error %t", results, end.IsError)
		}
		digest := results[0]
		for _, want := range []string{"1. Page /guide\n", "content.md (", "\nFailed:\n- ftp://example.com/a\n", "http and https only"} {
			if !strings.Contains(digest, want) {
				t.Errorf("the model's digest lacks %q:\n%s", want, digest)
			}
		}
		if strings.Contains(digest, strings.Repeat("The rest of the page is here to make it one. ", 8)) {
			t.Error("the digest has the content")
		}

		var details struct {
			ArtifactRoot string
			Outcomes     []fetchers.Outcome
			Warnings     []string
		}
		if err := json.Unmarshal(end.Result.Details, &details); err != nil || len(details.Outcomes) != 3 {
			t.Fatalf("details %s: %v", end.Result.Details, err)
		}
		body, err := os.ReadFile(details.Outcomes[0].Document.Bodies[0].Path)
		if err != nil || !strings.Contains(string(body), "This is what stands at /guide.") {
			t.Errorf("body %q, %v", body, err)
		}
		checkPrompt(t, p, "web_fetch")
	})
}

// checkPrompt looks at what the model was told in its first turn.
func checkPrompt(t *testing.T, p *piRig, name string) {
	t.Helper()
	first := p.model.Requests()[0]
	system := string(first.Messages[0].Content)
	for _, want := range append(agenttext.Guidelines(), agenttext.Snippet) {
		if want = strings.ReplaceAll(want, agenttext.Tool, name); !strings.Contains(system, want) {
			t.Errorf("the system prompt lacks %q:\n%s", want, system)
		}
	}
	var names []string
	for _, tool := range first.Tools {
		names = append(names, tool.Function.Name)
		if tool.Function.Name != name {
			continue
		}
		if tool.Function.Description != agenttext.Description {
			t.Errorf("description %q", tool.Function.Description)
		}
		var schema struct {
			Required   []string
			Properties map[string]struct{ Type, Description string }
		}
		if err := json.Unmarshal(tool.Function.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		if u := schema.Properties["urls"]; !slices.Equal(schema.Required, []string{"urls"}) || u.Type != "array" || u.Description != agenttext.URLs {
			t.Errorf("parameters %s", tool.Function.Parameters)
		}
	}
	if !slices.Contains(names, name) {
		t.Errorf("tools %v, want %s", names, name)
	}
}

// idle waits until the daemon has no request and no busy tab, and logs how
// long that took.
func (p *piRig) idle(since time.Time, after string) {
	p.t.Helper()
	wait(p.t, "a free tab", func() bool {
		s := p.status()
		return len(s.Requests) == 0 && s.Browser.Busy == 0
	})
	p.t.Logf("the tab was free %v after %s, a run of pifetchctl included", time.Since(since).Round(time.Millisecond), after)
}

// An aborted call frees its tab at once, as does the end of the session.
func TestPiAbort(t *testing.T) {
	eachPi(t, func(t *testing.T, p *piRig, s *site) {
		run := p.rpc()
		run.prompt(fetchPrompt("web_fetch", s.URL+"/held/aborted"))
		receive(t, "the request", s.arrived)
		since := time.Now()
		run.send(map[string]any{"type": "abort"})
		receive(t, "the end of the page's request", s.ended)
		t.Logf("Chrome gave the page up %v after abort", time.Since(since).Round(time.Millisecond))
		if end := run.toolEnd(); !end.IsError {
			t.Error("the aborted call is no error")
		}
		run.settled()
		p.idle(since, "abort")

		run.prompt(fetchPrompt("web_fetch", s.URL+"/held/terminated"))
		receive(t, "the request", s.arrived)
		p.signal(run, syscall.SIGTERM, s)
		run.ends("exit status 143")
	})
}

// SIGINT ends pi without a word to the extension: the daemon sees the
// connection close.
func TestPiInterrupted(t *testing.T) {
	eachPi(t, func(t *testing.T, p *piRig, s *site) {
		run := p.once(fetchPrompt("web_fetch", s.URL+"/held/interrupted"))
		receive(t, "the request", s.arrived)
		p.signal(run, syscall.SIGINT, s)
		run.ends("signal: interrupt")
	})
}

// signal ends pi while a page is held, and waits for what follows from it.
func (p *piRig) signal(run *piRun, sig syscall.Signal, s *site) {
	p.t.Helper()
	since := time.Now()
	if err := run.cmd.Process.Signal(sig); err != nil {
		p.t.Fatal(err)
	}
	receive(p.t, "the end of the page's request", s.ended)
	p.t.Logf("Chrome gave the page up %v after the signal: %v", time.Since(since).Round(time.Millisecond), sig)
	p.idle(since, "the signal")
}

func TestPiOpenBrowser(t *testing.T) {
	eachPi(t, func(t *testing.T, p *piRig, s *site) {
		p.display = xvfb(t)
		run := p.rpc()
		run.send(map[string]any{"type": "get_commands"})
		var commands []string
		for _, c := range run.next("the commands", func(e piEvent) bool { return len(e.Data.Commands) > 0 }).Data.Commands {
			commands = append(commands, c.Name)
		}
		for _, want := range []string{"open-browser", "browser", "skill:pifetch"} {
			if !slices.Contains(commands, want) {
				t.Errorf("commands %q lack %s", commands, want)
			}
		}
		run.prompt("/browser status")
		if n := run.notice(); n.Message != "pifetchd is not running; the next fetch starts it" || n.NotifyType != "info" {
			t.Errorf("without a daemon: %v %s", n.Message, n.NotifyType)
		}
		if _, err := os.Stat(filepath.Join(p.agent, "pifetchd")); err == nil {
			t.Error("there is a run folder before the first request")
		}
		run.prompt("/open-browser " + s.URL + "/held/login")
		if n := run.notice(); n.Message != "Chrome is open; quit it when you are done, and fetching resumes" {
			t.Errorf("open-browser: %v", n.Message)
		}
		receive(t, "the page in the window", s.arrived)
		if i := p.status().Browser.Interactive; i == nil || i.URL != s.URL+"/held/login" {
			t.Errorf("window %+v", i)
		}
		run.prompt("/browser status")
		if n := run.notice(); !strings.Contains(n.Message.(string), "login window: open "+s.URL+"/held/login") {
			t.Errorf("status: %v", n.Message)
		}
		run.prompt("/browser close")
		if n := run.notice(); n.Message != "Chrome has been closed; fetching resumes" {
			t.Errorf("close: %v", n.Message)
		}
		p.display = ""
		if len(p.model.Requests()) > 0 {
			t.Error("a command went to the model")
		}
		run.ends("exit status 0")
	})
}

// Two sessions share a daemon, and ending the fetch of one leaves that of the
// other alone.
func TestPiTwoSessions(t *testing.T) {
	eachPi(t, func(t *testing.T, p *piRig, s *site) {
		first, second := p.rpc(), p.rpc()
		first.prompt(fetchPrompt("web_fetch", s.URL+"/held/first"))
		second.prompt(fetchPrompt("web_fetch", s.URL+"/held/second"))
		for range 2 {
			receive(t, "the requests", s.arrived)
		}
		clients := map[string]bool{}
		for _, r := range p.status().Requests {
			if r.Client != "pi/"+p.version {
				t.Errorf("client %q", r.Client)
			}
			clients[r.Session] = true
		}
		if len(clients) != 2 {
			t.Errorf("sessions %v, want two", clients)
		}
		if got := p.daemons(); len(got) != 1 {
			t.Errorf("daemons %v, want one", got)
		}
		first.send(map[string]any{"type": "abort"})
		if got := receive(t, "the end of a page's request", s.ended); got != "/held/first" {
			t.Errorf("%s ended", got)
		}
		close(s.release)
		if end := second.toolEnd(); end.IsError || !strings.Contains(end.Result.text(), "1. Page /held/second\n") {
			t.Errorf("the second session got %+v", end)
		}
		for _, run := range []*piRun{first, second} {
			run.ends("exit status 0")
		}
	})
}

// A daemon that dies in the middle of a call fails each of its URLs; the next
// call has a new daemon.
func TestPiDaemonKilled(t *testing.T) {
	eachPi(t, func(t *testing.T, p *piRig, s *site) {
		run := p.rpc()
		urls := s.urls("/held/", 2)
		run.prompt(fetchPrompt("web_fetch", urls...))
		for range urls {
			receive(t, "the requests", s.arrived)
		}
		pid := p.status().PID
		since := time.Now()
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		end := run.toolEnd()
		t.Logf("the call failed %v after the daemon was killed", time.Since(since).Round(time.Millisecond))
		const reason = "\n  the connection to pifetchd was lost: pifetchd closed it"
		want := "Failed:\n- " + urls[0] + reason + "\n- " + urls[1] + reason
		if got := end.Result.text(); !end.IsError || got != want {
			t.Errorf("error %t: %q, want %q", end.IsError, got, want)
		}
		run.settled()
		close(s.release)
		run.prompt(fetchPrompt("web_fetch", s.URL+"/next"))
		if end := run.toolEnd(); end.IsError || !strings.Contains(end.Result.text(), "1. Page /next\n") {
			t.Errorf("the next call got %+v", end)
		}
		if again := p.status().PID; again == pid {
			t.Errorf("pid %d is still there", pid)
		}
		run.ends("exit status 0")
	})
}

// The tool is called as the settings say, and without pifetchd it says what to do.
func TestPiSettings(t *testing.T) {
	eachPi(t, func(t *testing.T, p *piRig, s *site) {
		p.path = "/usr/bin:/bin"
		p.set(func(settings map[string]any) {
			settings["webTools"].(map[string]any)["pi"] = map[string]any{"toolName": "get_pages", "color": "red"}
		})
		run := p.rpc()
		if n := run.notice(); n.Message != "pifetch: unknown key webTools.pi.color, known here are pifetchd, toolName" {
			t.Errorf("notice %v", n.Message)
		}
		run.prompt(fetchPrompt("get_pages", s.URL+"/"))
		end := run.toolEnd()
		const want = "start pifetchd: pifetchd is not on PATH — install pifetch (make install), or set webTools.pi.pifetchd in pi's settings.json to its path"
		if got := end.Result.text(); !end.IsError || got != want {
			t.Errorf("error %t: %q, want %q", end.IsError, got, want)
		}
		checkPrompt(t, p, "get_pages")
		run.ends("exit status 0")

		p.set(func(settings map[string]any) {
			settings["webTools"].(map[string]any)["pi"] = map[string]any{"pifetchd": p.bin + "/pifetchd"}
		})
		run = p.once(fetchPrompt("web_fetch", s.URL+"/configured"))
		if end := run.toolEnd(); end.IsError || !strings.Contains(end.Result.text(), "1. Page /configured\n") {
			t.Errorf("with webTools.pi.pifetchd: %+v", end)
		}
		run.ends("exit status 0")
	})
}
