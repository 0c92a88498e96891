package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"pifetch/internal/termtext"
)

type logsOptions struct {
	follow bool
	lines  int
}

func newLogs(a *app) *cobra.Command {
	var o logsOptions
	cmd := &cobra.Command{
		Use:   "logs [flags]",
		Short: "Print the end of pifetchd's log",
		Long: `Print the end of pifetchd's log, one JSON object a line. What hinders a service
manager from starting pifetchd is in its own log: journalctl --user -u pifetchd.`,
		Example: `  pifetchctl logs --follow
  pifetchctl logs --lines 1000 | grep '"level":"WARN"'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.lines < 0 {
				return usageError{errors.New("--lines: must not be negative")}
			}
			return runLogs(cmd.Context(), a, o)
		},
	}
	cmd.Flags().BoolVarP(&o.follow, "follow", "f", false, "go on with what is written from now on, until interrupted")
	cmd.Flags().IntVarP(&o.lines, "lines", "n", 100, "begin with the last `N` lines")
	return cmd
}

// maxTail is how many bytes from the end the last lines are looked for in.
const maxTail = 4 << 20

// followEvery is the pause between two looks at a log that is followed.
const followEvery = 250 * time.Millisecond

func runLogs(ctx context.Context, a *app, o logsOptions) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	path := cfg.Paths.Log
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return hintedError{fmt.Errorf("there is no log %s", path), "a fetch that starts pifetchd makes it; what systemd could not start says why in: journalctl --user -u pifetchd"}
	}
	if err != nil {
		return err
	}
	l := &logReader{app: a, file: f}
	defer func() { l.file.Close() }()
	if err := l.tail(o.lines); err != nil || !o.follow {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil // the end that was meant
		case <-time.After(followEvery):
		}
		if err := l.next(path); err != nil {
			return err
		}
	}
}

// logReader prints the lines of a log that grows.
type logReader struct {
	app  *app
	file *os.File
	rest []byte // of a line that is not complete yet
}

// tail prints the last n lines.
func (l *logReader) tail(n int) error {
	end, err := l.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	start := max(0, end-maxTail)
	if _, err := l.file.Seek(start, io.SeekStart); err != nil {
		return err
	}
	text, err := io.ReadAll(l.file)
	if err != nil {
		return err
	}
	if start > 0 {
		_, text, _ = bytes.Cut(text, []byte("\n")) // a part of a line
	}
	complete := text[:bytes.LastIndexByte(text, '\n')+1]
	l.rest = bytes.Clone(text[len(complete):])
	lines := bytes.SplitAfter(complete, []byte("\n"))
	lines = lines[:len(lines)-1] // what follows the last line break
	return l.print(bytes.Join(lines[max(0, len(lines)-n):], nil))
}

// next prints the lines that were added, and goes on in a new log when the old
// one was set aside, or at the begin of one that was emptied.
func (l *logReader) next(path string) error {
	// Asked for before the old log is read: nothing is added to it afterwards.
	now, statErr := os.Stat(path)
	current, err := l.file.Stat()
	if err != nil {
		return err
	}
	offset, err := l.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if current.Size() < offset {
		if _, err := l.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		l.rest = nil
	}
	text, err := io.ReadAll(l.file)
	if err != nil {
		return err
	}
	text = append(l.rest, text...)
	complete := text[:bytes.LastIndexByte(text, '\n')+1]
	l.rest = bytes.Clone(text[len(complete):])
	if err := l.print(complete); err != nil {
		return err
	}
	if statErr != nil || os.SameFile(now, current) {
		return nil // a log that is missing comes back
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	l.file.Close()
	rest := l.rest
	l.file, l.rest = f, nil
	if len(rest) == 0 {
		return nil
	}
	return l.print(append(rest, '\n')) // of a daemon that was killed
}

// print prints complete lines.
func (l *logReader) print(lines []byte) error {
	if l.app.outTerminal {
		lines = []byte(termtext.Text(string(lines)))
	}
	_, err := l.app.out.Write(lines)
	return err
}
