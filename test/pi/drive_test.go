// Package pi tests the modules of the pi package (clients/pi) with Node.js
// alone, against a daemon inside the test and against scripted ones. What needs
// pi itself is in test/e2e.
package pi

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pifetch/daemon/daemontest"
	"pifetch/daemon/rundir"
	"pifetch/test/need"
	"pifetch/test/npm"
)

// job is a function to call; see drive.mjs.
type job struct {
	Module   string  `json:"module"`
	Function string  `json:"function"`
	Args     []any   `json:"args"`
	AbortAt  *string `json:"abortAt,omitempty"`
}

// outcome is what came of it.
type outcome struct {
	Result   json.RawMessage
	Error    string
	Class    string
	Code     string
	Statuses []string
}

// drive runs a job in a process of its own, with env and nothing else as its environment.
func drive(t *testing.T, j job, env ...string) outcome {
	t.Helper()
	node, err := npm.Node22()
	need.Have(t, "npm", err)
	src := sources(t)
	request, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), daemontest.Guard)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "--disable-warning=ExperimentalWarning", "drive.mjs", src, string(request))
	cmd.Env = env
	cmd.Stderr = t.Output()
	stdout, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s of %s: %v", j.Function, j.Module, err)
	}
	var o outcome
	if err := json.Unmarshal(stdout, &o); err != nil {
		t.Fatalf("%v in %q", err, stdout)
	}
	return o
}

// sources is the folder of the modules. Each is read, because the test cache has
// to know what a test depends on.
func sources(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../clients/pi/src")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := filepath.Glob(dir + "/*.ts")
	if err != nil || len(modules) == 0 {
		t.Fatalf("no modules in %s: %v", dir, err)
	}
	for _, m := range modules {
		if _, err := os.ReadFile(m); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// value is the result of a job that must succeed.
func value[T any](t *testing.T, o outcome) T {
	t.Helper()
	if o.Error != "" {
		t.Fatalf("%s: %s", o.Class, o.Error)
	}
	var v T
	if o.Result != nil {
		if err := json.Unmarshal(o.Result, &v); err != nil {
			t.Fatalf("%v in %s", err, o.Result)
		}
	}
	return v
}

// config is the Config of daemon.ts.
type config struct {
	Paths    paths             `json:"paths"`
	Client   string            `json:"client"`
	Pifetchd string            `json:"pifetchd,omitempty"`
	Env      map[string]string `json:"env"`
	Silence  int               `json:"silenceMs,omitempty"`
}

type paths struct {
	AgentDir string `json:"agentDir"`
	Dir      string `json:"dir"`
	Sock     string `json:"sock"`
	Log      string `json:"log"`
}

func configOf(p rundir.Paths) config {
	return config{Paths: paths{p.AgentDir, p.Dir, p.Sock, p.Log}, Client: "pi/1.6.0", Env: map[string]string{}}
}

// options makes a job one whose function takes options.
func options(j job, abortAt string) job {
	j.AbortAt = &abortAt
	return j
}
