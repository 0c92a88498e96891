package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// The program of the tag docs makes a man page for each command, which names
// its flags and is dated in UTC, and scripts for four shells.
func TestDocs(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "go", "run", "-buildvcs=false", "-tags", "docs", ".", dir)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=1701392400", "TZ=America/New_York") // 2023-12-01 01:00 UTC
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	a, _, _ := testApp()
	for _, c := range commands(a) {
		page := read("man1/" + strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1")
		if !strings.Contains(page, `"Dec 2023" "pifetch devel"`) || !strings.Contains(page, c.Short) {
			t.Errorf("%s: %s", c.CommandPath(), page)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(page, `\fB--`+f.Name) {
				t.Errorf("%s: no --%s", c.CommandPath(), f.Name)
			}
		})
	}
	for name, want := range map[string]string{
		"pifetchctl.bash": "__start_pifetchctl",
		"_pifetchctl":     "#compdef pifetchctl",
		"pifetchctl.fish": "complete -c pifetchctl",
		"_pifetchctl.ps1": "Register-ArgumentCompleter -CommandName 'pifetchctl'",
	} {
		if script := read("completions/" + name); !strings.Contains(script, want) {
			t.Errorf("%s has no %q", name, want)
		}
	}
}
