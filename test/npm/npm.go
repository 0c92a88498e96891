// Package npm finds files of the npm packages that the tests use: pinned by
// the lock file beside it, installed by make npm-deps.
package npm

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Package is one package of the lock file.
type Package struct {
	Name      string
	Version   string
	Integrity string // "sha512-…", of the published archive

	dir string
}

// Locked is the package as the lock file has it, installed or not.
func Locked(name string) (Package, error) {
	root, err := Root()
	if err != nil {
		return Package{}, err
	}
	folder := filepath.Join(root, "test", "npm")
	data, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return Package{}, err
	}
	var lock struct {
		Packages map[string]struct{ Version, Integrity string }
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return Package{}, fmt.Errorf("package-lock.json: %w", err)
	}
	p, ok := lock.Packages["node_modules/"+name]
	if !ok {
		return Package{}, fmt.Errorf("package-lock.json has no %s", name)
	}
	return Package{Name: name, Version: p.Version, Integrity: p.Integrity, dir: filepath.Join(folder, "node_modules", name)}, nil
}

// ErrNotInstalled is the error of a package that is not there, or in another
// version than that of the lock file.
var ErrNotInstalled = errors.New("run: make npm-deps")

// Read returns a file of the package.
func (p Package) Read(file string) ([]byte, error) {
	path, err := p.Path(file)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Path returns where a file of the package is, and fails when the package is
// not installed.
func (p Package) Path(file string) (string, error) {
	data, err := os.ReadFile(filepath.Join(p.dir, "package.json"))
	if err != nil {
		return "", fmt.Errorf("npm package %s is not installed: %w", p.Name, ErrNotInstalled)
	}
	var installed struct{ Version string }
	if err := json.Unmarshal(data, &installed); err != nil || installed.Version != p.Version {
		return "", fmt.Errorf("npm package %s is installed as %q, wanted %q: %w", p.Name, installed.Version, p.Version, ErrNotInstalled)
	}
	return filepath.Join(p.dir, file), nil
}

// Root is the folder of this module, looked for from the working folder up.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the working folder: run inside the module")
		}
		dir = parent
	}
}
