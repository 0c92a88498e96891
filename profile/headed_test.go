package profile

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pifetch/test/need"
)

// walledSite stands behind a challenge that lets browsers through which load
// its picture: headless Chrome loads none.
type walledSite struct {
	*httptest.Server
	pictures chan struct{} // a picture is asked for; unbuffered
	answers  chan struct{} // it may be answered
	held     chan struct{} // likewise, /held
	release  chan struct{}

	mu     sync.Mutex
	hits   map[string]int
	agents map[string]bool
}

func newWalledSite(t *testing.T) *walledSite {
	s := &walledSite{
		pictures: make(chan struct{}), answers: make(chan struct{}),
		held: make(chan struct{}), release: make(chan struct{}),
		hits: map[string]int{}, agents: map[string]bool{},
	}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	mute(s.Server)
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// cookie is named after the port, which cookies know nothing of.
func (s *walledSite) cookie() string { return "passed" + s.URL[strings.LastIndex(s.URL, ":")+1:] }

func (s *walledSite) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.hits[r.URL.Path]++
	s.agents[r.UserAgent()] = true
	s.mu.Unlock()
	wait := func(asked, answered chan struct{}) {
		for _, c := range []chan struct{}{asked, answered} {
			select {
			case c <- struct{}{}:
			case <-r.Context().Done():
				return
			}
		}
	}
	_, err := r.Cookie(s.cookie())
	switch {
	case r.URL.Path == "/picture":
		wait(s.pictures, s.answers)
		http.SetCookie(w, &http.Cookie{Name: s.cookie(), Value: "yes", Path: "/"}) // for the session
		respond("image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`)(w, r)
	case r.URL.Path == "/held":
		wait(s.held, s.release)
		respond("text/html", "<title>Held</title>"+long)(w, r)
	case strings.HasPrefix(r.URL.Path, "/plain") || strings.HasPrefix(r.URL.Path, "/walled") && err == nil:
		respond("text/html", "<title>Wanted</title>"+long)(w, r)
	case strings.HasPrefix(r.URL.Path, "/walled"):
		status(http.StatusForbidden, "text/html", `<title>Gate</title><p>One moment<img src="/picture" onload="location.reload()">`)(w, r)
	case strings.HasPrefix(r.URL.Path, "/shut"):
		status(http.StatusForbidden, "text/html", `<title>Gate</title><p>One moment`)(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *walledSite) hit(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[path]
}

type visited struct {
	page *Page
	err  error
}

func (v visited) String() string {
	if v.err != nil {
		return v.err.Error()
	}
	return fmt.Sprintf("%q, %d, blocked: %v", v.page.Title, v.page.Status, v.page.Blocked)
}

// visit opens a path in the background. A headed Chrome waits on display.
func (s *walledSite) visit(ctx context.Context, b *Browser, path string, display map[string]string, patience time.Duration) <-chan visited {
	u, _ := url.Parse(s.URL + path)
	result := make(chan visited, 1)
	go func() {
		p, err := b.Visit(ctx, Visit{
			URL: u, Headed: &Headed{Display: display, Patience: patience},
			Suspect: func(p *Page) bool { return strings.Contains(string(p.HTML), "One moment") },
		})
		result <- visited{p, err}
	}()
	return result
}

func receive[T any](t *testing.T, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(guard):
		t.Fatalf("waited too long for %s", what)
	}
	return v
}

func wanted(t *testing.T, c <-chan visited) {
	t.Helper()
	if got := receive(t, "a visit", c); got.err != nil || got.page.Title != "Wanted" || got.page.Status != http.StatusOK || got.page.Blocked != nil {
		t.Errorf("got %v, want the page", got)
	}
}

func TestHeaded(t *testing.T) {
	t.Parallel()
	needChrome(t)
	display := map[string]string{"DISPLAY": need.Xvfb(t)}
	b := newBrowser(t, tempDir(t), func(c *Config) { c.WindowGrace = guard })
	for _, test := range []struct {
		name string
		run  func(t *testing.T, b *Browser, s *walledSite, display map[string]string)
	}{
		{"without a display", testHeadedNowhere},
		{"passes a challenge", testHeadedPasses},
		{"does not help", testHeadedFails},
		{"is cancelled", testHeadedCancelled},
		{"dies", testHeadedDies},
		{"gives way to the login window", testHeadedGivesWay},
		{"ends with the browser", testHeadedCloses},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, b, newWalledSite(t), display) })
	}
}

