package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"pifetch/internal/agenttext"
	"pifetch/test/need"
	"pifetch/test/npm"
)

// agent is the official MCP client of Node.js, connected to pifetchctl mcp.
type agent struct {
	t      *testing.T
	orders io.WriteCloser
	said   chan agentSaid
}

// agentSaid is one line of testdata/mcp.mjs.
type agentSaid struct {
	ID       int
	Tools    []agentTool
	Progress string
	Thrown   string
	Result   *agentResult
}

type agentTool struct {
	Name, Description string
	InputSchema       struct {
		Properties map[string]struct{ Type any }
	}
}

type agentResult struct {
	Content           []struct{ Type, Text string }
	StructuredContent any
	IsError           bool
}

// startAgent starts the client with a server that has more arguments.
func (r *rig) startAgent(args ...string) *agent {
	r.t.Helper()
	locked, err := npm.Locked("@modelcontextprotocol/sdk")
	if err == nil {
		_, err = locked.Path("package.json")
	}
	_, noNode := exec.LookPath("node")
	need.Have(r.t, "npm", errors.Join(err, noNode))
	root, err := npm.Root()
	if err != nil {
		r.t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/mcp.mjs")
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.t.Context()), 2*patience)
	cmd := exec.CommandContext(ctx, "node", append([]string{"--input-type=module", "-e", string(script), "--", filepath.Join(r.bin, "pifetchctl"), "mcp"}, args...)...)
	cmd.Dir = filepath.Join(root, "test", "npm")
	cmd.Env = r.environ()
	cmd.Stderr = r.t.Output()
	a := &agent{t: r.t, said: make(chan agentSaid, 1000)}
	if a.orders, err = cmd.StdinPipe(); err != nil {
		r.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var s agentSaid
			if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
				s.Thrown = err.Error() + " in " + lines.Text()
			}
			a.said <- s
		}
	}()
	r.t.Cleanup(func() {
		a.orders.Close()
		<-read
		if err := cmd.Wait(); err != nil {
			r.t.Errorf("the client: %v", err)
		}
		cancel()
	})
	return a
}

func (a *agent) order(line any) {
	a.t.Helper()
	if err := json.NewEncoder(a.orders).Encode(line); err != nil {
		a.t.Fatal(err)
	}
}

func (a *agent) fetch(id int, urls ...string) {
	a.t.Helper()
	a.order(map[string]any{"id": id, "call": "web_fetch", "args": map[string]any{"urls": urls}})
}

// result is what a call came to, which must be text alone.
func (a *agent) result(id int) (text string, isError bool) {
	a.t.Helper()
	for {
		s := receive(a.t, "the result", a.said)
		switch {
		case s.Result != nil && s.ID == id:
			if len(s.Result.Content) != 1 || s.Result.Content[0].Type != "text" || s.Result.StructuredContent != nil {
				a.t.Fatalf("not text alone: %+v", s.Result)
			}
			return s.Result.Content[0].Text, s.Result.IsError
		case s.Progress == "" || s.ID != id:
			a.t.Fatalf("waited for the result of call %d, got %+v", id, s)
		}
	}
}

