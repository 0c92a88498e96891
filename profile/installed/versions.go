package installed

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Versions remembers what executables answered to Version, for as long as they
// stay the same files.
type Versions struct {
	packaged []string // folders in which a script belongs to the package of the browser it starts

	mu    sync.Mutex
	known map[string]answer // by path
}

type answer struct {
	product, version string
	files            []os.FileInfo
}

// NewVersions returns Versions that know nothing yet.
func NewVersions() *Versions {
	return &Versions{
		packaged: []string{"/usr/bin/", "/usr/lib/", "/usr/lib64/", "/opt/google/"},
		known:    map[string]answer{},
	}
}

// Of is Version, asked again only when the executable has changed.
func (v *Versions) Of(ctx context.Context, path string) (product, version string, err error) {
	files := v.filesOf(path)
	v.mu.Lock()
	a, ok := v.known[path]
	v.mu.Unlock()
	if ok && slices.EqualFunc(a.files, files, unchanged) {
		return a.product, a.version, nil
	}
	product, version, err = Version(ctx, path)
	if err == nil && files != nil {
		v.mu.Lock()
		v.known[path] = answer{product, version, files}
		v.mu.Unlock()
	}
	return product, version, err
}

// filesOf are the files of which one changes when the version does: the
// executable itself and, as it may only start another one, those it usually
// starts. They are nil for a script of the user's own, which may start
// anything.
func (v *Versions) filesOf(path string) []os.FileInfo {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || isScript(real) && !slices.ContainsFunc(v.packaged, func(dir string) bool { return strings.HasPrefix(real, dir) }) {
		return nil
	}
	var files []os.FileInfo
	for _, p := range append([]string{real, filepath.Join(filepath.Dir(real), "chrome")}, binaries...) {
		if info, err := os.Stat(p); err == nil {
			files = append(files, info)
		}
	}
	return files
}

func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true // as far as we know
	}
	defer f.Close()
	var head [2]byte
	_, err = io.ReadFull(f, head[:])
	return err != nil || string(head[:]) == "#!"
}

func unchanged(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
