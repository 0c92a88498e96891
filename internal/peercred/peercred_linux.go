package peercred

import "golang.org/x/sys/unix"

func of(fd int) (Cred, error) {
	c, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return Cred{}, err
	}
	return Cred{UID: int(c.Uid), PID: int(c.Pid)}, nil
}
