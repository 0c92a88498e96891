package fetchertest

import (
	"bytes"
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
	"testing"
	"time"
	"unicode/utf8"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/internal/weburl"
)

// Suite says what a fetcher makes of some URLs, which the test serves, so that
// Run can check that it keeps the contract of fetchers.Fetcher.
//
//	func TestConformance(t *testing.T) {
//		srv := newServer(t)
//		fetchertest.Run(t, fetchertest.Suite{
//			Fetcher:   local.New(local.Config{…}),
//			Documents: []string{srv.URL + "/page", srv.URL + "/file.pdf"},
//			Failures:  []string{srv.URL + "/missing"},
//			Unclaimed: []string{"ftp://example.com/"},
//			Slow:      srv.URL + "/hangs",
//			Hits:      srv.Hits,
//		})
//	}
type Suite struct {
	Fetcher fetchers.Fetcher
	Request fetchers.Request

	Documents []string // become documents
	Failures  []string // are claimed and fail
	Silent    []string // are claimed, and then nothing is reported
	Unclaimed []string // are not claimed
	Slow      string   // is claimed and takes until it is cancelled; "" when there is none

	// Hits counts what the test's server was asked for. Claims must not ask.
	// Nil skips that check.
	Hits func() int

	// Limit is how long anything may take before the test is given up, one
	// minute when zero. It says nothing about how long it should take.
	Limit time.Duration

	watch time.Duration // lateWatch when zero
}

// Run checks the fetcher. Subtests run one after the other.
func Run(t *testing.T, s Suite) {
	if s.Limit == 0 {
		s.Limit = time.Minute
	}
	for _, c := range s.checks() {
		t.Run(c.name, func(t *testing.T) {
			if c.skip {
				t.Skip("the suite names no URL for it")
			}
			dir, err := os.MkdirTemp("", "fetchertest")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			if err := c.run(t.Context(), dir); err != nil {
				t.Error(err)
			}
		})
	}
}

type suiteCheck struct {
	name string
	skip bool
	run  func(ctx context.Context, dir string) error
}

func (s Suite) checks() []suiteCheck {
	return []suiteCheck{
		{"Source", false, s.checkSource},
		{"Claims", false, s.checkClaims},
		{"Documents", len(s.Documents) == 0, s.checkEach(s.Documents)},
		{"Failures", len(s.Failures) == 0, s.checkEach(s.Failures)},
		{"Silent", len(s.Silent) == 0, s.checkEach(s.Silent)},
		{"Batch", false, s.checkBatch},
		{"Concurrent", false, s.checkConcurrent},
		{"NoTasks", false, s.checkNoTasks},
		{"CancelledBeforehand", false, s.checkCancelledBeforehand},
		{"Cancel", s.Slow == "", s.checkCancel},
		{"DiscardedFolder", len(s.Documents) == 0, s.checkDiscardedFolder},
	}
}

func parse(raw string) fetchers.URL {
	u, _ := weburl.Parse(raw)
	return fetchers.URL{Asked: weburl.Redact(raw), Parsed: u}
}

// claimed are all URLs that the fetcher claims and that end by themselves.
func (s Suite) claimed() []string { return slices.Concat(s.Documents, s.Failures, s.Silent) }

func (s Suite) checkSource(context.Context, string) error {
	name := s.Fetcher.Source()
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		return fmt.Errorf("source %q is not a word in lower case", name)
	}
	if again := s.Fetcher.Source(); again != name {
		return fmt.Errorf("source %q became %q", name, again)
	}
	return nil
}

func (s Suite) checkClaims(context.Context, string) error {
	hits := 0
	if s.Hits != nil {
		hits = s.Hits()
	}
	want := make(map[string]bool)
	for _, raw := range s.claimed() {
		want[raw] = true
	}
	if s.Slow != "" {
		want[s.Slow] = true
	}
	for _, raw := range s.Unclaimed {
		want[raw] = false
	}
	var errs errorList
	var wg sync.WaitGroup
	for range 4 { // at the same time, and always the same answer
		wg.Go(func() {
			for raw, claimed := range want {
				if got := s.Fetcher.Claims(s.Request, parse(raw)); got != claimed {
					errs.addf("Claims(%q) = %v, want %v", raw, got, claimed)
				}
			}
			for _, raw := range []string{"", "/relative", "git@github.com:o/r.git", "mailto:a@b.example", "javascript:alert(1)", "http://[::1]/", "file:///etc/passwd"} {
				first, second := s.Fetcher.Claims(s.Request, parse(raw)), s.Fetcher.Claims(s.Request, parse(raw))
				if first != second {
					errs.addf("Claims(%q) = %v, then %v", raw, first, second)
				}
			}
		})
	}
	wg.Wait()
	if s.Hits != nil && s.Hits() != hits {
		errs.addf("Claims made %d requests", s.Hits()-hits)
	}
	return errs.err()
}

