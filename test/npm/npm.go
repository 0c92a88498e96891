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

// Read returns a file of the package. It fails when the package is not
// installed in the version of the lock file.
func (p Package) Read(file string) ([]byte, error) {
	const next = "run: make npm-deps"
	data, err := os.ReadFile(filepath.Join(p.dir, "package.json"))
	if err != nil {
		return nil, fmt.Errorf("npm package %s is not installed: %s", p.Name, next)
	}
	var installed struct{ Version string }
	if err := json.Unmarshal(data, &installed); err != nil || installed.Version != p.Version {
		return nil, fmt.Errorf("npm package %s is installed as %q, wanted %q: %s", p.Name, installed.Version, p.Version, next)
	}
	return os.ReadFile(filepath.Join(p.dir, file))
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
