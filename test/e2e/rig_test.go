// Package e2e drives the two built programs as people and agents do: real
// processes, real Chrome, real pi, web sites and a stub of a model on loopback.
// What a machine lacks is skipped, and fails where PIFETCH_REQUIRE lists it
// (chrome, xvfb, npm, git).
package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pifetch/daemon/wire"
	"pifetch/profile/installed"
	"pifetch/test/need"
	"pifetch/test/pids"
)

// patience is how long anything may take before a test calls it hung.
const patience = 3 * time.Minute

var programs struct {
	once sync.Once
	dir  string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if programs.dir != "" {
		os.RemoveAll(programs.dir)
	}
	os.Exit(code)
}

// build returns the folder that holds pifetchd and pifetchctl.
func build(t *testing.T) string {
	t.Helper()
	programs.once.Do(func() {
		programs.dir, programs.err = os.MkdirTemp("", "pifetch-bin-")
		if programs.err != nil {
			return
		}
		if programs.err = watch("../.."); programs.err != nil {
			return
		}
		cmd := exec.Command("go", "build", "-buildvcs=false", "-o", programs.dir, "./cmd/...")
		cmd.Dir = "../.."
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			programs.err = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if programs.err != nil {
		t.Fatalf("build the programs: %v", programs.err)
	}
	return programs.dir
}

// watch looks at every source file: go test keeps results until a file changes
// that the test has looked at, and it does not see what go build reads.
func watch(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "testdata" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		_, err = os.Stat(path)
		return err
	})
}

// rig is one user: an agent directory with its daemon, profile and files.
type rig struct {
	t       *testing.T
	bin     string
	agent   string
	display string
}

// newRig needs Chrome.
func newRig(t *testing.T) *rig {
	t.Helper()
	_, err := installed.Find("")
	need.Have(t, "chrome", err)
	// Pages are held back here for as long as a slow machine needs.
	return newRigWith(t, map[string]any{"browser": map[string]any{"navigationTimeoutSecs": 120}})
}

// newRigWith has these settings below webTools.fetch, and stops its daemon when
// the test ends.
func newRigWith(t *testing.T, settings map[string]any) *rig {
	t.Helper()
	r := &rig{t: t, bin: build(t)}
	// Socket paths are short, and those of t.TempDir are not.
	var err error
	r.agent, err = os.MkdirTemp("/tmp", "pf-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(r.agent, "pifetchd", "pifetchd.log"))
			t.Logf("pifetchd.log:\n%s", log)
		}
		for _, args := range [][]string{{"close-browser", "--no-spawn"}, {"stop"}} {
			r.command(context.WithoutCancel(t.Context()), args...).Run()
		}
		wait(t, "the end of Chrome", func() bool { return len(r.chromes()) == 0 })
		os.RemoveAll(r.agent)
	})
	settings["artifacts"] = map[string]any{"root": filepath.Join(r.agent, "files")}
	data, err := json.Marshal(map[string]any{"webTools": map[string]any{"fetch": settings}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.agent, "settings.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

// command is pifetchctl with this user's environment.
func (r *rig) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(r.bin, "pifetchctl"), args...)
	cmd.Env = r.environ()
	return cmd
}

func (r *rig) environ() []string {
	env := slices.DeleteFunc(os.Environ(), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains([]string{"DISPLAY", "WAYLAND_DISPLAY", "PI_SESSION_ID", "GH_TOKEN", "GITHUB_TOKEN"}, name)
	})
	// A folder of gh that is not there: nobody is logged in to GitHub.
	env = append(env, "PI_CODING_AGENT_DIR="+r.agent, "GH_CONFIG_DIR="+filepath.Join(r.agent, "gh"))
	if r.display != "" {
		env = append(env, "DISPLAY="+r.display)
	}
	return env
}

// output is what one run of pifetchctl came to.
type output struct {
	stdout, stderr string
	code           int
}

// run runs pifetchctl to its end.
func (r *rig) run(args ...string) output {
	r.t.Helper()
	return r.start(nil, args...).wait()
}

// call is a running pifetchctl.
type call struct {
	t              *testing.T
	cmd            *exec.Cmd
	cancel         context.CancelFunc
	stdout, stderr bytes.Buffer
}

// start starts pifetchctl with some more variables.
func (r *rig) start(env []string, args ...string) *call {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	c := &call{t: r.t, cmd: r.command(ctx, args...), cancel: cancel}
	c.cmd.Env = append(c.cmd.Env, env...)
	c.cmd.Stdout, c.cmd.Stderr = &c.stdout, &c.stderr
	if err := c.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	return c
}

func (c *call) wait() output {
	c.t.Helper()
	defer c.cancel()
	err := c.cmd.Wait()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		c.t.Fatal(err)
	}
	return output{c.stdout.String(), c.stderr.String(), c.cmd.ProcessState.ExitCode()}
}

// want fails the test unless the run ended with code.
func (o output) want(t *testing.T, code int) output {
	t.Helper()
	if o.code != code {
		t.Fatalf("exit code %d, want %d\nstdout:\n%s\nstderr:\n%s", o.code, code, o.stdout, o.stderr)
	}
	return o
}

// fetched reads the one body of each document of fetch --json.
func (o output) fetched(t *testing.T) []string {
	t.Helper()
	var res wire.FetchResult
	if err := json.Unmarshal([]byte(o.stdout), &res); err != nil {
		t.Fatalf("%v in %q", err, o.stdout)
	}
	var bodies []string
	for _, oc := range res.Outcomes {
		if oc.Document == nil || len(oc.Document.Bodies) != 1 {
			t.Fatalf("no single body for %s: %+v", oc.URL, oc)
		}
		body, err := os.ReadFile(oc.Document.Bodies[0].Path)
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, string(body))
	}
	return bodies
}

// status asks the running daemon.
func (r *rig) status() wire.StatusResult {
	r.t.Helper()
	var s wire.StatusResult
	if err := json.Unmarshal([]byte(r.run("status", "--json").want(r.t, 0).stdout), &s); err != nil {
		r.t.Fatal(err)
	}
	return s
}

// daemons and chromes are the processes of this user.
func (r *rig) daemons() []int { return pids.Naming(r.t, filepath.Join(r.bin, "pifetchd")) }
func (r *rig) chromes() []int { return pids.Naming(r.t, filepath.Join(r.agent, "browser-profile")) }

// wait polls until cond holds.
func wait(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !cond(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// receive takes one value from c.
func receive[T any](t *testing.T, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("waited %v for %s", patience, what)
		panic("unreachable")
	}
}

// xvfb starts a display, where Chrome needs one, and returns its name.
func xvfb(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "darwin" {
		return ""
	}
	return need.Xvfb(t)
}
