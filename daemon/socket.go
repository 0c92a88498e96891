package daemon

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
)

// takeLock takes the life lock. With an inherited socket it waits until the
// lock is free: clients connect to that socket already, and a daemon that
// listened at its path before notices and leaves.
func takeLock(ctx context.Context, cfg Config) (*flock.Flock, error) {
	if err := cfg.Paths.Prepare(); err != nil {
		return nil, err
	}
	lock := flock.New(cfg.Paths.DaemonLock)
	waiting := false
	for {
		ok, err := lock.TryLock()
		switch {
		case err != nil:
			return nil, fmt.Errorf("lock %s: %w", cfg.Paths.DaemonLock, err)
		case ok:
			return lock, nil
		case cfg.Listener == nil:
			return nil, ErrRunning
		}
		if !waiting {
			waiting = true
			cfg.Log.Info("waiting for another daemon to leave", "lock", cfg.Paths.DaemonLock)
		}
		select {
		case sig := <-cfg.Signals:
			return nil, fmt.Errorf("%s while waiting for another daemon to leave", sig)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(lockPause):
		}
	}
}

// lockPause is the pause between two attempts to take the life lock.
const lockPause = 100 * time.Millisecond

// listen binds the socket, whatever is at its path: the caller holds the life
// lock. An inherited socket is the service manager's, who made its file.
func listen(cfg Config) (ln net.Listener, file socketFile, err error) {
	if cfg.Listener != nil {
		return cfg.Listener, socketFile{}, nil
	}
	sock := cfg.Paths.Sock
	defer func() {
		if err != nil {
			err = fmt.Errorf("listen on %s: %w", sock, err)
		}
	}()
	if err := syscall.Unlink(sock); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, file, err
	}
	ul, err := net.ListenUnix("unix", &net.UnixAddr{Name: sock, Net: "unix"})
	if err != nil {
		return nil, file, err
	}
	ul.SetUnlinkOnClose(false)
	// Until here the umask decided; the folder lets nobody else in.
	err = os.Chmod(sock, 0o600)
	file.path = sock
	if err == nil {
		file.info, err = os.Lstat(sock)
	}
	if err != nil {
		ul.Close()
		os.Remove(sock)
		return nil, socketFile{}, err
	}
	return ul, file, nil
}

// socketFile is the file of a socket that the daemon has bound itself; the
// zero value stands for one that is another's.
type socketFile struct {
	path string
	info fs.FileInfo
}

// there reports whether the file is still the one that was bound.
func (f socketFile) there() bool {
	fi, err := os.Lstat(f.path)
	return err == nil && os.SameFile(fi, f.info)
}

// remove takes the file away unless somebody else put something there.
func (f socketFile) remove() {
	if f.info != nil && f.there() {
		os.Remove(f.path)
	}
}

// lost is closed when the file has been removed or replaced, as by a service
// manager that makes its own: nobody reaches the daemon any more. It is looked
// for until ctx ends; nil for a socket of another's.
func (f socketFile) lost(ctx context.Context, every time.Duration) <-chan struct{} {
	if f.info == nil {
		return nil
	}
	lost := make(chan struct{})
	go func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for f.there() {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
		close(lost)
	}()
	return lost
}
