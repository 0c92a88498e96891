package installed

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestVersions(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	asked := filepath.Join(dir, "asked")
	// program is a script that answers with the version and notes that it was asked.
	program := func(path, version string) string {
		return script(t, path, "#!/bin/sh\necho >>"+asked+"\necho 'Chromium "+version+"'\n")
	}
	v := NewVersions()
	v.packaged = []string{filepath.Join(dir, "usr") + "/"}
	want := func(path, version string, times int64) {
		t.Helper()
		_, got, err := v.Of(t.Context(), path)
		if err != nil || got != version {
			t.Errorf("version %q, %v, want %s", got, err, version)
		}
		var n int64
		if info, err := os.Stat(asked); err == nil {
			n = info.Size()
		}
		if n != times {
			t.Errorf("asked %d times, want %d", n, times)
		}
	}
	path := program(filepath.Join(dir, "usr/chromium"), "1.2.3.4")
	linked := link(t, path, filepath.Join(dir, "chromium"))
	want(linked, "1.2.3.4", 1)
	want(linked, "1.2.3.4", 1)
	program(path, "1.2.3.5") // of the same size
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	want(linked, "1.2.3.5", 2)
	want(linked, "1.2.3.5", 2)

	// An upgrade takes the place of the file.
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	next := program(path+".new", "1.2.3.6")
	if err := os.Chtimes(next, time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
	want(linked, "1.2.3.6", 3)

	// So it does where only what the executable starts is another.
	script(t, filepath.Join(dir, "usr/chrome"), "a browser")
	want(linked, "1.2.3.6", 4)
	script(t, filepath.Join(dir, "usr/chrome"), "a browser of a later version")
	want(linked, "1.2.3.6", 5)
	want(linked, "1.2.3.6", 5)

	// A script of the user's own may start anything.
	own := program(filepath.Join(dir, "home/chrome"), "7.8.9.0")
	want(own, "7.8.9.0", 6)
	want(own, "7.8.9.0", 7)

	// What failed is not remembered.
	broken := script(t, filepath.Join(dir, "usr/broken"), "#!/bin/sh\nexit 1\n")
	if _, _, err := v.Of(t.Context(), broken); err == nil {
		t.Error("no error")
	}
	program(broken, "1.2.3.4")
	want(broken, "1.2.3.4", 8)
}
