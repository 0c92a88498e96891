package target

import "strings"

// repository reads OWNER/REPO and what follows them on github.com.
func repository(t Target, s []string) (Target, bool) {
	t, ok := t.inRepo(s[0], s[1])
	if !ok {
		return none()
	}
	if len(s) == 2 {
		if repo, isWiki := strings.CutSuffix(t.Repo, ".wiki"); isWiki && repo != "" {
			t.Repo = repo
			return t.is(Wiki)
		}
		return t.is(Repo)
	}
	if marker, ok := markers[s[2]]; ok {
		return marker(t, s[3:])
	}
	return none()
}

// markers are the segments after OWNER/REPO that say what a URL names.
var markers = map[string]shape{
	"blob":        file("blob"),
	"raw":         file("raw"),
	"blame":       file("blame"),
	"edit":        file("edit"),
	"tree":        directory,
	"commit":      commit,
	"commits":     commits,
	"compare":     compare,
	"issues":      issues,
	"pull":        pull,
	"pulls":       pulls,
	"discussions": discussions,
	"labels":      labels,
	"milestone":   milestone,
	"milestones":  only(MilestoneList),
	"releases":    releases,
	"tags":        only(TagList),
	"branches":    branches,
	"actions":     actions,
	"runs":        checkRun,
	"security":    security,
	"wiki":        wiki,
	"archive":     archive,
	"zipball":     snapshot("zipball"),
	"tarball":     snapshot("tarball"),
	"search":      search,
	"projects":    project,
}

// only is a shape with nothing after its marker.
func only(k Kind) shape {
	return func(t Target, rest []string) (Target, bool) {
		t.Kind = k
		return t, len(rest) == 0
	}
}

func file(marker string) shape {
	return func(t Target, rest []string) (Target, bool) { return fileAt(t, marker, rest) }
}

// fileAt reads REF/PATH; one of them alone names no file.
func fileAt(t Target, marker string, rest []string) (Target, bool) {
	t.Sub = marker
	t = t.withRefPath(rest)
	t.Kind = File
	return t, len(t.Path) >= 2
}

func directory(t Target, rest []string) (Target, bool) {
	t = t.withRefPath(rest)
	t.Kind = Directory
	return t, len(t.Path) > 0
}

// commit reads a commit, which may be a ref of one segment, and its checks.
func commit(t Target, rest []string) (Target, bool) {
	switch {
	case len(rest) == 1:
		t.ID, t.Sub = cutForm(rest[0])
	case len(rest) == 2 && rest[1] == "checks":
		t.ID, t.Sub = rest[0], "checks"
	}
	t.Kind = Commit
	return t, t.ID != ""
}

// commits reads a history, of a ref and a path or of the default branch.
// Those that end in .atom are feeds.
func commits(t Target, rest []string) (Target, bool) {
	if len(rest) > 0 && strings.HasSuffix(rest[len(rest)-1], ".atom") {
		return none()
	}
	return t.withRefPath(rest).is(CommitList)
}

// compare reads a range of commits; without one it is a form.
func compare(t Target, rest []string) (Target, bool) {
	t.ID, t.Sub = cutForm(strings.Join(rest, "/"))
	t.Kind = Compare
	return t, refRange.MatchString(t.ID)
}

// releases reads what follows releases/. Tags may have slashes.
func releases(t Target, rest []string) (Target, bool) {
	if len(rest) == 0 {
		return t.is(ReleaseList)
	}
	switch n := len(rest); {
	case rest[0] == "latest" && n == 1:
		t.Sub = "latest"
		return t.is(Release)
	case rest[0] == "latest" && rest[1] == "download" && n == 3:
		t.Sub = "latest"
		return t.withPath(rest[2:]).is(ReleaseAsset)
	case rest[0] == "tag" && n >= 2:
		t.ID = strings.Join(rest[1:], "/")
		return t.is(Release)
	case rest[0] == "download" && n >= 3:
		t.ID = strings.Join(rest[1:n-1], "/")
		return t.withPath(rest[n-1:]).is(ReleaseAsset)
	}
	return none()
}

func branches(t Target, rest []string) (Target, bool) {
	t.Kind = BranchList
	return t, len(rest) == 0 || len(rest) == 1 && rest[0] == "all"
}

// archive reads REF.zip and REF.tar.gz.
func archive(t Target, rest []string) (Target, bool) {
	if len(rest) == 0 {
		return none()
	}
	name := rest[len(rest)-1]
	if !strings.HasSuffix(name, ".zip") && !strings.HasSuffix(name, ".tar.gz") {
		return none()
	}
	return snapshot("archive")(t, rest)
}

// snapshot reads a ref whose files are wanted in one archive.
func snapshot(marker string) shape {
	return func(t Target, rest []string) (Target, bool) {
		t.Sub = marker
		t = t.withPath(rest)
		t.Kind = Archive
		return t, len(t.Path) > 0
	}
}

// security reads the advisories of a repository.
func security(t Target, rest []string) (Target, bool) {
	if len(rest) == 0 || rest[0] != "advisories" {
		return none()
	}
	if len(rest) == 1 {
		return t.is(AdvisoryList)
	}
	return globalAdvisory(t, rest[1:])
}

// wiki reads PAGE[/REVISION]; without a page it is the wiki's home.
func wiki(t Target, rest []string) (Target, bool) {
	switch {
	case len(rest) == 0:
		return t.is(Wiki)
	case len(rest) == 1:
		return wikiPage(t, rest[0])
	case len(rest) == 2 && sha.MatchString(rest[1]):
		t.Sub = rest[1]
		return wikiPage(t, rest[0])
	}
	return none()
}

// wikiPage reads the name of a page. Those that start with "_" are forms, but
// for the two that stand beside every page.
func wikiPage(t Target, page string) (Target, bool) {
	if page == "" || strings.HasPrefix(page, "_") && page != "_Sidebar" && page != "_Footer" {
		return none()
	}
	t.ID = page
	return t.is(Wiki)
}
