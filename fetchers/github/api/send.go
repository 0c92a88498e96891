package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// apiHost is what the account of a token is called in messages.
const apiHost = "the API"

// most redirects that are followed, and bytes that are read of a refusal.
const (
	mostHops     = 5
	refusalBytes = 64 << 10
)

// request is one thing asked of GitHub.
type request struct {
	url      *url.URL
	subject  string      // what a failure names
	resource string      // whose limit it counts against, "core"
	header   http.Header // Accept, If-None-Match, Content-Type
	body     []byte      // of a POST; nil is a GET
	stream   bool        // the body is read at leisure
}

// send asks with t, which goes to the API alone: r is one of the API, or t is
// nobody's. It follows redirects of a GET. The answer's status is 2xx or, where
// the request was conditional, 304; everything else is an error. Its
// Request.URL is the final one.
func (s *Session) send(ctx context.Context, t token, r request) (*http.Response, error) {
	u := r.url
	for hops := 0; ; hops++ {
		resp, err := s.hop(ctx, t, r, u)
		if err != nil {
			return nil, err
		}
		if !redirects(resp.StatusCode) {
			return resp, nil
		}
		resp.Body.Close()
		next, err := s.redirect(r, u, resp)
		switch {
		case err != nil:
			return nil, err
		case r.body != nil:
			return nil, &Error{Code: Other, Status: resp.StatusCode, Message: r.subject + " redirects to " + next.Host}
		case hops == mostHops:
			return nil, &Error{Code: Other, Status: resp.StatusCode, Message: fmt.Sprintf("%s redirects more than %d times", r.subject, mostHops)}
		}
		u = next
		if h, ok := s.endpoints.host(u); !ok || h != API {
			t = token{} // for good: nobody else leads back to the API with it
		}
	}
}

func redirects(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirect is where an answer leads.
func (s *Session) redirect(r request, from *url.URL, resp *http.Response) (*url.URL, error) {
	next, err := from.Parse(resp.Header.Get("Location"))
	if err != nil || next.Host == "" || resp.Header.Get("Location") == "" {
		return nil, &Error{Code: Unavailable, Status: resp.StatusCode, Message: r.subject + " redirects to nowhere"}
	}
	if below(next, GitHub().API) {
		if next, err = s.endpoints.resolve(API, next.String(), nil); err != nil {
			return nil, err
		}
	}
	if from.Scheme == "https" && next.Scheme != "https" {
		return nil, &Error{Code: Other, Status: resp.StatusCode, Message: r.subject + " redirects to " + next.Host + " without encryption"}
	}
	if h, ok := s.endpoints.host(next); ok && h == Web && next.EscapedPath() == basePath(s.endpoints.Web)+"/login" {
		return nil, &Error{Code: Unauthorized, Status: resp.StatusCode, Message: r.subject + " redirects to GitHub's login"}
	}
	return next, nil
}

// hop sends one request, when the limits allow it. One that a limit refused is
// sent once more when the pause is short.
func (s *Session) hop(ctx context.Context, t token, r request, u *url.URL) (*http.Response, error) {
	h, known := s.endpoints.host(u)
	isAPI := known && h == API
	if t.fault != "" {
		return nil, &Error{Code: Unauthorized, Message: t.fault}
	}
	acc := s.account(t, h, known)
	patience := callPatience
	for again := false; ; again = true {
		release, err := acc.enter(ctx, r.resource, &patience)
		if err != nil {
			return nil, err
		}
		resp, err := s.exchange(ctx, t, r, u, isAPI, release)
		if err != nil {
			return nil, err
		}
		status := resp.StatusCode
		if status != http.StatusForbidden && status != http.StatusTooManyRequests {
			acc.learn(resp.Header, r.resource)
		}
		if status/100 == 2 || redirects(status) || status == http.StatusNotModified && r.header.Get("If-None-Match") != "" {
			if r.stream {
				release()
			}
			return resp, nil
		}
		e := refused(acc, t, r, isAPI, resp)
		if again || e.Code != Limited && e.Code != Secondary {
			return nil, e
		}
	}
}

// refused judges an answer that is an error, and blocks what it tells not to
// ask again. It closes the body.
func refused(acc *account, t token, r request, isAPI bool, resp *http.Response) *Error {
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, refusalBytes)) // one that broke off says less
	words := readRefusal(resp.Header, text)
	switch resp.StatusCode {
	case http.StatusForbidden, http.StatusTooManyRequests:
		if words.tooLarge || words.sso != "" {
			break
		}
		if e := acc.limited(resp.Header, r.resource, resp.StatusCode, words.text); e != nil {
			return e
		}
	}
	e := failure(r.subject, t, isAPI, resp.StatusCode, words)
	if e.Code == Unauthorized && !t.none() {
		acc.block(acc.now().Add(recheck), e, "")
	}
	return e
}

// account is whose limits a request counts against. A host that is none of
// GitHub's endpoints, such as the store of its logs, has none that last.
func (s *Session) account(t token, h Host, known bool) *account {
	switch {
	case !known:
		return newAccount(token{}.name(), "another host", s.c.cfg.Now, s.c.cfg.Log)
	case h == API:
		return s.c.account(t.key, t.name(), apiHost)
	}
	return s.c.account("host "+GitHub().base(h), token{}.name(), strings.TrimPrefix(GitHub().base(h), "https://"))
}

// exchange sends one request and returns its answer, whatever it says. done is
// called when the answer's body is closed, or when there is none.
func (s *Session) exchange(ctx context.Context, t token, r request, u *url.URL, isAPI bool, done func()) (*http.Response, error) {
	b := newBody(ctx, r, s.c.cfg.Timeout, done)
	method, content := http.MethodGet, io.Reader(nil)
	if r.body != nil {
		method, content = http.MethodPost, bytes.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(b.ctx, method, u.String(), content)
	if err != nil {
		b.Close()
		return nil, &Error{Code: Other, Message: r.subject + ": " + line(err.Error()), cause: err}
	}
	maps.Copy(req.Header, r.header)
	req.Header.Set("User-Agent", s.c.cfg.UserAgent)
	if isAPI {
		req.Header.Set("X-GitHub-Api-Version", "2022-11-28")
		if !t.none() {
			req.Header.Set("Authorization", "Bearer "+*t.text)
		}
	}
	resp, err := s.c.cfg.Transport.RoundTrip(req)
	if err != nil {
		err = b.failed(err)
		b.Close()
		return nil, err
	}
	resp.Request = req
	b.receive(resp)
	return resp, nil
}
