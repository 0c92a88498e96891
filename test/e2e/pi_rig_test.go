package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pifetch/test/need"
	"pifetch/test/npm"
	"pifetch/test/stubmodel"
)

// piVersion is one of the versions of pi that the extension works with.
type piVersion struct {
	name string // of the npm package in test/npm
	cli  string // in it
	node func() (string, error)
}

var (
	piToday  = piVersion{"pi", "dist/bundle/cli.js", npm.Node22}
	piNode20 = piVersion{"pi-node20", "dist/cli.js", npm.Node20}
)

// eachPi runs a test with each of them, one at a time: one is slow enough alone.
func eachPi(t *testing.T, test func(*testing.T, *piRig, *site)) {
	for _, v := range []piVersion{piToday, piNode20} {
		t.Run(v.name, func(t *testing.T) { test(t, newPi(t, v), newSite(t)) })
	}
}

// piRig is a user with pi, the extension and a model that does what it is told.
type piRig struct {
	*rig
	model   *stubmodel.Server
	node    string
	cli     string
	version string
	path    string // PATH of pi; the folder of pifetchd in front
}

// extension is the folder of the pi package.
func extension(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../clients/pi")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// newPi needs npm and Chrome.
func newPi(t *testing.T, v piVersion) *piRig {
	t.Helper()
	pkg, err := npm.Locked(v.name)
	if err != nil {
		t.Fatal(err)
	}
	cli, err := pkg.Path(v.cli)
	need.Have(t, "npm", err)
	node, err := v.node()
	need.Have(t, "npm", err)
	p := &piRig{rig: newRig(t), model: stubmodel.Start(t), node: node, cli: cli, version: pkg.Version}
	p.path = p.bin + ":/usr/bin:/bin"

	write := func(name string, v any) {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.agent, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("models.json", map[string]any{"providers": map[string]any{"stub": map[string]any{
		"baseUrl": p.model.BaseURL, "api": "openai-completions", "apiKey": "none",
		"models": []any{map[string]any{"id": stubmodel.Name}},
	}}})
	p.set(func(s map[string]any) {
		s["defaultProvider"], s["defaultModel"] = "stub", stubmodel.Name
		s["quietStartup"], s["enableInstallTelemetry"] = true, false
		s["retry"] = map[string]any{"enabled": false}
		s["packages"] = []any{extension(t)} // what pi install writes
	})
	return p
}

// set changes settings.json.
func (p *piRig) set(change func(settings map[string]any)) {
	p.t.Helper()
	name := filepath.Join(p.agent, "settings.json")
	data, err := os.ReadFile(name)
	if err != nil {
		p.t.Fatal(err)
	}
	var settings map[string]any
	if err := json.Unmarshal(data, &settings); err != nil {
		p.t.Fatal(err)
	}
	change(settings)
	if data, err = json.Marshal(settings); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// piEvent is a line of pi's output, of which this is looked at.
type piEvent struct {
	Type          string    `json:"type"`
	PartialResult *piResult `json:"partialResult"`
	Result        *piResult `json:"result"`
	IsError       bool      `json:"isError"`
	Method        string    `json:"method"`
	Message       any       `json:"message"`
	NotifyType    string    `json:"notifyType"`
	Data          struct {
		Commands []struct{ Name string }
	} `json:"data"`
}

type piResult struct {
	Content []struct{ Text string } `json:"content"`
	Details json.RawMessage         `json:"details"`
}

func (r *piResult) text() string {
	var texts []string
	for _, c := range r.Content {
		texts = append(texts, c.Text)
	}
	return strings.Join(texts, "\n")
}

// piRun is a running pi.
type piRun struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	events chan piEvent
	stderr strings.Builder
	seen   []piEvent
}

// piCommand is pi with nothing of this process' environment.
func (p *piRig) piCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.node, append([]string{p.cli}, args...)...)
	home := filepath.Join(p.agent, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		p.t.Fatal(err)
	}
	cmd.Dir = home
	cmd.Env = []string{
		"PATH=" + p.path, "HOME=" + home, "TERM=xterm", "LANG=C.UTF-8", "PI_CODING_AGENT_DIR=" + p.agent,
		"PI_OFFLINE=1", "PI_SKIP_VERSION_CHECK=1", "PI_TELEMETRY=0",
	}
	if p.display != "" {
		cmd.Env = append(cmd.Env, "DISPLAY="+p.display)
	}
	return cmd
}

