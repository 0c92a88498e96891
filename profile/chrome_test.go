package profile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"pifetch/profile/installed"
	"pifetch/test/need"
	"pifetch/test/pids"
)

// guard bounds what would otherwise hang a test. It is far beyond what a busy
// machine needs.
const guard = 5 * time.Minute

// testDaemon names, in the environment, the folder of a Browser that the test
// binary runs in place of tests, as a daemon would.
const testDaemon = "PROFILE_TEST_DAEMON"

func TestMain(m *testing.M) {
	if dir := os.Getenv(testDaemon); dir != "" {
		runTestDaemon(dir, os.Args[1])
	}
	os.Exit(m.Run())
}

// runTestDaemon makes one visit, says which Chrome made it, and stays.
func runTestDaemon(dir, target string) {
	b, err := New(testConfig(dir))
	if err == nil {
		var u *url.URL
		if u, err = url.Parse(target); err == nil {
			_, err = b.Visit(context.Background(), Visit{URL: u})
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(b.Status().PID)
	select {}
}

func needChrome(t *testing.T) string {
	t.Helper()
	path, err := installed.Find("")
	need.Have(t, "chrome", err)
	return path
}

func testConfig(dir string) Config {
	return Config{
		Launch:      func() LaunchOptions { return LaunchOptions{Dir: filepath.Join(dir, "profile")} },
		Interactive: filepath.Join(dir, "interactive.json"),
		Logins:      filepath.Join(dir, "logins"),
		Env:         os.Environ(),
		Start:       guard,
		TabOpen:     guard,
		CloseGrace:  guard,
		OrphanWait:  guard,
		Navigation:  guard,
		Settle:      5 * time.Second,
	}
}

// newBrowser is a Browser in dir that is closed, with all its processes gone,
// at the end of the test.
func newBrowser(t *testing.T, dir string, change func(*Config)) *Browser {
	t.Helper()
	cfg := testConfig(dir)
	if change != nil {
		change(&cfg)
	}
	b, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close(context.Background()) })
	return b
}

// tempDir is a short folder, links resolved, that no Chrome process uses when
// the test has ended.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "profile")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		waitFor(t, "the end of all Chrome processes", func() bool { return len(pids.Naming(t, dir)) == 0 })
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(guard); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited too long for %s", what)
		}
	}
}

// site is a server that remembers who came.
type site struct {
	*httptest.Server
	mu     sync.Mutex
	hits   map[string]int
	agents map[string]bool
}

func (s *site) hit(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[path]
}

