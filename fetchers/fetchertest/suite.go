package fetchertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pifetch/fetchers"
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
