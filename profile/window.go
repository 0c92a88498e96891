package profile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"pifetch/profile/installed"
)

// Window is a login window.
type Window struct {
	PID    int
	URL    string // without userinfo
	Opened time.Time
}

// window is an open login window, our child or an earlier daemon's.
type window struct {
	windowRecord
	lock   *flock.Flock  // nil when it could not be had on taking over
	closed chan struct{} // closed when the window is
}

// windowRecord is the content of interactive.json.
type windowRecord struct {
	process
	URL     string    `json:"url,omitempty"` // without userinfo
	Opened  time.Time `json:"opened"`
	Profile string    `json:"profile"`           // its folder
	Display []string  `json:"display,omitempty"` // where it stands, as environment variables
	Hosts   []string  `json:"hosts,omitempty"`   // of the URLs that were opened in it later; guarded by Browser.mu
}

// Opened is the answer of OpenWindow.
type Opened struct {
	PID     int
	Already bool // a window was open before; the URL was opened in it
}

// OpenWindow opens a login window on the profile, at rawURL unless that is
// empty, and returns when it is up. Running visits get Config.WindowGrace and
// fail with ErrInteractive then; waiting and new ones fail with it at once,
// until the window is closed, visits in a headed Chrome among them. While one is open, its Chrome opens rawURL in
// addition. display holds the caller's display variables; others are ignored.
// The window outlives the Browser and the end of ctx.
func (b *Browser) OpenWindow(ctx context.Context, rawURL string, display map[string]string) (Opened, error) {
	target, err := windowURL(rawURL)
	if err != nil {
		return Opened{}, err
	}
	if err := b.enter(ctx); err != nil {
		return Opened{}, err
	}
	defer b.leave()

	o := b.options()
	exe, err := findExecutable(ctx, b.cfg, o)
	if err != nil {
		return Opened{}, err
	}
	if w := b.openWindow(); w != nil {
		b.noteHost(w, target.Hostname())
		handed, err := b.handOver(ctx, w, exe, target, display)
		if err != nil {
			return Opened{}, err
		}
		if handed {
			return Opened{PID: w.PID, Already: true}, nil
		}
	}
	env := windowEnv(b.cfg.Env, display)
	if err := checkDisplay(ctx, env, b.cfg.DisplayWait); err != nil {
		return Opened{}, noDisplay(err)
	}
	if err := b.yield(ctx); err != nil {
		return Opened{}, err
	}
	w, err := b.startWindow(context.WithoutCancel(ctx), exe, o, target, env)
	if err != nil {
		b.resume()
		return Opened{}, err
	}
	return Opened{PID: w.PID}, nil
}

// CloseWindow makes the login window close and waits until it has. It reports
// false when none is open.
func (b *Browser) CloseWindow(ctx context.Context) (bool, error) {
	if err := b.enter(ctx); err != nil {
		return false, err
	}
	defer b.leave()
	w := b.openWindow()
	if w == nil {
		return false, nil
	}
	// On HUP Chrome quits as from its menu, cookies written, unless a page
	// asks to stay. On TERM it takes the session for ending and leaves at
	// once, without the cookies of the last half minute: the login, that is.
	for _, step := range []struct {
		signal syscall.Signal
		grace  time.Duration
	}{{syscall.SIGHUP, b.cfg.CloseGrace}, {syscall.SIGTERM, b.cfg.TermGrace}} {
		if w.alive() {
			if err := syscall.Kill(w.PID, step.signal); err != nil && !errors.Is(err, syscall.ESRCH) {
				return false, fmt.Errorf("close the login window (pid %d): %w", w.PID, err)
			}
		}
		grace := time.NewTimer(step.grace)
		select {
		case <-w.closed:
			grace.Stop()
			return true, nil
		case <-ctx.Done():
			grace.Stop()
			return false, context.Cause(ctx)
		case <-grace.C:
		}
	}
	return false, fmt.Errorf("the login window (pid %d) does not close: close it by hand", w.PID)
}

// Window returns a channel that is closed when the open login window closes,
// nil when none is open.
func (b *Browser) Window() <-chan struct{} {
	if w := b.openWindow(); w != nil {
		return w.closed
	}
	return nil
}

func (b *Browser) openWindow() *window {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.window
}

