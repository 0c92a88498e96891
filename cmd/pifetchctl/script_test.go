package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/rogpeppe/go-internal/testscript"

	"pifetch/daemon"
	"pifetch/daemon/client"
	"pifetch/daemon/daemontest"
	"pifetch/daemon/rundir"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/router"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pifetchctl": main,
		"pifetchd":   stubDaemon,
		"chromium":   func() { time.Sleep(time.Minute) },
	})
}

// TestScript runs the scripts in testdata/script. pifetchctl is the real one;
// the pifetchd it starts is the real daemon with a router and a browser that
// need no Chrome. Scripts have two commands of their own:
//
//	exits CODE PROGRAM ARGS...   runs a program and checks its exit code
//	waitbusy                     waits until the daemon works on a fetch
//	settings CHROME TABS         writes settings.json
//	lock                         starts a "Chrome" that holds the profile
//	holdlock NAME                holds a lock of the run folder
//	freelock                     frees it
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			// The path of the socket has to be short.
			agent, err := os.MkdirTemp("/tmp", "pf-")
			if err != nil {
				return err
			}
			env.Defer(func() { os.RemoveAll(agent) })
			paths, err := rundir.Locate(agent)
			if err != nil {
				return err
			}
			env.Setenv("PI_CODING_AGENT_DIR", paths.AgentDir)
			env.Values["paths"] = paths
			env.Values["lock"] = &heldLock{}
			host, err := os.Hostname()
			if err != nil {
				return err
			}
			// What Chrome's lock says of a process: this one, and none.
			env.Setenv("LIVING", fmt.Sprintf("%s-%d", host, os.Getpid()))
			env.Setenv("DEAD", host+"-2147483647")
			env.Defer(func() { client.Stop(context.WithoutCancel(t.Context()), client.Config{Paths: paths}) })
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"waitbusy": waitBusy,
			"settings": writeSettings,
			"lock":     lockProfile,
			"holdlock": holdLock,
			"freelock": freeLock,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

func writeSettings(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: settings CHROME TABS")
	}
	agent := ts.Getenv("PI_CODING_AGENT_DIR")
	text := fmt.Sprintf(`{"webTools": {"fetch": {"browser": {"executablePath": %q, "profileDir": %q, "tabs": %s}}}}`,
		args[0], filepath.Join(agent, "browser-profile"), args[1])
	ts.Check(os.WriteFile(filepath.Join(agent, "settings.json"), []byte(text), 0o600))
}

func lockProfile(ts *testscript.TestScript, _ bool, _ []string) {
	path, err := exec.LookPath("chromium")
	ts.Check(err)
	cmd := exec.Command(path)
	ts.Check(cmd.Start())
	ts.Defer(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	host, err := os.Hostname()
	ts.Check(err)
	link := filepath.Join(ts.Getenv("PI_CODING_AGENT_DIR"), "browser-profile", "SingletonLock")
	ts.Check(os.Symlink(fmt.Sprintf("%s-%d", host, cmd.Process.Pid), link))
}

// heldLock is the one lock a script can hold.
type heldLock struct{ *flock.Flock }

func freeLock(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(ts.Value("lock").(*heldLock).Unlock())
}

func holdLock(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: holdlock NAME")
	}
	paths := ts.Value("paths").(rundir.Paths)
	ts.Check(paths.Prepare())
	lock := ts.Value("lock").(*heldLock)
	lock.Flock = flock.New(filepath.Join(paths.Dir, args[0]))
	ts.Check(lock.Lock())
}

func waitBusy(ts *testscript.TestScript, _ bool, _ []string) {
	cfg := client.Config{Paths: ts.Value("paths").(rundir.Paths), NoSpawn: true}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		c, err := client.Dial(context.Background(), cfg)
		if err != nil {
			continue
		}
		s, err := c.Status(context.Background())
		c.Close()
		ts.Check(err)
		for _, r := range s.Requests {
			if r.Op == wire.OpFetch {
				return
			}
		}
	}
	ts.Fatalf("the daemon works on no fetch")
}

