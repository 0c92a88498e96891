package fakeparallel

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
)

// Response is the body of an answer that is none of an error.
type Response struct {
	ExtractID string      `json:"extract_id"`
	SessionID string      `json:"session_id"`
	Results   []Result    `json:"results"`
	Errors    []PageError `json:"errors"`
	Warnings  []Warning   `json:"warnings,omitempty"`
	Usage     []Usage     `json:"usage,omitempty"`
}

// Result is one page. Optional fields are null where they are nil.
type Result struct {
	URL         string   `json:"url"`
	Title       *string  `json:"title"`
	PublishDate *string  `json:"publish_date"`
	Excerpts    []string `json:"excerpts"`
	FullContent *string  `json:"full_content"`
}

// PageError is one page that could not be had.
type PageError struct {
	URL     string  `json:"url"`
	Type    string  `json:"error_type"`
	Status  *int    `json:"http_status_code"`
	Content *string `json:"content"`
}

// Warning is about the request.
type Warning struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Detail  any    `json:"detail,omitempty"`
}

// Usage is what a request costs.
type Usage struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Reply answers a call; known is what the API knows of its URLs.
type Reply func(w http.ResponseWriter, r *http.Request, known Response)

// OK answers with what is known, after edit has changed it.
func OK(edit func(*Response)) Reply {
	return func(w http.ResponseWriter, _ *http.Request, known Response) {
		if edit != nil {
			edit(&known)
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(known)
	}
}

// RefID is the ref_id of every error.
const RefID = "fxb-71c0-42aa"

// Refuse is the API's error, with pairs of headers.
func Refuse(status int, message string, detail any, headers ...string) Reply {
	return func(w http.ResponseWriter, _ *http.Request, _ Response) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(map[string]any{
			"type":  "error",
			"error": map[string]any{"ref_id": RefID, "message": message, "detail": detail},
		})
	}
}

// Text answers with anything.
func Text(status int, contentType, text string) Reply {
	return func(w http.ResponseWriter, _ *http.Request, _ Response) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		io.WriteString(w, text)
	}
}

// Gzip answers with what is known, compressed where the client takes that.
func Gzip() Reply {
	return func(w http.ResponseWriter, r *http.Request, known Response) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			OK(nil)(w, r, known)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		json.NewEncoder(z).Encode(known)
	}
}

// Hang says nothing until the client has gone.
func Hang() Reply {
	return func(_ http.ResponseWriter, r *http.Request, _ Response) { <-r.Context().Done() }
}

// After answers a while later.
func After(d time.Duration, reply Reply) Reply {
	return func(w http.ResponseWriter, r *http.Request, known Response) {
		select {
		case <-time.After(d):
			reply(w, r, known)
		case <-r.Context().Done():
		}
	}
}

// Truncate answers with the text up to and including the end of the first
// result, as if that were all.
func Truncate() Reply {
	return func(w http.ResponseWriter, _ *http.Request, known Response) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, firstResult(known))
	}
}

// Reset answers so and then resets the connection.
func Reset() Reply {
	return func(w http.ResponseWriter, _ *http.Request, known Response) {
		text := firstResult(known)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, text)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func firstResult(known Response) string {
	one, err := json.Marshal(known.Results[0])
	if err != nil {
		panic(err)
	}
	return `{"extract_id":"extract_1","results":[` + string(one) + `,`
}

// Large answers with the known results and then with n bytes of one more.
func Large(n int64) Reply {
	return func(w http.ResponseWriter, _ *http.Request, known Response) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, firstResult(known)+`{"url":"https://www.example.net/large","excerpts":[],"full_content":"`)
		block := strings.Repeat("x", 1<<16)
		for ; n > 0; n -= int64(len(block)) {
			if _, err := io.WriteString(w, block); err != nil {
				return
			}
		}
		io.WriteString(w, `"}],"errors":[]}`)
	}
}
