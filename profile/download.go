package profile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
)

// downloads lets Chrome store the responses that tabs wait for, and nothing
// else: while no tab waits Chrome denies every download, and while one does, a
// download that no tab waits for is cancelled as it begins.
type downloads struct {
	conn    *conn
	dir     string // Chrome writes here, under names of its own
	timeout time.Duration

	behavior chan struct{} // holds a token; taken to change open and Chrome's setting
	open     int           // downloads awaited or running

	mu      sync.Mutex
	awaited map[proto.PageFrameID]*download
	running map[string]*download // by GUID; nil for a cancelled one
}

// newDownloads takes over the downloads of Chrome's persistent context. Files
// under way are kept in dir, which nobody else may use; call bounds each call.
func newDownloads(ctx context.Context, c *conn, dir string, call time.Duration) (*downloads, error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, fmt.Errorf("empty download folder: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make download folder: %w", err)
	}
	d := &downloads{
		conn:     c,
		dir:      dir,
		timeout:  call,
		behavior: make(chan struct{}, 1),
		awaited:  map[proto.PageFrameID]*download{},
		running:  map[string]*download{},
	}
	d.behavior <- struct{}{}
	remove := c.handle(browserSession, d.event)
	if err := d.allow(ctx, false); err != nil {
		remove()
		return nil, err
	}
	return d, nil
}

func (d *downloads) allow(ctx context.Context, yes bool) error {
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	set := proto.BrowserSetDownloadBehavior{Behavior: proto.BrowserSetDownloadBehaviorBehaviorDeny, EventsEnabled: true}
	if yes {
		set.Behavior = proto.BrowserSetDownloadBehaviorBehaviorAllowAndName
		set.DownloadPath = d.dir
	}
	if err := set.Call(d.conn.on(ctx, browserSession)); err != nil {
		return fmt.Errorf("set download behavior: %w", err)
	}
	return nil
}

// download is one response on its way to disk.
type download struct {
	owner *downloads
	frame proto.PageFrameID
	wake  chan struct{} // told of every change

	mu       sync.Mutex
	guid     string
	received int64 // the most there was: Chrome starts again after an interruption
	state    proto.BrowserDownloadProgressState
}

