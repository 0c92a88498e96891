package fakegithub

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Failure is an answer in place of the right one.
type Failure struct {
	Status int
	Header map[string]string
	Body   string
	// Retry is how long the identity that was refused has to wait, of a
	// secondary limit of the API. Requests it makes before are faults.
	Retry time.Duration
	// Cut ends a right answer after so many bytes, when it is not 0.
	Cut int
	// GraphQL are errors that come with a right answer's data.
	GraphQL []map[string]any
	// Hang says that there is no answer at all, until the asker gives up.
	Hang bool
	// Null are paths of the data, "repository.pullRequest", that are null in
	// that answer. In a list "0" is its first item and "*" every one.
	Null []string
}

type failure struct {
	Failure
	match  string
	once   bool
	served int
}

// Fail answers the next request that matches with a failure. match is a host and
// the beginning of a path, "api /repos/octo/hello/issues/1", or with "$" behind
// it the whole path, "web /octo/hello/pull/7.diff$"; or "graphql" and, if need
// be, something that stands in the query, "graphql pullRequest(". A failure
// nobody runs into is a fault.
func (f *Fake) Fail(match string, x Failure) { f.addFailure(match, x, true) }

// FailAlways is Fail for all requests to come.
func (f *Fake) FailAlways(match string, x Failure) { f.addFailure(match, x, false) }

func (f *Fake) addFailure(match string, x Failure, once bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures = append(f.failures, &failure{Failure: x, match: match, once: once})
}

// Failed is how many requests ran into the failures for match.
func (f *Fake) Failed(match string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, x := range f.failures {
		if x.match == match {
			n += x.served
		}
	}
	return n
}

// failing is the failure that a request runs into, nil for none. where is
// "api /path" or "graphql query".
func (f *Fake) failing(where string) *Failure {
	f.mu.Lock()
	defer f.mu.Unlock()
	host, rest, _ := strings.Cut(where, " ")
	for _, x := range f.failures {
		wantHost, want, _ := strings.Cut(x.match, " ")
		whole, isWhole := strings.CutSuffix(want, "$")
		fits := strings.HasPrefix(rest, want) || isWhole && rest == whole
		if host == "graphql" {
			fits = strings.Contains(rest, want)
		}
		if host != wantHost || !fits || x.once && x.served > 0 {
			continue
		}
		x.served++
		return &x.Failure
	}
	return nil
}

// broken reports whether the failure is a right answer that arrives damaged.
func (x *Failure) broken() bool { return x != nil && x.Status == 0 && !x.Hang }

// serve answers with the failure.
func (x Failure) serve(w http.ResponseWriter, r *http.Request) {
	if x.Hang {
		<-r.Context().Done()
		return
	}
	x.write(w)
}

func (x Failure) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	for k, v := range x.Header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(x.Status)
	fmt.Fprint(w, x.Body)
}

func failed(status int, message string) Failure {
	return Failure{Status: status, Body: fmt.Sprintf(`{"message":%q,"documentation_url":"https://docs.github.com/rest","status":"%d"}`, message, status)}
}

// Unauthorized is what an expired token gets.
func Unauthorized() Failure { return failed(401, "Bad credentials") }

// NotFound is what does not exist, or may not be seen.
func NotFound() Failure { return failed(404, "Not Found") }

// Forbidden is a 403 that is no limit.
func Forbidden(message string) Failure { return failed(403, message) }

// SAML asks for the token to be authorised by the organisation.
func SAML(org string) Failure {
	x := failed(403, "Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.")
	x.Header = map[string]string{"X-GitHub-SSO": "required; url=https://github.com/orgs/" + org + "/sso?authorization_request=A1B2"}
	return x
}

// Primary is the answer once a limit is used up.
func Primary(reset time.Time) Failure {
	x := failed(403, "API rate limit exceeded for user ID 1. If you reach out to GitHub Support for help, please include the request ID.")
	x.Header = map[string]string{
		"X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "0", "X-RateLimit-Used": "5000",
		"X-RateLimit-Resource": "core", "X-RateLimit-Reset": fmt.Sprint(reset.Unix()),
	}
	return x
}

// Secondary is the answer to too many requests at once. retry is in whole seconds.
func Secondary(retry time.Duration) Failure {
	x := failed(403, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.")
	x.Header = map[string]string{"Retry-After": fmt.Sprint(int(retry.Seconds()))}
	x.Retry = retry
	return x
}

// TooManyRequests is how the hosts beside the API refuse; retry 0 does not say when to come back.
func TooManyRequests(retry time.Duration) Failure {
	x := Failure{Status: 429, Header: map[string]string{"Content-Type": "text/html"}, Body: "<html><title>Rate limit · GitHub</title></html>"}
	if retry > 0 {
		x.Header["Retry-After"] = fmt.Sprint(int(retry.Seconds()))
	}
	return x
}

// TooLarge is a diff over the limits.
func TooLarge() Failure {
	x := failed(406, "")
	x.Body = `{"message":"Sorry, the diff exceeded the maximum number of lines (20000)","errors":[{"resource":"PullRequest","field":"diff","code":"too_large"}],"documentation_url":"https://docs.github.com/rest/pulls/pulls#list-pull-requests-files","status":"406"}`
	return x
}

// Gone is a deleted issue, or issues switched off.
func Gone(message string) Failure { return failed(410, message) }

// Conflict is git data of an empty repository.
func Conflict() Failure { return failed(409, "Git Repository is empty.") }

// Invalid is a search that GitHub does not understand.
func Invalid(message string) Failure {
	return Failure{Status: 422, Body: fmt.Sprintf(`{"message":"Validation Failed","errors":[{"message":%q,"resource":"Search","field":"q","code":"invalid"}],"documentation_url":"https://docs.github.com/v3/search/"}`, message)}
}

// Blocked is content taken down for legal reasons.
func Blocked() Failure {
	return Failure{Status: 451, Body: `{"message":"Repository access blocked","block":{"reason":"dmca","created_at":"2026-01-01T00:00:00Z","html_url":"https://github.com/github/dmca/blob/master/2026/01/2026-01-01-octo.md"}}`}
}

// Unavailable is GitHub's page for a fault of its own: 500, 502, 503 or 504.
func Unavailable(status int) Failure {
	return Failure{Status: status, Header: map[string]string{"Content-Type": "text/html"}, Body: "<html><title>Unicorn! &middot; GitHub</title></html>"}
}

// Truncated is a right answer that breaks off after so many bytes.
func Truncated(after int) Failure { return Failure{Cut: after} }

// Hanging is no answer at all, until the asker gives up.
func Hanging() Failure { return Failure{Hang: true} }

// QueryErrors come with status 200 and data whose named paths are null: an error with a type and a message, about the first of them.
func QueryErrors(null []string, kind, message string) Failure {
	var path []any
	if len(null) > 0 {
		for _, p := range strings.Split(null[0], ".") {
			if n, err := strconv.Atoi(strings.Replace(p, "*", "0", 1)); err == nil {
				path = append(path, n)
			} else {
				path = append(path, p)
			}
		}
	}
	return Failure{Null: null, GraphQL: []map[string]any{{"type": kind, "path": path, "message": message}}}
}

// QueryLimited is the primary limit of GraphQL: status 200, no data.
func QueryLimited(reset time.Time) Failure {
	return Failure{
		Status: 200, Body: `{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded for user ID 1."}]}`,
		Header: map[string]string{
			"X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "0", "X-RateLimit-Used": "5000",
			"X-RateLimit-Resource": "graphql", "X-RateLimit-Reset": fmt.Sprint(reset.Unix()),
		},
	}
}
