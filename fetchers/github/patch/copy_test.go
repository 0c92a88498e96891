package patch_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"pifetch/fetchers/github/patch"
)

// edit is a section that changes n lines of a file.
func edit(path string, n int) string {
	return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\nindex 83db48f..bf269f4 100644\n--- a/%[1]s\n+++ b/%[1]s\n@@ -1,%[2]d +1,%[2]d @@\n", path, n) +
		strings.Repeat("-old\n", n) + strings.Repeat("+new\n", n)
}

const (
	renamed  = "diff --git a/x y b/z\nsimilarity index 100%\nrename from x y\nrename to z\n"
	binary   = "diff --git a/i.png b/i.png\nindex 83db48f..bf269f4 100644\nBinary files a/i.png and b/i.png differ\n"
	literal  = "diff --git a/i.png b/i.png\nindex 83db48f..bf269f4 100644\nGIT binary patch\nliteral 3\nKcmZQzWMT#Y01f~L\n\nliteral 3\nKcmZQzWMT#Y01f~L\n\n"
	retyped  = "diff --git a/t b/t\ndeleted file mode 100644\nindex 83db48f..0000000\n--- a/t\n+++ /dev/null\n@@ -1 +0,0 @@\n-f\n" + created
	created  = "diff --git a/t b/t\nnew file mode 120000\nindex 0000000..bf269f4\n--- /dev/null\n+++ b/t\n@@ -0,0 +1 @@\n+f\n\\ No newline at end of file\n"
	emptied  = "diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n"
	quoted   = "diff --git \"a/q\\t\\303\\274\" \"b/q\\t\\303\\274\"\nold mode 100644\nnew mode 100755\n"
	headings = "diff --git a/s b/s\n--- a/s\n+++ b/s\n@@ -1,2 +1 @@ -- c\n--- a/x\n-diff --git a/y b/y\n+++ b/x\n"
)

