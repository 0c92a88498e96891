package artifact

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/text/cases"

	"pifetch/fetchers"
)

// Folder is the folder of one attempt at a URL.
type Folder struct {
	req  *Request
	base string // the slug without a number
	flat bool   // it is the caller's own folder, where other files may be

	mu    sync.Mutex
	slug  string
	n     int
	made  bool
	gone  error             // why it takes no more files
	names map[string]string // taken names by their folded form
}

var _ fetchers.Folder = (*Folder)(nil)

// Path makes the folder and returns its absolute path.
func (f *Folder) Path() (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pathLocked()
}

func (f *Folder) pathLocked() (string, error) {
	if f.gone != nil {
		return "", f.gone
	}
	if !f.made {
		if err := f.req.makeFolder(f); err != nil {
			return "", fmt.Errorf("make %s: %w", filepath.Join(f.req.path, f.slug), cause(err))
		}
		f.made = true
	}
	return filepath.Join(f.req.path, f.slug), nil
}

// in is the name of a file of this folder within the request's root.
func (f *Folder) in(name string) string { return filepath.Join(f.req.dir, f.slug, name) }

// Write stores everything r yields under a safe form of name, with a number
// when the folder has that name already. Nothing is left when it fails. An
// error of r is returned as it is.
func (f *Folder) Write(name string, r io.Reader) (body fetchers.Body, err error) {
	name = SafeName(name)
	part, file, path, err := f.createPart()
	if err != nil {
		return fetchers.Body{}, err
	}
	stored := false
	defer func() {
		if !stored { // r may have panicked
			_ = file.Close()
			_ = f.req.root.Remove(part)
		}
	}()
	m := newMeter(name)
	w := &cappedWriter{file: file, meter: m, max: f.req.store.cfg.MaxBytes}
	if _, err := io.Copy(w, r); err != nil {
		switch {
		case w.tooLarge:
			return fetchers.Body{}, &sizeError{name: name, max: w.max}
		case w.failed != nil:
			return fetchers.Body{}, writeError(path, name, w.failed)
		}
		return fetchers.Body{}, err
	}
	if err := file.Close(); err != nil {
		return fetchers.Body{}, writeError(path, name, err)
	}
	body, err = f.finish(part, name, m)
	stored = err == nil
	return body, err
}

// createPart makes a file with a temporary name.
func (f *Folder) createPart() (part string, file *os.File, path string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	path, err = f.pathLocked()
	if err != nil {
		return "", nil, "", err
	}
	part = f.in(fetchers.PartPrefix + strings.ToLower(rand.Text()))
	file, err = f.req.root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", nil, "", writeError(path, "", err)
	}
	if err := file.Chmod(0o600); err != nil { // whatever the umask
		return "", nil, "", errors.Join(writeError(path, "", err), file.Close(), f.req.root.Remove(part))
	}
	return part, file, path, nil
}

// finish gives a complete part its name. Whether the folder still takes files
// is decided under the lock, so that none appears after Discard.
func (f *Folder) finish(part, name string, m *meter) (fetchers.Body, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	name, path, err := f.nameLocked(part, name)
	if err != nil {
		return fetchers.Body{}, err
	}
	body := m.body()
	body.Name, body.Path = name, path
	return body, nil
}

// nameLocked gives a complete part the wanted name, or that with a number, and
// returns it with its absolute path.
func (f *Folder) nameLocked(part, wanted string) (name, path string, err error) {
	folder, err := f.pathLocked()
	if err != nil {
		return "", "", err
	}
	for {
		name = f.freeNameLocked(wanted)
		err := f.rename(part, name)
		if err == nil {
			break
		}
		if !f.flat || !errors.Is(err, fs.ErrExist) {
			return "", "", writeError(folder, name, err)
		}
	}
	f.names[fold(name)] = name
	return name, filepath.Join(folder, name), nil
}

func (f *Folder) freeNameLocked(name string) string {
	ext := extension(name)
	stem := strings.TrimSuffix(name, ext)
	for n := 1; ; n++ {
		name := numbered(stem, n) + ext
		if _, taken := f.names[fold(name)]; !taken && !f.foreign(name) {
			return name
		}
	}
}

// foreign reports whether a file of somebody else has the name. Only a flat
// folder can hold any.
func (f *Folder) foreign(name string) bool {
	if !f.flat {
		return false
	}
	_, err := f.req.root.Lstat(f.in(name))
	return err == nil
}

// rename gives a part its name. In a flat folder, where another request may
// just have taken the name, it fails then and replaces nothing.
func (f *Folder) rename(part, name string) error {
	if !f.flat {
		return f.req.root.Rename(part, f.in(name))
	}
	if err := f.req.root.Link(part, f.in(name)); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return err
		}
		return f.req.root.Rename(part, f.in(name)) // no links on this file system
	}
	return f.req.root.Remove(part)
}

