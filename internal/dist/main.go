// Command dist packs built programs for make dist: an archive for each target,
// packages of Debian, a Homebrew formula and the checksums of all. Equal inputs
// give equal bytes.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// target is a system programs are built for, by Go's names.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "-" + t.arch }

var targets = []target{{"darwin", "amd64"}, {"darwin", "arm64"}, {"linux", "amd64"}, {"linux", "arm64"}}

// dist is one run: what it packs, and what it says of it.
type dist struct {
	src     string    // the root of the sources, with README.md and docs
	builds  string    // a folder per target, darwin-arm64, with the programs
	share   string    // what make install puts below PREFIX/share
	version string    // as stamped into the programs
	at      time.Time // when everything was last changed
	url     string    // where the archives will be
	maker   string    // who maintains the packages, "Name <address>"
	modules func(target) (map[string]string, error)
}

func main() {
	d := dist{src: ".", modules: modules}
	flag.StringVar(&d.builds, "builds", "dist/build", "`folder` with the programs of each target")
	flag.StringVar(&d.share, "share", "dist/root/share", "`folder` with what make install puts below PREFIX/share")
	flag.StringVar(&d.version, "version", "", "the version stamped into the programs")
	flag.StringVar(&d.url, "url", "", "`URL` of the folder the archives will be in, for the formula")
	flag.StringVar(&d.maker, "maintainer", "", "who maintains the packages, as `Name <address>`")
	seconds := flag.Int64("time", 0, "when everything was last changed, in Unix `seconds`")
	out := flag.String("out", "dist", "`folder` to write into")
	flag.Parse()
	d.at = time.Unix(*seconds, 0).UTC()

	packed, err := d.pack()
	if err == nil {
		err = write(*out, packed)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
	fmt.Print(string(packed["SHA256SUMS"]))
}

// apache is what Debian's policy wants said of the Apache licence.
const apache = "\nOn Debian systems the text of Apache-2.0 is in /usr/share/common-licenses/Apache-2.0.\n"

// pack returns all files of the release by name.
func (d dist) pack() (map[string][]byte, error) {
	if d.version == "" || strings.ContainsAny(d.version, "/ \n") {
		return nil, fmt.Errorf("version %q cannot be part of a file name", d.version)
	}
	// Debian has no packages without, and a changelog ends with it.
	if a, err := mail.ParseAddress(d.maker); err != nil || a.Name == "" || strings.ContainsAny(d.maker, "\r\n") {
		return nil, fmt.Errorf("maintainer %q is not of the form Name <address>: make dist MAINTAINER='Name <address>'", d.maker)
	}
	packed, sums := map[string][]byte{}, map[string]string{}
	for _, target := range targets {
		programs, share, docs, err := d.contents(target)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", target, err)
		}
		stem := fmt.Sprintf("pifetch-%s-%s", d.version, target)
		archive, err := join(programs.below("bin"), share.below("share"), docs).below(stem).tarball("", d.at)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", target, err)
		}
		packed[stem+".tar.gz"] = archive
		sums[target.String()] = fmt.Sprintf("%x", sha256.Sum256(archive))
		if target.os != "linux" {
			continue
		}
		// Debian's name for both: what is under which licence.
		docs["copyright"] = file{data: slices.Concat(docs["LICENSE"].data, []byte("\n"), docs["NOTICE"].data, []byte(apache))}
		root := join(programs.below("usr/bin"), share.below("usr/share"), docs.below("usr/share/doc/pifetch"))
		packet, err := deb{version: d.version, maintainer: d.maker, at: d.at}.pack(root, target.arch)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", target, err)
		}
		packed[fmt.Sprintf("pifetch_%s_%s.deb", debVersion(d.version, d.at), target.arch)] = packet
	}
	rb, err := formula(d.version, d.url, sums)
	if err != nil {
		return nil, err
	}
	packed["pifetch.rb"] = rb
	packed["SHA256SUMS"] = checksums(packed)
	return packed, nil
}

// contents reads what a package for the target holds: the programs, what goes
// below share, and the documents with the licences.
func (d dist) contents(target target) (programs, share, docs tree, err error) {
	programs, share, docs = tree{}, tree{}, tree{}
	for _, name := range []string{"pifetchctl", "pifetchd"} {
		if err := programs.addFile(name, filepath.Join(d.builds, target.String(), name), true); err != nil {
			return nil, nil, nil, err
		}
	}
	if err := share.addDir("", d.share); err != nil {
		return nil, nil, nil, err
	}
	for _, name := range []string{"CHANGELOG.md", "LICENSE", "NOTICE", "README.md"} {
		if err := docs.addFile(name, filepath.Join(d.src, name), false); err != nil {
			return nil, nil, nil, err
		}
	}
	if err := docs.addDir("docs", filepath.Join(d.src, "docs")); err != nil {
		return nil, nil, nil, err
	}
	dirs, err := d.modules(target)
	if err != nil {
		return nil, nil, nil, err
	}
	texts, err := licences(dirs)
	if err != nil {
		return nil, nil, nil, err
	}
	maps.Copy(docs, texts.below("licenses"))
	return programs, share, docs, nil
}

// join returns the files of all trees.
func join(trees ...tree) tree {
	all := tree{}
	for _, t := range trees {
		maps.Copy(all, t)
	}
	return all
}

// checksums lists the SHA-256 of the files, as sha256sum --check reads it.
func checksums(files map[string][]byte) []byte {
	var sums []byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sums = fmt.Appendf(sums, "%x  %s\n", sha256.Sum256(files[name]), name)
	}
	return sums
}

// write writes the files into the folder, which is made when it is missing.
func write(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, name), files[name], 0o644); err != nil {
			return err
		}
	}
	return nil
}
