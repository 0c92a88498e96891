package profile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
)

// pipe is Chrome's end of --remote-debugging-pipe: JSON messages, each ended by
// a NUL byte.
type pipe struct {
	mu sync.Mutex
	w  *os.File
	r  *bufio.Reader
	rc *os.File
}

func newPipe(w, r *os.File) *pipe {
	return &pipe{w: w, r: bufio.NewReaderSize(r, 1<<20), rc: r}
}

// Send writes one message.
func (p *pipe) Send(msg []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.w.Write(append(msg, 0))
	return err
}

// Read returns the next message.
func (p *pipe) Read() ([]byte, error) {
	msg, err := p.r.ReadBytes(0)
	if err != nil {
		return nil, err
	}
	return msg[:len(msg)-1], nil
}

// Close lets Chrome see the end of the pipe, on which it leaves by itself.
func (p *pipe) Close() error {
	return errors.Join(p.w.Close(), p.rc.Close())
}

// errGone is the cause of everything that ends because Chrome ended.
var errGone = errors.New("the Chrome process ended")

// conn is one DevTools connection. It hands every event to the handlers
// registered for the event's session, in order.
type conn struct {
	client *cdp.Client
	gone   chan struct{} // closed when the connection has ended

	mu       sync.Mutex
	handlers map[proto.TargetSessionID][]*handler
}

type handler struct{ fn func(*cdp.Event) }

func newConn(ws cdp.WebSocketable) *conn {
	c := &conn{
		client:   cdp.New().Start(ws),
		gone:     make(chan struct{}),
		handlers: map[proto.TargetSessionID][]*handler{},
	}
	go func() {
		defer close(c.gone)
		for e := range c.client.Event() {
			c.mu.Lock()
			handlers := slices.Clone(c.handlers[proto.TargetSessionID(e.SessionID)])
			c.mu.Unlock()
			for _, h := range handlers {
				h.fn(e)
			}
		}
	}()
	return c
}

// browserSession is the session of the browser itself.
const browserSession proto.TargetSessionID = ""

// handle registers a handler of a session's events until remove is called. A
// handler runs on the connection's reader: it must not wait, least of all for
// the answer to a call.
func (c *conn) handle(s proto.TargetSessionID, fn func(*cdp.Event)) (remove func()) {
	h := &handler{fn}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handlers[s] = append(c.handlers[s], h)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.handlers[s] = slices.DeleteFunc(c.handlers[s], func(o *handler) bool { return o == h })
		if len(c.handlers[s]) == 0 {
			delete(c.handlers, s)
		}
	}
}

// on returns the target of calls to a session: the typed requests of rod's
// proto package are called with it, as in
//
//	proto.PageNavigate{URL: u}.Call(c.on(ctx, session))
func (c *conn) on(ctx context.Context, s proto.TargetSessionID) target {
	return target{ctx: ctx, conn: c, session: s}
}

// target is one session, for the length of a context.
type target struct {
	ctx     context.Context
	conn    *conn
	session proto.TargetSessionID
}

// GetContext implements proto.Contextable.
func (t target) GetContext() context.Context { return t.ctx }

// GetSessionID implements proto.Sessionable.
func (t target) GetSessionID() proto.TargetSessionID { return t.session }

// Call implements proto.Client. It fails with the context's cause when ctx
// ends, and with an error wrapping errGone when Chrome does.
func (t target) Call(ctx context.Context, session, method string, params any) ([]byte, error) {
	// The reader answers pending calls with an error when the pipe ends, but a
	// call that is sent later would wait for its context.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-t.conn.gone:
			cancel(errGone)
		case <-stop:
		}
	}()
	res, err := t.conn.client.Call(ctx, session, method, params)
	var remote *cdp.Error
	switch {
	case err == nil:
		return res, nil
	case errors.As(err, &remote):
		return nil, fmt.Errorf("%s: %w", method, err)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s: %w", method, context.Cause(ctx))
	default:
		return nil, fmt.Errorf("%s: %w: %w", method, errGone, err)
	}
}
