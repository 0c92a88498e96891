package client_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"

	"pifetch/daemon/client"
)

func TestLockHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "daemon.lock")
	want := func(want bool) {
		t.Helper()
		if held, err := client.LockHeld(path); err != nil || held != want {
			t.Errorf("held %v, %v, want %v", held, err, want)
		}
	}
	want(false)
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the file: %v", err)
	}
	lock := flock.New(path)
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	want(true)
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	want(false)
	if free, err := lock.TryLock(); !free || err != nil {
		t.Errorf("it is left held: %v", err)
	}
	lock.Unlock()
}
