package target

import (
	"net/url"
	"slices"
	"strings"
)

// apiHost reads the paths of api.github.com. What a page of github.com shows
// becomes the same target; any other that is listed is fetched as it is.
func apiHost(t Target, s []string) (Target, bool) {
	if len(s) == 0 {
		return none()
	}
	if group, ok := apiGroups[s[0]]; ok {
		if mapped, ok := group(t, s[1:]); ok {
			return mapped, true
		}
	}
	return apiGet(t, s)
}

// apiGet reads a path of the list.
func apiGet(t Target, s []string) (Target, bool) {
	if !listed(s) {
		return none()
	}
	if s[0] == "repos" {
		var ok bool
		if t, ok = t.inRepo(s[1], s[2]); !ok {
			return none()
		}
	}
	escaped := make([]string, len(s))
	for i, part := range s {
		escaped[i] = url.PathEscape(part)
	}
	t.ID = strings.Join(escaped, "/")
	return t.is(API)
}

// apiGroups read what follows the first segment.
var apiGroups = map[string]shape{
	"repos":      apiRepository,
	"users":      apiAccount,
	"orgs":       apiAccount,
	"gists":      apiGist,
	"search":     apiSearch,
	"advisories": globalAdvisory,
}

// asAsked reports whether no parameter but per_page and those known narrows or
// orders what the API is to answer; one that does is answered by the API alone.
func (t Target) asAsked(known ...string) bool {
	for name := range t.Params {
		if name != "per_page" && !slices.Contains(known, name) {
			return false
		}
	}
	return true
}

func apiAccount(t Target, s []string) (Target, bool) {
	if len(s) == 0 || !login.MatchString(s[0]) || !t.asAsked() {
		return none()
	}
	t.Owner = s[0]
	switch strings.Join(s[1:], "/") {
	case "":
		return t.is(Owner)
	case "repos":
		t.Sub = "repositories"
		return t.is(Owner)
	case "gists":
		return t.is(GistList)
	}
	return none()
}

// apiGist reads ID[/REVISION] and ID/comments.
func apiGist(t Target, s []string) (Target, bool) {
	if len(s) == 0 || !gistID.MatchString(s[0]) {
		return none()
	}
	if len(s) == 2 && s[1] == "comments" && t.asAsked() {
		s = s[:1]
	}
	if len(s) > 1 && s[1] == "raw" {
		return none()
	}
	return gist(t, s[0], s[1:])
}

func apiSearch(t Target, s []string) (Target, bool) {
	if len(s) != 1 || t.Params.Get("q") == "" || !t.asAsked("q") {
		return none()
	}
	switch s[0] {
	case "code", "commits", "issues", "repositories", "users":
		t.Sub = s[0]
		return t.is(Search)
	}
	return none()
}

func apiRepository(t Target, s []string) (Target, bool) {
	if len(s) < 2 {
		return none()
	}
	t, ok := t.inRepo(s[0], s[1])
	switch {
	case !ok:
		return none()
	case len(s) == 2:
		return t.is(Repo)
	}
	if marker, ok := apiMarkers[s[2]]; ok {
		return marker(t, s[3:])
	}
	return none()
}

// apiMarkers are the segments after repos/OWNER/REPO that github.com has a
// page for.
var apiMarkers = map[string]shape{
	"readme":              apiReadme,
	"contents":            apiContents,
	"issues":              apiNumbered(Issue, IssueList, map[string]string{"comments": ""}),
	"pulls":               apiNumbered(PullRequest, PullRequestList, map[string]string{"files": "files", "commits": "commits", "comments": "", "reviews": ""}),
	"milestones":          apiNumbered(Milestone, MilestoneList, nil),
	"labels":              apiList(LabelList),
	"tags":                apiList(TagList),
	"branches":            apiList(BranchList),
	"security-advisories": apiAdvisories,
	"commits":             apiCommits,
	"compare":             apiCompare,
	"releases":            apiReleases,
	"actions":             apiActions,
	"check-runs":          checkRun,
	"zipball":             snapshot("zipball"),
	"tarball":             snapshot("tarball"),
}

func apiList(k Kind) shape {
	return func(t Target, rest []string) (Target, bool) {
		t.Kind = k
		return t, len(rest) == 0 && t.asAsked()
	}
}

// apiNumbered reads a list, NUMBER, and NUMBER/PART for the parts that are
// part of one's document. A certain page of a part is answered by the API.
func apiNumbered(one, list Kind, parts map[string]string) shape {
	return func(t Target, rest []string) (Target, bool) {
		switch len(rest) {
		case 0:
			return apiList(list)(t, rest)
		case 1:
			return numbered(t, one, rest[0])
		case 2:
			sub, ok := parts[rest[1]]
			if !ok || !t.asAsked() {
				return none()
			}
			t.Sub = sub
			return numbered(t, one, rest[0])
		}
		return none()
	}
}

func apiReadme(t Target, rest []string) (Target, bool) {
	t.Kind = Repo
	return t, len(rest) == 0 && t.asAsked()
}

// apiContents reads the path of a file or a directory; its ref is the
// parameter "ref".
func apiContents(t Target, rest []string) (Target, bool) {
	t.Sub = "contents"
	t = t.withPath(rest)
	if len(t.Path) == 0 {
		return t.is(Directory)
	}
	return t.is(File)
}

// apiCommits reads a ref, which may have slashes.
func apiCommits(t Target, rest []string) (Target, bool) {
	if len(rest) == 0 {
		return apiList(CommitList)(t, rest)
	}
	if listed(append([]string{"repos", t.Owner, t.Repo, "commits"}, rest...)) {
		return none() // something about the commit
	}
	t.ID = strings.Join(rest, "/")
	return t.is(Commit)
}

// apiCompare reads a range of commits. A certain page of them is answered by
// the API.
func apiCompare(t Target, rest []string) (Target, bool) {
	if !t.asAsked() {
		return none()
	}
	return compare(t, rest)
}

func apiReleases(t Target, rest []string) (Target, bool) {
	switch {
	case len(rest) == 0:
		return apiList(ReleaseList)(t, rest)
	case len(rest) == 1 && rest[0] == "latest":
		return releases(t, rest)
	case len(rest) > 1 && rest[0] == "tags":
		t.ID = strings.Join(rest[1:], "/")
		return t.is(Release)
	}
	return none()
}

func apiActions(t Target, rest []string) (Target, bool) {
	switch n := len(rest); {
	case n == 1 && rest[0] == "runs":
		return apiList(RunList)(t, nil)
	case n == 3 && rest[0] == "workflows" && rest[2] == "runs":
		t.ID = rest[1]
		return apiList(RunList)(t, nil)
	case n == 2 && rest[0] == "jobs", n == 3 && rest[0] == "jobs" && rest[2] == "logs":
		t.Sub, t.Kind = rest[1], Job
		return t, bigNumber.MatchString(t.Sub)
	case n >= 2 && rest[0] == "runs":
		if rest[n-1] == "jobs" && t.asAsked() {
			rest = rest[:n-1]
		}
		if len(rest) >= 2 {
			return run(t, rest[1], rest[2:])
		}
	}
	return none()
}

func apiAdvisories(t Target, rest []string) (Target, bool) {
	if len(rest) == 0 {
		return apiList(AdvisoryList)(t, rest)
	}
	return globalAdvisory(t, rest)
}