// checkEach fetches each URL on its own.
func (s Suite) checkEach(urls []string) func(ctx context.Context, dir string) error {
	return func(ctx context.Context, dir string) error {
		var errs errorList
		for _, raw := range urls {
			errs.add(s.fetchAndCheck(ctx, dir, []string{raw}))
		}
		return errs.err()
	}
}

func (s Suite) checkBatch(ctx context.Context, dir string) error {
	return s.fetchAndCheck(ctx, dir, s.claimed())
}

// checkConcurrent fetches everything several times at once.
func (s Suite) checkConcurrent(ctx context.Context, dir string) error {
	var errs errorList
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			errs.add(s.fetchAndCheck(ctx, filepath.Join(dir, fmt.Sprint(i)), s.claimed()))
		})
	}
	wg.Wait()
	return errs.err()
}

func (s Suite) checkNoTasks(ctx context.Context, dir string) error {
	return s.fetchAndCheck(ctx, dir, nil)
}

func (s Suite) checkCancelledBeforehand(ctx context.Context, dir string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	cancel(errCancelled)
	run, err := s.newRun(dir, s.claimed())
	if err != nil {
		return err
	}
	defer run.close()
	_, err = run.fetch(ctx, s.Limit)
	return errors.Join(err, run.noParts(), run.late())
}

// checkCancel cancels a fetch of the slow URL as soon as it has begun.
func (s Suite) checkCancel(ctx context.Context, dir string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	run, err := s.newRun(dir, append(s.claimed(), s.Slow))
	if err != nil {
		return err
	}
	defer run.close()
	slow := run.tasks[len(run.tasks)-1].Folder.(*folder)
	run.onStage = func(f *folder) {
		if f == slow {
			cancel(errCancelled)
		}
	}
	var errs errorList
	_, err = run.fetch(ctx, s.Limit)
	errs.add(err)
	if ctx.Err() == nil {
		errs.addf("no stage of %s was reported before Fetch returned", s.Slow)
	}
	if r := run.reports[slow]; r != nil && r.document != nil {
		errs.addf("%s became a document, it is meant to take until it is cancelled", s.Slow)
	}
	errs.add(run.noParts())
	errs.add(run.late())
	return errs.err()
}

// checkDiscardedFolder takes the folder away before the fetcher writes, as the
// router does at the end of a request. The fetcher must fail or say nothing.
func (s Suite) checkDiscardedFolder(ctx context.Context, dir string) error {
	run, err := s.newRun(dir, s.Documents)
	if err != nil {
		return err
	}
	defer run.close()
	for _, t := range run.tasks {
		if err := t.Folder.(*folder).Discard(); err != nil {
			return err
		}
	}
	var errs errorList
	_, err = run.fetch(ctx, s.Limit)
	errs.add(err)
	for f, r := range run.reports {
		if r.document != nil && len(r.document.Bodies) > 0 {
			errs.addf("%s: a document with files although nothing could be written", f.url)
		}
	}
	errs.add(run.late())
	return errs.err()
}

var errCancelled = errors.New("cancelled by the suite")

