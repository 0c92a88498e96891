package target

import "strings"

// shape reads the path segments of a URL, or those that are left of them, into
// a target that holds what has been read before.
type shape func(t Target, segments []string) (Target, bool)

// hosts are GitHub's hosts, each with the shapes it serves.
var hosts = map[string]shape{
	"github.com":                       web,
	"www.github.com":                   web,
	"api.github.com":                   apiHost,
	"raw.githubusercontent.com":        rawHost,
	"raw.github.com":                   rawHost,
	"media.githubusercontent.com":      mediaHost,
	"codeload.github.com":              codeload,
	"patch-diff.githubusercontent.com": patchDiff,
	"gist.github.com":                  gistHost,
	"gist.githubusercontent.com":       gistHost,
}

// rawHost reads OWNER/REPO/REF/PATH, and the pages of wikis under "wiki".
func rawHost(t Target, s []string) (Target, bool) {
	if len(s) < 4 {
		return none()
	}
	if s[0] == "wiki" {
		page, markdown := strings.CutSuffix(s[3], ".md")
		if !markdown || len(s) > 4 {
			return none()
		}
		t, ok := t.inRepo(s[1], s[2])
		if !ok {
			return none()
		}
		return wikiPage(t, page)
	}
	t, ok := t.inRepo(s[0], s[1])
	if !ok {
		return none()
	}
	return fileAt(t, "", s[2:])
}

// mediaHost reads media/OWNER/REPO/REF/PATH, the files that Git LFS keeps.
func mediaHost(t Target, s []string) (Target, bool) {
	if len(s) < 5 || s[0] != "media" {
		return none()
	}
	t, ok := t.inRepo(s[1], s[2])
	if !ok {
		return none()
	}
	return fileAt(t, "media", s[3:])
}

// codeload reads OWNER/REPO/FORM/REF.
func codeload(t Target, s []string) (Target, bool) {
	if len(s) < 4 {
		return none()
	}
	switch s[2] {
	case "zip", "tar.gz", "legacy.zip", "legacy.tar.gz":
	default:
		return none()
	}
	t, ok := t.inRepo(s[0], s[1])
	if !ok {
		return none()
	}
	t.Sub = s[2]
	return t.withPath(s[3:]).is(Archive)
}

// patchDiff reads raw/OWNER/REPO/pull/7.diff, where github.com redirects to.
func patchDiff(t Target, s []string) (Target, bool) {
	if len(s) < 4 || s[0] != "raw" {
		return none()
	}
	t, ok := repository(t, s[1:])
	return t, ok && (t.Sub == "diff" || t.Sub == "patch")
}

// gistHost reads [OWNER/]ID with what may follow it, and OWNER alone. A name
// that could be either is an ID.
func gistHost(t Target, s []string) (Target, bool) {
	if len(s) == 0 {
		return none()
	}
	if id := strings.TrimSuffix(s[0], ".git"); gistID.MatchString(id) && (len(s) == 1 || !gistID.MatchString(s[1])) {
		return gist(t, id, s[1:])
	}
	if !login.MatchString(s[0]) || gistPages[strings.ToLower(s[0])] {
		return none()
	}
	t.Owner = s[0]
	if len(s) == 1 {
		return t.is(GistList)
	}
	id := strings.TrimSuffix(s[1], ".git")
	if !gistID.MatchString(id) {
		return none()
	}
	return gist(t, id, s[2:])
}

// gistPages are pages of gist.github.com that look like an owner.
var gistPages = set("auth discover forked login mine public raw search secret starred stars")

// gist reads what follows the ID: nothing, a revision, or raw[/REVISION][/FILE].
func gist(t Target, id string, rest []string) (Target, bool) {
	t.ID = id
	revision := len(rest) == 1 && sha.MatchString(rest[0])
	if len(rest) > 0 && rest[0] != "raw" && !revision {
		return none()
	}
	return t.withPath(rest).is(Gist)
}
