package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// modules returns the folders of the modules that the two programs contain when
// they are built for the target, and Go's own under "go".
func modules(target target) (map[string]string, error) {
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", "./cmd/...")
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+target.os, "GOARCH="+target.arch)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	dirs := map[string]string{"go": strings.TrimSpace(string(goroot))}
	for line := range strings.Lines(string(out)) {
		if module, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			dirs[module] = dir
		}
	}
	return dirs, nil
}

// licenceName matches names of files with licences, and with the notices that
// Apache-2.0 wants passed on.
var licenceName = regexp.MustCompile(`(?i)^(.*licen[cs]e.*|copying.*|notice.*|patents)$`)

// licences returns the texts of the licences of modules, given by their
// folders, each below the module's path. A module without one is an error: it
// could not be passed on.
func licences(modules map[string]string) (tree, error) {
	texts := tree{}
	for module, dir := range modules {
		found := false
		err := filepath.WalkDir(dir, func(src string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && src != dir && (module == "go" || d.Name() == "testdata"):
				return filepath.SkipDir // of Go's distribution only the top is Go's own text
			case !d.Type().IsRegular() || !licenceName.MatchString(d.Name()) || !isText(d.Name()):
				return nil
			}
			rel, err := filepath.Rel(dir, src)
			if err != nil {
				return err
			}
			found = true
			return texts.addFile(path.Join(module, filepath.ToSlash(rel)), src, false)
		})
		if err != nil {
			return nil, fmt.Errorf("licences of %s: %w", module, err)
		}
		if !found {
			return nil, fmt.Errorf("%s has no licence in %s: it cannot be passed on; is the module or the Go distribution complete?", module, dir)
		}
	}
	return texts, nil
}

// isText reports whether a file of this name is prose rather than a source.
func isText(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case "", ".txt", ".md", ".html", ".mit", ".bsd", ".apache":
		return true
	}
	return false
}
