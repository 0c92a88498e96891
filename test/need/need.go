// Package need is for tests that need something of the machine.
package need

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Have skips the test when err says that something is missing, and fails it
// instead where PIFETCH_REQUIRE lists that ("chrome,xvfb").
func Have(t testing.TB, what string, err error) {
	t.Helper()
	switch {
	case err == nil:
	case slices.Contains(strings.Split(os.Getenv("PIFETCH_REQUIRE"), ","), what):
		t.Fatalf("%s is required: %v", what, err)
	default:
		t.Skipf("needs %s: %v", what, err)
	}
}
