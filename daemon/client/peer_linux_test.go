package client_test

import (
	"net"
	"os"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"pifetch/daemon/client"
	"pifetch/daemon/daemontest"
)

func TestSocketOfAnotherUserIsNotSpokenTo(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	p := daemontest.Paths(t)
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{p.AgentDir, p.Dir} {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	type listening struct {
		ln  net.Listener
		err error
	}
	ch := make(chan listening)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		const nobody, same = 65534, ^uintptr(0)
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, same, nobody, same); errno != 0 {
			ch <- listening{err: errno}
			return
		}
		ln, err := net.Listen("unix", p.Sock)
		ch <- listening{ln, err}
	}()
	l := <-ch
	if l.err != nil {
		t.Fatal(l.err)
	}
	defer l.ln.Close()
	_, err := client.Dial(t.Context(), client.Config{Paths: p, NoSpawn: true})
	if err == nil || !strings.Contains(err.Error(), "served by another user (uid 65534)") {
		t.Errorf("got %v", err)
	}
}
