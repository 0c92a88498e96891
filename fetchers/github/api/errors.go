package api

import (
	"errors"
	"time"
)

// ErrNoToken is the error of what GitHub serves to nobody without a token.
var ErrNoToken = errors.New("needs a GitHub token: set GH_TOKEN or run: gh auth login")

// Code is the kind of a failure.
type Code int

// The kinds of failures.
const (
	Other        Code = iota
	NotFound          // 404: it does not exist, or the token may not see it
	Gone              // 410: deleted, or the feature is switched off
	Unauthorized      // 401: the token is not valid, or there is none; errors.Is ErrNoToken tells which
	Forbidden         // 403 for another reason than a limit
	SSO               // 403: the organisation wants the token authorised for SAML single sign-on
	Limited           // the primary limit is used up
	Secondary         // a secondary limit: too many requests at once or in a minute
	TooLarge          // 406: a diff over GitHub's limits; a file over the API's
	Invalid           // 422: a query GitHub does not understand
	Empty             // 409: the repository is empty
	Blocked           // 451: taken down for legal reasons
	Unavailable       // 5xx, a broken answer, no connection
)

// Error is a request that GitHub did not answer as asked.
type Error struct {
	Code    Code
	Status  int       // of HTTP; 0 when there was no answer
	Message string    // what failed, GitHub's own words and the next step, on one line
	Retry   time.Time // not before; of Limited and Secondary

	cause error
}

// Error is one line that a person can act on.
func (e *Error) Error() string { return e.Message }

// Unwrap is what made the connection fail, or ErrNoToken.
func (e *Error) Unwrap() error { return e.cause }

// QueryError is a GraphQL answer with errors. What came along with them was
// decoded.
type QueryError struct {
	Errors []struct {
		Type    string // "NOT_FOUND", "FORBIDDEN", "RATE_LIMITED", …
		Path    []any
		Message string
	}
}

// Error is one line that a person can act on.
func (e *QueryError) Error() string {
	first := e.Errors[0]
	if first.Type == "NOT_FOUND" {
		return "404 Not Found: " + line(first.Message) + " (it does not exist, or the token may not see it)"
	}
	return "GraphQL: " + line(first.Message)
}

// CodeOf is the kind of a failure of any call of this package. A GraphQL
// answer is judged by what it has instead of a field of the query itself, such
// as the repository or the issue in it; deeper gaps are Other.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	if errors.Is(err, ErrNoToken) {
		return Unauthorized
	}
	if e, ok := errors.AsType[*QueryError](err); ok {
		for _, one := range e.Errors {
			if one.Type == "RESOURCE_LIMITS_EXCEEDED" {
				return Unavailable
			}
			if len(one.Path) > 2 {
				continue
			}
			switch one.Type {
			case "NOT_FOUND":
				return NotFound
			case "FORBIDDEN", "INSUFFICIENT_SCOPES":
				return Forbidden
			}
		}
	}
	return Other
}
