package profile

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// cpuTimes are the processor seconds the renderers of a Chrome have used.
func cpuTimes(t *testing.T, c *chrome) map[int]float64 {
	t.Helper()
	info, err := proto.SystemInfoGetProcessInfo{}.Call(c.conn.on(t.Context(), browserSession))
	if err != nil {
		t.Fatal(err)
	}
	times := map[int]float64{}
	for _, p := range info.ProcessInfo {
		if p.Type == "renderer" {
			times[p.ID] = p.CPUTime
		}
	}
	return times
}

// TestHungTab stops renderers as a page that hangs does.
func TestHungTab(t *testing.T) {
	t.Parallel()
	needChrome(t)
	b := newBrowser(t, tempDir(t), nil)
	l, err := b.chrome(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("costs one retry and is closed", func(t *testing.T) { testHungVisit(t, b, l.chrome, "", 2) })
	t.Run("with a heavy page", func(t *testing.T) {
		testHungVisit(t, b, l.chrome, "<!--"+strings.Repeat("x", heavyPage)+"-->", 1)
	})
	t.Run("before the DOM", func(t *testing.T) { testHungEarly(t, l.chrome) })
}

// testHungVisit visits a page with a filler whose renderer hangs. Of two tries
// the second succeeds.
func testHungVisit(t *testing.T, b *Browser, c *chrome, filler string, tries int64) {
	c.tabs.Silence = guard // the page's work is not to be ended
	c.tabs.Settle = time.Second
	before := cpuTimes(t, c)
	var stopped, visits atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			// The work tells the page's renderer from the spare one.
			visits.Add(1)
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>t</title><script>for (let i = 0, x = 1; i < 5e8; i++) x = x * 3 | 0; onload = () => fetch('/worked')</script>", long, filler)
		case "/worked":
			if stopped.Load() != 0 {
				return
			}
			pid, most := 0, 0.0
			for p, now := range cpuTimes(t, c) {
				if used := now - before[p]; used > most {
					pid, most = p, used
				}
			}
			stopped.Store(int64(pid))
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Errorf("stop the renderer, process %d: %v", pid, err)
			}
		}
	}))
	defer s.Close()
	u, _ := url.Parse(s.URL)
	p, err := b.Visit(t.Context(), Visit{URL: u})
	pid := int(stopped.Load())
	defer func() {
		if t.Failed() && pid != 0 {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}()
	if tries == 2 && (err != nil || p.Title != "t") || tries == 1 && !errors.Is(err, errHeavy) {
		t.Fatalf("got %+v, %v", p, err)
	}
	if n := visits.Load(); n != tries {
		t.Fatalf("the page was asked for %d times, want %d", n, tries)
	}
	waitFor(t, "the end of the renderer that hung", func() bool { _, running := findProcess(pid); return !running })
	if n := openPages(t, b); n != int(tries) {
		t.Errorf("%d pages are open, want the keeper and, after a retry, the fresh tab", n)
	}
}

// testHungEarly shows that a page which hangs before its DOM is there is not
// taken for a slow one.
func testHungEarly(t *testing.T, c *chrome) {
	var stop sync.Once
	var stopped []int // before the visit ends
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			fmt.Fprint(w, `<!doctype html><script src="/hang"></script>`, long)
			return
		}
		stop.Do(func() {
			for pid := range cpuTimes(t, c) {
				stopped = append(stopped, pid)
				syscall.Kill(pid, syscall.SIGSTOP)
			}
		})
		<-release
	}))
	defer s.Close()
	tb := tabOf(t, c, func(o *tabOptions) { o.Navigation, o.Alive, o.Call = 8*time.Second, time.Second, time.Second })
	got := fetch(t, tb, s.URL)
	if got.kind() != KindHung || !errors.Is(got.err, errTabLost) || got.err.Error() != "the browser tab is unresponsive" {
		t.Errorf("error = %s: %v", got.kind(), got.err)
	}
	close(release)
	stop.Do(func() {}) // done in the server, or never
	for _, pid := range stopped {
		syscall.Kill(pid, syscall.SIGCONT)
	}
}