// The official MCP client fetches through pifetchctl mcp, cancels, and hears
// of what goes wrong.
func TestMCP(t *testing.T) {
	r, s := newRig(t), newSite(t)

	absent := r.startAgent("--no-spawn")
	absent.fetch(1, s.URL+"/a")
	if text, isError := absent.result(1); !isError || !strings.HasPrefix(text, "error: pifetchd is not running\nhint: ") {
		t.Errorf("without a daemon: isError %t, %q", isError, text)
	}

	a := r.startAgent()
	a.order(map[string]any{"list": true})
	tools := receive(t, "the tools", a.said).Tools
	if len(tools) != 1 || tools[0].Name != "web_fetch" || tools[0].InputSchema.Properties["urls"].Type != "array" || !strings.Contains(tools[0].Description, "Read or grep the files") {
		t.Errorf("tools %+v", tools)
	}

	a.fetch(1, s.URL+"/a", "ftp://files.example/x")
	digest, isError := a.result(1)
	if isError || !strings.HasPrefix(digest, "1. Page /a\n") || !strings.Contains(digest, "\nFailed:\n- ftp://files.example/x\n") {
		t.Errorf("isError %t, digest:\n%s", isError, digest)
	}
	folder := regexp.MustCompile(`bodies \(in (.+)\):`).FindStringSubmatch(digest)
	if folder == nil {
		t.Fatalf("no folder in\n%s", digest)
	}
	body, err := os.ReadFile(filepath.Join(folder[1], "content.md"))
	if err != nil || !strings.Contains(string(body), "This is what stands at /a.") {
		t.Errorf("content.md: %v, %q", err, body)
	}

	// The client hears how far a page is, and its cancelling frees the tab.
	a.fetch(2, s.URL+"/held/b")
	receive(t, "the request", s.arrived)
	for told := (agentSaid{}); !strings.HasSuffix(told.Progress, " "+s.URL+"/held/b"); {
		if told = receive(t, "progress", a.said); told.ID != 2 || told.Progress == "" {
			t.Fatalf("got %+v, want progress of call 2", told)
		}
	}
	if got := r.status().Requests; len(got) != 1 || got[0].Client != "mcp/official" || !strings.HasPrefix(got[0].Session, "mcp-") {
		t.Errorf("requests %+v", got)
	}
	a.order(map[string]any{"abort": 2})
	if got := receive(t, "the cancelled request", s.ended); got != "/held/b" {
		t.Errorf("%s ended", got)
	}
	for told := (agentSaid{}); told.Thrown == ""; {
		if told = receive(t, "the end of the call", a.said); told.ID != 2 || told.Result != nil {
			t.Fatalf("got %+v, want the end of call 2", told)
		}
	}
	wait(t, "the end of the request", func() bool { return len(r.status().Requests) == 0 })

	// A daemon that is killed fails the call; the next one has a new daemon.
	a.fetch(3, s.URL+"/held/c")
	receive(t, "the request", s.arrived)
	if err := syscall.Kill(r.status().PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	text, isError := a.result(3)
	if want := "Failed:\n- " + s.URL + "/held/c\n  the connection to pifetchd was lost: "; !isError || !strings.HasPrefix(text, want) {
		t.Errorf("isError %t, %q, want %q first", isError, text, want)
	}
	wait(t, "the end of Chrome", func() bool { return len(r.chromes()) == 0 })
	a.fetch(4, s.URL+"/d")
	if digest, isError := a.result(4); isError || !strings.HasPrefix(digest, "1. Page /d\n") {
		t.Errorf("isError %t, digest:\n%s", isError, digest)
	}
}

// pi's own MCP client, without the package: the model gets the digest.
func TestMCPInPi(t *testing.T) {
	p, s := newPi(t, piToday), newSite(t)
	p.set(func(s map[string]any) { delete(s, "packages") })
	config := `{"mcpServers": {"pifetch": {"command": "pifetchctl", "args": ["mcp"], "exposure": "direct"}}}`
	if err := os.WriteFile(filepath.Join(p.agent, "mcp.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	const name = "mcp__pifetch__web_fetch"
	run := p.once(fetchPrompt(name, s.URL+"/held/guide", "ftp://files.example/x"))
	receive(t, "the request", s.arrived)
	run.next("progress", func(e piEvent) bool {
		return e.Type == "tool_execution_update" && strings.HasSuffix(e.PartialResult.text(), " "+s.URL+"/held/guide")
	})
	close(s.release)
	end := run.toolEnd()
	run.settled()
	results := p.model.Results()
	if len(results) != 1 || end.IsError {
		t.Fatalf("results %q, error %t", results, end.IsError)
	}
	if digest := results[0]; !strings.HasPrefix(digest, "1. Page /held/guide\n") || !strings.Contains(digest, "\nFailed:\n- ftp://files.example/x\n") {
		t.Errorf("the model got\n%s", digest)
	}
	for _, tool := range p.model.Requests()[0].Tools {
		if f := tool.Function; f.Name == name && f.Description == agenttext.Description {
			return
		}
	}
	t.Errorf("the model was not offered %s as it is described: %+v", name, p.model.Requests()[0].Tools)
}
