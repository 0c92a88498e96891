package installed

import (
	"fmt"
	"os"
	"strings"
)

// Inspect returns the start and the name of a running process. One that only
// waits to be reaped does not run.
func Inspect(pid int) (start, name string, ok bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", "", false
	}
	// pid (name) state ppid … starttime is the 22nd field; the name may hold
	// spaces and parentheses.
	head, tail, _ := strings.Cut(string(stat), "(")
	end := strings.LastIndexByte(tail, ')')
	if head == "" || end < 0 {
		return "", "", false
	}
	fields := strings.Fields(tail[end+1:])
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return "", "", false
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return fields[19] + "@" + strings.TrimSpace(string(boot)), tail[:end], true
}
