package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"pifetch/daemon/wire"
	"pifetch/internal/peercred"
)

// queued is how many events may wait for a client to read. Progress beyond
// that is dropped, answers wait.
const queued = 64

// conn is one client. Its reader starts requests, its writer sends events and
// heartbeats, each request has a goroutine; serve waits for all of them.
type conn struct {
	s      *server
	nc     net.Conn
	id     uint64
	log    *slog.Logger
	ctx    context.Context // of its requests
	cancel context.CancelCauseFunc

	out    chan []byte // closed when nothing more will be sent
	broken bool        // the writer's: the client is gone, events are discarded

	running sync.WaitGroup

	mu       sync.Mutex
	client   string // by hello
	spoken   bool   // there has been a request
	idle     time.Time
	requests map[string]*request // in flight
}

// request is one request in flight.
type request struct {
	c       *conn
	id      string
	op      string
	line    []byte
	log     *slog.Logger
	started time.Time
	cancel  context.CancelCauseFunc

	// Guarded by conn.mu.
	session string
	urls    int
	control bool
	ended   bool // the answer is on its way, nothing may follow it
}

func (s *server) serve(nc net.Conn) {
	defer nc.Close()
	peer, err := s.cfg.peer(nc)
	if err == nil && peer.UID != os.Geteuid() {
		err = fmt.Errorf("this socket serves uid %d only", os.Geteuid())
	}
	if err != nil {
		s.log.Warn("connection refused", "uid", peer.UID, "pid", peer.PID, "err", err.Error())
		s.refuse(nc, &wire.Error{Code: wire.CodeForbidden, Reason: err.Error()})
		return
	}
	c := &conn{
		s:        s,
		nc:       nc,
		out:      make(chan []byte, queued),
		idle:     time.Now(),
		requests: map[string]*request{},
	}
	c.ctx, c.cancel = context.WithCancelCause(s.ctx)
	defer c.cancel(nil)
	if err := s.admit(c); err != nil {
		s.refuse(nc, err)
		return
	}
	defer s.dismiss(c)
	c.log = s.log.With("conn", c.id)
	c.serve(peer)
}

// refuse says why and leaves. The line fits in the socket's buffer, so that
// nobody is waited for.
func (s *server) refuse(nc net.Conn, err error) {
	nc.SetWriteDeadline(time.Now().Add(time.Second))
	if line, err := wire.Marshal(errorEvent("", asError(err, wire.CodeInternal)), wire.MaxEventLine); err == nil {
		nc.Write(line)
	}
}

func (c *conn) serve(peer peercred.Cred) {
	c.log.Debug("connected", "pid", peer.PID)
	var writing sync.WaitGroup
	writing.Go(c.write)
	c.read()
	c.cancel(errHungUp)
	c.running.Wait()
	close(c.out)
	writing.Wait()
	c.log.Debug("disconnected")
}

// read starts what the client asks for until its input ends, in whatever way:
// a client that has closed its writing side waits for nothing.
func (c *conn) read() {
	silence := time.AfterFunc(c.s.cfg.FirstLine, func() {
		c.log.Warn("connection closed", "why", "no request came")
		c.nc.Close()
	})
	defer silence.Stop()
	lines := wire.NewReader(c.nc, wire.MaxRequestLine)
	for {
		line, err := lines.Read()
		switch {
		case err == nil:
			silence.Stop()
			c.dispatch(line)
		case errors.Is(err, wire.ErrLineTooLong):
			silence.Stop()
			c.fail("", wire.Errorf(wire.CodeLineTooLong, "the line was skipped: at most %d bytes are allowed", wire.MaxRequestLine))
		default:
			if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) && !errors.Is(err, os.ErrDeadlineExceeded) {
				c.log.Debug("read", "err", err.Error())
			}
			return
		}
	}
}

func (c *conn) dispatch(line []byte) {
	h, err := wire.ParseHeader(line)
	if err != nil {
		c.fail(h.ID, asError(err, wire.CodeBadRequest))
		return
	}
	op, known := ops[h.Op]
	if !known {
		c.fail(h.ID, wire.Errorf(wire.CodeUnknownOp, "unknown op %q — hello lists the capabilities of this daemon", h.Op))
		return
	}
	release := func() {}
	if !op.control {
		var ok bool
		if release, ok = c.s.life.Hold(); !ok {
			c.fail(h.ID, errLeaving)
			return
		}
	}
	ctx, cancel := context.WithCancelCause(c.ctx)
	r := &request{
		c:       c,
		id:      h.ID,
		op:      h.Op,
		line:    line,
		log:     c.log.With("req", c.s.nextRequest(), "op", h.Op),
		started: time.Now(),
		cancel:  cancel,
		control: op.control,
	}
	if err := c.begin(r); err != nil {
		cancel(nil)
		release()
		c.fail(h.ID, err)
		return
	}
	serve := func() {
		defer cancel(nil)
		c.answer(ctx, r, op, release)
	}
	if op.atOnce {
		serve()
	} else {
		c.running.Go(serve)
	}
}

// begin registers a request. Control requests may exceed the limit by as many
// again, so that they are not refused because of what they are to end.
func (c *conn) begin(r *request) *wire.Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	limit := c.s.cfg.MaxInFlight
	if r.control {
		limit *= 2
	}
	if _, ok := c.requests[r.id]; ok {
		return wire.Errorf(wire.CodeBadRequest, "id: a request with this id is in flight on this connection")
	}
	if len(c.requests) >= limit {
		return wire.Errorf(wire.CodeBusy, "%d requests are in flight on this connection, no more are allowed", len(c.requests))
	}
	c.requests[r.id] = r
	c.spoken = true
	return nil
}

