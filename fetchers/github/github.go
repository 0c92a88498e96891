// Package github is responsible for GitHub's URLs: issues and pull requests as
// conversations, diffs that apply, files, listings, logs. A file of this
// package stands for each shape of URL.
package github

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/target"
)

// Config is what a Fetcher is made from.
type Config struct {
	API *api.Client
}

// Fetcher resolves GitHub's URLs.
type Fetcher struct {
	cfg  Config
	refs *refCache
}

var _ fetchers.Fetcher = (*Fetcher)(nil)

// New returns a fetcher.
func New(cfg Config) *Fetcher { return &Fetcher{cfg: cfg, refs: newRefCache()} }

// Source is "github".
func (f *Fetcher) Source() string { return "github" }

// Claims reports whether u has a shape that this package resolves.
func (f *Fetcher) Claims(_ fetchers.Request, u fetchers.URL) bool {
	_, ok := claim(u)
	return ok
}

func claim(u fetchers.URL) (target.Target, bool) {
	if u.Parsed != nil && u.Parsed.User != nil && u.Parsed.Scheme != "ssh" {
		return target.Target{}, false // a login of its own is none for GitHub's API
	}
	t, ok := target.Parse(u.Asked)
	if !ok {
		return target.Target{}, false
	}
	_, ok = resolvers[t.Kind]
	return t, ok
}

// Most URLs that are worked on at the same time, and most time for each.
const (
	atOnce         = 16
	documentBudget = 60 * time.Second
	downloadBudget = 10 * time.Minute
)

// Fetch resolves each task on its own.
func (f *Fetcher) Fetch(ctx context.Context, req fetchers.Request, tasks []fetchers.Task, sink fetchers.Sink) error {
	session := f.cfg.API.Session(req.Env)
	slots := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for _, task := range tasks {
		wg.Go(func() {
			select {
			case slots <- struct{}{}:
				defer func() { <-slots }()
				f.one(ctx, session, req, task, sink)
			case <-ctx.Done():
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// errUnclaimed makes a URL cascade as if it had never been claimed.
var errUnclaimed = errors.New("not resolved here")

// finalError is a failure after which no other fetcher may try.
type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

func (f *Fetcher) one(ctx context.Context, session *api.Session, req fetchers.Request, task fetchers.Task, sink fetchers.Sink) {
	t, ok := claim(task.URL)
	if !ok {
		return
	}
	j := &job{
		Target: t, api: session, url: task.URL, folder: task.Folder, tree: req.Tree, refs: f.refs,
		stage: func(s fetchers.Stage) { sink.Stage(task, s) },
	}
	budget := j.budget()
	j.stage(fetchers.Stage{Name: fetchers.StageStarted, BudgetSecs: int(budget / time.Second)})
	limited, cancel := context.WithTimeoutCause(ctx, budget, fmt.Errorf("no answer within %s", budget))
	defer cancel()
	doc, err := resolve(limited, j)
	switch {
	case ctx.Err() != nil, errors.Is(err, errUnclaimed):
	case err != nil:
		_, final := errors.AsType[finalError](err)
		if limited.Err() != nil {
			err = context.Cause(limited)
		}
		sink.Fail(task, fetchers.Failure{Reason: err.Error(), Final: final})
	default:
		j.stage(fetchers.Stage{Name: fetchers.StageWritten})
		sink.Deliver(task, doc)
	}
}

// resolve runs the resolver of the job's shape. A panic is the job's failure:
// an answer that breaks a resolver must not cost others their documents.
func resolve(ctx context.Context, j *job) (doc fetchers.Document, err error) {
	defer func() {
		if v := recover(); v != nil {
			doc, err = fetchers.Document{}, fmt.Errorf("internal error (%v): report it with the URL", v)
		}
	}()
	return resolvers[j.Kind](ctx, j)
}
