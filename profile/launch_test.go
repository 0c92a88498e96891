package profile

import (
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pifetch/test/pids"
)

// fakeBrowser is a Browser whose Chrome is a script: headless it never answers
// and ends with its pipe, headed it takes the profile and stays, or hands over
// to the one that has it. count is of its starts, headless or as a window.
func fakeBrowser(t *testing.T, change func(*Config)) (b *Browser, display map[string]string, count func(what string) int) {
	t.Helper()
	dir := tempDir(t)
	path := filepath.Join(dir, "chrome")
	script := `#!/bin/sh
case $1 in --version) echo Chromium 1.2.3.4; exit;; esac
dir=${1#--user-data-dir=}
case "$*" in *--headless*) echo headless >>` + dir + `/starts; exec cat <&3 >/dev/null;; esac
echo window >>` + dir + `/starts
if ln -s "$(hostname)-$$" "$dir/SingletonLock" 2>/dev/null; then exec sleep 600; fi
`
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "wayland")
	server, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	b = newBrowser(t, dir, func(c *Config) {
		c.Launch = func() LaunchOptions { return LaunchOptions{Dir: filepath.Join(dir, "profile"), Executable: path} }
		c.TermGrace, c.WindowPoll = 10*time.Second, 20*time.Millisecond
		if change != nil {
			change(c)
		}
	})
	t.Cleanup(func() { // before that of newBrowser
		if b.Window() != nil {
			if _, err := b.CloseWindow(context.Background()); err != nil {
				t.Error(err)
			}
		}
	})
	return b, map[string]string{"WAYLAND_DISPLAY": socket}, func(what string) int {
		text, _ := os.ReadFile(filepath.Join(dir, "starts"))
		return strings.Count(string(text), what+"\n")
	}
}

// visitInTheBackground returns the error of a visit that cannot succeed.
func visitInTheBackground(ctx context.Context, b *Browser) <-chan error {
	u, _ := url.Parse("http://x.test/")
	ended := make(chan error, 1)
	go func() {
		_, err := b.Visit(ctx, Visit{URL: u})
		ended <- err
	}()
	return ended
}

func TestVisitsCancelledWhileChromeStarts(t *testing.T) {
	t.Parallel()
	b, _, count := fakeBrowser(t, func(c *Config) { c.Tabs = 1 })
	left := errors.New("hung up")
	ctx, cancel := context.WithCancelCause(t.Context())
	starting := visitInTheBackground(ctx, b)
	waitFor(t, "Chrome", func() bool { return count("headless") == 1 })
	queued := visitInTheBackground(ctx, b)
	waitFor(t, "the queue", func() bool { return b.Status().Queued == 1 })
	cancel(left)
	for _, ended := range []<-chan error{starting, queued} {
		if err := <-ended; err != left {
			t.Errorf("got %v, want the cause", err)
		}
	}
	if s := b.Status(); s.Busy != 0 || s.Queued != 0 || s.PID != 0 {
		t.Errorf("status %+v", s)
	}
}

func TestCloseWhileChromeStarts(t *testing.T) {
	t.Parallel()
	b, display, count := fakeBrowser(t, nil)
	visit := visitInTheBackground(t.Context(), b)
	waitFor(t, "Chrome", func() bool { return count("headless") == 1 })
	if err := b.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-visit; !errors.Is(err, errClosed) {
		t.Errorf("the visit got %v", err)
	}
	if err := <-visitInTheBackground(t.Context(), b); !errors.Is(err, errClosed) {
		t.Errorf("a later visit got %v", err)
	}
	if _, err := b.OpenWindow(t.Context(), "", display); !errors.Is(err, errClosed) {
		t.Errorf("a later window got %v", err)
	}
	if left := pids.Naming(t, filepath.Dir(b.cfg.Interactive)); len(left) > 0 {
		t.Errorf("processes left: %v", left)
	}
}

func TestWindowWhileChromeStarts(t *testing.T) {
	t.Parallel()
	b, display, count := fakeBrowser(t, func(c *Config) { c.WindowGrace = 50 * time.Millisecond })
	visit := visitInTheBackground(t.Context(), b)
	waitFor(t, "Chrome", func() bool { return count("headless") == 1 })
	w, err := b.OpenWindow(t.Context(), "", display)
	if err != nil || w.Already {
		t.Fatalf("opened %+v, %v", w, err)
	}
	if err := <-visit; !errors.Is(err, ErrInteractive) {
		t.Errorf("the visit got %v", err)
	}
	if n := count("headless"); n != 1 {
		t.Errorf("headless Chrome was started %d times", n)
	}
}

func TestWindowOpenedTwiceAtOnce(t *testing.T) {
	t.Parallel()
	b, display, count := fakeBrowser(t, nil)
	var mu sync.Mutex
	pids, already := map[int]bool{}, 0
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			w, err := b.OpenWindow(t.Context(), "http://x.test/", display)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			pids[w.PID] = true
			if w.Already {
				already++
			}
		})
	}
	all.Wait()
	if len(pids) != 1 || already != 2 || count("window") != 3 {
		t.Errorf("processes %v, %d answers say already, %d starts; want 1, 2, 3", pids, already, count("window"))
	}
}

// TestCloseWithAWindowThatHasJustEnded: nobody notices the end any more once
// the Browser is closed, and whoever waits for it has to be told.
func TestCloseWithAWindowThatHasJustEnded(t *testing.T) {
	t.Parallel()
	b, display, count := fakeBrowser(t, func(c *Config) { c.WindowPoll = guard })
	w := &window{closed: make(chan struct{})} // of a process that is gone
	w.Profile = filepath.Join(filepath.Dir(b.cfg.Interactive), "profile")
	if err := os.MkdirAll(w.Profile, 0o700); err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	b.window = w
	b.mu.Unlock()
	if err := os.Symlink("elsewhere-1", filepath.Join(w.Profile, "SingletonLock")); err != nil {
		t.Fatal(err)
	}
	opened := make(chan error, 1)
	go func() {
		_, err := b.OpenWindow(t.Context(), "http://x.test/", display)
		opened <- err
	}()
	waitFor(t, "the second start", func() bool { return count("window") == 1 })
	if err := b.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-opened; !errors.Is(err, errClosed) {
		t.Errorf("got %v", err)
	}
	b.mu.Lock()
	b.window = nil
	b.mu.Unlock()
}
