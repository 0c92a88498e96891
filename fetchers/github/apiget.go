package github

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/target"
)

// resolveAPI stores the answer of the API to a GET that no page of GitHub shows
// the same as. JSON is indented, and its members and numbers stay as they are.
func resolveAPI(ctx context.Context, j *job) (fetchers.Document, error) {
	if j.ID == "zen" { // the one answer that is plain text
		return j.apiText(ctx)
	}
	var raw json.RawMessage
	answer, err := j.api.Get(ctx, j.ID, j.Params, &raw)
	switch {
	case err != nil:
		return fetchers.Document{}, err
	case answer.Status == http.StatusAccepted:
		return fetchers.Document{}, fmt.Errorf("202 Accepted: GitHub is still computing %s: ask again in a minute", j.ID)
	case len(raw) == 0:
		return fetchers.Document{}, fmt.Errorf("%d %s: GitHub has nothing for %s", answer.Status, http.StatusText(answer.Status), j.ID)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, raw, "", "  "); err != nil {
		return fetchers.Document{}, fmt.Errorf("%s: GitHub's answer is not understood: %w", j.ID, err)
	}
	pretty.WriteByte('\n')
	body, err := j.folder.Write("response.json", &pretty)
	if err != nil {
		return fetchers.Document{}, err
	}
	doc, err := j.apiDocument(body)
	facts, page := describeJSON(raw)
	doc.Facts, doc.Link = append(doc.Facts, facts...), page
	if next, err := url.Parse(answer.Next); err == nil && answer.Next != "" { // which names a repository by its number
		doc.Facts = append(doc.Facts, "next page: "+api.GitHub().API+"/"+j.ID+"?"+next.RawQuery)
	}
	if answer.Moved != "" {
		doc.Facts = append(doc.Facts, "moved to "+j.publicURL(answer.Moved))
	}
	return doc, err
}

func (j *job) apiText(ctx context.Context) (fetchers.Document, error) {
	s, err := j.api.Open(ctx, api.API, j.ID, j.Params, api.JSON)
	if err != nil {
		return fetchers.Document{}, err
	}
	body, err := j.store("response.txt", s)
	if err != nil {
		return fetchers.Document{}, err
	}
	return j.apiDocument(body)
}

func (j *job) apiDocument(body fetchers.Body) (fetchers.Document, error) {
	title := "GitHub API: " + j.ID
	if q := j.Params.Encode(); q != "" {
		title += "?" + q
	}
	v, err := readView(j.folder, body, target.Lines{})
	return fetchers.Document{Kind: "github.api", Title: markdown.Line(title), Via: "api", Excerpt: v.excerpt, Bodies: []fetchers.Body{body}}, err
}

// publicURL is a URL of the API by GitHub's own name, whatever stands in for it.
func (j *job) publicURL(u string) string {
	if rest, ok := strings.CutPrefix(u, j.api.Endpoint(api.API)+"/"); ok {
		return api.GitHub().API + "/" + rest
	}
	return u
}

// describeJSON says what an answer is: how many items, of how many, and the page
// of GitHub that an object belongs to.
func describeJSON(raw []byte) (facts []string, page string) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		return []string{markdown.Count(len(list), "item")}, ""
	}
	var object struct {
		Page       string `json:"html_url"`
		Total      *int   `json:"total_count"`
		Incomplete bool   `json:"incomplete_results"`
		Truncated  bool   `json:"truncated"`
	}
	_ = json.Unmarshal(raw, &object) // what has another type says nothing
	if object.Total != nil {
		facts = append(facts, markdown.Count(*object.Total, "item")+" in all")
	}
	facts = append(facts, with(yes(object.Incomplete, "incomplete results"), yes(object.Truncated, "truncated by GitHub"))...)
	return facts, object.Page
}
