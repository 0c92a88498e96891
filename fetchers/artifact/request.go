package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"pifetch/fetchers"
)

var (
	errDiscarded = errors.New("the document's folder was discarded")
	errClosed    = errors.New("the request is over")
)

// Request is the folder of one fetch request. Its methods may be called
// concurrently.
type Request struct {
	store    *Store
	root     *os.Root
	dir      string // the request folder within root
	path     string // the request folder, absolute
	warnings []string

	mu      sync.Mutex
	slugs   map[string]bool
	folders map[*Folder]bool // not discarded
	closed  bool
}

// Path is the absolute path of the request folder.
func (r *Request) Path() string { return r.path }

// Warnings says which roots were passed over, and why.
func (r *Request) Warnings() []string { return r.warnings }

// Folder returns the folder for one attempt at u. Its name is decided now,
// unique within the request without regard to case; on disk it appears with
// the first write.
func (r *Request) Folder(u fetchers.URL) *Folder {
	f := &Folder{req: r, base: slug(u), names: make(map[string]string)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		f.gone = errClosed
		return f
	}
	f.slug, f.n = r.nextSlugLocked(f.base, 1)
	r.folders[f] = true
	return f
}

func (r *Request) nextSlugLocked(base string, n int) (string, int) {
	for {
		slug := numbered(base, n)
		if !r.slugs[slug] {
			r.slugs[slug] = true
			return slug, n
		}
		n++
	}
}

// makeFolder makes f on disk. A name that is taken there, in a caller's root,
// is passed over.
func (r *Request) makeFolder(f *Folder) error {
	for {
		err := makeFolder(r.root, filepath.Join(r.dir, f.slug))
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		r.mu.Lock()
		f.slug, f.n = r.nextSlugLocked(f.base, f.n+1)
		r.mu.Unlock()
	}
}

// forget gives the name of a discarded folder back.
func (r *Request) forget(f *Folder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.folders[f] {
		delete(r.folders, f)
		delete(r.slugs, f.slug)
	}
}

// end makes every later use of a folder fail and returns the folders.
func (r *Request) end() []*Folder {
	r.mu.Lock()
	r.closed = true
	folders := slices.Collect(maps.Keys(r.folders))
	r.mu.Unlock()
	for _, f := range folders {
		f.end(errClosed)
	}
	return folders
}

// Remove deletes everything the request wrote and makes later writes fail. In
// a caller's root only the folders made by this request go. It may be called
// again when another program wrote into a folder meanwhile.
func (r *Request) Remove() error {
	var failures []error
	for _, f := range r.end() {
		failures = append(failures, f.remove())
	}
	if r.dir != "." {
		failures = append(failures, r.root.RemoveAll(r.dir))
	}
	if err := errors.Join(failures...); err != nil {
		return fmt.Errorf("remove request folder %s: %w", r.path, err)
	}
	return nil
}

// Close ends the request; what was written stays, for Config.Keep from now on
// where the folder is ours. Later writes fail.
func (r *Request) Close() error {
	r.end()
	var err error
	if r.dir != "." {
		err = r.store.promise(r.root, r.dir)
	}
	r.store.setLive(r.path, false)
	return errors.Join(err, r.root.Close())
}
