package checkout

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sha = "0123456789abcdef0123456789abcdef01234567"

// member is one member of an archive; a name with a slash at the end is a folder.
type member struct {
	name, content string
	header        tar.Header // what differs from a plain file
}

func tarball(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	out := tar.NewWriter(zip)
	write := func(h *tar.Header, content string) {
		if err := out.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	write(&tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header", PAXRecords: map[string]string{"comment": sha}}, "")
	for _, m := range members {
		h := m.header
		h.Name, h.Size = m.name, int64(len(m.content))
		switch {
		case h.Typeflag != 0:
		case strings.HasSuffix(m.name, "/"):
			h.Typeflag = tar.TypeDir
		default:
			h.Typeflag = tar.TypeReg
		}
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		write(&h, m.content)
	}
	if err := errors.Join(out.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func openRoot(t *testing.T) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// files lists what is below root: the content of files by path, and what is
// no plain file with mode 0600.
func files(t *testing.T, root *os.Root) map[string]string {
	t.Helper()
	got := make(map[string]string)
	err := fs.WalkDir(root.FS(), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		fi, err := e.Info()
		if err != nil {
			return err
		}
		if fi.Mode() != 0o600 {
			got[path] = "mode " + fi.Mode().String()
			return nil
		}
		content, err := root.ReadFile(path)
		got[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func entries(r Result) []string {
	var lines []string
	for _, e := range r.Entries {
		line := e.Path
		if e.File != e.Path && e.File != "" {
			line += " as " + e.File
		}
		if e.Executable {
			line += " executable"
		}
		if e.Omitted != "" {
			line += " omitted: " + e.Omitted
		}
		if e.Capped {
			line += " (capped)"
		}
		lines = append(lines, line)
	}
	return lines
}

func TestTar(t *testing.T) {
	plain := []member{
		{name: "r-1/"},
		{name: "r-1/.github/"},
		{name: "r-1/.github/ci.yml", content: "ci"},
		{name: "r-1/README.md", content: "read me"},
		{name: "r-1/lib/"},
		{name: "r-1/src/"},
		{name: "r-1/src/a.go", content: "a"},
		{name: "r-1/src/deep/"},
		{name: "r-1/src/deep/run.sh", content: "run", header: tar.Header{Mode: 0o755}},
		{name: "r-1/src2/b.go", content: "b"},
	}
	hostile := []member{
		{name: "r/../../outside", content: "x"},
		{name: "r//etc/passwd", content: "x"},
		{name: "r/link", header: tar.Header{Typeflag: tar.TypeSymlink, Linkname: "/etc"}},
		{name: "r/link/through", content: "x"},
		{name: "r/hard", header: tar.Header{Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}},
		{name: "r/device", header: tar.Header{Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 3}},
		{name: "r/pipe", header: tar.Header{Typeflag: tar.TypeFifo}},
		{name: "r/.git/hooks/post-checkout", content: "x", header: tar.Header{Mode: 0o777}},
		{name: "r/.GIT/config", content: "x"},
		{name: "r/.g\u200cit/config", content: "y"},
		{name: "r/suid", content: "x", header: tar.Header{Mode: 0o6755}},
		{name: "r/a/./b/../c", content: "x"},
		{name: "r/twice", content: "1"},
		{name: "r/twice", content: "2"},
		{name: "r/Twice/x", content: "3"},
		{name: "r/twice/x", content: "4"},
		{name: "r/bell\a\\dir", content: "x"},
		{name: "r/bad\xff", content: "x"},
		{name: "r/" + strings.Repeat("deep/", 300) + "x", content: "x"},
	}
	for _, tt := range []struct {
		name    string
		members []member
		dir     string
		limits  Limits
		files   map[string]string
		entries []string
		more    int
	}{
		{
			"whole", plain, "", DefaultLimits,
			map[string]string{".github/ci.yml": "ci", "README.md": "read me", "src/a.go": "a", "src/deep/run.sh": "run", "src2/b.go": "b"},
			[]string{
				".github/ci.yml", "README.md", "lib omitted: empty in the archive: a submodule, or left out by .gitattributes",
				"src/a.go", "src/deep/run.sh executable", "src2/b.go",
			},
			0,
		},
		{
			"folder", plain, "src", DefaultLimits,
			map[string]string{"a.go": "a", "deep/run.sh": "run"},
			[]string{"a.go", "deep/run.sh executable"},
			0,
		},
		{
			"bytes", plain, "",
			Limits{Bytes: 6, Files: 10},
			map[string]string{".github/ci.yml": "ci", "src/a.go": "a", "src/deep/run.sh": "run"},
			[]string{
				".github/ci.yml", "README.md omitted: over the cap of 6B (capped)", "lib omitted: empty in the archive: a submodule, or left out by .gitattributes",
				"src/a.go", "src/deep/run.sh executable", "src2/b.go omitted: over the cap of 6B (capped)",
			},
			0,
		},
		{
			"number of files", plain, "",
			Limits{Bytes: 100, Files: 2},
			map[string]string{".github/ci.yml": "ci", "README.md": "read me"},
			[]string{".github/ci.yml", "README.md"},
			4,
		},
		{
			"hostile", hostile, "", DefaultLimits,
			map[string]string{
				"link/through": "x", "_.git/hooks/post-checkout": "x", "_-2.GIT/config": "x", "_-3.git/config": "y", "suid": "x", "a/c": "x",
				"twice": "1", "twice-2": "2", "Twice-3/x": "3", "twice-4/x": "4", "bell__dir": "x", "bad_": "x",
			},
			[]string{
				"../../outside omitted: its path leads outside",
				"/etc/passwd omitted: its path leads outside",
				"link omitted: symbolic link to /etc",
				"link/through",
				"hard omitted: hard link to /etc/passwd",
				"device omitted: neither a file nor a folder",
				"pipe omitted: neither a file nor a folder",
				".git/hooks/post-checkout as _.git/hooks/post-checkout executable",
				".GIT/config as _-2.GIT/config",
				".g\u200cit/config as _-3.git/config",
				"suid executable",
				"a/c",
				"twice", "twice as twice-2", "Twice/x as Twice-3/x", "twice/x as twice-4/x",
				"bell\a\\dir as bell__dir",
				"bad\xff as bad_",
				strings.Repeat("deep/", 300)[:maxPath] + " omitted: its path is too long",
			},
			0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := openRoot(t)
			got, err := Tar(t.Context(), root, bytes.NewReader(tarball(t, tt.members...)), tt.dir, tt.limits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.files, files(t, root)); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.entries, entries(got)); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			if got.Commit != sha || got.More != tt.more {
				t.Errorf("commit %s and %d more, want %s and %d", got.Commit, got.More, sha, tt.more)
			}
		})
	}
}

func TestTarThatCannotBeRead(t *testing.T) {
	whole := tarball(t, member{name: "r/a", content: strings.Repeat("x", 100_000)})
	cancelled, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	for _, tt := range []struct {
		name string
		ctx  context.Context
		data []byte
		dir  string
		want string
	}{
		{"no archive", t.Context(), []byte("<html>"), "", "the archive cannot be read: "},
		{"truncated", t.Context(), whole[:len(whole)-20], "", "the archive cannot be read: write a: unexpected EOF"},
		{"no such folder", t.Context(), whole, "src", ErrNoPath.Error()},
		{"cancelled", cancelled, whole, "", stop.Error()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Tar(tt.ctx, openRoot(t), bytes.NewReader(tt.data), tt.dir, DefaultLimits)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %s…", err, tt.want)
			}
		})
	}
}

func TestWritten(t *testing.T) {
	r := Result{Entries: []Entry{{File: "a", Size: 3}, {File: "b", Size: 4}, {Omitted: "symbolic link to a"}, {Omitted: "over the cap", Capped: true, Size: 9}}, More: 2}
	files, bytes := r.Written()
	if got, want := fmt.Sprint(files, bytes, r.Missing()), "2 7 3"; got != want {
		t.Errorf("files, bytes, missing: %s, want %s", got, want)
	}
}

func TestSafeSegment(t *testing.T) {
	long := strings.Repeat("é", 200)
	for _, tt := range []struct{ in, want string }{
		{"a b#.go", "a b#.go"},
		{".github", ".github"},
		{".git", "_.git"},
		{".gitignore", ".gitignore"},
		{"..", "_.."},
		{"\u202e", "_"},
		{"line\nbreak", "line_break"},
		{long + ".go", strings.Repeat("é", 98) + ".go"},
	} {
		if got := safeSegment(tt.in); got != tt.want {
			t.Errorf("safeSegment(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
