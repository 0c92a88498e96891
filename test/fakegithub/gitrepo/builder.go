// Package gitrepo makes git repositories whose commits have the same names on
// every machine, and reads them.
package gitrepo

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// File is one version of a file.
type File struct {
	Mode string // "100644", "100755", "120000" (a link, Data its target), "160000" (a submodule, Data its commit)
	Data string
}

// Text is a plain file.
func Text(data string) File { return File{Mode: "100644", Data: data} }

// Executable is a program.
func Executable(data string) File { return File{Mode: "100755", Data: data} }

// Link is a symbolic link.
func Link(target string) File { return File{Mode: "120000", Data: target} }

// Submodule is another repository at a commit.
func Submodule(sha string) File { return File{Mode: "160000", Data: sha} }

// Deleted removes a file.
var Deleted File

// Person is the author of a commit.
type Person struct{ Name, Email string }

// Commit is a commit to be made.
type Commit struct {
	Branch  string // the full ref it is put on: "refs/heads/main"
	From    string // the full ref the branch starts from; "" goes on with Branch, or starts a history
	Merge   string // a full ref that is the second parent
	Author  Person
	When    time.Time
	Message string
	Files   map[string]File // what changes, by path
}

// Builder collects commits and tags.
type Builder struct{ stream bytes.Buffer }

// Commit adds a commit.
func (b *Builder) Commit(c Commit) {
	s := &b.stream
	who := fmt.Sprintf("%s <%s> %d +0000", c.Author.Name, c.Author.Email, c.When.Unix())
	if c.From != "" {
		fmt.Fprintf(s, "reset %s\nfrom %s\n\n", c.Branch, c.From)
	}
	fmt.Fprintf(s, "commit %s\nauthor %s\ncommitter %s\n", c.Branch, who, who)
	b.data(c.Message)
	if c.Merge != "" {
		fmt.Fprintf(s, "merge %s\n", c.Merge)
	}
	for _, path := range slices.Sorted(maps.Keys(c.Files)) {
		f := c.Files[path]
		switch f.Mode {
		case "":
			fmt.Fprintf(s, "D %s\n", quote(path))
		case "160000":
			fmt.Fprintf(s, "M 160000 %s %s\n", f.Data, quote(path))
		default:
			fmt.Fprintf(s, "M %s inline %s\n", f.Mode, quote(path))
			b.data(f.Data)
		}
	}
	s.WriteByte('\n')
}

// Ref points a ref at what another points at.
func (b *Builder) Ref(ref, from string) {
	fmt.Fprintf(&b.stream, "reset %s\nfrom %s\n\n", ref, from)
}

// Delete removes a ref.
func (b *Builder) Delete(ref string) {
	fmt.Fprintf(&b.stream, "reset %s\nfrom 0000000000000000000000000000000000000000\n\n", ref)
}

// Tag adds an annotated tag.
func (b *Builder) Tag(name, from string, tagger Person, when time.Time, message string) {
	fmt.Fprintf(&b.stream, "tag %s\nfrom %s\ntagger %s <%s> %d +0000\n", name, from, tagger.Name, tagger.Email, when.Unix())
	b.data(message)
}

func (b *Builder) data(s string) {
	fmt.Fprintf(&b.stream, "data %d\n%s\n", len(s), s)
}

// quote is a path as git fast-import reads it.
func quote(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(path) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
