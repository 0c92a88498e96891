package parallel

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
	Excerpts    []string `json:"excerpts"`     // markdown
	FullContent string   `json:"full_content"` // markdown
}

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
	Ref     string `json:"ref_id"`
	Message string `json:"message"`
	Detail  any    `json:"detail"`
}
