package github

import (
	"regexp"
	"slices"
	"strings"

	"pifetch/fetchers/github/target"
)

// buildListQuery is the search that a page with a list of issues or pull
// requests stands for, with the rules of GitHub's own pages: what was typed
// into the search box stays as it is, the repository comes first, the kind is
// added unless the text names one, and only a page without a text is about
// what is open. The page of a label is for issues and pull requests alike.
// milestone is the title of the one whose number the URL has.
//
// ok is false when the URL asks for something that is not certain to be known
// here.
func buildListQuery(t target.Target, milestone string) (query string, ok bool) {
	kind := "is:issue"
	if t.Kind == target.PullRequestList {
		kind = "is:pr"
	}
	terms := []string{"repo:" + t.Owner + "/" + t.Repo}
	if t.Params.Has("q") {
		if !onlyParams(t, "q", "page") || t.Sub != "" {
			return "", false
		}
		if !namesType(t.Query) {
			terms = append(terms, kind)
		}
		if strings.TrimSpace(t.Query) != "" {
			terms = append(terms, t.Query)
		}
		return strings.Join(terms, " "), true
	}
	if t.Sub != "label" {
		terms = append(terms, kind)
	}
	filters, ok := listFilters(t, milestone)
	return strings.Join(append(terms, filters...), " "), ok
}

// typeQualifiers say of a search whether it is for issues or for pull requests.
// GitHub's own words for the second are is:pull-request.
var typeQualifiers = []string{"is:issue", "is:pr", "is:pull-request", "type:issue", "type:pr", "is:merged", "is:unmerged"}

// searchTerm is a word of a search, with what stands in quotes in one piece.
var searchTerm = regexp.MustCompile(`(?:"[^"]*"?|[^\s()"])+`)

// namesType reports whether a search has a type qualifier, outside of quotes.
func namesType(query string) bool {
	for _, term := range searchTerm.FindAllString(query, -1) {
		if slices.Contains(typeQualifiers, strings.ToLower(term)) {
			return true
		}
	}
	return false
}

// impliesPulls reports whether only pull requests can match a search that does
// not ask for them by name.
func impliesPulls(query string) bool {
	terms := searchTerm.FindAllString(strings.ToLower(query), -1)
	has := func(term string) bool { return slices.Contains(terms, term) }
	return (has("is:merged") || has("is:unmerged")) && !has("is:pr") && !has("type:pr")
}

// listParams are the parameters of GitHub's older list URLs, which are those of
// the API too.
var listParams = []string{"state", "labels", "author", "creator", "assignee", "mentioned", "milestone", "sort", "direction", "page"}

// listFilters are the qualifiers that stand for a list's path and parameters.
func listFilters(t target.Target, milestone string) (terms []string, ok bool) {
	if !onlyParams(t, listParams...) {
		return nil, false
	}
	ok = true
	add := func(term string, understood bool) {
		ok = ok && understood
		if term != "" {
			terms = append(terms, term)
		}
	}
	add(stateFilter(t.Params.Get("state")))
	if t.Sub == "label" {
		add(quotedFilter("label:", t.ID))
	} else if t.Sub != "" {
		add(userFilter("author:", t.Sub))
	}
	if labels := t.Params.Get("labels"); labels != "" {
		for label := range strings.SplitSeq(labels, ",") {
			add(quotedFilter("label:", label))
		}
	}
	for _, p := range []struct{ parameter, qualifier string }{
		{"author", "author:"}, {"creator", "author:"}, {"assignee", "assignee:"}, {"mentioned", "mentions:"},
	} {
		switch value := t.Params.Get(p.parameter); value {
		case "":
		case "none":
			add("no:assignee", p.parameter == "assignee")
		default:
			add(userFilter(p.qualifier, value))
		}
	}
	switch t.Params.Get("milestone") {
	case "":
	case "none":
		add("no:milestone", true)
	default:
		add(quotedFilter("milestone:", milestone))
	}
	add(sortFilter(t.Params.Get("sort"), t.Params.Get("direction")))
	return terms, ok
}

func stateFilter(state string) (string, bool) {
	switch state {
	case "", "open":
		return "state:open", true
	case "closed":
		return "state:closed", true
	}
	return "", state == "all"
}

// quotedFilter is a qualifier for a name. How one with a quote is written is
// not documented.
func quotedFilter(qualifier, name string) (string, bool) {
	return qualifier + `"` + name + `"`, name != "" && !strings.Contains(name, `"`)
}

var loginPattern = regexp.MustCompile(`^(?:[A-Za-z0-9][A-Za-z0-9_-]*(?:\[bot\])?|@me)$`)

// userFilter is a qualifier for an account; apps have names of their own in
// searches.
func userFilter(qualifier, login string) (string, bool) {
	if app, isApp := strings.CutSuffix(login, "[bot]"); isApp {
		return qualifier + "app/" + app, loginPattern.MatchString(login)
	}
	return qualifier + login, loginPattern.MatchString(login)
}

func sortFilter(by, direction string) (string, bool) {
	switch {
	case by == "" && direction == "":
		return "", true
	case by == "":
		by = "created"
	case by != "created" && by != "updated" && by != "comments":
		return "", false
	}
	switch direction {
	case "", "desc":
		return "sort:" + by + "-desc", true
	}
	return "sort:" + by + "-asc", direction == "asc"
}
