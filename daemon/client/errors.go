package client

import (
	"errors"
	"fmt"
)

// ErrNoDaemon reports that no daemon runs, and that none was to be started.
var ErrNoDaemon = errors.New("pifetchd is not running")

// ErrSilent is wrapped by the error of a daemon that accepts connections and
// gives no sign of life. Its text names the process and what to do.
var ErrSilent = errors.New("pifetchd does not answer")

// silentError is what ErrSilent looks like.
type silentError struct {
	pid     int
	managed bool // a service manager has it; pid may be the manager's
}

func (e *silentError) Error() string {
	if e.managed {
		return "pifetchd hangs: it gives no sign of life — restart it with: pifetchctl service restart"
	}
	return fmt.Sprintf("pifetchd (pid %d) hangs: it gives no sign of life — end it with: kill -9 %d", e.pid, e.pid)
}

func (e *silentError) Is(target error) bool { return target == ErrSilent }

// StartError is a daemon that could not be started.
type StartError struct {
	Reason string // what went wrong, and what to do where that is known
	Log    string // the last line of the daemon's output, if there is any
	Path   string // the log
}

func (e *StartError) Error() string {
	s := "start pifetchd: " + e.Reason
	if e.Log != "" {
		s += ": " + e.Log
	}
	if e.Path != "" {
		s += " (log: " + e.Path + ")"
	}
	return s
}

// LostError is a connection that broke after the daemon had begun to serve the
// request: what became of it is not known.
type LostError struct{ Err error }

func (e *LostError) Error() string {
	return fmt.Sprintf("the connection to pifetchd was lost: %v", e.Err)
}

func (e *LostError) Unwrap() error { return e.Err }
