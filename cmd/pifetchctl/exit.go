package main

import (
	"errors"

	"pifetch/daemon/client"
)

// The exit codes. Scripts rely on them.
const (
	exitOK         = 0 // every URL was delivered
	exitFailed     = 1 // every URL failed, or the request did
	exitUsage      = 2 // the command line is wrong
	exitSomeFailed = 3 // some URLs failed
	exitNoDaemon   = 4 // there is no daemon, and none could be started
)

// Errors that the output on stdout has explained already.
var (
	errAllFailed  = errors.New("every URL failed")
	errSomeFailed = errors.New("some URLs failed")
	errUnclaimed  = errors.New("no fetcher claims the URL")
	errUnhealthy  = errors.New("a check failed")
)

// usageError is a wrong command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func exitCode(err error) int {
	_, usage := errors.AsType[usageError](err)
	_, start := errors.AsType[*client.StartError](err)
	switch {
	case err == nil:
		return exitOK
	case usage:
		return exitUsage
	case errors.Is(err, errSomeFailed):
		return exitSomeFailed
	case start, errors.Is(err, client.ErrNoDaemon):
		return exitNoDaemon
	default:
		return exitFailed
	}
}
