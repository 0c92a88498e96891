// Package peercred says who is at the other end of a unix socket, on the
// kernel's word.
package peercred

import (
	"fmt"
	"net"
)

// Cred is the process at the other end as it was when it connected (seen from
// the listening side) or began to listen (seen from the connecting side).
type Cred struct {
	UID int
	PID int
}

// Of returns the peer of c, which must be a unix socket connection.
func Of(c net.Conn) (Cred, error) {
	uc, ok := c.(*net.UnixConn)
	if !ok {
		return Cred{}, fmt.Errorf("peer of a %T is not known: unix socket needed", c)
	}
	raw, err := uc.SyscallConn()
	if err != nil {
		return Cred{}, fmt.Errorf("peer credentials: %w", err)
	}
	var cred Cred
	var credErr error
	if err := raw.Control(func(fd uintptr) { cred, credErr = of(int(fd)) }); err != nil {
		return Cred{}, fmt.Errorf("peer credentials: %w", err)
	}
	if credErr != nil {
		return Cred{}, fmt.Errorf("peer credentials: %w", credErr)
	}
	return cred, nil
}
