package github

import (
	"context"

	"github.com/shurcooL/githubv4"
)

// pageSizes are how much one query asks for.
type pageSizes struct {
	page, thread int
	threads      bool // review threads in the first query
}

// fullPages are what GitHub answers in time for all but the heaviest pull
// requests; halfPages are for those.
var (
	fullPages = pageSizes{page: perPage, thread: threadPerPage, threads: true}
	halfPages = pageSizes{page: perPage / 2, thread: threadPerPage / 2}
)

func (s pageSizes) vars(j *job) map[string]any {
	vars := j.number()
	vars["page"] = githubv4.Int(s.page)
	vars["threadPage"] = githubv4.Int(s.thread)
	return vars
}

// queryPull reads a pull request with a token: one query, and for what does
// not fit its pages one more for all lists together, until the caps are full.
// It fails with errNothing when there is no such pull request.
func queryPull(ctx context.Context, j *job) (*pull, error) {
	sizes := fullPages
	q, err := firstPull(ctx, j, sizes)
	if tooHeavy(err) {
		sizes = halfPages
		q, err = firstPull(ctx, j, sizes)
	}
	node := q.Repository.PullRequest
	if node == nil || node.Number == 0 {
		return nil, nothing(err)
	}
	p := node.pull(q.Repository.NameWithOwner)
	r := pullReader{job: j, sizes: sizes, pull: p}
	r.first(node)
	if stopped := r.rest(ctx); stopped != nil {
		return nil, stopped
	}
	p.unread(refusals(err))
	p.sortThreads()
	return p, nil
}

func firstPull(ctx context.Context, j *job, sizes pageSizes) (q pullQuery, err error) {
	vars := sizes.vars(j)
	vars["withThreads"] = githubv4.Boolean(sizes.threads)
	err = j.api.Query(ctx, &q, vars)
	return q, err
}

// pull is the node without its lists of several pages.
func (n *pullNode) pull(repo string) *pull {
	p := &pull{
		conversation: n.conversation(repo),
		State:        words(n.State), Merged: n.MergedAt, MergedBy: n.MergedBy.login(),
		Base:      branch{Name: n.BaseRefName, SHA: n.BaseRefOid, Repo: repo},
		Head:      branch{Name: n.HeadRefName, SHA: n.HeadRefOid},
		Additions: n.Additions, Deletions: n.Deletions, Changed: n.ChangedFiles,
		Decision:  words(n.ReviewDecision),
		Requested: n.ReviewRequests.names(),
		Closing:   references(n.ClosingIssuesReferences.Nodes),
	}
	if n.HeadRepository != nil {
		p.Head.Repo = n.HeadRepository.NameWithOwner
	}
	if n.MergeCommit != nil {
		p.MergedAs = n.MergeCommit.Oid
	}
	if p.State == "open" && n.IsDraft {
		p.State = "draft"
	}
	p.Mergeable, p.Blocked = mergeability(p.State, words(n.Mergeable), words(n.MergeStateStatus))
	return p
}

// mergeability is what GitHub says of merging, where it says something.
func mergeability(state, mergeable, status string) (can, blocked string) {
	if state != "open" && state != "draft" {
		return "", ""
	}
	if mergeable == "mergeable" || mergeable == "conflicting" {
		can = mergeable
	}
	if status == "blocked" || status == "behind" {
		blocked = status
	}
	return can, blocked
}

// pullReader fills the lists of a pull request page by page.
type pullReader struct {
	*job
	sizes pageSizes
	pull  *pull

	comments, reviews, threads, files, commits, checks cursor

	stop bool // the lists stay as they are
}

// cursor is where a list goes on.
type cursor struct {
	more  bool   // its next page is wanted
	after string // "" for its first page
}

func (c cursor) vars(vars map[string]any, name string) {
	vars[name] = githubv4.Boolean(c.more)
	var after *githubv4.String
	if c.after != "" {
		after = githubv4.NewString(githubv4.String(c.after))
	}
	vars[name+"After"] = after
}

func (r *pullReader) first(n *pullNode) {
	r.pull.Checks.SHA = r.pull.Head.SHA
	if n.StatusCheckRollup != nil {
		r.addChecks(n.StatusCheckRollup.Contexts)
	}
	r.addCommits(n.Commits)
	r.addComments(n.Comments)
	r.addReviews(n.Reviews)
	r.addFiles(n.Files)
	if r.sizes.threads {
		r.addThreads(n.ReviewThreads)
	} else {
		r.threads = cursor{more: true}
		r.pull.Threads.Total, r.pull.Threads.More = -1, true
	}
}

