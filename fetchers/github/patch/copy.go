package patch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readFactor bounds how much of a diff is read: so many times what may be
// written of it. Beyond that it is read to the end of a section that is written.
const readFactor = 64

// Copy writes a diff as git diff writes it and GitHub serves it (.diff, or the
// media type application/vnd.github.diff) to w, byte for byte but for the files
// that are omitted: binary ones, which git apply does not take from such a
// diff, and those over the limits. It holds one file in memory at most.
//
// What is no diff, breaks off or cannot be read is an error, and then nothing
// that was written counts. An empty diff has no sections.
func Copy(w io.Writer, r io.Reader, l Limits) (Result, error) {
	c := copier{in: bufio.NewReaderSize(r, 64<<10), out: newOutput(w, l)}
	if err := c.run(); err != nil {
		return Result{}, err
	}
	return c.out.close()
}

type copier struct {
	in   *bufio.Reader
	out  *output
	file *file // under way; nil before the first
	read int64
	line int // of the diff, from 1
}

func (c *copier) run() error {
	bound := readFactor * c.out.limits.Bytes
	within := false // a long line, of which the beginning was read
	for {
		part, err := c.in.ReadSlice('\n')
		c.read += int64(len(part))
		if !within {
			c.line++
		}
		full := errors.Is(err, bufio.ErrBufferFull)
		switch {
		case errors.Is(err, io.EOF) && len(part) == 0 && !within:
			return c.end()
		case errors.Is(err, io.EOF):
			return c.fault(fmt.Errorf("breaks off within a line: %w", io.ErrUnexpectedEOF))
		case err != nil && !full:
			return fmt.Errorf("read the diff: %w", err)
		}
		begins := !within && bytes.HasPrefix(part, []byte(gitPrefix)) && (c.file == nil || !c.file.hunks.open())
		if c.read > bound && c.file != nil && (begins || c.file.over && (c.file.marks == 2 || c.file.binary)) {
			return c.stop(begins, bound)
		}
		if err := c.take(part, begins, within, full); err != nil {
			return err
		}
		within = full
	}
}

// take reads a line or a part of a long one: begins tells that it is the first
// of a section, within that the line began before, more that it goes on.
func (c *copier) take(part []byte, begins, within, more bool) error {
	switch {
	case begins && more:
		return c.fault(errMalformed)
	case begins:
		if err := c.begin(strings.TrimSuffix(string(part), "\n")); err != nil {
			return err
		}
	case c.file == nil:
		return c.fault(fmt.Errorf("not a diff: it begins with %.40q", part))
	case !within:
		if err := c.file.take(part); err != nil {
			return c.fault(err)
		}
		if more && c.file.hunks.n == 0 && !c.file.binary {
			return c.fault(errMalformed)
		}
	}
	c.file.add(part)
	return nil
}

// begin turns to the section with the given first line.
func (c *copier) begin(first string) error {
	if c.file != nil {
		if err := c.file.end(); err != nil {
			return c.fault(err)
		}
		if c.file.continues(first) {
			return nil
		}
		if err := c.flush(); err != nil {
			return err
		}
	}
	c.file = newFile(first, c.out.room())
	return nil
}

// end is the end of the diff.
func (c *copier) end() error {
	if c.file == nil {
		return nil
	}
	if err := c.file.end(); err != nil {
		return c.fault(err)
	}
	return c.flush()
}

// stop leaves the rest of the diff unread: at the beginning of a section, or
// within one there is no room for.
func (c *copier) stop(begins bool, bound int64) error {
	c.out.read = bound
	if begins {
		return c.end()
	}
	return c.flush()
}

// flush writes or omits the file that was read.
func (c *copier) flush() error {
	s, err := c.file.name()
	switch {
	case err != nil:
		return c.fault(err)
	case c.file.wasBinary || c.file.binary:
		return c.out.omit(s, isBinary)
	case c.file.over:
		return c.out.omit(s, c.out.full())
	}
	return c.out.section(s, c.file.text.Bytes())
}

func (c *copier) fault(err error) error { return fmt.Errorf("diff, line %d: %w", c.line, err) }
