package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"pifetch/daemon/wire"
	"pifetch/internal/peercred"
)

// What a little patience helps against.
var (
	errDraining = errors.New("pifetchd is shutting down")
	errHandover = fmt.Errorf("%w, and its service manager starts the next", errDraining)
	errCrowded  = errors.New("too many clients connect to pifetchd at once")
)

// connect reaches the daemon that is there. Its error wraps ErrNoDaemon when
// none listens or it went away before it answered.
func connect(ctx context.Context, cfg Config) (*session, error) {
	nc, peer, err := dial(ctx, cfg)
	if err != nil {
		return nil, err
	}
	s := newSession(cfg, nc, peer)
	hello, err := s.greet(ctx)
	if err != nil {
		s.close()
		return nil, err
	}
	if hello.State == wire.StateDraining {
		s.close()
		if hello.Managed {
			return nil, errHandover
		}
		return nil, errDraining
	}
	return s, nil
}

// dial connects and makes sure that the daemon belongs to the user.
func dial(ctx context.Context, cfg Config) (net.Conn, peercred.Cred, error) {
	var d net.Dialer
	ctx, cancel := context.WithTimeout(ctx, cfg.Hello)
	defer cancel()
	nc, err := d.DialContext(ctx, "unix", cfg.Paths.Sock)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOTSOCK):
		// ENOTSOCK: a plain file is there on some systems; the next daemon replaces it.
		return nil, peercred.Cred{}, fmt.Errorf("%w: %w", ErrNoDaemon, err)
	case errors.Is(err, syscall.EAGAIN):
		return nil, peercred.Cred{}, errCrowded
	case err != nil:
		return nil, peercred.Cred{}, fmt.Errorf("reach pifetchd: %w", err)
	}
	peer, err := peercred.Of(nc)
	if err == nil && peer.UID != os.Geteuid() {
		err = fmt.Errorf("%s is served by another user (uid %d)", cfg.Paths.Sock, peer.UID)
	}
	if err != nil {
		nc.Close()
		return nil, peercred.Cred{}, fmt.Errorf("reach pifetchd: %w", err)
	}
	return nc, peer, nil
}

// open reaches a daemon, starting one when there is none and the
// configuration allows it. However many clients do so at once, one daemon
// comes of it: they start it under the spawn lock, and a daemon that finds the
// life lock held leaves at once. An idle daemon of an earlier release than the
// one to be started is replaced.
func open(ctx context.Context, cfg Config) (*session, error) {
	var (
		lock     *flock.Flock // held when not nil
		child    *child
		deadline time.Time
		leaving  bool
		compared bool
		pause    = minPause
	)
	defer func() {
		if lock != nil {
			lock.Unlock()
		}
	}()
	for {
		s, err := connect(ctx, cfg)
		if err == nil && !compared {
			compared = true // whatever comes next is taken as it is
			var leaves bool
			if leaves, err = replace(ctx, cfg, s); leaves {
				s.close()
				continue
			}
			if err != nil {
				s.close()
			}
		}
		none, draining, crowded := errors.Is(err, ErrNoDaemon), errors.Is(err, errDraining), errors.Is(err, errCrowded)
		switch {
		case err == nil:
			return s, nil
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case !none && !draining && !crowded:
			return nil, err
		case draining && !cfg.spawns() && !errors.Is(err, errHandover):
			return nil, fmt.Errorf("%w: the last one is shutting down", ErrNoDaemon)
		case none && !cfg.spawns():
			return nil, ErrNoDaemon
		}
		// A daemon that leaves gets longer than one that starts, and what
		// comes after it has its own time.
		if deadline.IsZero() || draining != leaving {
			leaving = draining
			deadline = time.Now().Add(cfg.Start)
			if draining {
				deadline = time.Now().Add(cfg.Leave)
			}
		}
		if time.Now().After(deadline) {
			if crowded {
				return nil, fmt.Errorf("reach pifetchd: %w", err)
			}
			return nil, tooLate(cfg, child, leaving)
		}
		if none && lock == nil {
			l, err := trySpawnLock(cfg)
			if err != nil {
				return nil, err
			}
			if l != nil {
				lock = l
				continue // somebody may have started one before we had the lock
			}
		}
		if none && lock != nil && child == nil {
			if child, err = spawn(cfg); err != nil {
				return nil, err
			}
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, context.Cause(ctx)
		case <-child.exited():
			if child.err != nil {
				timer.Stop()
				return nil, child.failure(cfg, child.err.Error())
			}
			// Another daemon holds the life lock: it is about to listen, or
			// about to leave.
			child = nil
			<-timer.C
		}
		pause = min(pause*3/2, maxPause)
	}
}

func trySpawnLock(cfg Config) (*flock.Flock, error) {
	if err := cfg.Paths.Prepare(); err != nil {
		return nil, &StartError{Reason: err.Error()}
	}
	l := flock.New(cfg.Paths.SpawnLock)
	ok, err := l.TryLock()
	if err != nil {
		return nil, &StartError{Reason: fmt.Sprintf("lock %s: %v", cfg.Paths.SpawnLock, err)}
	}
	if !ok {
		return nil, nil
	}
	return l, nil
}

func tooLate(cfg Config, c *child, leaving bool) error {
	switch {
	case leaving:
		return &StartError{Reason: fmt.Sprintf("the daemon before it is still shutting down after %s", cfg.Leave)}
	case c != nil:
		return c.failure(cfg, fmt.Sprintf("pid %d does not answer after %s", c.pid, cfg.Start))
	default:
		return &StartError{Reason: fmt.Sprintf("none answers after %s, though %s or %s is held — end the process that holds it", cfg.Start, cfg.Paths.DaemonLock, cfg.Paths.SpawnLock)}
	}
}
