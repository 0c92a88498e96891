package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"pifetch/daemon"
	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/router"
)

const fetchLine = `{"id":"f","op":"fetch","urls":["https://example.com/"]}`

// left reports whether the daemon has left, now that everybody waits.
func left(s interface{ Left() <-chan struct{} }) bool {
	synctest.Wait()
	select {
	case <-s.Left():
		return true
	default:
		return false
	}
}

// slow makes every fetch take a while.
func slow(d time.Duration) func(context.Context, router.Request) (fetchers.Result, error) {
	return func(ctx context.Context, req router.Request) (fetchers.Result, error) {
		select {
		case <-time.After(d):
			return fetchers.Result{}, nil
		case <-ctx.Done():
			return fetchers.Result{}, context.Cause(ctx)
		}
	}
}

func TestIdleExit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := start(t)
		s.Router.OnFetch = slow(20 * time.Minute)
		time.Sleep(4 * time.Minute)
		c := m.dial(t)
		c.Send(fetchLine)
		c.Await() // longer than the idle time
		time.Sleep(5*time.Minute - time.Second)
		if left(s) {
			t.Fatal("left before it was idle for five minutes")
		}
		time.Sleep(time.Second)
		if !left(s) {
			t.Fatal("still there after five minutes")
		}
		if n := s.Browser.Closes(); n != 1 {
			t.Errorf("browser closed %d times", n)
		}
		if _, err := c.TryNext(); err == nil {
			t.Error("the connection is still open")
		}
	})
}

func TestIdleTimeOfTheSettings(t *testing.T) { idleTimeOfTheSettings(t, nil) }

func TestIdleTimeOfBadSettings(t *testing.T) { idleTimeOfTheSettings(t, errors.New("bad")) }

func idleTimeOfTheSettings(t *testing.T, settingsErr error) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := start(t, func(c *daemon.Config) {
			c.Settings = func() ([]string, time.Duration, error) { return nil, time.Hour, settingsErr }
		})
		time.Sleep(time.Hour - time.Second)
		if left(s) {
			t.Fatal("left early")
		}
		time.Sleep(time.Second)
		if !left(s) {
			t.Fatal("still there")
		}
	})
}

func TestLookingAtTheDaemonDoesNotKeepIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := start(t)
		c := m.dial(t)
		for i := range 5 {
			c.Send(fmt.Sprintf(`{"id":"h%d","op":"hello"}`, i))
			c.Await()
			c.Send(fmt.Sprintf(`{"id":"s%d","op":"status"}`, i))
			c.Await()
			time.Sleep(time.Minute)
		}
		if !left(s) {
			t.Fatal("still there")
		}
	})
}

func TestLoginWindowSuspendsTheIdleTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := start(t)
		c := m.dial(t)
		c.Send(`{"id":"o","op":"open-browser"}`)
		c.Await()
		c.Close()
		time.Sleep(3 * time.Hour)
		if left(s) {
			t.Fatal("left while the window was open")
		}
		s.Browser.Quit()
		time.Sleep(5*time.Minute - time.Second)
		if left(s) {
			t.Fatal("left too soon after the window was closed")
		}
		time.Sleep(time.Second)
		if !left(s) {
			t.Fatal("still there")
		}
	})
}

func TestDaemonWithAnIdleWindowCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := start(t)
		if _, err := s.Browser.OpenWindow(t.Context(), "", nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		s.Signals <- syscall.SIGTERM
		if !left(s) {
			t.Fatal("still there")
		}
		if s.Browser.Window() == nil {
			t.Error("the window was closed")
		}
	})
}

func TestHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := start(t)
		s.Router.OnFetch = slow(22 * time.Second)
		c := m.dial(t)
		c.Send(fetchLine, `{"id":"o","op":"open-browser","wait":true}`)
		beats := map[string]int{}
		for {
			m := c.Next()
			if m.Event == wire.EventHeartbeat {
				beats[m.ID]++
			}
			if m.Event == wire.EventResult {
				break
			}
		}
		if beats["f"] != 4 || beats["o"] != 4 || len(beats) != 2 {
			t.Errorf("heartbeats in 22 s: %v, want 4 for each request", beats)
		}
		// The answered request gets no more of them.
		if m := c.Next(); m.ID != "o" || m.Event != wire.EventHeartbeat {
			t.Errorf("got %s", m.Line)
		}
		s.Browser.Quit()
		c.Await()
	})
}

// Chrome may take longer to quit than a client waits for a sign of life.
func TestHeartbeatsOfCloseBrowser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := start(t)
		s.Browser.CloseTime = 12 * time.Second
		c := m.dial(t)
		c.Send(`{"id":"c","op":"close-browser"}`)
		for range 2 {
			if m := c.Next(); m.ID != "c" || m.Event != wire.EventHeartbeat {
				t.Errorf("got %s", m.Line)
			}
		}
		if m := c.Next(); m.ID != "c" || m.Event != wire.EventResult {
			t.Errorf("got %s", m.Line)
		}
	})
}

func TestFirstSignalDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := start(t)
		s.Router.OnFetch = slow(20 * time.Second)
		running, other := m.dial(t), m.dial(t)
		running.Send(fetchLine)
		synctest.Wait()
		s.Signals <- syscall.SIGTERM
		synctest.Wait()

		other.Send(`{"id":"h","op":"hello"}`)
		if m := other.Await(); m.Event != wire.EventResult || !strings.Contains(m.Line, `"state":"draining"`) {
			t.Errorf("hello: %s", m.Line)
		}
		other.Send(`{"id":"s","op":"status"}`)
		if m := other.Await(); m.Event != wire.EventResult {
			t.Errorf("status: %s", m.Line)
		}
		other.Send(`{"id":"r","op":"retire"}`)
		if m := other.Await(); m.Code != wire.CodeDraining {
			t.Errorf("retire: %s", m.Line)
		}
		other.Send(fetchLine)
		if m := other.Await(); m.Code != wire.CodeShuttingDown {
			t.Errorf("fetch: %s", m.Line)
		}
		late := m.dial(t) // new connections are told as well
		late.Send(fetchLine)
		if m := late.Await(); m.Code != wire.CodeShuttingDown {
			t.Errorf("fetch on a new connection: %s", m.Line)
		}
		if m := running.Await(); m.Event != wire.EventResult {
			t.Errorf("running fetch: %s", m.Line)
		}
		if !left(s) {
			t.Error("still there after the last request")
		}
		if n := s.Browser.Closes(); n != 1 {
			t.Errorf("browser closed %d times", n)
		}
	})
}

func TestRequestsEndBeforeTheirTime(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(s interface{ Stop() error }, signal chan<- syscall.Signal)
		at   time.Duration
	}{
		{"when draining takes too long", func(_ interface{ Stop() error }, signal chan<- syscall.Signal) {
			signal <- syscall.SIGTERM
		}, 30 * time.Second},
		{"at the second signal", func(_ interface{ Stop() error }, signal chan<- syscall.Signal) {
			signal <- syscall.SIGTERM
			time.Sleep(time.Second)
			signal <- syscall.SIGINT
		}, time.Second},
		{"when the context ends", func(s interface{ Stop() error }, _ chan<- syscall.Signal) {
			go s.Stop()
		}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, m := start(t)
				s.Router.OnFetch = slow(time.Hour)
				c := m.dial(t)
				c.Send(fetchLine)
				synctest.Wait()
				begin := time.Now()
				signal := make(chan syscall.Signal)
				defer close(signal)
				go func() {
					for sig := range signal {
						s.Signals <- sig
					}
				}()
				go tt.end(s, signal)
				if m := c.Await(); m.Code != wire.CodeCancelled || m.Reason != "pifetchd was told to stop" {
					t.Errorf("got %s", m.Line)
				}
				if d := time.Since(begin); d != tt.at {
					t.Errorf("after %s, want %s", d, tt.at)
				}
				if !left(s) {
					t.Error("still there")
				}
				if n := s.Browser.Closes(); n != 1 {
					t.Errorf("browser closed %d times", n)
				}
			})
		})
	}
}

