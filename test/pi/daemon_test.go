package pi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/router"
)

// The roles beside those of daemontest.
func serves(p *daemontest.Peer) {
	p.Hello("serving")
	id := p.Next().ID
	p.Send(`{"id":%q,"event":"news","added":"later"}`, id)
	p.Send(`{"id":"unheard of","event":"result"}`)
	p.Send(`{"id":%q,"event":"status","url":"u","stage":"started"}`, id)
	p.Send(`{"id":%q,"event":"heartbeat"}`, id)
	p.Send(`{"id":%q,"event":"result","op":"fetch","digest":"é served"}`, id)
	p.Next()
}

func crowds(p *daemontest.Peer) {
	p.Next()
	p.Send(`{"id":"","event":"error","code":"busy","reason":"too many connections"}`)
}

func TestRepeatedOnce(t *testing.T) {
	const lost = "the connection to pifetchd was lost: "
	for _, tt := range []struct {
		name  string
		roles []daemontest.Role
		want  string // the error; empty: served
	}{
		{"served", []daemontest.Role{serves}, ""},
		{"vanishes before hello", []daemontest.Role{daemontest.Vanishes, serves}, ""},
		{"draining", []daemontest.Role{daemontest.Drains, daemontest.Drains, serves}, ""},
		{"no room", []daemontest.Role{crowds}, "too many connections"},
		{"shutting down", []daemontest.Role{daemontest.Refuses, serves}, ""},
		{"shutting down twice", []daemontest.Role{daemontest.Refuses, daemontest.Refuses, serves}, "leaving"},
		{"lost while queued", []daemontest.Role{daemontest.Loses("queued"), serves}, ""},
		{"lost while queued twice", []daemontest.Role{daemontest.Loses("queued"), daemontest.Loses("queued"), serves}, lost + "pifetchd closed it"},
		{"lost when started", []daemontest.Role{daemontest.Loses("started"), serves}, lost + "pifetchd closed it"},
		{"nonsense twice", []daemontest.Role{daemontest.TalksNonsense, daemontest.TalksNonsense}, lost + "pifetchd sent what is not an event: "},
		{"hangs", []daemontest.Role{daemontest.Hangs}, "pifetchd (pid 99999999) hangs: it gives no sign of life — end it with: kill -9 99999999"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := configOf(daemontest.Script(t, tt.roles...))
			cfg.Pifetchd, cfg.Silence = "/bin/true", 500 // finds another daemon and leaves
			o := drive(t, options(job{Module: "daemon", Function: "call", Args: []any{cfg, "fetch", map[string]any{"urls": []string{"u"}}}}, ""))
			if tt.want != "" {
				if !strings.HasPrefix(o.Error, tt.want) {
					t.Errorf("got %s %q, want %q", o.Class, o.Error, tt.want)
				}
				return
			}
			if res := value[wire.FetchResult](t, o); res.Digest != "é served" || !slices.Equal(o.Statuses[len(o.Statuses)-1:], []string{"started"}) {
				t.Errorf("result %+v, statuses %v", res, o.Statuses)
			}
		})
	}
}

// While too many connect at once a daemon is there: a command that starts none
// waits for its turn and does not say that none runs.
func TestCrowd(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere a full queue looks like no daemon")
	}
	p := daemontest.Paths(t)
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(syscall.Bind(fd, &syscall.SockaddrUnix{Name: p.Sock}), syscall.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), p.Sock)
	ln, err := net.FileListener(f)
	f.Close()
	if err != nil {
		t.Fatal(err)
	}
	var served sync.WaitGroup
	defer served.Wait()
	defer ln.Close()
	first, err := net.Dial("unix", p.Sock) // fills the queue
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	served.Go(func() {
		time.Sleep(time.Second) // time enough for Node.js to start and be turned away
		for range 2 {
			nc, err := ln.Accept()
			if err != nil {
				return // the test is over
			}
			served.Go(func() {
				daemontest.Play(nc, serves)
			})
		}
	})
	j := status(configOf(p))
	j.Args = append(j.Args, map[string]any{"noSpawn": true})
	res := value[wire.FetchResult](t, drive(t, j))
	if res.Digest != "é served" {
		t.Errorf("got %+v", res)
	}
}