// newSite serves /login, which sets a session cookie, /stuck, whose first
// request is never answered, and otherwise pages that show the cookies sent.
func newSite(t *testing.T) *site {
	s := &site{hits: map[string]int{}, agents: map[string]bool{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.hits[r.URL.Path]++
		n := s.hits[r.URL.Path]
		if r.URL.Path != "/favicon.ico" {
			s.agents[r.UserAgent()] = true
		}
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/login":
			http.SetCookie(w, &http.Cookie{Name: "login", Value: "yes", Path: "/"})
		case "/stuck":
			if n == 1 {
				<-r.Context().Done()
				return
			}
		}
		fmt.Fprintf(w, "<!doctype html><title>page</title><p>cookies: [%s]", r.Header.Get("Cookie"))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) visit(t *testing.T, b *Browser, path string) string {
	t.Helper()
	u, err := url.Parse(s.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := b.Visit(t.Context(), Visit{URL: u})
	if err != nil {
		t.Fatalf("visit %s: %v", path, err)
	}
	return string(p.HTML)
}

// openPages counts the open pages of headless Chrome.
func openPages(t *testing.T, b *Browser) int {
	t.Helper()
	l, err := b.chrome(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return pagesOf(t, l.chrome)
}

func pagesOf(t *testing.T, c *chrome) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()
	all, err := proto.TargetGetTargets{}.Call(c.conn.on(ctx, browserSession))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, info := range all.TargetInfos {
		if info.Type == proto.TargetTargetInfoTypePage {
			n++
		}
	}
	return n
}

func TestRestartsKeepSessionCookiesAndNoPages(t *testing.T) {
	t.Parallel()
	needChrome(t)
	dir, s := tempDir(t), newSite(t)
	var counts []int
	for run := range 4 {
		b := newBrowser(t, dir, nil)
		if run == 0 {
			s.visit(t, b, "/login")
		}
		if got := s.visit(t, b, "/"); !strings.Contains(got, "login=yes") {
			t.Errorf("run %d: the session cookie is lost: %s", run, got)
		}
		counts = append(counts, openPages(t, b))
		if err := b.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if left := pids.Naming(t, dir); len(left) > 0 {
			t.Errorf("run %d: processes left: %v", run, left)
		}
	}
	if !slices.Equal(counts, []int{2, 2, 2, 2}) { // the keeper and one tab
		t.Errorf("open pages: %v", counts)
	}
	for agent := range s.agents {
		if strings.Contains(agent, "Headless") {
			t.Errorf("user agent %q", agent)
		}
	}
}

// TestPagesComeBackUnlessForgotten shows what deleting Default/Sessions is for:
// with it in place Chrome opens the pages of its last run again.
func TestPagesComeBackUnlessForgotten(t *testing.T) {
	t.Parallel()
	needChrome(t)
	dir, s := tempDir(t), newSite(t)
	b := newBrowser(t, dir, nil)
	s.visit(t, b, "/old")
	sessions := filepath.Join(dir, "profile", "Default", "Sessions")
	waitFor(t, "Chrome to note the page", func() bool {
		files, _ := filepath.Glob(sessions + "/Session_*")
		return slices.ContainsFunc(files, func(name string) bool {
			text, _ := os.ReadFile(name)
			return bytes.Contains(text, []byte(s.URL+"/old"))
		})
	})
	b.Close(t.Context())
	kept := filepath.Join(dir, "kept")
	if err := os.CopyFS(kept, os.DirFS(sessions)); err != nil {
		t.Fatal(err)
	}

	cfg := testConfig(dir).withDefaults()
	exe, err := findExecutable(t.Context(), cfg, cfg.Launch())
	if err != nil {
		t.Fatal(err)
	}
	// start is launchChrome without the step that closes what Chrome opens.
	start := func(change func()) (c *chrome, pages func() int) {
		profile, lock, err := openProfile(t.Context(), cfg, cfg.Launch(), exe)
		if err != nil {
			t.Fatal(err)
		}
		change()
		c = &chrome{exe: exe, stderr: &tail{}, cfg: cfg, done: make(chan struct{})}
		if err := c.start(profile, lock); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.close(context.Background()) })
		for _, u := range []string{blank, s.URL + "/new"} {
			if _, err := (proto.TargetCreateTarget{URL: u}).Call(c.conn.on(t.Context(), browserSession)); err != nil {
				t.Fatal(err)
			}
		}
		return c, func() int { return pagesOf(t, c) }
	}
	c, pages := start(func() {})
	waitFor(t, "the new page", func() bool { return s.hit("/new") == 1 })
	if n := pages(); n != 2 {
		t.Errorf("%d pages are open, want the 2 that were opened", n)
	}
	c.close(t.Context())

	_, pages = start(func() {
		if err := os.CopyFS(sessions, os.DirFS(kept)); err != nil {
			t.Fatal(err)
		}
	})
	waitFor(t, "the old pages", func() bool { return pages() > 2 })
}

func TestChromeKilledDuringAVisit(t *testing.T) {
	t.Parallel()
	needChrome(t)
	s := newSite(t)
	b := newBrowser(t, tempDir(t), nil)
	u, _ := url.Parse(s.URL + "/stuck")
	var page *Page
	var visitErr error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		page, visitErr = b.Visit(t.Context(), Visit{URL: u})
	}()
	waitFor(t, "the request", func() bool { return s.hit("/stuck") == 1 })
	first := b.Status().PID
	if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-ended
	if visitErr != nil || !strings.Contains(string(page.HTML), "cookies:") {
		t.Fatalf("the retry got %+v, %v", page, visitErr)
	}
	if second := b.Status().PID; second == first || second == 0 {
		t.Errorf("Chrome was %d and is %d", first, second)
	}
}