func TestRequestThatDoesNotEndIsNotWaitedForForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		release := make(chan struct{})
		defer close(release)
		cfg, signals := stuck(t, m, release)
		done := make(chan error, 1)
		go func() { done <- daemon.Run(t.Context(), cfg) }()
		c := m.dial(t)
		c.Send(fetchLine)
		synctest.Wait()
		signals <- syscall.SIGTERM
		signals <- syscall.SIGTERM
		begin := time.Now()
		if err := <-done; err == nil || !strings.Contains(err.Error(), "requests are still running") {
			t.Errorf("Run returned %v", err)
		}
		if d := time.Since(begin); d > time.Minute {
			t.Errorf("after %s", d)
		}
	})
}

func TestWaitingForTheWindowDoesNotHoldUpAStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := start(t)
		c := m.dial(t)
		c.Send(`{"id":"o","op":"open-browser","url":"https://sso.example/","wait":true}`)
		if m := c.Next(); m.Event != wire.EventStatus || m.Stage != wire.StageOpened || m.URL != "https://sso.example/" {
			t.Errorf("got %s", m.Line)
		}
		s.Signals <- syscall.SIGTERM
		if m := c.Await(); m.Code != wire.CodeShuttingDown {
			t.Errorf("got %s", m.Line)
		}
		if !left(s) {
			t.Error("still there")
		}
		if s.Browser.Window() == nil {
			t.Error("the window was closed")
		}
	})
}

func TestSilentConnectionIsClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, m := start(t)
		silent, drip, honest, long := m.dial(t), m.dial(t), m.dial(t), m.dial(t)
		go func() { // a byte a second, never a newline
			for {
				if _, err := drip.Write([]byte("{")); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}()
		honest.Send(`{"id":"1","op":"hello"}`)
		honest.Await()
		long.Send(strings.Repeat(" ", wire.MaxRequestLine+1)) // skipped, but no silence
		long.Await()
		begin := time.Now()
		silent.TryNext()
		drip.TryNext()
		if d := time.Since(begin); d != 10*time.Second {
			t.Errorf("closed after %s", d)
		}
		time.Sleep(time.Minute)
		for _, c := range []*daemontest.Conn{honest, long} {
			c.Send(`{"id":"2","op":"hello"}`)
			c.Await()
		}
	})
}

func TestClientThatDoesNotReadIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := start(t)
		cause := make(chan error, 1)
		s.Router.OnFetch = func(ctx context.Context, req router.Request) (fetchers.Result, error) {
			if req.Fetch.Session != "deaf" {
				return fetchers.Result{}, nil
			}
			for range 10_000 { // never waits
				req.Status(req.URLs[0], fetchers.Stage{Name: fetchers.StageDownloading, Bytes: 1})
			}
			<-ctx.Done()
			cause <- context.Cause(ctx)
			return fetchers.Result{}, ctx.Err()
		}
		deaf, honest := m.dial(t), m.dial(t)
		deaf.Send(`{"id":"f","op":"fetch","urls":["https://example.com/"],"session":"deaf"}`)
		begin := time.Now()
		honest.Send(fetchLine)
		if m := honest.Await(); m.Event != wire.EventResult || time.Since(begin) != 0 {
			t.Errorf("the other client got %s after %s", m.Line, time.Since(begin))
		}
		if err := <-cause; time.Since(begin) != 30*time.Second || err.Error() != "the client hung up" {
			t.Errorf("dropped after %s with %v", time.Since(begin), err)
		}
	})
}

func TestPipelinedControlRequestsAreAnsweredInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, m := start(t)
		c := m.dial(t)
		const n = 500 // far more than the queue holds
		go func() {
			for i := range n {
				if _, err := fmt.Fprintf(c, `{"id":"%d","op":"hello"}`+"\n", i); err != nil {
					return
				}
			}
		}()
		for i := range n {
			if m := c.Next(); m.ID != fmt.Sprint(i) || m.Event != wire.EventResult {
				t.Fatalf("%d: got %s", i, m.Line)
			}
		}
	})
}

