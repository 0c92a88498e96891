package fakegithub

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// get asks a host without following redirects.
func get(t *testing.T, f *Fake, host Host, path string, header ...string) (status int, body string, h http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.Base(host)+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("User-Agent", "fakegithub-test")
	if host == API {
		req.Header.Set("Accept", "application/vnd.github+json")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return do(t, req)
}

func do(t *testing.T, req *http.Request) (status int, body string, h http.Header) {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(data), res.Header
}

// query asks GraphQL with the token.
func query(t *testing.T, f *Fake, text string, variables map[string]any) (data map[string]any, errors []any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": text, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.Base(API)+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("User-Agent", "fakegithub-test")
	req.Header.Set("Authorization", "bearer "+f.Token)
	status, text, _ := do(t, req)
	var answer struct {
		Data   map[string]any
		Errors []any
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatalf("status %d: %v: %s", status, err, text)
	}
	return answer.Data, answer.Errors
}

// Every operation that the world serves keeps to the description.
func TestOperations(t *testing.T) {
	f := New(t)
	auth := "bearer " + f.Token
	for _, path := range []string{
		"/repos/octo/hello", "/repos/linus/hello", "/repos/octo/empty", "/repos/octo/hello/readme", "/repos/linus/hello/readme",
		"/repos/octo/hello/contents", "/repos/octo/hello/contents/src", "/repos/octo/hello/contents/src/main.go?ref=feature/x", "/repos/octo/hello/contents/docs/with%20space%20%231.md",
		"/repos/octo/hello/contents/latest", "/repos/octo/hello/contents/away", "/repos/octo/hello/contents/vendor/greetings", "/repos/octo/hello/contents/vendor",
		"/repos/octo/many/contents/data",
		"/repos/octo/hello/git/trees/main?recursive=1", "/repos/octo/hello/git/ref/heads/feature/x", "/repos/octo/hello/git/matching-refs/heads/feature",
		"/repos/octo/hello/branches", "/repos/octo/hello/branches/feature/x", "/repos/octo/hello/tags",
		"/repos/octo/hello/commits?per_page=5", "/repos/octo/hello/commits?path=src/greet.go", "/repos/octo/hello/commits/main", "/repos/octo/hello/commits/v1.0.0", "/repos/octo/hello/commits/refs/pull/7/head",
		"/repos/octo/hello/compare/v1.0.0...main", "/repos/octo/hello/compare/main...linus:spanish", "/repos/octo/hello/compare/main...feature/x",
		"/repos/octo/hello/commits/feature/big/check-runs", "/repos/octo/hello/commits/feature/big/status", "/repos/octo/hello/commits/main/status", "/repos/octo/hello/commits/feature/big/pulls",
		"/repos/octo/hello/issues?state=all&per_page=100", "/repos/octo/hello/issues/1", "/repos/octo/hello/issues/2", "/repos/octo/hello/issues/3/comments?per_page=100&page=2", "/repos/octo/hello/issues/4", "/repos/octo/hello/issues/4/comments",
		"/repos/octo/hello/issues/5/parent", "/repos/octo/hello/issues/1/sub_issues", "/repos/octo/hello/issues/7", "/repos/octo/hello/issues/comments/3100000001",
		"/repos/octo/hello/pulls?state=all", "/repos/octo/hello/pulls/7", "/repos/octo/hello/pulls/8", "/repos/octo/hello/pulls/9", "/repos/octo/hello/pulls/10", "/repos/octo/hello/pulls/11",
		"/repos/octo/hello/pulls/7/files", "/repos/octo/hello/pulls/8/files?per_page=100", "/repos/octo/hello/pulls/8/commits", "/repos/octo/hello/pulls/8/reviews", "/repos/octo/hello/pulls/8/reviews/4100000004",
		"/repos/octo/hello/pulls/8/comments?per_page=100", "/repos/octo/hello/pulls/comments/4200000010",
		"/repos/octo/hello/labels", "/repos/octo/hello/milestones?state=all", "/repos/octo/hello/milestones/1",
		"/repos/octo/hello/releases", "/repos/octo/hello/releases/latest", "/repos/octo/hello/releases/tags/pkg/v2.0.0-rc.1", "/repos/octo/hello/releases/7002", "/repos/octo/hello/releases/7002/assets", "/repos/octo/hello/releases/assets/7103",
		"/search/issues?q=repo:octo/hello+is:issue+state:open", "/search/issues?q=repo:octo/hello+greeting&per_page=100",
		"/gists/aa5a315d61ae9438b18d", "/gists/aa5a315d61ae9438b18d/comments", "/rate_limit", "/repos/octo/secret/issues/1",
	} {
		if status, body, _ := get(t, f, API, path, "Authorization", auth); status != 200 {
			t.Errorf("%s: status %d: %.200s", path, status, body)
		}
	}
}

// A query for about everything the resolvers may want.
const wide = `
fragment actor on Actor { __typename login url }
fragment written on Comment { id author { ...actor } authorAssociation body createdAt lastEditedAt includesCreatedEdit }
fragment pr on PullRequest {
  number title state isDraft merged mergedAt mergedBy { login } url locked activeLockReason
  baseRefName baseRefOid headRefName headRefOid headRepository { nameWithOwner } headRepositoryOwner { login } isCrossRepository
  mergeable mergeStateStatus reviewDecision additions deletions changedFiles
  milestone { title number } labels(first: 50) { nodes { name } } assignees(first: 20) { nodes { login } }
  reviewRequests(first: 20) { nodes { requestedReviewer { ... on User { login } ... on Team { combinedSlug } } } }
  closingIssuesReferences(first: 20) { nodes { number title url state } }
  commits(first: 100) { totalCount nodes { commit { oid messageHeadline authoredDate author { name user { login } } } } }
  statusCheckRollup { state contexts(first: 100) { totalCount pageInfo { hasNextPage endCursor } nodes { __typename
    ... on CheckRun { databaseId name status conclusion detailsUrl title startedAt completedAt checkSuite { app { name slug } workflowRun { databaseId url workflow { name } } } }
    ... on StatusContext { context state targetUrl description } } } }
  comments(first: 100) { totalCount pageInfo { hasNextPage endCursor } nodes { ...written fullDatabaseId isMinimized minimizedReason url reactions { totalCount } } }
  reviews(first: 100) { totalCount nodes { ...written fullDatabaseId state submittedAt url commit { oid } isMinimized minimizedReason comments { totalCount } } }
  reviewThreads(first: 100) { totalCount pageInfo { hasNextPage endCursor } nodes { id isResolved isOutdated resolvedBy { login } path line originalLine startLine originalStartLine diffSide subjectType
    comments(first: 50) { totalCount pageInfo { hasNextPage endCursor } nodes { ...written fullDatabaseId diffHunk url isMinimized minimizedReason outdated replyTo { fullDatabaseId } pullRequestReview { fullDatabaseId } } } } }
  files(first: 100) { totalCount nodes { path additions deletions changeType } }
  reactions { totalCount } reactionGroups { content reactors(first: 1) { totalCount } }
}
query($owner: String!, $name: String!, $issue: Int!, $pull: Int!, $q: String!) {
  rateLimit { cost nodeCount limit remaining resetAt }
  repository(owner: $owner, name: $name, followRenames: true) {
    nameWithOwner description homepageUrl stargazerCount forkCount isArchived isFork isPrivate isEmpty isMirror isTemplate diskUsage pushedAt createdAt licenseInfo { spdxId name } primaryLanguage { name } parent { nameWithOwner }
    defaultBranchRef { name target { ... on Commit { oid committedDate messageHeadline tree { entries { name type mode size path oid submodule { gitUrl subprojectCommitOid } } } history(first: 3) { totalCount nodes { oid messageHeadline } } } } }
    latestRelease { tagName name publishedAt url }
    issues(states: OPEN) { totalCount } pullRequests(states: OPEN) { totalCount } discussions { totalCount } releases { totalCount } repositoryTopics(first: 20) { nodes { topic { name } } }
    file: object(expression: "refs/heads/feature/x:src/main.go") { __typename oid ... on Blob { byteSize isBinary isTruncated text } }
    none: object(expression: "main:nothing") { oid }
    tag: object(expression: "refs/tags/v1.0.0") { __typename oid ... on Tag { name message target { oid } } }
    refs(refPrefix: "refs/heads/", first: 100) { totalCount nodes { name prefix target { oid } } }
    issueOrPullRequest(number: $issue) { __typename
      ... on Issue { number title body state stateReason(enableDuplicate: true) url createdAt updatedAt closedAt lastEditedAt locked author { ...actor } authorAssociation milestone { title dueOn state }
        parent { number title url state } subIssues(first: 50) { totalCount nodes { number title state url repository { nameWithOwner } } } subIssuesSummary { total completed }
        closedByPullRequestsReferences(first: 20, includeClosedPrs: true) { nodes { number merged url } }
        comments(first: 100) { nodes { ...written } } } }
    pullRequest(number: $pull) { ...pr }
    discussion(number: 20) { number title body url author { login } category { name emoji isAnswerable } isAnswered answer { url } answerChosenBy { login } upvoteCount closed stateReason locked labels(first: 50) { nodes { name } }
      comments(first: 100) { totalCount nodes { ...written isAnswer upvoteCount url isMinimized minimizedReason deletedAt replies(first: 50) { totalCount nodes { ...written isAnswer url replyTo { id } } } } } }
    release(tagName: "v1.1.0") { name tagName description isPrerelease isDraft isLatest publishedAt createdAt url author { login } tagCommit { oid } releaseAssets(first: 100) { totalCount nodes { name contentType size downloadCount downloadUrl } } }
    milestones(first: 10, states: OPEN) { nodes { number title progressPercentage issues(states: OPEN) { totalCount } } }
    labels(first: 10) { nodes { name color description } }
  }
  search(query: $q, type: ISSUE, first: 100) { issueCount nodes { __typename ... on Issue { number title } ... on PullRequest { number prState: state isDraft } } }
}`

func TestQueries(t *testing.T) {
	f := New(t)
	for _, number := range []int{PullTorture, PullBig, PullDraft, PullMerged, PullOfLostFork} {
		for _, issue := range []int{IssueFew, IssueClosed} {
			data, errors := query(t, f, wide, map[string]any{"owner": "octo", "name": "old-hello", "issue": issue, "pull": number, "q": "repo:octo/hello is:open"})
			if len(errors) > 0 || data["repository"] == nil {
				t.Errorf("pull request %d: %v", number, errors)
			}
		}
	}
}

func sprint(args ...any) string { return strings.TrimSuffix(fmt.Sprintln(args...), "\n") }
