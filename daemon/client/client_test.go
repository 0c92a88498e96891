package client_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"pifetch/daemon"
	"pifetch/daemon/client"
	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/router"
)

var example = wire.FetchRequest{URLs: []string{"https://example.com/"}}

func TestCalls(t *testing.T) {
	s := daemontest.Start(t)
	c := s.Client(t)
	var stages []fetchers.StageName
	res, err := c.Fetch(t.Context(), example, func(st wire.StatusEvent) { stages = append(stages, st.Name) })
	if err != nil || res.Op != wire.OpFetch || res.Outcomes[0].Document == nil {
		t.Errorf("fetch: %+v, %v", res, err)
	}
	if len(stages) != 1 || stages[0] != fetchers.StageStarted {
		t.Errorf("stages %v", stages)
	}
	raw, err := c.Raw(t.Context(), wire.FetchRequest{URL: "https://example.com/", DownloadDir: "/d"}, nil)
	if err != nil || raw.File != "/d/page.html" {
		t.Errorf("raw: %+v, %v", raw, err)
	}
	if res, err := c.Explain(t.Context(), wire.ExplainRequest{URL: "https://example.com/"}); err != nil || res.Source != "fake" {
		t.Errorf("explain: %+v, %v", res, err)
	}
	if res, err := c.OpenBrowser(t.Context(), wire.OpenBrowserRequest{URL: "https://example.com/"}, nil); err != nil || res.PID == 0 {
		t.Errorf("open-browser: %+v, %v", res, err)
	}
	if res, err := c.Status(t.Context()); err != nil || res.Browser.Interactive == nil {
		t.Errorf("status: %+v, %v", res, err)
	}
	if _, err := c.Retire(t.Context()); code(err) != wire.CodeBusy {
		t.Errorf("retire: %v", err)
	}
	if res, err := c.CloseBrowser(t.Context()); err != nil || !res.Closed {
		t.Errorf("close-browser: %+v, %v", res, err)
	}
	if res, err := c.Retire(t.Context()); err != nil || !res.Retiring {
		t.Fatalf("retire: %+v, %v", res, err)
	}
	<-s.Left()
	if _, err := c.Status(t.Context()); !errors.Is(err, client.ErrNoDaemon) {
		t.Errorf("status of no daemon: %v", err)
	}
}

func code(err error) wire.Code {
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return e.Code
	}
	return ""
}

