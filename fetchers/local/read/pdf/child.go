package pdf

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"syscall"
	"time"
)

// The exit codes of a child.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitMemory = 3
)

const usage = `usage: pifetchd pdf-extract [--cache DIR] < FILE.pdf

It prints the text of a PDF as JSON lines. The daemon runs it.
`

// Main is the child process: it reads the PDF that is its standard input and
// writes records to stdout. It takes limits on itself and ends when its parent
// does, so it must be all that its process does.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("pifetchd pdf-extract", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage) }
	cache := flags.String("cache", "", "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	case flags.NArg() > 0:
		flags.Usage()
		return exitUsage
	}
	confine(maxMemory)
	if err := child(*cache, stdin, stdout); err != nil {
		fmt.Fprintln(stderr, "pifetchd: error:", err)
		return exitFailed
	}
	return exitOK
}

// confine limits this process to so much memory, and to the life of the one
// that started it.
func confine(memory int64) {
	limit := func(what int, n uint64) {
		_ = syscall.Setrlimit(what, &syscall.Rlimit{Cur: n, Max: n})
	}
	limit(syscall.RLIMIT_CPU, cpuSeconds)
	limit(syscall.RLIMIT_CORE, 0)
	debug.SetMemoryLimit(memory - memory/8) // collect rather than die
	parent := os.Getppid()
	go func() {
		for range time.Tick(watchEvery) {
			if resident() > memory {
				os.Exit(exitMemory)
			}
			if os.Getppid() != parent {
				os.Exit(exitFailed)
			}
		}
	}()
}

func child(cache string, stdin io.Reader, stdout io.Writer) error {
	e, err := startEngine(context.Background(), cache)
	if err != nil {
		return err
	}
	in, ok := stdin.(io.ReadSeeker)
	if !ok {
		return errors.New("standard input is not a file")
	}
	return extract(e, in, stdout, maxPages, maxBytes)
}

// extract writes the records of a PDF. Everything about the file itself, damage
// included, is a record; an error means that pdfium or stdout failed.
func extract(e *engine, in io.ReadSeeker, stdout io.Writer, maxPages, maxBytes int) error {
	size, err := in.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("size of the PDF: %w", err)
	}
	enc := json.NewEncoder(stdout)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(record{Ready: true}); err != nil {
		return err
	}
	open := func() (*document, error) {
		if size == 0 {
			return nil, errDamaged
		}
		return e.open(in, size)
	}
	d, err := open()
	if errors.Is(err, errEncrypted) || errors.Is(err, errDamaged) {
		return enc.Encode(record{Refused: err.Error(), End: true})
	} else if err != nil {
		return err
	}
	defer func() { d.drop() }()

	head, err := d.head()
	if err != nil || head.Pages == 0 {
		return enc.Encode(record{Refused: errDamaged.Error(), End: true})
	}
	if err := enc.Encode(head); err != nil {
		return err
	}
	outline := byPage(d.bookmarks())
	end := record{End: true}
	var w writer
	restarts, written := 0, 0
	for i := range head.Pages {
		if i == maxPages {
			end.Cut = "page limit"
			break
		}
		p := page{Number: i + 1}
		text, err := d.text(i)
		switch {
		case errors.Is(err, errPage):
			p.Broken = true
		case err != nil: // pdfium gave up, and is not to be used any more
			if restarts++; restarts > maxRestarts {
				end.Cut = "pdfium gave up"
				return enc.Encode(end)
			}
			d.drop()
			next, err := open()
			if err != nil {
				return fmt.Errorf("open the PDF again: %w", err)
			}
			d, p.Broken = next, true
		default:
			w.page(&p, text, outline[i])
		}
		if written += len(p.Text) + pageOverhead; written > maxBytes {
			end.Cut = "size limit"
			break
		}
		if err := enc.Encode(record{Page: &p}); err != nil {
			return err
		}
	}
	return enc.Encode(end)
}