func TestCopy(t *testing.T) {
	for _, tt := range []struct {
		name, in, want string
		limits         patch.Limits
		result         patch.Result
	}{
		{name: "empty"},
		{
			name: "all is kept", in: edit("a", 1) + renamed + emptied + quoted + headings, want: edit("a", 1) + renamed + emptied + quoted + headings,
			result: patch.Result{Sections: []patch.Section{
				{Path: "a", Line: 1, Status: "modified", Additions: 1, Deletions: 1},
				{Path: "z", OldPath: "x y", Line: 8, Status: "renamed"},
				{Path: "e", Line: 12, Status: "removed"},
				{Path: "q\tü", Line: 15, Status: "modified"},
				{Path: "s", Line: 18, Status: "modified", Additions: 1, Deletions: 2},
			}},
		},
		{
			name: "binary", in: binary + edit("a", 1) + literal, want: "# omitted: i.png (binary)\n" + edit("a", 1) + "# omitted: i.png (binary)\n# 2 of 3 files omitted: 2 binary\n",
			result: patch.Result{Omitted: 2, Sections: []patch.Section{
				{Path: "i.png", Line: 1, Omitted: "binary", Status: "modified"},
				{Path: "a", Line: 2, Status: "modified", Additions: 1, Deletions: 1},
				{Path: "i.png", Line: 9, Omitted: "binary", Status: "modified"},
			}},
		},
		{
			name: "a smaller one still fits", in: edit("a", 1) + edit("b", 200) + edit("c", 1) + binary, limits: patch.Limits{Bytes: 1024},
			want: edit("a", 1) + "# omitted: b (over the cap of 1 KB)\n" + edit("c", 1) + "# omitted: i.png (binary)\n# 2 of 4 files omitted: 1 over the cap of 1 KB, 1 binary\n",
			result: patch.Result{Omitted: 2, Sections: []patch.Section{
				{Path: "a", Line: 1, Status: "modified", Additions: 1, Deletions: 1},
				{Path: "b", Line: 8, Omitted: "over the cap of 1 KB", Status: "modified", Additions: 200, Deletions: 200},
				{Path: "c", Line: 9, Status: "modified", Additions: 1, Deletions: 1},
				{Path: "i.png", Line: 16, Omitted: "binary", Status: "modified"},
			}},
		},
		{
			name: "too many", in: edit("a", 1) + binary + edit("b", 1) + edit("c", 1), limits: patch.Limits{Files: 2},
			want: edit("a", 1) + "# omitted: i.png (binary)\n" + edit("b", 1) + "# omitted: c (over the cap of 2 files)\n# 2 of 4 files omitted: 1 binary, 1 over the cap of 2 files\n",
			result: patch.Result{Omitted: 2, Sections: []patch.Section{
				{Path: "a", Line: 1, Status: "modified", Additions: 1, Deletions: 1},
				{Path: "i.png", Line: 8, Omitted: "binary", Status: "modified"},
				{Path: "b", Line: 9, Status: "modified", Additions: 1, Deletions: 1},
				{Path: "c", Line: 16, Omitted: "over the cap of 2 files", Status: "modified", Additions: 1, Deletions: 1},
			}},
		},
		{
			name: "exactly full", in: edit("a", 1), limits: patch.Limits{Bytes: int64(len(edit("a", 1))), Files: 1}, want: edit("a", 1),
			result: patch.Result{Sections: []patch.Section{{Path: "a", Line: 1, Status: "modified", Additions: 1, Deletions: 1}}},
		},
		{
			name: "a change of type is one file", in: retyped, want: retyped,
			result: patch.Result{Sections: []patch.Section{{Path: "t", Line: 1, Status: "changed", Additions: 1, Deletions: 1}}},
		},
		{
			name: "half of it is nothing", in: retyped, limits: patch.Limits{Bytes: 150},
			want:   "# omitted: t (over the cap of 150 bytes)\n# 1 of 1 files omitted: 1 over the cap of 150 bytes\n",
			result: patch.Result{Omitted: 1, Sections: []patch.Section{{Path: "t", Line: 1, Omitted: "over the cap of 150 bytes", Status: "changed", Additions: 1, Deletions: 1}}},
		},
		{
			name:   "nor with a binary half",
			in:     "diff --git a/t b/t\ndeleted file mode 100644\nindex 83db48f..0000000\nBinary files a/t and /dev/null differ\n" + created,
			want:   "# omitted: t (binary)\n# 1 of 1 files omitted: 1 binary\n",
			result: patch.Result{Omitted: 1, Sections: []patch.Section{{Path: "t", Line: 1, Omitted: "binary", Status: "changed", Additions: 1}}},
		},
		{
			name: "names of omitted files are quoted", in: "diff --git \"a/a\\nb\\001\" \"b/a\\nb\\001\"\nindex 83db48f..bf269f4 100644\nBinary files differ\n",
			want:   "# omitted: \"a\\nb\\001\" (binary)\n# 1 of 1 files omitted: 1 binary\n",
			result: patch.Result{Omitted: 1, Sections: []patch.Section{{Path: "a\nb\x01", Line: 1, Omitted: "binary", Status: "modified"}}},
		},
		{
			name: "not read to the end", in: edit("a", 1) + edit("b", 2000) + edit("c", 1), limits: patch.Limits{Bytes: 128},
			want: edit("a", 1) + "# omitted: b (over the cap of 128 bytes)\n# 1 of 2 files omitted: 1 over the cap of 128 bytes\n# more files may follow: the diff was not read beyond 8 KB\n",
			result: patch.Result{Truncated: true, Omitted: 1, Sections: []patch.Section{
				{Path: "a", Line: 1, Status: "modified", Additions: 1, Deletions: 1},
				{Path: "b", Line: 8, Omitted: "over the cap of 128 bytes", Status: "modified", Deletions: 1602},
			}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, reader := range []func(io.Reader) io.Reader{
				func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.DataErrReader,
			} {
				var b strings.Builder
				got, err := patch.Copy(&b, reader(strings.NewReader(tt.in)), tt.limits)
				if err != nil {
					t.Fatal(err)
				}
				if b.String() != tt.want {
					t.Errorf("got\n%s\nwant\n%s", b.String(), tt.want)
				}
				if !reflect.DeepEqual(got, tt.result) {
					t.Errorf("got  %+v\nwant %+v", got, tt.result)
				}
				checkLines(t, b.String(), got)
			}
		})
	}
}

func TestCopyFails(t *testing.T) {
	const head = "diff --git a/a b/a\n"
	cut := "breaks off within"
	for _, tt := range []struct{ name, in, want string }{
		{"a page", "<!DOCTYPE html>\n", "diff, line 1: not a diff: it begins with \"<!DOCTYPE html>\\n\""},
		{"a mailbox", "From 83db48f Mon Sep 17 00:00:00 2001\n", "not a diff"},
		{"cut in a line", edit("a", 2)[:len(edit("a", 2))-1], "diff, line 9: " + cut},
		{"cut in a hunk", strings.TrimSuffix(edit("a", 2), "+new\n"), cut},
		{"cut before another", strings.TrimSuffix(edit("a", 2), "+new\n") + edit("b", 1), "diff, line 9: not what git diff writes there"},
		{"cut before the hunks", edit("a", 1)[:strings.Index(edit("a", 1), "@@")], cut},
		{"cut before the marks", edit("a", 1)[:strings.Index(edit("a", 1), "---")], cut},
		{"cut between the marks", edit("a", 1)[:strings.Index(edit("a", 1), "+++")], cut},
		{"cut after the first line", head, cut},
		{"cut in a rename", "diff --git a/x b/z\nsimilarity index 90%\nrename from x\n", cut},
		{"cut before the hunks of a rename", "diff --git a/x b/z\nsimilarity index 90%\nrename from x\nrename to z\n", cut},
		{"cut before the hunks of a creation", head + "new file mode 100644\nindex 0000000..bf269f4\n", cut},
		{"cut before the index of a creation", head + "new file mode 100644\n", cut},
		{"a merge", "diff --cc a\nindex 1,2..3\n", "not a diff"},
		{"text between", edit("a", 1) + "text\n", "diff, line 8: not what git diff writes there"},
		{"a hunk with too many lines", edit("a", 1) + " context\n", "not what git diff writes there"},
		{"a hunk without changes", head + "--- a/a\n+++ b/a\n@@ -1 +1 @@\n a\n", "not what git diff writes there"},
		{"an empty hunk", head + "--- a/a\n+++ b/a\n@@ -0,0 +0,0 @@\n", "not what git diff writes there"},
		{"a huge hunk", head + "--- a/a\n+++ b/a\n@@ -1,99999999999 +1 @@\n", "not what git diff writes there"},
		{"a hunk without marks", head + "@@ -1 +1 @@\n-a\n+b\n", "not what git diff writes there"},
		{"a long header", head + "rename from " + strings.Repeat("x", 1<<17) + "\n", "not what git diff writes there"},
		{"a long first line", "diff --git " + strings.Repeat("x", 1<<17) + "\n", "not what git diff writes there"},
		{"two names", "diff --git a/a b/b\nold mode 100644\nnew mode 100755\n", "no name in \"diff --git a/a b/b\""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := patch.Copy(io.Discard, strings.NewReader(tt.in), patch.Limits{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if strings.Contains(tt.want, cut) && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%v is no io.ErrUnexpectedEOF", err)
			}
			if got.Sections != nil {
				t.Errorf("sections beside the error: %v", got.Sections)
			}
		})
	}
}

