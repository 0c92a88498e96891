package artifact

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"pifetch/fetchers"
)

var epoch = time.Date(2026, 7, 6, 12, 57, 8, 183_000_000, time.UTC)

// newStore returns a store whose root is inside a temporary folder.
func newStore(t *testing.T, cfg Config) (*Store, string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "pi-fetch")
	if cfg.Root == nil {
		cfg.Root = func() string { return root }
	}
	if cfg.Fallbacks == nil {
		cfg.Fallbacks = []string{root + "-fallback"}
	}
	if cfg.Now == nil {
		cfg.Now = func() time.Time { return epoch }
	}
	return New(cfg), root
}

func newRequest(t *testing.T, s *Store, callerRoot string) *Request {
	t.Helper()
	r, err := s.NewRequest(callerRoot)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func write(t *testing.T, f *Folder, name, content string) fetchers.Body {
	t.Helper()
	b, err := f.Write(name, strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// tree lists what is below dir, folders with a slash.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	names := []string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func wantTree(t *testing.T, dir string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), tree(t, dir)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", dir, diff)
	}
}

func TestRequestFolder(t *testing.T) {
	s, root := newStore(t, Config{})
	first, second := newRequest(t, s, ""), newRequest(t, s, "")
	wantTree(t, root, "2026-07-06T12-57-08-183Z/", "2026-07-06T12-57-08-183Z-2/")
	if got, want := first.Path(), filepath.Join(root, "2026-07-06T12-57-08-183Z"); got != want {
		t.Errorf("Path = %s, want %s", got, want)
	}

	b := write(t, second.Folder(asked("https://example.com/a")), "content.md", "# a\n")
	want := filepath.Join(root, "2026-07-06T12-57-08-183Z-2", "example-com-a", "content.md")
	if b.Path != want {
		t.Errorf("Body.Path = %s, want %s", b.Path, want)
	}
	if got, err := os.ReadFile(b.Path); string(got) != "# a\n" {
		t.Errorf("file holds %q, %v", got, err)
	}
	if len(first.Warnings()) != 0 {
		t.Errorf("warnings: %q", first.Warnings())
	}
}

func TestRootIsCheckedAndPassedOver(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(t *testing.T, root string)
		why     string
	}{
		{"symbolic link", func(t *testing.T, root string) {
			check(t, os.Mkdir(root+"-target", 0o700))
			check(t, os.Symlink(root+"-target", root))
		}, "it is a symbolic link"},
		{"dangling link", func(t *testing.T, root string) { check(t, os.Symlink(root+"-target", root)) }, "it is a symbolic link"},
		{"file", func(t *testing.T, root string) { check(t, os.WriteFile(root, nil, 0o700)) }, "it is not a directory"},
		{"pipe", func(t *testing.T, root string) { check(t, syscall.Mkfifo(root, 0o700)) }, "it is not a directory"},
		{"mode 0755", func(t *testing.T, root string) { mkdir(t, root, 0o755) }, "its mode is 0755, it must be 0700"},
		{"mode 0777", func(t *testing.T, root string) { mkdir(t, root, 0o777) }, "its mode is 0777, it must be 0700"},
		{"another user's", func(t *testing.T, root string) {
			if os.Geteuid() != 0 {
				t.Skip("needs root to give a directory away")
			}
			mkdir(t, root, 0o700)
			check(t, os.Chown(root, 65534, 65534))
		}, "it belongs to another user (uid 65534)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, root := newStore(t, Config{})
			tt.prepare(t, root)
			before, err := os.Lstat(root)
			check(t, err)

			r := newRequest(t, s, "")
			write(t, r.Folder(asked("https://example.com/")), "a.md", "a")
			wantTree(t, root+"-fallback", "2026-07-06T12-57-08-183Z/", "2026-07-06T12-57-08-183Z/example-com/", "2026-07-06T12-57-08-183Z/example-com/a.md")
			if want := []string{root + " is not used: " + tt.why}; !slices.Equal(r.Warnings(), want) {
				t.Errorf("warnings %q, want %q", r.Warnings(), want)
			}
			if after, err := os.Lstat(root); err != nil || after.Mode() != before.Mode() {
				t.Errorf("the refused root was changed: %v, %v", after.Mode(), err)
			}
			if _, err := os.Stat(root + "-target"); err == nil {
				wantTree(t, root+"-target")
			}
		})
	}
}