// await allows the next download of a frame. The caller must release it.
func (d *downloads) await(ctx context.Context, frame proto.PageFrameID) (*download, error) {
	select {
	case <-d.behavior:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { d.behavior <- struct{}{} }()
	if d.open == 0 {
		if err := d.allow(ctx, true); err != nil {
			return nil, err
		}
	}
	d.open++
	l := &download{owner: d, frame: frame, wake: make(chan struct{}, 1)}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.awaited[frame] = l
	return l, nil
}

// release ends the wait: a download still running is cancelled, its file removed.
func (l *download) release() {
	d := l.owner
	d.mu.Lock()
	if d.awaited[l.frame] == l {
		delete(d.awaited, l.frame)
	}
	l.mu.Lock()
	guid, state := l.guid, l.state
	l.mu.Unlock()
	if guid != "" && state == proto.BrowserDownloadProgressStateInProgress {
		d.running[guid] = nil
	}
	d.mu.Unlock()

	if guid != "" {
		if state == proto.BrowserDownloadProgressStateInProgress {
			d.cancel(guid)
		}
		_ = os.Remove(l.path())
	}
	<-d.behavior
	defer func() { d.behavior <- struct{}{} }()
	if d.open--; d.open == 0 {
		_ = d.allow(context.Background(), false)
	}
}

func (d *downloads) cancel(guid string) {
	ctx, cancel := context.WithTimeout(context.Background(), d.timeout)
	defer cancel()
	_ = proto.BrowserCancelDownload{GUID: guid}.Call(d.conn.on(ctx, browserSession))
}

// event runs on the connection's reader.
func (d *downloads) event(e *cdp.Event) {
	switch e.Method {
	case "Browser.downloadWillBegin":
		var begin proto.BrowserDownloadWillBegin
		if json.Unmarshal(e.Params, &begin) != nil || begin.GUID == "" {
			return
		}
		d.mu.Lock()
		l := d.awaited[begin.FrameID]
		delete(d.awaited, begin.FrameID)
		d.running[begin.GUID] = l
		if l == nil {
			go d.cancel(begin.GUID)
		} else { // under d.mu: a release that comes after must know what to cancel
			l.update(func() { l.guid, l.state = begin.GUID, proto.BrowserDownloadProgressStateInProgress })
		}
		d.mu.Unlock()
	case "Browser.downloadProgress":
		var progress proto.BrowserDownloadProgress
		if json.Unmarshal(e.Params, &progress) != nil {
			return
		}
		d.mu.Lock()
		l, known := d.running[progress.GUID]
		ended := progress.State != proto.BrowserDownloadProgressStateInProgress
		if ended {
			delete(d.running, progress.GUID)
		}
		d.mu.Unlock()
		switch {
		case l != nil:
			l.update(func() { l.received, l.state = max(l.received, int64(progress.ReceivedBytes)), progress.State })
		case known && ended:
			go func() { _ = os.Remove(filepath.Join(d.dir, progress.GUID)) }()
		}
	}
}

func (l *download) update(change func()) {
	l.mu.Lock()
	change()
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// path is where the file is, once the download has begun.
func (l *download) path() string { return filepath.Join(l.owner.dir, filepath.Base(l.guid)) }

// progress is the state and the number of bytes on disk, which grows more
// steadily than Chrome reports it.
func (l *download) progress() (begun bool, bytes int64, state proto.BrowserDownloadProgressState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	bytes = l.received
	if l.guid == "" {
		return false, 0, ""
	}
	if fi, err := os.Stat(l.path()); err == nil {
		bytes = max(bytes, fi.Size())
	}
	return true, bytes, l.state
}

const (
	sizePoll    = 50 * time.Millisecond  // between looks at a growing file
	reportEvery = 500 * time.Millisecond // between reports of its size, at least
)

// wait follows a download to its end and returns the number of bytes it came
// to. It fails when the download goes over a limit or ends before its length.
func (l *download) wait(ctx context.Context, o tabOptions, r response, report func(bytes, total int64)) (int64, error) {
	deadline := time.NewTimer(o.Download)
	defer deadline.Stop()
	stall := time.NewTimer(o.Stall)
	defer stall.Stop()
	poll := time.NewTicker(sizePoll)
	defer poll.Stop()

	total := r.length()
	if r.encoded() {
		total = 0
	}
	var last int64
	var reported time.Time
	for {
		begun, bytes, state := l.progress()
		if bytes != last {
			last = bytes
			stall.Reset(o.Stall)
			if now := time.Now(); now.Sub(reported) >= reportEvery {
				reported = now
				report(bytes, total)
			}
		}
		switch {
		case bytes > o.MaxBytes:
			return 0, tooLarge(0, o.MaxBytes)
		case !begun:
		case state == proto.BrowserDownloadProgressStateCompleted:
			if total > 0 && bytes != total {
				return 0, failure(KindTruncated, "truncated download: %d of %d bytes came", bytes, total)
			}
			return bytes, nil
		case state == proto.BrowserDownloadProgressStateCanceled:
			if total > 0 {
				return 0, failure(KindTruncated, "truncated download: the connection ended after %d of %d bytes", bytes, total)
			}
			return 0, failure(KindTruncated, "truncated download: the connection ended after %d bytes", bytes)
		}
		select {
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		case <-deadline.C:
			return 0, failure(KindTimeout, "download timed out after %s at %s", o.Download, megabytes(last))
		case <-stall.C:
			return 0, failure(KindTimeout, "download stalled: no byte for %s, %s so far", o.Stall, megabytes(last))
		case <-l.wake:
		case <-poll.C:
		}
	}
}

// moveTo gives the complete file its place.
func (l *download) moveTo(path string) error {
	err := os.Rename(l.path(), path)
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	from, err := os.Open(l.path())
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// tooLarge is the failure of a body over the cap; size is 0 when unknown.
func tooLarge(size, limit int64) *VisitError {
	if size > 0 {
		return failure(KindTooLarge, "too large: %s, over the %s cap", megabytes(size), megabytes(limit))
	}
	return failure(KindTooLarge, "too large: over the %s cap", megabytes(limit))
}

func megabytes(n int64) string {
	const mb = 1 << 20
	switch {
	case n >= mb && n%mb == 0, n >= 100*mb:
		return fmt.Sprintf("%d MB", (n+mb/2)/mb)
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/mb)
	}
}
