package github

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/patch"
)

// pull is a pull request.
type pull struct {
	conversation

	State    string // "open", "draft", "closed", "merged"
	Merged   time.Time
	MergedBy string
	MergedAs string // commit; "" when not known

	Base, Head           branch
	Additions, Deletions int
	Changed              int // files

	Mergeable string   // "mergeable", "conflicting"; "" when GitHub does not know
	Blocked   string   // what keeps an open one from being merged: "blocked", "behind"; "" when nothing or not known
	Decision  string   // "approved", "changes requested", "review required"; "" when there is none or it is not known
	Requested []string // who was asked for a review and has not given one

	Closing []reference // issues that merging it closes
	Commits items[commitLine]
	Reviews items[review]
	Threads items[thread]
	Checks  checks
	Files   items[patch.Section]

	// Partial is set for what was read without a token: whether threads are
	// resolved, what merging closes and the review decision are not known.
	Partial bool
}

// branch is one side of a pull request.
type branch struct {
	Name, SHA string
	Repo      string // "" when the fork was deleted
}

// label names the branch as seen from repo: "main", "alice/fork:topic".
func (b branch) label(repo string) string {
	switch {
	case b.Repo == "":
		return "(deleted fork):" + b.Name
	case strings.EqualFold(b.Repo, repo):
		return b.Name
	}
	return b.Repo + ":" + b.Name
}

type commitLine struct {
	SHA     string
	Message string
	Author  string // a login where the account is known, else a name
	Time    time.Time
	URL     string
}

func (c commitLine) subject() string {
	subject, _, _ := strings.Cut(markdown.Newlines(c.Message), "\n")
	return subject
}

func (c commitLine) body() string {
	_, body, _ := strings.Cut(markdown.Newlines(c.Message), "\n")
	return strings.TrimSpace(body)
}

// review is a verdict with an optional text; the comments on lines that
// belong to it are in threads.
type review struct {
	comment        // Label is the verdict: "approved", "changes requested"
	Commit  string // the head it was given for
}

// thread is a conversation about some lines of a file.
type thread struct {
	Path            string
	Start, Line     int    // in the present diff; 0 when they are not in it any more
	OldStart, Old   int    // in the diff it was opened on
	Side            string // "left" for lines that are removed, else "right"
	WholeFile       bool
	Outdated        bool
	Resolved        bool
	ResolvedBy      string
	Hunk            string // of the diff, down to the lines commented on
	Comments        []reviewComment
	Missing         int // comments that were not read; -1: some
	ID, afterCursor string
}

type reviewComment struct {
	comment
	Review string // number of the review it was given with; "" when not known
}

// place is what a thread is about: "`src/a.go`, lines 3-7".
func (t thread) place() string {
	s := markdown.Code(t.Path)
	start, end, was := t.Start, t.Line, ""
	if end == 0 {
		start, end, was = t.OldStart, t.Old, " at the time"
	}
	switch {
	case t.WholeFile:
		return s + ", whole file"
	case end == 0:
		return s
	case start > 0 && start != end:
		s += ", lines " + strconv.Itoa(start) + "-" + strconv.Itoa(end)
	default:
		s += ", line " + strconv.Itoa(end)
	}
	if t.Side == "left" {
		was = " of the base" + was
	}
	return s + was
}

// state is "unresolved", "resolved by bob", with "outdated" where it is.
func (t thread) state(partial bool) string {
	var parts []string
	switch {
	case partial:
	case !t.Resolved:
		parts = append(parts, "unresolved")
	case t.ResolvedBy != "":
		parts = append(parts, "resolved by "+t.ResolvedBy)
	default:
		parts = append(parts, "resolved")
	}
	if t.Outdated {
		parts = append(parts, "outdated")
	}
	return strings.Join(parts, " · ")
}

func (t thread) openedBy() string {
	if len(t.Comments) == 0 {
		return ""
	}
	return t.Comments[0].Author
}

// waitsFor is who has to say something next: the author of the pull request,
// or after their word whoever opened the thread. It is "" when both are the
// same, or when the last comments were not read.
func (t thread) waitsFor(owner string) string {
	if len(t.Comments) == 0 || t.Missing != 0 {
		return ""
	}
	next := owner
	if t.Comments[len(t.Comments)-1].Author == owner {
		next = t.openedBy()
	}
	if next == t.Comments[len(t.Comments)-1].Author {
		return ""
	}
	return next
}

// unresolved is how many of the threads that were read are open.
func (p *pull) unresolved() int {
	n := 0
	for _, t := range p.Threads.List {
		if !t.Resolved {
			n++
		}
	}
	return n
}

// sortThreads puts the unresolved ones first, the current before the outdated,
// and leaves out what is over the cap of comments.
func (p *pull) sortThreads() {
	rank := func(t thread) int {
		n := 0
		if t.Resolved {
			n += 2
		}
		if t.Outdated {
			n++
		}
		return n
	}
	slices.SortStableFunc(p.Threads.List, func(a, b thread) int { return rank(a) - rank(b) })
	room := maxReviewComments
	for i := range p.Threads.List {
		t := &p.Threads.List[i]
		if room == 0 {
			p.Threads.List = p.Threads.List[:i]
			p.Threads.More = true
			return
		}
		if over := len(t.Comments) - room; over > 0 {
			t.Comments = t.Comments[:room]
			if t.Missing >= 0 {
				t.Missing += over
			}
		}
		room -= len(t.Comments)
	}
}