// stubDaemon is a pifetchd without Chrome.
func stubDaemon() {
	if slices.Equal(os.Args[1:], []string{"--version"}) {
		fmt.Println("pifetchd v1.2.0")
		return
	}
	agent, err := rundir.AgentDir()
	if err != nil {
		fatal(err)
	}
	paths, err := rundir.Locate(agent)
	if err != nil {
		fatal(err)
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	err = daemon.Run(context.Background(), daemon.Config{
		Paths: paths, Version: "v1.2.0",
		Router: &daemontest.Router{OnFetch: stubFetch(paths)}, Browser: &stubBrowser{},
		Settings: func() ([]string, time.Duration, error) {
			if _, err := os.Stat(filepath.Join(agent, "bad-settings")); err == nil {
				return nil, 0, wire.Errorf(wire.CodeBadSettings, "settings.json: webTools.fetch.browser.tabs is 0: 1 to 32 is allowed")
			}
			if _, err := os.Stat(filepath.Join(agent, "odd-settings")); err == nil {
				return []string{"settings.json: unknown key webTools.fetch.tbas"}, 0, nil
			}
			return nil, 0, nil
		},
		Policy:  func(url string) string { return "for " + url },
		Redact:  func(url string) string { return url },
		Log:     slog.New(slog.NewJSONHandler(os.Stderr, nil)),
		Signals: signals,
		Idle:    time.Minute, // should a script leave one behind
	})
	if err != nil && !errors.Is(err, daemon.ErrRunning) {
		fatal(err)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "pifetchd: error:", err)
	os.Exit(1)
}

// stubFetch decides by the first label of the host: ok, slow, die; any other
// fails.
func stubFetch(paths rundir.Paths) func(context.Context, router.Request) (fetchers.Result, error) {
	return func(ctx context.Context, req router.Request) (fetchers.Result, error) {
		root := cmp.Or(req.ArtifactRoot, filepath.Join(paths.AgentDir, "files"))
		if filepath.Base(root) == "refused" {
			return fetchers.Result{}, wire.Errorf(wire.CodeBadRequest, "artifact root %q: others may write to it", root)
		}
		res := fetchers.Result{ArtifactRoot: root}
		for _, asked := range req.URLs {
			u, err := url.Parse(asked)
			if err != nil {
				return res, err
			}
			req.Status(asked, fetchers.Stage{Name: fetchers.StageStarted, BudgetSecs: 60})
			o := fetchers.Outcome{URL: asked}
			switch label, _, _ := strings.Cut(u.Host, "."); label {
			case "ok":
				body, err := stubBody(filepath.Join(root, "page"+strings.ReplaceAll(strings.TrimSuffix(u.Path, "/"), "/", "-")), u.Path)
				if err != nil {
					return res, err
				}
				o.Document = &fetchers.Document{
					Kind: "stub.page", Source: "stub", URL: asked, Title: "Page " + u.Path, Facts: facts(req.Fetch),
					Bodies: []fetchers.Body{body},
				}
			case "slow":
				<-ctx.Done()
				return fetchers.Result{}, context.Cause(ctx)
			case "die":
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
			default:
				o.Attempts = append(o.Attempts, fetchers.Attempt{Source: "stub", Reason: "404 Not Found"})
			}
			res.Outcomes = append(res.Outcomes, o)
		}
		return res, nil
	}
}

// stubBody writes a file of three lines.
func stubBody(dir, title string) (fetchers.Body, error) {
	text := fmt.Sprintf("# %s\n\n%s\n", title, strings.Repeat("x", 55-len(title)))
	body := fetchers.Body{Name: "content.md", Path: filepath.Join(dir, "content.md"), Lines: 3, Bytes: int64(len(text))}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return body, err
	}
	return body, os.WriteFile(body.Path, []byte(text), 0o600)
}

// facts repeats what came along with the request.
func facts(req fetchers.Request) []string {
	var facts []string
	if req.Objective != "" {
		facts = append(facts, "objective "+req.Objective)
	}
	if req.Tree {
		facts = append(facts, "tree")
	}
	facts = append(facts, "session "+req.Session)
	for k, v := range req.Env {
		facts = append(facts, k+" "+v)
	}
	return facts
}

// stubBrowser opens its window where there is a display.
type stubBrowser struct{ daemontest.Browser }

func (b *stubBrowser) OpenWindow(ctx context.Context, url string, display map[string]string) (daemon.Window, error) {
	if display["DISPLAY"] == "" {
		return daemon.Window{}, wire.Errorf(wire.CodeNoDisplay, "no display for the login window")
	}
	return b.Browser.OpenWindow(ctx, url, display)
}
