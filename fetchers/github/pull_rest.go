package github

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"sync"
	"time"
)

type restPull struct {
	restPost
	State          string
	Draft          bool
	Merged         time.Time `json:"merged_at"`
	MergedBy       *restUser `json:"merged_by"`
	MergeCommit    string    `json:"merge_commit_sha"` // of an open one it is GitHub's trial
	Mergeable      *bool
	MergeState     string `json:"mergeable_state"`
	Base           restBranch
	Head           restBranch
	Additions      int
	Deletions      int
	Changed        int `json:"changed_files"`
	Commits        int
	ReviewComments int                     `json:"review_comments"`
	Reviewers      []restUser              `json:"requested_reviewers"`
	Teams          []struct{ Slug string } `json:"requested_teams"`
}

type restBranch struct {
	Ref  string
	SHA  string
	Repo *struct {
		Name string `json:"full_name"`
	}
}

func (b restBranch) branch() branch {
	c := branch{Name: b.Ref, SHA: b.SHA}
	if b.Repo != nil {
		c.Repo = b.Repo.Name
	}
	return c
}

func (r *restPull) pull(repo string) *pull {
	p := &pull{
		conversation: r.conversation(repo),
		State:        r.State, Merged: r.Merged, MergedBy: r.MergedBy.login(),
		Base: r.Base.branch(), Head: r.Head.branch(),
		Additions: r.Additions, Deletions: r.Deletions, Changed: r.Changed,
		Requested: restLogins(r.Reviewers), Partial: true,
	}
	switch {
	case !r.Merged.IsZero():
		p.State, p.MergedAs = "merged", r.MergeCommit
	case r.State == "open" && r.Draft:
		p.State = "draft"
	}
	owner, _, _ := strings.Cut(repo, "/")
	for _, team := range r.Teams {
		p.Requested = append(p.Requested, "@"+owner+"/"+team.Slug)
	}
	mergeable := ""
	if r.Mergeable != nil {
		mergeable = map[bool]string{true: "mergeable", false: "conflicting"}[*r.Mergeable]
	}
	p.Mergeable, p.Blocked = mergeability(p.State, mergeable, r.MergeState)
	p.Commits.Total, p.Commits.More = r.Commits, r.Commits > 0
	return p
}

// maxCalls is how many requests to the API a pull request may cost without a
// token: an address has sixty an hour.
const maxCalls = 5

// plan is what of a pull request is read besides its conversation.
type plan struct{ checks, statuses, commits bool }

// plan spends what the conversation leaves of the calls.
func (r *restPull) plan(sub string) plan {
	left := maxCalls - 2 - pages(r.Comments, maxComments) - pages(r.ReviewComments, maxReviewComments)
	take := func(asked bool) bool {
		if left > 0 || asked {
			left--
			return true
		}
		return false
	}
	var p plan
	p.checks = take(sub == "checks")
	p.statuses = take(sub == "checks")
	p.commits = take(sub == "commits")
	return p
}

func pages(n, most int) int { return (min(n, most) + perPage - 1) / perPage }

// readPull reads a pull request through REST. The job then has the repository
// and the number that it was moved to.
func readPull(ctx context.Context, j *job) (*pull, error) {
	var r restPull
	if _, err := j.api.Get(ctx, j.path("pulls/"+strconv.Itoa(j.Number)), nil, &r); err != nil {
		return nil, nothing(err)
	}
	if r.Base.Repo != nil {
		j.follow("/repos/"+r.Base.Repo.Name, r.Number)
	}
	p := r.pull(j.repo())
	wanted := r.plan(j.Sub)
	var wg sync.WaitGroup
	errs := make([]error, 4)
	wg.Go(func() { p.Comments, errs[0] = readComments(ctx, j, r.Comments) })
	wg.Go(func() { p.Reviews, errs[1] = readReviews(ctx, j) })
	wg.Go(func() { p.Threads, errs[2] = readThreads(ctx, j, r.ReviewComments) })
	wg.Go(func() { p.Checks = readChecks(ctx, j, p.Head.SHA, wanted) })
	wg.Go(func() {
		if wanted.commits {
			p.Commits, errs[3] = readCommits(ctx, j, r.Commits)
		}
	})
	wg.Wait()
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	p.sortThreads()
	return p, nil
}

type restReview struct {
	restText
	State     string
	Submitted time.Time `json:"submitted_at"`
	Commit    string    `json:"commit_id"`
}

func (r restReview) review() review {
	c := review{comment: r.comment(reviewAnchor), Commit: r.Commit}
	c.Label, c.Created = words(r.State), r.Submitted
	return c
}

func readReviews(ctx context.Context, j *job) (items[review], error) {
	texts, more, err := readList[restReview](ctx, j, j.path("pulls/"+strconv.Itoa(j.Number)+"/reviews"), maxReviews)
	list := items[review]{Total: -1, More: more}
	for _, t := range texts {
		list.List = append(list.List, t.review())
	}
	return list, err
}

type restReviewComment struct {
	restText
	Review   int64  `json:"pull_request_review_id"`
	ReplyTo  int64  `json:"in_reply_to_id"`
	Hunk     string `json:"diff_hunk"`
	Path     string
	Line     int
	Start    int `json:"start_line"`
	Old      int `json:"original_line"`
	OldStart int `json:"original_start_line"`
	Side     string
	Subject  string `json:"subject_type"`
}

// thread is the thread that the comment opens.
func (r restReviewComment) thread() thread {
	return thread{
		Path: r.Path, Start: r.Start, Line: r.Line, OldStart: r.OldStart, Old: r.Old, Side: words(r.Side),
		WholeFile: r.Subject == "file", Outdated: r.Line == 0 && r.Subject != "file", Hunk: r.Hunk,
	}
}

func (r restReviewComment) reviewComment() reviewComment {
	c := reviewComment{comment: r.comment(reviewCommentAnchor)}
	if r.Review != 0 {
		c.Review = decimal(r.Review)
	}
	return c
}

// readThreads groups the comments on lines by what they reply to. Whether a
// thread is resolved is not in REST.
func readThreads(ctx context.Context, j *job, total int) (items[thread], error) {
	if total == 0 {
		return items[thread]{}, nil
	}
	comments, more, err := readList[restReviewComment](ctx, j, j.path("pulls/"+strconv.Itoa(j.Number)+"/comments"), maxReviewComments)
	list := items[thread]{Total: -1, More: more}
	at := map[int64]int{} // thread by the comment that opened it
	for _, c := range comments {
		root := cmp.Or(c.ReplyTo, c.ID)
		i, ok := at[root]
		if !ok {
			i = len(list.List)
			at[root] = i
			list.List = append(list.List, c.thread())
		}
		t := &list.List[i]
		t.Comments = append(t.Comments, c.reviewComment())
		if more {
			t.Missing = -1 // its replies may be among those not read
		}
	}
	if !more {
		list.Total = len(list.List)
	}
	return list, err
}

func readCommits(ctx context.Context, j *job, total int) (items[commitLine], error) {
	commits, more, err := readList[gitCommit](ctx, j, j.path("pulls/"+strconv.Itoa(j.Number)+"/commits"), perPage)
	list := items[commitLine]{Total: total, More: more}
	for _, c := range commits {
		list.List = append(list.List, c.line())
	}
	return list, err
}