func TestSocketOfOthers(t *testing.T) {
	p := daemontest.Script(t, serves)
	if err := os.Chmod(p.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	o := drive(t, job{Module: "daemon", Function: "call", Args: []any{configOf(p), "status", map[string]any{}}})
	if want := "reach pifetchd: " + p.Dir + " is not a folder of yours with mode 0700"; o.Error != want {
		t.Errorf("got %q, want %q", o.Error, want)
	}
}

func TestAbort(t *testing.T) {
	s := daemontest.Start(t)
	causes := make(chan error, 1)
	s.Router.OnFetch = func(ctx context.Context, req router.Request) (fetchers.Result, error) {
		req.Status("u", fetchers.Stage{Name: fetchers.StageStarted})
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return fetchers.Result{}, ctx.Err()
	}
	o := drive(t, options(job{Module: "daemon", Function: "call", Args: []any{configOf(s.Config.Paths), "fetch", map[string]any{"urls": []string{"https://a.example/"}}}}, "started"))
	if o.Class != "AbortedError" || o.Error != "Aborted" {
		t.Errorf("got %s %q", o.Class, o.Error)
	}
	if err := <-causes; err.Error() != "cancelled by the client" {
		t.Errorf("the daemon saw %v", err)
	}
}

// More than 50 URLs are several requests into one folder and one result, and
// what is left when the daemon goes is listed as failed.
func TestFetchSplits(t *testing.T) {
	urls := make([]string, 120)
	for i := range urls {
		urls[i] = fmt.Sprintf("https://a.example/%d", i+1)
	}
	for _, tt := range []struct {
		name    string
		dies    int // the request in which the daemon dies
		digests []string
	}{
		{"delivered", 0, []string{"1. First", "2. First", "3. First"}},
		{"daemon lost in the second request", 2, []string{"1. First", "Failed:", "- https://a.example/51", "- https://a.example/120", "  the connection to pifetchd was lost: pifetchd closed it"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			requests := make(chan wire.FetchRequest, 4)
			roles := make([]daemontest.Role, 4)
			for i := range roles {
				roles[i] = func(p *daemontest.Peer) {
					p.Hello("serving")
					var req wire.FetchRequest
					if err := p.Decode(&req); err != nil {
						t.Error(err)
					}
					requests <- req
					if i+1 == tt.dies {
						p.Send(`{"id":%q,"event":"status","url":"u","stage":"started"}`, req.ID)
						return
					}
					p.Send(`{"id":%q,"event":"result","op":"fetch","digest":"1. First\n","artifactRoot":"/r","outcomes":[{"url":%q,"attempts":[]}],"warnings":["w"]}`, req.ID, req.URLs[0])
					p.Next()
				}
			}
			cfg := configOf(daemontest.Script(t, roles...))
			cfg.Env = map[string]string{"GH_TOKEN": "secret", "PARALLEL_API_KEY": "", "DISPLAY": ":7", "EDITOR": "vi"}
			o := drive(t, options(job{Module: "fetch", Function: "fetch", Args: []any{cfg, map[string]any{
				"urls": append(urls[:120:120], urls[0]), "objective": "why", "session": "s1",
			}}}, ""))
			res := value[wire.FetchResult](t, o)
			at := 0
			for _, want := range tt.digests {
				i := strings.Index(res.Digest[at:], want)
				if i < 0 {
					t.Fatalf("the digest lacks %q, in this order:\n%s", want, res.Digest)
				}
				at += i
			}
			if want := 3 + min(tt.dies, 1)*(1+70-3); len(res.Outcomes) != want || !slices.Equal(res.Warnings, []string{"w"}) {
				t.Errorf("%d outcomes, warnings %v", len(res.Outcomes), res.Warnings)
			}
			close(requests)
			i := 0
			for r := range requests {
				root := ""
				if i > 0 {
					root = "/r"
				}
				if r.URLs[0] != urls[50*i] || r.Objective != "why" || r.Session != "s1" || r.ArtifactRoot != root ||
					len(r.Env) != 1 || r.Env["GH_TOKEN"] != "secret" || len(r.Display) != 1 || r.Display["DISPLAY"] != ":7" {
					t.Errorf("request %d: %+v", i, r)
				}
				i++
			}
			if want := 3 - min(tt.dies, 1); i != want {
				t.Errorf("%d requests, want %d", i, want)
			}
		})
	}
}

// When nothing was delivered the call is an error that lists every URL.
func TestFetchLost(t *testing.T) {
	o := drive(t, options(job{Module: "fetch", Function: "fetch", Args: []any{configOf(daemontest.Script(t, daemontest.Loses("navigating"))), map[string]any{
		"urls": []string{"https://user:secret@a.example/", "https://b.example/"}, "session": "s1",
	}}}, ""))
	const reason = "\n  the connection to pifetchd was lost: pifetchd closed it"
	if want := "Failed:\n- https://a.example/" + reason + "\n- https://b.example/" + reason; o.Error != want {
		t.Errorf("got %q, want %q", o.Error, want)
	}
}
