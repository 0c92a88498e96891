package artifact

import (
	"crypto/rand"
	"errors"
	"os"
	"strings"

	"pifetch/fetchers"
)

// Tree makes a folder of files under a safe form of name, with a number when
// that is taken. What fill makes of it is its own affair: Tree neither counts
// nor caps it. Nothing is left when fill fails or panics.
func (f *Folder) Tree(name string, fill func(*os.Root) error) (path string, err error) {
	part, root, err := f.createTree()
	if err != nil {
		return "", err
	}
	kept := false
	defer func() {
		err = errors.Join(err, root.Close())
		if !kept {
			err = errors.Join(err, f.req.root.RemoveAll(part))
		}
	}()
	if err := fill(root); err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	_, path, err = f.nameLocked(part, SafeName(name))
	kept = err == nil
	return path, err
}

// createTree makes an empty folder with a temporary name.
func (f *Folder) createTree() (part string, root *os.Root, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	path, err := f.pathLocked()
	if err != nil {
		return "", nil, err
	}
	part = f.in(fetchers.PartPrefix + strings.ToLower(rand.Text()))
	if err := makeFolder(f.req.root, part); err != nil {
		return "", nil, writeError(path, "", err)
	}
	root, err = f.req.root.OpenRoot(part)
	if err != nil {
		return "", nil, errors.Join(writeError(path, "", err), f.req.root.Remove(part))
	}
	return part, root, nil
}
