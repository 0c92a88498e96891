package client

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// LockHeld reports whether a process holds a lock of the run folder. It takes a
// free one for a moment, so that it is for a folder whose daemon does not
// answer. A file that does not exist is not made.
func LockHeld(path string) (bool, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	lock := flock.New(path, flock.SetFlag(os.O_RDWR))
	free, err := lock.TryLock()
	if err != nil {
		return false, fmt.Errorf("try the lock %s: %w", path, err)
	}
	if !free {
		return true, nil
	}
	return false, lock.Unlock()
}
