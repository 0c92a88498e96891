package target

import "strings"

// web reads the paths of github.com.
func web(t Target, s []string) (Target, bool) {
	if len(s) == 0 {
		return none()
	}
	first := strings.ToLower(s[0])
	if page, ok := pages[first]; ok {
		return page(t, s[1:])
	}
	if reserved[first] {
		return none()
	}
	if len(s) == 1 {
		return account(t, s[0])
	}
	return repository(t, s)
}

// pages are the shapes that belong to no account.
var pages = map[string]shape{
	"search":     search,
	"advisories": globalAdvisory,
	"orgs":       organisation,
	"users":      userPage,
}

// reserved are first segments that GitHub keeps for pages of its own.
var reserved = set(`
	about account advisories apps blog codespaces collections contact copilot customer-stories dashboard discussions
	enterprise enterprises events explore features files gist home inbox issues join login logout marketplace mcp models
	new newsroom notifications open-source organizations password_reset pricing pulls readme repos resources search
	security session sessions settings signup site solutions sponsors stars stories team teams topics trending
	user-attachments users watching why-github`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func search(t Target, rest []string) (Target, bool) {
	if len(rest) > 0 || t.Params.Get("q") == "" {
		return none()
	}
	t.Sub = strings.ToLower(t.Params.Get("type"))
	return t.is(Search)
}

func globalAdvisory(t Target, rest []string) (Target, bool) {
	if len(rest) != 1 {
		return none()
	}
	id, ok := advisoryID(rest[0])
	if !ok {
		return none()
	}
	t.ID = id
	return t.is(Advisory)
}

// account reads a user's or an organisation's own page. Of its tabs only the
// one with repositories is understood.
func account(t Target, owner string) (Target, bool) {
	tab := t.Params.Get("tab")
	if !login.MatchString(owner) || tab != "" && tab != "overview" && tab != "repositories" {
		return none()
	}
	t.Owner, t.Sub = owner, tab
	return t.is(Owner)
}

// organisation reads what follows orgs/.
func organisation(t Target, s []string) (Target, bool) {
	if len(s) == 0 || !login.MatchString(s[0]) {
		return none()
	}
	t.Owner = s[0]
	if len(s) == 1 {
		return t.is(Owner)
	}
	switch rest := s[2:]; s[1] {
	case "repositories":
		if len(rest) == 0 {
			return t.is(Owner)
		}
	case "discussions":
		t.Sub = "org"
		return discussions(t, rest)
	case "projects":
		return project(t, rest)
	}
	return none()
}

// userPage reads what follows users/.
func userPage(t Target, s []string) (Target, bool) {
	if len(s) < 2 || !login.MatchString(s[0]) || s[1] != "projects" {
		return none()
	}
	t.Owner = s[0]
	return project(t, s[2:])
}

func project(t Target, rest []string) (Target, bool) {
	if len(rest) == 0 || !smallNumber.MatchString(rest[0]) {
		return none()
	}
	t.ID = rest[0]
	return t.is(Project)
}
