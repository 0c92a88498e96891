package router

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/internal/weburl"
)

// errDone ends the fetchers' context when every URL has its outcome.
var errDone = errors.New("every URL is resolved")

// cascade is the run of one request.
type cascade struct {
	router *Router
	req    Request
	folder *artifact.Request

	ctx    context.Context // the request's
	work   context.Context // the fetchers': ends with ctx, or when all is done
	finish context.CancelCauseFunc
	idle   chan struct{} // closed when over and no Fetch call runs

	mu       sync.Mutex
	over     bool           // no further Fetch call begins
	running  map[string]int // Fetch calls by source
	items    []*item
	open     int                           // items without an outcome
	attempts map[*artifact.Folder]*attempt // those that may still report
	warnings []string
}

// item is one distinct URL on its way down the chain.
type item struct {
	url     fetchers.URL
	invalid error // why it does not parse
	next    int   // the first fetcher it has not been offered to
	outcome fetchers.Outcome
}

// attempt is one fetcher's try at an item.
type attempt struct {
	item    *item
	fetcher fetchers.Fetcher
	folder  *artifact.Folder
}

func newCascade(ctx context.Context, r *Router, req Request, folder *artifact.Request) *cascade {
	c := &cascade{
		router:   r,
		req:      req,
		folder:   folder,
		ctx:      ctx,
		idle:     make(chan struct{}),
		running:  make(map[string]int),
		attempts: make(map[*artifact.Folder]*attempt),
		warnings: slices.Clone(folder.Warnings()),
	}
	c.work, c.finish = context.WithCancelCause(ctx)
	seen := make(map[string]bool)
	for _, raw := range req.URLs {
		if key := weburl.Key(raw); !seen[key] {
			seen[key] = true
			u, err := ParseURL(raw)
			c.items = append(c.items, &item{url: u, invalid: err, outcome: fetchers.Outcome{URL: u.Asked}})
		}
	}
	c.open = len(c.items)
	return c
}

func (c *cascade) start() {
	if len(c.items) == 0 {
		c.finish(errDone)
		return
	}
	c.offer(c.items)
}

// offer hands items to the next fetchers that claim them, those of one
// fetcher in one batch.
func (c *cascade) offer(items []*item) {
	if c.ctx.Err() != nil {
		return
	}
	all := c.router.cfg.Fetchers
	batches := make([][]*item, len(all))
	for _, it := range items {
		i := c.router.claimant(c.req.Fetch, it.url, it.next)
		it.next = i + 1
		if i == len(all) {
			c.exhausted(it)
			continue
		}
		batches[i] = append(batches[i], it)
	}
	for i, batch := range batches {
		if len(batch) > 0 {
			c.call(all[i], batch)
		}
	}
}

// exhausted gives an item up: there is no fetcher left.
func (c *cascade) exhausted(it *item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(it.outcome.Attempts) == 0 {
		it.outcome.Reason = whyNobody(it)
	}
	c.closeLocked()
}

// closeLocked counts an item as resolved.
func (c *cascade) closeLocked() {
	if c.open--; c.open == 0 {
		c.finish(errDone)
	}
}

func whyNobody(it *item) string {
	switch {
	case errors.Is(it.invalid, weburl.ErrNotAbsolute):
		return "not an absolute URL: it must start with http:// or https://"
	case it.invalid != nil:
		return line(it.invalid.Error())
	case it.url.Parsed.Scheme != "http" && it.url.Parsed.Scheme != "https":
		return fmt.Sprintf("unsupported scheme %q: http and https only", it.url.Parsed.Scheme)
	}
	return "no source could fetch this URL"
}

// call runs one Fetch of f.
func (c *cascade) call(f fetchers.Fetcher, batch []*item) {
	attempts := make([]*attempt, len(batch))
	tasks := make([]fetchers.Task, len(batch))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	for i, it := range batch {
		a := &attempt{item: it, fetcher: f, folder: c.folder.Folder(it.url)}
		c.attempts[a.folder] = a
		attempts[i] = a
		tasks[i] = fetchers.Task{URL: it.url, Folder: a.folder}
	}
	c.running[f.Source()]++
	go func() {
		defer c.ended(f)
		err := c.fetch(f, tasks)
		c.settle(attempts, err)
	}()
}

// ended counts a Fetch call of f as returned.
func (c *cascade) ended(f fetchers.Fetcher) {
	c.mu.Lock()
	defer c.mu.Unlock()
	source := f.Source()
	if c.running[source]--; c.running[source] == 0 {
		delete(c.running, source)
	}
	c.checkIdleLocked()
}

func (c *cascade) checkIdleLocked() {
	if c.over && len(c.running) == 0 {
		close(c.idle)
	}
}

// fetch calls f and turns a panic into an error.
func (c *cascade) fetch(f fetchers.Fetcher, tasks []fetchers.Task) (err error) {
	defer func() {
		if v := recover(); v != nil {
			c.router.logPanic(f, v)
			err = fmt.Errorf("internal error: %v", v)
		}
	}()
	return f.Fetch(c.work, c.req.Fetch, tasks, sink{c, f})
}

// settle ends the attempts a fetcher reported nothing about before it
// returned. An error of the fetcher is each one's failure; without one they
// cascade as if the fetcher had not claimed them.
func (c *cascade) settle(attempts []*attempt, err error) {
	var items []*item
	for _, a := range attempts {
		if !c.take(a.folder) {
			continue
		}
		if err != nil {
			c.failed(a, err.Error())
		}
		c.discard(a)
		items = append(items, a.item)
	}
	c.offer(items)
}

