// Package daemon is the life of pifetchd: it takes the life lock, listens on
// the socket, serves requests, and leaves when it is idle or told to. What it
// serves them with, router and browser, is given to it.
package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"pifetch/daemon/wire"
)

// ErrRunning is returned when another daemon holds the life lock.
var ErrRunning = errors.New("pifetchd is already running")

// The causes for which requests end before their time.
var (
	errCancelled = wire.Errorf(wire.CodeCancelled, "cancelled by the client")
	errHungUp    = wire.Errorf(wire.CodeCancelled, "the client hung up")
	errStopped   = wire.Errorf(wire.CodeCancelled, "pifetchd was told to stop")
	errLeaving   = wire.Errorf(wire.CodeShuttingDown, "pifetchd is shutting down — repeat the request, a new daemon will serve it")
)

// Run is a daemon's whole life. It returns nil when the daemon left because it
// was idle, retired or told to by a signal or by the end of ctx (which cancels
// running requests, as a second signal does), and ErrRunning when another
// daemon holds the lock; with an inherited socket it waits for that one to leave. The browser is opened with the lock held, and closed
// before the lock is released.
func Run(ctx context.Context, cfg Config) error {
	cfg = cfg.withDefaults()
	lock, err := takeLock(ctx, cfg)
	if err != nil {
		return err
	}
	// The file stays: a lock belongs to the inode, and without the name a
	// second daemon would lock another one.
	defer lock.Unlock()

	if err := cfg.Open(); err != nil {
		return err
	}
	ln, sock, err := listen(cfg)
	if err != nil {
		return errors.Join(err, cfg.closeBrowser(ctx))
	}
	defer sock.remove()
	return newServer(cfg, ln, sock).run(ctx)
}

func (c Config) closeBrowser(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.Grace)
	defer cancel()
	if err := c.Browser.Close(ctx); err != nil {
		return fmt.Errorf("close the browser: %w", err)
	}
	return nil
}

// server serves connections until its lifetime ends.
type server struct {
	cfg     Config
	log     *slog.Logger
	ln      net.Listener
	sock    socketFile
	life    *lifetime
	started time.Time
	ctx     context.Context // of all requests
	cancel  context.CancelCauseFunc
	failed  chan error     // from the accept loop
	serving sync.WaitGroup // one for each connection

	capabilities []string

	mu       sync.Mutex
	conns    map[*conn]struct{}
	connID   uint64 // of the newest connection
	reqID    uint64 // of the newest request
	hangedUp bool   // no connection may be added
}

func newServer(cfg Config, ln net.Listener, sock socketFile) *server {
	s := &server{
		cfg:     cfg,
		log:     cfg.Log,
		ln:      ln,
		sock:    sock,
		started: time.Now(),
		failed:  make(chan error, 1),
		conns:   map[*conn]struct{}{},

		capabilities: capabilities(),
	}
	s.life = newLifetime(s.idle, cfg.Browser.Window)
	return s
}

// idle is how long the settings let the daemon stay without a request.
func (s *server) idle() time.Duration {
	if _, idle, _ := s.cfg.Settings(); idle > 0 {
		return idle
	}
	return s.cfg.Idle
}

func (s *server) run(ctx context.Context) error {
	s.ctx, s.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	defer s.cancel(nil)
	var accepting sync.WaitGroup
	accepting.Go(s.accept)
	s.log.Info("serving", "socket", s.ln.Addr().String(), "pid", os.Getpid(), "version", s.cfg.Version, "managed", s.cfg.Managed)
	s.cfg.Ready()

	err := s.stay(ctx)
	s.ln.Close()
	accepting.Wait()
	// Every request has been answered, or been cancelled for Grace; what the
	// browser does to those that still run can only help them to end.
	err = errors.Join(err, s.cfg.closeBrowser(ctx))
	s.hangUp()
	err = errors.Join(err, s.finish())
	s.log.Info("left")
	return err
}

