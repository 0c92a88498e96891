package client

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Stop tells the daemon to leave and waits until it has: running requests end
// first, unless Stop is called again meanwhile. It fails with ErrNoDaemon when
// none runs, and with an error wrapping ErrSilent when it hangs; the process
// is never killed.
func Stop(ctx context.Context, cfg Config) (pid int, err error) {
	cfg = cfg.withDefaults()
	nc, peer, err := dial(ctx, cfg)
	if errors.Is(err, ErrNoDaemon) {
		return 0, ErrNoDaemon
	}
	if err != nil {
		return 0, err
	}
	s := newSession(cfg, nc, peer)
	// The pid is the daemon's own word: the socket's peer can be the service
	// manager that made it.
	hello, err := s.greet(ctx)
	s.close()
	if err != nil {
		return 0, err
	}
	if err := syscall.Kill(hello.PID, syscall.SIGTERM); err != nil {
		return hello.PID, fmt.Errorf("stop pifetchd (pid %d): %w", hello.PID, err)
	}
	if err := left(ctx, cfg, hello.PID); err != nil {
		return hello.PID, fmt.Errorf("wait for pifetchd (pid %d) to leave: %w", hello.PID, err)
	}
	return hello.PID, nil
}

// left returns when the daemon has left: its life lock is free, or another
// daemon, started in the same moment, has it.
func left(ctx context.Context, cfg Config, pid int) error {
	lock := flock.New(cfg.Paths.DaemonLock)
	for {
		free, err := lock.TryLock()
		if free {
			return lock.Unlock()
		}
		if err != nil {
			return err
		}
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(maxPause / 5):
		}
	}
}
