package patch_test

import (
	"slices"
	"strings"
	"testing"

	"pifetch/fetchers/github/patch"
)

// The patch of every kind of change applies and gives the head, but for what
// it says it lacks.
func TestPatchApplies(t *testing.T) {
	r := torture(t)
	raw, files := r.diff(t), r.files(t)
	binary := []string{"bin.png (binary)", "delbin.png (binary)", "huge.txt (over the cap of 400 KB)", "newbin.png (binary)", "renbin new.png (binary)"}
	for _, tt := range []struct {
		name    string
		write   func(*strings.Builder) (patch.Result, error)
		omitted []string
		missing []string // paths that differ from the head after applying
	}{
		{
			"Copy",
			func(b *strings.Builder) (patch.Result, error) {
				return patch.Copy(b, strings.NewReader(raw), patch.Limits{})
			},
			binary,
			[]string{"bin.png", "delbin.png", "huge.txt", "newbin.png", "renbin new.png", "renbin.png"},
		},
		{
			"Rebuild",
			func(b *strings.Builder) (patch.Result, error) { return patch.Rebuild(b, files, patch.Limits{}) },
			[]string{
				"bin.png (binary or too large for GitHub's API)", "delbin.png (binary or too large for GitHub's API)",
				"huge.txt (too large for GitHub's API)", "latin1.txt (not UTF-8)", "newbin.png (binary or too large for GitHub's API)",
				"renbin new.png (binary or too large for GitHub's API)",
			},
			[]string{"bin.png", "delbin.png", "huge.txt", "latin1.txt", "newbin.png", "renbin new.png", "renbin.png"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			got, err := tt.write(&b)
			if err != nil {
				t.Fatal(err)
			}
			if want := len(files); len(got.Sections) != want {
				t.Errorf("%d sections, want %d", len(got.Sections), want)
			}
			checkLines(t, b.String(), got)
			var omitted []string
			for _, s := range got.Sections {
				if s.Omitted != "" {
					omitted = append(omitted, s.Path+" ("+s.Omitted+")")
				}
			}
			if !slices.Equal(omitted, tt.omitted) {
				t.Errorf("omitted %q, want %q", omitted, tt.omitted)
			}
			differ := strings.Split(strings.TrimSuffix(r.apply(t, b.String()), "\x00"), "\x00")
			if !slices.Equal(differ, tt.missing) {
				t.Errorf("differs from the head in %q, want %q", differ, tt.missing)
			}
		})
	}
}

// checkLines reads the sections back from where they are said to be.
func checkLines(t *testing.T, text string, r patch.Result) {
	t.Helper()
	lines := strings.SplitAfter(text, "\n")
	omitted := 0
	for _, s := range r.Sections {
		want := "diff --git "
		if s.Omitted != "" {
			omitted++
			want = "# omitted: "
		}
		if s.Line == 0 && s.Omitted != "" {
			continue
		}
		if s.Line < 1 || s.Line > len(lines) || !strings.HasPrefix(lines[s.Line-1], want) {
			t.Errorf("%q: no %q in line %d", s.Path, want, s.Line)
		}
	}
	if r.Omitted != omitted {
		t.Errorf("%d omitted, but %d sections say so", r.Omitted, omitted)
	}
}
