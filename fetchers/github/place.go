package github

import "strings"

// place is a path of a repository at one commit.
type place struct {
	repo    string // full name, as GitHub has it now
	private bool
	ref     string    // as the URL has it, "main"
	commit  string    // full SHA; as the URL abbreviates it when nobody was asked
	path    string    // "" for the root
	entry   *gitEntry // what stands there; nil when nobody was asked
}

// at is ref and commit as facts write them: main@0123456.
func (p place) at() string {
	if strings.HasPrefix(p.commit, p.ref) {
		return "commit " + short(p.commit)
	}
	return p.ref + "@" + short(p.commit)
}

// short is a commit as people write it.
func short(sha string) string { return sha[:min(len(sha), 7)] }

// url is the permanent address of the place: view is "blob" or "tree".
func (p place) url(view string) string {
	u := "https://github.com/" + p.repo + "/" + view + "/" + p.commit
	if p.path == "" {
		return u
	}
	return u + "/" + escapePath(p.path)
}

// moved says that the repository has another name than the URL's, "" when it
// has not.
func (p place) moved(j *job) string {
	if strings.EqualFold(p.repo, j.repo()) {
		return ""
	}
	return "the repository is now " + p.repo
}

// gitEntry is a file, a folder or something else in a tree.
type gitEntry struct {
	Name    string
	Mode    int // of git: 0o100755, modeLink, …
	SHA     string
	Size    int64
	Module  string     // the URL of a submodule, "" when unknown
	Entries []gitEntry // of a folder
	Cut     bool       // the folder has more entries
}

// Modes of entries, as git has them.
const (
	modeFile       = 0o100644
	modeExecutable = 0o100755
	modeLink       = 0o120000
	modeFolder     = 0o040000
	modeSubmodule  = 0o160000
)
