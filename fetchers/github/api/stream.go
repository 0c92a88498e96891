package api

import (
	"context"
	"io"
	"net/http"
	"net/url"
)

// Stream is an answer that is not JSON, as it arrives. The caller closes Body.
type Stream struct {
	URL    string // the final one; its query may hold a signature, so it stands in no document
	Header http.Header
	Length int64 // -1: unknown, as of what was compressed on its way
	Body   io.ReadCloser
}

// Media types of the API.
const (
	JSON   = "application/vnd.github+json"
	RawObj = "application/vnd.github.raw+json"
	Diff   = "application/vnd.github.diff"
	Patch  = "application/vnd.github.patch"
)

// Open asks host for path?query and streams the answer. accept is a media type
// of the API, "" for the other hosts. Redirects are followed; the token goes
// to the API alone. An answer that is not 200 is an *Error, and so is a body
// that ends before it is complete.
//
// A body may take ten minutes, and 30 seconds without a byte.
func (s *Session) Open(ctx context.Context, h Host, path string, query url.Values, accept string) (*Stream, error) {
	u, err := s.endpoints.resolve(h, path, query)
	if err != nil {
		return nil, err
	}
	r := request{url: u, subject: s.subject(h, u), header: http.Header{}, stream: true}
	if accept != "" {
		r.header.Set("Accept", accept)
	}
	var resp *http.Response
	open := func(t token) (err error) {
		resp, err = s.send(ctx, t, r)
		return err
	}
	if h == API {
		r.resource = resource(s.endpoints.API, u)
		err = s.authorised(ctx, open)
	} else {
		err = open(token{})
	}
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, failure(r.subject, token{}, false, resp.StatusCode, words{})
	}
	return &Stream{URL: resp.Request.URL.String(), Header: resp.Header, Length: resp.ContentLength, Body: resp.Body}, nil
}