// stay returns when it is time to leave: no request runs any more, or those
// that do ignore that they are cancelled.
func (s *server) stay(ctx context.Context) error {
	var err error
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	drain := time.Duration(0)
	select {
	case <-s.life.closing:
		s.log.Info("leaving", "why", "idle or retired")
	case sig := <-s.cfg.Signals:
		s.log.Info("draining", "signal", fmt.Sprint(sig))
		drain = s.cfg.Drain
	case <-s.sock.lost(ctx, s.cfg.SockCheck):
		// Who connects reaches another daemon, or none: one that waits for the
		// lock, or one that a client cannot start while it is held.
		s.log.Warn("draining", "why", "the socket was removed or replaced")
		drain = s.cfg.Drain
	case <-ctx.Done():
		s.log.Info("stopping", "why", context.Cause(ctx).Error())
	case err = <-s.failed:
		s.log.Error("cannot accept connections", "err", err.Error())
	}
	s.life.Leave()
	s.cfg.Leaving()
	timeout := time.NewTimer(drain)
	defer timeout.Stop()
	select {
	case <-s.life.empty:
		return err
	default:
	}
	select {
	case <-s.life.empty:
		return err
	case <-timeout.C:
	case <-s.cfg.Signals:
	case <-ctx.Done():
	}
	s.log.Info("cancelling requests")
	s.cancel(errStopped)
	grace := time.NewTimer(s.cfg.Grace)
	defer grace.Stop()
	select {
	case <-s.life.empty:
	case <-grace.C:
		s.log.Error("requests do not end")
	}
	return err
}

// hangUp lets every connection send what it has to say and close.
func (s *server) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hangedUp = true
	for c := range s.conns {
		c.nc.SetReadDeadline(time.Unix(1, 0))
	}
}

// finish waits for everything the server started.
func (s *server) finish() error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.serving.Wait()
		s.life.wg.Wait()
	}()
	grace := time.NewTimer(s.cfg.Grace)
	defer grace.Stop()
	select {
	case <-done:
		return nil
	case <-grace.C:
	}
	// What is left waits for a client that does not read, or is stuck.
	s.mu.Lock()
	for c := range s.conns {
		c.nc.Close()
	}
	s.mu.Unlock()
	grace.Reset(s.cfg.Grace)
	select {
	case <-done:
		return nil
	case <-grace.C:
		return errors.New("leave: requests are still running")
	}
}

// The pause after a failure to accept, as when files run out.
const (
	minAcceptPause = 5 * time.Millisecond
	maxAcceptPause = time.Second
)

func (s *server) accept() {
	pause := minAcceptPause
	for {
		nc, err := s.ln.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			if !s.life.Leaving() {
				s.failed <- err
			}
			return
		case err != nil:
			s.log.Warn("accept", "err", err.Error())
			select {
			case <-time.After(pause):
			case <-s.life.closing:
				return
			}
			pause = min(2*pause, maxAcceptPause)
		default:
			pause = minAcceptPause
			s.serving.Go(func() { s.serve(nc) })
		}
	}
}

// admit counts a connection in. At the limit one without a request makes room,
// first of those that never had any the oldest, then the one that has been
// idle for longest: its client redials when it has something to ask.
func (s *server) admit(c *conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hangedUp {
		return errLeaving
	}
	if len(s.conns) >= s.cfg.MaxConns {
		var idle []spare
		for o := range s.conns {
			if sp, ok := o.spare(); ok {
				idle = append(idle, sp)
			}
		}
		if len(idle) == 0 {
			return wire.Errorf(wire.CodeBusy, "all %d connections have requests running — try again later", s.cfg.MaxConns)
		}
		victim := slices.MinFunc(idle, func(a, b spare) int {
			if a.spoken != b.spoken {
				if a.spoken {
					return 1
				}
				return -1
			}
			return a.since.Compare(b.since)
		}).conn
		s.log.Warn("connection closed to make room", "conn", victim.id)
		delete(s.conns, victim)
		victim.nc.Close()
	}
	s.connID++
	c.id = s.connID
	s.conns[c] = struct{}{}
	return nil
}

func (s *server) dismiss(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

func (s *server) nextRequest() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reqID++
	return s.reqID
}

func (s *server) state() string {
	if s.life.Leaving() {
		return wire.StateDraining
	}
	return wire.StateServing
}
