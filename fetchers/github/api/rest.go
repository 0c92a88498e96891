package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"pifetch/internal/termtext"
)

// jsonBytes is the most that is read of a JSON answer.
const jsonBytes = 64 << 20

// Answer is what a JSON call says about itself.
type Answer struct {
	Status int
	Header http.Header
	// Moved is the URL the API redirected to, "" when it did not: the
	// repository or the issue has another name now.
	Moved string
	Next  string // the URL of the next page from the Link header, "" when this is the last
}

// Get decodes the JSON answer of GET path?query into out. path is below the
// API's base, each segment escaped ("repos/o/r/issues/7"), or a whole URL below
// the API's base, as in Answer.Next. A nil out takes no answer; an answer
// without a body leaves out as it is.
func (s *Session) Get(ctx context.Context, path string, query url.Values, out any) (Answer, error) {
	u, err := s.endpoints.resolve(API, path, query)
	if err != nil {
		return Answer{}, err
	}
	r := request{url: u, subject: s.subject(API, u), resource: resource(s.endpoints.API, u)}
	var answer Answer
	var content []byte
	err = s.authorised(ctx, func(t token) (err error) {
		answer, content, err = s.json(ctx, t, r)
		return err
	})
	if err != nil || out == nil || len(content) == 0 {
		return answer, err
	}
	if err := json.Unmarshal(content, out); err != nil {
		return answer, notJSON(r.subject, answer.Header, content, err)
	}
	return answer, nil
}

// json is a GET of the API, out of the cache where GitHub says that it still holds.
func (s *Session) json(ctx context.Context, t token, r request) (Answer, []byte, error) {
	key := t.key + " " + r.url.String()
	r.header = http.Header{"Accept": {JSON}}
	known := s.c.answers.get(key)
	if known != nil {
		r.header.Set("If-None-Match", known.etag)
	}
	resp, err := s.send(ctx, t, r)
	if err != nil {
		return Answer{}, nil, err
	}
	defer resp.Body.Close()
	answer := Answer{Status: resp.StatusCode, Header: resp.Header}
	if final := resp.Request.URL.String(); final != r.url.String() {
		answer.Moved = final
	}
	var content []byte
	if known != nil && resp.StatusCode == http.StatusNotModified {
		answer.Status, answer.Header, content = http.StatusOK, maps.Clone(known.header), known.body
		maps.Copy(answer.Header, resp.Header)
	} else {
		if content, err = readAll(resp.Body, r.subject); err != nil {
			return Answer{}, nil, err
		}
		if etag := resp.Header.Get("ETag"); etag != "" && resp.StatusCode == http.StatusOK {
			s.c.answers.put(&remembered{key: key, etag: etag, header: resp.Header, body: content})
		}
	}
	answer.Next = nextPage(answer.Header)
	return answer, content, nil
}

// nextLink is the link of rel="next" in a Link header, as GitHub writes it.
var nextLink = regexp.MustCompile(`<([^<>]*)>[^<>]*;\s*rel="?next"?`)

func nextPage(h http.Header) string {
	if m := nextLink.FindStringSubmatch(strings.Join(h.Values("Link"), ", ")); m != nil {
		return m[1]
	}
	return ""
}

// subject is what a message calls a URL: the path within the API, without the
// "repos/" that no page has before "octo/hello", and GitHub's own name of
// another host before it.
func (s *Session) subject(h Host, u *url.URL) string {
	path := strings.Trim(strings.TrimPrefix(u.EscapedPath(), basePath(s.endpoints.base(h))), "/")
	if h == API {
		path = strings.TrimPrefix(path, "repos/")
	} else {
		path = strings.TrimPrefix(GitHub().base(h), "https://") + "/" + path
	}
	return termtext.Exact(path)
}

func basePath(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.EscapedPath()
}

// resource is the limit a URL of the API counts against.
func resource(base string, u *url.URL) string {
	path := strings.Trim(strings.TrimPrefix(u.EscapedPath(), basePath(base)), "/")
	switch {
	case path == "search/code":
		return "code_search"
	case strings.HasPrefix(path, "search/"):
		return "search"
	case path == "graphql":
		return "graphql"
	}
	return "core"
}

// readAll reads JSON that is to be decoded.
func readAll(r io.Reader, subject string) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r, jsonBytes+1))
	if err == nil && len(content) > jsonBytes {
		err = &Error{Code: Other, Message: fmt.Sprintf("%s: the answer is over %s", subject, termtext.Bytes(jsonBytes))}
	}
	return content, err
}

// notJSON says why an answer could not be decoded.
func notJSON(subject string, h http.Header, content []byte, err error) *Error {
	e := &Error{Code: Unavailable, Status: http.StatusOK, cause: err}
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	_, syntax := errors.AsType[*json.SyntaxError](err)
	switch {
	case !syntax:
		e.Code, e.Message = Other, subject+": GitHub's answer is not understood: "+line(err.Error())
	case kind != "" && !strings.HasSuffix(kind, "json"):
		e.Message = subject + ": the answer is " + line(kind) + " instead of JSON"
	default:
		e.Message = subject + ": the answer is broken JSON after " + termtext.Bytes(int64(len(content))) + ": " + line(err.Error())
	}
	return e
}
