package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// poolSize is the number of tabs.
const poolSize = 6

func fetchJSON(urls ...string) []string { return append([]string{"fetch", "--json"}, urls...) }

// Eight clients that find no daemon start one, and all get their page.
func TestEightClientsOneDaemon(t *testing.T) {
	r, s := newRig(t), newSite(t)
	var calls []*call
	for _, u := range s.urls("/client/", 8) {
		calls = append(calls, r.start(nil, fetchJSON(u)...))
	}
	for i, c := range calls {
		body := c.wait().want(t, 0).fetched(t)[0]
		if want := fmt.Sprintf("This is what stands at /client/%d.", i+1); !strings.Contains(body, want) {
			t.Errorf("client %d got %q, want %q in it", i+1, body, want)
		}
	}
	pid := r.status().PID
	if got := r.daemons(); len(got) != 1 || got[0] != pid {
		t.Errorf("daemons %v, want %d alone", got, pid)
	}
}

func TestSixTabsTwoQueued(t *testing.T) {
	r, s := newRig(t), newSite(t)
	c := r.start(nil, fetchJSON(s.urls("/held/", 8)...)...)
	for range poolSize {
		receive(t, "requests of six tabs", s.arrived)
	}
	wait(t, "two queued URLs", func() bool {
		b := r.status().Browser
		return b.Busy == poolSize && b.Queued == 2
	})
	close(s.release)
	if got := c.wait().want(t, 0).fetched(t); len(got) != 8 {
		t.Errorf("%d documents, want 8", len(got))
	}
	if got := s.most(); got != poolSize {
		t.Errorf("%d pages at the same time, want %d", got, poolSize)
	}
}

// A daemon that is killed takes its Chrome along, its client says what became
// of each URL, the next fetch works, and the pages that were open do not come
// back.
func TestDaemonKilled(t *testing.T) {
	r, s := newRig(t), newSite(t)
	urls := s.urls("/waiting/", 2)
	c := r.start(nil, append([]string{"fetch"}, urls...)...)
	for range urls {
		receive(t, "the requests", s.arrived)
	}
	if err := syscall.Kill(r.status().PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	out := c.wait().want(t, 1)
	_, failed, _ := strings.Cut(out.stdout, "Failed:\n")
	for _, u := range urls {
		if !strings.Contains(failed, "- "+u+"\n") {
			t.Errorf("%s does not stand under Failed:\n%s", u, out.stdout)
		}
	}
	wait(t, "the end of Chrome", func() bool { return len(r.chromes()) == 0 })
	close(s.release)
	for _, u := range []string{"/next", "/after"} {
		r.run(fetchJSON(s.URL+u)...).want(t, 0).fetched(t)
	}
	if n := len(s.arrived); n > 0 {
		t.Errorf("%d pages of the killed daemon came back", n)
	}
}

// A client that ends in the middle of a fetch ends what it asked for, and its
// tab serves others.
func TestClientEnds(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "interrupted": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			r, s := newRig(t), newSite(t)
			c := r.start(nil, fetchJSON(s.URL+"/held/given-up")...)
			receive(t, "the request", s.arrived)
			if err := c.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			out := c.wait()
			if signal == syscall.SIGINT && (out.code != 1 || out.stdout != "") {
				t.Errorf("exit code %d, stdout %q, want 1 and nothing", out.code, out.stdout)
			}
			if got := receive(t, "the end of the request", s.ended); got != "/held/given-up" {
				t.Errorf("%s ended, want /held/given-up", got)
			}

			all := r.start(nil, fetchJSON(s.urls("/held/", poolSize)...)...)
			for range poolSize {
				receive(t, "requests of six tabs", s.arrived)
			}
			close(s.release)
			all.wait().want(t, 0)
		})
	}
}

