// Package artifact keeps the files that URLs become. It decides where they
// go, gives folders and files names that are safe everywhere, and writes them
// so that a name is only ever seen with the whole file behind it.
//
//	<root>/<time of the request>/<slug of the URL>/<body>
package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Store makes request folders and removes old ones. Its methods may be called
// concurrently.
type Store struct {
	cfg Config

	mu   sync.Mutex
	live map[string]bool // paths of request folders that are in use
}

// New returns a store. Nothing is made on disk before the first request.
func New(cfg Config) *Store {
	return &Store{cfg: cfg.withDefaults(), live: make(map[string]bool)}
}

// roots are the roots of our own, the wanted one first.
func (s *Store) roots() []string {
	root := s.cfg.Root()
	if root == "" {
		root = DefaultRoot
	}
	return append([]string{filepath.Clean(root)}, s.cfg.Fallbacks...)
}

// NewRequest begins a request. Its folders go to callerRoot when that is not
// empty, else to a new folder named after the time in the first root of ours
// that is safe. A caller's root that cannot be used is a *RootError.
func (s *Store) NewRequest(callerRoot string) (*Request, error) {
	r := &Request{
		store:   s,
		slugs:   make(map[string]bool),
		folders: make(map[*Folder]bool),
	}
	if callerRoot != "" {
		root, err := openCaller(callerRoot)
		if err != nil {
			return nil, err
		}
		r.root, r.dir, r.path = root, ".", filepath.Clean(callerRoot)
		return r, nil
	}
	var failures []error
	for _, path := range s.roots() {
		root, err := openOwn(path, true)
		if err == nil {
			r.root, r.path = root, path
			break
		}
		failures = append(failures, fmt.Errorf("%s is not used: %w", path, cause(err)))
	}
	if r.root == nil {
		return nil, fmt.Errorf("no safe folder for files: %w", errors.Join(failures...))
	}
	for _, err := range failures {
		r.warnings = append(r.warnings, err.Error())
	}
	if err := s.makeRequestFolder(r); err != nil {
		return nil, errors.Join(fmt.Errorf("make a request folder in %s: %w", r.path, cause(err)), r.root.Close())
	}
	return r, nil
}

// NewFlat begins a request of one URL whose bodies go straight into dir, a
// caller's folder like the root of NewRequest. Files that are there already
// keep their names and stay when the folder is discarded.
func (s *Store) NewFlat(dir string) (*Request, *Folder, error) {
	r, err := s.NewRequest(dir)
	if err != nil {
		return nil, nil, err
	}
	f := &Folder{req: r, flat: true, made: true, names: make(map[string]string)}
	r.folders[f] = true
	return r, f, nil
}

// makeRequestFolder makes the folder named after the time. Requests of one
// millisecond are numbered.
func (s *Store) makeRequestFolder(r *Request) error {
	name := strings.Replace(s.cfg.Now().UTC().Format(requestTime+".000Z"), ".", "-", 1)
	for n := 1; ; n++ {
		dir := numbered(name, n)
		path := filepath.Join(r.path, dir)
		s.setLive(path, true) // before a sweep can see it
		err := makeFolder(r.root, dir)
		if err == nil {
			r.dir, r.path = dir, path
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			s.setLive(path, false)
			return err
		}
	}
}

func (s *Store) setLive(path string, live bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if live {
		s.live[path] = true
	} else {
		delete(s.live, path)
	}
}

func (s *Store) isLive(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[path]
}

// requestTime is how the name of a request folder starts.
const requestTime = "2006-01-02T15-04-05"

var requestFolder = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z(-\d+)?$`)

// forever is the promise of those who keep everything.
const forever = 100 * 365 * 24 * time.Hour

// promise makes the time until which a finished request is kept the folder's
// modification time. Another daemon of the user, which may keep its own for a
// shorter time, sweeps the same root.
func (s *Store) promise(root *os.Root, dir string) error {
	keep := s.cfg.Keep()
	if keep <= 0 {
		keep = forever
	}
	now := s.cfg.Now()
	err := root.Chtimes(dir, now, now.Add(keep))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // the request was removed
	}
	return err
}

// Sweep removes the request folders in our own roots that are older than
// Config.Keep and promised to nobody any more. It touches nothing else there,
// follows no link, and leaves roots named by callers alone.
func (s *Store) Sweep() error {
	keep := s.cfg.Keep()
	if keep <= 0 {
		return nil
	}
	var failures []error
	for _, path := range s.roots() {
		root, err := openOwn(path, false)
		if err != nil {
			continue // not there, or not ours
		}
		failures = append(failures, s.sweepRoot(root, path, keep), root.Close())
	}
	return errors.Join(failures...)
}

func (s *Store) sweepRoot(root *os.Root, path string, keep time.Duration) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return fmt.Errorf("sweep %s: %w", path, err)
	}
	var failures []error
	now := s.cfg.Now()
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() || !requestFolder.MatchString(name) || s.isLive(filepath.Join(path, name)) {
			continue
		}
		began, err := time.Parse(requestTime, name[:len(requestTime)])
		if err != nil || now.Sub(began) <= keep {
			continue
		}
		if fi, err := e.Info(); err != nil || fi.ModTime().After(now) {
			continue // somebody else removes it, or it is promised
		}
		if err := root.RemoveAll(name); err != nil {
			failures = append(failures, fmt.Errorf("sweep %s: %w", path, err))
		}
	}
	return errors.Join(failures...)
}

// makeFolder makes a folder with mode 0700, whatever the umask.
func makeFolder(root *os.Root, name string) error {
	if err := root.Mkdir(name, 0o700); err != nil {
		return err
	}
	return root.Chmod(name, 0o700)
}

// numbered is s for n = 1, then s-2, s-3, …
func numbered(s string, n int) string {
	if n == 1 {
		return s
	}
	return s + "-" + strconv.Itoa(n)
}
