package parallel

import (
	"bytes"
	"encoding/json"
	"errors"
)

// The messages of POST /v1/extract, as far as they are used. Fields not named
// here are ignored.

type extractRequest struct {
	URLs      []string         `json:"urls"` // 1 to 20
	Objective string           `json:"objective,omitempty"`
	Advanced  advancedSettings `json:"advanced_settings"`
}

type advancedSettings struct {
	FullContent bool        `json:"full_content"` // the API's default is false
	FetchPolicy fetchPolicy `json:"fetch_policy"`
}

type fetchPolicy struct {
	TimeoutSeconds int `json:"timeout_seconds"` // for a live fetch of one page
}

// liveSeconds ends the live fetch of a slow page before budget does, so that it
// costs none of the other pages of its call.
const liveSeconds = 45

type extractResult struct {
	URL         string   `json:"url"`
	Title       string   `json:"title"`
	PublishDate string   `json:"publish_date"` // YYYY-MM-DD
	Excerpts    excerpts `json:"excerpts"`     // markdown
	FullContent string   `json:"full_content"` // markdown
}

// maxExcerpts is how many excerpts of a page are read. Services send a few.
const maxExcerpts = 1000

// excerpts are the first maxExcerpts strings of a list.
type excerpts []string

func (e *excerpts) UnmarshalJSON(text []byte) error {
	err := readArray(newDecoder(bytes.NewReader(text)), func(one string) error {
		if len(*e) == maxExcerpts {
			return errEnough
		}
		*e = append(*e, one)
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

var errEnough = errors.New("enough")

type extractError struct {
	URL    string `json:"url"`
	Type   string `json:"error_type"` // "fetch_error"
	Status int    `json:"http_status_code"`
}

type extractWarning struct {
	Type    string `json:"type"` // open
	Message string `json:"message"`
}

// apiError is what went wrong with a call as a whole.
type apiError struct {
	Ref     string          `json:"ref_id"`
	Message string          `json:"message"`
	Detail  json.RawMessage `json:"detail"` // of any kind, null where there is none
}
