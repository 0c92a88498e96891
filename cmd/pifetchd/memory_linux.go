package main

import "golang.org/x/sys/unix"

// guardMemory keeps cookies and tokens in memory out of core dumps and from
// debuggers of the same user. Children get the limit; Chrome sets the rest for
// itself.
func guardMemory() error {
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return err
	}
	return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}
