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
	const noPatch = " (binary or too large for GitHub's API)"
	for _, tt := range []struct {
		name, renames string
		rebuild       bool
		omitted       []string
		missing       []string // paths that differ from the head after applying
	}{
		{
			name: "Copy", renames: "-M",
			omitted: []string{
				"bin.png (binary)", "delbin.png (binary)", "huge.txt (over the cap of 400 KB)", "newbin.png (binary)", "renbin new.png (binary)",
			},
			missing: []string{"bin.png", "delbin.png", "huge.txt", "newbin.png", "renbin new.png", "renbin.png"},
		},
		{
			name: "Copy without renames", renames: "--no-renames",
			omitted: []string{
				"bin.png (binary)", "delbin.png (binary)", "huge.txt (over the cap of 400 KB)", "newbin.png (binary)", "renbin new.png (binary)",
				"renbin.png (binary)",
			},
			missing: []string{"bin.png", "delbin.png", "huge.txt", "newbin.png", "renbin new.png", "renbin.png"},
		},
		{
			name: "Rebuild", renames: "-M", rebuild: true,
			omitted: []string{
				"bin.png" + noPatch, "delbin.png" + noPatch, "huge.txt (too large for GitHub's API)", "latin1.txt (not UTF-8)",
				"newbin.png" + noPatch, "renbin new.png" + noPatch,
			},
			missing: []string{"bin.png", "delbin.png", "huge.txt", "latin1.txt", "newbin.png", "renbin new.png", "renbin.png"},
		},
		{
			name: "Rebuild without renames", renames: "--no-renames", rebuild: true,
			omitted: []string{
				"bin.png" + noPatch, "delbin.png" + noPatch, "huge.txt (too large for GitHub's API)", "latin1.txt (not UTF-8)",
				"newbin.png" + noPatch, "renbin new.png" + noPatch, "renbin.png" + noPatch,
			},
			missing: []string{"bin.png", "delbin.png", "huge.txt", "latin1.txt", "newbin.png", "renbin new.png", "renbin.png"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			files := r.files(t, tt.renames)
			var got patch.Result
			var err error
			if tt.rebuild {
				got, err = patch.Rebuild(&b, files, patch.Limits{})
			} else {
				got, err = patch.Copy(&b, strings.NewReader(r.diff(t, tt.renames)), patch.Limits{})
			}
			if err != nil {
				t.Fatal(err)
			}
			checkLines(t, b.String(), got)
			var paths, want, omitted []string
			for _, s := range got.Sections {
				paths = append(paths, s.OldPath+">"+s.Path)
				if s.Omitted != "" {
					omitted = append(omitted, s.Path+" ("+s.Omitted+")")
				}
			}
			for _, f := range files {
				want = append(want, f.OldPath+">"+f.Path)
			}
			if !slices.Equal(paths, want) {
				t.Errorf("sections of %q\nwant %q", paths, want)
			}
			if !slices.Equal(omitted, tt.omitted) {
				t.Errorf("omitted %q\nwant %q", omitted, tt.omitted)
			}
			differ := strings.Split(strings.TrimSuffix(r.apply(t, b.String()), "\x00"), "\x00")
			if !slices.Equal(differ, tt.missing) {
				t.Errorf("differs from the head in %q\nwant %q", differ, tt.missing)
			}
		})
	}
}

// Without what two trees tell, less is written, and what is written applies.
func TestPatchOfListingAloneApplies(t *testing.T) {
	r := torture(t)
	files := r.files(t, "-M")
	for i := range files {
		files[i].OldMode, files[i].NewMode, files[i].OldSHA = "", "", ""
	}
	var b strings.Builder
	got, err := patch.Rebuild(&b, files, patch.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	unknown := map[string][]string{}
	for _, s := range got.Sections {
		unknown[s.Omitted] = append(unknown[s.Omitted], s.Path)
	}
	want := []string{"dellink", "delsub", "newlink", "noeol_new.txt", "oneline.txt", "type", "untype"}
	if !slices.Equal(unknown["mode unknown"], want) {
		t.Errorf("left out for their mode: %q, want %q", unknown["mode unknown"], want)
	}
	r.apply(t, b.String())
	if _, err := r.tryGit(t, "", "diff", "--cached", "--quiet", r.head, "--", "mod.txt", "ren edit new.txt", "link", "sub", "sp ace"); err != nil {
		t.Errorf("files differ from the head: %v", err)
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