func TestRetire(t *testing.T) {
	retire := `{"id":"r","op":"retire"}`
	t.Run("idle", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, m := start(t)
			c := m.dial(t)
			c.Send(retire)
			if m := c.Await(); m.Event != wire.EventResult || !strings.Contains(m.Line, `"retiring":true`) {
				t.Errorf("got %s", m.Line)
			}
			if !left(s) {
				t.Error("still there")
			}
		})
	})
	for _, tt := range []struct {
		name   string
		change func(*daemon.Config)
		before string
		code   wire.Code
	}{
		{"with a request", nil, fetchLine, wire.CodeBusy},
		{"with a window", nil, `{"id":"o","op":"open-browser"}`, wire.CodeBusy},
		{"managed", func(c *daemon.Config) { c.Managed = true }, `{"id":"h","op":"hello"}`, wire.CodeManaged},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				change := tt.change
				if change == nil {
					change = func(*daemon.Config) {}
				}
				s, m := start(t, change)
				s.Router.OnFetch = slow(time.Minute)
				c, other := m.dial(t), m.dial(t)
				other.Send(tt.before)
				synctest.Wait()
				c.Send(retire)
				if m := c.Await(); m.Code != tt.code {
					t.Errorf("got %s", m.Line)
				}
				if left(s) {
					t.Error("left")
				}
				other.Await()
			})
		})
	}
}

// A request that comes when the daemon decides to leave is either served or
// told so.
func TestRequestAtTheMomentOfIdleExit(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			_, m := start(t)
			c := m.dial(t)
			c.Send(`{"id":"h","op":"hello"}`)
			c.Await()
			time.Sleep(5 * time.Minute) // both wake at the same instant
			if _, err := c.Write([]byte(fetchLine + "\n")); err != nil {
				return // it has left: the client starts another one
			}
			for {
				m, err := c.TryNext()
				if err != nil {
					return
				}
				if m.Event == wire.EventResult || m.Code == wire.CodeShuttingDown {
					return
				}
				if m.Event == wire.EventError {
					t.Fatalf("got %s", m.Line)
				}
			}
		})
	}
}

func TestAcceptFailureEndsTheDaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		cfg, _ := stuck(t, m, nil)
		done := make(chan error, 1)
		go func() { done <- daemon.Run(t.Context(), cfg) }()
		synctest.Wait()
		m.Close()
		if err := <-done; err == nil {
			t.Error("Run returned nil")
		}
	})
}

func TestBrowserThatDoesNotCloseIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		cfg, signals := stuck(t, m, nil)
		boom := errors.New("boom")
		cfg.Browser = badBrowser{cfg.Browser, boom}
		signals <- syscall.SIGTERM
		if err := daemon.Run(t.Context(), cfg); !errors.Is(err, boom) {
			t.Errorf("Run returned %v", err)
		}
	})
}

type badBrowser struct {
	daemon.Browser
	err error
}

func (b badBrowser) Close(context.Context) error { return b.err }

// Whoever has the answer finds the daemon idle.
func TestAnswerComesAfterTheHoldIsReleased(t *testing.T) {
	s := daemontest.Start(t)
	for range 200 {
		c := s.Dial(t)
		c.Send(fetchLine)
		c.Await()
		c.Send(`{"id":"s","op":"status"}`)
		if m := c.Await(); !strings.Contains(m.Line, `"requests":[]`) {
			t.Fatalf("status: %s", m.Line)
		}
		c.Close()
	}
	c := s.Dial(t)
	c.Send(fetchLine)
	c.Await()
	c.Send(`{"id":"r","op":"retire"}`)
	if m := c.Await(); m.Event != wire.EventResult {
		t.Errorf("retire: %s", m.Line)
	}
}