func TestCopyPassesErrorsOn(t *testing.T) {
	broken := errors.New("connection reset")
	in := io.MultiReader(strings.NewReader(edit("a", 1)), iotest.ErrReader(broken))
	if _, err := patch.Copy(io.Discard, in, patch.Limits{}); !errors.Is(err, broken) {
		t.Errorf("reading: got %v", err)
	}
	for _, in := range []string{edit("a", 1), binary} {
		if _, err := patch.Copy(brokenWriter{broken}, strings.NewReader(in), patch.Limits{}); !errors.Is(err, broken) {
			t.Errorf("writing: got %v", err)
		}
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// Lines of comments are bounded; files beyond them are counted.
func TestCopyNamesOnlySoMany(t *testing.T) {
	const n = 3000
	var b strings.Builder
	got, err := patch.Copy(&b, strings.NewReader(strings.Repeat(binary, n)), patch.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	named := (32 << 10) / len("# omitted: i.png (binary)\n")
	want := strings.Repeat("# omitted: i.png (binary)\n", named) +
		fmt.Sprintf("# 3000 of 3000 files omitted: 3000 binary; %d of them not named here\n", n-named)
	if b.String() != want {
		t.Errorf("got %d bytes, ending in %q, want %d", b.Len(), b.String()[max(0, b.Len()-100):], len(want))
	}
	if got.Sections[named-1].Line != named || got.Sections[named].Line != 0 || got.Omitted != n {
		t.Errorf("last named: %+v, first not named: %+v, omitted %d", got.Sections[named-1], got.Sections[named], got.Omitted)
	}
}

// A section there is no room for is not held in memory, whether it has many
// lines or one.
func TestCopyHoldsLittle(t *testing.T) {
	const size = 20 << 20
	for name, lines := range map[string]io.Reader{
		"many lines": io.MultiReader(
			strings.NewReader(fmt.Sprintf("@@ -0,0 +1,%d @@\n", size/16)),
			io.LimitReader(&pattern{text: "+23456789012345\n"}, size),
		),
		"one line": io.MultiReader(strings.NewReader("@@ -0,0 +1 @@\n"), io.LimitReader(&pattern{text: "+"}, size), strings.NewReader("\n")),
	} {
		t.Run(name, func(t *testing.T) {
			head := "diff --git a/a b/a\nnew file mode 100644\nindex 0000000..bf269f4\n--- /dev/null\n+++ b/a\n"
			in := io.MultiReader(strings.NewReader(head), lines, strings.NewReader(edit("b", 1)))
			var before, after runtime.MemStats
			var b strings.Builder
			runtime.ReadMemStats(&before)
			_, err := patch.Copy(&b, in, patch.Limits{})
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			want := "# omitted: a (over the cap of 400 KB)\n" + edit("b", 1) + "# 1 of 2 files omitted: 1 over the cap of 400 KB\n"
			if b.String() != want {
				t.Errorf("got\n%.1000s\nwant\n%s", b.String(), want)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
				t.Errorf("%d bytes allocated for a section of %d", used, size)
			}
		})
	}
}

// pattern repeats a text.
type pattern struct {
	text string
	at   int
}

func (p *pattern) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = p.text[p.at%len(p.text)]
		p.at++
	}
	return len(b), nil
}

func BenchmarkCopy(b *testing.B) {
	in := strings.Repeat(edit("a", 50), 600)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := patch.Copy(io.Discard, strings.NewReader(in), patch.Limits{Bytes: 1 << 20, Files: 1000}); err != nil {
			b.Fatal(err)
		}
	}
}
