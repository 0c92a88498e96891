package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program of the tag docs makes a man page with all that --help says and
// all flags, dated in UTC.
func TestManPage(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "run", "-buildvcs=false", "-tags", "docs", ".", dir)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1701392400", "TZ=America/New_York") // 2023-12-01 01:00 UTC
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "man1", "pifetchd.1"))
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(string(data), `\-`, "-")
	if !strings.Contains(page, `.TH "PIFETCHD" "1" "Dec 2023" "pifetch devel" "pifetch"`) {
		t.Errorf("no header:\n%s", page)
	}
	for line := range strings.Lines(usage) {
		if line = strings.TrimSpace(line); line != "usage:" && !strings.Contains(page, line) {
			t.Errorf("the page lacks %q", line)
		}
	}
	new(options).flags().VisitAll(func(f *flag.Flag) {
		if !strings.Contains(page, `\fB--`+f.Name) {
			t.Errorf("the page lacks --%s", f.Name)
		}
	})
	if t.Failed() {
		t.Log(page)
	}
}
