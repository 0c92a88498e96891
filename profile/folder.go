package profile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"pifetch/profile/installed"
)

// makeFolder makes the profile folder, or checks the one that is there, and
// returns its path without links.
func makeFolder(dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("profile folder %q is no absolute path", dir)
	}
	if installed.InDefaultProfile(dir) {
		return "", fmt.Errorf("profile folder %s is the user's own Chrome folder: set webTools.fetch.browser.profileDir to a folder of its own", dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the profile folder: %w", err)
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("profile folder: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", fmt.Errorf("profile folder: %w", err)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return "", fmt.Errorf("profile folder %s belongs to another user", dir)
	}
	if err := checkContents(dir); err != nil {
		return "", err
	}
	if info.Mode().Perm() != 0o700 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return "", fmt.Errorf("profile folder: %w", err)
		}
	}
	return dir, nil
}

// checkContents refuses a folder that holds something other than a profile: a
// home folder named by mistake would get a new mode and Chrome's files.
func checkContents(dir string) error {
	for _, name := range []string{markerName, "Local State", "Default"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return nil
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("profile folder: %w", err)
	}
	if len(entries) > 0 {
		return fmt.Errorf("profile folder %s holds other files and no Chrome profile: set webTools.fetch.browser.profileDir to a folder of its own", dir)
	}
	return nil
}

// markerName is our own file in a profile. Its presence says that the
// preferences have been prepared.
const markerName = "pifetch.json"

// marker says who used a profile last.
type marker struct {
	Product  string  `json:"product"`           // "Chromium", "Google Chrome"
	Version  string  `json:"version"`           //
	Headless process `json:"headless,omitzero"` // the Chrome started last; a dead daemon's is recognised by it
}

func readMarker(dir string) (m marker, ok bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, markerName))
	if errors.Is(err, fs.ErrNotExist) {
		return marker{}, false, nil
	}
	if err != nil {
		return marker{}, false, fmt.Errorf("profile folder: %w", err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return marker{}, false, fmt.Errorf("read %s: %w", filepath.Join(dir, markerName), err)
	}
	return m, true, nil
}

func writeMarker(dir string, m marker) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, markerName), append(text, '\n'))
}

// checkUse refuses a profile that this Chrome would damage or not understand.
func checkUse(dir string, m marker, product, version string) error {
	if m.Product != "" && m.Product != product {
		return fmt.Errorf("profile %s was made by %s and %s cannot read its logins: set webTools.fetch.browser.executablePath to %s, or profileDir to another folder",
			dir, m.Product, product, m.Product)
	}
	last, ok := installed.LastVersion(dir)
	if ok && installed.Newer(last, version) {
		return fmt.Errorf("profile %s was last used by version %s and the installed %s is older (%s): update it, or set webTools.fetch.browser.profileDir to another folder",
			dir, last, product, version)
	}
	return nil
}

// endOrphan sees a headless Chrome off that a dead daemon left behind. Such a
// Chrome ends by itself when its pipe closes, which takes a moment; one that
// hangs is told to. The lock beside the profile must be held: it proves that
// the Chrome's daemon is gone.
func endOrphan(ctx context.Context, p process, wait, term time.Duration) error {
	if ended(ctx, p, wait) {
		return nil
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	syscall.Kill(p.PID, syscall.SIGTERM)
	if ended(ctx, p, term) || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	syscall.Kill(p.PID, syscall.SIGKILL)
	if !ended(ctx, p, term) {
		return fmt.Errorf("%w by a headless Chrome (pid %d) that does not end", ErrProfileInUse, p.PID)
	}
	return nil
}

// ended waits for the end of a process that is not our child.
func ended(ctx context.Context, p process, wait time.Duration) bool {
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for p.alive() {
		select {
		case <-ctx.Done():
			return false
		case <-deadline.C:
			return !p.alive()
		case <-tick.C:
		}
	}
	return true
}
