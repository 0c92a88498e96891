package daemon_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"pifetch/daemon"
	"pifetch/daemon/daemontest"
	"pifetch/daemon/wire"
)

func TestConnectionLimit(t *testing.T) {
	s := daemontest.Start(t, func(c *daemon.Config) { c.MaxConns = 3 })
	started := make(chan string, 3)
	s.Router.Block(started)
	busy := func() *daemontest.Conn {
		c := s.Dial(t)
		c.Send(fetchLine)
		wait(t, "fetch", started)
		return c
	}
	busy()
	idle := s.Dial(t)
	idle.Send(`{"id":"1","op":"hello"}`)
	idle.Await()
	busy()
	busy() // takes the place of the idle one
	if m, err := idle.TryNext(); err == nil {
		t.Errorf("the idle connection got %s", m.Line)
	}
	c := s.Dial(t)
	if m := c.Next(); m.ID != "" || m.Code != wire.CodeBusy {
		t.Errorf("got %s", m.Line)
	}
}

func TestHonestClientDuringAFlood(t *testing.T) {
	s := daemontest.Start(t, func(c *daemon.Config) { c.MaxConns = 20 })
	honest := s.Dial(t)
	honest.Send(`{"id":"h","op":"hello"}`)
	honest.Next()
	over := make(chan struct{})
	go func() {
		defer close(over)
		var conns []net.Conn
		for i := range 1000 {
			c, err := net.Dial("unix", s.Config.Paths.Sock)
			if err != nil {
				continue // more than the kernel lets wait
			}
			c.Write([]byte([]string{`{"id":"1","op`, "\xff\n", `{"id":"1"}` + "\n", ""}[i%4]))
			conns = append(conns, c)
		}
		for _, c := range conns {
			c.Close()
		}
	}()
	for i := 0; ; i++ {
		honest.SetDeadline(time.Now().Add(daemontest.Guard))
		honest.Send(fmt.Sprintf(`{"id":"%d","op":"status"}`, i))
		if m := honest.Next(); m.ID != fmt.Sprint(i) || m.Event != wire.EventResult {
			t.Fatalf("%d: got %s", i, m.Line)
		}
		select {
		case <-over:
			return
		default:
		}
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	s := daemontest.Start(t)
	started := make(chan string, 100)
	s.Router.Block(started)
	for i := range 20 {
		c := s.Dial(t)
		c.Send(fetchLine, `{"id":"o","op":"open-browser","wait":true}`)
		wait(t, "fetch", started)
		if i%2 == 0 {
			c.Close()
		}
	}
	s.Signals <- syscall.SIGTERM
	s.Signals <- syscall.SIGTERM
	wait(t, "end of the daemon", s.Left())
	for deadline := time.Now().Add(daemontest.Guard); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<20)
			t.Fatalf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
		}
	}
}

func TestLogHoldsNoSecrets(t *testing.T) {
	var mu sync.Mutex
	var log bytes.Buffer
	s := daemontest.Start(t, func(c *daemon.Config) {
		c.Log = slog.New(slog.NewJSONHandler(writerFunc(func(b []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			return log.Write(b)
		}), &slog.HandlerOptions{Level: slog.LevelDebug}))
		c.Redact = func(url string) string { return strings.ReplaceAll(url, "user:canary@", "") }
	})
	c := s.Dial(t)
	c.Send(
		`{"id":"1","op":"fetch","urls":["https://user:canary@example.com/"],"env":{"GH_TOKEN":"canary","X":"canary"},"objective":"canary"}`,
		`{"id":"2","op":"fetch","url":"https://user:canary@example.com/","downloadDir":"/d"}`,
		`{"id":"3","op":"open-browser","url":"https://user:canary@example.com/","display":{"DISPLAY":"canary"}}`,
		`{"id":"4","op":"canary"}`, `canary`,
	)
	for range 5 {
		c.Await()
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	text := log.String()
	if strings.Contains(text, "canary") {
		t.Errorf("the log holds a secret:\n%s", text)
	}
	for _, want := range []string{`"msg":"serving"`, `"msg":"fetch start"`, `"urls":["https://example.com/"]`, `"msg":"fetch done"`, `"msg":"browser opened"`, `"msg":"left"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the log has no %s:\n%s", want, text)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
