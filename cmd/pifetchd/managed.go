package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"
)

// manager is the service manager that started the daemon; the zero value
// stands for none.
type manager struct {
	listener net.Listener // handed over by socket activation, or nil
	notify   string       // address to tell of the daemon's state, or ""
}

// firstSocket is the descriptor of the first socket that is handed over
// (SD_LISTEN_FDS_START).
const firstSocket = 3

// inherit takes over what systemd hands to a process: a listening socket, as
// in sd_listen_fds(3), and where to report, as in sd_notify(3). The variables
// are removed: children are not meant.
func inherit() (m manager, err error) {
	pid, count := os.Getenv("LISTEN_PID"), os.Getenv("LISTEN_FDS")
	m.notify = os.Getenv("NOTIFY_SOCKET")
	for _, name := range []string{"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET"} {
		os.Unsetenv(name)
	}
	if pid != strconv.Itoa(os.Getpid()) || count == "" || count == "0" {
		return m, nil
	}
	if count != "1" {
		return m, fmt.Errorf("the service manager hands over %s sockets: the socket unit may have one ListenStream only", count)
	}
	syscall.CloseOnExec(firstSocket)
	f := os.NewFile(firstSocket, "inherited socket")
	defer f.Close() // the listener has its own descriptor
	ln, err := net.FileListener(f)
	if err != nil {
		return m, fmt.Errorf("use the inherited socket: %w", err)
	}
	ul, ok := ln.(*net.UnixListener)
	if !ok {
		return m, errors.Join(fmt.Errorf("the inherited socket is at %s: the socket unit must name a path", ln.Addr()), ln.Close())
	}
	ul.SetUnlinkOnClose(false)
	m.listener = ul
	return m, nil
}

// tell reports a state of the daemon, as "READY=1", to whoever wants to know.
func (m manager) tell(state string) error {
	if m.notify == "" {
		return nil
	}
	// A leading @ is an abstract address, for net as for systemd.
	conn, err := net.Dial("unixgram", m.notify)
	if err != nil {
		return fmt.Errorf("report to the service manager: %w", err)
	}
	defer conn.Close()
	_, err = conn.Write([]byte(state))
	return err
}
