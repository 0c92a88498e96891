package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// maxBytes is the most a settings file may have. The parser needs about 1 KB of
// stack for each [ in a row, of which Go gives it 1 GB.
const maxBytes = 256 << 10

// File is a settings file on disk. Its methods may be called concurrently.
type File struct {
	path string

	mu  sync.Mutex
	src []byte // what last was made from; nil before the first read
	last
}

// last is the outcome of one reading.
type last struct {
	settings Settings
	warnings []string
	err      error
}

// Open names the settings file at path, which is not read before the first
// Load and need not exist.
func Open(path string) *File {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return &File{path: path}
}

// Load returns the settings as the file holds them now, and a warning for each
// key in it that means nothing. Without a file they are the defaults. The error
// is an *Error; the settings are the defaults then, and must not be used for
// what a setting could forbid. The slices are shared: read only.
//
// The file is read every time, so that no change can hide behind the
// resolution of a timestamp, and taken apart only when its text has changed.
func (f *File) Load() (Settings, []string, error) {
	src, err := read(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return Defaults(filepath.Dir(f.path)), nil, nil
	}
	if err != nil {
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err // the path is the Error's to tell
		}
		return Defaults(filepath.Dir(f.path)), nil, &Error{File: f.path, Err: err}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.src == nil || !bytes.Equal(f.src, src) {
		f.src, f.last = src, f.parse(src)
	}
	return f.settings, f.warnings, f.err
}

func (f *File) parse(src []byte) last {
	agentDir := filepath.Dir(f.path)
	home, _ := os.UserHomeDir() // unknown: a value with ~ is refused
	s := Defaults(agentDir)
	r := reader{file: f.path, src: src, home: home}
	if err := r.read(&s); err != nil {
		return last{settings: Defaults(agentDir), err: err}
	}
	return last{settings: s, warnings: r.warnings}
}

// read returns the text of a regular file, never nil.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path) // a pipe must not even be opened
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	src, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(src) > maxBytes {
		return nil, fmt.Errorf("larger than %d bytes", maxBytes)
	}
	return src, nil
}
