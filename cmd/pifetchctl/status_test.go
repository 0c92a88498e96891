package main

import (
	"errors"
	"io"
	"strings"
	"testing"

	"pifetch/daemon/wire"
)

func TestPrintStatusFails(t *testing.T) {
	r, w := io.Pipe()
	r.Close()
	if err := printStatus(w, &wire.StatusResult{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v, want %v", err, io.ErrClosedPipe)
	}
}

func TestPrintStatus(t *testing.T) {
	for name, s := range map[string]wire.StatusResult{
		"idle": {
			Version: "v1.2.0", PID: 4711, State: wire.StateServing, UptimeSecs: 200, IdleSecs: 61,
			Browser: wire.BrowserStatus{Tabs: 6}, Fetchers: []string{"github", "parallel", "local"},
		},
		"busy": {
			Version: "v1.2.0", PID: 4711, Managed: true, State: wire.StateDraining, UptimeSecs: 7200,
			Requests: []wire.RequestInfo{
				{Op: wire.OpFetch, Client: "pifetchctl/v1.2.0", URLs: 8, AgeSecs: 3},
				{Op: wire.OpFetch, Client: "pi", Session: "0199-a\n", URLs: 1, AgeSecs: 2},
				{Op: wire.OpStatus, Client: "evil\x1b]0;\n", AgeSecs: 0},
			},
			Browser: wire.BrowserStatus{
				Running: true, PID: 4712, Version: "156.0.8078.114", Tabs: 6, Busy: 6, Queued: 2,
				Interactive: &wire.Interactive{PID: 4713, URL: "https://sso.example/", AgeSecs: 42},
			},
			Fetchers: []string{"local"},
		},
		"headed": {
			Version: "v1.2.0", PID: 4711, State: wire.StateServing, UptimeSecs: 7,
			Browser:  wire.BrowserStatus{Running: true, PID: 4712, Version: "156.0.8078.114", Headed: true, Tabs: 6, Busy: 1, Queued: 1},
			Fetchers: []string{"local"},
		},
		"limits": {
			Version: "v1.2.0", PID: 4711, State: wire.StateServing, UptimeSecs: 7,
			Browser: wire.BrowserStatus{Tabs: 6}, Fetchers: []string{"github", "local"},
			Limits: []wire.Limit{
				{Source: "github", Key: "GH_TOKEN", Resource: "core", Limit: 5000, Remaining: 4711, ResetSecs: 1800},
				{Source: "github", Key: "anonymous", Resource: "search", Limit: 10, ResetSecs: 42, BlockedSecs: 42},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			if err := printStatus(&out, &s); err != nil {
				t.Fatal(err)
			}
			golden(t, "status/"+name+".txt", out.String())
		})
	}
}
