// Package checkout turns a part of a repository at one commit into files. It
// takes the bytes out of an archive or out of git's object database and writes
// them itself, so that nothing a repository holds is ever run, followed or
// written outside of its folder: no hooks, no filters, no links, no
// submodules, and no file can be executed.
package checkout

import (
	"errors"

	"pifetch/internal/termtext"
)

// Limits are the most that is written.
type Limits struct {
	Bytes int64
	Files int
}

// DefaultLimits are those of a repository subtree.
var DefaultLimits = Limits{Bytes: 100 << 20, Files: 10_000}

func (l Limits) bytesReason() string { return "over the cap of " + termtext.Bytes(l.Bytes) }

// Entry is one path of the part that was asked for.
type Entry struct {
	Path       string // as the repository has it, below the part's folder
	File       string // as it was written, below the root; "" when it was not
	Size       int64  // in bytes; 0 when unknown
	Executable bool   // in the repository; the file written is not
	Omitted    string // why it was not written: "symbolic link to docs/a.md"
	Capped     bool   // Omitted for a limit, so that something is missing
}

// Result is what became of the part.
type Result struct {
	Commit  string  // its full SHA, "" when the source does not tell
	Entries []Entry // at most Limits.Files
	More    int     // further entries, over the limit of files and not looked at
}

// Written counts the files and their bytes.
func (r Result) Written() (files int, bytes int64) {
	for _, e := range r.Entries {
		if e.Omitted == "" {
			files++
			bytes += e.Size
		}
	}
	return files, bytes
}

// Missing counts the files that a limit kept out.
func (r Result) Missing() int {
	n := r.More
	for _, e := range r.Entries {
		if e.Capped {
			n++
		}
	}
	return n
}

// ErrNoPath is the error of a path that the commit does not have.
var ErrNoPath = errors.New("no such folder at this commit")
