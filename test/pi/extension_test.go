package pi

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pifetch/daemon/daemontest"
	"pifetch/test/need"
	"pifetch/test/npm"
)

// loaded is what extension.mjs prints.
type loaded struct {
	Tools    []string
	Commands []string
	Started  int // timers, sockets and the like after loading
	Drawings []drawing
	Updates  []toolResult
	Notices  []string
	Ended    string
	Again    toolResult
}

type drawing struct {
	Lines  []string
	Widest int
}

type toolResult struct {
	Content []struct{ Text string }
	Details map[string]any
}

// load runs extension.mjs with the terminal interface of a version of pi and a
// stand-in for the little that the extension imports of the rest of pi.
func load(t *testing.T, version string, request any, env ...string) (l loaded) {
	t.Helper()
	node, err := npm.Node22()
	need.Have(t, "npm", err)
	pi, err := npm.Locked(version)
	if err != nil {
		t.Fatal(err)
	}
	root, err := pi.Path("")
	need.Have(t, "npm", err)
	tui := filepath.Join(root, "node_modules/@earendil-works/pi-tui")
	if _, err := os.Stat(tui); err != nil {
		tui = filepath.Join(root, "../@earendil-works/pi-tui") // not only of this version
	}
	program, err := os.ReadFile("extension.mjs")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	modules := folder + "/node_modules/@earendil-works"
	if err := errors.Join(
		os.CopyFS(folder+"/src", os.DirFS(sources(t))),
		os.WriteFile(folder+"/extension.mjs", program, 0o600),
		os.CopyFS(modules+"/pi-coding-agent", os.DirFS("testdata/pi-coding-agent")),
		os.Symlink(tui, modules+"/pi-tui"),
		os.Symlink(filepath.Join(root, "../typebox"), folder+"/node_modules/typebox"),
	); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), daemontest.Guard)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "--disable-warning=ExperimentalWarning", folder+"/extension.mjs", string(data))
	cmd.Env = env
	cmd.Stderr = t.Output()
	stdout, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(stdout, &l); err != nil {
		t.Fatalf("%v in %q", err, stdout)
	}
	if !slices.Equal(l.Tools, []string{"web_fetch"}) || !slices.Equal(l.Commands, []string{"open-browser", "browser"}) || l.Started != 0 {
		t.Errorf("loaded: tools %q, commands %q, %d resources", l.Tools, l.Commands, l.Started)
	}
	return l
}

// The end of a session, told twice, ends its calls; the next session is not affected.
func TestSession(t *testing.T) {
	p := daemontest.Script(t, func(p *daemontest.Peer) {
		p.Hello("serving")
		p.Send(`{"id":%q,"event":"status","url":"https://a.example/","stage":"navigating"}`, p.Next().ID)
		if h := p.Next(); h.Op != "cancel" {
			t.Errorf("got %+v, want a cancel", h)
		}
	}, asks("https://a.example/0"), asks("https://a.example/50"))
	l := load(t, "pi", map[string]any{"again": 51}, "PI_CODING_AGENT_DIR="+p.AgentDir)
	if l.Ended != "Aborted" || len(l.Notices) > 0 {
		t.Errorf("ended with %q, notices %q", l.Ended, l.Notices)
	}
	want := []toolResult{
		progress("0 of 1 fetched\nnavigating https://a.example/", 1),
		progress("0 of 51 fetched\nnavigating https://a.example/0", 51),
		progress("0 of 51 fetched\nnavigating https://a.example/50", 51), // the one of the first 50 has failed
	}
	if !reflect.DeepEqual(l.Updates, want) {
		t.Errorf("updates %v, want %v", l.Updates, want)
	}
	if len(l.Again.Content) != 1 || l.Again.Content[0].Text != "Failed:\n- https://a.example/0\n  local: 404 Not Found\n- https://a.example/50\n  local: 404 Not Found" {
		t.Errorf("the next session got %v", l.Again)
	}
}

// asks is a daemon that opens a page and does not find it.
func asks(url string) daemontest.Role {
	return func(p *daemontest.Peer) {
		p.Hello("serving")
		id := p.Next().ID
		p.Send(`{"id":%q,"event":"status","url":%q,"stage":"navigating"}`, id, url)
		p.Send(`{"id":%q,"event":"result","op":"fetch","digest":%q,"outcomes":[],"warnings":[]}`, id, "Failed:\n- "+url+"\n  local: 404 Not Found\n")
	}
}

func progress(text string, total int) (r toolResult) {
	r.Content = []struct{ Text string }{{text}}
	r.Details = map[string]any{"done": 0.0, "total": float64(total)}
	return r
}
