package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/internal/peercred"
)

// errClosed ends what is pending when the client is closed.
var errClosed = errors.New("the client was closed")

// session is one connection to one daemon.
type session struct {
	cfg   Config
	nc    net.Conn
	peer  peercred.Cred
	hello wire.HelloResult
	done  chan struct{} // closed when the connection has ended

	write sync.Mutex

	mu    sync.Mutex
	err   error // why the connection has ended
	last  uint64
	calls map[string]*call
}

// call is one request that has not been answered.
type call struct {
	events  chan event
	givenUp chan struct{} // closed when nobody waits for events any more
	started bool          // the daemon has begun to serve it; guarded by session.mu
}

type event struct {
	wire.Event
	line []byte
}

func newSession(cfg Config, nc net.Conn, peer peercred.Cred) *session {
	s := &session{cfg: cfg, nc: nc, peer: peer, done: make(chan struct{}), calls: map[string]*call{}}
	go s.read()
	return s
}

func (s *session) read() {
	defer close(s.done)
	lines := wire.NewReader(s.nc, wire.MaxEventLine)
	for {
		line, err := lines.Read()
		if err != nil {
			s.fail(err)
			return
		}
		ev, err := wire.ParseEvent(line)
		if err != nil {
			s.fail(fmt.Errorf("pifetchd sent what is not an event: %w", err))
			return
		}
		if ev.ID == "" && ev.Event == wire.EventError {
			// About the connection: another user's socket, or no room.
			var e wire.ErrorEvent
			if err := json.Unmarshal(line, &e); err == nil {
				s.fail(&wire.Error{Code: e.Code, Reason: e.Reason})
				return
			}
		}
		s.mu.Lock()
		c := s.calls[ev.ID]
		if c != nil && ev.Event == wire.EventStatus {
			c.started = c.started || began(line)
		}
		s.mu.Unlock()
		if c == nil {
			continue // given up
		}
		select {
		case c.events <- event{ev, line}:
		case <-c.givenUp:
		}
	}
}

// began reports whether a status says that a request is being served: that it
// is queued is no such sign.
func began(line []byte) bool {
	var st wire.StatusEvent
	return json.Unmarshal(line, &st) == nil && st.Name != "" && st.Name != fetchers.StageQueued
}

// fail ends the connection; the first reason stays.
func (s *session) fail(err error) {
	s.mu.Lock()
	if s.err == nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("pifetchd closed it")
		}
		s.err = err
	}
	s.mu.Unlock()
	s.nc.Close()
}

// close ends the connection and waits for its reader.
func (s *session) close() {
	s.fail(errClosed)
	<-s.done
}

// silent is the error of a daemon that hangs.
func (s *session) silent() error {
	return &silentError{pid: s.peer.PID, managed: s.hello.Managed || isManager(s.peer.PID)}
}

// isManager reports whether a process is systemd: it is the peer of a socket
// that it has made, whoever serves it. launchd makes no socket for pifetchd.
func isManager(pid int) bool {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return err == nil && strings.TrimSpace(string(name)) == "systemd"
}

func (s *session) ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err != nil
}

func (s *session) nextID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	return strconv.FormatUint(s.last, 10)
}

func (s *session) send(req any) error {
	line, err := wire.Marshal(req, wire.MaxRequestLine)
	if err != nil {
		if errors.Is(err, wire.ErrLineTooLong) {
			return wire.Errorf(wire.CodeLineTooLong, "the request is too long: %v", err)
		}
		return err
	}
	s.write.Lock()
	defer s.write.Unlock()
	s.nc.SetWriteDeadline(time.Now().Add(s.cfg.Write))
	if _, err := s.nc.Write(line); errors.Is(err, os.ErrDeadlineExceeded) {
		err := s.silent()
		s.fail(err)
		return err
	}
	// After any other failure the connection has ended, and the reader finds
	// out, maybe with a last word of the daemon's.
	return nil
}

// do sends a request and waits for its result, which it reads into res. The
// request must carry the given id. Every status goes to onStatus. When ctx
// ends the daemon is told to cancel, and the cause is returned at once. A
// connection that ends before the answer is a *LostError; started says whether
// the daemon had begun to serve the request.
func (s *session) do(ctx context.Context, id string, req, res any, silence time.Duration, onStatus func(wire.StatusEvent)) (started bool, err error) {
	c := &call{events: make(chan event, 16), givenUp: make(chan struct{})}
	s.mu.Lock()
	s.calls[id] = c
	s.mu.Unlock()
	defer func() {
		close(c.givenUp)
		s.mu.Lock()
		delete(s.calls, id)
		started = c.started
		s.mu.Unlock()
	}()
	if err := s.send(req); err != nil {
		return false, err
	}
	timer := time.NewTimer(silence)
	defer timer.Stop()
	for {
		select {
		case ev := <-c.events:
			timer.Reset(silence)
			if done, err := deliver(ev, res, onStatus); done {
				return false, err
			}
		case <-ctx.Done():
			s.send(wire.CancelRequest{Header: wire.Header{ID: s.nextID(), Op: wire.OpCancel}, Target: id})
			return false, context.Cause(ctx)
		case <-timer.C:
			err := s.silent()
			s.fail(err)
			return false, err
		case <-s.done:
			return false, s.lost(c, res, onStatus)
		}
	}
}

// lost looks for an answer that came before the end.
func (s *session) lost(c *call, res any, onStatus func(wire.StatusEvent)) error {
	for {
		select {
		case ev := <-c.events:
			if done, err := deliver(ev, res, onStatus); done {
				return err
			}
		default:
			s.mu.Lock()
			defer s.mu.Unlock()
			if e, ok := errors.AsType[*wire.Error](s.err); ok {
				return e
			}
			if errors.Is(s.err, ErrSilent) || errors.Is(s.err, errClosed) {
				return s.err
			}
			return &LostError{Err: s.err}
		}
	}
}

// deliver hands out one event and reports whether it ended the request.
func deliver(ev event, res any, onStatus func(wire.StatusEvent)) (done bool, err error) {
	switch ev.Event.Event {
	case wire.EventResult:
		if err := json.Unmarshal(ev.line, res); err != nil {
			return true, fmt.Errorf("read the result of %s: %w", ev.Op, err)
		}
		return true, nil
	case wire.EventError:
		var e wire.ErrorEvent
		if err := json.Unmarshal(ev.line, &e); err != nil {
			return true, fmt.Errorf("read the error of a request: %w", err)
		}
		return true, &wire.Error{Code: e.Code, Reason: e.Reason}
	case wire.EventStatus:
		var st wire.StatusEvent
		if onStatus != nil && json.Unmarshal(ev.line, &st) == nil {
			onStatus(st)
		}
	}
	return false, nil
}

// greet says hello. A connection that ends before the answer is a daemon that
// went away: as good as none.
func (s *session) greet(ctx context.Context) (wire.HelloResult, error) {
	id := s.nextID()
	req := wire.HelloRequest{Header: wire.Header{ID: id, Op: wire.OpHello}, Client: s.cfg.Name, Protocol: wire.Protocol}
	_, err := s.do(ctx, id, req, &s.hello, s.cfg.Hello, nil)
	if lost, ok := errors.AsType[*LostError](err); ok {
		return wire.HelloResult{}, fmt.Errorf("%w: %w", ErrNoDaemon, lost)
	}
	return s.hello, err
}
