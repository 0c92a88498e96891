// Package api speaks with GitHub: the REST and GraphQL APIs with the caller's
// token, and the hosts that serve files, diffs and archives without one. It
// keeps to GitHub's limits, remembers answers by their ETag, and turns every
// failure into an Error that says what to do next.
package api

import (
	"context"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

// Host is one of the places GitHub is reached at.
type Host int

// The hosts. Only API is ever sent a token.
const (
	API      Host = iota // api.github.com
	Web                  // github.com: .diff, .patch, info/refs, release downloads
	Raw                  // raw.githubusercontent.com
	Gist                 // gist.githubusercontent.com
	Codeload             // codeload.github.com
)

// Endpoints are the base URLs of the hosts, without a slash at the end.
type Endpoints struct{ API, Web, Raw, Gist, Codeload string }

// Config is what a Client is made from.
type Config struct {
	Endpoints func() Endpoints
	Transport http.RoundTripper // how connections are made; nil: http.DefaultTransport
	UserAgent string            // GitHub refuses requests without one
	AgentDir  string            // holds the file github-token; empty: no such file
	Env       []string          // the daemon's environment
	Log       *slog.Logger
	Now       func() time.Time
}

// Client holds what all requests share: answers, budgets, and the daemon's own token.
type Client struct{}

// New returns a client. It asks nobody.
func New(cfg Config) *Client { return &Client{} }

// Session is GitHub as one caller sees it.
func (c *Client) Session(env map[string]string) *Session { return &Session{} }

// Budget is what is left of one limit of one token.
type Budget struct {
	Token     string // where it comes from: "GH_TOKEN", "github-token", "gh", "anonymous"
	Resource  string // "core", "search", "graphql", …
	Limit     int
	Remaining int
	Reset     time.Time
	Blocked   time.Time // no request before this time: a secondary limit; zero when there is none
}

// Budgets lists the limits seen so far.
func (c *Client) Budgets() []Budget { return nil }

// Session asks with one caller's token. Its methods may be called concurrently.
type Session struct{}

// Token reports whether there is a token. It may run gh, once.
func (s *Session) Token(ctx context.Context) bool { return false }

// Endpoint is the base URL of a host, without a slash at the end.
func (s *Session) Endpoint(h Host) string { return "" }

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
// the API's base, as in Answer.Next.
func (s *Session) Get(ctx context.Context, path string, query url.Values, out any) (Answer, error) {
	return Answer{}, nil
}

// Pages walks a paginated list of T page by page along the Link header, 100 items
// each where the query does not say otherwise. The page that cannot be had
// yields the error and ends the walk.
func Pages[T any](ctx context.Context, s *Session, path string, query url.Values) iter.Seq2[[]T, error] {
	return nil
}

// Stream is an answer that is not JSON, as it arrives. The caller closes Body.
type Stream struct {
	URL    string // the final one
	Header http.Header
	Length int64 // -1: unknown
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
// to the API alone. An answer that is not 200 is an *Error.
//
// A body may take ten minutes, and 30 seconds without a byte.
func (s *Session) Open(ctx context.Context, h Host, path string, query url.Values, accept string) (*Stream, error) {
	return nil, nil
}

// Query runs a GraphQL query through githubv4: q is a pointer to a struct,
// vars its variables. It fails with ErrNoToken when there is no token. Parts of
// the answer that could be had are in q even when the error is a *QueryError.
func (s *Session) Query(ctx context.Context, q any, vars map[string]any) error { return nil }
