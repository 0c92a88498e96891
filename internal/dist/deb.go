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

// deb is a binary package of Debian. Debian wants a changelog in it, that and
// man pages compressed, and completions of zsh in a folder of their own.
type deb struct {
	version    string // as git describe has it
	maintainer string // "Name <address>"
	at         time.Time
}

// pack returns the package with the files of t, whose paths are those in the
// root of the system.
//
// The format (deb(5)) is an ar archive of two tarballs. It is written here, in
// a few lines, because dpkg-deb is not on macOS.
func (d deb) pack(t tree, arch string) ([]byte, error) {
	t, err := d.arranged(t)
	if err != nil {
		return nil, err
	}
	data, err := t.tarball("./", d.at)
	if err != nil {
		return nil, err
	}
	control, err := tree{
		"control": {data: []byte(d.control(t, arch))},
		"md5sums": {data: []byte(t.md5sums())},
	}.tarball("./", d.at)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	for _, member := range []struct {
		name string
		data []byte
	}{{"debian-binary", []byte("2.0\n")}, {"control.tar.gz", control}, {"data.tar.gz", data}} {
		fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", member.name, d.at.Unix(), 0, 0, 0o100644, len(member.data))
		out.Write(member.data)
		if len(member.data)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

// arranged returns the files of t as Debian wants them. The changelog tells of
// this version alone: CHANGELOG.md has the others.
func (d deb) arranged(t tree) (tree, error) {
	changelog := fmt.Appendf(nil, "pifetch (%s) unstable; urgency=medium\n\n  * CHANGELOG.md, beside this file, says what is new.\n\n -- %s  %s\n",
		debVersion(d.version, d.at), d.maintainer, d.at.Format(time.RFC1123Z))
	packed := tree{}
	for name, f := range join(t, tree{"usr/share/doc/pifetch/changelog": {data: changelog}}) {
		if strings.HasPrefix(name, "usr/share/man/") || path.Base(name) == "changelog" {
			name += ".gz"
			data, err := compress(f.data)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			f.data = data
		}
		// Debian's zsh looks for no completions in /usr/share/zsh/site-functions.
		name = strings.Replace(name, "/zsh/site-functions/", "/zsh/vendor-completions/", 1)
		packed[name] = f
	}
	return packed, nil
}

// control returns the control file of a package with the files of t.
// Installed-Size is in KiB, each file and folder rounded up to one.
//
// Chrome is recommended only: GitHub and Parallel do without, and where it is
// installed otherwise nobody wants a second one.
func (d deb) control(t tree, arch string) string {
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
Maintainer: %s
Installed-Size: %d
Depends: ca-certificates
Recommends: google-chrome-stable | chromium, git
Suggests: gh
Section: web
Priority: optional
Description: turn URLs into files and a digest for coding agents
 pifetchd, one daemon per user, fetches web pages with the system's Chrome on a
 profile of its own and GitHub through its API, and writes them into files an
 agent can read and grep. pifetchctl is its command at a shell.
`, debVersion(d.version, d.at), arch, d.maintainer, size+len(folders))
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
// tag sorts by the time of its commit, before every release.
func debVersion(version string, at time.Time) string {
	clean, dirty := strings.CutSuffix(version, "-dirty")
	m := described.FindStringSubmatch(clean)
	if m == nil {
		return "0~git" + at.Format("20060102150405") + "." + regexp.MustCompile(`[^0-9A-Za-z.+~]+`).ReplaceAllString(version, "+")
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