// enter waits for the turn to open or close the window; leave ends it.
func (b *Browser) enter(ctx context.Context) error {
	select {
	case b.windows <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if b.life.Err() != nil {
		b.leave()
		return errClosed
	}
	return nil
}

func (b *Browser) leave() { <-b.windows }

// windowURL checks what a person wants to see.
func windowURL(raw string) (*url.URL, error) {
	if raw == "" {
		return &url.URL{}, nil
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("the login window opens http and https URLs only")
	}
	return u, nil
}

// yield makes visits give the profile up and ends their Chrome. When it
// fails, visits go on.
func (b *Browser) yield(ctx context.Context) error {
	b.pool.refuse(ErrInteractive)
	grace := time.NewTimer(b.cfg.WindowGrace)
	defer grace.Stop()
	select {
	case <-b.pool.whenQuiet():
	case <-grace.C:
		b.pool.interrupt(ErrInteractive)
	case <-ctx.Done():
		b.resume()
		return context.Cause(ctx)
	case <-b.life.Done():
		return errClosed
	}
	b.stop(context.WithoutCancel(ctx))
	return nil
}

// resume lets visits have the profile again.
func (b *Browser) resume() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.resumeLocked()
}

func (b *Browser) resumeLocked() {
	if !b.closed {
		b.pool.accept()
	}
}

// startWindow starts a plain headed Chrome and returns once it is up: when
// Chrome's own lock of the profile is that process's, which it takes after it
// has found its display.
func (b *Browser) startWindow(ctx context.Context, exe executable, o LaunchOptions, target *url.URL, env []string) (*window, error) {
	dir, lock, err := openProfile(ctx, b.cfg, o, exe)
	if err != nil {
		return nil, err
	}
	w := &window{lock: lock, closed: make(chan struct{})}
	w.Profile, w.URL, w.Opened, w.Display = dir, shown(target), time.Now(), pick(env, displayEnv)

	output := b.cfg.Interactive + ".log"
	out, err := os.OpenFile(output, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	cmd := exec.Command(exe.path, windowFlags(dir, exe.sandboxed, target.String())...)
	cmd.Dir = dir // not where the daemon happens to run: the window may outlive a mount
	cmd.Env = env
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no signal of our terminal or group ends it
	err = cmd.Start()
	out.Close()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the login window: %w", err), lock.Close())
	}
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(exited)
	}()
	// Written before it is up: should the daemon die now, the next one knows
	// whose Chrome this is.
	w.process, _ = findProcess(cmd.Process.Pid)
	b.record(w)

	if err := b.awaitWindow(w, exited); err != nil {
		endChild(cmd.Process.Pid, exited, b.cfg.TermGrace)
		said, _ := os.ReadFile(output)
		if inUse := checkChromeLock(dir); inUse != nil {
			err = inUse
		} else {
			err = windowError(err, string(said))
		}
		return nil, errors.Join(err, os.Remove(b.cfg.Interactive), lock.Close())
	}
	b.record(w)
	b.keep(w, exited)
	b.cfg.Log.Info("login window opened", "pid", w.PID)
	return w, nil
}

var (
	errWindowEnded = errors.New("it ended at once")
	errWindowSlow  = errors.New("it did not come up in time")
)

// awaitWindow waits until Chrome's lock names the child, or a process of its
// group when the executable is a wrapper, and makes that the window's process.
func (b *Browser) awaitWindow(w *window, exited <-chan struct{}) error {
	child := w.PID
	deadline := time.NewTimer(b.cfg.Start)
	defer deadline.Stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if l, ok := installed.ReadLock(w.Profile); ok {
			group, err := syscall.Getpgid(l.PID)
			if p, running := findProcess(l.PID); running && err == nil && group == child {
				w.process = p
				return nil
			}
		}
		select {
		case <-exited:
			return errWindowEnded
		case <-deadline.C:
			return errWindowSlow
		case <-tick.C:
		}
	}
}

// windowError says why a window did not open.
func windowError(err error, said string) error {
	for _, sign := range []string{"Missing X server", "cannot open display", "Failed to connect to Wayland display", "Unable to open X display"} {
		if strings.Contains(said, sign) {
			return noDisplay(errors.New(sign))
		}
	}
	return fmt.Errorf("open the login window: %w: %s", err, complaint(said))
}

// endChild ends a process group whose leader is our child.
func endChild(pid int, exited <-chan struct{}, grace time.Duration) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		select {
		case <-exited:
			return
		default:
			_ = syscall.Kill(-pid, sig)
		}
		t := time.NewTimer(grace)
		select {
		case <-exited:
		case <-t.C:
		}
		t.Stop()
	}
	<-exited
}