func TestNoSafeRoot(t *testing.T) {
	s, root := newStore(t, Config{})
	check(t, os.WriteFile(root, nil, 0o600))
	check(t, os.WriteFile(root+"-fallback", nil, 0o600))
	_, err := s.NewRequest("")
	if err == nil || !strings.Contains(err.Error(), "no safe folder for files: "+root) {
		t.Errorf("error %v", err)
	}
}

func TestCallerRoot(t *testing.T) {
	s, own := newStore(t, Config{})
	caller := filepath.Join(t.TempDir(), "out", "deep")
	for range 2 {
		r := newRequest(t, s, caller)
		if r.Path() != caller {
			t.Errorf("Path = %s", r.Path())
		}
		write(t, r.Folder(asked("https://example.com/")), "a.md", "a")
		write(t, r.Folder(asked("https://EXAMPLE.com/#")), "a.md", "a")
	}
	wantTree(t, caller, "example-com/", "example-com/a.md", "example-com-2/", "example-com-2/a.md",
		"example-com-3/", "example-com-3/a.md", "example-com-4/", "example-com-4/a.md")
	wantMode(t, caller, 0o700)
	if _, err := os.Lstat(own); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the own root was made: %v", err)
	}
}

func TestCallerRootKeepsItsMode(t *testing.T) {
	s, _ := newStore(t, Config{})
	root := t.TempDir()
	check(t, os.Chmod(root, 0o755))
	newRequest(t, s, root+"/")
	wantMode(t, root, 0o755)
}

func TestCallerRootRefused(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(t *testing.T, dir string) string
		why     string
	}{
		{"relative", func(*testing.T, string) string { return "out" }, "not an absolute path"},
		{"link", func(t *testing.T, dir string) string {
			check(t, os.Symlink(t.TempDir(), dir))
			return dir
		}, "it is a symbolic link"},
		{"link with a slash", func(t *testing.T, dir string) string {
			check(t, os.Symlink(t.TempDir(), dir))
			return dir + "/"
		}, "it is a symbolic link"},
		{"file", func(t *testing.T, dir string) string {
			check(t, os.WriteFile(dir, nil, 0o600))
			return dir
		}, "it is not a directory"},
		{"below a file", func(t *testing.T, dir string) string {
			check(t, os.WriteFile(dir, nil, 0o600))
			return dir + "/x"
		}, "not a directory"},
		{"writable by the group", func(t *testing.T, dir string) string {
			mkdir(t, dir, 0o770)
			return dir
		}, "others may write to it (mode 0770)"},
		{"another user's", func(t *testing.T, dir string) string {
			if os.Geteuid() != 0 {
				t.Skip("needs root to give a directory away")
			}
			mkdir(t, dir, 0o700)
			check(t, os.Chown(dir, 65534, 65534))
			return dir
		}, "it belongs to another user (uid 65534)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := newStore(t, Config{})
			_, err := s.NewRequest(tt.prepare(t, filepath.Join(t.TempDir(), "out")))
			rootErr, ok := errors.AsType[*RootError](err)
			if !ok || rootErr.Reason != tt.why {
				t.Errorf("error %#v, want a RootError with %q", err, tt.why)
			}
		})
	}
}

func TestFolderNamesAreUnique(t *testing.T) {
	s, _ := newStore(t, Config{})
	r := newRequest(t, s, "")
	for _, u := range []string{"https://example.com/a", "https://example.com/A", "https://example.com/a?", "https://example.com/b"} {
		write(t, r.Folder(asked(u)), "x.md", "x")
	}
	wantTree(t, r.Path(), "example-com-a/", "example-com-a/x.md", "example-com-a-2/", "example-com-a-2/x.md",
		"example-com-a-3/", "example-com-a-3/x.md", "example-com-b/", "example-com-b/x.md")
}

