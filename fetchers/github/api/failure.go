package api

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"time"

	"pifetch/internal/termtext"
)

// line makes words of GitHub's one line of bounded length, without the full
// stop.
func line(words string) string {
	return strings.TrimSuffix(termtext.Cap(termtext.Line(words), 300), ".")
}

// refusal is the JSON of an answer that is not 200.
type refusal struct {
	Message string
	Errors  refusalDetails
}

// refusalDetails is what the member errors holds: strings or objects.
type refusalDetails []refusalDetail

type refusalDetail struct{ Message, Code, Field string }

// UnmarshalJSON takes whatever GitHub sends; what it does not know it leaves out.
func (d *refusalDetails) UnmarshalJSON(text []byte) error {
	var one []json.RawMessage
	_ = json.Unmarshal(text, &one)
	for _, raw := range one {
		var detail refusalDetail
		if json.Unmarshal(raw, &detail) != nil {
			_ = json.Unmarshal(raw, &detail.Message)
		}
		*d = append(*d, detail)
	}
	return nil
}

// words is what a refusal says.
type words struct {
	text     string // on one line; may be empty
	tooLarge bool   // the code of GitHub's for what is over the API's limits
	sso      string // the header that asks for single sign-on
}

// readRefusal takes GitHub's words from the body of a refusal: JSON, or a line
// of plain text. A page says nothing.
func readRefusal(h http.Header, body []byte) words {
	var w words
	if sso := h.Get("X-GitHub-SSO"); strings.HasPrefix(sso, "required") {
		w.sso = sso
	}
	var r refusal
	if json.Unmarshal(body, &r) == nil {
		all := []string{line(r.Message)}
		for _, d := range r.Errors {
			w.tooLarge = w.tooLarge || d.Code == "too_large"
			text := line(d.Message)
			if text == "" {
				text = line(d.Field + " " + d.Code)
			}
			if !strings.Contains(r.Message, text) {
				all = append(all, text)
			}
		}
		w.text = line(strings.Trim(strings.Join(all, ": "), ": "))
		return w
	}
	if kind, _, _ := mime.ParseMediaType(h.Get("Content-Type")); kind == "text/plain" {
		first, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n")
		w.text = line(first)
	}
	return w
}

// failure is the error of an answer that is neither a success nor a limit.
func failure(subject string, t token, isAPI bool, status int, w words) *Error {
	head := strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status))) + ": "
	detail := ""
	if w.text != "" {
		detail = ": " + w.text
	}
	withToken := isAPI && !t.none()
	login := ""
	if isAPI && t.none() {
		login = ": set GH_TOKEN or run: gh auth login"
	}
	e := &Error{Status: status, Message: head + subject + detail}
	switch {
	case status == http.StatusUnauthorized && withToken:
		e.Code, e.Message = Unauthorized, head+"the token from "+t.source+" is not valid"+detail+": "+t.remedy
	case status == http.StatusUnauthorized && isAPI:
		e.Code, e.cause, e.Message = Unauthorized, ErrNoToken, head+subject+" "+ErrNoToken.Error()
	case status == http.StatusUnauthorized:
		e.Code, e.Message = Unauthorized, head+subject+" needs a login"
	case status == http.StatusForbidden && w.sso != "":
		e.Code, e.Message = SSO, head+ssoText(t, w.sso)
	case w.tooLarge, status == http.StatusNotAcceptable:
		e.Code, e.Message = TooLarge, head+subject+" is over GitHub's limits"+detail
	case status == http.StatusForbidden:
		e.Code, e.Message = Forbidden, head+subject+detail+login
	case status == http.StatusNotFound && withToken:
		e.Code, e.Message = NotFound, head+subject+" does not exist, or the token from "+t.source+" may not see it"
	case status == http.StatusNotFound:
		e.Code, e.Message = NotFound, head+subject+" does not exist, or is private"+login
	case status == http.StatusGone:
		e.Code, e.Message = Gone, head+subject+" was deleted, or is switched off"+detail
	case status == http.StatusConflict:
		e.Code = Empty
	case status == http.StatusUnprocessableEntity:
		e.Code = Invalid
	case status == http.StatusUnavailableForLegalReasons:
		e.Code = Blocked
	case status >= 500:
		e.Code = Unavailable
	}
	return e
}

// ssoText tells where a token is authorised: the header X-GitHub-SSO is
// "required; url=https://github.com/orgs/…".
func ssoText(t token, header string) string {
	text := "the organisation wants the token from " + t.name() + " authorised for SAML single sign-on"
	if _, page, ok := strings.Cut(header, "url="); ok {
		return text + ": open " + termtext.Exact(page)
	}
	return text + ": open https://github.com/settings/tokens"
}

// limitError is the primary limit of a token, b.Token, used up.
func limitError(b Budget, until time.Time, status int) *Error {
	what, period, layout := "requests", "an hour", "15:04 MST"
	switch b.Resource {
	case "core":
	case "graphql":
		what = "GraphQL points"
	case "search", "code_search":
		what, period, layout = "searches", "a minute", "15:04:05 MST"
	default:
		what, period, layout = "requests for "+line(b.Resource), "", "15:04:05 MST"
	}
	at := until.UTC()
	if layout == "15:04 MST" {
		at = at.Add(time.Minute - time.Second).Truncate(time.Minute)
	}
	count, whose, remedy := "", "with the token from "+b.Token, ""
	if b.Limit > 0 {
		count = termtext.Count(b.Limit) + " "
	}
	if b.Token == (token{}).name() {
		whose, remedy = "without a token", ": set GH_TOKEN or run: gh auth login"
	}
	words := strings.Join(strings.Fields(what+" "+period+" "+whose), " ")
	return &Error{
		Code: Limited, Status: status, Retry: until,
		Message: fmt.Sprintf("GitHub's limit of %s%s is used up until %s%s", count, words, at.Format(layout), remedy),
	}
}

// pauseError is a secondary limit.
func pauseError(host string, until time.Time, pause time.Duration, status int) *Error {
	kind := "secondary rate limit"
	if host != apiHost {
		kind = "too many requests to " + host
	}
	at := until.UTC().Add(time.Second - 1).Truncate(time.Second)
	return &Error{
		Code: Secondary, Status: status, Retry: until,
		Message: fmt.Sprintf("GitHub asks for a pause of %ds (%s) until %s", int(pause.Round(time.Second)/time.Second), kind, at.Format("15:04:05 MST")),
	}
}

// secondaryWords reports whether GitHub's words are those of a secondary limit.
func secondaryWords(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "secondary rate limit") || strings.Contains(text, "abuse detection")
}
