package github

import (
	"path/filepath"
	"strings"
	"testing"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/github/target"
)

// newFolder is a document's folder of a test.
func newFolder(t *testing.T) fetchers.Folder {
	t.Helper()
	r, err := artifact.New(artifact.Config{}).NewRequest(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r.Folder(fetchers.URL{Asked: "https://github.com/o/r"})
}

func TestReadView(t *testing.T) {
	numbered := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n"
	long := strings.Repeat("x", 3*fetchers.ExcerptBytes)
	const oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393"
	for _, tt := range []struct {
		name, file, content string
		lines               target.Lines
		excerpt, anchor     string
		lfs                 bool
	}{
		{name: "head", file: "a.txt", content: numbered, excerpt: strings.TrimSpace(numbered)},
		{name: "markdown", file: "a.md", content: "# Title\n\n![badge](x)\n\nSome [text](y).\n", excerpt: "Some text."},
		{name: "one line", file: "a.txt", content: numbered, lines: target.Lines{First: 6, Last: 6}, excerpt: "3\n4\n5\n6\n7\n8\n9", anchor: "anchor: a.txt:6"},
		{name: "at the start", file: "a.txt", content: numbered, lines: target.Lines{First: 1, Last: 2}, excerpt: "1\n2\n3\n4\n5", anchor: "anchor: a.txt:1-2"},
		{name: "past the end", file: "a.txt", content: numbered, lines: target.Lines{First: 11, Last: 40}, excerpt: "8\n9\n10\n11\n12", anchor: "anchor: a.txt:11-12"},
		{name: "no such line", file: "a.txt", content: numbered, lines: target.Lines{First: 40, Last: 40}, excerpt: strings.TrimSpace(numbered), anchor: "anchor: line 40 is not in a.txt, which has 12 lines"},
		{name: "long lines", file: "a.txt", content: long + "\n" + long + "\nend", lines: target.Lines{First: 3, Last: 3}, excerpt: "end", anchor: "anchor: a.txt:3"},
		{name: "a long line", file: "a.txt", content: "1\n" + long + "\n3\n", lines: target.Lines{First: 2, Last: 2}, excerpt: "1\n" + long[:fetchers.ExcerptBytes-2], anchor: "anchor: a.txt:2"},
		{name: "after a long line", file: "a.txt", content: "1\n" + long + "\n3\n4\n", lines: target.Lines{First: 3, Last: 4}, excerpt: "3\n4", anchor: "anchor: a.txt:3-4"},
		{name: "binary", file: "a.bin", content: "\x00\x01"},
		{name: "empty", file: "a.txt", content: ""},
		{name: "LFS", file: "a.bin", content: "version https://git-lfs.github.com/spec/v1\noid sha256:" + oid + "\nsize 73400320\n", excerpt: "version https://git-lfs.github.com/spec/v1\noid sha256:" + oid + "\nsize 73400320", lfs: true},
		{name: "about LFS", file: "a.txt", content: "version https://git-lfs.github.com/spec/v1\nis the first line\n", excerpt: "version https://git-lfs.github.com/spec/v1\nis the first line"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := newFolder(t)
			body, err := folder.Write(tt.file, strings.NewReader(tt.content))
			if err != nil {
				t.Fatal(err)
			}
			got, err := readView(folder, body, tt.lines)
			if err != nil {
				t.Fatal(err)
			}
			if got.excerpt != tt.excerpt || got.anchor != tt.anchor {
				t.Errorf("excerpt %q, anchor %q\nwant %q, %q", got.excerpt, got.anchor, tt.excerpt, tt.anchor)
			}
			if (got.pointer != nil) != tt.lfs {
				t.Errorf("pointer %v, want one: %v", got.pointer, tt.lfs)
			}
			if tt.lfs && (got.pointer.oid != oid || got.pointer.size != 73400320) {
				t.Errorf("pointer %+v", got.pointer)
			}
		})
	}
}

func TestReadmes(t *testing.T) {
	list := func(names ...string) gitEntry {
		e := gitEntry{Mode: modeFolder}
		for _, n := range names {
			mode := modeFile
			if strings.HasSuffix(n, "/") {
				mode = modeFolder
			}
			e.Entries = append(e.Entries, gitEntry{Name: strings.TrimSuffix(n, "/"), Mode: mode})
		}
		return e
	}
	for _, tt := range []struct {
		top  gitEntry
		want string
	}{
		{list("README.md", "a.go"), "README.md"},
		{list("README", "readme.rst", "Readme.txt"), "readme.rst Readme.txt README"},
		{list("docs/", "README.md", ".github/"), ".github/README.md README.md docs/README.md"},
		{list("README.zh-CN.md", "README.exe", "README/", "readme-old.md"), ""},
	} {
		if got := strings.Join(readmes(tt.top), " "); got != tt.want {
			t.Errorf("readmes of %v: %q, want %q", entryNames(tt.top), got, tt.want)
		}
	}
}
