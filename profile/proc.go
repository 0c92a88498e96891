package profile

import "pifetch/profile/installed"

// process is one process of this machine, told apart from a later one with the
// same number by its start.
type process struct {
	PID   int    `json:"pid"`
	Start string `json:"start"` // opaque
}

// findProcess describes a process that runs now.
func findProcess(pid int) (process, bool) {
	start, _, ok := installed.Inspect(pid)
	return process{pid, start}, ok
}

// alive reports whether the process still runs. One that only waits to be
// reaped does not.
func (p process) alive() bool {
	start, _, ok := installed.Inspect(p.PID)
	return ok && p.Start != "" && start == p.Start
}
