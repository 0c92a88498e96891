// Package patch writes diff.patch: one diff that git apply accepts, made from
// the diff GitHub gives (Copy) or from its listing of changed files (Rebuild).
//
// A file is written whole or not at all. One that is left out stands as a
// comment in its place, which git apply skips:
//
//	# omitted: logo.png (binary)
//
// and when there is one, the last line sums up:
//
//	# 3 of 120 files omitted: 2 binary, 1 over the cap of 400 KB
package patch

import "fmt"

// Limits bound a written patch. What is not positive stands for the default.
// A file that does not fit is omitted; a smaller one after it may still fit.
type Limits struct {
	Bytes int64 // of the files' sections, comments aside: 400 KB
	Files int   // written, not omitted: 300
}

const (
	defaultBytes = 400 << 10
	defaultFiles = 300

	// commentBytes bound the lines of omitted files. More of them are counted,
	// but not named.
	commentBytes = 32 << 10
)

func (l Limits) orDefault() Limits {
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	if l.Files <= 0 {
		l.Files = defaultFiles
	}
	return l
}

// Section is one changed file.
type Section struct {
	Path    string
	OldPath string // before a rename, or what it is a copy of; else ""
	Line    int    // of its "diff --git" or "# omitted", from 1; 0 when it is not named in the patch
	Omitted string // why it was left out; "" when it was written

	Status               string // as in REST: added, removed, modified, renamed, copied, changed
	Additions, Deletions int    // lines, as far as the diff was read
}

// Result is what a patch holds.
type Result struct {
	Sections  []Section // in the order of the diff
	Omitted   int       // how many of them were left out
	Truncated bool      // the diff went on, but was not read further
}

// Reasons for leaving out a file.
const (
	isBinary    = "binary"
	notUTF8     = "not UTF-8"
	noPatch     = "binary or too large for GitHub's API"
	tooLarge    = "too large for GitHub's API"
	incomplete  = "incomplete in GitHub's API"
	typeChanged = "type changed"
	modeUnknown = "mode unknown"
	unchanged   = "unchanged"
	notNamed    = "not named by GitHub's API"
	badStatus   = "unknown kind of change"
)

func overBytes(n int64) string { return "over the cap of " + size(n) }
func overFiles(n int) string   { return fmt.Sprintf("over the cap of %d files", n) }

func size(n int64) string {
	switch {
	case n%(1<<20) == 0:
		return fmt.Sprintf("%d MB", n>>20)
	case n%(1<<10) == 0:
		return fmt.Sprintf("%d KB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
