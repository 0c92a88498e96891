package daemon

import (
	"context"
	"log/slog"
	"net"
	"os"
	"time"

	"pifetch/daemon/rundir"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/internal/peercred"
	"pifetch/router"
)

// Config is everything a daemon is made of. Zero durations and limits stand
// for their defaults.
type Config struct {
	Paths    rundir.Paths
	Listener net.Listener // inherited from a service manager, which keeps the socket; nil: Run binds Paths.Sock
	Managed  bool         // a service manager started the daemon; clients do not retire it
	Version  string

	// Open readies Router and Browser; neither is used before. It is called
	// with the life lock held: a daemon that finds another one running must
	// not touch what is that one's.
	Open func() error

	Router  Router
	Browser Browser

	// Raw serves the raw form of fetch. An error that neither is a
	// *wire.Error nor has a code by Code is reported as fetch_failed.
	Raw func(context.Context, RawRequest) (wire.RawResult, error)

	// Settings re-reads the user's settings. Its error ends fetches with
	// bad_settings; the idle time holds even then, and 0 stands for Idle. It
	// is called often and must not wait for anything but the file.
	Settings func() (warnings []string, idle time.Duration, err error)

	// Code names the protocol's code for an error of Router, Raw or Browser,
	// or is "". A *wire.Error needs none: it reaches the client as it is.
	Code func(error) wire.Code

	// Limits lists what the sources leave of their limits.
	Limits func() []wire.Limit

	// Policy says in one line what the network policy makes of a URL, as far as
	// that can be told at once. nil: nothing.
	Policy func(url string) string

	// Redact removes userinfo from a URL that goes into the log. Without it
	// URLs are not logged.
	Redact func(string) string

	Log *slog.Logger

	// Signals ask the daemon to leave: the first lets running requests end
	// and takes no new ones, the second cancels them. Who sends on it has
	// its handlers in place before Run is called.
	Signals <-chan os.Signal

	// Ready is called once, when connections are being accepted.
	Ready func()

	// Leaving is called once, with the decision to leave.
	Leaving func()

	Idle       time.Duration // 5 min: time without a request after which the daemon leaves
	Heartbeat  time.Duration // 5 s: sign of life for every pending request
	Drain      time.Duration // 30 s: how long running requests may take after the first signal
	Grace      time.Duration // 10 s: how long cancelled requests and Chrome may take to end
	FirstLine  time.Duration // 10 s: how long a connection may take to send its first line
	WriteStall time.Duration // 30 s: how long one line may take to be taken by the client
	SockCheck  time.Duration // 1 s: pause between two looks at whether the socket is still the daemon's own

	MaxConns    int // 256: connections; beyond it the one that is idle longest is closed
	MaxInFlight int // 32: requests in flight on one connection

	peer func(net.Conn) (peercred.Cred, error)
}

func (c Config) withDefaults() Config {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{
		{&c.Idle, 5 * time.Minute},
		{&c.Heartbeat, 5 * time.Second},
		{&c.Drain, 30 * time.Second},
		{&c.Grace, 10 * time.Second},
		{&c.FirstLine, 10 * time.Second},
		{&c.WriteStall, 30 * time.Second},
		{&c.SockCheck, time.Second},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if c.MaxConns == 0 {
		c.MaxConns = 256
	}
	if c.MaxInFlight == 0 {
		c.MaxInFlight = 32
	}
	if c.Open == nil {
		c.Open = func() error { return nil }
	}
	if c.Settings == nil {
		c.Settings = func() ([]string, time.Duration, error) { return nil, 0, nil }
	}
	if c.Code == nil {
		c.Code = func(error) wire.Code { return "" }
	}
	if c.Limits == nil {
		c.Limits = func() []wire.Limit { return nil }
	}
	if c.Policy == nil {
		c.Policy = func(string) string { return "" }
	}
	if c.Redact == nil {
		c.Redact = func(string) string { return "" }
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Ready == nil {
		c.Ready = func() {}
	}
	if c.Leaving == nil {
		c.Leaving = func() {}
	}
	if c.peer == nil {
		c.peer = peercred.Of
	}
	return c
}

// Router is the part of the router that the daemon needs.
type Router interface {
	// Fetch returns soon after ctx ends, with an error, and has then removed
	// what it wrote.
	Fetch(ctx context.Context, req router.Request) (fetchers.Result, error)
	// Sources are the fetchers' names in order.
	Sources() []string
	// Explain says of each fetcher, in order, whether it claims a URL. It returns
	// soon after ctx ends.
	Explain(ctx context.Context, req fetchers.Request, url string) []fetchers.Claim
}

// Browser is the part of the browser that the daemon needs.
type Browser interface {
	// OpenWindow opens the login window, or url in the one that is open.
	// The end of ctx ends the opening, never the window.
	OpenWindow(ctx context.Context, url string, display map[string]string) (Window, error)
	// CloseWindow reports whether there was a window.
	CloseWindow(ctx context.Context) (bool, error)
	// Window is closed when the login window closes, and nil when none is
	// open. It answers at once.
	Window() <-chan struct{}
	// Status answers at once.
	Status() wire.BrowserStatus
	// Close ends headless Chrome and leaves the login window alone.
	Close(ctx context.Context) error
}

// Window is an open login window.
type Window struct {
	PID     int
	Already bool // it was open before
}

// RawRequest is the raw form of fetch: the bytes of one page into a folder.
type RawRequest struct {
	URL    string
	Dir    string // absolute
	Fetch  fetchers.Request
	Status func(fetchers.Stage)
}
