package profile

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"pifetch/profile/installed"
)

// ErrProfileInUse says that a Chrome or a daemon that is not ours has the
// profile. It is left alone; its user has to end it.
var ErrProfileInUse = errors.New("the browser profile is in use")

// lockProfile takes the lock beside a profile folder, which keeps one daemon
// from the other's profile. The file is never removed: a lock belongs to the
// file, not to its name.
func lockProfile(dir string) (*flock.Flock, error) {
	l := flock.New(dir+".lock", flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the browser profile: %w", err)
	}
	if !ok {
		holder, _ := os.ReadFile(l.Path())
		l.Close()
		return nil, fmt.Errorf("%w: %s belongs to another pifetchd (pid %s): stop it, or set webTools.fetch.browser.profileDir to another folder",
			ErrProfileInUse, dir, cmp.Or(strings.TrimSpace(string(holder)), "unknown"))
	}
	// For the message above only; the lock itself does not depend on it.
	_ = os.WriteFile(l.Path(), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
	return l, nil
}

// checkChromeLock fails with ErrProfileInUse when a Chrome has the profile.
func checkChromeLock(dir string) error {
	l, local, ok := installed.Holder(dir)
	switch {
	case !ok:
		return nil
	case local:
		return fmt.Errorf("%w by Chrome (host %s, pid %d): quit it to resume fetching", ErrProfileInUse, l.Host, l.PID)
	default:
		return fmt.Errorf("%w by Chrome on another computer (host %s, pid %d): quit it there; if it is long gone, delete %s/SingletonLock",
			ErrProfileInUse, l.Host, l.PID, dir)
	}
}
