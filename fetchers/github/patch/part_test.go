package patch_test

import (
	"strings"
	"testing"

	"pifetch/fetchers/github/patch"
)

const partsPatch = `diff --git a/mod.txt b/mod.txt
index 1111111..2222222 100644
--- a/mod.txt
+++ b/mod.txt
@@ -2,3 +2,3 @@ func x
 ctx
-old
+new
 ctx
@@ -10 +10,2 @@
--- minus
+++ plus
+# omitted: more
# omitted: a.png (binary)
diff --git a/type b/type
deleted file mode 100644
index 1111111..0000000
--- a/type
+++ /dev/null
@@ -1 +0,0 @@
-file
diff --git a/type b/type
new file mode 120000
index 0000000..1111111
--- /dev/null
+++ b/type
@@ -0,0 +1 @@
+mod.txt
\ No newline at end of file
# 1 of 3 files omitted: 1 binary
`

func TestReadPart(t *testing.T) {
	for _, tt := range []struct {
		name   string
		line   int
		number int
		before bool
		want   string // "" for none
	}{
		{"context", 1, 2, false, " ctx"},
		{"removed", 1, 3, true, "-old"},
		{"added", 1, 3, false, "+new"},
		{"context before", 1, 4, true, " ctx"},
		{"like a header", 1, 10, true, "--- minus"},
		{"like a comment", 1, 11, false, "+# omitted: more"},
		{"between hunks", 1, 7, false, ""},
		{"type before", 15, 1, true, "-file"},
		{"type after", 15, 1, false, "+mod.txt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := patch.ReadPart(strings.NewReader(partsPatch), tt.line)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if i, ok := p.Find(tt.number, tt.before); ok {
				got = p.Lines[i]
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	first, _ := patch.ReadPart(strings.NewReader(partsPatch), 1)
	second, _ := patch.ReadPart(strings.NewReader(partsPatch), 15)
	if len(first.Lines) != 13 || len(second.Lines) != 15 || first.Line != 1 || second.Line != 15 {
		t.Errorf("parts of %d and %d lines, want 13 and 15", len(first.Lines), len(second.Lines))
	}
}
