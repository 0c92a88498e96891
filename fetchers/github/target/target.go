// Package target reads GitHub URLs: which shape a URL has and what it names.
// It asks nobody; a ref and a path that a URL does not keep apart stay
// together in Path until a resolver knows the refs.
package target

import "net/url"

// Kind is the shape of a URL.
type Kind string

// The shapes. A URL of any other shape is not claimed.
const (
	Repo            Kind = "repo"
	File            Kind = "file"
	Directory       Kind = "directory"
	Issue           Kind = "issue"
	IssueList       Kind = "issue_list"
	PullRequest     Kind = "pull_request"
	PullRequestList Kind = "pull_request_list"
	LabelList       Kind = "label_list"
	Milestone       Kind = "milestone"
	MilestoneList   Kind = "milestone_list"
	Search          Kind = "search"
	Discussion      Kind = "discussion"
	DiscussionList  Kind = "discussion_list"
	Commit          Kind = "commit"
	CommitList      Kind = "commit_list"
	Compare         Kind = "compare"
	Release         Kind = "release"
	ReleaseList     Kind = "release_list"
	ReleaseAsset    Kind = "release_asset"
	TagList         Kind = "tag_list"
	BranchList      Kind = "branch_list"
	Run             Kind = "run"
	RunList         Kind = "run_list"
	Job             Kind = "job"
	CheckRun        Kind = "check_run"
	Advisory        Kind = "advisory"
	AdvisoryList    Kind = "advisory_list"
	Wiki            Kind = "wiki"
	Gist            Kind = "gist"
	GistList        Kind = "gist_list"
	Owner           Kind = "owner"
	Archive         Kind = "archive"
	Project         Kind = "project"
	API             Kind = "api"
)

// Target is what a URL names.
type Target struct {
	Kind  Kind
	Owner string // login of a user or an organisation, as written
	Repo  string // without .git

	Number int    // of an issue, a pull request, a discussion, a milestone
	ID     string // what else the thing is looked up by: commit, tag, range, run, gist, advisory, label, wiki page, API path

	// Sub is the part or variant of the shape that was asked for:
	// "files", "commits", "checks", "diff" or "patch" of a pull request, the
	// marker of a file ("blob", "raw", "blame", "edit", "contents"), "latest"
	// of a release, the job of a run, the author of a list, "org" of a
	// discussion, the type of a search, the form of an archive.
	Sub string

	// Path holds decoded path segments: ref and path of a file, a directory
	// or a commit list, not kept apart; the file of a release or a gist.
	Path []string

	// RefType is "heads" or "tags" where the URL says refs/heads/ or
	// refs/tags/; Path is then without them.
	RefType string

	Query  string     // the q of a search or list
	Params url.Values // the whole query

	Anchor Anchor
	Lines  Lines
}

// Anchor is the fragment of a URL that names one thing on the page: Name is
// "issuecomment", "discussion_r", "discussioncomment", "pullrequestreview",
// "commitcomment", "r", "issue", "event", "diff", "file" or "step", ID the rest.
type Anchor struct{ Name, ID string }

// Lines are the lines a fragment names, both counted from 1 and included; both
// are 0 when it names none.
type Lines struct{ First, Last int }