func testHeadedNowhere(t *testing.T, b *Browser, s *walledSite, _ map[string]string) {
	wanted(t, s.visit(t.Context(), b, "/plain", nil, guard))
	before := b.Status().PID
	got := receive(t, "the visit", s.visit(t.Context(), b, "/walled", nil, guard))
	if got.err != nil || got.page.Title != "Gate" || got.page.Blocked == nil ||
		got.page.Blocked.Error() != "no display for a headed Chrome: neither DISPLAY nor WAYLAND_DISPLAY is set" {
		t.Errorf("got %v, want the gate, blocked by the lack of a display", got)
	}
	if after := b.Status().PID; after != before {
		t.Errorf("Chrome was %d and is %d", before, after)
	}
}

func testHeadedPasses(t *testing.T, b *Browser, s *walledSite, display map[string]string) {
	running := s.visit(t.Context(), b, "/held", display, guard)
	receive(t, "the running visit", s.held)
	first := s.visit(t.Context(), b, "/walled", display, guard)
	waitFor(t, "the gate", func() bool { return b.Status().Queued == 1 })
	second := s.visit(t.Context(), b, "/plain", display, guard)
	waitFor(t, "the queue", func() bool { return b.Status().Queued == 2 })
	if status := b.Status(); status.Headed || status.Busy != 1 {
		t.Errorf("beside a running visit: %+v", status)
	}
	receive(t, "the release", s.release)
	if got := receive(t, "the running visit", running); got.err != nil || got.page.Title != "Held" {
		t.Errorf("the running visit got %v", got)
	}
	receive(t, "the picture", s.pictures)
	headed := b.Status()
	if !headed.Headed || headed.PID == 0 || headed.Busy != 1 || headed.Queued != 1 {
		t.Errorf("while headed: %+v", headed)
	}
	third := s.visit(t.Context(), b, "/plain3", display, guard)
	waitFor(t, "the queue", func() bool { return b.Status().Queued == 2 })
	if s.hit("/plain") != 0 {
		t.Error("a queued visit ran in the headed Chrome")
	}
	receive(t, "the answer", s.answers)
	for _, c := range []<-chan visited{first, second, third} {
		wanted(t, c)
	}
	wanted(t, s.visit(t.Context(), b, "/walled2", nil, guard))
	if status := b.Status(); status.Headed || status.PID == 0 || status.PID == headed.PID || s.hit("/walled2") != 1 {
		t.Errorf("afterwards: %+v, %d requests of another page", status, s.hit("/walled2"))
	}
	if _, runs := findProcess(headed.PID); runs {
		t.Error("the headed Chrome runs on")
	}
	if len(s.agents) != 1 {
		t.Errorf("the modes have different user agents: %v", s.agents)
	}
}

func testHeadedFails(t *testing.T, b *Browser, s *walledSite, display map[string]string) {
	one, two := s.visit(t.Context(), b, "/shut/1", display, time.Second), s.visit(t.Context(), b, "/shut/2", display, time.Second)
	first, second := receive(t, "the first visit", one), receive(t, "the second visit", two)
	if first.err == nil && strings.Contains(fmt.Sprint(first.page.Blocked), "next try") {
		first, second = second, first
	}
	if first.err != nil || first.page.Title != "Gate" || first.page.Blocked == nil || first.page.Blocked.Error() != "in a headed Chrome too" {
		t.Errorf("got %v, want the gate, blocked there too", first)
	}
	wanted(t, s.visit(t.Context(), b, "/plain", display, guard))
	headless := b.Status().PID
	third := receive(t, "a later visit", s.visit(t.Context(), b, "/shut/3", display, time.Second))
	if pid := b.Status().PID; pid != headless {
		t.Errorf("headless Chrome was %d and is %d", headless, pid)
	}
	for _, later := range []visited{second, third} {
		if later.err != nil || !strings.HasPrefix(fmt.Sprint(later.page.Blocked), "in a headed Chrome too, next try in ") {
			t.Errorf("got %v, want no second try", later)
		}
	}
	if n := s.hit("/shut/1") + s.hit("/shut/2") + s.hit("/shut/3"); n != 4 {
		t.Errorf("%d requests, want one each and one from a headed Chrome", n)
	}
}

func testHeadedCancelled(t *testing.T, b *Browser, s *walledSite, display map[string]string) {
	left := errors.New("hung up")
	for _, stage := range []string{"running", "waiting"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if stage == "running" {
			visit := s.visit(ctx, b, "/walled", display, guard)
			receive(t, "the picture", s.pictures)
			cancel(left)
			if got := receive(t, stage, visit); got.err != left {
				t.Errorf("%s: %v, want the cause", stage, got)
			}
		} else {
			running := s.visit(t.Context(), b, "/held", display, guard)
			receive(t, "the running visit", s.held)
			visit := s.visit(ctx, b, "/walled", display, guard)
			waitFor(t, "the gate", func() bool { return b.Status().Queued == 1 })
			cancel(left)
			if got := receive(t, stage, visit); got.err != left {
				t.Errorf("%s: %v, want the cause", stage, got)
			}
			wanted(t, s.visit(t.Context(), b, "/plain", display, guard)) // at the side of the running one
			receive(t, "the release", s.release)
			if got := receive(t, "the running visit", running); got.err != nil {
				t.Errorf("the running visit got %v", got)
			}
		}
		wanted(t, s.visit(t.Context(), b, "/plain", display, guard))
		if b.Status().Headed {
			t.Errorf("%s: the headed Chrome stays", stage)
		}
	}
}

