package pdf

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
)

// cacheDir is where the children of r keep compiled pdfium; "" for nowhere.
func (r *Reader) cacheDir() string {
	if r.CacheDir != "" {
		return r.CacheDir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "pifetchd", "pdfium")
}

// startEngine starts pdfium with what earlier processes compiled into a folder
// of dir named after the versions. Compiling takes seconds and 300 MB, so one
// process does it while others wait. Where dir is not ours alone it is not
// used: what stands in it is run.
func startEngine(ctx context.Context, dir string) (*engine, error) {
	if dir == "" || private(dir) != nil {
		return newEngine(ctx, "")
	}
	current := filepath.Join(dir, versions())
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return newEngine(ctx, "")
	}
	defer lock.Close()
	if _, err := os.Stat(filepath.Join(current, complete)); err == nil {
		_ = lock.Unlock() // loading needs none
	} else {
		removeOld(dir)
	}
	e, err := newEngine(ctx, current)
	if err != nil { // broken files, a full disk: once without, and afresh next time
		_ = os.RemoveAll(current)
		return newEngine(ctx, "")
	}
	debug.FreeOSMemory() // what compiling took
	_ = os.WriteFile(filepath.Join(current, complete), nil, 0o600)
	return e, nil
}

// removeOld removes what other versions compiled, and what a process of this one
// left that did not finish.
func removeOld(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), versionPrefix) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

const (
	complete      = "complete" // stands in a folder whose compilation was finished
	versionPrefix = "pdfium-"
)

// private makes dir, with mode 0700, or checks that it is a folder of ours
// which nobody else may enter.
func private(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != os.Geteuid() || info.Mode().Perm()&0o077 != 0 {
		return errors.New("not a private folder: " + dir)
	}
	return nil
}

// versions names the folder of what this program compiles.
func versions() string {
	pdfium, wazero := "devel", "devel"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			switch m.Path {
			case "github.com/klippa-app/go-pdfium":
				pdfium = m.Version
			case "github.com/tetratelabs/wazero":
				wazero = m.Version
			}
		}
	}
	return versionPrefix + pdfium + "-wazero-" + wazero
}
