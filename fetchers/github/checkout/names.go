package checkout

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxSegment is the most bytes of one element of a path, so that a number and
// a tool's suffix still fit into the 255 of common file systems.
const maxSegment = 200

// names maps the paths of a repository to paths that are safe and that differ
// from each other on a file system that ignores case, too.
type names struct {
	folders map[string]string // written paths by the repository's
	taken   map[string]int    // folded paths written, and the number to try next
}

func newNames() *names {
	return &names{folders: map[string]string{".": "."}, taken: make(map[string]int)}
}

// file is the path to write a file at. name is clean and has slashes. It is
// another one each time.
func (n *names) file(name string) string {
	dir, base := path.Split(name)
	return n.free(n.folder(path.Clean(dir)), base)
}

// folder is the path of a folder, always the same for a name.
func (n *names) folder(name string) string {
	written, ok := n.folders[name]
	if !ok {
		written = n.file(name)
		n.folders[name] = written
	}
	return written
}

func (n *names) free(parent, base string) string {
	base = safeSegment(base)
	ext := path.Ext(base)
	if ext == base {
		ext = "" // .gitignore
	}
	stem := strings.TrimSuffix(base, ext)
	wanted := path.Join(parent, base)
	written, first := wanted, fold(wanted)
	for n.taken[fold(written)] > 0 {
		n.taken[first]++
		written = path.Join(parent, stem+"-"+strconv.Itoa(n.taken[first])+ext)
	}
	n.taken[fold(written)] = 1
	return written
}

func fold(s string) string { return cases.Fold().String(norm.NFC.String(s)) }

// maxPath is the most bytes of a path that is written.
const maxPath = 1024

// clean is a path of a repository or an archive in its shortest form, or the
// reason why nothing is written there.
func clean(name string) (cleaned, refused string) {
	cleaned = path.Clean(name)
	switch {
	case cleaned == "." || strings.HasPrefix(cleaned, "/") || !filepath.IsLocal(cleaned):
		return "", "its path leads outside"
	case len(cleaned) > maxPath:
		return "", "its path is too long"
	}
	return cleaned, ""
}

// safeSegment is one element of a path as it may be written: without control
// and invisible characters, and no folder that git takes for its own.
func safeSegment(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, r == '\\', unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp):
			return '_'
		case unicode.In(r, unicode.Cf, unicode.Co):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "_"))
	if len(s) > maxSegment {
		ext := path.Ext(s)
		if len(ext) > maxSegment/4 {
			ext = ""
		}
		s = strings.ToValidUTF8(s[:maxSegment-len(ext)], "") + ext
	}
	switch {
	case s == "", s == ".", s == "..", strings.EqualFold(s, ".git"):
		return "_" + s
	}
	return s
}
