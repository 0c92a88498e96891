package artifact

import (
	"bytes"
	"errors"
	"syscall"
	"testing"
)

func TestDiskFull(t *testing.T) {
	root := t.TempDir()
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "size=64k,mode=0700"); err != nil {
		t.Skipf("cannot mount a small file system: %v", err)
	}
	t.Cleanup(func() { check(t, syscall.Unmount(root, 0)) })
	s, _ := newStore(t, Config{Root: func() string { return root }})
	r := newRequest(t, s, "")
	t.Cleanup(func() { r.Close() })
	f := r.Folder(asked("https://example.com/"))
	path, err := f.Path()
	check(t, err)
	_, err = f.Write("big.bin", bytes.NewReader(make([]byte, 1<<20)))
	if want := "write " + path + "/big.bin: no space left on device"; err == nil || err.Error() != want || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v, want %s", err, want)
	}
	wantTree(t, path)
	write(t, f, "small.txt", "fits")
}
