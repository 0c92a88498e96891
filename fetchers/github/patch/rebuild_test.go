package patch_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pifetch/fetchers/github/patch"
)

const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

func TestRebuild(t *testing.T) {
	const one = "@@ -1 +1 @@\n-a\n+b"
	for _, tt := range []struct {
		name    string
		file    patch.File
		want    string
		omitted string
	}{
		{
			"modified",
			patch.File{Path: "a", Status: "modified", Patch: one, Additions: 1, Deletions: 1, Changes: 2},
			"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n", "",
		},
		{
			"without counts",
			patch.File{Path: "a", Status: "modified", Patch: one},
			"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n", "",
		},
		{
			"names with spaces and more",
			patch.File{Path: "b \"x\u202e", OldPath: "a b", Status: "renamed", Patch: one},
			"diff --git a/a b \"b/b \\\"x\\342\\200\\256\"\nrename from a b\nrename to \"b \\\"x\\342\\200\\256\"\n--- a/a b\t\n+++ \"b/b \\\"x\\342\\200\\256\"\n" + one + "\n", "",
		},
		{
			"text after a header cut within a character",
			patch.File{Path: "a", Status: "modified", Patch: "@@ -1 +1 @@ caf\ufffd\n-a\n+b"},
			"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@ caf\ufffd\n-a\n+b\n", "",
		},
		{"not UTF-8", patch.File{Path: "a", Status: "modified", Patch: "@@ -1 +1 @@\n-a\n+caf\ufffd"}, "", "not UTF-8"},
		{
			"empty and new",
			patch.File{Path: "a", Status: "added", SHA: emptyBlob, NewMode: "100755"},
			"diff --git a/a b/a\nnew file mode 100755\nindex 0000000..e69de29\n", "",
		},
		{
			"empty and gone",
			patch.File{Path: "a", Status: "removed", SHA: emptyBlob},
			"diff --git a/a b/a\ndeleted file mode 100644\nindex e69de29..0000000\n", "",
		},
		{"no patch and new", patch.File{Path: "a", Status: "added", SHA: "5d308e1d"}, "", "binary or too large for GitHub's API"},
		{"no patch and gone", patch.File{Path: "a", Status: "removed", SHA: "5d308e1d", Changes: 9, Deletions: 9}, "", "too large for GitHub's API"},
		{"a line without its end", patch.File{Path: "a", Status: "added", Patch: "@@ -0,0 +1 @@\n+b\n\\ No newline at end of file"}, "", "mode unknown"},
		{
			"the same of a known mode",
			patch.File{Path: "a", Status: "added", Patch: "@@ -0,0 +1 @@\n+b\n\\ No newline at end of file", NewMode: "100664"},
			"diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+b\n\\ No newline at end of file\n", "",
		},
		{"a submodule gone", patch.File{Path: "a", Status: "removed", Patch: "@@ -1 +0,0 @@\n-Subproject commit 5d308e1d060b0c387d452cf4747f89ecb9935851"}, "", "mode unknown"},
		{"new with old lines", patch.File{Path: "a", Status: "added", Patch: one}, "", "incomplete in GitHub's API"},
		{"gone with new lines", patch.File{Path: "a", Status: "removed", Patch: one}, "", "incomplete in GitHub's API"},
		{"cut in a hunk", patch.File{Path: "a", Status: "modified", Patch: "@@ -1,2 +1,2 @@\n-a\n+b"}, "", "incomplete in GitHub's API"},
		{"cut between hunks", patch.File{Path: "a", Status: "modified", Patch: one, Additions: 2, Deletions: 2, Changes: 4}, "", "incomplete in GitHub's API"},
		{"no hunks", patch.File{Path: "a", Status: "modified", Patch: "text"}, "", "incomplete in GitHub's API"},
		{
			"another section within",
			patch.File{Path: "a", Status: "modified", Patch: one + "\ndiff --git a/b b/b\nold mode 100644\nnew mode 100755"},
			"", "incomplete in GitHub's API",
		},
		{
			"moved",
			patch.File{Path: "b", OldPath: "a", Status: "renamed", SHA: "5d308e1d", OldSHA: "5d308e1d"},
			"diff --git a/a b/b\nrename from a\nrename to b\n", "",
		},
		{"moved, perhaps binary and edited", patch.File{Path: "b", OldPath: "a", Status: "renamed", SHA: "5d308e1d"}, "", "binary or too large for GitHub's API"},
		{"moved from nowhere", patch.File{Path: "b", Status: "renamed", Patch: one}, "", "not named by GitHub's API"},
		{
			"copied",
			patch.File{Path: "b", OldPath: "a", Status: "copied", Patch: one, OldMode: "100644", NewMode: "100755"},
			"diff --git a/a b/b\nold mode 100644\nnew mode 100755\ncopy from a\ncopy to b\n--- a/a\n+++ b/b\n@@ -1 +1 @@\n-a\n+b\n", "",
		},
		{
			"mode alone",
			patch.File{Path: "a", Status: "modified", SHA: "5d308e1d", OldSHA: "5d308e1d", OldMode: "100644", NewMode: "100755"},
			"diff --git a/a b/a\nold mode 100644\nnew mode 100755\n", "",
		},
		{
			"mode, perhaps binary and edited",
			patch.File{Path: "a", Status: "modified", SHA: "5d308e1d", OldMode: "100644", NewMode: "100755"},
			"", "binary or too large for GitHub's API",
		},
		{"unchanged", patch.File{Path: "a", Status: "unchanged", SHA: "5d308e1d", OldSHA: "5d308e1d"}, "", "unchanged"},
		{
			"into a link",
			patch.File{Path: "a", Status: "changed", Patch: "@@ -1,2 +1,2 @@\n both\n-a\n+b\n\\ No newline at end of file", OldMode: "100644", NewMode: "120000"},
			"diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-both\n-a\n" +
				"diff --git a/a b/a\nnew file mode 120000\n--- /dev/null\n+++ b/a\n@@ -0,0 +1,2 @@\n+both\n+b\n\\ No newline at end of file\n", "",
		},
		{
			"into a link from an empty file",
			patch.File{Path: "a", Status: "changed", Patch: "@@ -0,0 +1 @@\n+b\n\\ No newline at end of file", OldMode: "100644", NewMode: "120000"},
			"diff --git a/a b/a\ndeleted file mode 100644\nindex e69de29..0000000\n" +
				"diff --git a/a b/a\nnew file mode 120000\n--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+b\n\\ No newline at end of file\n", "",
		},
		{
			"into a link, perhaps not whole",
			patch.File{Path: "a", Status: "changed", Patch: "@@ -1,4 +1,4 @@\n-a\n+b\n 1\n 2\n 3", OldMode: "100644", NewMode: "120000"},
			"", "type changed",
		},
		{
			"half of a change of type",
			patch.File{Path: "a", Status: "changed", OldMode: "100644", NewMode: "120000", SHA: "d550755", OldSHA: "f73f309", Patch: "@@ -0,0 +1 @@\n+m\n\\ No newline at end of file"},
			"", "incomplete in GitHub's API",
		},
		{"into a link without a patch", patch.File{Path: "a", Status: "changed", OldMode: "100644", NewMode: "120000"}, "", "type changed"},
		{"changed without modes", patch.File{Path: "a", Status: "changed", Patch: one}, "", "mode unknown"},
		{
			"changed and of one type",
			patch.File{Path: "a", Status: "changed", Patch: one, OldMode: "100644", NewMode: "100644"},
			"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n", "",
		},
		{"a status to come", patch.File{Path: "a", Status: "melted", Patch: one}, "", "unknown kind of change"},
		{"no name", patch.File{Status: "modified", Patch: one}, "", "not named by GitHub's API"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if tt.omitted != "" {
				want = "# omitted: " + tt.file.Path + " (" + tt.omitted + ")\n# 1 of 1 files omitted: 1 " + tt.omitted + "\n"
			}
			var b strings.Builder
			got, err := patch.Rebuild(&b, []patch.File{tt.file}, patch.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != want {
				t.Errorf("got\n%s\nwant\n%s", b.String(), want)
			}
			s := patch.Section{
				Path: tt.file.Path, OldPath: tt.file.OldPath, Line: 1, Omitted: tt.omitted,
				Status: tt.file.Status, Additions: tt.file.Additions, Deletions: tt.file.Deletions,
			}
			if !reflect.DeepEqual(got.Sections, []patch.Section{s}) {
				t.Errorf("sections %+v, want %+v", got.Sections, s)
			}
			checkLines(t, b.String(), got)
		})
	}
}

