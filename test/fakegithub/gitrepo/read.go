package gitrepo

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// Entry is one line of a tree.
type Entry struct {
	Mode string // "100644", "040000", …
	Type string // "blob", "tree", "commit"
	SHA  string
	Path string // from the tree that was asked for
	Size int    // of a blob
}

// Tree lists a tree: rev is "main", "main:src", a SHA.
func (r Repo) Tree(rev string, recursive bool) ([]Entry, error) {
	args := []string{"ls-tree", "-z", "-l"}
	if recursive {
		args = append(args, "-r", "-t")
	}
	out, err := r.Git(append(args, rev)...)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for record := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		meta, path, ok := strings.Cut(record, "\t")
		if !ok {
			continue
		}
		f := strings.Fields(meta)
		size, _ := strconv.Atoi(f[3])
		entries = append(entries, Entry{Mode: f[0], Type: f[1], SHA: f[2], Path: path, Size: size})
	}
	return entries, nil
}

// Object is the type and the name of an object, "" when there is none.
func (r Repo) Object(rev string) (kind, sha string) {
	if strings.HasPrefix(rev, "-") {
		return "", ""
	}
	sha = r.Line("rev-parse", "--verify", "-q", rev)
	if sha == "" {
		return "", ""
	}
	return r.Line("cat-file", "-t", sha), sha
}

// CommitSHA is the commit that a ref, a tag or an abbreviated name stands for, "" when there is none.
// Of a branch and a tag of one name the branch is meant, as on GitHub.
func (r Repo) CommitSHA(ref string) string {
	for _, prefix := range []string{"refs/heads/", "refs/tags/", ""} {
		name := prefix + ref
		if strings.HasPrefix(name, "-") || strings.Contains(name, ":") {
			continue
		}
		if sha := r.Line("rev-parse", "--verify", "-q", name+"^{commit}"); sha != "" {
			return sha
		}
	}
	return ""
}

// Blob is a file's content.
func (r Repo) Blob(sha string) ([]byte, error) { return r.Git("cat-file", "blob", sha) }

// CommitInfo is a commit that was made.
type CommitInfo struct {
	SHA, Tree    string
	Parents      []string
	Name, Email  string
	When         time.Time
	Message      string
	Summary      string
	CommitterWas time.Time
}

// Two NULs end a commit, so a field that can be empty starts with a space.
const commitFormat = "%H%x00%T%x00 %P%x00%an%x00%ae%x00%at%x00%ct%x00%B%x00%x00"

// Log lists commits, the newest first.
func (r Repo) Log(args ...string) ([]CommitInfo, error) {
	out, err := r.Git(append([]string{"log", "--format=" + commitFormat}, args...)...)
	if err != nil {
		return nil, err
	}
	var commits []CommitInfo
	for _, record := range bytes.Split(out, []byte("\x00\x00")) {
		f := strings.Split(strings.TrimLeft(string(record), "\n"), "\x00")
		if len(f) < 8 {
			continue
		}
		c := CommitInfo{
			SHA: f[0], Tree: f[1], Parents: strings.Fields(f[2]), Name: f[3], Email: f[4],
			When: unix(f[5]), CommitterWas: unix(f[6]), Message: strings.TrimRight(f[7], "\n"),
		}
		c.Summary, _, _ = strings.Cut(c.Message, "\n")
		commits = append(commits, c)
	}
	return commits, nil
}

func unix(s string) time.Time {
	n, _ := strconv.ParseInt(s, 10, 64)
	return time.Unix(n, 0).UTC()
}

// Ref is a branch or a tag.
type Ref struct {
	Name   string // full
	SHA    string // of the object, the tag object for an annotated one
	Commit string // what it comes to in the end
}

// Refs lists refs below a prefix, by name.
func (r Repo) Refs(prefix string) ([]Ref, error) {
	out, err := r.Git("for-each-ref", "--format=%(refname) %(objectname) %(*objectname)", prefix)
	if err != nil {
		return nil, err
	}
	var refs []Ref
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		ref := Ref{Name: f[0], SHA: f[1], Commit: f[1]}
		if len(f) > 2 {
			ref.Commit = f[2]
		}
		refs = append(refs, ref)
	}
	return refs, nil
}
