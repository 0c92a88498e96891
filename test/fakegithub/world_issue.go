package fakegithub

import (
	"time"
)

// Comment is something a person wrote.
type Comment struct {
	ID          int64
	Author      string // login; "" for a deleted account
	Association string // "MEMBER", "NONE", …; "" is NONE
	Body        string
	Created     time.Time
	Edited      time.Time
	Minimized   string // "OUTDATED", "SPAM", …
	Reactions   int    // thumbs up
}

// Pull is what a pull request has beyond an issue.
type Pull struct {
	Base, Head string // branches
	HeadRepo   string // full name; "" when the fork was deleted
	HeadOwner  string // login; the repository's owner when empty
	BaseSHA    string // of the base branch when the pull request was last pushed to
	HeadSHA    string
	Draft      bool
	Merged     time.Time
	MergedBy   string
	MergeSHA   string
	Conflicts  bool
	Decision   string // "APPROVED", "CHANGES_REQUESTED", "REVIEW_REQUIRED"
	Reviewers  []string
	Teams      []string // slugs of requested teams
	Reviews    []*Review
	Threads    []*Thread
	Fixes      []int // issues that it closes
}

// Review is a verdict with its text.
type Review struct {
	ID          int64
	Author      string
	Association string
	State       string // "APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED"
	Body        string
	Submitted   time.Time
	Minimized   string
	Commit      string // "" is the head
}

// Thread is a conversation about a place in a pull request's diff.
type Thread struct {
	Path         string
	Side         string // "LEFT", "RIGHT"; "" is RIGHT
	Line         int    // 0 when outdated, or about the whole file
	StartLine    int    // of several lines
	OriginalLine int
	WholeFile    bool
	Outdated     bool
	ResolvedBy   string // "" is unresolved
	Hunk         string
	Comments     []*ReviewComment
}

// ReviewComment is one comment of a Thread.
type ReviewComment struct {
	Comment
	Review int64 // the review it came with
}

// Check is a check run.
type Check struct {
	ID         int64
	Name       string
	Status     string // "COMPLETED", "IN_PROGRESS", "QUEUED"
	Conclusion string // "SUCCESS", "FAILURE", …; "" while it runs
	Title      string
	Summary    string
	App        string // slug; "" is github-actions
	Workflow   string
	Run        int64 // id of the workflow run
	Started    time.Time
	Completed  time.Time
	Details    string // URL
}

// Status is a commit status of an outside system.
type Status struct {
	ID          int64
	Context     string
	State       string // "SUCCESS", "FAILURE", "PENDING", "ERROR"
	Description string
	Target      string // URL
	Created     time.Time
}

// DiscussionComment is a comment with the replies to it.
type DiscussionComment struct {
	Comment
	Answer  bool
	Upvotes int
	Replies []*Comment
}
