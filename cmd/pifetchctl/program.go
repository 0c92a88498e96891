//go:build !docs

package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv}
	if fd := int(os.Stderr.Fd()); term.IsTerminal(fd) && os.Getenv("TERM") != "dumb" {
		a.size = func() (int, int) {
			columns, rows, _ := term.GetSize(fd)
			return columns, rows
		}
	}
	a.outTerminal = term.IsTerminal(int(os.Stdout.Fd()))
	a.outColour = a.outTerminal && a.coloured()
	a.errColour = term.IsTerminal(int(os.Stderr.Fd())) && a.coloured()
	os.Exit(a.run(ctx, os.Args[1:]))
}
