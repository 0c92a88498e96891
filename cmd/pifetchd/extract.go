package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"pifetch/fetchers/local/extract"
)

const extractUsage = `pifetchd extract reads HTML on stdin and prints its content as markdown, the way
a page becomes content.md. It uses neither the daemon nor the network.

usage:
  pifetchd extract [URL]     one page; URL is what its links are relative to
  pifetchd extract --serve   a JSON object {"url","html"} a line in, {"markdown","error"} a line out
`

func runExtract(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("pifetchd extract", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	serve := flags.Bool("serve", false, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, extractUsage)
		return exitOK
	case err != nil:
		return usageError(stderr, err.Error())
	case *serve && flags.NArg() > 0:
		return usageError(stderr, "extract --serve takes no URL: each line has its own")
	case flags.NArg() > 1:
		return usageError(stderr, "extract takes one URL")
	}
	var err error
	if *serve {
		err = extract.Serve(stdin, stdout)
	} else {
		err = extract.Page(stdin, stdout, flags.Arg(0))
	}
	if err != nil {
		return failed(stderr, err)
	}
	return exitOK
}
