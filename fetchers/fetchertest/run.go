package fetchertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
)

// run is one Fetch under observation.
type run struct {
	fetcher fetchers.Fetcher
	req     fetchers.Request
	request *artifact.Request
	tasks   []fetchers.Task
	onStage func(*folder)
	watch   time.Duration

	mu       sync.Mutex
	reports  map[*folder]*report
	returned bool
	after    []string // what was called when Fetch had returned
}

// report is what was said about one task.
type report struct {
	times    int
	document *fetchers.Document
	failure  fetchers.Failure
}

func (s Suite) newRun(dir string, urls []string) (*run, error) {
	request, err := artifact.New(artifact.Config{}).NewRequest(filepath.Join(dir, "out"))
	if err != nil {
		return nil, err
	}
	r := &run{
		fetcher: s.Fetcher, req: s.Request, request: request,
		reports: make(map[*folder]*report), watch: cmp.Or(s.watch, lateWatch),
	}
	for _, raw := range urls {
		u := parse(raw)
		r.tasks = append(r.tasks, fetchers.Task{URL: u, Folder: &folder{Folder: request.Folder(u), run: r, url: raw}})
	}
	return r, nil
}

// fetch calls Fetch. Its own error is for a Fetch that does not return.
func (r *run) fetch(ctx context.Context, limit time.Duration) (fetchErr, err error) {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if v := recover(); v != nil {
				done <- fmt.Errorf("panic: %v", v)
			}
		}()
		done <- r.fetcher.Fetch(ctx, r.req, r.tasks, sink{r})
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case fetchErr = <-done:
		r.mu.Lock()
		r.returned = true
		r.mu.Unlock()
		return fetchErr, nil
	case <-timer.C:
		return nil, fmt.Errorf("Fetch has not returned after %v", limit)
	}
}

// close ends the run. A second run may follow in the same folder.
func (r *run) close() { _ = r.request.Close() }

// noParts finds files that were left under temporary names.
func (r *run) noParts() error {
	var errs errorList
	errs.add(filepath.WalkDir(r.request.Path(), func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), fetchers.PartPrefix) {
			errs.addf("%s was left behind", path)
		}
		return err
	}))
	return errs.err()
}

// late reports what the fetcher did after Fetch had returned. It gives
// goroutines that were left behind the chance to run.
func (r *run) late() error {
	before := r.sizes()
	for end := time.Now().Add(r.watch); time.Now().Before(end); time.Sleep(time.Millisecond) {
		r.mu.Lock()
		after := strings.Join(r.after, ", ")
		r.mu.Unlock()
		if after != "" {
			return fmt.Errorf("after Fetch had returned: %s", after)
		}
	}
	if !maps.Equal(before, r.sizes()) {
		return errors.New("files changed after Fetch had returned")
	}
	return nil
}

// lateWatch is how long a run is watched after its end. A longer watch finds
// more; a shorter one never fails a fetcher that keeps the contract.
const lateWatch = 20 * time.Millisecond

// sizes are the sizes of all files of the run.
func (r *run) sizes() map[string]int64 {
	sizes := make(map[string]int64)
	_ = filepath.WalkDir(r.request.Path(), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if fi, err := e.Info(); err == nil && !e.IsDir() {
			sizes[path] = fi.Size()
		}
		return nil
	})
	return sizes
}

func (r *run) called(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.returned {
		r.after = append(r.after, what)
	}
}

// folder watches the calls to a task's folder.
type folder struct {
	*artifact.Folder
	run   *run
	url   string
	trees []string // names of folders made by Tree, guarded by run.mu
}

// Path implements fetchers.Folder.
func (f *folder) Path() (string, error) {
	f.run.called("Folder.Path")
	return f.Folder.Path()
}

// Write implements fetchers.Folder.
func (f *folder) Write(name string, r io.Reader) (fetchers.Body, error) {
	f.run.called("Folder.Write")
	b, err := f.Folder.Write(name, r)
	f.run.called("the end of Folder.Write")
	return b, err
}

// Adopt implements fetchers.Folder.
func (f *folder) Adopt(part, name string) (fetchers.Body, error) {
	f.run.called("Folder.Adopt")
	return f.Folder.Adopt(part, name)
}

// Remove implements fetchers.Folder.
func (f *folder) Remove(name string) error {
	f.run.called("Folder.Remove")
	return f.Folder.Remove(name)
}

// Tree implements fetchers.Folder.
func (f *folder) Tree(name string, fill func(*os.Root) error) (string, error) {
	f.run.called("Folder.Tree")
	path, err := f.Folder.Tree(name, fill)
	if err == nil {
		f.run.mu.Lock()
		f.trees = append(f.trees, filepath.Base(path))
		f.run.mu.Unlock()
	}
	f.run.called("the end of Folder.Tree")
	return path, err
}

// files are the names in the folder, trees aside, which must be a folder of
// files.
func (f *folder) files() []string {
	path, err := f.Folder.Path()
	if err != nil {
		return nil
	}
	var names []string
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil
	}
	f.run.mu.Lock()
	defer f.run.mu.Unlock()
	for _, e := range entries {
		if !slices.Contains(f.trees, e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names
}

// sink records the reports of a run.
type sink struct{ *run }

// Deliver implements fetchers.Sink.
func (s sink) Deliver(t fetchers.Task, d fetchers.Document) {
	s.report(t, "Deliver", func(r *report) { r.document = &d })
}

// Fail implements fetchers.Sink.
func (s sink) Fail(t fetchers.Task, f fetchers.Failure) {
	s.report(t, "Fail", func(r *report) { r.failure = f })
}

func (s sink) report(t fetchers.Task, what string, set func(*report)) {
	s.called(what)
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := t.Folder.(*folder)
	if !ok {
		s.after = append(s.after, what+" about a task that was not given")
		return
	}
	r := s.reports[f]
	if r == nil {
		r = &report{}
		s.reports[f] = r
	}
	r.times++
	set(r)
}

// Stage implements fetchers.Sink.
func (s sink) Stage(t fetchers.Task, _ fetchers.Stage) {
	s.called("Stage")
	if f, ok := t.Folder.(*folder); ok && s.onStage != nil {
		s.onStage(f)
	}
}

// Warn implements fetchers.Sink.
func (s sink) Warn(string) { s.called("Warn") }
