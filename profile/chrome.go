package profile

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/go-rod/rod/lib/proto"
	"github.com/gofrs/flock"

	"pifetch/profile/installed"
)

// executable is the Chrome that both modes run.
type executable struct {
	path      string
	product   string // "Chromium", "Google Chrome"
	version   string
	sandboxed bool
}

func findExecutable(ctx context.Context, cfg Config, o LaunchOptions) (executable, error) {
	path, err := installed.Find(o.Executable)
	if err != nil {
		return executable{}, err
	}
	product, version, err := cfg.versions.Of(ctx, path)
	if err != nil {
		return executable{}, err
	}
	sandboxed := o.Sandbox == "on" || o.Sandbox != "off" && os.Geteuid() != 0
	return executable{path, product, version, sandboxed}, nil
}

// openProfile takes a profile for one of the two modes and makes it ready. The
// lock is the caller's to close, after Chrome has ended.
func openProfile(ctx context.Context, cfg Config, o LaunchOptions, exe executable) (string, *flock.Flock, error) {
	dir, err := makeFolder(o.Dir)
	if err != nil {
		return "", nil, err
	}
	lock, err := lockProfile(dir)
	if err != nil {
		return "", nil, err
	}
	if err := prepareProfile(ctx, cfg, dir, exe); err != nil {
		lock.Close()
		return "", nil, err
	}
	return dir, lock, nil
}

func prepareProfile(ctx context.Context, cfg Config, dir string, exe executable) error {
	m, known, err := readMarker(dir)
	if err != nil {
		return err
	}
	if l, local, ok := installed.Holder(dir); ok && local && l.PID == m.Headless.PID && m.Headless.alive() {
		if err := endOrphan(ctx, m.Headless, cfg.OrphanWait, cfg.TermGrace); err != nil {
			return err
		}
	}
	if err := checkChromeLock(dir); err != nil {
		return err
	}
	if err := checkUse(dir, m, exe.product, exe.version); err != nil {
		return err
	}
	if !known {
		err = preparePrefs(dir)
	}
	err = errors.Join(err, forgetTabs(dir), writeMarker(dir, marker{Product: exe.product, Version: exe.version}))
	if err != nil {
		return fmt.Errorf("prepare the profile: %w", err)
	}
	return nil
}

// chrome is a running Chrome that we drive.
type chrome struct {
	exe     executable
	screen  []string // the environment of a headed one; nil: headless
	pid     int
	started time.Time
	conn    *conn
	tabs    tabOptions

	pipe   *pipe
	stderr *tail
	cfg    Config
	done   chan struct{} // closed when the process has ended and the profile is free
}

// launchChrome starts a Chrome on the profile, headed with the environment
// screen, or headless when that is nil, and returns when it is ready for tabs.
// It fails when ctx ends before that.
func launchChrome(ctx context.Context, cfg Config, o LaunchOptions, screen []string) (*chrome, error) {
	exe, err := findExecutable(ctx, cfg, o)
	if err != nil {
		return nil, err
	}
	dir, lock, err := openProfile(ctx, cfg, o, exe)
	if err != nil {
		return nil, err
	}
	c := &chrome{exe: exe, screen: screen, started: time.Now(), tabs: cfg.tabOptions(o), stderr: &tail{}, cfg: cfg, done: make(chan struct{})}
	c.tabs.OneWindow = screen != nil
	if err := c.start(dir, lock); err != nil {
		lock.Close()
		return nil, fmt.Errorf("%w: %w", errBadStart, err)
	}
	if p, ok := findProcess(c.pid); ok {
		if err := writeMarker(dir, marker{exe.product, exe.version, p}); err != nil {
			cfg.Log.Warn("noting Chrome's process failed", "error", err)
		}
	}
	if err := c.setUp(ctx, dir); err != nil {
		return nil, c.startError(ctx, dir, err)
	}
	return c, nil
}

// start starts the process. When it has ended, lock is closed.
func (c *chrome) start(dir string, lock *flock.Flock) error {
	fromUs, toChrome, err := os.Pipe()
	if err != nil {
		return err
	}
	fromChrome, toUs, err := os.Pipe()
	if err != nil {
		return errors.Join(err, fromUs.Close(), toChrome.Close())
	}
	cmd := exec.Command(c.exe.path, headlessFlags(dir, userAgent(c.exe.version), c.exe.sandboxed)...)
	cmd.Env = pick(c.cfg.Env, chromeEnv)
	if c.screen != nil {
		cmd = exec.Command(c.exe.path, headedFlags(dir, c.exe.sandboxed)...)
		cmd.Env = c.screen
	}
	cmd.ExtraFiles = []*os.File{fromUs, toUs} // file descriptors 3 and 4
	cmd.Stderr = c.stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // our terminal's signals are not for it, and it can be ended as a whole
	cmd.WaitDelay = time.Second                           // a helper that lives on holds stderr open
	err = cmd.Start()
	fromUs.Close()
	toUs.Close()
	if err != nil {
		return errors.Join(err, toChrome.Close(), fromChrome.Close())
	}
	c.pid = cmd.Process.Pid
	c.pipe = newPipe(toChrome, fromChrome)
	c.conn = newConn(c.pipe)
	go func() {
		_ = cmd.Wait() // Chrome's status says nothing that can be relied on
		c.pipe.Close()
		<-c.conn.gone
		lock.Close()
		close(c.done)
	}()
	return nil
}

