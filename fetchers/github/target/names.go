package target

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	// Logins of managed users hold a "_", those of apps end in "[bot]", and
	// some old ones in a hyphen.
	login    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\[bot\])?$`)
	repoName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

	sha      = regexp.MustCompile(`^[0-9a-fA-F]{4,64}$`)
	shaRange = regexp.MustCompile(`^(?:(?:[0-9a-fA-F]{4,64}|BASE)\.\.)?(?:[0-9a-fA-F]{4,64}|HEAD)$`)
	refRange = regexp.MustCompile(`[^.]\.{2,3}[^.]`)
	ghsa     = regexp.MustCompile(`(?i)^GHSA((?:-[23456789cfghjmpqrvwx]{4}){3})$`)

	// Gists are numbered or named by 20 or 32 hexadecimal digits, depending on
	// their age.
	gistID = regexp.MustCompile(`^(?:[0-9]{1,10}|[0-9a-f]{20}|[0-9a-f]{32})$`)

	smallNumber = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)
	bigNumber   = regexp.MustCompile(`^[1-9][0-9]{0,18}$`)
)

// number reads the number of an issue, a pull request, a discussion or a
// milestone.
func number(s string) (int, bool) {
	if !smallNumber.MatchString(s) {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// advisoryID reads the name of an advisory in any case and gives it in
// GitHub's.
func advisoryID(s string) (string, bool) {
	m := ghsa.FindStringSubmatch(s)
	if m == nil {
		return "", false
	}
	return "GHSA" + strings.ToLower(m[1]), true
}

// inRepo fills in owner and repository.
func (t Target) inRepo(owner, repo string) (Target, bool) {
	t.Owner, t.Repo = owner, strings.TrimSuffix(repo, ".git")
	ok := login.MatchString(t.Owner) && repoName.MatchString(t.Repo) && t.Repo != "." && t.Repo != ".."
	return t, ok
}

// withPath fills in Path from decoded segments. A slash that was escaped
// separates like any other: neither refs nor files have one in a part.
func (t Target) withPath(segments []string) Target {
	t.Path = nil
	for _, s := range segments {
		for part := range strings.SplitSeq(s, "/") {
			if part != "" && part != "." {
				t.Path = append(t.Path, part)
			}
		}
	}
	return t
}

// withRefPath fills in Path, and RefType when Path starts with the full name
// of a branch or a tag.
func (t Target) withRefPath(segments []string) Target {
	t = t.withPath(segments)
	if p := t.Path; len(p) > 2 && p[0] == "refs" && (p[1] == "heads" || p[1] == "tags") {
		t.RefType, t.Path = p[1], p[2:]
	}
	return t
}

// cutForm cuts .diff or .patch off a name and says which it was.
func cutForm(s string) (name, form string) {
	for _, form := range []string{"diff", "patch"} {
		if name, ok := strings.CutSuffix(s, "."+form); ok {
			return name, form
		}
	}
	return s, ""
}

// is makes t a target of a kind, with the rest of its fields as they are.
func (t Target) is(k Kind) (Target, bool) {
	t.Kind = k
	return t, true
}

// none is a shape that is not understood.
func none() (Target, bool) { return Target{}, false }