// fetchAndCheck fetches URLs in one call and checks all that can be checked
// about the reports and the files.
func (s Suite) fetchAndCheck(ctx context.Context, dir string, urls []string) error {
	run, err := s.newRun(dir, urls)
	if err != nil {
		return err
	}
	defer run.close()
	fetchErr, err := run.fetch(ctx, s.Limit)
	if err != nil {
		return err
	}
	var errs errorList
	if fetchErr != nil {
		errs.addf("Fetch: %w", fetchErr)
	}
	for i, t := range run.tasks {
		f := t.Folder.(*folder)
		r := run.reports[f]
		switch {
		case r == nil:
			if !slices.Contains(s.Silent, urls[i]) {
				errs.addf("%s: nothing was reported", urls[i])
			}
		case r.times > 1:
			errs.addf("%s: reported %d times", urls[i], r.times)
		case r.document != nil:
			if !slices.Contains(s.Documents, urls[i]) {
				errs.addf("%s: became a document", urls[i])
			}
			errs.add(checkDocument(urls[i], *r.document, f))
		default:
			if !slices.Contains(s.Failures, urls[i]) {
				errs.addf("%s: failed: %s", urls[i], r.failure.Reason)
			}
			errs.add(checkReason(urls[i], r.failure.Reason))
		}
	}
	errs.add(run.noParts())
	errs.add(run.late())
	return errs.err()
}

func checkReason(url, reason string) error {
	if reason == "" || reason != strings.Join(strings.Fields(reason), " ") {
		return fmt.Errorf("%s: reason %q is not one line", url, reason)
	}
	return nil
}

func checkDocument(url string, d fetchers.Document, f *folder) error {
	var errs errorList
	if source, shape, ok := strings.Cut(d.Kind, "."); !ok || source == "" || shape == "" {
		errs.addf("%s: kind %q is not <source>.<shape>", url, d.Kind)
	}
	if d.Title == "" || strings.ContainsAny(d.Title, "\r\n") {
		errs.addf("%s: title %q is not one line", url, d.Title)
	}
	for _, fact := range d.Facts {
		if fact == "" || strings.ContainsAny(fact, "\r\n") {
			errs.addf("%s: fact %q is not one line", url, fact)
		}
	}
	if len(d.Excerpt) > fetchers.ExcerptBytes || !utf8.ValidString(d.Excerpt) {
		errs.addf("%s: excerpt of %d bytes, valid UTF-8: %v", url, len(d.Excerpt), utf8.ValidString(d.Excerpt))
	}
	if d.Link != "" {
		if u, err := weburl.Parse(d.Link); err != nil || u.User != nil {
			errs.addf("%s: link %q: %v", url, d.Link, err)
		}
	}
	if len(d.Bodies) == 0 {
		errs.addf("%s: no bodies", url)
	}
	named := make(map[string]bool)
	for _, b := range d.Bodies {
		named[b.Name] = true
		errs.add(checkBody(url, b, f))
	}
	for _, name := range f.files() {
		if !named[name] {
			errs.addf("%s: %s is in the folder, but no body of the document", url, name)
		}
	}
	return errs.err()
}

// checkBody compares what is said about a body with its file.
func checkBody(url string, b fetchers.Body, f *folder) error {
	path, err := f.Folder.Path()
	if err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	if b.Name != artifact.SafeName(b.Name) || b.Path != filepath.Join(path, b.Name) {
		return fmt.Errorf("%s: body %q is at %s, which is not in %s", url, b.Name, b.Path, path)
	}
	content, err := os.ReadFile(b.Path)
	if err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	lines := bytes.Count(content, []byte("\n"))
	if len(content) > 0 && content[len(content)-1] != '\n' {
		lines++
	}
	if !utf8.Valid(content) || bytes.IndexByte(content, 0) >= 0 {
		lines = 0
	}
	if b.Bytes != int64(len(content)) || b.Lines != lines {
		return fmt.Errorf("%s: %s has %d bytes and %d lines, said to have %d and %d", url, b.Name, len(content), lines, b.Bytes, b.Lines)
	}
	last := 0
	for _, h := range b.Outline {
		if h.Line <= last || h.Line > lines || h.Level < 1 || h.Level > 6 || h.Text == "" || strings.ContainsAny(h.Text, "\r\n") {
			return fmt.Errorf("%s: %s has an impossible heading %+v", url, b.Name, h)
		}
		last = h.Line
	}
	return nil
}

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

// errorList collects errors from several goroutines.
type errorList struct {
	mu   sync.Mutex
	errs []error
}

func (l *errorList) add(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errs = append(l.errs, err)
}

func (l *errorList) addf(format string, args ...any) { l.add(fmt.Errorf(format, args...)) }

func (l *errorList) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.errs...)
}
