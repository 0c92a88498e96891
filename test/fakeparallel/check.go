package fakeparallel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"
)

// request is the body of POST /v1/extract, every field of the description.
type request struct {
	URLs          []string  `json:"urls"`
	Objective     *string   `json:"objective"`
	SearchQueries []string  `json:"search_queries"`
	MaxCharsTotal *int      `json:"max_chars_total"`
	SessionID     *string   `json:"session_id"`
	ClientModel   *string   `json:"client_model"`
	Advanced      *advanced `json:"advanced_settings"`
}

type advanced struct {
	FullContent     *fullContent `json:"full_content"`
	ExcerptSettings *struct {
		MaxCharsPerResult *int `json:"max_chars_per_result"`
	} `json:"excerpt_settings"`
	FetchPolicy *struct {
		MaxAgeSeconds        *int     `json:"max_age_seconds"`
		TimeoutSeconds       *float64 `json:"timeout_seconds"`
		DisableCacheFallback *bool    `json:"disable_cache_fallback"`
	} `json:"fetch_policy"`
}

// fullContent is a bool or an object.
type fullContent bool

func (f *fullContent) UnmarshalJSON(text []byte) error {
	var yes bool
	if json.Unmarshal(text, &yes) == nil {
		*f = fullContent(yes)
		return nil
	}
	*f = true
	var settings struct {
		MaxCharsPerResult *int `json:"max_chars_per_result"`
	}
	return strict(text, &settings)
}

func strict(text []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}

// The limits of the description.
const (
	maxURLs      = 20
	maxObjective = 5000
	minMaxAge    = 600
)

// check reads a request; a status other than 0 refuses it.
func check(r *http.Request) (call Call, status int, message, detail string) {
	if r.URL.Path != "/v1/extract" || r.URL.RawQuery != "" {
		return call, http.StatusNotFound, "Not Found", r.URL.String()
	}
	if r.Method != http.MethodPost {
		return call, http.StatusMethodNotAllowed, "Method Not Allowed", r.Method
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return call, http.StatusUnsupportedMediaType, "Unsupported Media Type", r.Header.Get("Content-Type")
	}
	invalid := func(format string, args ...any) (Call, int, string, string) {
		return call, http.StatusUnprocessableEntity, "Request validation error", fmt.Sprintf(format, args...)
	}
	for name := range map[string]bool{"Parallel-Beta": true, "Cookie": true, "Authorization": true} {
		if r.Header.Get(name) != "" {
			return invalid("header %s does not belong here", name)
		}
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return invalid("%v", err)
	}
	var req request
	if err := strict(text, &req); err != nil {
		return invalid("%v", err)
	}
	if n := len(req.URLs); n < 1 || n > maxURLs {
		return invalid("urls: %d, 1 to %d are allowed", n, maxURLs)
	}
	for _, raw := range req.URLs {
		if u, err := url.Parse(raw); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return invalid("urls: %q is no web URL", raw)
		}
	}
	call = Call{URLs: req.URLs, Key: r.Header.Get("X-Api-Key"), At: time.Now(), Body: string(text)}
	if req.Objective != nil {
		call.Objective = *req.Objective
	}
	if n := len([]rune(call.Objective)); n > maxObjective {
		return invalid("objective: %d characters, at most %d are allowed", n, maxObjective)
	}
	if req.SessionID != nil {
		call.Session = *req.SessionID
	}
	if a := req.Advanced; a != nil {
		call.Full = a.FullContent != nil && bool(*a.FullContent)
		if p := a.FetchPolicy; p != nil && p.MaxAgeSeconds != nil && *p.MaxAgeSeconds < minMaxAge {
			return invalid("max_age_seconds: %d, at least %d", *p.MaxAgeSeconds, minMaxAge)
		}
	}
	return call, 0, "", ""
}
