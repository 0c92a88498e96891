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
	Unauthorized      // 401: the token is not valid
	Forbidden         // 403 for another reason than a limit
	SSO               // 403: the organisation wants the token authorised for SAML single sign-on
	Limited           // the primary limit is used up
	Secondary         // a secondary limit: too many requests at once or in a minute
	TooLarge          // 406: a diff over GitHub's limits
	Invalid           // 422: a query GitHub does not understand
	Empty             // 409: the repository is empty
	Blocked           // 451: taken down for legal reasons
	Unavailable       // 5xx, a broken answer, no connection
)

// Error is a request that GitHub did not answer as asked.
type Error struct {
	Code    Code
	Status  int       // of HTTP; 0 when there was no answer
	Message string    // GitHub's own words, on one line
	Retry   time.Time // not before; of Limited and Secondary
}

// Error is one line that a person can act on.
func (e *Error) Error() string { return e.Message }

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
func (e *QueryError) Error() string { return e.Errors[0].Message }
