package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// deb returns a binary package of Debian with the files of t, whose paths are
// those in the root of the system.
//
// The format (deb(5)) is an ar archive of two tarballs. It is written here, in
// a few lines, because dpkg-deb is not on macOS.
func (t tree) deb(version, arch string, at time.Time) ([]byte, error) {
	data, err := t.tarball("./", at)
	if err != nil {
		return nil, err
	}
	control, err := tree{
		"control": {data: []byte(t.control(version, arch))},
		"md5sums": {data: []byte(t.md5sums())},
	}.tarball("./", at)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	for _, member := range []struct {
		name string
		data []byte
	}{{"debian-binary", []byte("2.0\n")}, {"control.tar.gz", control}, {"data.tar.gz", data}} {
		fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", member.name, at.Unix(), 0, 0, 0o100644, len(member.data))
		out.Write(member.data)
		if len(member.data)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

// control returns the package's control file. Installed-Size is in KiB, each
// file and folder rounded up to one.
//
// Chrome is recommended only: GitHub and Parallel do without, and where it is
// installed otherwise nobody wants a second one.
func (t tree) control(version, arch string) string {
	size, folders := 0, map[string]bool{}
	for name, f := range t {
		size += (len(f.data) + 1023) / 1024
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	return fmt.Sprintf(`Package: pifetch
Version: %s
Architecture: %s
Maintainer: the pifetch authors
Installed-Size: %d
Depends: ca-certificates
Recommends: google-chrome-stable | chromium, git
Section: web
Priority: optional
Description: turn URLs into files and a digest for coding agents
 pifetchd, one daemon per user, fetches web pages with the system's Chrome on a
 profile of its own and GitHub through its API, and writes them into files an
 agent can read and grep. pifetchctl is its command at a shell.
`, debVersion(version), arch, size+len(folders))
}

// md5sums lists the sums of all files, by which dpkg --verify tells changed ones.
func (t tree) md5sums() string {
	var sums strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t)) {
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(t[name].data), name)
	}
	return sums.String()
}

// described matches what git describe --tags says of a tag with a version: the
// version, a pre-release part, and the commits since.
var described = regexp.MustCompile(`^v?(\d+(?:\.\d+)+)(?:-([0-9A-Za-z.]+?))?(?:-(\d+)-g([0-9a-f]+))?$`)

// debVersion turns a version from git describe into one of Debian's, in the
// same order: v1.2.0-rc.1 before v1.2.0 before v1.2.0-3-gabc1234. What has no
// tag sorts before every release.
func debVersion(version string) string {
	clean, dirty := strings.CutSuffix(version, "-dirty")
	m := described.FindStringSubmatch(clean)
	if m == nil {
		return "0~" + regexp.MustCompile(`[^0-9A-Za-z.+~]+`).ReplaceAllString(version, "+")
	}
	v := m[1]
	if m[2] != "" {
		v += "~" + m[2]
	}
	switch {
	case m[3] != "":
		v += "+" + m[3] + ".g" + m[4]
	case dirty:
		v += "+0"
	}
	if dirty {
		v += ".dirty"
	}
	return v
}