// Two sessions share one daemon: a call that fills all tabs and the queue does
// not make the other session wait for its end.
func TestTwoSessions(t *testing.T) {
	r, s := newRig(t), newSite(t)
	first := r.start([]string{"PI_SESSION_ID=first"}, fetchJSON(s.urls("/held/first/", 10)...)...)
	for range poolSize {
		receive(t, "requests of six tabs", s.arrived)
	}
	second := r.start([]string{"PI_SESSION_ID=second"}, fetchJSON(s.URL+"/held/second")...)
	wait(t, "five queued URLs", func() bool { return r.status().Browser.Queued == 5 })
	var seen []string
	for range 2 {
		s.release <- struct{}{}
		seen = append(seen, receive(t, "the next request", s.arrived))
	}
	if !strings.Contains(strings.Join(seen, " "), "/held/second") {
		t.Errorf("the two tabs that came free went to %v, want one for /held/second", seen)
	}
	if got := r.daemons(); len(got) != 1 {
		t.Errorf("daemons %v, want one", got)
	}
	close(s.release)
	first.wait().want(t, 0)
	second.wait().want(t, 0)
}

// A session cookie that a person got in the login window is sent by the
// headless fetches after it, however often the daemon restarts, and no page of
// an earlier run comes back.
func TestLogin(t *testing.T) {
	r := newRig(t)
	r.display = xvfb(t)

	var loggedIn, pages atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/login", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "of-ann", Path: "/"})
		serveHTML(w, page("Welcome", "You are logged in."))
		loggedIn.Add(1)
	})
	mux.HandleFunc("/form", func(w http.ResponseWriter, _ *http.Request) {
		serveHTML(w, `<!doctype html><title>Log in</title><form>User <input name=u> Password <input type=password name=p></form>`)
	})
	mux.HandleFunc("/private", func(w http.ResponseWriter, req *http.Request) {
		pages.Add(1)
		if c, err := req.Cookie("session"); err != nil || c.Value != "of-ann" {
			http.Redirect(w, req, "/form", http.StatusFound)
			return
		}
		serveHTML(w, page("Private", "Only for Ann."))
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	private := s.URL + "/private"

	out := r.run("fetch", private).want(t, 1)
	if want := "pifetchctl open-browser '" + private + "'"; !strings.Contains(out.stdout, want) {
		t.Errorf("the digest does not say %q:\n%s", want, out.stdout)
	}

	r.run("open-browser", s.URL+"/login").want(t, 0)
	wait(t, "the login page in the window", func() bool { return loggedIn.Load() > 0 })
	out = r.run("fetch", private).want(t, 1)
	if want := "interactive browser is open — quit Chrome to resume fetching"; !strings.Contains(out.stdout, want) {
		t.Errorf("while the window is open the digest does not say %q:\n%s", want, out.stdout)
	}
	r.run("close-browser").want(t, 0)

	for restart := range 4 {
		pages.Store(0)
		body := r.run(fetchJSON(private)...).want(t, 0).fetched(t)[0]
		if !strings.Contains(body, "Only for Ann.") {
			t.Errorf("restart %d: got %q", restart, body)
		}
		if n := pages.Load(); n != 1 {
			t.Errorf("restart %d: the page was asked for %d times, want once", restart, n)
		}
		r.run("stop").want(t, 0)
	}
	// A window that opens now opens nothing but what it is asked for.
	pages.Store(0)
	r.run("open-browser", s.URL+"/login").want(t, 0)
	wait(t, "the login page in the window", func() bool { return loggedIn.Load() > 1 })
	r.run("close-browser").want(t, 0)
	if n, m := pages.Load(), loggedIn.Load(); n != 0 || m != 2 {
		t.Errorf("pages of earlier runs came back: %d requests of /private, %d of /login", n, m-1)
	}
}

// The daemon that a fetch starts does not keep the pipe of its client open.
func TestPipeFromCold(t *testing.T) {
	r, s := newRig(t), newSite(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", `"$0" fetch "$1" 2>&1 | cat`, filepath.Join(r.bin, "pifetchctl"), s.URL+"/piped")
	cmd.Env = r.environ()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(out), "1. Page /piped\n") {
		t.Errorf("got %q", out)
	}
}

func TestIdleExit(t *testing.T) {
	r, s := newRig(t), newSite(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	daemon := exec.CommandContext(ctx, filepath.Join(r.bin, "pifetchd"), "--idle", "5s")
	daemon.Env = r.environ()
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	// A client that is quicker would start a daemon of its own.
	wait(t, "the daemon", func() bool { return r.run("status").code == 0 })
	c := r.start(nil, append(fetchJSON(s.URL+"/held/idle"), "--no-spawn")...)
	receive(t, "the request", s.arrived)
	close(s.release)
	c.wait().want(t, 0)

	if err := daemon.Wait(); err != nil {
		t.Errorf("pifetchd: %v", err)
	}
	if got := r.daemons(); len(got) > 0 {
		t.Errorf("daemons %v are left", got)
	}
	if got := r.chromes(); len(got) > 0 {
		t.Errorf("processes of Chrome %v are left", got)
	}
	if _, err := os.Lstat(filepath.Join(r.agent, "pifetchd", "sock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
	r.run("status").want(t, 4)
}

// make demo works with what is built here.
func TestDemo(t *testing.T) {
	r := newRig(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", "-buildvcs=false", "./internal/demosite/demo", "-bin", r.bin)
	cmd.Dir = "../.."
	cmd.Env = r.environ()
	out, err := cmd.CombinedOutput()
	if m := regexp.MustCompile(`--out (/tmp/pifetch-demo-[^/]+)/`).FindSubmatch(out); m != nil {
		defer os.RemoveAll(string(m[1]))
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// A challenge that no headless browser passes is passed in a headed one, where
// the settings say so and the caller has a display, and the cookies it gives
// serve the headless fetches after it.
func TestChallengeInAWindow(t *testing.T) {
	r := newRig(t)
	settings := fmt.Sprintf(`{"webTools": {"fetch": {
		"browser": {"navigationTimeoutSecs": 120}, "artifacts": {"root": %q},
		"challenge": {"escalation": "headed", "headlessWaitSecs": 1, "headedWaitSecs": 120}
	}}}`, filepath.Join(r.agent, "files"))
	if err := os.WriteFile(filepath.Join(r.agent, "settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	var walls atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/picture", func(w http.ResponseWriter, _ *http.Request) { // which headless Chrome loads none of
		http.SetCookie(w, &http.Cookie{Name: "cleared", Value: "yes", Path: "/"})
		w.Header().Set("Content-Type", "image/svg+xml")
		fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`)
	})
	mux.HandleFunc("/guarded/", func(w http.ResponseWriter, req *http.Request) {
		if c, err := req.Cookie("cleared"); err == nil && c.Value == "yes" {
			serveHTML(w, page("Guarded", "Behind the wall."))
			return
		}
		walls.Add(1)
		w.Header().Set("Cf-Mitigated", "challenge")
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `<title>Just a moment...</title><p>Checking<img src="/picture" onload="location.reload()">`)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	guarded := s.URL + "/guarded/1"

	out := r.run("fetch", guarded).want(t, 1)
	want := "local: challenge in place of the page (Cloudflare, 403 Forbidden; no display for a headed Chrome: neither DISPLAY nor WAYLAND_DISPLAY is set) — run: pifetchctl open-browser '" + guarded + "'"
	if !strings.Contains(out.stdout, want) {
		t.Errorf("without a display the digest does not say %q:\n%s", want, out.stdout)
	}

	r.display = xvfb(t)
	if body := r.run(fetchJSON(guarded)...).want(t, 0).fetched(t)[0]; !strings.Contains(body, "Behind the wall.") {
		t.Errorf("with a display: got %q", body)
	}
	r.display = ""
	before := walls.Load()
	if body := r.run(fetchJSON(s.URL+"/guarded/2")...).want(t, 0).fetched(t)[0]; !strings.Contains(body, "Behind the wall.") || walls.Load() != before {
		t.Errorf("afterwards: got %q after %d more challenges", body, walls.Load()-before)
	}
	if b := r.status().Browser; !b.Running || b.Headed {
		t.Errorf("afterwards the browser is %+v, want it headless", b)
	}
}
