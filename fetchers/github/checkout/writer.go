package checkout

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
)

// writer puts files into a root until a limit is reached. It lists everything
// it is told of.
type writer struct {
	root   *os.Root
	limits Limits
	names  *names
	bytes  int64
	result Result
}

func newWriter(root *os.Root, l Limits) *writer {
	return &writer{root: root, limits: l, names: newNames()}
}

// full reports whether a further entry is only counted.
func (w *writer) full() bool { return len(w.result.Entries) >= w.limits.Files }

// file writes the size bytes of r. A file that does not fit is listed as
// omitted, and the next may fit.
func (w *writer) file(name string, size int64, executable bool, r io.Reader) error {
	e := Entry{Path: name, Size: size, Executable: executable}
	switch {
	case w.full():
		w.result.More++
		return nil
	case size > w.limits.Bytes-w.bytes:
		e.Omitted, e.Capped = w.limits.bytesReason(), true
		w.list(e)
		return nil
	}
	e.File = w.names.file(name)
	if err := w.write(e.File, size, r); err != nil {
		return err
	}
	w.bytes += size
	w.list(e)
	return nil
}

func (w *writer) write(name string, size int64, r io.Reader) (err error) {
	if err := w.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return fmt.Errorf("make the folder of %s: %w", name, err)
	}
	f, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := io.CopyN(f, r, size); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// omit lists an entry that is no file.
func (w *writer) omit(name, reason string) { w.list(Entry{Path: name, Omitted: reason}) }

// missing lists a file that could not be had for a limit.
func (w *writer) missing(name, reason string) {
	w.list(Entry{Path: name, Omitted: reason, Capped: true})
}

func (w *writer) list(e Entry) {
	if w.full() {
		w.result.More++
		return
	}
	w.result.Entries = append(w.result.Entries, e)
}
