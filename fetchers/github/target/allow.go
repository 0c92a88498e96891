package target

import "strings"

// apiPaths are the paths of api.github.com that are fetched although no page
// of github.com shows the same. "*" stands for any one segment, "#" for a
// number, and "**" at the end for one or more segments.
//
// They answer anybody who may see the repository or the account, and change
// nothing. What is not listed is not fetched: nothing that is about the
// token's own user (user, notifications, issues, gists, installation, app),
// nothing that administers (admin, enterprises, hooks, keys, invitations,
// collaborators, traffic, protection, rulesets, secrets, variables, runners,
// permissions, caches), no security alerts, and no downloads, which have URLs
// of their own.
var apiPaths = parsePaths(
	// GitHub itself.
	`rate_limit meta zen emojis licenses licenses/* gitignore/templates gitignore/templates/*`,

	// Reviewed advisories of all repositories; one of them is a page.
	`advisories`,

	// Accounts: what their public pages show.
	`users/* users/*/repos users/*/gists users/*/orgs users/*/followers users/*/following users/*/starred
	 users/*/subscriptions users/*/social_accounts users/*/events/public users/*/received_events/public
	 orgs/* orgs/*/repos orgs/*/events orgs/*/public_members`,

	// Searches with an order or a page.
	`search/code search/commits search/issues search/labels search/repositories search/topics search/users`,

	// Gists, but for those of the token's user.
	`gists/public gists/*/comments gists/*/comments/# gists/*/commits gists/*/forks`,

	// A repository's facts and its people.
	`repos/*/*/languages repos/*/*/topics repos/*/*/license repos/*/*/contributors repos/*/*/forks
	 repos/*/*/stargazers repos/*/*/subscribers repos/*/*/assignees repos/*/*/events repos/*/*/activity
	 repos/*/*/community/profile repos/*/*/codeowners/errors repos/*/*/stats/*`,

	// Its git objects, refs and README.
	`repos/*/*/readme repos/*/*/readme/** repos/*/*/branches repos/*/*/branches/* repos/*/*/tags
	 repos/*/*/git/blobs/* repos/*/*/git/commits/* repos/*/*/git/tags/* repos/*/*/git/trees/*
	 repos/*/*/git/ref/** repos/*/*/git/matching-refs/**`,

	// Commits, their comments, checks and deployments.
	`repos/*/*/commits repos/*/*/commits/*/branches-where-head repos/*/*/commits/*/comments
	 repos/*/*/commits/*/pulls repos/*/*/commits/*/status repos/*/*/commits/*/statuses
	 repos/*/*/commits/*/check-runs repos/*/*/commits/*/check-suites repos/*/*/compare/**
	 repos/*/*/comments repos/*/*/comments/# repos/*/*/comments/#/reactions
	 repos/*/*/check-runs/#/annotations repos/*/*/check-suites/# repos/*/*/check-suites/#/check-runs
	 repos/*/*/deployments repos/*/*/deployments/# repos/*/*/deployments/#/statuses repos/*/*/deployments/#/statuses/#`,

	// Issues, labels and milestones.
	`repos/*/*/issues repos/*/*/issues/#/comments repos/*/*/issues/#/events repos/*/*/issues/#/timeline
	 repos/*/*/issues/#/labels repos/*/*/issues/#/reactions repos/*/*/issues/#/parent repos/*/*/issues/#/sub_issues
	 repos/*/*/issues/#/dependencies/blocked_by repos/*/*/issues/#/dependencies/blocking
	 repos/*/*/issues/comments repos/*/*/issues/comments/# repos/*/*/issues/comments/#/reactions
	 repos/*/*/issues/events repos/*/*/issues/events/#
	 repos/*/*/labels repos/*/*/labels/* repos/*/*/milestones repos/*/*/milestones/#/labels`,

	// Pull requests.
	`repos/*/*/pulls repos/*/*/pulls/#/files repos/*/*/pulls/#/commits repos/*/*/pulls/#/comments
	 repos/*/*/pulls/#/reviews repos/*/*/pulls/#/requested_reviewers repos/*/*/pulls/#/reviews/#
	 repos/*/*/pulls/#/reviews/#/comments repos/*/*/pulls/comments repos/*/*/pulls/comments/#
	 repos/*/*/pulls/comments/#/reactions`,

	// Releases and advisories.
	`repos/*/*/releases repos/*/*/releases/# repos/*/*/releases/#/assets repos/*/*/releases/#/reactions
	 repos/*/*/releases/assets/# repos/*/*/security-advisories`,

	// Actions.
	`repos/*/*/actions/runs repos/*/*/actions/runs/#/jobs repos/*/*/actions/runs/#/attempts/#/jobs
	 repos/*/*/actions/runs/#/artifacts repos/*/*/actions/artifacts repos/*/*/actions/artifacts/#
	 repos/*/*/actions/workflows repos/*/*/actions/workflows/* repos/*/*/actions/workflows/*/runs`,
)

// parsePaths splits lists of paths into their segments.
func parsePaths(lists ...string) [][]string {
	var paths [][]string
	for _, list := range lists {
		for p := range strings.FieldsSeq(list) {
			paths = append(paths, strings.Split(p, "/"))
		}
	}
	return paths
}

// listed reports whether the decoded segments of a path match one of apiPaths.
func listed(s []string) bool {
	for _, p := range apiPaths {
		if matches(p, s) {
			return true
		}
	}
	return false
}

func matches(pattern, s []string) bool {
	for i, p := range pattern {
		switch {
		case p == "**":
			return len(s) > i
		case i == len(s), p == "#" && !bigNumber.MatchString(s[i]), p != "*" && p != "#" && p != s[i]:
			return false
		}
	}
	return len(s) == len(pattern)
}
