package client

import (
	"os"
	"time"

	"pifetch/daemon/rundir"
)

// Config says which daemon to talk to and how to start it. Zero durations
// stand for their defaults.
type Config struct {
	Paths   rundir.Paths
	Name    string            // of the client, for hello: "pifetchctl/1.2.0"
	Version string            // of the client: an idle daemon of an earlier release is replaced; "": never
	NoSpawn bool              // never start a daemon, as with PIFETCHD_AUTOSTART=0
	Daemon  string            // path of pifetchd; "": beside the own executable, then on PATH
	Display map[string]string // for requests that have none: DISPLAY and its kind
	Environ []string          // the own environment; nil: os.Environ()

	Start   time.Duration // 30 s: how long a new daemon may take to answer
	Leave   time.Duration // 60 s: how long a daemon that is leaving may take
	Hello   time.Duration // 10 s: how long a daemon may take to answer hello
	Silence time.Duration // 20 s: after so long without a sign of life the daemon hangs
	Write   time.Duration // 10 s: how long a daemon may take to take a request
}

func (c Config) withDefaults() Config {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{
		{&c.Start, 30 * time.Second},
		{&c.Leave, time.Minute},
		{&c.Hello, 10 * time.Second},
		{&c.Silence, 20 * time.Second},
		{&c.Write, 10 * time.Second},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if c.Environ == nil {
		c.Environ = os.Environ()
	}
	return c
}

// The pause between two attempts to reach a daemon that is starting or leaving.
const (
	minPause = 5 * time.Millisecond
	maxPause = 250 * time.Millisecond
)
