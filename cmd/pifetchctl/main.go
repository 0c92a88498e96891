// Command pifetchctl fetches URLs into files, through pifetchd, which it starts
// when it is not running. docs/cli.md describes it.
package main

import (
	"context"
	"errors"
	"io"
)

// version is set by the linker.
var version = devel

// devel is the version of a build that has none.
const devel = "devel"

// app is what all commands share.
type app struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string

	size        func() (columns, rows int) // of the terminal that err is; nil when it is none
	outTerminal bool                       // out is a terminal

	outColour, errColour bool // out and err may be coloured

	noSpawn bool
	started bool // the arguments were right and a command runs
}

// run executes one command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := newRoot(a)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !a.started {
		err = usageError{err}
	}
	if usage, ok := errors.AsType[usageError](err); ok {
		err = hintedError{usage, cmd.CommandPath() + " --help"}
	}
	a.report(err)
	return exitCode(err)
}
