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
	//   - of a file "blob", "raw", "blame", "edit", "media" (the host of Git
	//     LFS), "contents" (the API), "" on the raw host;
	//   - of a directory "contents" or "";
	//   - of a pull request "files", "commits", "checks", "diff" or "patch";
	//     ID then is the commit or range of "files", the commit of "commits";
	//   - of a commit "diff", "patch" or "checks", of a comparison "diff" or
	//     "patch";
	//   - of a list of issues or pull requests the author, or "label" with the
	//     label in ID;
	//   - of a discussion or a list of them "org" when it is an organisation's;
	//   - of a release or its asset "latest";
	//   - of a job its ID; the run's is in ID, or "" when the URL has none;
	//   - of a search its type, of an account its tab, of an archive its form,
	//     of a wiki page its revision.
	Sub string

	// Path holds decoded path segments: ref and path of a file, a directory
	// or a commit list, not kept apart; the path alone, with the ref in the
	// parameter "ref", where Sub is "contents"; the ref of an archive with its
	// suffix; the file of a release; "attempt" and its number of a run or a
	// job; what follows the ID of a gist: nothing, a revision, or "raw",
	// perhaps a revision, perhaps a file.
	Path []string

	// RefType is "heads" or "tags" where the URL of a file, a directory or a
	// commit list says refs/heads/ or refs/tags/; Path is then without them.
	RefType string

	Query  string     // what the page's search box holds: the parameter q, discussions_q or query
	Params url.Values // the whole query

	Anchor Anchor
	Lines  Lines
}

// Anchor is the fragment of a URL that names one thing on the page: Name is
// "issuecomment", "discussion_r", "discussioncomment", "pullrequestreview",
// "commitcomment", "gistcomment", "r", "issue", "event", "diff", "file" or "step",
// ID the rest. Lines may stand beside "file".
type Anchor struct{ Name, ID string }

// Lines are the lines a fragment names, both counted from 1 and included; both
// are 0 when it names none.
type Lines struct{ First, Last int }
