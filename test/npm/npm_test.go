package npm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// project is a folder with a module and a lock file, made the working folder.
func project(t *testing.T, lock string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module x\n")
	write(t, filepath.Join(dir, "test/npm/package-lock.json"), lock)
	deep := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(deep)
	return dir
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	dir := project(t, `{"packages":{"":{},"node_modules/@a/b":{"version":"1.2.3","integrity":"sha512-x"}}}`)
	if _, err := Locked("@a/c"); err == nil || !strings.Contains(err.Error(), "has no @a/c") {
		t.Errorf("Locked: %v", err)
	}
	p, err := Locked("@a/b")
	if err != nil {
		t.Fatal(err)
	}
	if p.Version != "1.2.3" || p.Integrity != "sha512-x" {
		t.Errorf("%+v", p)
	}
	if _, err := p.Read("x.json"); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("not installed: %v", err)
	}
	installed := filepath.Join(dir, "test/npm/node_modules/@a/b")
	write(t, filepath.Join(installed, "x.json"), "{}")
	write(t, filepath.Join(installed, "package.json"), `{"version":"1.2.2"}`)
	if _, err := p.Read("x.json"); !errors.Is(err, ErrNotInstalled) || !strings.Contains(err.Error(), `installed as "1.2.2", wanted "1.2.3"`) {
		t.Errorf("another version: %v", err)
	}
	write(t, filepath.Join(installed, "package.json"), `{"version":"1.2.3"}`)
	if data, err := p.Read("x.json"); err != nil || string(data) != "{}" {
		t.Errorf("%s, %v", data, err)
	}
	if path, err := p.Path("x.json"); err != nil || path != filepath.Join(installed, "x.json") {
		t.Errorf("%s, %v", path, err)
	}
}
