package patch

import (
	"bytes"
	"regexp"
	"strconv"
)

// hunks follows the hunks of a file line by line. It counts, because what a
// line means depends on it: a removed line may look like any header.
type hunks struct {
	n                       int // hunks begun
	oldLeft, newLeft        int // lines the last hunk still has
	changed                 bool
	last                    byte // what the line before this began with
	oldStart, newStart      int  // of the last hunk
	added, deleted, context int  // lines
	trailing                int  // lines of context at the end
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

const noNewline = `\ No newline at end of file`

// open reports whether the last hunk is not at its end.
func (h *hunks) open() bool { return h.oldLeft > 0 || h.newLeft > 0 }

// take reads a line, or the beginning of a long one, with its line end. It
// reports whether the line belongs there.
func (h *hunks) take(line []byte) bool {
	if !h.open() && bytes.HasPrefix(line, []byte("@@ ")) {
		return h.begin(line)
	}
	kind := line[0]
	if kind == '\n' { // an empty line of context, as git apply allows it
		kind = ' '
	}
	if kind == '\\' {
		ok := (h.last == ' ' || h.last == '-' || h.last == '+') && bytes.HasPrefix(line, []byte(noNewline))
		h.last = kind
		return ok
	}
	if !h.open() {
		return false
	}
	h.trailing++
	switch kind {
	case ' ':
		h.oldLeft--
		h.newLeft--
		h.context++
	case '-':
		h.oldLeft--
		h.deleted++
	case '+':
		h.newLeft--
		h.added++
	default:
		return false
	}
	if kind != ' ' {
		h.changed, h.trailing = true, 0
	}
	h.last = kind
	return h.oldLeft >= 0 && h.newLeft >= 0 && (h.open() || h.changed)
}

// begin reads the header of a hunk.
func (h *hunks) begin(line []byte) bool {
	m := hunkHeader.FindSubmatch(line)
	if m == nil {
		return false
	}
	valid := true
	number := func(s []byte) int {
		if len(s) == 0 {
			return 1
		}
		n, err := strconv.ParseInt(string(s), 10, 32)
		valid = valid && err == nil
		return int(n)
	}
	h.n++
	h.oldStart, h.oldLeft = number(m[1]), number(m[2])
	h.newStart, h.newLeft = number(m[3]), number(m[4])
	h.changed, h.trailing, h.last = false, 0, '@'
	return valid && h.open()
}