// take ends an attempt. It reports false when the attempt is over already, or
// the whole request is: then nothing more is heard about it.
func (c *cascade) take(f *artifact.Folder) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.takeLocked(f) != nil
}

func (c *cascade) takeLocked(f *artifact.Folder) *attempt {
	a := c.attempts[f]
	delete(c.attempts, f)
	if c.ctx.Err() != nil {
		return nil
	}
	return a
}

// failed adds to the trail of an attempt's URL.
func (c *cascade) failed(a *attempt, reason string) {
	if reason = line(reason); reason == "" {
		reason = "failed without a reason"
	}
	c.mu.Lock()
	a.item.outcome.Attempts = append(a.item.outcome.Attempts, fetchers.Attempt{Source: a.fetcher.Source(), Reason: reason})
	c.mu.Unlock()
	c.router.cfg.Log.Debug("attempt failed", "source", a.fetcher.Source(), "url", a.item.url.Asked, "reason", reason)
}

// discard removes what an attempt wrote, before another fetcher gets the URL.
func (c *cascade) discard(a *attempt) { c.log(a.folder.Discard()) }

func (c *cascade) log(err error) {
	if err != nil {
		c.router.cfg.Log.Warn("clean-up after a fetch failed", "error", err)
	}
}

// wait returns when every URL has its outcome, or the request was cancelled,
// and every fetcher has returned, or had a grace to do so.
func (c *cascade) wait() {
	<-c.work.Done()
	c.mu.Lock()
	c.over = true
	c.checkIdleLocked()
	c.mu.Unlock()

	grace := time.NewTimer(c.router.cfg.Grace)
	defer grace.Stop()
	select {
	case <-c.idle:
	case <-grace.C:
		c.mu.Lock()
		sources := slices.Sorted(maps.Keys(c.running))
		c.mu.Unlock()
		c.router.cfg.Log.Error("fetcher does not return", "sources", sources)
	}
}

// abandon removes what a cancelled request wrote, and again what another
// program still wrote for a fetcher that outlived its grace.
func (c *cascade) abandon() {
	c.log(c.folder.Remove())
	end := func() {
		<-c.idle
		c.log(errors.Join(c.folder.Remove(), c.folder.Close()))
	}
	select {
	case <-c.idle:
		end()
	default:
		go end()
	}
}

// result is what became of the request, without nil slices.
func (c *cascade) result() fetchers.Result {
	c.mu.Lock()
	defer c.mu.Unlock()
	res := fetchers.Result{
		ArtifactRoot: c.folder.Path(),
		Outcomes:     make([]fetchers.Outcome, len(c.items)),
		Warnings:     append([]string{}, c.warnings...),
	}
	for i, it := range c.items {
		res.Outcomes[i] = it.outcome
		res.Outcomes[i].Attempts = append([]fetchers.Attempt{}, it.outcome.Attempts...)
	}
	return res
}

// sink takes the reports of one fetcher.
type sink struct {
	c       *cascade
	fetcher fetchers.Fetcher
}

// Deliver implements fetchers.Sink.
func (s sink) Deliver(t fetchers.Task, d fetchers.Document) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	a := s.c.takeLocked(folderOf(t))
	if a == nil {
		return
	}
	u := a.item.url
	d.Source, d.URL = s.fetcher.Source(), u.Asked
	if d.Link = weburl.Redact(d.Link); weburl.Key(d.Link) == weburl.Key(u.Asked) {
		d.Link = ""
	}
	d.Excerpt = head(d.Excerpt, fetchers.ExcerptBytes)
	d.Bodies = append([]fetchers.Body{}, d.Bodies...)
	a.item.outcome.Document = &d
	s.c.statusLocked(u, fetchers.Stage{Name: fetchers.StageWritten})
	s.c.closeLocked()
}

// Fail implements fetchers.Sink.
func (s sink) Fail(t fetchers.Task, f fetchers.Failure) {
	s.c.mu.Lock()
	a := s.c.takeLocked(folderOf(t))
	s.c.mu.Unlock()
	if a == nil {
		return
	}
	s.c.failed(a, f.Reason)
	s.c.discard(a)
	if f.Final {
		s.c.exhausted(a.item)
		return
	}
	s.c.offer([]*item{a.item})
}

// Stage implements fetchers.Sink.
func (s sink) Stage(t fetchers.Task, stage fetchers.Stage) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	if a := s.c.attempts[folderOf(t)]; a != nil && s.c.ctx.Err() == nil && stage.Name != fetchers.StageWritten {
		s.c.statusLocked(a.item.url, stage)
	}
}

// Warn implements fetchers.Sink.
func (s sink) Warn(text string) {
	text = s.fetcher.Source() + ": " + line(text)
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	if !slices.Contains(s.c.warnings, text) {
		s.c.warnings = append(s.c.warnings, text)
	}
}

func (c *cascade) statusLocked(u fetchers.URL, s fetchers.Stage) {
	if c.req.Status != nil {
		c.req.Status(u.Asked, s)
	}
}

// folderOf is the folder the router made for a task, nil for any other.
func folderOf(t fetchers.Task) *artifact.Folder {
	f, _ := t.Folder.(*artifact.Folder)
	return f
}

// line is text on one line, without the userinfo of URLs in it.
func line(s string) string { return weburl.RedactText(strings.Join(strings.Fields(s), " ")) }

// head is at most n bytes of the beginning of s, whole runes.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
