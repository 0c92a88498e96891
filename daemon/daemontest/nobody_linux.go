package daemontest

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// NeedRoot skips a test that becomes another user.
func NeedRoot(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
}

// AsNobody runs do as the user nobody (uid 65534), and the test fails with its
// error. It needs root.
func AsNobody[T any](t testing.TB, do func() (T, error)) T {
	t.Helper()
	var v T
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		const nobody, same = 65534, ^uintptr(0)
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, same, nobody, same); errno != 0 {
			err = errno
			return
		}
		v, err = do()
	}()
	<-done
	if err != nil {
		t.Fatal(err)
	}
	return v
}
