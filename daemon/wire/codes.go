package wire

import "fmt"

// Code says what kind of failure an error event reports. docs/troubleshooting.md
// has a section of the same name for each.
type Code string

// The codes.
const (
	CodeBadRequest   Code = "bad_request"   // malformed line, missing or wrong field
	CodeLineTooLong  Code = "line_too_long" // the line was skipped
	CodeUnknownOp    Code = "unknown_op"
	CodeForbidden    Code = "forbidden" // the peer is another user
	CodeCancelled    Code = "cancelled"
	CodeShuttingDown Code = "shutting_down" // start a new daemon and repeat
	CodeBadSettings  Code = "bad_settings"
	CodeNoChrome     Code = "no_chrome"   // no Chrome or Chromium was found
	CodeInteractive  Code = "interactive" // the login window is open
	CodeProfileInUse Code = "profile_in_use"
	CodeNoDisplay    Code = "no_display"
	CodeFetchFailed  Code = "fetch_failed" // raw form: the page could not be had
	CodeBusy         Code = "busy"         // retire: requests are running; else: a limit of the daemon is reached
	CodeManaged      Code = "managed"      // retire: ask the service manager
	CodeDraining     Code = "draining"     // retire: already leaving
	CodeInternal     Code = "internal"
)

// Error is a request's failure, on both sides of the socket.
type Error struct {
	Code   Code
	Reason string
}

// Error is the reason alone; the code is for programs.
func (e *Error) Error() string { return e.Reason }

// Errorf returns an error with a formatted reason.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Reason: fmt.Sprintf(format, args...)}
}