// record notes an open window for the next daemon.
func (b *Browser) record(w *window) {
	text, err := json.Marshal(w.windowRecord)
	if err == nil {
		err = writeFile(b.cfg.Interactive, append(text, '\n'))
	}
	if err != nil {
		b.cfg.Log.Warn("noting the login window failed", "error", err)
	}
}

// noteHost notes the host of a URL that is going to be opened in the window,
// for the next daemon as well.
func (b *Browser) noteHost(w *window, host string) {
	b.logins.open(host)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.window == w && host != "" && !slices.Contains(w.Hosts, host) {
		w.Hosts = append(w.Hosts, host)
		b.record(w)
	}
}

// keep registers an open window and watches for its end. exited, when the
// window is our child's, hastens the look.
func (b *Browser) keep(w *window, exited <-chan struct{}) {
	if u, err := url.Parse(w.URL); err == nil {
		b.logins.open(u.Hostname())
	}
	for _, h := range w.Hosts {
		b.logins.open(h)
	}
	b.mu.Lock()
	b.window = w
	b.mu.Unlock()
	b.work.Go(func() {
		tick := time.NewTicker(b.cfg.WindowPoll)
		defer tick.Stop()
		for w.alive() {
			select {
			case <-exited:
				exited = nil // a wrapper may end before its Chrome
			case <-tick.C:
			case <-b.life.Done():
				w.unlock()
				return
			}
		}
		b.noteLogins(w.Profile, w.Opened)
		b.mu.Lock() // nothing notes the window again
		if err := os.Remove(b.cfg.Interactive); err != nil {
			b.cfg.Log.Warn("forgetting the login window failed", "error", err)
		}
		w.unlock()
		b.window = nil
		clear(b.walls)   // a person may have passed them
		b.resumeLocked() // at once: the next window may be opening already
		b.mu.Unlock()
		b.cfg.Log.Info("login window closed", "pid", w.PID)
		close(w.closed)
	})
}

func (w *window) unlock() {
	if w.lock != nil {
		w.lock.Close()
	}
}

// handOver opens a URL in the open window: a second start of Chrome gives it
// to the first and ends. It reports false when the window closed meanwhile.
func (b *Browser) handOver(ctx context.Context, w *window, exe executable, target *url.URL, display map[string]string) (bool, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, b.cfg.Start, errWindowSlow)
	defer cancel()
	said := &tail{}
	cmd := exec.Command(exe.path, windowFlags(w.Profile, exe.sandboxed, target.String())...)
	cmd.Env = windowEnv(append(w.Display, b.cfg.Env...), display)
	cmd.Stderr = said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return false, fmt.Errorf("open a URL in the login window: %w", err)
	}
	var status error
	exited := make(chan struct{})
	go func() {
		status = cmd.Wait()
		close(exited)
	}()
	select {
	case <-exited:
		if !w.alive() {
			select {
			case <-w.closed:
				return false, nil
			case <-b.life.Done(): // nobody watches it any more
				return false, errClosed
			}
		}
		if status != nil && !errors.Is(status, exec.ErrWaitDelay) {
			return false, windowError(status, said.String())
		}
		return true, nil
	case <-w.closed: // the second start may have become a window itself
		endChild(cmd.Process.Pid, exited, b.cfg.TermGrace)
		return false, nil
	case <-ctx.Done():
		endChild(cmd.Process.Pid, exited, b.cfg.TermGrace)
		return false, fmt.Errorf("open a URL in the login window: %w", context.Cause(ctx))
	}
}

// adopt takes over the window that interactive.json names, if it is still open.
func (b *Browser) adopt() error {
	text, err := os.ReadFile(b.cfg.Interactive)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	w := &window{closed: make(chan struct{})}
	if err := json.Unmarshal(text, &w.windowRecord); err != nil || !w.alive() {
		b.cfg.Log.Info("login window of an earlier daemon is gone", "pid", w.PID)
		if err == nil && w.Profile != "" {
			b.noteLogins(w.Profile, w.Opened)
		}
		return os.Remove(b.cfg.Interactive)
	}
	if w.lock, err = lockProfile(w.Profile); err != nil {
		b.cfg.Log.Warn("taking over the login window", "error", err)
	}
	b.pool.refuse(ErrInteractive)
	b.keep(w, nil)
	b.cfg.Log.Info("login window taken over", "pid", w.PID)
	return nil
}
