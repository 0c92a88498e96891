package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pifetch/test/need"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// made is when the tests' packages were last changed.
var made = time.Date(2026, 7, 6, 12, 57, 8, 0, time.UTC)

// newDist returns a run over small inputs in fresh folders.
func newDist(t *testing.T) dist {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string, mode os.FileMode) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), mode)); err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range targets {
		put("builds/"+target.String()+"/pifetchctl", "#!/bin/sh\necho ctl "+target.String()+"\n", 0o700)
		put("builds/"+target.String()+"/pifetchd", "daemon of "+target.String(), 0o600)
	}
	put("src/README.md", "# pifetch\n", 0o640)
	put("src/CHANGELOG.md", "# Changelog\n", 0o600)
	put("src/LICENSE", "MIT License\n", 0o600)
	put("src/NOTICE", "pifetch\n", 0o600)
	put("src/docs/cli.md", "# pifetchctl\n", 0o600)
	put("share/man/man1/pifetchctl.1", ".TH pifetchctl 1\n", 0o600)
	put("share/zsh/site-functions/_pifetchctl", "#compdef pifetchctl\n", 0o600)
	put("modules/one/LICENSE", "MIT\n", 0o600)
	put("modules/one/licence.go", "package one\n", 0o600)
	put("modules/one/sub/NOTICE.txt", "sub\n", 0o600)
	put("modules/one/testdata/LICENSE", "not this one\n", 0o600)
	put("modules/go/LICENSE", "BSD\n", 0o600)
	put("modules/go/src/LICENSE", "not this one\n", 0o600)
	return dist{
		src: filepath.Join(dir, "src"), builds: filepath.Join(dir, "builds"), share: filepath.Join(dir, "share"),
		version: "v1.2.0", at: made, url: "https://releases.example/v1.2.0/",
		maker: "Ann O'Hara <ann@pifetch.example>",
		modules: func(target) (map[string]string, error) {
			return map[string]string{"example.com/one": filepath.Join(dir, "modules/one"), "go": filepath.Join(dir, "modules/go")}, nil
		},
	}
}

