// Package installed is responsible for what can be known about the system's
// Chrome, and about a profile folder, without starting a browser: where the
// executable is, which version it is, who holds the profile. It knows nothing
// of DevTools, so that the client side can use it too.
package installed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// ErrNotFound is in the chain of every error of Find.
var ErrNotFound = errors.New("no usable Chrome or Chromium found")

// settingKey is the setting that names the executable.
const settingKey = "webTools.fetch.browser.executablePath"

// Find returns the executable of Chrome or Chromium: setting, the value of
// webTools.fetch.browser.executablePath, when it is not empty, and otherwise
// the first there is of where each system keeps them, Google Chrome before
// Chromium. A setting that cannot be used is an error, never passed over.
//
// Ubuntu's snap of Chromium is refused: its confinement keeps it from a
// profile in a hidden folder of the home folder.
func Find(setting string) (string, error) {
	home, _ := os.UserHomeDir() // unknown: nothing is looked for there
	return find(setting, candidates(runtime.GOOS, os.Getenv("PATH"), home))
}

func find(setting string, candidates []string) (string, error) {
	if setting != "" {
		if err := usable(setting); err != nil {
			return "", fmt.Errorf("%w: %s is %s: %w; correct the setting, or remove it to have Chrome looked for", ErrNotFound, settingKey, setting, err)
		}
		return setting, nil
	}
	snap := ""
	for _, path := range candidates {
		switch err := usable(path); {
		case err == nil:
			return path, nil
		case errors.Is(err, errSnap) && snap == "":
			snap = path
		}
	}
	if snap != "" {
		return "", fmt.Errorf("%w: %s is %w; install Google Chrome, or name another executable in %s", ErrNotFound, snap, errSnap, settingKey)
	}
	return "", fmt.Errorf("%w: install Google Chrome or Chromium, or name the executable in %s", ErrNotFound, settingKey)
}

// candidates are the places to look in, best first.
func candidates(goos, pathVariable, home string) []string {
	var all []string
	if goos == "darwin" {
		for _, folder := range []string{"/Applications", filepath.Join(home, "Applications")} {
			for _, app := range []string{"Google Chrome", "Chromium"} {
				all = append(all, filepath.Join(folder, app+".app/Contents/MacOS", app))
			}
		}
		return all
	}
	folders := append(filepath.SplitList(pathVariable), "/usr/bin", "/usr/local/bin")
	for _, name := range []string{"google-chrome-stable", "google-chrome", "chromium", "chromium-browser"} {
		for _, folder := range folders {
			if filepath.IsAbs(folder) { // never what lies in the current folder
				all = append(all, filepath.Join(folder, name))
			}
		}
	}
	return append(all, binaries...)
}

// binaries are what the launchers in the folders of PATH start, on Linux.
var binaries = []string{
	"/opt/google/chrome/chrome",
	"/usr/lib/chromium/chromium",
	"/usr/lib64/chromium/chromium",
	"/usr/lib/chromium-browser/chromium-browser",
	"/usr/lib64/chromium-browser/chromium-browser",
}

var errSnap = errors.New("the snap of Chromium, which cannot use the profile folder")

// usable reports why path cannot be run as Chrome.
func usable(path string) error {
	if !filepath.IsAbs(path) {
		return errors.New("not an absolute path")
	}
	if _, err := exec.LookPath(path); err != nil {
		if e, ok := errors.AsType[*exec.Error](err); ok {
			err = e.Err
		}
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		return err // without the path, which is the caller's to tell
	}
	if isSnap(path) {
		return errSnap
	}
	return nil
}

// isSnap reports whether path starts a snap: a link to the snap program, which
// is what /snap/bin consists of, or the script Ubuntu installs as
// chromium-browser.
func isSnap(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	if filepath.Base(real) == "snap" || strings.HasPrefix(real, "/snap/") || strings.HasPrefix(real, "/var/lib/snapd/") {
		return true
	}
	f, err := os.Open(real)
	if err != nil {
		return false
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 16<<10))
	return err == nil && bytes.HasPrefix(head, []byte("#!")) && bytes.Contains(head, []byte("/snap/bin/"))
}
