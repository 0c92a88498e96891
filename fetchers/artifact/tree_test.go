package artifact

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pifetch/fetchers"
)

func fillWith(files ...string) func(*os.Root) error {
	return func(root *os.Root) error {
		for _, name := range files {
			if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				return err
			}
			if err := root.WriteFile(name, []byte(name), 0o600); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestTree(t *testing.T) {
	s, _ := newStore(t, Config{})
	f := newRequest(t, s, "").Folder(fetchers.URL{Asked: "https://a.example/x"})
	write(t, f, "listing.md", "x")
	path, err := f.Tree("tree", fillWith("a/b.txt", ".c"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.Tree("TREE", fillWith())
	if err != nil {
		t.Fatal(err)
	}
	folder, _ := f.Path()
	if path != filepath.Join(folder, "tree") || again != filepath.Join(folder, "TREE-2") {
		t.Errorf("paths %s and %s, want tree and TREE-2 in %s", path, again, folder)
	}
	want := []string{"TREE-2/", "listing.md", "tree/", "tree/.c", "tree/a/", "tree/a/b.txt"}
	if diff := cmp.Diff(want, tree(t, folder)); diff != "" {
		t.Errorf("folder (-want +got):\n%s", diff)
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("mode of %s: %v, %v; want 0700", path, fi.Mode(), err)
	}
	if err := f.Discard(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s after Discard: %v, want it gone", folder, err)
	}
}

func TestTreeThatFailsLeavesNothing(t *testing.T) {
	s, _ := newStore(t, Config{})
	f := newRequest(t, s, "").Folder(fetchers.URL{Asked: "https://a.example/x"})
	broken := errors.New("broken")
	_, err := f.Tree("tree", func(root *os.Root) error {
		return errors.Join(fillWith("a/b.txt")(root), broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("Tree: %v, want the error of fill", err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = f.Tree("tree", func(root *os.Root) error { panic("broken") })
	}()
	folder, _ := f.Path()
	if got := tree(t, folder); len(got) != 0 {
		t.Errorf("folder holds %v, want nothing", got)
	}
}

func TestTreeStaysInItsFolder(t *testing.T) {
	s, _ := newStore(t, Config{})
	f := newRequest(t, s, "").Folder(fetchers.URL{Asked: "https://a.example/x"})
	if _, err := f.Tree("tree", fillWith("../outside")); err == nil {
		t.Error("a file was written outside of the tree")
	}
}

func TestTreeOfADiscardedFolder(t *testing.T) {
	s, _ := newStore(t, Config{})
	f := newRequest(t, s, "").Folder(fetchers.URL{Asked: "https://a.example/x"})
	_, err := f.Tree("tree", func(root *os.Root) error {
		return errors.Join(fillWith("a.txt")(root), f.Discard())
	})
	if !errors.Is(err, errDiscarded) {
		t.Errorf("Tree: %v, want %v", err, errDiscarded)
	}
	if _, err := f.Tree("tree", fillWith()); !errors.Is(err, errDiscarded) {
		t.Errorf("Tree: %v, want %v", err, errDiscarded)
	}
}

func TestTreeInAFlatFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "tree"), 0o700); err != nil {
		t.Fatal(err)
	}
	s, _ := newStore(t, Config{})
	r, f, err := s.NewFlat(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	path, err := f.Tree("tree", fillWith("a.txt"))
	if err != nil || path != filepath.Join(dir, "tree-2") {
		t.Errorf("Tree: %s, %v; want tree-2", path, err)
	}
	if err := f.Discard(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"tree/"}, tree(t, dir)); diff != "" {
		t.Errorf("after Discard (-want +got):\n%s", diff)
	}
}
