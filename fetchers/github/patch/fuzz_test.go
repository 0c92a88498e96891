package patch_test

import (
	"strings"
	"testing"

	"pifetch/fetchers/github/patch"
)

// commentBytes bounds the comments of a patch, with the last lines.
const commentBytes = 33 << 10

func FuzzCopy(f *testing.F) {
	r := torture(f)
	diff := r.diff(f, "-M")
	for _, s := range []string{
		"", edit("a", 1), renamed + binary, literal + retyped, emptied + quoted + headings,
		edit("b", 2) + retyped + edit("a", 1), strings.Repeat(binary, 4),
	} {
		f.Add([]byte(s), int64(400), 3)
	}
	for i, section := range strings.SplitAfter(diff, "\ndiff --git ") {
		section = "diff --git " + strings.TrimSuffix(section, "diff --git ")
		f.Add([]byte(section[:min(len(section), 2048)]), int64(100*i), i)
	}
	f.Fuzz(func(t *testing.T, diff []byte, limit int64, files int) {
		checkCopy(t, string(diff), patch.Limits{})
		checkCopy(t, string(diff), patch.Limits{Bytes: 1 + limit&0xfff, Files: 1 + files&7})
	})
}

// checkCopy copies a diff and checks what must be true of every patch.
func checkCopy(t *testing.T, diff string, l patch.Limits) {
	t.Helper()
	var b strings.Builder
	got, err := patch.Copy(&b, strings.NewReader(diff), l)
	if err != nil {
		return
	}
	checkLines(t, b.String(), got)
	kept := withoutComments(b.String())
	if l.Bytes > 0 && int64(len(kept)) > l.Bytes || b.Len()-len(kept) > commentBytes {
		t.Errorf("%d bytes and %d of comments, over %d", len(kept), b.Len()-len(kept), l.Bytes)
	}
	if written := len(got.Sections) - got.Omitted; l.Files > 0 && written > l.Files {
		t.Errorf("%d files, over %d", written, l.Files)
	}
	checkFixed(t, kept)
}

// checkFixed checks that a patch without its comments is copied as it is.
func checkFixed(t *testing.T, kept string) {
	t.Helper()
	var b strings.Builder
	got, err := patch.Copy(&b, strings.NewReader(kept), patch.Limits{Bytes: 1 << 30, Files: 1 << 20})
	if err != nil {
		t.Fatalf("the patch is no diff: %v\n%q", err, kept)
	}
	if b.String() != kept || got.Omitted > 0 {
		t.Errorf("a copy of\n%q\nis\n%q", kept, b.String())
	}
}

// withoutComments is a patch without the lines that git apply skips. No line
// of a hunk begins like one.
func withoutComments(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "# ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func FuzzRebuild(f *testing.F) {
	r := torture(f)
	for i, file := range r.files(f, "-M") {
		file.Patch = file.Patch[:min(len(file.Patch), 4096)]
		f.Add(file.Path, file.OldPath, file.Status, file.Patch, file.OldMode, file.NewMode, file.SHA, file.OldSHA, file.Additions, i)
	}
	f.Fuzz(func(t *testing.T, path, oldPath, status, hunks, oldMode, newMode, sha, oldSHA string, additions, limit int) {
		file := patch.File{
			Path: path, OldPath: oldPath, Status: status, Patch: hunks, OldMode: oldMode, NewMode: newMode, SHA: sha, OldSHA: oldSHA, Additions: additions,
		}
		created := patch.File{Path: path, Status: "added", Patch: hunks, NewMode: newMode, SHA: sha}
		files := []patch.File{file, created, {Path: "a", Status: "modified", Patch: "@@ -1 +1 @@\n-a\n+b"}}
		for _, l := range []patch.Limits{{}, {Bytes: 1 + int64(limit&0xfff), Files: 1 + limit&3}} {
			var b strings.Builder
			got, err := patch.Rebuild(&b, files, l)
			if err != nil {
				t.Fatal(err)
			}
			checkLines(t, b.String(), got)
			kept := withoutComments(b.String())
			if l.Bytes > 0 && int64(len(kept)) > l.Bytes {
				t.Errorf("%d bytes, over %d", len(kept), l.Bytes)
			}
			checkFixed(t, kept)
		}
	})
}
