// Package client talks to pifetchd, and starts it when there is none. It is
// what every Go program uses that wants something fetched; it links nothing
// but the protocol.
package client

import (
	"context"
	"errors"
	"sync"

	"pifetch/daemon/wire"
)

// Client is a connection to the daemon, made again where that is safe. Its
// methods may be called concurrently; callbacks of one client should return
// soon, for they hold up its other requests.
//
// A request that fails in the daemon is a *wire.Error. The end of a request's
// context cancels it in the daemon, and its cause is returned at once.
type Client struct {
	cfg Config

	dialing sync.Mutex // held while a daemon is looked for

	mu     sync.Mutex
	s      *session
	closed bool
}

// Dial reaches the daemon, starting it when none runs. It fails with a
// *StartError when that does not succeed, with ErrNoDaemon when it is not
// wanted, and with an error wrapping ErrSilent when the daemon hangs.
func Dial(ctx context.Context, cfg Config) (*Client, error) {
	cfg = cfg.withDefaults()
	s, err := open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return &Client{cfg: cfg, s: s}, nil
}

// Close ends the connection. What was asked for on it is cancelled.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	s := c.s
	c.mu.Unlock()
	s.close()
	return nil
}

// Hello is what the daemon said of itself.
func (c *Client) Hello() wire.HelloResult {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.s.hello
}

// session returns the connection, a new one when the last has ended.
func (c *Client) session(ctx context.Context) (*session, error) {
	c.dialing.Lock()
	defer c.dialing.Unlock()
	c.mu.Lock()
	s, closed := c.s, c.closed
	c.mu.Unlock()
	if closed {
		return nil, errClosed
	}
	if !s.ended() {
		return s, nil
	}
	s, err := open(ctx, c.cfg)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.s, closed = s, c.closed
	c.mu.Unlock()
	if closed {
		s.close()
		return nil, errClosed
	}
	return s, nil
}

// work sends a request that a second daemon may be asked for when the first
// has not begun with it: because it is leaving, or because it is gone. A
// daemon of another major version is not sent any: *ProtocolError.
func (c *Client) work(ctx context.Context, req func(id string) any, res any, onStatus func(wire.StatusEvent)) error {
	return c.repeat(ctx, func(s *session) error { return incompatible(c.cfg, s.hello) }, req, res, onStatus)
}

// repeat is work for daemons that pass the check.
func (c *Client) repeat(ctx context.Context, check func(*session) error, req func(id string) any, res any, onStatus func(wire.StatusEvent)) error {
	for again := true; ; again = false {
		s, err := c.session(ctx)
		if err == nil {
			err = check(s)
		}
		if err != nil {
			return err
		}
		id := s.nextID()
		started, err := s.do(ctx, id, req(id), res, c.cfg.Silence, onStatus)
		if started || !again {
			return err
		}
		if e, ok := errors.AsType[*wire.Error](err); ok && e.Code == wire.CodeShuttingDown {
			s.close()
			continue
		}
		if _, ok := errors.AsType[*LostError](err); ok {
			continue
		}
		return err
	}
}

// Fetch turns URLs into files. onStatus, which may be nil, hears of progress.
// A connection lost after the daemon had begun is a *LostError.
func (c *Client) Fetch(ctx context.Context, req wire.FetchRequest, onStatus func(wire.StatusEvent)) (*wire.FetchResult, error) {
	var res wire.FetchResult
	if err := c.work(ctx, c.fetch(req), &res, onStatus); err != nil {
		return nil, err
	}
	return &res, nil
}

// Raw stores the bytes of req.URL in req.DownloadDir.
func (c *Client) Raw(ctx context.Context, req wire.FetchRequest, onStatus func(wire.StatusEvent)) (*wire.RawResult, error) {
	var res wire.RawResult
	if err := c.work(ctx, c.fetch(req), &res, onStatus); err != nil {
		return nil, err
	}
	return &res, nil
}

func (c *Client) fetch(req wire.FetchRequest) func(string) any {
	return func(id string) any {
		req.Header = wire.Header{ID: id, Op: wire.OpFetch}
		if req.Display == nil {
			req.Display = c.cfg.Display
		}
		return req
	}
}

// OpenBrowser opens the login window. With req.Wait it returns when the window
// is closed, and onStatus, which may be nil, hears of stage "opened" before.
func (c *Client) OpenBrowser(ctx context.Context, req wire.OpenBrowserRequest, onStatus func(wire.StatusEvent)) (*wire.OpenBrowserResult, error) {
	var res wire.OpenBrowserResult
	err := c.work(ctx, func(id string) any {
		req.Header = wire.Header{ID: id, Op: wire.OpOpenBrowser}
		if req.Display == nil {
			req.Display = c.cfg.Display
		}
		return req
	}, &res, onStatus)
	if err != nil {
		return nil, err
	}
	return &res, nil
}

// CloseBrowser closes the login window.
func (c *Client) CloseBrowser(ctx context.Context) (*wire.CloseBrowserResult, error) {
	var res wire.CloseBrowserResult
	if err := c.work(ctx, header(wire.OpCloseBrowser), &res, nil); err != nil {
		return nil, err
	}
	return &res, nil
}

// Status asks how the daemon is, of whatever version it is.
func (c *Client) Status(ctx context.Context) (*wire.StatusResult, error) {
	var res wire.StatusResult
	every := func(*session) error { return nil }
	if err := c.repeat(ctx, every, header(wire.OpStatus), &res, nil); err != nil {
		return nil, err
	}
	return &res, nil
}

// Explain asks which fetchers would be tried for a URL.
func (c *Client) Explain(ctx context.Context, req wire.ExplainRequest) (*wire.ExplainResult, error) {
	var res wire.ExplainResult
	err := c.work(ctx, func(id string) any {
		req.Header = wire.Header{ID: id, Op: wire.OpExplain}
		return req
	}, &res, nil)
	if err != nil {
		return nil, err
	}
	return &res, nil
}

// Retire asks the daemon to leave if it has nothing to do. It is meant for
// this very daemon, so that it is not repeated with another one.
func (c *Client) Retire(ctx context.Context) (*wire.RetireResult, error) {
	s, err := c.session(ctx)
	if err != nil {
		return nil, err
	}
	var res wire.RetireResult
	id := s.nextID()
	if _, err := s.do(ctx, id, wire.Header{ID: id, Op: wire.OpRetire}, &res, c.cfg.Silence, nil); err != nil {
		return nil, err
	}
	return &res, nil
}

func header(op string) func(id string) any {
	return func(id string) any { return wire.Header{ID: id, Op: op} }
}