// maxQueries ends the reading of a list whose pages never end.
const maxQueries = 12

// rest asks for the next page of every list that has one, all in one query.
func (r *pullReader) rest(ctx context.Context) error {
	for range maxQueries {
		long := r.longThread()
		if r.stop || !(r.comments.more || r.reviews.more || r.threads.more || r.files.more || r.commits.more || r.checks.more || long != nil) {
			break
		}
		if err := r.round(ctx, long); err != nil {
			return err
		}
	}
	return nil
}

func (r *pullReader) round(ctx context.Context, long *thread) error {
	vars := r.sizes.vars(r.job)
	r.comments.vars(vars, "comments")
	r.reviews.vars(vars, "reviews")
	r.threads.vars(vars, "threads")
	r.files.vars(vars, "files")
	r.commits.vars(vars, "commits")
	r.checks.vars(vars, "checks")
	vars["long"] = githubv4.Boolean(long != nil)
	vars["thread"], vars["threadAfter"] = githubv4.ID(""), (*githubv4.String)(nil)
	if long != nil {
		vars["thread"], vars["threadAfter"] = githubv4.ID(long.ID), githubv4.NewString(githubv4.String(long.afterCursor))
	}
	var q morePull
	if err := r.api.Query(ctx, &q, vars); err != nil {
		if ctx.Err() != nil {
			return err
		}
		// What was read stands; the totals tell what is missing.
		r.pull.unread([]refusal{{text: "further pages: " + reason(err)}})
		r.stop = true
		return nil
	}
	p := &q.Repository.PullRequest
	if r.comments.more {
		r.addComments(p.Comments)
	}
	if r.reviews.more {
		r.addReviews(p.Reviews)
	}
	if r.files.more {
		r.addFiles(p.Files)
	}
	if r.commits.more {
		r.addCommits(p.Commits)
	}
	if r.checks.more && p.StatusCheckRollup != nil {
		r.addChecks(p.StatusCheckRollup.Contexts)
	}
	if long != nil {
		long.add(q.Thread.Thread.Comments)
	}
	if r.threads.more {
		r.addThreads(p.ReviewThreads)
	}
	return nil
}

// add appends a page to a list and moves the list's cursor on.
func add[T any](list *items[T], at *cursor, n listNode, page []T, most int) {
	list.List, list.Total, list.More = append(list.List, page...), n.TotalCount, n.PageInfo.HasNextPage
	*at = cursor{more: list.More && len(list.List) < most, after: n.PageInfo.EndCursor}
}

func (r *pullReader) addComments(n commentsNode) {
	add(&r.pull.Comments, &r.comments, n.listNode, n.comments(), maxComments)
}

func (r *pullReader) addReviews(n reviewsNode) {
	add(&r.pull.Reviews, &r.reviews, n.listNode, n.reviews(), maxReviews)
}

func (r *pullReader) addThreads(n threadsNode) {
	add(&r.pull.Threads, &r.threads, n.listNode, n.threads(), maxReviewComments)
	r.threads.more = r.threads.more && r.threadComments() < maxReviewComments
}

func (r *pullReader) addFiles(n filesNode) {
	add(&r.pull.Files, &r.files, n.listNode, n.files(), maxFiles)
}

func (r *pullReader) addCommits(n commitsNode) {
	add(&r.pull.Commits, &r.commits, n.listNode, n.lines(), maxCommits)
}

func (r *pullReader) addChecks(n contextsNode) {
	add(&r.pull.Checks.items, &r.checks, n.listNode, n.checks(), maxChecks)
}

func (r *pullReader) threadComments() int {
	n := 0
	for _, t := range r.pull.Threads.List {
		n += len(t.Comments)
	}
	return n
}

// longThread is a thread with comments still to be read, nil when there is
// none or the cap of review comments is full.
func (r *pullReader) longThread() *thread {
	if r.threadComments() >= maxReviewComments {
		return nil
	}
	for i := range r.pull.Threads.List {
		if t := &r.pull.Threads.List[i]; t.afterCursor != "" {
			return t
		}
	}
	return nil
}