// once starts pi for one prompt.
func (p *piRig) once(prompt string) *piRun {
	p.t.Helper()
	run := p.startPi("--mode", "json", prompt)
	run.stdin.Close() // what comes there belongs to the prompt
	return run
}

// rpc starts pi and leaves it waiting for commands.
func (p *piRig) rpc() *piRun { p.t.Helper(); return p.startPi("--mode", "rpc") }

func (p *piRig) startPi(args ...string) *piRun {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	cmd := p.piCommand(ctx, append([]string{"--no-session", "--no-builtin-tools"}, args...)...)
	run := &piRun{t: p.t, cmd: cmd, events: make(chan piEvent, 1000)}
	cmd.Stderr = &run.stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if run.stdin, err = cmd.StdinPipe(); err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(run.events)
		lines := bufio.NewReader(stdout)
		for {
			line, err := lines.ReadBytes('\n')
			var e piEvent
			if json.Unmarshal(line, &e) == nil {
				run.events <- e
			}
			if err != nil {
				return
			}
		}
	}()
	p.t.Cleanup(func() {
		run.stdin.Close()
		cancel() // kills one that still runs
		<-read
		cmd.Wait()
		if p.t.Failed() {
			p.t.Logf("standard error of pi:\n%s", run.stderr.String())
		}
	})
	return run
}

// send gives a command to pi in rpc mode.
func (r *piRun) send(command map[string]any) {
	r.t.Helper()
	line, err := json.Marshal(command)
	if err != nil {
		r.t.Fatal(err)
	}
	if _, err := r.stdin.Write(append(line, '\n')); err != nil {
		r.t.Fatalf("%v\n%s", err, r.stderr.String())
	}
}

func (r *piRun) prompt(message string) {
	r.t.Helper()
	r.send(map[string]any{"type": "prompt", "message": message})
}

// next waits for the next event of which cond holds.
func (r *piRun) next(what string, cond func(piEvent) bool) piEvent {
	r.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case e, ok := <-r.events:
			if !ok {
				r.t.Fatalf("pi ended before %s\n%s", what, r.stderr.String())
			}
			r.seen = append(r.seen, e)
			if cond(e) {
				return e
			}
		case <-deadline:
			r.t.Fatalf("waited %v for %s, seen: %v\n%s", patience, what, r.seen, r.stderr.String())
		}
	}
}

// toolEnd waits for the end of a call of a tool.
func (r *piRun) toolEnd() piEvent {
	r.t.Helper()
	return r.next("the end of the tool", func(e piEvent) bool { return e.Type == "tool_execution_end" })
}

// settled waits until pi has nothing to do.
func (r *piRun) settled() {
	r.t.Helper()
	r.next("the end of the run", func(e piEvent) bool { return e.Type == "agent_settled" || e.Type == "agent_end" })
}

// notice waits for a message to the user.
func (r *piRun) notice() piEvent {
	r.t.Helper()
	return r.next("a notice", func(e piEvent) bool { return e.Type == "extension_ui_request" && e.Method == "notify" })
}

// fetchPrompt makes the model call a tool.
func fetchPrompt(tool string, urls ...string) string {
	args, err := json.Marshal(map[string]any{"urls": urls})
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s %s", tool, args)
}

// ends waits for the end of pi, which has to be as wanted: "exit status 0" or
// "signal: interrupt". It must have said nothing on standard error.
func (r *piRun) ends(want string) {
	r.t.Helper()
	r.stdin.Close()
	for range r.events {
	}
	r.cmd.Wait() // its error repeats the state
	if got := r.cmd.ProcessState.String(); got != want {
		r.t.Errorf("pi ended with %s, want %s", got, want)
	}
	if r.stderr.Len() > 0 {
		r.t.Errorf("pi wrote to standard error: %s", r.stderr.String())
	}
}
