package test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pifetch/test/need"
)

// make install puts everything where shells and man look, readable by all, and
// make uninstall takes it away again, and nothing else.
func TestInstallUninstall(t *testing.T) {
	gnuMake, err := exec.LookPath("make")
	need.Have(t, "make", err)
	makefile, err := filepath.Abs("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, built := range []string{
		"pifetchd", "pifetchctl", "share/man1/pifetchd.1", "share/man1/pifetchctl.1", "share/man1/pifetchctl-fetch.1",
		"share/completions/pifetchctl.bash", "share/completions/_pifetchctl", "share/completions/pifetchctl.fish", "share/completions/_pifetchctl.ps1",
	} {
		put(filepath.Join("bin", built))
	}
	const other = "root/my prefix/share/man/man1/other.1"
	put(other)
	run := func(target string) []string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), gnuMake, "-f", makefile, "-o", "build", "-o", "docs", target,
			"DESTDIR="+filepath.Join(dir, "root"), "PREFIX=/my prefix")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("make %s: %v\n%s", target, err, out)
		}
		var files []string
		top := filepath.Join(dir, "root", "my prefix")
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "other.1") {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			files = append(files, info.Mode().String()+" "+strings.TrimPrefix(path, top+"/"))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(files)
		return files
	}
	want := []string{
		"-rw-r--r-- share/bash-completion/completions/pifetchctl",
		"-rw-r--r-- share/fish/vendor_completions.d/pifetchctl.fish",
		"-rw-r--r-- share/man/man1/pifetchctl-fetch.1",
		"-rw-r--r-- share/man/man1/pifetchctl.1",
		"-rw-r--r-- share/man/man1/pifetchd.1",
		"-rw-r--r-- share/pwsh/completions/_pifetchctl.ps1",
		"-rw-r--r-- share/zsh/site-functions/_pifetchctl",
		"-rwxr-xr-x bin/pifetchctl",
		"-rwxr-xr-x bin/pifetchd",
	}
	if diff := cmp.Diff(want, run("install")); diff != "" {
		t.Errorf("after make install (-want +got):\n%s", diff)
	}
	if left := run("uninstall"); len(left) > 0 {
		t.Errorf("after make uninstall there is %q", left)
	}
	if _, err := os.Stat(filepath.Join(dir, other)); err != nil {
		t.Errorf("make uninstall took what is another's: %v", err)
	}
}
