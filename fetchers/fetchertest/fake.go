// Package fetchertest holds what tests of and with fetchers need: a fake
// fetcher that writes real files, and the conformance suite every fetcher
// passes.
package fetchertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"pifetch/fetchers"
)

// Fake is a fetcher that does as it is told. It claims http and https URLs
// unless Claim says otherwise.
type Fake struct {
	Name  string                                        // its source, "fake" when empty
	Claim func(fetchers.Request, fetchers.URL) bool     // nil: every http and https URL
	Do    func(u fetchers.URL) Behaviour                // nil: Deliver
	Seen  func(req fetchers.Request, t []fetchers.Task) // told of every Fetch, when not nil
}

// Behaviour is what a Fake does about one task. Those of one Fetch run at the
// same time. An error ends the Fetch with it once the others are done; a panic
// panics there.
type Behaviour func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error

// Source implements fetchers.Fetcher.
func (f *Fake) Source() string { return cmp.Or(f.Name, "fake") }

// Claims implements fetchers.Fetcher.
func (f *Fake) Claims(req fetchers.Request, u fetchers.URL) bool {
	if f.Claim != nil {
		return f.Claim(req, u)
	}
	return u.Parsed != nil && (u.Parsed.Scheme == "http" || u.Parsed.Scheme == "https")
}

// Fetch implements fetchers.Fetcher.
func (f *Fake) Fetch(ctx context.Context, req fetchers.Request, tasks []fetchers.Task, sink fetchers.Sink) error {
	if f.Seen != nil {
		f.Seen(req, tasks)
	}
	errs := make([]error, len(tasks))
	panics := make([]any, len(tasks))
	var wg sync.WaitGroup
	for i, t := range tasks {
		do := Deliver(nil)
		if f.Do != nil {
			do = f.Do(t.URL)
		}
		wg.Go(func() {
			defer func() { panics[i] = recover() }()
			errs[i] = do(ctx, t, sink)
		})
	}
	wg.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
	return errors.Join(errs...)
}

// ByURL chooses a behaviour by the URL as asked. Others are delivered.
func ByURL(behaviours map[string]Behaviour) func(fetchers.URL) Behaviour {
	return func(u fetchers.URL) Behaviour {
		if b, ok := behaviours[u.Asked]; ok {
			return b
		}
		return Deliver(nil)
	}
}

// Deliver writes files and reports a document with them. Nil means one
// content.md headed by the URL.
func Deliver(files map[string]string) Behaviour {
	return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
		return deliver(t, sink, fetchers.Document{}, files)
	}
}

// DeliverDocument is Deliver with the other fields of the document given.
func DeliverDocument(d fetchers.Document, files map[string]string) Behaviour {
	return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
		return deliver(t, sink, d, files)
	}
}

func deliver(t fetchers.Task, sink fetchers.Sink, d fetchers.Document, files map[string]string) error {
	if files == nil {
		files = map[string]string{"content.md": fmt.Sprintf("# %s\n\nA page.\n", t.URL)}
	}
	sink.Stage(t, fetchers.Stage{Name: fetchers.StageStarted, BudgetSecs: 30})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b, err := t.Folder.Write(name, strings.NewReader(files[name]))
		if err != nil {
			sink.Fail(t, fetchers.Failure{Reason: err.Error()})
			return nil
		}
		d.Bodies = append(slices.Clip(d.Bodies), b)
	}
	d.Kind = cmp.Or(d.Kind, "fake.page")
	d.Title = cmp.Or(d.Title, t.URL.String())
	d.Excerpt = cmp.Or(d.Excerpt, "A page.")
	sink.Deliver(t, d)
	return nil
}

// Fail reports a failure, after writing something of no use.
func Fail(reason string) Behaviour { return fail(fetchers.Failure{Reason: reason}) }

// FailFinal reports a failure after which no other fetcher may try.
func FailFinal(reason string) Behaviour { return fail(fetchers.Failure{Reason: reason, Final: true}) }

func fail(f fetchers.Failure) Behaviour {
	return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
		sink.Stage(t, fetchers.Stage{Name: fetchers.StageStarted, BudgetSecs: 30})
		if _, err := t.Folder.Write("useless.txt", strings.NewReader("useless")); err != nil {
			f.Reason = err.Error()
		}
		sink.Fail(t, f)
		return nil
	}
}

// Silent writes something and reports nothing.
func Silent() Behaviour {
	return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
		_, err := t.Folder.Write("useless.txt", strings.NewReader("useless"))
		return err
	}
}

// Err reports nothing and makes Fetch return err.
func Err(err error) Behaviour {
	return func(context.Context, fetchers.Task, fetchers.Sink) error { return err }
}

// Panic reports nothing and makes Fetch panic.
func Panic(v any) Behaviour {
	return func(context.Context, fetchers.Task, fetchers.Sink) error { panic(v) }
}

// After reports that it started, waits d, and goes on with next. When ctx
// ends first, it fails with the cause.
func After(d time.Duration, next Behaviour) Behaviour {
	return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
		timer := time.NewTimer(d)
		defer timer.Stop()
		return waitFor(ctx, timer.C, t, sink, next)
	}
}

// Until is After with a channel that is closed in place of the duration.
// With a nil channel it waits for the end of ctx.
func Until(ready <-chan struct{}, next Behaviour) Behaviour {
	return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
		return waitFor(ctx, ready, t, sink, next)
	}
}

func waitFor[T any](ctx context.Context, ready <-chan T, t fetchers.Task, sink fetchers.Sink, next Behaviour) error {
	sink.Stage(t, fetchers.Stage{Name: fetchers.StageStarted, BudgetSecs: 30})
	select {
	case <-ready:
		return next(ctx, t, sink)
	case <-ctx.Done():
		sink.Fail(t, fetchers.Failure{Reason: context.Cause(ctx).Error()})
		return nil
	}
}

// Stuck ignores the end of ctx, as no fetcher may: it waits for release, and
// then goes on with next.
func Stuck(release <-chan struct{}, next Behaviour) Behaviour {
	return func(ctx context.Context, t fetchers.Task, sink fetchers.Sink) error {
		<-release
		return next(ctx, t, sink)
	}
}

var _ fetchers.Fetcher = (*Fake)(nil)
