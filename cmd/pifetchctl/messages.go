package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"pifetch/daemon/client"
	"pifetch/daemon/wire"
	"pifetch/internal/termtext"
)

// report tells a person what went wrong and what to do next.
func (a *app) report(err error) {
	switch {
	case err == nil, errors.Is(err, errAllFailed), errors.Is(err, errSomeFailed), errors.Is(err, errUnclaimed), errors.Is(err, errUnhealthy):
		return
	}
	a.saySo(red, "error:", "%s", err)
	if h := hint(err); h != "" {
		a.saySo(yellow, "hint:", "%s", h)
	}
}

// say prints one line of its own, whatever the arguments hold.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.err, "pifetchctl: "+termtext.Line(fmt.Sprintf(format, args...)))
}

// saySo is say with a coloured word in front.
func (a *app) saySo(c colour, word, format string, args ...any) {
	fmt.Fprintln(a.err, "pifetchctl: "+paint(a.errColour, c, word)+" "+termtext.Line(fmt.Sprintf(format, args...)))
}

// hint is the next step after err.
func hint(err error) string {
	if h, ok := errors.AsType[hintedError](err); ok {
		return h.hint
	}
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return codeHints[e.Code]
	}
	_, start := errors.AsType[*client.StartError](err)
	switch {
	case errors.Is(err, client.ErrNoDaemon):
		return "pifetchctl fetch starts it, unless --no-spawn is given"
	case errors.Is(err, fs.ErrPermission):
		return "use a folder of your own: look at PI_CODING_AGENT_DIR"
	case start:
		return "pifetchctl doctor"
	}
	return ""
}

// codeHints are the next steps after an error of the daemon. A code without an
// entry has a reason that says it all.
var codeHints = map[wire.Code]string{
	wire.CodeForbidden:    "the socket belongs to another user's daemon; look at PI_CODING_AGENT_DIR",
	wire.CodeShuttingDown: "pifetchd is leaving; run the command again",
	wire.CodeBadSettings:  "correct settings.json in the agent directory; it is read again at once",
	wire.CodeNoChrome:     "install Google Chrome or Chromium, or set webTools.fetch.browser.executablePath",
	wire.CodeInteractive:  "quit Chrome to resume fetching, or run: pifetchctl close-browser",
	wire.CodeProfileInUse: "quit the Chrome that uses the profile, then run: pifetchctl doctor",
	wire.CodeUnknownOp:    "pifetchd is older than pifetchctl; run: pifetchctl stop",
	wire.CodeInternal:     "look at the end of pifetchd.log in the run folder (pifetchctl doctor names it)",
}

// hintedError is an error with a next step that its place knows best.
type hintedError struct {
	error
	hint string
}

func (e hintedError) Unwrap() error { return e.error }

// shellQuote quotes a URL so that it can be pasted into any POSIX shell.
func shellQuote(url string) string {
	return "'" + strings.ReplaceAll(url, "'", "%27") + "'"
}