func TestWriteMeasures(t *testing.T) {
	tests := []struct {
		name, file, content string
		lines               int
		outline             bool
	}{
		{"empty", "a.txt", "", 0, false},
		{"one line", "a.txt", "a\n", 1, false},
		{"no last line break", "a.txt", "a\nb", 2, false},
		{"empty lines", "a.txt", "\n\n", 2, false},
		{"of several bytes", "a.txt", "é日𝄞\n", 1, false},
		{"NUL", "a.txt", "a\x00\nb\n", 0, false},
		{"Latin-1", "a.txt", "caf\xe9\nb\n", 0, false},
		{"cut rune at the end", "a.txt", "a\n\xe6\x97", 0, false},
		{"surrogate", "a.txt", "\xed\xa0\x80", 0, false},
		{"markdown", "a.md", "# a\n\nb\n", 3, true},
		{"markdown by upper case", "A.MD", "# a\n", 1, true},
		{"binary markdown", "a.md", "# a\n\x00", 0, false},
		{"headings elsewhere", "a.txt", "# a\n", 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := newStore(t, Config{})
			r := newRequest(t, s, "")
			for i, reader := range []io.Reader{strings.NewReader(tt.content), iotest.OneByteReader(strings.NewReader(tt.content)), iotest.DataErrReader(strings.NewReader(tt.content))} {
				b, err := r.Folder(asked("https://example.com/")).Write(tt.file, reader)
				check(t, err)
				if b.Lines != tt.lines || b.Bytes != int64(len(tt.content)) || (len(b.Outline) > 0) != tt.outline {
					t.Errorf("reader %d: %+v, want %d lines, %d bytes, outline %v", i, b, tt.lines, len(tt.content), tt.outline)
				}
			}
		})
	}
}

func TestSameNameIsNumbered(t *testing.T) {
	s, _ := newStore(t, Config{})
	f := newRequest(t, s, "").Folder(asked("https://example.com/"))
	var got []string
	for _, name := range []string{"a.md", "A.md", "../a.md", "x.tar.gz", "x.tar.gz", "STRASSE", "straße"} {
		got = append(got, write(t, f, name, "x").Name)
	}
	if want := []string{"a.md", "A-2.md", "a-3.md", "x.tar.gz", "x-2.tar.gz", "STRASSE", "straße-2"}; !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
}

