package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pifetch/daemon/rundir"
	"pifetch/daemon/wire"
	"pifetch/internal/termtext"
)

type doctorOptions struct {
	json bool
}

func newDoctor(a *app) *cobra.Command {
	var o doctorOptions
	cmd := &cobra.Command{
		Use:   "doctor [flags]",
		Short: "Check what pifetch needs, and say what to do",
		Long: `Check what pifetch needs, and say what to do: a line for each check, from the run
folder to the rate limits. It starts nothing, works when the daemon does not, and
names keys by where they come from. Exit code 1 when a check fails.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), a, o) },
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print the checks as one JSON object")
	return cmd
}

// A finding is the outcome of one check.
type finding struct {
	level level
	text  string
	next  string // the next step, when there is one
}

type level string

const (
	levelOK   level = "ok"
	levelWarn level = "warn" // works, with something to know
	levelFail level = "fail"
)

func ok(format string, args ...any) finding {
	return finding{level: levelOK, text: fmt.Sprintf(format, args...)}
}

func warn(next, format string, args ...any) finding {
	return finding{level: levelWarn, text: fmt.Sprintf(format, args...), next: next}
}

func fail(next, format string, args ...any) finding {
	return finding{level: levelFail, text: fmt.Sprintf(format, args...), next: next}
}

// A check is one line of the report.
type check struct {
	Name  string `json:"name"`
	Level level  `json:"level"`
	Text  string `json:"text"`
	Next  string `json:"next,omitempty"`
}

// report is what --json prints.
type report struct {
	Healthy bool    `json:"healthy"` // no check failed
	Checks  []check `json:"checks"`
}

func runDoctor(ctx context.Context, a *app, o doctorOptions) error {
	d := doctor{app: a}
	r := report{Healthy: true}
	for _, c := range []struct {
		name  string
		check func(context.Context) finding
	}{
		{"run folder", d.runFolder},
		{"daemon", d.daemon},
		{"locks", d.locks},
		{"versions", d.versions},
		{"Chrome", d.chrome},
		{"profile", d.profile},
		{"display", d.displayed},
		{"GitHub", d.gitHub},
		{"Parallel", d.parallel},
		{"proxy", d.proxy},
		{"disk", d.disk},
		{"open files", d.openFiles},
		{"limits", d.limits},
	} {
		f := c.check(ctx)
		done := check{c.name, f.level, termtext.Line(f.text), termtext.Line(f.next)}
		r.Checks = append(r.Checks, done)
		r.Healthy = r.Healthy && f.level != levelFail
		if o.json {
			continue
		}
		if err := printCheck(a, done); err != nil {
			return err
		}
	}
	if o.json {
		if err := printJSON(a.out, r); err != nil {
			return err
		}
	}
	if !r.Healthy {
		return errUnhealthy
	}
	return ctx.Err()
}

func printCheck(a *app, c check) error {
	text := c.Text
	if c.Next != "" {
		text += " — " + c.Next
	}
	padding := strings.Repeat(" ", len(levelWarn)-len(c.Level))
	_, err := fmt.Fprintf(a.out, "%s%s  %-10s  %s\n", paint(a.outColour, c.Level.colour(), string(c.Level)), padding, c.Name, text)
	return err
}

func (l level) colour() colour {
	switch l {
	case levelOK:
		return green
	case levelWarn:
		return yellow
	}
	return red
}

// doctor passes what one check found on to the later ones.
type doctor struct {
	app    *app
	paths  rundir.Paths
	status *wire.StatusResult // nil when no daemon answers

	// Of the Chrome that would be used; empty when there is none.
	product, version string
}
