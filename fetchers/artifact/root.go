package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// RootError says why a root named by the caller cannot be used.
type RootError struct {
	Root   string
	Reason string
}

func (e *RootError) Error() string {
	return fmt.Sprintf("artifact root %q: %s", e.Root, e.Reason)
}

// openOwn opens a root of ours, making it when make is set. The parent of the
// default root is writable by everyone, so the name may have been taken by
// somebody else: nothing but a real directory of ours with mode 0700 will do.
// os.MkdirAll would accept a foreign directory, and a link.
func openOwn(path string, make bool) (*os.Root, error) {
	if make {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := os.Mkdir(path, 0o700); err == nil {
			err = os.Chmod(path, 0o700) // whatever the umask
			if err != nil {
				return nil, err
			}
		} else if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return openChecked(path, func(fi fs.FileInfo) error {
		if perm := fi.Mode().Perm(); perm != 0o700 {
			return fmt.Errorf("its mode is %04o, it must be 0700", perm)
		}
		return nil
	})
}

// openCaller opens a root the caller named, and makes it when it is missing.
func openCaller(path string) (*os.Root, error) {
	if !filepath.IsAbs(path) {
		return nil, &RootError{path, "not an absolute path"}
	}
	path = filepath.Clean(path)
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, &RootError{path, cause(err).Error()}
		}
		err = os.Chmod(path, 0o700)
	}
	if err != nil {
		return nil, &RootError{path, cause(err).Error()}
	}
	root, err := openChecked(path, func(fi fs.FileInfo) error {
		if perm := fi.Mode().Perm(); perm&0o022 != 0 {
			return fmt.Errorf("others may write to it (mode %04o)", perm)
		}
		return nil
	})
	if err != nil {
		return nil, &RootError{path, cause(err).Error()}
	}
	return root, nil
}

// openChecked opens a real directory that belongs to us and passes check. What
// was checked is what is open, even if path is exchanged meanwhile.
func openChecked(path string, check func(fs.FileInfo) error) (*os.Root, error) {
	checked, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	switch {
	case checked.Mode().Type() == fs.ModeSymlink:
		return nil, errors.New("it is a symbolic link")
	case !checked.IsDir():
		return nil, errors.New("it is not a directory")
	}
	if owner := checked.Sys().(*syscall.Stat_t).Uid; owner != uint32(os.Geteuid()) {
		return nil, fmt.Errorf("it belongs to another user (uid %d)", owner)
	}
	if err := check(checked); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	if opened, err := root.Stat("."); err != nil || !os.SameFile(opened, checked) {
		return nil, errors.Join(errors.New("it was exchanged while it was opened"), root.Close())
	}
	return root, nil
}

// cause is the bare system error below the wrapping that names a path.
func cause(err error) error {
	if e, ok := errors.AsType[syscall.Errno](err); ok {
		return e
	}
	return err
}