// A visit that begins while Chrome is ending, and nobody has noticed yet, gets
// the next Chrome.
func TestChromeKilledBeforeAVisit(t *testing.T) {
	t.Parallel()
	needChrome(t)
	s := newSite(t)
	b := newBrowser(t, tempDir(t), func(c *Config) { c.CrashLimit = 100 })
	for range 4 {
		s.visit(t, b, "/")
		if err := syscall.Kill(b.Status().PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	s.visit(t, b, "/")
}

func TestDaemonKilledLeavesNoChrome(t *testing.T) {
	t.Parallel()
	needChrome(t)
	dir, s := tempDir(t), newSite(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, s.URL+"/")
	cmd.Env = append(os.Environ(), testDaemon+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	cmd.Process.Kill()
	cmd.Wait()
	if err != nil {
		t.Fatalf("the daemon did not get ready: %v", err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || pid == 0 {
		t.Fatalf("the daemon's Chrome is %q", line)
	}

	// The next daemon comes at once, while that Chrome may still be ending.
	b := newBrowser(t, dir, nil)
	s.visit(t, b, "/")
	if _, running := findProcess(pid); running {
		t.Error("the killed daemon's Chrome runs")
	}
}

func TestForeignChromeIsLeftAlone(t *testing.T) {
	t.Parallel()
	path := needChrome(t)
	dir, s := tempDir(t), newSite(t)
	profile, err := makeFolder(filepath.Join(dir, "profile"))
	if err != nil {
		t.Fatal(err)
	}
	flags := append(bothFlags(profile, os.Geteuid() != 0), "--headless", "about:blank")
	foreign := exec.Command(path, flags...)
	if err := foreign.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		foreign.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		foreign.Process.Signal(syscall.SIGTERM)
		<-ended
	})
	waitFor(t, "the other Chrome", func() bool { _, ok := installed.ReadLock(profile); return ok })

	b := newBrowser(t, dir, nil)
	u, _ := url.Parse(s.URL)
	_, err = b.Visit(t.Context(), Visit{URL: u})
	host, _ := os.Hostname()
	if !errors.Is(err, ErrProfileInUse) || !strings.Contains(err.Error(), "host "+host+", pid "+itoa(foreign.Process.Pid)) {
		t.Errorf("got %v", err)
	}
	select {
	case <-ended:
		t.Error("the other Chrome ended")
	default:
	}
	foreign.Process.Signal(syscall.SIGTERM)
	<-ended
	s.visit(t, b, "/")
}

// brokenChrome is an executable that calls itself Chrome and cannot start.
// starts counts how often that was tried.
func brokenChrome(t *testing.T, dir string) (path string, starts func() int) {
	t.Helper()
	path = filepath.Join(dir, "broken")
	script := "#!/bin/sh\ncase $1 in --version) echo Chromium 1.2.3.4; exit;; esac\necho start >>" + dir + "/starts\necho out of order >&2\nexit 1\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path, func() int {
		text, _ := os.ReadFile(filepath.Join(dir, "starts"))
		return strings.Count(string(text), "start")
	}
}

func TestBrokenChromeIsNotStartedForEver(t *testing.T) {
	dir := tempDir(t)
	path, starts := brokenChrome(t, dir)
	b := newBrowser(t, dir, func(c *Config) {
		c.Launch = func() LaunchOptions { return LaunchOptions{Dir: filepath.Join(dir, "profile"), Executable: path} }
		c.CrashPause = guard
	})
	u, _ := url.Parse("http://x.test/")
	for try := range 5 {
		_, err := b.Visit(t.Context(), Visit{URL: u})
		if !errors.Is(err, errBadStart) || !strings.Contains(err.Error(), "out of order") {
			t.Errorf("got %v", err)
		}
		if again := strings.Contains(err.Error(), "next try in"); again != (try >= 3) {
			t.Errorf("try %d got %v", try, err)
		}
	}
	if n := starts(); n != 3 {
		t.Errorf("started %d times, want 3", n)
	}
}

func TestWindowThatDoesNotOpen(t *testing.T) {
	t.Parallel()
	display := need.Xvfb(t)
	dir := tempDir(t)
	path, starts := brokenChrome(t, dir)
	b := newBrowser(t, dir, func(c *Config) {
		c.Launch = func() LaunchOptions { return LaunchOptions{Dir: filepath.Join(dir, "profile"), Executable: path} }
	})
	_, err := b.OpenWindow(t.Context(), "", map[string]string{"DISPLAY": display})
	if !errors.Is(err, errWindowEnded) || !strings.Contains(err.Error(), "out of order") || starts() != 1 {
		t.Errorf("got %v after %d starts", err, starts())
	}
	if _, err := os.Stat(b.cfg.Interactive); !errors.Is(err, os.ErrNotExist) || b.Window() != nil {
		t.Errorf("a window is noted: %v", err)
	}
	u, _ := url.Parse("http://x.test/")
	if _, err := b.Visit(t.Context(), Visit{URL: u}); !errors.Is(err, errBadStart) {
		t.Errorf("a visit got %v, want to reach Chrome again", err)
	}
}

func TestLoginWindow(t *testing.T) {
	t.Parallel()
	needChrome(t)
	display := map[string]string{"DISPLAY": need.Xvfb(t)}
	dir, s := tempDir(t), newSite(t)
	first := newBrowser(t, dir, nil)
	if got := s.visit(t, first, "/"); strings.Contains(got, "login") {
		t.Fatalf("logged in already: %s", got)
	}
	if _, err := first.OpenWindow(t.Context(), s.URL+"/login", map[string]string{"DISPLAY": ":65000"}); !errors.Is(err, ErrNoDisplay) {
		t.Errorf("without a display server: %v", err)
	}
	const host = "127.0.0.1"
	if first.LoggedIn(host) {
		t.Error("a login is known before there was a window")
	}
	headless := first.Status().PID
	if headless == 0 {
		t.Error("headless Chrome was closed for a window that cannot open")
	}

	opened, err := first.OpenWindow(t.Context(), s.URL+"/login", display)
	if err != nil || opened.Already || opened.PID == 0 {
		t.Fatalf("opened %+v, %v", opened, err)
	}
	// Should the test fail on the way, nobody else closes the window.
	t.Cleanup(func() {
		if installed.IsChrome(opened.PID) && len(pids.Naming(t, dir)) > 0 {
			syscall.Kill(opened.PID, syscall.SIGTERM)
		}
	})
	if _, running := findProcess(headless); running {
		t.Error("headless Chrome runs beside the window")
	}
	waitFor(t, "the login page", func() bool { return s.hit("/login") == 1 })
	u, _ := url.Parse(s.URL)
	if _, err := first.Visit(t.Context(), Visit{URL: u}); !errors.Is(err, ErrInteractive) {
		t.Errorf("a visit got %v", err)
	}
	again, err := first.OpenWindow(t.Context(), s.URL+"/second", display)
	if err != nil || again != (Opened{PID: opened.PID, Already: true}) {
		t.Errorf("opened again: %+v, %v", again, err)
	}
	waitFor(t, "the second page", func() bool { return s.hit("/second") == 1 })
	if !first.LoggedIn(host) {
		t.Error("the host of an open window counts as one without a login")
	}

	// The window outlives the daemon, and the next one takes it over.
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := newBrowser(t, dir, nil)
	window := second.Window()
	if w := second.Status().Window; window == nil || w == nil || w.PID != opened.PID || w.URL != s.URL+"/login" {
		t.Fatalf("not taken over: %+v", w)
	}
	if _, err := second.Visit(t.Context(), Visit{URL: u}); !errors.Is(err, ErrInteractive) {
		t.Errorf("a visit got %v", err)
	}
	if closed, err := second.CloseWindow(t.Context()); !closed || err != nil {
		t.Fatalf("closing: %v, %v", closed, err)
	}
	<-window
	if list, err := os.ReadFile(second.cfg.Logins); err != nil || string(list) != host+"\n" {
		t.Errorf("the list of logins holds %q, %v", list, err)
	}
	for range 3 {
		if !second.LoggedIn(host) || second.LoggedIn("127.0.0.2") {
			t.Error("the login is not known, or another one is")
		}
		if got := s.visit(t, second, "/"); !strings.Contains(got, "login=yes") {
			t.Errorf("the login is lost: %s", got)
		}
		if n := openPages(t, second); n != 2 {
			t.Errorf("%d pages are open, want the keeper and one tab", n)
		}
		second.Close(t.Context())
		second = newBrowser(t, dir, nil)
	}
	if len(s.agents) != 1 {
		t.Errorf("the modes have different user agents: %v", s.agents)
	}
}

func TestWindowGivesRunningVisitsTime(t *testing.T) {
	t.Parallel()
	needChrome(t)
	display := map[string]string{"DISPLAY": need.Xvfb(t)}
	dir, s := tempDir(t), newSite(t)
	b := newBrowser(t, dir, func(c *Config) { c.WindowGrace = 50 * time.Millisecond })
	got := make(chan error, 1)
	go func() {
		u, _ := url.Parse(s.URL + "/stuck")
		_, err := b.Visit(t.Context(), Visit{URL: u})
		got <- err
	}()
	waitFor(t, "the request", func() bool { return s.hit("/stuck") == 1 })
	opened, err := b.OpenWindow(t.Context(), "", display)
	if err != nil {
		t.Fatal(err)
	}
	if err := <-got; !errors.Is(err, ErrInteractive) {
		t.Errorf("the running visit got %v", err)
	}
	window := b.Window()
	if window == nil {
		t.Fatal("no window")
	}
	// A person quits Chrome.
	if err := syscall.Kill(opened.PID, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-window
	s.visit(t, b, "/stuck")
}
