package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pifetch/daemon/client"
	"pifetch/daemon/wire"
	"pifetch/internal/termtext"
)

type statusOptions struct {
	json bool
}

func newStatus(a *app) *cobra.Command {
	var o statusOptions
	cmd := &cobra.Command{
		Use:   "status [flags]",
		Short: "Show what pifetchd and its browser are doing",
		Long:  `Show what pifetchd and its browser are doing. A daemon that is not running is not started: exit code 4.`,
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return runStatus(cmd.Context(), a, o) },
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print the status as one JSON object")
	return cmd
}

func runStatus(ctx context.Context, a *app, o statusOptions) error {
	s, err := a.status(ctx)
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(a.out, s)
	}
	for _, w := range s.Warnings {
		a.saySo(yellow, "warning:", "%s", w)
	}
	return printStatus(a.out, s)
}

// answerTimeout is how long a daemon may take for what it answers at once.
const answerTimeout = 5 * time.Second

// status asks a running daemon; it starts none.
func (a *app) status(ctx context.Context) (*wire.StatusResult, error) {
	cfg, err := a.config()
	if err != nil {
		return nil, err
	}
	cfg.NoSpawn = true
	cfg.Hello, cfg.Silence = answerTimeout, answerTimeout
	c, err := client.Dial(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.Status(ctx)
}

func printStatus(w io.Writer, s *wire.StatusResult) error {
	var text strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "%-9s %s\n", name, termtext.Line(fmt.Sprintf(format, args...)))
	}
	managed := ""
	if s.Managed {
		managed = ", started by the service manager"
	}
	line("daemon", "pifetchd %s, pid %d, %s for %s%s", s.Version, s.PID, s.State, seconds(s.UptimeSecs), managed)
	if len(s.Requests) == 0 {
		line("requests", "none for %s", seconds(s.IdleSecs))
	}
	for _, r := range s.Requests {
		what := r.Op
		if r.URLs > 0 {
			what = fmt.Sprintf("%s of %s", r.Op, urls(r.URLs))
		}
		session := ""
		if r.Session != "" {
			session = ", session " + r.Session
		}
		line("request", "%s from %s for %s%s", what, r.Client, seconds(r.AgeSecs), session)
	}
	switch b := s.Browser; {
	case b.Running:
		headed := ""
		if b.Headed {
			headed = ", headed for a challenge"
		}
		line("browser", "version %s, pid %d%s, %d of %d tabs busy, %s queued", b.Version, b.PID, headed, b.Busy, b.Tabs, urls(b.Queued))
	default:
		line("browser", "not running")
	}
	if i := s.Browser.Interactive; i != nil {
		line("window", "open for %s, pid %d %s", seconds(i.AgeSecs), i.PID, i.URL)
	}
	line("fetchers", "%s", strings.Join(s.Fetchers, ", "))
	for _, l := range s.Limits {
		left := fmt.Sprintf("%s of %s left, renewed in %s", termtext.Count(l.Remaining), termtext.Count(l.Limit), seconds(l.ResetSecs))
		if l.BlockedSecs > 0 {
			left += fmt.Sprintf(", not asked for %s", seconds(l.BlockedSecs))
		}
		line("limit", "%s %s (%s): %s", l.Source, l.Resource, l.Key, left)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func urls(n int) string {
	if n == 1 {
		return "1 URL"
	}
	return fmt.Sprintf("%d URLs", n)
}

func seconds(n int64) time.Duration { return time.Duration(n) * time.Second }
