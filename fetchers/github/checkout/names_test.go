package checkout

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Whatever paths a repository has, those written stay inside, differ from
// each other without regard to case, and hide nothing.
func FuzzNames(f *testing.F) {
	f.Add("a/b\x00A/B\x00a/b")
	f.Add("../x\x00/etc\x00a/../../b\x00.git/x\x00.GIT")
	f.Add("README\x00readme\x00readme/x\x00a\u202e/\u200c.git/\xff")
	f.Fuzz(func(t *testing.T, paths string) {
		n := newNames()
		files := make(map[string]string)
		for name := range strings.SplitSeq(paths, "\x00") {
			cleaned, refused := clean(name)
			if refused != "" {
				continue
			}
			written := n.file(cleaned)
			if !filepath.IsLocal(written) || !utf8.ValidString(written) || strings.ContainsFunc(written, unicode.IsControl) {
				t.Errorf("%q is written as %q", name, written)
			}
			for part := range strings.SplitSeq(written, "/") {
				if strings.EqualFold(part, ".git") || len(part) > 255 {
					t.Errorf("%q is written as %q", name, written)
				}
			}
			if other, ok := files[fold(written)]; ok {
				t.Errorf("%q and %q are both written as %q", name, other, written)
			}
			files[fold(written)] = name
		}
	})
}