func pack(t *testing.T, d dist) map[string][]byte {
	t.Helper()
	packed, err := d.pack()
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

func TestPackTwice(t *testing.T) {
	first, second := pack(t, newDist(t)), pack(t, newDist(t))
	want := []string{
		"SHA256SUMS", "pifetch-v1.2.0-darwin-amd64.tar.gz", "pifetch-v1.2.0-darwin-arm64.tar.gz", "pifetch-v1.2.0-linux-amd64.tar.gz",
		"pifetch-v1.2.0-linux-arm64.tar.gz", "pifetch.rb", "pifetch_1.2.0_amd64.deb", "pifetch_1.2.0_arm64.deb",
	}
	if got := slices.Sorted(maps.Keys(first)); !slices.Equal(got, want) {
		t.Errorf("packed %q, want %q", got, want)
	}
	for name := range first {
		if !bytes.Equal(first[name], second[name]) {
			t.Errorf("%s differs between two runs over equal files", name)
		}
	}
	sums := string(first["SHA256SUMS"])
	if lines := strings.Count(sums, "\n"); lines != len(first)-1 || strings.Contains(sums, "SHA256SUMS") {
		t.Errorf("SHA256SUMS has %d lines for %d files:\n%s", lines, len(first)-1, sums)
	}
}

// list returns a line for each member of a tar.gz, and the files' contents.
func list(t *testing.T, data []byte) ([]string, map[string]string) {
	t.Helper()
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !zr.ModTime.IsZero() || zr.Name != "" {
		t.Errorf("the gzip header has the time %v and the name %q", zr.ModTime, zr.Name)
	}
	var lines []string
	contents := map[string]string{}
	for tr := tar.NewReader(zr); ; {
		head, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return lines, contents
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		if head.Uid != 0 || head.Gid != 0 || head.Uname != "root" || head.Gname != "root" || !head.ModTime.Equal(made) {
			t.Errorf("%s is of %d/%d (%s/%s), %v", head.Name, head.Uid, head.Gid, head.Uname, head.Gname, head.ModTime)
		}
		lines = append(lines, fmt.Sprintf("%o %s", head.Mode, head.Name))
		contents[head.Name] = string(text)
	}
}

func TestArchive(t *testing.T) {
	lines, contents := list(t, pack(t, newDist(t))["pifetch-v1.2.0-darwin-arm64.tar.gz"])
	const top = "pifetch-v1.2.0-darwin-arm64/"
	want := []string{
		"755 " + top,
		"644 " + top + "CHANGELOG.md", "644 " + top + "LICENSE", "644 " + top + "NOTICE", "644 " + top + "README.md",
		"755 " + top + "bin/", "755 " + top + "bin/pifetchctl", "755 " + top + "bin/pifetchd",
		"755 " + top + "docs/", "644 " + top + "docs/cli.md",
		"755 " + top + "licenses/", "755 " + top + "licenses/example.com/", "755 " + top + "licenses/example.com/one/",
		"644 " + top + "licenses/example.com/one/LICENSE",
		"755 " + top + "licenses/example.com/one/sub/", "644 " + top + "licenses/example.com/one/sub/NOTICE.txt",
		"755 " + top + "licenses/go/", "644 " + top + "licenses/go/LICENSE",
		"755 " + top + "share/", "755 " + top + "share/man/", "755 " + top + "share/man/man1/", "644 " + top + "share/man/man1/pifetchctl.1",
		"755 " + top + "share/zsh/", "755 " + top + "share/zsh/site-functions/", "644 " + top + "share/zsh/site-functions/_pifetchctl",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("the archive holds\n%s\n\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if got := contents[top+"bin/pifetchd"]; got != "daemon of darwin-arm64" {
		t.Errorf("pifetchd is %q", got)
	}
}

func TestPackRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*dist)
		want   string
	}{
		"no version":                {func(d *dist) { d.version = "" }, `version "" cannot be part of a file name`},
		"no maintainer":             {func(d *dist) { d.maker = "" }, `maintainer "" is not of the form Name <address>`},
		"maintainer without a name": {func(d *dist) { d.maker = "ann@pifetch.example" }, `maintainer "ann@pifetch.example" is not of the form`},
		"program missing": {func(d *dist) {
			if err := os.Remove(filepath.Join(d.builds, "linux-arm64", "pifetchd")); err != nil {
				t.Fatal(err)
			}
		}, "linux-arm64: open "},
		"nothing to share": {func(d *dist) { d.share = filepath.Join(d.src, "missing") }, "src/missing: no such file"},
		"module without licence": {func(d *dist) {
			empty := t.TempDir()
			d.modules = func(target) (map[string]string, error) {
				return map[string]string{"example.com/bare": empty}, nil
			}
		}, "example.com/bare has no licence in "},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDist(t)
			tt.change(&d)
			if _, err := d.pack(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("pack: %v, want %q in it", err, tt.want)
			}
		})
	}
}