// answer runs the handler and sends what came of it. Before the client can know
// the answer, its id is free and the hold is released; a daemon that leaves
// meanwhile still sends it.
func (c *conn) answer(ctx context.Context, r *request, o op, release func()) {
	res, err := run(ctx, r, o)
	var ev any = res
	if err != nil {
		code := c.s.cfg.Code(err)
		if code == "" {
			code = o.failure
		}
		e := asError(err, code)
		if cause, ok := errors.AsType[*wire.Error](context.Cause(ctx)); ok {
			e = cause
		}
		r.log.Info("request failed", "code", e.Code, "reason", e.Reason)
		ev = errorEvent(r.id, e)
	}
	c.mu.Lock()
	delete(c.requests, r.id)
	r.ended = true
	c.idle = time.Now()
	c.mu.Unlock()
	release()
	c.send(r.id, ev)
}

// run turns a panic of the handler into an error.
func run(ctx context.Context, r *request, o op) (res any, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.log.Error("panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = wire.Errorf(wire.CodeInternal, "internal error of pifetchd in %s — its log has the details", r.op)
		}
	}()
	return o.run(ctx, r)
}

// result is the head of a request's result.
func (r *request) result() wire.Event {
	return wire.Event{ID: r.id, Event: wire.EventResult, Op: r.op}
}

// describe sets what status tells about the request.
func (r *request) describe(session string, urls int) {
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	r.session, r.urls = session, urls
}

// status sends progress, unless the request has ended or the client is far
// behind in reading. It never waits.
func (r *request) status(ev wire.StatusEvent) {
	ev.Event = wire.Event{ID: r.id, Event: wire.EventStatus}
	line, err := wire.Marshal(ev, wire.MaxEventLine)
	if err != nil {
		return
	}
	r.c.mu.Lock()
	defer r.c.mu.Unlock()
	if r.ended {
		return
	}
	select {
	case r.c.out <- line:
	default:
	}
}

// session is the name of a client that gives none, for the tab queue.
func (c *conn) session() string { return fmt.Sprintf("connection %d", c.id) }

// cancelRequest reports whether there is such a request in flight.
func (c *conn) cancelRequest(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.requests[id]
	if ok {
		r.cancel(errCancelled)
	}
	return ok
}

// spare is a connection without a request in flight.
type spare struct {
	conn   *conn
	spoken bool      // it has had a request
	since  time.Time // when the last one ended, or when it connected
}

func (c *conn) spare() (spare, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return spare{c, c.spoken, c.idle}, len(c.requests) == 0
}

// pending are the ids of the requests that are owed a sign of life.
func (c *conn) pending() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var ids []string
	for id := range c.requests {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// info describes the requests in flight.
func (c *conn) info() []wire.RequestInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	var infos []wire.RequestInfo
	for _, r := range c.requests {
		if !r.control {
			infos = append(infos, wire.RequestInfo{
				Op:      r.op,
				Client:  c.client,
				Session: r.session,
				URLs:    r.urls,
				AgeSecs: int64(time.Since(r.started) / time.Second),
			})
		}
	}
	return infos
}

// send queues the event that ends a request. It may wait for the writer, which
// never stands still for longer than WriteStall.
func (c *conn) send(id string, ev any) {
	line, err := wire.Marshal(ev, wire.MaxEventLine)
	if err != nil {
		c.log.Error("answer cannot be sent", "err", err.Error())
		c.fail(id, wire.Errorf(wire.CodeInternal, "the answer cannot be sent: %v", err))
		return
	}
	c.out <- line
}

func (c *conn) fail(id string, e *wire.Error) { c.send(id, errorEvent(id, e)) }

// write sends what is queued until the queue is closed. A client that does not
// read, or is gone, is hung up on; what is queued for it is discarded.
func (c *conn) write() {
	tick := time.NewTicker(c.s.cfg.Heartbeat)
	defer tick.Stop()
	for {
		select {
		case line, ok := <-c.out:
			if !ok {
				return
			}
			c.put(line)
		case <-tick.C:
			for _, id := range c.pending() {
				if line, err := wire.Marshal(wire.Event{ID: id, Event: wire.EventHeartbeat}, wire.MaxEventLine); err == nil {
					c.put(line)
				}
			}
		}
	}
}

func (c *conn) put(line []byte) {
	if c.broken {
		return
	}
	c.nc.SetWriteDeadline(time.Now().Add(c.s.cfg.WriteStall))
	if _, err := c.nc.Write(line); err != nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			c.log.Warn("connection closed", "why", "the client does not read")
		}
		c.broken = true
		c.cancel(errHungUp)
		c.nc.Close()
	}
}

func errorEvent(id string, e *wire.Error) wire.ErrorEvent {
	return wire.ErrorEvent{
		Event:  wire.Event{ID: id, Event: wire.EventError},
		Code:   e.Code,
		Reason: strings.Join(strings.Fields(e.Reason), " "),
	}
}

// asError is err for the client; code is for an error without one.
func asError(err error, code wire.Code) *wire.Error {
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return e
	}
	return &wire.Error{Code: code, Reason: err.Error()}
}
