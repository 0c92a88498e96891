// Package pdf is responsible for the text of a PDF: page by page as markdown,
// with the document's own outline as headings.
//
// PDFs come from anywhere and pdfium is a large parser, so it runs as
// WebAssembly in a child process of its own: [Main] is that child, [Reader]
// runs it. What a file can break is one child, and what was read of it before
// stays.
package pdf

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"pifetch/internal/termtext"
)

// Content is what became of one PDF.
type Content struct {
	Title    string   // of the document's metadata, "" when there is no sensible one
	Facts    []string // "311 pages", then what is missing and why
	Markdown string   // "" when there is no text
}

// Reader reads PDFs in child processes. Its methods may be called
// concurrently; no more than two children run at once.
type Reader struct {
	// Command is the program that calls Main, and its first arguments. Empty
	// means this executable with the argument pdf-extract.
	Command []string

	// CacheDir is where compiled pdfium is kept, of about 21 MB. Empty means
	// pifetchd/pdfium in the user's cache directory.
	CacheDir string

	// Timeout is how long one document may take; 0 means a minute. No page may
	// take more than 12 s, the first with the opening of the document. Compiling pdfium, once per version, comes on top.
	Timeout time.Duration

	once  sync.Once
	slots chan struct{}
}

// The reasons why a child was ended.
var (
	errTime  = errors.New("time limit")
	errStart = errors.New("the reader did not start in time")
)

// Read returns the text of the PDF at path. A file without text, and one that
// is damaged, encrypted or too much, is no error: a fact says so. An error
// means that no child could be run, or that ctx ended.
func (r *Reader) Read(ctx context.Context, path string) (Content, error) {
	in, err := os.Open(path)
	if err != nil {
		return Content{}, err
	}
	defer in.Close()

	var t transcript
	err = r.run(ctx, in, t.add)
	if ctx.Err() != nil {
		return Content{}, context.Cause(ctx)
	}
	exit, died := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil && t.ended:
	case errors.Is(err, errTime):
		t.cut = errTime.Error()
	case died && exit.ExitCode() == exitMemory:
		t.cut = "memory limit"
	case died && exit.ExitCode() == exitFailed, err != nil && !died:
		return Content{}, fmt.Errorf("read PDF: %w", err)
	default:
		t.cut = "the reader crashed"
	}
	return t.content(), nil
}

// run runs one child and hands on its records. The child gets the file as its
// standard input, pipes for the rest, no environment, and nothing else of this
// process; it has ended when run returns.
func (r *Reader) run(ctx context.Context, in *os.File, each func(record)) error {
	r.once.Do(func() {
		r.slots = make(chan struct{}, maxChildren)
		// Go's own files are closed in children; what this process was started
		// with is not.
		for fd := 3; fd < maxInherited; fd++ {
			syscall.CloseOnExec(fd)
		}
	})
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}

	command, err := r.command()
	if err != nil {
		return err
	}
	if dir := r.cacheDir(); dir != "" {
		command = append(command, "--cache", dir)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = []string{}
	cmd.Dir = "/"
	cmd.Stdin = in
	var stderr tail
	cmd.Stderr = &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it can be ended as a whole
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = killWait
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_ = syscall.Setpriority(syscall.PRIO_PGRP, cmd.Process.Pid, niceness)

	// The clock runs from when pdfium does, and no page may take all of it.
	var deadline time.Time
	limit := errStart
	timer := time.AfterFunc(startTimeout, func() { cancel(limit) })
	defer timer.Stop()
	records := json.NewDecoder(io.LimitReader(stdout, maxRecords))
	for {
		var rec record
		if err := records.Decode(&rec); err != nil {
			break // the end, or no record of ours: how it exits tells
		}
		if (rec.Ready || rec.Page != nil) && timer.Stop() {
			if rec.Ready {
				limit, deadline = errTime, time.Now().Add(r.timeout())
			}
			timer.Reset(min(pageTimeout, time.Until(deadline)))
		}
		each(rec)
	}
	// Nobody reads any more: what it still writes ends it.
	stdout.Close()
	err = cmd.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && stderr.line() != "" {
		return fmt.Errorf("%w: %s", exit, stderr.line())
	}
	return err
}

func (r *Reader) command() ([]string, error) {
	if len(r.Command) > 0 {
		return append([]string{}, r.Command...), nil
	}
	if runtime.GOOS == "linux" {
		// It leads to the program that runs, even when another one has taken
		// its place on disk.
		return []string{"/proc/self/exe", "pdf-extract"}, nil
	}
	self, err := os.Executable()
	return []string{self, "pdf-extract"}, err
}

func (r *Reader) timeout() time.Duration {
	if r.Timeout > 0 {
		return r.Timeout
	}
	return defaultTimeout
}

// tail keeps the head of what a child says on standard error.
type tail struct{ buf bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	t.buf.Write(p[:min(len(p), maxStderr-t.buf.Len())])
	return len(p), nil
}

func (t *tail) line() string {
	first, _, _ := strings.Cut(strings.TrimSpace(t.buf.String()), "\n")
	return termtext.Line(first)
}
