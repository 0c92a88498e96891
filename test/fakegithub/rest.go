package fakegithub

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// m is a JSON object.
type m = map[string]any

// operations are the handlers of what the world serves, by template.
func (f *Fake) operations() map[string]Handler {
	all := map[string]Handler{
		"/rate_limit": f.restRateLimit, "/search/issues": f.restSearchIssues,
		"/gists/{gist_id}": f.restGist, "/gists/{gist_id}/comments": f.restGistComments,
	}
	for template, h := range map[string]Handler{
		"": f.restRepo, "/readme": f.restReadme, "/contents/{path}": f.restContents,
		"/git/trees/{tree_sha}": f.restTree, "/git/blobs/{file_sha}": f.restBlob, "/git/ref/{ref}": f.restRef, "/git/matching-refs/{ref}": f.restMatchingRefs,
		"/branches": f.restBranches, "/branches/{branch}": f.restBranch, "/tags": f.restTags,
		"/commits": f.restCommits, "/commits/{ref}": f.restCommit, "/compare/{basehead}": f.restCompare,
		"/commits/{ref}/check-runs": f.restCheckRuns, "/commits/{ref}/status": f.restStatus, "/commits/{commit_sha}/pulls": f.restCommitPulls,
		"/tarball/{ref}": f.restTarball, "/zipball/{ref}": f.restTarball,
		"/issues": f.restIssues, "/issues/{issue_number}": f.restIssue, "/issues/{issue_number}/comments": f.restComments,
		"/issues/comments/{comment_id}": f.restComment, "/issues/{issue_number}/sub_issues": f.restSubIssues, "/issues/{issue_number}/parent": f.restParent,
		"/pulls": f.restPulls, "/pulls/{pull_number}": f.restPull, "/pulls/{pull_number}/files": f.restPullFiles,
		"/pulls/{pull_number}/commits": f.restPullCommits, "/pulls/{pull_number}/reviews": f.restReviews,
		"/pulls/{pull_number}/comments": f.restReviewComments, "/pulls/comments/{comment_id}": f.restReviewComment,
		"/pulls/{pull_number}/reviews/{review_id}": f.restReview,
		"/labels": f.restLabels, "/milestones": f.restMilestones, "/milestones/{milestone_number}": f.restMilestone,
		"/releases": f.restReleases, "/releases/latest": f.restLatestRelease, "/releases/tags/{tag}": f.restReleaseByTag,
		"/releases/{release_id}": f.restReleaseByID, "/releases/{release_id}/assets": f.restAssets, "/releases/assets/{asset_id}": f.restAsset,
	} {
		all["/repos/{owner}/{repo}"+template] = h
	}
	return all
}

// stamp is a time as JSON has it, nil for none.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func big(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// lower is an enumeration value of GraphQL as REST writes it.
func lower(s string) any {
	if s == "" {
		return nil
	}
	return strings.ToLower(s)
}

// orNil is a text, null when it is empty.
func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func association(s string) string {
	if s == "" {
		return "NONE"
	}
	return s
}

// user is an account as REST shows it. That of a deleted account is "ghost".
func (f *Fake) user(login string) any {
	u := f.World.User(login)
	if u == nil {
		if login != "" {
			f.fault("the world has no user %q", login)
		}
		u = &User{Login: "ghost", ID: 10137, Type: "User"}
	}
	return m{
		"login": u.Login, "id": u.ID, "type": u.Type, "html_url": "https://github.com/" + u.Login, "url": "https://api.github.com/users/" + u.Login,
		"avatar_url": fmt.Sprintf("https://avatars.githubusercontent.com/u/%d?v=4", u.ID), "site_admin": false,
	}
}

// userOrNil is null for a deleted account.
func (f *Fake) userOrNil(login string) any {
	if login == "" {
		return nil
	}
	return f.user(login)
}

func (f *Fake) users(logins []string) []any {
	out := []any{}
	for _, l := range logins {
		out = append(out, f.user(l))
	}
	return out
}

func reactions(url string, up int) m {
	return m{"url": url + "/reactions", "total_count": up, "+1": up, "-1": 0, "laugh": 0, "confused": 0, "heart": 0, "hooray": 0, "eyes": 0, "rocket": 0}
}

func notFound() (int, any) { return 404, NotFound() }

func ok(v any) (int, any) { return 200, Partial{v} }

func items[T any](list []T, fn func(T) any) List {
	out := List{}
	for _, x := range list {
		out.Items = append(out.Items, fn(x))
	}
	return out
}

func (f *Fake) restRateLimit(r Request) (int, any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	resources := m{}
	for _, name := range []string{"core", "search", "graphql", "code_search"} {
		b := f.budgetLocked(r.Authorized, name)
		resources[name] = m{"limit": b.limit, "remaining": b.remaining, "used": b.limit - b.remaining, "reset": b.reset.Unix()}
	}
	return ok(m{"resources": resources, "rate": resources["core"]})
}
