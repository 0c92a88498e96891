package github

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"pifetch/fetchers/github/api"
)

type restIssue struct {
	restPost
	State     string
	Reason    string    `json:"state_reason"`
	ClosedBy  *restUser `json:"closed_by"`
	Pull      *struct{} `json:"pull_request"`
	Reactions struct {
		Total int `json:"total_count"`
	}
	Repository string              `json:"repository_url"`
	Parent     string              `json:"parent_issue_url"`
	SubIssues  struct{ Total int } `json:"sub_issues_summary"`
}

type restReference struct {
	Title string
	State string
	URL   string `json:"html_url"`
}

// readIssue reads an issue through REST. It fails with errOther when the
// number is a pull request's. The job then has the repository and the number
// that the issue was moved to.
func readIssue(ctx context.Context, j *job) (*issue, error) {
	var r restIssue
	if _, err := j.api.Get(ctx, j.path("issues/"+strconv.Itoa(j.Number)), nil, &r); err != nil {
		return nil, missing(j, err)
	}
	j.follow(r.Repository, r.Number)
	if r.Pull != nil {
		return nil, errOther
	}
	is := &issue{conversation: r.conversation(j.repo()), State: r.State, Reason: words(r.Reason), Partial: true}
	is.ClosedBy, is.Reactions, is.Parent = r.ClosedBy.login(), r.Reactions.Total, pageOf(r.Parent)
	var err error
	if is.Comments, err = readComments(ctx, j, r.Comments); err != nil {
		return nil, err
	}
	if r.SubIssues.Total > 0 {
		list, more, err := readList[restReference](ctx, j, j.path("issues/"+strconv.Itoa(j.Number)+"/sub_issues"), perPage)
		if err != nil {
			return nil, err
		}
		is.SubIssues = items[reference]{Total: r.SubIssues.Total, More: more}
		for _, sub := range list {
			is.SubIssues.List = append(is.SubIssues.List, reference{URL: sub.URL, Title: sub.Title, State: sub.State})
		}
	}
	return is, nil
}

// follow makes the job one for the repository and the number that the API has
// redirected to. repository is an address below repos/.
func (j *job) follow(repository string, number int) {
	if _, name, ok := strings.Cut(repository, "/repos/"); ok {
		if owner, repo, ok := strings.Cut(name, "/"); ok {
			j.Owner, j.Repo = owner, repo
		}
	}
	j.Number = number
}

// pageOf is the page of an issue that is known by its address in the API.
func pageOf(address string) string {
	_, path, ok := strings.Cut(address, "/repos/")
	if !ok {
		return ""
	}
	return "https://github.com/" + path
}

// missing says what was looked for where GitHub says no more than that there
// is nothing.
func missing(j *job, err error) error {
	switch api.CodeOf(err) {
	case api.NotFound:
		return fmt.Errorf("%w: %s has no issue or pull request %d, or it is private: check the number, or set GH_TOKEN to a token that may read it", errNothing, j.repo(), j.Number)
	case api.Gone:
		return fmt.Errorf("410 Gone: issue %d of %s was deleted, or its issues are switched off", j.Number, j.repo())
	}
	return err
}
