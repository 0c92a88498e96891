package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/internal/termtext"
)

// printBodies prints the main body of every document, in order, and the failed
// URLs to stderr. An agent gets the paths instead: content stays out of what it
// reads of a command.
func printBodies(a *app, res *wire.FetchResult) error {
	if _, failed := splitDigest(res.Digest); failed != "" {
		fmt.Fprintln(a.err, failedHeading+failed)
	}
	for _, o := range res.Outcomes {
		if o.Document == nil {
			continue
		}
		body, ok := mainBody(*o.Document)
		if !ok {
			a.say("%s has no file", o.URL)
			continue
		}
		if a.agent() {
			if _, err := fmt.Fprintln(a.out, termtext.Exact(body.Path)); err != nil {
				return err
			}
			continue
		}
		if err := printBody(a, body); err != nil {
			return err
		}
	}
	return nil
}

// mainBody is the body to read first: the text made of a document, else its
// first file.
func mainBody(d fetchers.Document) (fetchers.Body, bool) {
	for _, name := range []string{"content.md", "conversation.md"} {
		for _, b := range d.Bodies {
			if b.Name == name {
				return b, true
			}
		}
	}
	if len(d.Bodies) == 0 {
		return fetchers.Body{}, false
	}
	return d.Bodies[0], true
}

// printBody prints the bytes of a body as they are, except on a terminal: there
// nothing may drive it, and binary files are only named.
func printBody(a *app, b fetchers.Body) error {
	if a.outTerminal && b.Lines == 0 && b.Bytes > 0 {
		a.say("%s is binary (%s) and not for a terminal: it is %s", b.Name, termtext.Bytes(b.Bytes), termtext.Exact(b.Path))
		return nil
	}
	f, err := os.Open(b.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	if !a.outTerminal {
		_, err = io.Copy(a.out, f)
		return err
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, strings.TrimRight(termtext.Text(string(text)), "\n"))
	return err
}
