package installed

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Lock is who holds a profile folder, by Chrome's own account.
type Lock struct {
	Host string // where the browser runs; may be another machine when homes are shared
	PID  int
}

// ReadLock reads Chrome's lock of a profile folder and reports false when
// there is none. Chrome removes the lock when it ends in order, takes over one
// whose process is gone, and never one of another host. A lock is never ours to
// delete.
func ReadLock(profileDir string) (Lock, bool) {
	target, err := os.Readlink(filepath.Join(profileDir, "SingletonLock"))
	if err != nil {
		return Lock{}, false
	}
	i := strings.LastIndexByte(target, '-') // host names have dashes of their own
	if i < 0 {
		return Lock{}, false
	}
	pid, err := strconv.Atoi(target[i+1:])
	if err != nil || pid <= 0 {
		return Lock{}, false
	}
	return Lock{Host: target[:i], PID: pid}, true
}

// Holder is the Chrome that has a profile by its own lock, which is on this
// machine when local. A lock left by a Chrome that is gone is nobody's: Chrome
// takes it over by itself, but never one of another host.
func Holder(profileDir string) (l Lock, local, held bool) {
	l, held = ReadLock(profileDir)
	if !held {
		return Lock{}, false, false
	}
	host, err := os.Hostname()
	if local = err == nil && l.Host == host; !local {
		return l, false, true
	}
	return l, true, IsChrome(l.PID)
}

// IsChrome reports whether a process runs, and by its name as Chrome or one of
// its relatives.
func IsChrome(pid int) bool {
	_, name, ok := Inspect(pid)
	return ok && strings.Contains(strings.ToLower(name), "chrom")
}

// LastVersion is the version of the browser that last opened the profile, and
// false for a profile that none has opened.
func LastVersion(profileDir string) (string, bool) {
	b, err := os.ReadFile(filepath.Join(profileDir, "Last Version"))
	version := strings.TrimSpace(string(b))
	return version, err == nil && version != ""
}

// DefaultProfileDirs are the folders in which the user's own browsers keep
// their profiles, whether they exist or not. None of them may be pifetch's:
// Chrome ignores the debugging switches there, and the user's browsing is none
// of our business.
func DefaultProfileDirs() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	return defaultProfileDirs(runtime.GOOS, home, os.Getenv)
}

func defaultProfileDirs(goos, home string, getenv func(string) string) []string {
	if goos == "darwin" {
		support := filepath.Join(home, "Library", "Application Support")
		return []string{
			filepath.Join(support, "Google", "Chrome"),
			filepath.Join(support, "Google", "Chrome Beta"),
			filepath.Join(support, "Google", "Chrome Dev"),
			filepath.Join(support, "Google", "Chrome Canary"),
			filepath.Join(support, "Chromium"),
		}
	}
	var dirs []string
	configs := []string{filepath.Join(home, ".config")}
	for _, variable := range []string{"XDG_CONFIG_HOME", "CHROME_CONFIG_HOME"} {
		if dir := getenv(variable); filepath.IsAbs(dir) {
			configs = append(configs, dir)
		}
	}
	for _, config := range configs {
		for _, name := range []string{"google-chrome", "google-chrome-beta", "google-chrome-unstable", "chromium"} {
			dirs = append(dirs, filepath.Join(config, name))
		}
	}
	return append(dirs,
		filepath.Join(home, "snap", "chromium", "common", "chromium"),
		filepath.Join(home, ".var", "app", "com.google.Chrome", "config", "google-chrome"),
		filepath.Join(home, ".var", "app", "org.chromium.Chromium", "config", "chromium"),
	)
}

// InDefaultProfile reports whether dir, which need not exist, is one of
// DefaultProfileDirs or inside of one, by whatever links.
func InDefaultProfile(dir string) bool {
	return within(dir, DefaultProfileDirs())
}

func within(dir string, defaults []string) bool {
	dir = resolve(dir)
	for _, d := range defaults {
		if d = resolve(d); dir == d || strings.HasPrefix(dir, d+"/") {
			return true
		}
		own, err := os.Stat(d)
		if err != nil {
			continue
		}
		// Another spelling of the same folder, where case does not count.
		for up := dir; ; up = filepath.Dir(up) {
			if info, err := os.Stat(up); err == nil && os.SameFile(info, own) {
				return true
			}
			if up == filepath.Dir(up) {
				break
			}
		}
	}
	return false
}

// resolve is path without links in the part of it that exists.
func resolve(path string) string {
	path = filepath.Clean(path)
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real
	}
	if parent := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) && parent != path {
		return filepath.Join(resolve(parent), filepath.Base(path))
	}
	return path
}
