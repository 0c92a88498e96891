// Package service describes pifetchd to the user's service manager: as a
// systemd user service behind a socket, or as a launchd agent. It knows the
// files and the commands; who writes and runs them is the caller.
package service

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"pifetch/daemon/rundir"
)

// Spec is the daemon to be managed.
type Spec struct {
	Program string       // absolute path of pifetchd
	Paths   rundir.Paths // of the agent directory it serves
	Search  string       // its PATH, on which it finds git and gh
}

// Service is pifetchd as one service manager knows it.
type Service struct {
	Manager string // "systemd" or "launchd"
	Files   []File
	Links   []string // that the manager makes to the files, and removes when it can be reached
	Socket  bool     // the manager makes the socket, and a connection starts the daemon

	Reach   Command   // succeeds when the manager itself can be reached
	Start   []Command // after the files were written: clients reach it from now on
	Restart []Command
	Stop    []Command // before the files are removed or changed
	Forget  []Command // after they were removed
	Active  Command   // succeeds while clients can reach the daemon
}

// File is a file of the service manager.
type File struct{ Path, Text string }

// Command is a program with its arguments.
type Command struct {
	Args    []string
	MayFail bool // as where there is nothing to undo
}

func (c Command) String() string { return strings.Join(c.Args, " ") }

// check refuses what the files of service managers have no form for.
func (s Spec) check() error {
	for _, text := range []string{s.Program, s.Paths.AgentDir, s.Paths.Sock, s.Search} {
		if strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) {
			return fmt.Errorf("%q has control characters or is no UTF-8, which a service cannot have — use another path", text)
		}
	}
	return nil
}
