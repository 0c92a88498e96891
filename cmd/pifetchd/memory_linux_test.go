package main

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMemoryStaysInTheProcess(t *testing.T) {
	d := start(t, agent(t), "")
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", d.Hello().PID))
	if err != nil || !regexp.MustCompile(`(?m)^Max core file size +0 +0 `).Match(limits) {
		t.Errorf("%v in %s", err, limits)
	}
	// The rest can be asked of the own process only.
	was, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Prctl(unix.PR_SET_DUMPABLE, uintptr(was), 0, 0, 0)
	if err := guardMemory(); err != nil {
		t.Fatal(err)
	}
	if n, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || n != 0 {
		t.Errorf("dumpable: %d, %v", n, err)
	}
}