// fold is the form in which two names are the same to a file system that
// ignores case.
func fold(name string) string { return cases.Fold().String(name) }

// Adopt gives a finished part file a safe form of name, and brings it to mode
// 0600. A part that cannot be adopted is removed.
func (f *Folder) Adopt(part, name string) (body fetchers.Body, err error) {
	if !strings.HasPrefix(part, fetchers.PartPrefix) || part != filepath.Base(part) {
		return fetchers.Body{}, fmt.Errorf("adopt %q: the name of a part starts with %s", part, fetchers.PartPrefix)
	}
	name = SafeName(name)
	f.mu.Lock()
	path, err := f.pathLocked()
	part = f.in(part)
	f.mu.Unlock()
	if err != nil {
		return fetchers.Body{}, err
	}
	defer func() {
		if err != nil {
			_ = f.req.root.Remove(part)
		}
	}()
	m, err := f.measure(part, name)
	if err != nil {
		if errors.Is(err, fetchers.ErrTooLarge) {
			return fetchers.Body{}, err
		}
		return fetchers.Body{}, fmt.Errorf("read %s: %w", filepath.Join(path, filepath.Base(part)), cause(err))
	}
	return f.finish(part, name, m)
}

func (f *Folder) measure(part, name string) (*meter, error) {
	fi, err := f.req.root.Lstat(part)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	if limit := f.req.store.cfg.MaxBytes; fi.Size() > limit {
		return nil, &sizeError{name: name, size: fi.Size(), max: limit}
	}
	file, err := f.req.root.Open(part)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if opened, err := file.Stat(); err != nil || !os.SameFile(fi, opened) {
		return nil, errors.New("exchanged while it was opened")
	}
	if err := file.Chmod(0o600); err != nil {
		return nil, err
	}
	m := newMeter(name)
	_, err = io.Copy(m, file)
	return m, err
}

// Open reads back a body written before, by the name in its Body.
func (f *Folder) Open(name string) (io.ReadCloser, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.hasLocked(name); err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	return f.req.root.Open(f.in(name))
}

// Remove deletes one body, by the name in its Body.
func (f *Folder) Remove(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.hasLocked(name); err != nil {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	if err := f.req.root.Remove(f.in(name)); err != nil {
		return err
	}
	delete(f.names, fold(name))
	return nil
}

func (f *Folder) hasLocked(name string) error {
	if f.gone != nil {
		return f.gone
	}
	if has, ok := f.names[fold(name)]; !ok || has != name {
		return fs.ErrNotExist
	}
	return nil
}

// Discard removes the folder with everything in it, and makes later writes
// fail. Its name is then free for the next attempt at the URL.
func (f *Folder) Discard() error {
	f.end(errDiscarded)
	if err := f.remove(); err != nil {
		return err
	}
	f.req.forget(f)
	return nil
}

func (f *Folder) end(why error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gone == nil {
		f.gone = why
	}
}

func (f *Folder) remove() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.made {
		return nil
	}
	if f.flat {
		return f.removeOwnLocked()
	}
	if err := f.req.root.RemoveAll(f.in("")); err != nil {
		return fmt.Errorf("remove %s: %w", filepath.Join(f.req.path, f.slug), err)
	}
	f.made = false
	return nil
}

// removeOwnLocked removes the bodies and trees of a flat folder and nothing else.
func (f *Folder) removeOwnLocked() error {
	var failures []error
	for _, name := range f.names {
		failures = append(failures, f.req.root.RemoveAll(f.in(name)))
	}
	clear(f.names)
	return errors.Join(failures...)
}

// cappedWriter writes to a file at most max bytes, and keeps apart what went
// wrong here from what went wrong in the reader.
type cappedWriter struct {
	file     *os.File
	meter    *meter
	max      int64
	tooLarge bool
	failed   error
}

func (w *cappedWriter) Write(p []byte) (int, error) {
	if w.meter.bytes+int64(len(p)) > w.max {
		w.tooLarge = true
		return 0, fetchers.ErrTooLarge
	}
	n, err := w.file.Write(p)
	if err != nil {
		w.failed = err
		return n, err
	}
	return w.meter.Write(p)
}

// sizeError is the error of a body over the cap.
type sizeError struct {
	name string
	size int64 // 0: it was still growing
	max  int64
}

func (e *sizeError) Error() string {
	if e.size == 0 {
		return fmt.Sprintf("%s is too large: over %s", e.name, size(e.max))
	}
	return fmt.Sprintf("%s is too large: %s, the most is %s", e.name, size(e.size), size(e.max))
}

func (e *sizeError) Unwrap() error { return fetchers.ErrTooLarge }

func size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%.0f KB", float64(n)/(1<<10))
	case n%(1<<20) == 0:
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// writeError names the file by the name it was to get, not its temporary one.
func writeError(path, name string, err error) error {
	return fmt.Errorf("write %s: %w", filepath.Join(path, name), cause(err))
}
