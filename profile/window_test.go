package profile

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// browserFor is a Browser with a profile and run folder of its own; nothing is
// launched.
func browserFor(t *testing.T, dir string) *Browser {
	t.Helper()
	b, err := New(Config{
		Launch:      func() LaunchOptions { return LaunchOptions{Dir: filepath.Join(dir, "profile")} },
		Interactive: filepath.Join(dir, "interactive.json"),
		Logins:      filepath.Join(dir, "logins"),
		WindowPoll:  time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(t.Context()) })
	return b
}

func TestAdoptIgnoresWindowsThatAreGone(t *testing.T) {
	self, ok := findProcess(os.Getpid())
	if !ok {
		t.Fatal("this process was not found")
	}
	for name, text := range map[string]string{
		"other start": `{"pid":` + itoa(self.PID) + `,"start":"` + self.Start + `0"}`,
		"no start":    `{"pid":` + itoa(self.PID) + `}`,
		"malformed":   `{"pid":`,
		"empty":       ``,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "interactive.json")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			b := browserFor(t, dir)
			if b.Window() != nil || b.Status().Window != nil {
				t.Error("a window was taken over")
			}
			if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the file stays: %v", err)
			}
		})
	}
}

func TestAdoptedWindow(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command("sleep", "600") // stands in for Chrome
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go cmd.Wait()
	p, ok := findProcess(cmd.Process.Pid)
	if !ok {
		t.Fatal("the process was not found")
	}
	first := browserFor(t, dir)
	w := &window{closed: make(chan struct{})}
	w.process, w.URL, w.Profile = p, "http://x.test/", filepath.Join(dir, "profile")
	first.record(w)
	if info, err := os.Stat(first.cfg.Interactive); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("interactive.json: %v, %v", info.Mode(), err)
	}
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	b := browserFor(t, dir)
	open := b.Window()
	if s := b.Status().Window; open == nil || s == nil || s.PID != p.PID || s.URL != "http://x.test/" {
		t.Fatalf("not taken over: %+v", s)
	}
	if _, err := b.Visit(t.Context(), visitOf("a", "/")); err == nil || err.Error() != "interactive browser is open — quit Chrome to resume fetching" {
		t.Errorf("a visit ended with %v", err)
	}
	closed, err := b.CloseWindow(t.Context())
	if !closed || err != nil {
		t.Errorf("closing: %v, %v", closed, err)
	}
	<-open
	if b.Window() != nil {
		t.Error("the window is still there")
	}
	if closed, err := b.CloseWindow(t.Context()); closed || err != nil {
		t.Errorf("closing again: %v, %v", closed, err)
	}
	if _, err := os.Stat(b.cfg.Interactive); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("interactive.json stays: %v", err)
	}
}

// Whatever was opened in a window counts as logged in until it is closed, for
// every daemon that has the window meanwhile; then for good what got a cookie.
func TestSitesOfAWindow(t *testing.T) {
	dir := t.TempDir()
	chrome := filepath.Join(dir, "chromium") // gives its URL to the window that is open
	if err := os.WriteFile(chrome, []byte("#!/bin/sh\nif [ \"$1\" = --version ]; then echo Chromium 140.0.1.2; fi\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sleep", "600") // stands in for the window
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go cmd.Wait()
	w := &window{closed: make(chan struct{})}
	w.process, _ = findProcess(cmd.Process.Pid)
	w.URL, w.Opened, w.Profile = "http://one.test/", time.Now(), filepath.Join(dir, "profile")
	text, err := json.Marshal(w.windowRecord)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "interactive.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}

	hand := func(urls ...string) *Browser {
		t.Helper()
		b := browserFor(t, dir)
		launch := b.cfg.Launch
		b.cfg.Launch = func() LaunchOptions {
			o := launch()
			o.Executable = chrome
			return o
		}
		for _, url := range urls {
			if o, err := b.OpenWindow(t.Context(), url, nil); err != nil || !o.Already {
				t.Fatalf("%s: %+v, %v", url, o, err)
			}
		}
		return b
	}
	for _, urls := range [][]string{{"http://ann:secret@sso.two.test/login?token=secret", "http://two.test/", ""}, {"http://three.test/"}} {
		if err := hand(urls...).Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "interactive.json")); err != nil || strings.Contains(string(text), "secret") {
		t.Errorf("interactive.json holds %s, %v", text, err)
	}

	b := browserFor(t, dir)
	wantLogins(t, b, map[string]bool{"one.test": true, "www.two.test": true, "three.test": true, "four.test": false})
	cookieFile(t, w.Profile, map[string]time.Time{"two.test": time.Now().Add(time.Second), ".sso.three.test": time.Now().Add(time.Second)})
	if closed, err := b.CloseWindow(t.Context()); !closed || err != nil {
		t.Errorf("closing: %v, %v", closed, err)
	}
	want := map[string]bool{"one.test": false, "two.test": true, "three.test": true}
	wantLogins(t, b, want)
	if _, err := os.Stat(b.cfg.Interactive); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("interactive.json stays: %v", err)
	}
	wantLogins(t, browserFor(t, dir), want)
}

func TestOpenWindowWithoutADisplay(t *testing.T) {
	b := browserFor(t, t.TempDir())
	if _, err := b.OpenWindow(t.Context(), "file:///etc/passwd", nil); err == nil {
		t.Error("a file was opened")
	}
	needChrome(t)
	if _, err := b.OpenWindow(t.Context(), "http://x.test/", nil); !errors.Is(err, ErrNoDisplay) {
		t.Errorf("got %v, want ErrNoDisplay", err)
	}
}
