package patch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

const gitPrefix = "diff --git "

// emptyBlob is the object of an empty file.
const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

// section is one section of a diff, read line by line.
type section struct {
	oldPath, path    string // of a rename or copy; else ""
	created, deleted bool
	copied           bool
	modes            bool   // the mode changes
	edited           bool   // a rename or copy says that its content changes
	index            string // "83db48f..bf269f4 100644"
	marks            int    // "---" and "+++"
	binary           bool
	hunks            hunks
}

var errMalformed = errors.New("not what git diff writes there")

// take reads a line after the first, or the beginning of a long one, with its
// line end.
func (s *section) take(line []byte) error {
	switch {
	case s.binary:
		return nil // whatever it is, it is left out
	case s.marks == 2:
		if !s.hunks.take(line) {
			return errMalformed
		}
		return nil
	}
	return s.header(strings.TrimSuffix(string(line), "\n"))
}

func (s *section) header(line string) error {
	key, value := line, ""
	for _, k := range headerKeys {
		if rest, ok := strings.CutPrefix(line, k); ok {
			key, value = k, rest
			break
		}
	}
	if (s.marks == 1) != (key == "+++ ") {
		return errMalformed
	}
	switch key {
	case "old mode ", "new mode ":
		s.modes = true
	case "new file mode ":
		s.created = true
	case "deleted file mode ":
		s.deleted = true
	case "rename from ", "copy from ":
		s.oldPath, s.copied = unquote(value), key == "copy from "
	case "rename to ", "copy to ":
		s.path = unquote(value)
	case "similarity index ", "dissimilarity index ":
		s.edited = value != "100%"
	case "index ":
		s.index = value
	case "--- ", "+++ ":
		s.marks++
	case "Binary files ", "GIT binary patch":
		s.binary = true
	default:
		return errMalformed
	}
	return nil
}

var headerKeys = []string{
	"old mode ", "new mode ", "new file mode ", "deleted file mode ",
	"rename from ", "rename to ", "copy from ", "copy to ",
	"similarity index ", "dissimilarity index ", "index ", "--- ", "+++ ",
	"Binary files ", "GIT binary patch",
}

// end checks that nothing of the section is missing, as far as it can be told.
func (s *section) end() error {
	switch {
	case s.oldPath != "" && s.path == "", s.hunks.open():
	case s.binary, s.hunks.n > 0:
		return nil
	case s.marks > 0:
	case s.created || s.deleted:
		before, after, _ := strings.Cut(s.index, "..")
		blob := before
		if s.created {
			blob = after
		}
		if len(blob) >= 4 && strings.HasPrefix(emptyBlob, blob) {
			return nil
		}
	case s.index != "", s.edited:
	case s.modes, s.path != "":
		return nil
	}
	return fmt.Errorf("breaks off within a file: %w", io.ErrUnexpectedEOF)
}

// file is what is written or omitted as one: the section of a file, or the two
// of one that changes its type, say into a symbolic link. Git writes these as
// a deletion and a creation with the same first line.
type file struct {
	first     string // line, without its end
	again     bool   // the second section is under way
	wasBinary bool   // the section before it
	removed   int    // lines of the section before it
	section
	text bytes.Buffer
	room int64
	over bool // the text exceeds the room and was dropped
}

func newFile(first string, room int64) *file { return &file{first: first, room: room} }

// continues reports whether the section that begins with the given line
// belongs to the file, and turns to it if so. The section before is complete.
func (f *file) continues(first string) bool {
	if f.again || !f.deleted || first != f.first {
		return false
	}
	f.again, f.wasBinary, f.removed = true, f.binary, f.hunks.deleted
	f.section = section{}
	return true
}

// add keeps text while there is room for it.
func (f *file) add(text []byte) {
	if f.over = f.over || int64(f.text.Len()+len(text)) > f.room; f.over {
		f.text = bytes.Buffer{}
		return
	}
	f.text.Write(text)
}

// name is the file as a section of the result.
func (f *file) name() (Section, error) {
	s := Section{
		Path: f.path, OldPath: f.oldPath, Status: f.status(),
		Additions: f.hunks.added, Deletions: f.removed + f.hunks.deleted,
	}
	if s.Path != "" {
		return s, nil
	}
	var ok bool
	if s.Path, ok = samePath(f.first); !ok {
		return Section{}, fmt.Errorf("no name in %.200q", f.first)
	}
	return s, nil
}

func (f *file) status() string {
	switch {
	case f.again:
		return "changed"
	case f.created:
		return "added"
	case f.deleted:
		return "removed"
	case f.copied:
		return "copied"
	case f.oldPath != "":
		return "renamed"
	}
	return "modified"
}
