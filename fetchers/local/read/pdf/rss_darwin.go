package pdf

import "syscall"

// resident is the most memory this process had in use, in bytes.
func resident() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Maxrss
}
