package fakegithub

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"pifetch/test/fakegithub/gitrepo"
)

// World is what there is on the fake GitHub. REST and GraphQL answer from it
// alike. A test may change it before its first request.
type World struct {
	Users []*User
	Repos []*Repo
	Gists []*Gist
}

// User is an account.
type User struct {
	Login string
	ID    int
	Type  string // "User", "Bot", "Organization"
	Name  string
}

// Repo is a repository.
type Repo struct {
	Owner, Name string
	ID          int
	Description string
	Homepage    string
	Topics      []string
	License     string // SPDX
	Language    string
	Private     bool
	Archived    bool
	Fork        string // full name of what it was forked from
	FormerNames []string
	Stars       int
	Created     time.Time
	Pushed      time.Time
	IssuesOff   bool // issues are switched off

	Git  gitrepo.Repo // without commits in an empty repository
	Wiki gitrepo.Repo // Dir is "" when there is none

	Issues      []*Issue // pull requests too
	Discussions []*Discussion
	Releases    []*Release // the newest first
	Labels      []Label
	Milestones  []Milestone
	Checks      map[string][]Check  // by full commit SHA
	Statuses    map[string][]Status // by full commit SHA
}

// Full is "octo/hello".
func (r *Repo) Full() string { return r.Owner + "/" + r.Name }

// HTML is a page of the repository: HTML("/issues/%d", 7).
func (r *Repo) HTML(format string, args ...any) string {
	return "https://github.com/" + r.Full() + fmt.Sprintf(format, args...)
}

// API is a resource of the repository.
func (r *Repo) API(format string, args ...any) string {
	return "https://api.github.com/repos/" + r.Full() + fmt.Sprintf(format, args...)
}

// Empty reports whether there are no commits.
func (r *Repo) Empty() bool { return r.Git.Line("rev-parse", "-q", "--verify", "HEAD") == "" }

// Issue finds an issue or a pull request, nil when there is none.
func (r *Repo) Issue(number int) *Issue {
	return find(r.Issues, func(i *Issue) bool { return i.Number == number })
}

// Discussion finds a discussion, nil when there is none.
func (r *Repo) Discussion(number int) *Discussion {
	return find(r.Discussions, func(d *Discussion) bool { return d.Number == number })
}

// Release finds a release by its tag, nil when there is none.
func (r *Repo) Release(tag string) *Release {
	return find(r.Releases, func(x *Release) bool { return x.Tag == tag })
}

// Latest is the newest release that is no draft and no prerelease, nil when there is none.
func (r *Repo) Latest() *Release {
	return find(r.Releases, func(x *Release) bool { return !x.Draft && !x.Prerelease })
}

// Repo finds a repository by its full name of now or of before, without regard
// to case. Moved says that the name was one of before.
func (w *World) Repo(full string) (repo *Repo, moved bool) {
	same := func(s string) bool { return strings.EqualFold(s, full) }
	for _, r := range w.Repos {
		if same(r.Full()) {
			return r, false
		}
	}
	for _, r := range w.Repos {
		if slices.ContainsFunc(r.FormerNames, same) {
			return r, true
		}
	}
	return nil, false
}

// User finds an account, nil when there is none.
func (w *World) User(login string) *User {
	return find(w.Users, func(u *User) bool { return strings.EqualFold(u.Login, login) })
}

func find[T any](list []*T, is func(*T) bool) *T {
	if i := slices.IndexFunc(list, is); i >= 0 {
		return list[i]
	}
	return nil
}

// Issue is an issue, or a pull request when Pull is set.
type Issue struct {
	Number      int
	ID          int64
	Title       string
	Body        string
	Author      string
	Association string
	Closed      time.Time // zero while open
	ClosedBy    string
	Reason      string // "COMPLETED", "NOT_PLANNED", "DUPLICATE", "REOPENED"
	Created     time.Time
	Edited      time.Time
	Updated     time.Time // zero: the last of its dates
	Labels      []string
	Assignees   []string
	Milestone   int
	Locked      string // "OFF_TOPIC", …; "" is unlocked
	Comments    []*Comment
	Reactions   int
	Parent      int
	SubIssues   []int
	FixedBy     []int // pull requests that close it
	Duplicate   int   // number of the issue that it is a duplicate of
	Gone        bool  // deleted
	MovedTo     string
	Pull        *Pull
}

// Discussion is a discussion.
type Discussion struct {
	Number      int
	ID          int64
	Title       string
	Body        string
	Author      string
	Association string
	Category    string
	Answerable  bool
	Answered    time.Time
	AnsweredBy  string
	Closed      time.Time
	Reason      string
	Created     time.Time
	Updated     time.Time
	Edited      time.Time
	Locked      bool
	Labels      []string
	Upvotes     int
	Comments    []*DiscussionComment
}

// Release is a release.
type Release struct {
	ID                int64
	Tag, Name, Body   string
	Author            string
	Draft, Prerelease bool
	Created           time.Time
	Published         time.Time
	Assets            []Asset
}

// Asset is a file of a release.
type Asset struct {
	ID        int64
	Name      string
	Type      string // media type
	Content   string
	Downloads int
	Uploader  string
	Created   time.Time
}

// Label is a label.
type Label struct{ Name, Color, Description string }

// Milestone is a milestone.
type Milestone struct {
	Number      int
	Title       string
	Description string
	Creator     string
	Created     time.Time
	Due         time.Time
	Closed      time.Time
}

// Gist is a gist of one revision.
type Gist struct {
	ID          string
	Owner       string // "" is anonymous
	Description string
	Secret      bool
	Created     time.Time
	Files       []GistFile
	Comments    []*Comment
}

// GistFile is a file of a gist.
type GistFile struct{ Name, Type, Language, Content string }
