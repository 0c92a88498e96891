// Package daemontest runs a real daemon inside the test process, on a real
// socket, with a router and a browser that do what the test says.
package daemontest

import (
	"bufio"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"pifetch/daemon"
	"pifetch/daemon/client"
	"pifetch/daemon/rundir"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
)

// Guard is how long a test waits for something that should come at once.
const Guard = time.Minute

// Paths is a run folder of the test's own, with a path short enough for a
// socket.
func Paths(t testing.TB) rundir.Paths {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "pf")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	p, err := rundir.Locate(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// AgentDirs tells which folder each value of PI_CODING_AGENT_DIR stands for,
// where home is /home/me and the working folder is wd.
func AgentDirs(wd string) map[string]string {
	return map[string]string{
		"":             "/home/me/.pi/agent",
		"~":            "/home/me",
		"~/agent":      "/home/me/agent",
		"~other/agent": wd + "/~other/agent",
		"/srv/agent/":  "/srv/agent",
		"agent":        wd + "/agent",
	}
}

// Config is a daemon with the fakes of this package that logs to the test.
func Config(t testing.TB) daemon.Config {
	t.Helper()
	return daemon.Config{
		Paths:   Paths(t),
		Version: "1.0.0-test",
		Router:  &Router{},
		Browser: &Browser{},
		Raw: func(_ context.Context, req daemon.RawRequest) (wire.RawResult, error) {
			return wire.RawResult{FinalURL: req.URL, File: req.Dir + "/page.html", ContentType: "text/html"}, nil
		},
		Redact: func(url string) string { return url },
		Limits: func() []wire.Limit {
			return []wire.Limit{{Source: "fake", Key: "anonymous", Resource: "core", Limit: 60}}
		},
		Log: slog.New(slog.NewJSONHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
}

// Server is a daemon that serves.
type Server struct {
	Config  daemon.Config
	Router  *Router
	Browser *Browser
	Signals chan<- os.Signal

	cancel context.CancelFunc
	done   chan struct{}
	err    error
}

// Start runs a daemon until the test ends, or until it leaves. The changes are
// made to Config's result; Router and Browser must stay this package's.
func Start(t testing.TB, changes ...func(*daemon.Config)) *Server {
	t.Helper()
	cfg := Config(t)
	signals := make(chan os.Signal, 2)
	cfg.Signals = signals
	ready := make(chan struct{})
	cfg.Ready = func() { close(ready) }
	for _, change := range changes {
		change(&cfg)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{
		Config:  cfg,
		Router:  cfg.Router.(*Router),
		Browser: cfg.Browser.(*Browser),
		Signals: signals,
		cancel:  cancel,
		done:    make(chan struct{}),
	}
	go func() {
		defer close(s.done)
		s.err = daemon.Run(ctx, cfg)
	}()
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Errorf("daemon: %v", err)
		}
	})
	select {
	case <-ready:
	case <-s.done:
		t.Fatalf("daemon: %v", s.err)
	}
	return s
}

// Stop cancels what runs and returns what Run returned.
func (s *Server) Stop() error {
	s.cancel()
	<-s.done
	return s.err
}

// Left is closed when Run has returned.
func (s *Server) Left() <-chan struct{} { return s.done }

// Client is a client of the daemon that never starts another one.
func (s *Server) Client(t testing.TB) *client.Client {
	t.Helper()
	c, err := client.Dial(t.Context(), client.Config{Paths: s.Config.Paths, Name: "daemontest", NoSpawn: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// Dial is a connection without a client.
func (s *Server) Dial(t testing.TB) *Conn {
	t.Helper()
	nc, err := net.Dial("unix", s.Config.Paths.Sock)
	if err != nil {
		t.Fatal(err)
	}
	return NewConn(t, nc)
}

// Conn sends lines and reads events.
type Conn struct {
	net.Conn
	t     testing.TB
	lines *bufio.Reader
}

// NewConn closes nc when the test ends.
func NewConn(t testing.TB, nc net.Conn) *Conn {
	c := &Conn{Conn: nc, t: t, lines: bufio.NewReaderSize(nc, 1<<20)}
	t.Cleanup(func() { nc.Close() })
	return c
}

// Send writes each text as a line.
func (c *Conn) Send(lines ...string) {
	c.t.Helper()
	if _, err := c.Write([]byte(strings.Join(lines, "\n") + "\n")); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// Message is any event, with the fields tests look at most.
type Message struct {
	ID     string
	Event  string
	Op     string
	URL    string
	Stage  fetchers.StageName
	Code   wire.Code
	Reason string
	Line   string `json:"-"`
}

// Next returns the next event.
func (c *Conn) Next() Message {
	c.t.Helper()
	m, err := c.TryNext()
	if err != nil {
		c.t.Fatalf("read an event: %v", err)
	}
	return m
}

// TryNext returns the next event, or why there is none.
func (c *Conn) TryNext() (Message, error) {
	var m Message
	line, err := c.lines.ReadBytes('\n')
	if err == nil {
		m.Line = string(line)
		err = json.Unmarshal(line, &m)
	}
	return m, err
}

// Await returns the next event that ends a request, and passes over others.
func (c *Conn) Await() Message {
	c.t.Helper()
	for {
		m := c.Next()
		if k := m.Event; k == wire.EventResult || k == wire.EventError {
			return m
		}
	}
}
