package github

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"pifetch/fetchers"
)

// earlyDiff is a diff that is read while the rest is.
type earlyDiff struct {
	sync.WaitGroup
	cancel context.CancelFunc
	diff   *diff
	err    error
}

// startDiff begins to read the diff, unless it is one of commits that are only
// known once the pull request is.
func (j *job) startDiff(ctx context.Context) *earlyDiff {
	e := &earlyDiff{}
	ctx, e.cancel = context.WithCancel(ctx)
	if j.ID == "" {
		of := *j // the load may find another name for the job
		e.Go(func() { e.diff, e.err = of.writeDiff(ctx, pullDiff(of.Number)) })
	}
	return e
}

// drop ends the reading of a diff that nobody wants.
func (e *earlyDiff) drop(folder fetchers.Folder) {
	e.cancel()
	e.Wait()
	if e.diff != nil && e.diff.Body.Name != "" {
		_ = folder.Remove(diffName) // the router removes the folder if need be
	}
}

// diffAlone is the document of pull/7.diff without a token: the diff from the
// page, which asks nothing of the API. It reports false when that could not be
// had.
func (j *job) diffAlone(e *earlyDiff) (fetchers.Document, bool) {
	e.Wait()
	if e.diff == nil || e.diff.Body.Name == "" {
		return fetchers.Document{}, false
	}
	e.cancel()
	return e.diff.alone(fetchers.Document{
		Kind: "github.pull_request", Title: fmt.Sprintf("%s#%d: diff", j.repo(), j.Number),
		Link: fmt.Sprintf("https://github.com/%s/pull/%d", j.repo(), j.Number),
	}, "its conversation"), true
}

// finishDiff has the diff that was asked for: of the pull request, or of a
// range of its commits.
func (j *job) finishDiff(ctx context.Context, e *earlyDiff, p *pull) (*diff, error) {
	e.Wait()
	e.cancel()
	src, base, head, changed := pullDiff(j.Number), p.Base.SHA, p.Head.SHA, p.Changed
	d, err := e.diff, e.err
	if j.ID != "" {
		base, head = p.rangeOf(j.ID)
		src, changed = compareDiff(base, head), -1
		d, err = j.writeDiff(ctx, src)
	}
	if tooLarge(err) {
		d, err = j.rebuildDiff(ctx, src, base, head, changed)
	}
	if err != nil {
		return nil, err
	}
	if j.ID != "" {
		d.Range = short(base) + ".." + short(head)
	}
	return d, nil
}

// rangeOf reads the commits of /files/A..B, where one alone stands for all up
// to it, and BASE and HEAD for the ends of the pull request.
func (p *pull) rangeOf(id string) (base, head string) {
	base, head, ok := strings.Cut(id, "..")
	if !ok {
		base, head = "BASE", id
	}
	if base == "BASE" {
		base = p.Base.SHA
	}
	if head == "HEAD" {
		head = p.Head.SHA
	}
	return base, head
}
