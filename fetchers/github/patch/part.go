package patch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Part is what a written patch holds of one file.
type Part struct {
	Line  int      // of its first line in the patch
	Lines []string // without their ends

	before, after map[int]int // index in Lines by the number of the file's line
}

// ReadPart reads the part of the file whose Section has the given line and was
// not omitted.
func ReadPart(patch io.Reader, line int) (Part, error) {
	p := Part{Line: line, before: map[int]int{}, after: map[int]int{}}
	in := bufio.NewReader(patch)
	var h hunks
	var old, now int // the lines before and after the change that come next
	for n := 1; ; n++ {
		text, err := in.ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return Part{}, fmt.Errorf("read the patch: %w", err)
		}
		if text == "" {
			return p, nil
		}
		if n < line {
			continue
		}
		outside := !h.open()
		if outside && n > line && p.ends(text) {
			return p, nil
		}
		at := len(p.Lines)
		p.Lines = append(p.Lines, strings.TrimSuffix(text, "\n"))
		switch {
		case outside && strings.HasPrefix(text, gitPrefix):
			h = hunks{}
		case outside && !strings.HasPrefix(text, "@@ "), !h.take([]byte(text)):
		case h.last == '@':
			old, now = h.oldStart, h.newStart
		default:
			if h.last == ' ' || h.last == '-' {
				p.before[old] = at
				old++
			}
			if h.last == ' ' || h.last == '+' {
				p.after[now] = at
				now++
			}
		}
	}
}

// ends reports whether text begins what follows the part: another file, or a
// comment. A file that changes its type has two sections with one first line.
func (p Part) ends(text string) bool {
	if strings.HasPrefix(text, "# ") {
		return true
	}
	return strings.HasPrefix(text, gitPrefix) && strings.TrimSuffix(text, "\n") != p.Lines[0]
}

// Find is the index in Lines of a line of the file, counted from 1, as it is
// after the change, or as it was before. It reports false for a line that the
// patch does not show.
func (p Part) Find(line int, before bool) (index int, ok bool) {
	if before {
		index, ok = p.before[line]
	} else {
		index, ok = p.after[line]
	}
	return index, ok
}
