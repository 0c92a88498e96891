package main

import (
	"os"
	"path/filepath"
	"testing"

	"pifetch/daemon/service"
)

func TestServiceWithoutAManager(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	file := filepath.Join(t.TempDir(), "unit")
	a, _, stderr := testApp()
	err := install(t.Context(), a, service.Service{
		Manager: "systemd", Files: []service.File{{Path: file, Text: "text"}},
		Reach: service.Command{Args: []string{"systemctl"}},
	})
	a.report(err)
	const want = "pifetchctl: error: there is no systemd here: exec: \"systemctl\": executable file not found in $PATH\n" +
		"pifetchctl: hint: without a service clients start pifetchd when they need it\n"
	if exitCode(err) != exitFailed || stderr.String() != want {
		t.Errorf("%v\nstderr %s", err, stderr)
	}
	if _, err := os.Lstat(file); err == nil {
		t.Error("a file was written")
	}
}

func TestPathIsNoDifference(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unit", "a\nEnvironment=\"PATH=/bin\"\nb\n", "a\nb\n"},
		{"agent", "\t<key>PATH</key>\n\t<string>/bin</string>\n<key>b</key>\n", "\t<key>PATH</key>\n<key>b</key>\n"},
	} {
		if got := withoutPath(tt.text); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
