package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/shurcooL/githubv4"
)

// Query runs a GraphQL query through githubv4: q is a pointer to a struct,
// vars its variables. It fails with ErrNoToken when there is no token. Parts of
// the answer that could be had are in q even when the error is a *QueryError.
// A query that took GitHub too long is an *Error with Unavailable: ask for less.
func (s *Session) Query(ctx context.Context, q any, vars map[string]any) error {
	return s.authorised(ctx, func(t token) error {
		if t.none() {
			return ErrNoToken
		}
		p := &peek{session: s, token: t}
		client := githubv4.NewEnterpriseClient(s.endpoints.API+"/graphql", &http.Client{Transport: p})
		err := client.Query(ctx, q, vars)
		switch {
		case p.failed != nil:
			return p.failed
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case len(p.answer.Errors) == 0 || err.Error() != p.answer.Errors[0].Message: // not the answer's own
			return &Error{Code: Other, Status: http.StatusOK, Message: "GraphQL: GitHub's answer is not understood: " + line(err.Error()), cause: err}
		}
		return p.answer.queryError()
	})
}

// peek sends githubv4's requests and keeps what it throws away of the answers:
// the types and paths of errors.
type peek struct {
	session *Session
	token   token
	answer  envelope
	failed  error // of the exchange, or a limit
}

// envelope is a GraphQL answer without its data.
type envelope struct {
	Data   json.RawMessage
	Errors []struct {
		Type       string
		Path       []any
		Message    string
		Extensions struct {
			SAMLFailure bool `json:"saml_failure"`
		}
	}
}

// RoundTrip is Session.send for githubv4.
func (p *peek) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, content, err := p.exchange(req)
	if err != nil {
		p.failed = err
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(content))
	return resp, nil
}

func (p *peek) exchange(req *http.Request) (*http.Response, []byte, error) {
	const subject = "GraphQL"
	defer req.Body.Close()
	query, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, nil, err
	}
	resp, err := p.session.send(req.Context(), p.token, request{
		url: req.URL, subject: subject, resource: "graphql", body: query,
		header: http.Header{"Content-Type": {"application/json"}, "Accept": {JSON}},
	})
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	content, err := readAll(resp.Body, subject)
	if err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(content, &p.answer); err != nil {
		return nil, nil, notJSON(subject, resp.Header, content, err)
	}
	if err := p.judge(resp); err != nil {
		return nil, nil, err
	}
	return resp, content, nil
}

// judge finds what a 200 hides: limits, single sign-on, and a query that took
// GitHub too long.
func (p *peek) judge(resp *http.Response) error {
	noData := len(p.answer.Data) == 0 || string(p.answer.Data) == "null"
	for _, one := range p.answer.Errors {
		limited := one.Type == "RATE_LIMITED" || one.Type == "RATE_LIMIT"
		if limited || secondaryWords(one.Message) {
			acc := p.session.account(p.token, API, true)
			if e := acc.limited(resp.Header, "graphql", resp.StatusCode, one.Message); e != nil {
				return e
			}
			// A limit without a figure is one of the moment.
			return acc.limited(resp.Header, "graphql", http.StatusTooManyRequests, one.Message)
		}
		if one.Extensions.SAMLFailure && len(one.Path) <= 1 {
			return &Error{Code: SSO, Status: resp.StatusCode, Message: "403 Forbidden: " + ssoText(p.token, resp.Header.Get("X-GitHub-SSO"))}
		}
		if noData && (one.Type == "RESOURCE_LIMITS_EXCEEDED" || tookTooLong(one.Message)) {
			return &Error{Code: Unavailable, Status: resp.StatusCode, Message: "GraphQL: " + line(one.Message)}
		}
	}
	if noData && len(p.answer.Errors) == 0 {
		return &Error{Code: Unavailable, Status: resp.StatusCode, Message: "GraphQL: the answer has neither data nor errors"}
	}
	return nil
}

// tookTooLong reports whether GitHub's words are those of a query it gave up on.
func tookTooLong(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "something went wrong while executing your query") || strings.Contains(text, "couldn't respond to your request in time")
}

// queryError is what the answer's errors are to a caller.
func (e envelope) queryError() *QueryError {
	q := &QueryError{}
	for _, one := range e.Errors {
		q.Errors = append(q.Errors, struct {
			Type    string
			Path    []any
			Message string
		}{one.Type, one.Path, one.Message})
	}
	return q
}