func TestFormula(t *testing.T) {
	packed := pack(t, newDist(t))
	golden := filepath.Join("testdata", "pifetch.rb")
	if *update {
		if err := os.WriteFile(golden, packed["pifetch.rb"], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(packed["pifetch.rb"], want) {
		t.Errorf("formula (-update rewrites the golden file):\n%s", packed["pifetch.rb"])
	}
	for line := range strings.Lines(string(packed["SHA256SUMS"])) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		url := `url "https://releases.example/v1.2.0/` + name + "\"\n      sha256 \"" + sum + `"`
		if strings.HasSuffix(name, ".tar.gz") && !strings.Contains(string(packed["pifetch.rb"]), url) {
			t.Errorf("the formula lacks %s with its sum %s", name, sum)
		}
	}
}

func TestDebVersion(t *testing.T) {
	// Each sorts before the next one, as dpkg --compare-versions tells.
	versions := []struct{ described, want string }{
		{"86a9c01", "0~git20260706125708.86a9c01"},
		{"devel", "0~git20260706125708.devel"},
		{"v0.9.0", "0.9.0"},
		{"v1.0.0-rc.1", "1.0.0~rc.1"},
		{"v1.0.0-rc.1-2-gabc1234", "1.0.0~rc.1+2.gabc1234"},
		{"v1.0.0", "1.0.0"},
		{"v1.0.0-dirty", "1.0.0+0.dirty"},
		{"v1.0.0-12-gabc1234", "1.0.0+12.gabc1234"},
		{"v1.0.1-3-gabc1234-dirty", "1.0.1+3.gabc1234.dirty"},
	}
	for i, tt := range versions {
		if got := debVersion(tt.described, made); got != tt.want {
			t.Errorf("debVersion(%q) = %q, want %q", tt.described, got, tt.want)
		}
		if _, err := exec.LookPath("dpkg"); err != nil || i == 0 {
			continue
		}
		if out, err := exec.CommandContext(t.Context(), "dpkg", "--compare-versions", versions[i-1].want, "lt", tt.want).CombinedOutput(); err != nil {
			t.Errorf("dpkg does not sort %s before %s: %v %s", versions[i-1].want, tt.want, err, out)
		}
	}
	if got, want := debVersion("12345678-dirty", made.Add(time.Second)), "0~git20260706125709.12345678+dirty"; got != want {
		t.Errorf("a commit of digits is %q, want %q", got, want)
	}
}

func TestDebByDpkg(t *testing.T) {
	_, err := exec.LookPath("dpkg-deb")
	need.Have(t, "dpkg", err)
	dir := t.TempDir()
	deb, root := filepath.Join(dir, "pifetch.deb"), filepath.Join(dir, "root")
	if err := os.WriteFile(deb, pack(t, newDist(t))["pifetch_1.2.0_arm64.deb"], 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		var problems strings.Builder
		cmd.Env, cmd.Stderr = append(os.Environ(), "LC_ALL=C", "TZ=UTC"), &problems
		out, err := cmd.Output()
		if err != nil || problems.Len() > 0 {
			t.Fatalf("%s %q: %v\n%s", name, args, err, &problems)
		}
		return string(out)
	}
	const control = `Package: pifetch
Version: 1.2.0
Architecture: arm64
Maintainer: Ann O'Hara <ann@pifetch.example>
Installed-Size: 29
Depends: ca-certificates
Recommends: google-chrome-stable | chromium, git
Suggests: gh
Section: web
Priority: optional
Description: turn URLs into files and a digest for coding agents
`
	if got := run("dpkg-deb", "--field", deb); !strings.HasPrefix(got, control) {
		t.Errorf("control file\n%s\nwant\n%s", got, control)
	}
	contents := run("dpkg-deb", "--contents", deb)
	for _, want := range []string{
		"-rwxr-xr-x root/root        21 2026-07-06 12:57 ./usr/bin/pifetchd\n",
		"-rw-r--r-- root/root       108 2026-07-06 12:57 ./usr/share/doc/pifetch/copyright\n",
		"drwxr-xr-x root/root         0 2026-07-06 12:57 ./usr/\n",
	} {
		if !strings.Contains(contents, want) {
			t.Errorf("dpkg-deb --contents lacks %q:\n%s", want, contents)
		}
	}

	run("dpkg-deb", "--raw-extract", deb, root)
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, ".gz") {
			return string(data)
		}
		zr, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(name, err)
		}
		if data, err = io.ReadAll(zr); err != nil {
			t.Fatal(name, err)
		}
		return string(data)
	}
	for name, want := range map[string]string{
		"usr/share/doc/pifetch/copyright":              "MIT License\n\npifetch\n\nOn Debian systems the text of Apache-2.0 is in /usr/share/common-licenses/Apache-2.0.\n",
		"usr/share/man/man1/pifetchctl.1.gz":           ".TH pifetchctl 1\n",
		"usr/share/doc/pifetch/changelog.gz":           "pifetch (1.2.0) unstable; urgency=medium\n\n  * CHANGELOG.md, beside this file, says what is new.\n\n -- Ann O'Hara <ann@pifetch.example>  Mon, 06 Jul 2026 12:57:08 +0000\n",
		"usr/share/zsh/vendor-completions/_pifetchctl": "#compdef pifetchctl\n",
		"usr/share/doc/pifetch/docs/cli.md":            "# pifetchctl\n",
		"usr/share/doc/pifetch/licenses/go/LICENSE":    "BSD\n",
	} {
		if got := read(name); got != want {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	sums := map[string]string{}
	for line := range strings.Lines(read("DEBIAN/md5sums")) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		sums[name] = sum
	}
	for line := range strings.Lines(contents) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), " ./")
		if name == "" || strings.HasSuffix(name, "/") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", md5.Sum(data)); sums[name] != got {
			t.Errorf("%s has the sum %s, md5sums says %q", name, got, sums[name])
		}
		delete(sums, name)
	}
	if len(sums) > 0 {
		t.Errorf("md5sums lists what is not there: %v", sums)
	}
}
