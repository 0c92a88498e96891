package github

import (
	"path"
	"strings"

	"pifetch/fetchers/github/target"
)

// split is one way to tell ref and path of a URL apart.
type split struct {
	ref       string // "main"
	qualified string // "refs/heads/main", a SHA, or HEAD
	path      string
}

// maxSplits is how many elements of a path are tried as parts of a ref.
const maxSplits = 12

// splits are the ways to tell ref and path apart, those with the longest path
// first and branches before tags. folder allows an empty path.
func splits(t target.Target, folder bool) []split {
	if t.Kind == target.Repo {
		return refSplits("HEAD", "", "")
	}
	if t.Sub == "contents" {
		ref := t.Params.Get("ref")
		kind := t.RefType
		for _, k := range []string{"heads", "tags"} {
			if name, ok := strings.CutPrefix(ref, "refs/"+k+"/"); ok {
				ref, kind = name, k
			}
		}
		if ref == "" {
			ref = "HEAD"
		}
		return refSplits(ref, kind, path.Join(t.Path...))
	}
	least := 1
	if folder {
		least = 0
	}
	var all []split
	for n := 1; n <= len(t.Path)-least && n <= maxSplits && (n == 1 || inRef(t.Path[n-1])); n++ {
		all = append(all, refSplits(strings.Join(t.Path[:n], "/"), t.RefType, strings.Join(t.Path[n:], "/"))...)
	}
	return all
}

// inRef reports whether an element of a path can be one of a ref, by git
// check-ref-format. What git reads in an expression, such as .. or ^, cannot:
// app/[...slug]/page.tsx is no range of commits.
func inRef(s string) bool {
	return !strings.HasPrefix(s, ".") && !strings.Contains(s, "..") && !strings.Contains(s, "@{") && !strings.ContainsAny(s, " ~^:?*[\\")
}

// refSplits are the things a ref can be the name of.
func refSplits(ref, kind, path string) []split {
	one := func(prefix string) split { return split{ref, prefix + ref, path} }
	switch {
	case kind != "":
		return []split{one("refs/" + kind + "/")}
	case ref == "HEAD" || isSHA(ref):
		return []split{one("")}
	}
	s := []split{one("refs/heads/"), one("refs/tags/")}
	if isShortSHA(ref) {
		s = append(s, one(""))
	}
	return s
}

// isSHA reports whether s is the full name of a commit.
func isSHA(s string) bool { return (len(s) == 40 || len(s) == 64) && isHex(s) }

// isShortSHA reports whether s can be the name of a commit in short.
func isShortSHA(s string) bool { return len(s) >= 7 && len(s) < 40 && isHex(s) }

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
