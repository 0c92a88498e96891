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
	words = a.clean(strings.TrimSpace(words + " " + wordsOf(e.Detail)))
	if ref := termtext.Cap(a.clean(e.Ref), 80); ref != "" {
		words = strings.TrimSpace(words + " (ref " + ref + ")")
	}
	return words
}

// wordsOf is a detail in one spelling, in which the key is found.
func wordsOf(detail json.RawMessage) string {
	if len(detail) > maxErrorBytes {
		return "[detail too long]"
	}
	var value any
	if json.Unmarshal(detail, &value) != nil || value == nil {
		return ""
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
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
