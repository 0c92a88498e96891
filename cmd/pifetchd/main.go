// Command pifetchd is the daemon of pifetch: it owns the user's Chrome profile
// and turns URLs into files for every client of its socket.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"pifetch/daemon"
	"pifetch/daemon/rundir"
	"pifetch/fetchers/local/read/pdf"
)

// version is stamped by the build.
var version = "devel"

const usage = `pifetchd turns URLs into files for coding agents. It is started by its clients
when they need it, and leaves when it has been idle.

usage:
  pifetchd [--idle DURATION]       serve until idle
  pifetchd --managed               the same for a service manager: log to the run folder
  pifetchd extract [--serve] [URL] read HTML on stdin, print its content as markdown
  pifetchd pdf-extract             the child process in which the daemon reads PDFs
  pifetchd --version

The socket, the locks and the log are in pifetchd/ of the agent directory
(PI_CODING_AGENT_DIR, or ~/.pi/agent).
`

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// options are those of the command line.
type options struct {
	idle             time.Duration
	managed, version bool
}

func (o *options) flags() *flag.FlagSet {
	flags := flag.NewFlagSet("pifetchd", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.DurationVar(&o.idle, "idle", 0, "leave after this `DURATION` without a request (0: webTools.fetch.idleMinutes)")
	flags.BoolVar(&o.managed, "managed", false, "a service manager starts the daemon; log to the run folder")
	flags.BoolVar(&o.version, "version", false, "print the version")
	return flags
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		switch args[0] {
		case "extract":
			return runExtract(args[1:], stdin, stdout, stderr)
		case "pdf-extract":
			return pdf.Main(args[1:], stdin, stdout, stderr)
		}
	}
	var o options
	flags := o.flags()
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return exitOK
	case err != nil:
		return usageError(stderr, err.Error())
	case flags.NArg() > 0:
		return usageError(stderr, fmt.Sprintf("unknown command %q", flags.Arg(0)))
	case o.idle < 0:
		return usageError(stderr, fmt.Sprintf("--idle %s: a time that is not negative is needed", o.idle))
	case o.version:
		fmt.Fprintln(stdout, "pifetchd", version)
		return exitOK
	}
	if err := serve(o.idle, o.managed, stderr); errors.Is(err, daemon.ErrRunning) {
		fmt.Fprintln(stderr, "pifetchd: a daemon is running")
		return exitOK // what was wanted is there
	} else if err != nil {
		return failed(stderr, err)
	}
	return exitOK
}

// usageError says what is wrong with the command line.
func usageError(stderr io.Writer, what string) int {
	fmt.Fprintf(stderr, "pifetchd: error: %s\npifetchd: hint: see pifetchd --help\n", what)
	return exitUsage
}

// failed reports err on one line: of the log, clients show the last line.
func failed(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "pifetchd: error:", strings.Join(strings.Fields(err.Error()), " "))
	return exitFailed
}

// serve runs the daemon until it is idle or told to leave. It logs to stderr,
// which is the log's file when a client starts it; a managed daemon opens that
// file itself.
func serve(idle time.Duration, managed bool, stderr io.Writer) error {
	manager, err := inherit()
	if err != nil {
		return err
	}
	agentDir, err := rundir.AgentDir()
	if err != nil {
		return err
	}
	paths, err := rundir.Locate(agentDir)
	if err != nil {
		return err
	}
	if managed {
		if err := paths.Prepare(); err != nil {
			return err
		}
		f, err := paths.OpenLog()
		if err != nil {
			return err
		}
		defer f.Close()
		stderr = f
	}
	log := slog.New(slog.NewJSONHandler(stderr, nil))
	if err := guardMemory(); err != nil {
		log.Warn("memory is not kept from core dumps", "err", err.Error())
	}
	// Whoever started the daemon may be gone and have left it a broken pipe to
	// log to: that must not end it. Ignored, the signal would be for Chrome too.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	defer signal.Stop(signals)
	return compose(context.Background(), origin{paths: paths, idle: idle, managed: managed, manager: manager}, signals, log)
}