func TestTooLarge(t *testing.T) {
	s, _ := newStore(t, Config{MaxBytes: 10})
	f := newRequest(t, s, "").Folder(asked("https://example.com/"))
	if b := write(t, f, "fits.txt", "0123456789"); b.Bytes != 10 {
		t.Errorf("%d bytes", b.Bytes)
	}
	_, err := f.Write("big.txt", iotest.OneByteReader(strings.NewReader("0123456789a")))
	if !errors.Is(err, fetchers.ErrTooLarge) || err.Error() != "big.txt is too large: over 10 bytes" {
		t.Errorf("error %v", err)
	}
	path, err := f.Path()
	check(t, err)
	check(t, os.WriteFile(filepath.Join(path, ".part-x"), []byte("0123456789ab"), 0o600))
	_, err = f.Adopt(".part-x", "big.bin")
	if !errors.Is(err, fetchers.ErrTooLarge) || err.Error() != "big.bin is too large: 12 bytes, the most is 10 bytes" {
		t.Errorf("error %v", err)
	}
	wantTree(t, path, "fits.txt")
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{1: "1 bytes", 2048: "2 KB", DefaultMaxBytes: "100 MB", 769_654_784: "734 MB", 123_456_789: "117.7 MB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestFailedReaderLeavesNothing(t *testing.T) {
	s, _ := newStore(t, Config{})
	f := newRequest(t, s, "").Folder(asked("https://example.com/"))
	broken := errors.New("connection reset")
	_, err := f.Write("a.md", io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || err.Error() != "connection reset" {
		t.Errorf("error %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = f.Write("b.md", panicReader{})
	}()
	path, err := f.Path()
	check(t, err)
	wantTree(t, path)
}

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("broken reader") }

func TestNothingHalfWrittenIsSeen(t *testing.T) {
	s, _ := newStore(t, Config{})
	f := newRequest(t, s, "").Folder(asked("https://example.com/"))
	path, err := f.Path()
	check(t, err)
	r := readerFunc(func(p []byte) (int, error) {
		for _, name := range tree(t, path) {
			if !strings.HasPrefix(name, fetchers.PartPrefix) {
				t.Errorf("%s is there before it is complete", name)
			}
		}
		return 0, io.EOF
	})
	_, err = f.Write("a.md", io.MultiReader(strings.NewReader("half"), r))
	check(t, err)
	wantTree(t, path, "a.md")
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestAdopt(t *testing.T) {
	s, _ := newStore(t, Config{})
	f := newRequest(t, s, "").Folder(asked("https://example.com/"))
	path, err := f.Path()
	check(t, err)
	write(t, f, "notes.md", "x")
	check(t, os.WriteFile(filepath.Join(path, ".part-1"), []byte("# a\n"), 0o644))
	b, err := f.Adopt(".part-1", "dir/notes.md")
	check(t, err)
	want := fetchers.Body{Name: "notes-2.md", Path: filepath.Join(path, "notes-2.md"), Lines: 1, Bytes: 4, Outline: []fetchers.Heading{{Line: 1, Level: 1, Text: "a"}}}
	if diff := cmp.Diff(want, b); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	wantMode(t, b.Path, 0o600)
	wantTree(t, path, "notes-2.md", "notes.md")
}

func TestAdoptRefuses(t *testing.T) {
	s, _ := newStore(t, Config{})
	r := newRequest(t, s, "")
	f := r.Folder(asked("https://example.com/"))
	path, err := f.Path()
	check(t, err)
	secret := filepath.Join(t.TempDir(), "secret")
	check(t, os.WriteFile(secret, []byte("secret"), 0o600))
	write(t, f, "own.md", "x")
	check(t, os.Symlink(secret, filepath.Join(path, ".part-link")))
	check(t, os.Symlink("own.md", filepath.Join(path, ".part-inside")))
	check(t, os.Mkdir(filepath.Join(path, ".part-dir"), 0o700))
	check(t, syscall.Mkfifo(filepath.Join(path, ".part-pipe"), 0o600))
	for _, part := range []string{".part-link", ".part-inside", ".part-dir", ".part-pipe", ".part-missing", "own.md", ".part-/../own.md", "../x", ""} {
		if b, err := f.Adopt(part, "a.md"); err == nil {
			t.Errorf("Adopt(%q) = %+v", part, b)
		}
	}
	wantTree(t, path, "own.md")
	if got, err := os.ReadFile(secret); string(got) != "secret" {
		t.Errorf("the link's target holds %q, %v", got, err)
	}
}

func TestOpenAndRemove(t *testing.T) {
	s, _ := newStore(t, Config{})
	f := newRequest(t, s, "").Folder(asked("https://example.com/"))
	b := write(t, f, "a.md", "text")
	file, err := f.Open(b.Name)
	check(t, err)
	got, err := io.ReadAll(file)
	check(t, errors.Join(err, file.Close()))
	if string(got) != "text" {
		t.Errorf("read back %q", got)
	}
	for _, name := range []string{"b.md", "../example-com/a.md", "A.MD", ""} {
		if _, err := f.Open(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Open(%q): %v", name, err)
		}
		if err := f.Remove(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Remove(%q): %v", name, err)
		}
	}
	check(t, f.Remove(b.Name))
	if b := write(t, f, "a.md", "again"); b.Name != "a.md" {
		t.Errorf("name %s after Remove", b.Name)
	}
}

func TestDiscard(t *testing.T) {
	s, _ := newStore(t, Config{})
	r := newRequest(t, s, "")
	u := asked("https://example.com/")
	f := r.Folder(u)
	write(t, f, "a.md", "x")
	started, release := make(chan bool), make(chan bool)
	late := make(chan error)
	go func() {
		_, err := f.Write("late.md", readerFunc(func([]byte) (int, error) {
			close(started)
			<-release
			return 0, io.EOF
		}))
		late <- err
	}()
	<-started
	check(t, f.Discard())
	wantTree(t, r.Path())

	next := r.Folder(u)
	write(t, next, "b.md", "x")
	close(release)
	if err := <-late; !errors.Is(err, errDiscarded) {
		t.Errorf("a write running during Discard: %v", err)
	}
	if _, err := f.Write("c.md", strings.NewReader("x")); !errors.Is(err, errDiscarded) {
		t.Errorf("a write after Discard: %v", err)
	}
	if _, err := f.Path(); !errors.Is(err, errDiscarded) {
		t.Errorf("Path after Discard: %v", err)
	}
	check(t, f.Discard())
	wantTree(t, r.Path(), "example-com/", "example-com/b.md")
}

func TestRemoveRequest(t *testing.T) {
	s, root := newStore(t, Config{})
	r := newRequest(t, s, "")
	f := r.Folder(asked("https://example.com/"))
	write(t, f, "a.md", "x")
	check(t, r.Remove())
	check(t, r.Remove())
	wantTree(t, root)
	if _, err := f.Write("b.md", strings.NewReader("x")); !errors.Is(err, errClosed) {
		t.Errorf("a write after Remove: %v", err)
	}
	if _, err := r.Folder(asked("https://example.com/b")).Path(); !errors.Is(err, errClosed) {
		t.Errorf("a folder after Remove: %v", err)
	}
	wantTree(t, root)
}

func TestRemoveRequestInCallerRoot(t *testing.T) {
	s, _ := newStore(t, Config{})
	caller := t.TempDir()
	check(t, os.Mkdir(filepath.Join(caller, "example-com"), 0o700))
	check(t, os.WriteFile(filepath.Join(caller, "keep.txt"), nil, 0o600))
	r := newRequest(t, s, caller)
	write(t, r.Folder(asked("https://example.com/")), "a.md", "x")
	wantTree(t, caller, "example-com/", "example-com-2/", "example-com-2/a.md", "keep.txt")
	check(t, r.Remove())
	wantTree(t, caller, "example-com/", "keep.txt")
}

func TestClose(t *testing.T) {
	s, root := newStore(t, Config{})
	r := newRequest(t, s, "")
	f := r.Folder(asked("https://example.com/"))
	write(t, f, "a.md", "x")
	check(t, r.Close())
	if _, err := f.Write("b.md", strings.NewReader("x")); !errors.Is(err, errClosed) {
		t.Errorf("a write after Close: %v", err)
	}
	wantTree(t, root, "2026-07-06T12-57-08-183Z/", "2026-07-06T12-57-08-183Z/example-com/", "2026-07-06T12-57-08-183Z/example-com/a.md")
}

func TestConcurrentWrites(t *testing.T) {
	s, _ := newStore(t, Config{})
	r := newRequest(t, s, "")
	f := r.Folder(asked("https://example.com/"))
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := f.Write("a.md", bytes.NewReader(make([]byte, 100_000))); err != nil {
				t.Error(err)
			}
			if _, err := r.Folder(asked("https://example.com/b")).Write("b.md", strings.NewReader("x")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	names := tree(t, r.Path())
	if len(names) != 20+20+21 || slices.ContainsFunc(names, func(s string) bool { return strings.Contains(s, fetchers.PartPrefix) }) {
		t.Errorf("%d names: %q", len(names), names)
	}
}

// TestModes is not parallel: the umask belongs to the process.
func TestModes(t *testing.T) {
	for _, mask := range []int{0o000, 0o022, 0o077, 0o277} {
		s, root := newStore(t, Config{})
		caller := filepath.Join(t.TempDir(), "out")
		old := syscall.Umask(mask)
		for _, callerRoot := range []string{"", caller} {
			r, err := s.NewRequest(callerRoot)
			if err == nil {
				_, err = r.Folder(asked("https://example.com/")).Write("a.md", strings.NewReader("x"))
			}
			if err != nil {
				t.Errorf("umask %04o: %v", mask, err)
			}
		}
		syscall.Umask(old)
		for _, dir := range []string{root, caller} {
			wantMode(t, dir, 0o700)
			for _, name := range tree(t, dir) {
				mode := fs.FileMode(0o600)
				if strings.HasSuffix(name, "/") {
					mode = 0o700
				}
				wantMode(t, filepath.Join(dir, name), mode)
			}
		}
	}
}

func TestWriteHoldsLittleMemory(t *testing.T) {
	s, _ := newStore(t, Config{})
	f := newRequest(t, s, "").Folder(asked("https://example.com/"))
	const part = 8 << 20
	for name, unit := range map[string]string{
		"lines.md":  strings.Repeat("# one of many headings\n\ntext\n", 1000),
		"line.md":   strings.Repeat("# all in one line ", 1000),
		"binary.md": strings.Repeat("\x00", 20_000),
	} {
		before := heap()
		var during uint64
		measure := readerFunc(func([]byte) (int, error) {
			during = heap()
			return 0, io.EOF
		})
		endless := &repeat{unit: unit}
		b, err := f.Write(name, io.MultiReader(io.LimitReader(endless, part), measure, io.LimitReader(endless, part)))
		check(t, err)
		if b.Bytes != 2*part || during > before+part/8 {
			t.Errorf("%s: %d bytes written, from %d to %d bytes of memory in use", name, b.Bytes, before, during)
		}
	}
}

// heap is the memory in use.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// repeat yields unit for ever.
type repeat struct {
	unit string
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := copy(p, r.unit[r.at:])
	r.at = (r.at + n) % len(r.unit)
	return n, nil
}

const day = 24 * time.Hour

// finished makes a request, writes a document and ends the request.
func finished(t *testing.T, s *Store) (path string) {
	t.Helper()
	r := newRequest(t, s, "")
	write(t, r.Folder(asked("https://example.com/")), "content.md", "# x\n")
	check(t, r.Close())
	return r.Path()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestSweep(t *testing.T) {
	now, keep := epoch, 7*day
	s, root := newStore(t, Config{
		Now:  func() time.Time { return now },
		Keep: func() time.Duration { return keep },
	})
	slow := newRequest(t, s, "") // begun first, finished last
	old := finished(t, s)
	outside := t.TempDir()
	check(t, os.WriteFile(filepath.Join(outside, "keep"), nil, 0o600))
	check(t, os.Symlink(outside, filepath.Join(old, "link")))
	theirs := []string{"2026-07-01T00-00-00-000Z", "2026-07-02T00-00-00-000Z", "notes"}
	check(t, os.Symlink(outside, filepath.Join(root, theirs[0])))
	check(t, os.WriteFile(filepath.Join(root, theirs[1]), nil, 0o600))
	mkdir(t, filepath.Join(root, theirs[2]), 0o700)
	crashed := filepath.Join(root, "2026-07-03T00-00-00-000Z")
	check(t, os.MkdirAll(filepath.Join(crashed, "example-com"), 0o700))
	check(t, os.Chtimes(crashed, epoch, epoch))

	sweep := func(at time.Time, left ...string) {
		t.Helper()
		now = at
		check(t, s.Sweep())
		for _, path := range []string{slow.Path(), old, crashed} {
			if want := slices.Contains(left, path); exists(path) != want {
				t.Errorf("on day %v: %s is there = %v, want %v", at.Sub(epoch).Hours()/24, path, !want, want)
			}
		}
	}
	// What is added or removed in a folder moves its time; the link did.
	check(t, os.Chtimes(old, epoch, epoch.Add(keep)))
	sweep(epoch, slow.Path(), old, crashed)
	sweep(epoch.Add(6*day), slow.Path(), old)
	keep = 0
	sweep(epoch.Add(20*day), slow.Path(), old)
	keep = 7 * day
	sweep(epoch.Add(20*day), slow.Path())
	check(t, slow.Close())
	sweep(epoch.Add(26*day), slow.Path())
	sweep(epoch.Add(28 * day))

	for _, name := range theirs {
		if !exists(filepath.Join(root, name)) {
			t.Errorf("%s is gone", name)
		}
	}
	wantTree(t, outside, "keep")
}

func TestSweepKeepsWhatAnotherDaemonPromised(t *testing.T) {
	now := epoch
	clock := func() time.Time { return now }
	keeps := func(d time.Duration) func() time.Duration { return func() time.Duration { return d } }
	month, root := newStore(t, Config{Now: clock, Keep: keeps(30 * day)})
	same := func() string { return root }
	always, _ := newStore(t, Config{Now: clock, Root: same})
	week, _ := newStore(t, Config{Now: clock, Root: same, Keep: keeps(7 * day)})
	kept, promised := finished(t, always), finished(t, month)

	now = epoch.Add(29 * day)
	check(t, week.Sweep())
	if !exists(promised) {
		t.Error("a daemon that keeps files for a week removed those another keeps for a month")
	}
	now = epoch.Add(365 * day)
	check(t, week.Sweep())
	if exists(promised) || !exists(kept) {
		t.Errorf("after a year: promised for a month %v, for ever %v; want the second alone", exists(promised), exists(kept))
	}
}

func TestSweepLeavesUnsafeRootsAlone(t *testing.T) {
	now := epoch
	s, root := newStore(t, Config{
		Now:  func() time.Time { return now },
		Keep: func() time.Duration { return time.Hour },
	})
	old := finished(t, s)
	now = epoch.AddDate(1, 0, 0)
	check(t, os.Chmod(root, 0o755))
	check(t, s.Sweep())
	if !exists(old) {
		t.Error("a folder in an unsafe root was removed")
	}
	check(t, os.Chmod(root, 0o700))
	check(t, s.Sweep())
	wantTree(t, root)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	check(t, os.Mkdir(path, 0o700))
	check(t, os.Chmod(path, mode))
}

func wantMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	fi, err := os.Lstat(path)
	check(t, err)
	if got := fi.Mode().Perm(); got != want {
		t.Errorf("%s has mode %04o, want %04o", path, got, want)
	}
}

func TestRootBelowAMissingFolder(t *testing.T) {
	root := filepath.Join(t.TempDir(), "cache", "pi-fetch")
	s, _ := newStore(t, Config{Root: func() string { return root }})
	r := newRequest(t, s, "")
	if filepath.Dir(r.Path()) != root || len(r.Warnings()) > 0 {
		t.Errorf("request folder %s, warnings %q, want one in %s", r.Path(), r.Warnings(), root)
	}
	wantMode(t, root, 0o700)
}