func testHeadedDies(t *testing.T, b *Browser, s *walledSite, display map[string]string) {
	visit := s.visit(t.Context(), b, "/walled", display, guard)
	receive(t, "the picture", s.pictures)
	if err := syscall.Kill(b.Status().PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := receive(t, "the visit", visit); got.err != nil || got.page.Title != "Gate" || got.page.Blocked == nil ||
		got.page.Blocked.Error() != "headed Chrome failed: Chrome ended during the visit" {
		t.Errorf("got %v, want the gate", got)
	}
	wanted(t, s.visit(t.Context(), b, "/plain", display, guard))
}

func testHeadedGivesWay(t *testing.T, b *Browser, s *walledSite, display map[string]string) {
	visit := s.visit(t.Context(), b, "/walled", display, guard)
	receive(t, "the picture", s.pictures)
	queued := s.visit(t.Context(), b, "/plain", display, guard)
	waitFor(t, "the queue", func() bool { return b.Status().Queued == 1 })
	b.cfg.WindowGrace = 50 * time.Millisecond // of the window; the pool has its own
	opened, err := b.OpenWindow(t.Context(), s.URL+"/plain/window", display)
	b.cfg.WindowGrace = guard
	if err != nil || opened.Already {
		t.Fatalf("opened %+v, %v", opened, err)
	}
	for _, c := range []<-chan visited{visit, queued} {
		if got := receive(t, "a visit", c); !errors.Is(got.err, ErrInteractive) {
			t.Errorf("got %v, want ErrInteractive", got)
		}
	}
	waitFor(t, "the window", func() bool { return s.hit("/plain/window") == 1 })
	if closed, err := b.CloseWindow(t.Context()); !closed || err != nil {
		t.Fatalf("closing: %v, %v", closed, err)
	}
	wanted(t, s.visit(t.Context(), b, "/plain", display, guard))
}

func testHeadedCloses(t *testing.T, b *Browser, s *walledSite, display map[string]string) {
	visit := s.visit(t.Context(), b, "/walled", display, guard)
	receive(t, "the picture", s.pictures)
	pid := b.Status().PID
	if err := b.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if got := receive(t, "the visit", visit); !errors.Is(got.err, errClosed) {
		t.Errorf("got %v", got)
	}
	if _, runs := findProcess(pid); runs {
		t.Error("the headed Chrome runs on")
	}
}

// TestHeadedEndsWithItsPipe is what becomes of a headed Chrome whose daemon
// dies.
func TestHeadedEndsWithItsPipe(t *testing.T) {
	t.Parallel()
	needChrome(t)
	cfg := testConfig(tempDir(t)).withDefaults()
	screen := windowEnv(cfg.Env, map[string]string{"DISPLAY": need.Xvfb(t)})
	c, err := launchChrome(t.Context(), cfg, cfg.Launch(), screen)
	if err != nil {
		t.Fatal(err)
	}
	c.pipe.Close()
	if !c.gone(guard) {
		t.Error("it runs on")
		c.end(time.Second)
	}
}

// A headed Chrome that ends whenever it is asked for a tab is not shown again
// and again.
func TestHeadedChromeThatOpensNoTab(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	path, log := filepath.Join(dir, "chrome"), filepath.Join(dir, "starts")
	script := `#!/bin/bash
case $1 in --version) echo Chromium 1.2.3.4; exit;; esac
echo start >>` + log + `
while IFS= read -r -d '' message <&3; do
	[[ $message =~ \"id\":([0-9]+) ]]
	case $message in
	*Target.setDiscoverTargets*) exit;;
	*) printf '{"id":%s,"result":{"targetId":"keeper","targetInfos":[]}}\0' ${BASH_REMATCH[1]} >&4;;
	esac
done
`
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, dir, func(c *Config) {
		c.Launch = func() LaunchOptions { return LaunchOptions{Dir: filepath.Join(dir, "profile"), Executable: path} }
	})
	ctx, cancel := context.WithTimeout(t.Context(), guard)
	defer cancel()
	_, err := b.newTab(ctx, windowEnv(b.cfg.Env, map[string]string{"DISPLAY": ":0"}))
	text, _ := os.ReadFile(log)
	if n := strings.Count(string(text), "start"); !errors.Is(err, errTabLost) || n != 1 {
		t.Errorf("started %d times, then %v; want one start and a lost tab", n, err)
	}
}
