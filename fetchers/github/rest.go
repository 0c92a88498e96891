package github

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"time"
)

// Parts of REST answers.

type restUser struct{ Login string }

func (u *restUser) login() string {
	if u == nil {
		return ""
	}
	return u.Login
}

func restLogins(users []restUser) []string {
	var logins []string
	for _, u := range users {
		logins = append(logins, u.Login)
	}
	return logins
}

// restLabel is a label, which issues may name by a string alone.
type restLabel struct{ Name string }

func (l *restLabel) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte(`"`)) {
		return json.Unmarshal(b, &l.Name)
	}
	var object struct{ Name string }
	err := json.Unmarshal(b, &object)
	l.Name = object.Name
	return err
}

// restText is what everything written has.
type restText struct {
	ID          int64
	User        *restUser
	Association string `json:"author_association"`
	Body        string
	Created     time.Time `json:"created_at"`
	Updated     time.Time `json:"updated_at"`
	URL         string    `json:"html_url"`
	Minimized   *struct{ Reason string }
}

// comment is the text under an anchor of the given name. REST does not tell an
// edit from another change of reviews and their comments.
func (t restText) comment(anchor string) comment {
	c := comment{
		ID: anchor + decimal(t.ID), Author: t.User.login(), Association: t.Association,
		Created: t.Created, URL: t.URL, Body: t.Body,
	}
	if anchor == issueComment && t.Updated.After(t.Created) {
		c.Edited = t.Updated
	}
	if t.Minimized != nil {
		c.Hidden = hiddenAs(t.Minimized.Reason)
	}
	return c
}

// restPost is what an issue and a pull request have in common.
type restPost struct {
	restText
	Number    int
	Title     string
	Closed    time.Time `json:"closed_at"`
	Labels    []restLabel
	Assignees []restUser
	Milestone *struct{ Title string }
	Locked    bool
	Reason    string `json:"active_lock_reason"`
	Comments  int
}

func (p restPost) conversation(repo string) conversation {
	c := conversation{
		Repo: repo, Number: p.Number, URL: p.URL, Title: p.Title, Post: p.comment("issue-"),
		Updated: p.Updated, Closed: p.Closed, Assignees: restLogins(p.Assignees),
	}
	for _, l := range p.Labels {
		c.Labels = append(c.Labels, l.Name)
	}
	if p.Milestone != nil {
		c.Milestone = p.Milestone.Title
	}
	if p.Locked {
		c.Locked = lockedAs(p.Reason)
	}
	return c
}

// readList reads a list until it ends or holds most items, and reports whether
// there are more.
func readList[T any](ctx context.Context, j *job, path string, most int) (list []T, more bool, err error) {
	query := url.Values{"per_page": {strconv.Itoa(perPage)}}
	for path != "" && len(list) < most {
		var page []T
		answer, err := j.api.Get(ctx, path, query, &page)
		if err != nil {
			return list, true, err
		}
		list = append(list, page...)
		path, query = answer.Next, nil
	}
	return list, path != "", nil
}

// readComments reads the comments of an issue or a pull request that has total
// of them.
func readComments(ctx context.Context, j *job, total int) (items[comment], error) {
	if total == 0 {
		return items[comment]{}, nil
	}
	texts, more, err := readList[restText](ctx, j, j.path("issues/"+strconv.Itoa(j.Number)+"/comments"), maxComments)
	list := items[comment]{Total: max(total, len(texts)), More: more}
	for _, t := range texts {
		list.List = append(list.List, t.comment(issueComment))
	}
	return list, err
}

// path is a path of the REST API below the repository.
func (j *job) path(rest string) string {
	return "repos/" + url.PathEscape(j.Owner) + "/" + url.PathEscape(j.Repo) + "/" + rest
}
