package parallel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"pifetch/internal/termtext"
	"pifetch/internal/weburl"
)

// maxWords is how many characters of the API's own words a reason has.
const maxWords = 300

// steps are what a person does about an answer.
var steps = map[int]string{
	http.StatusUnauthorized:    "check " + keyVariable,
	http.StatusPaymentRequired: "the account of " + keyVariable + " has no credit left",
	http.StatusForbidden:       "the account of " + keyVariable + " may not extract pages",
	http.StatusTooManyRequests: "try again in a minute",
}

// refused is the error of an answer that is none. It closes the body.
func (a account) refused(resp *http.Response) error {
	defer resp.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBytes)) // one that broke off says less
	reason := strings.TrimSpace(fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode)))
	var body struct {
		Error apiError `json:"error"`
	}
	if json.Unmarshal(text, &body) == nil {
		if words := a.words(body.Error); words != "" {
			reason += ": " + words
		}
	}
	if step := steps[resp.StatusCode]; step != "" {
		reason += " — " + step
	}
	return errors.New(reason)
}

// words are what the API says of an error, with what finds it in Parallel's
// own logs.
func (a account) words(e apiError) string {
	words := e.Message
	if detail := string(e.Detail); detail != "null" {
		words = strings.TrimSpace(words + " " + detail)
	}
	words = a.clean(words)
	if ref := termtext.Cap(a.clean(e.Ref), 80); ref != "" {
		words = strings.TrimSpace(words + " (ref " + ref + ")")
	}
	return words
}

// clean is foreign text fit for a reason: one short line without the key and
// without passwords in URLs.
func (a account) clean(s string) string {
	if len(s) > maxErrorBytes {
		return "[too long]"
	}
	s = termtext.Line(s)
	if a.key != nil {
		s = strings.ReplaceAll(s, *a.key, "[key]")
	}
	return termtext.Cap(weburl.RedactText(s), maxWords)
}