// setUp readies Chrome for tabs. The first call proves that it runs.
func (c *chrome) setUp(ctx context.Context, dir string) error {
	browser := c.conn.on(ctx, browserSession)
	if _, err := (proto.BrowserGetVersion{}).Call(browser); err != nil {
		return err
	}
	// Chrome forgets all session cookies with its last tab. This one stays.
	keeper, err := proto.TargetCreateTarget{URL: "about:blank"}.Call(browser)
	if err != nil {
		return err
	}
	// Pages that Chrome has opened by itself, such as start pages a person chose.
	open, err := proto.TargetGetTargets{}.Call(browser)
	if err != nil {
		return err
	}
	for _, t := range open.TargetInfos {
		if t.Type == proto.TargetTargetInfoTypePage && t.TargetID != keeper.TargetID {
			c.closeTarget(t.TargetID)
		}
	}
	c.tabs.downloads, err = newDownloads(ctx, c.conn, filepath.Join(dir, "pifetch-downloads"), c.tabs.Call)
	return err
}

// closeTarget closes a page.
func (c *chrome) closeTarget(id proto.TargetTargetID) {
	ctx, cancel := context.WithTimeout(context.Background(), c.cfg.TabClose)
	defer cancel()
	_, err := proto.TargetCloseTarget{TargetID: id}.Call(c.conn.on(ctx, browserSession))
	if err != nil && !errors.Is(err, errGone) {
		c.cfg.Log.Warn("closing a page failed", "error", err)
	}
}

// startError says why Chrome did not get ready, and ends it. A process that
// ends without an answer found the profile in use, whatever its status, or
// could not run at all.
func (c *chrome) startError(ctx context.Context, dir string, err error) error {
	c.end(c.cfg.TermGrace)
	if !errors.Is(err, errGone) {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return fmt.Errorf("%w: %s: %w", errBadStart, c.exe.path, err)
	}
	if err := checkChromeLock(dir); err != nil {
		return err
	}
	return fmt.Errorf("%w: %s: %s", errBadStart, c.exe.path, complaint(c.stderr.String()))
}

// close ends Chrome in an orderly way, cookies written. When ctx ends, or Chrome
// takes too long, it is made to end. Its process is gone when close returns.
func (c *chrome) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.CloseGrace)
	defer cancel()
	if err := (proto.BrowserClose{}).Call(c.conn.on(ctx, browserSession)); err == nil || errors.Is(err, errGone) {
		select {
		case <-c.done:
		case <-ctx.Done():
		}
	}
	c.end(c.cfg.TermGrace)
}

// end closes the pipe, on which Chrome ends by itself, and makes sure.
func (c *chrome) end(grace time.Duration) {
	c.pipe.Close()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		if c.gone(grace) {
			return
		}
		c.signal(sig)
	}
	<-c.done
}

// check ends a Chrome that no longer answers, so that another is started.
func (c *chrome) check() {
	ctx, cancel := context.WithTimeout(context.Background(), c.cfg.TabClose)
	defer cancel()
	_, _ = proto.BrowserGetVersion{}.Call(c.conn.on(ctx, browserSession))
	if ctx.Err() != nil {
		c.cfg.Log.Warn("chrome hangs", "pid", c.pid)
		c.end(c.cfg.TermGrace)
	}
}

func (c *chrome) gone(wait time.Duration) bool {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-c.done:
		return true
	case <-t.C:
		return false
	}
}

// signal reaches Chrome and, to kill it, its whole process group, which it
// leads. The group is ours as long as the process has not been waited for.
func (c *chrome) signal(sig syscall.Signal) {
	pid := c.pid
	if sig == syscall.SIGKILL {
		pid = -pid
	}
	if err := syscall.Kill(pid, sig); err != nil {
		c.cfg.Log.Warn("signalling Chrome failed", "signal", sig.String(), slog.Int("pid", c.pid), "error", err)
	}
}

// pick keeps the named variables of an environment.
func pick(env, names []string) []string {
	var kept []string
	for _, name := range names {
		for _, e := range env {
			if strings.HasPrefix(e, name+"=") {
				kept = append(kept, e)
			}
		}
	}
	return kept
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// tailBytes is enough for what Chrome has to say about a broken start.
const tailBytes = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - tailBytes; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

// complaint is the line of Chrome's output that says best why it ended.
func complaint(stderr string) string {
	best := "it said nothing"
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, ":FATAL:") {
			best = line
			break
		}
		if line != "" {
			best = line
		}
	}
	if strings.Contains(stderr, "No usable sandbox") {
		best += `: let the system permit Chrome's sandbox, or set webTools.fetch.browser.sandbox to "off"`
	}
	return best
}
