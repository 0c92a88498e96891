// Package pids finds the processes that a test is about.
package pids

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Naming lists the living processes whose command line holds text, the test's
// own aside.
func Naming(t testing.TB, text string) []int {
	t.Helper()
	var found []int
	add := func(number string) {
		if pid, err := strconv.Atoi(number); err == nil && pid != os.Getpid() {
			found = append(found, pid)
		}
	}
	if runtime.GOOS == "linux" {
		files, err := filepath.Glob("/proc/[0-9]*/cmdline")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			// It may have ended meanwhile; the line of a zombie is empty.
			if line, err := os.ReadFile(f); err == nil && bytes.Contains(line, []byte(text)) {
				add(filepath.Base(filepath.Dir(f)))
			}
		}
		return found
	}
	out, err := exec.Command("ps", "-axww", "-o", "pid=,stat=,command=").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) > 2 && !strings.HasPrefix(f[1], "Z") && strings.Contains(line, text) {
			add(f[0])
		}
	}
	return found
}