// A file that changes its type may be listed twice, and is omitted as one.
func TestRebuildTakesTwoEntriesForOneFile(t *testing.T) {
	files := []patch.File{
		{Path: "t", Status: "removed", OldMode: "100644", Patch: "@@ -1 +0,0 @@\n-a"},
		{Path: "t", Status: "added", NewMode: "120000", Patch: "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file"},
		{Path: "u", Status: "modified", Patch: "@@ -1 +1 @@\n-a\n+b"},
	}
	var b strings.Builder
	got, err := patch.Rebuild(&b, files, patch.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []patch.Section{{Path: "t", Line: 1, Status: "changed"}, {Path: "u", Line: 14, Status: "modified"}}; !reflect.DeepEqual(got.Sections, want) {
		t.Errorf("sections %+v, want %+v", got.Sections, want)
	}
	checkLines(t, b.String(), got)

	files[1].NewMode = ""
	b.Reset()
	if got, err = patch.Rebuild(&b, files, patch.Limits{Files: 1}); err != nil {
		t.Fatal(err)
	}
	want := []patch.Section{{Path: "t", Line: 1, Omitted: "mode unknown", Status: "changed"}, {Path: "u", Line: 2, Status: "modified"}}
	if !reflect.DeepEqual(got.Sections, want) {
		t.Errorf("sections %+v, want %+v", got.Sections, want)
	}
}

func TestRebuildKeepsTheLimits(t *testing.T) {
	file := func(path string, lines int) patch.File {
		_, hunks, _ := strings.Cut(edit(path, lines), "+++ b/"+path+"\n")
		return patch.File{Path: path, Status: "modified", Patch: strings.TrimSuffix(hunks, "\n")}
	}
	var b strings.Builder
	got, err := patch.Rebuild(&b, []patch.File{file("a", 1), file("b", 500), file("c", 1), file("d", 1)}, patch.Limits{Bytes: 2 << 10, Files: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := []patch.Section{
		{Path: "a", Line: 1, Status: "modified"},
		{Path: "b", Line: 7, Omitted: "over the cap of 2 KB", Status: "modified"},
		{Path: "c", Line: 8, Status: "modified"},
		{Path: "d", Line: 14, Omitted: "over the cap of 2 files", Status: "modified"},
	}
	if !reflect.DeepEqual(got.Sections, want) || got.Omitted != 2 || got.Truncated {
		t.Errorf("got %+v, want sections %+v", got, want)
	}
	checkLines(t, b.String(), got)
	if _, last, _ := strings.Cut(b.String(), "files)\n"); last != "# 2 of 4 files omitted: 1 over the cap of 2 KB, 1 over the cap of 2 files\n" {
		t.Errorf("ends in %q", last)
	}
}

func TestRebuildPassesErrorsOn(t *testing.T) {
	broken := errors.New("disk full")
	for _, f := range []patch.File{{Path: "a", Status: "added"}, {Path: "a", Status: "added", SHA: emptyBlob}} {
		if _, err := patch.Rebuild(brokenWriter{broken}, []patch.File{f}, patch.Limits{}); !errors.Is(err, broken) {
			t.Errorf("got %v", err)
		}
	}
}