func TestOpenBrowserWaits(t *testing.T) {
	s := daemontest.Start(t)
	c := s.Client(t)
	res, err := c.OpenBrowser(t.Context(), wire.OpenBrowserRequest{Wait: true}, func(st wire.StatusEvent) {
		if st.Name == wire.StageOpened {
			s.Browser.Quit()
		}
	})
	if err != nil || !res.Closed {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestContextCancelsTheRequest(t *testing.T) {
	s := daemontest.Start(t)
	causes := make(chan error, 1)
	s.Router.OnFetch = func(ctx context.Context, req router.Request) (fetchers.Result, error) {
		if req.Fetch.Session == "short" {
			return fetchers.Result{}, nil
		}
		req.Status("", fetchers.Stage{Name: fetchers.StageStarted})
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return fetchers.Result{}, ctx.Err()
	}
	c := s.Client(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	if _, err := c.Fetch(ctx, example, func(wire.StatusEvent) { cancel(enough) }); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
	if err := <-causes; err.Error() != "cancelled by the client" {
		t.Errorf("the daemon saw %v", err)
	}
	short := example
	short.Session = "short"
	if _, err := c.Fetch(t.Context(), short, nil); err != nil {
		t.Errorf("the connection is of no use any more: %v", err)
	}
}

func TestCloseCancelsWhatIsPending(t *testing.T) {
	s := daemontest.Start(t)
	started := make(chan string, 1)
	s.Router.Block(started)
	c := s.Client(t)
	errs := make(chan error, 1)
	go func() {
		_, err := c.Fetch(t.Context(), example, nil)
		errs <- err
	}()
	<-started
	c.Close()
	if err := <-errs; err == nil {
		t.Error("no error")
	}
	if _, err := c.Fetch(t.Context(), example, nil); err == nil {
		t.Error("a closed client fetches")
	}
}

func TestRequestsOfAClientRunConcurrently(t *testing.T) {
	s := daemontest.Start(t)
	var all sync.WaitGroup
	all.Add(10)
	s.Router.OnFetch = func(context.Context, router.Request) (fetchers.Result, error) {
		all.Done()
		all.Wait() // for each other
		return fetchers.Result{}, nil
	}
	c := s.Client(t)
	var calls sync.WaitGroup
	for range 10 {
		calls.Go(func() {
			if _, err := c.Fetch(t.Context(), example, nil); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
}

func TestErrorsOfTheDaemon(t *testing.T) {
	s := daemontest.Start(t, func(c *daemon.Config) { c.MaxConns = 1 })
	started := make(chan string, 1)
	s.Router.Block(started)
	c := s.Client(t)
	if _, err := c.Fetch(t.Context(), wire.FetchRequest{}, nil); code(err) != wire.CodeBadRequest || err.Error() != "urls: 1 to 50 URLs are needed" {
		t.Errorf("got %v", err)
	}
	big := example
	big.Objective = strings.Repeat("x", wire.MaxRequestLine)
	if _, err := c.Fetch(t.Context(), big, nil); code(err) != wire.CodeLineTooLong {
		t.Errorf("got %v", err)
	}
	go c.Fetch(t.Context(), example, nil)
	<-started
	_, err := client.Dial(t.Context(), client.Config{Paths: s.Config.Paths, NoSpawn: true})
	if code(err) != wire.CodeBusy {
		t.Errorf("one client too many: %v", err)
	}
}

// The roles beside those of daemontest.
func serves(p *daemontest.Peer) {
	p.Hello("serving")
	p.Send(`{"id":%q,"event":"news","added":"later"}`, p.Next().ID)
	p.Send(`{"id":"unheard of","event":"result"}`)
	p.Send(`{"id":"2","event":"result","op":"fetch","digest":"served","warnings":[]}`)
	p.Next()
}

func drainsManaged(p *daemontest.Peer) { p.HelloManaged("draining") }

func hangsManaged(p *daemontest.Peer) {
	p.HelloManaged("serving")
	p.Next()
	p.Next() // until the client hangs up
}

func answersLast(p *daemontest.Peer) {
	p.Hello("serving")
	id := p.Next().ID
	p.Send(`{"id":%q,"event":"status","url":"u","stage":"started"}`, id)
	p.Send(`{"id":%q,"event":"result","op":"fetch","digest":"served","warnings":[]}`, id)
}

func TestRepeatedOnce(t *testing.T) {
	for _, tt := range []struct {
		name  string
		roles []daemontest.Role
		want  func(error) bool // nil: served
	}{
		{"served", []daemontest.Role{serves}, nil},
		{"answered and gone", []daemontest.Role{answersLast}, nil},
		{"daemon is leaving", []daemontest.Role{daemontest.Drains, daemontest.Drains, serves}, nil},
		{"shutting down", []daemontest.Role{daemontest.Refuses, serves}, nil},
		{"shutting down, then leaving", []daemontest.Role{daemontest.Refuses, daemontest.Drains, serves}, nil},
		{"shutting down twice", []daemontest.Role{daemontest.Refuses, daemontest.Refuses, serves}, func(err error) bool { return code(err) == wire.CodeShuttingDown }},
		{"lost while queued", []daemontest.Role{daemontest.Loses("queued"), serves}, nil},
		{"lost while queued twice", []daemontest.Role{daemontest.Loses("queued"), daemontest.Loses("queued"), serves}, isLost},
		{"lost when started", []daemontest.Role{daemontest.Loses("started"), serves}, isLost},
		{"nonsense", []daemontest.Role{daemontest.TalksNonsense, daemontest.TalksNonsense}, isLost},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := daemontest.Script(t, tt.roles...)
			// A pifetchd that waits, so that nothing but the script answers.
			cfg := client.Config{Paths: p, Daemon: pifetchd(t, p, "waits")}
			c, err := client.Dial(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			res, err := c.Fetch(t.Context(), example, nil)
			switch {
			case tt.want != nil:
				if err == nil || !tt.want(err) {
					t.Errorf("got %v, %v", res, err)
				}
			case err != nil || res.Digest != "served":
				t.Errorf("got %v, %v", res, err)
			}
		})
	}
}

func isLost(err error) bool {
	_, ok := errors.AsType[*client.LostError](err)
	return ok
}

func TestDaemonThatIsLeavingIsNotReplacedWithoutLeave(t *testing.T) {
	p := daemontest.Script(t, daemontest.Drains)
	_, err := client.Dial(t.Context(), client.Config{Paths: p, NoSpawn: true})
	if !errors.Is(err, client.ErrNoDaemon) || !strings.Contains(err.Error(), "shutting down") {
		t.Errorf("got %v", err)
	}
}

// Without leave to start one, too, a client waits for the one that the service
// manager starts.
func TestManagedDaemonThatIsLeavingIsWaitedFor(t *testing.T) {
	p := daemontest.Script(t, drainsManaged, drainsManaged, serves)
	c, err := client.Dial(t.Context(), client.Config{Paths: p, NoSpawn: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if res, err := c.Fetch(t.Context(), example, nil); err != nil || res.Digest != "served" {
		t.Errorf("got %v, %v", res, err)
	}
}

// The process at the other end of the socket may be the service manager, which
// nobody should be told to kill.
func TestSilenceOfAManagedDaemon(t *testing.T) {
	c, err := client.Dial(t.Context(), client.Config{Paths: daemontest.Script(t, hangsManaged), NoSpawn: true, Silence: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const want = "pifetchd hangs: it gives no sign of life — restart it with: pifetchctl service restart"
	if _, err = c.Fetch(t.Context(), example, nil); !errors.Is(err, client.ErrSilent) || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestDaemonThatVanishesIsNone(t *testing.T) {
	p := daemontest.Script(t, daemontest.Vanishes)
	if _, err := client.Dial(t.Context(), client.Config{Paths: p, NoSpawn: true}); !errors.Is(err, client.ErrNoDaemon) {
		t.Errorf("got %v", err)
	}
}

func TestSilence(t *testing.T) {
	p := daemontest.Script(t, daemontest.Hangs)
	c, err := client.Dial(t.Context(), client.Config{Paths: p, NoSpawn: true, Silence: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Fetch(t.Context(), example, nil)
	if want := fmt.Sprintf("kill -9 %d", os.Getpid()); !errors.Is(err, client.ErrSilent) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}

func TestDialEndsWithItsContext(t *testing.T) {
	p := daemontest.Script(t, func(p *daemontest.Peer) { p.Next(); p.Next() })
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	if _, err := client.Dial(ctx, client.Config{Paths: p}); !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
}
