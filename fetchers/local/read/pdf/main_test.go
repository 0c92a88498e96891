package pdf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The test binary is its own child, and some that misbehave.
func TestMain(m *testing.M) {
	mode := ""
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	switch mode {
	case "pdf-extract":
		os.Exit(Main(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
	case "child-crash":
		fmt.Println(`{"ready":true}`)
		fmt.Println(`{"pages":3}`)
		fmt.Println(`{"page":{"n":1,"text":"Everything up to here.","chars":19}}`)
		panic("boom")
	case "child-fail":
		fmt.Fprintln(os.Stderr, "pifetchd: error: no luck")
		os.Exit(exitFailed)
	case "child-garbage":
		fmt.Println("this is no record")
		os.Exit(exitOK)
	case "child-eat":
		confine(96 << 20)
		fmt.Println(`{"ready":true}`)
		for held := [][]byte{}; ; time.Sleep(10 * time.Millisecond) {
			b := make([]byte, 8<<20)
			for i := range b {
				b[i] = 1
			}
			held = append(held, b)
		}
	case "child-env":
		// What a child has: its environment, folder and open files.
		dir, _ := os.Getwd()
		fmt.Fprintf(os.Stderr, "env %d dir %s fds", len(os.Environ()), dir)
		for fd := range 20 {
			if target, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd)); err == nil && filepath.IsAbs(target) && !strings.HasPrefix(target, "/sys/") { // the Go runtime reads /sys
				fmt.Fprintf(os.Stderr, " %d=%s", fd, filepath.Base(target))
			}
		}
		os.Exit(exitFailed)
	}
	os.Exit(m.Run())
}

// reader reads with children of the test binary.
func reader(t *testing.T, mode string) *Reader {
	t.Helper()
	return &Reader{Command: []string{self(t), mode}, CacheDir: cacheDir()}
}

// cacheDir is where the tests keep compiled pdfium, from run to run: compiling
// takes seconds. It is "", for no cache, where the user has none.
func cacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "pifetch-test-pdfium")
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
