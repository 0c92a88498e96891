package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// file is one file of a package: its bytes, and whether it is a program.
type file struct {
	data    []byte
	program bool
}

// mode is 0755 for programs and 0644 for all else, whatever the umask of the
// build was.
func (f file) mode() int64 {
	if f.program {
		return 0o755
	}
	return 0o644
}

// tree holds the files of a package by their slash-separated path in it.
type tree map[string]file

// addFile reads the file at src into the tree as name.
func (t tree) addFile(name, src string, program bool) error {
	data, err := os.ReadFile(src)
	if err != nil {
		return err
	}
	t[name] = file{data: data, program: program}
	return nil
}

// addDir reads all regular files below dir into the tree, below name.
func (t tree) addDir(name, dir string) error {
	return filepath.WalkDir(dir, func(src string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, src)
		if err != nil {
			return err
		}
		return t.addFile(path.Join(name, filepath.ToSlash(rel)), src, false)
	})
}

// below returns the files of t, each moved into the folder dir.
func (t tree) below(dir string) tree {
	moved := tree{}
	for name, f := range t {
		moved[path.Join(dir, name)] = f
	}
	return moved
}

// tarball returns the tree as tar.gz. Equal trees and times give equal bytes:
// names are sorted, folders come before what is in them, everything is root's
// and was last changed at the given time. Each name gets the prefix, "" or
// "./" as dpkg has it.
//
// The format is GNU's, which tar on Linux, macOS and dpkg read, and dpkg reads
// no PAX headers.
func (t tree) tarball(prefix string, at time.Time) ([]byte, error) {
	folders := map[string]bool{}
	for name := range t {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	names := slices.Sorted(maps.Keys(t))
	names = slices.AppendSeq(names, maps.Keys(folders))
	slices.Sort(names)

	var out bytes.Buffer
	tw := tar.NewWriter(&out)
	for _, name := range names {
		head := &tar.Header{
			Name: prefix + name, ModTime: at, Uname: "root", Gname: "root", Format: tar.FormatGNU,
		}
		f, isFile := t[name]
		switch {
		case isFile && folders[name]:
			return nil, fmt.Errorf("%s is a file and a folder", name)
		case isFile:
			head.Typeflag, head.Mode, head.Size = tar.TypeReg, f.mode(), int64(len(f.data))
		default:
			head.Typeflag, head.Mode, head.Name = tar.TypeDir, 0o755, head.Name+"/"
		}
		if err := tw.WriteHeader(head); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if _, err := tw.Write(f.data); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := tw.Close(); err != nil {
		return nil, err
	}
	return compress(out.Bytes())
}

// compress returns the data in gzip's format, with no name and no time.
func compress(data []byte) ([]byte, error) {
	var out bytes.Buffer
	zw, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := zw.Write(data); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
