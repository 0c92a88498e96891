package fakegithub

import (
	"slices"
	"strings"
)

// search finds issues and pull requests by a query: words in the title or the
// body, and the qualifiers repo, is, type, state, label, author, assignee,
// milestone, draft and sort. One that it does not know is a violation.
func (f *Fake) search(query string, authorized bool) (found []hit, problem string) {
	var tests []func(*Repo, *Issue) bool
	var by string
	for _, term := range terms(query) {
		not := strings.HasPrefix(term, "-")
		key, value, qualified := strings.Cut(strings.TrimPrefix(term, "-"), ":")
		if !qualified || strings.HasPrefix(term, `"`) {
			word := strings.ToLower(strings.Trim(term, `"`))
			tests = append(tests, func(_ *Repo, i *Issue) bool {
				return strings.Contains(strings.ToLower(i.Title+"\n"+i.Body), word)
			})
			continue
		}
		value = strings.Trim(value, `"`)
		if key == "sort" {
			by = value
			continue
		}
		test := f.qualifier(key, value)
		if key == "repo" {
			if repo, moved := f.World.Repo(value); repo == nil || moved || repo.Private && !authorized {
				return nil, "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them."
			}
		}
		if test == nil {
			return nil, "The search contains a qualifier that the fake does not know: " + key
		}
		tests = append(tests, func(r *Repo, i *Issue) bool { return test(r, i) != not })
	}
	for _, r := range f.World.Repos {
		if r.Private && !authorized {
			continue
		}
		for _, i := range newest(r.Issues) {
			if i.Gone || i.MovedTo != "" || slices.ContainsFunc(tests, func(t func(*Repo, *Issue) bool) bool { return !t(r, i) }) {
				continue
			}
			found = append(found, hit{r, i})
		}
	}
	slices.SortStableFunc(found, func(a, b hit) int {
		switch by {
		case "created-asc":
			return a.issue.Created.Compare(b.issue.Created)
		case "comments-desc":
			return len(b.issue.Comments) - len(a.issue.Comments)
		case "updated-desc":
			return b.issue.updated().Compare(a.issue.updated())
		}
		return b.issue.Created.Compare(a.issue.Created)
	})
	return found, ""
}

type hit struct {
	repo  *Repo
	issue *Issue
}

func (f *Fake) qualifier(key, value string) func(*Repo, *Issue) bool {
	state := func(open bool) func(*Repo, *Issue) bool {
		return func(_ *Repo, i *Issue) bool { return i.Closed.IsZero() == open }
	}
	switch key + ":" + value {
	case "is:issue", "type:issue":
		return func(_ *Repo, i *Issue) bool { return i.Pull == nil }
	case "is:pr", "type:pr":
		return func(_ *Repo, i *Issue) bool { return i.Pull != nil }
	case "is:open", "state:open":
		return state(true)
	case "is:closed", "state:closed":
		return state(false)
	case "is:merged":
		return func(_ *Repo, i *Issue) bool { return i.Pull != nil && !i.Pull.Merged.IsZero() }
	case "is:unmerged":
		return func(_ *Repo, i *Issue) bool { return i.Pull != nil && i.Pull.Merged.IsZero() }
	case "is:draft", "draft:true":
		return func(_ *Repo, i *Issue) bool { return i.Pull != nil && i.Pull.Draft }
	}
	switch key {
	case "repo":
		return func(r *Repo, _ *Issue) bool { return strings.EqualFold(r.Full(), value) }
	case "org", "user":
		return func(r *Repo, _ *Issue) bool { return strings.EqualFold(r.Owner, value) }
	case "label":
		return func(_ *Repo, i *Issue) bool { return slices.Contains(i.Labels, value) }
	case "author":
		return func(_ *Repo, i *Issue) bool { return strings.EqualFold(i.Author, value) }
	case "assignee":
		return func(_ *Repo, i *Issue) bool { return slices.Contains(i.Assignees, value) }
	case "milestone":
		return func(r *Repo, i *Issue) bool {
			return slices.ContainsFunc(r.Milestones, func(x Milestone) bool { return x.Title == value && x.Number == i.Milestone })
		}
	case "no":
		return func(_ *Repo, i *Issue) bool { return value == "label" && len(i.Labels) == 0 }
	}
	return nil
}

// terms splits a query at white space outside double quotes.
func terms(query string) []string {
	quoted := false
	return strings.FieldsFunc(query, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && (r == ' ' || r == '\t' || r == '\n')
	})
}

func (f *Fake) restSearchIssues(r Request) (int, any) {
	query := r.Query.Get("q")
	if len([]rune(query)) > 256 {
		return 422, Invalid("The search is longer than 256 characters.")
	}
	hits, problem := f.search(query, r.Authorized)
	if problem != "" {
		return 422, Invalid(problem)
	}
	out := items(hits, func(h hit) any {
		i := f.issue(h.repo, h.issue)
		i["score"] = 1.0
		delete(i, "parent_issue_url") // results have it not
		return i
	})
	out.Key, out.Fields = "items", m{"incomplete_results": false}
	if len(out.Items) > 1000 {
		out.Total, out.Items = len(out.Items), out.Items[:1000]
	}
	return 200, out
}
