// Package wire is the socket protocol of pifetchd: one JSON object per line in
// both directions. It holds the messages, the error codes, and the reading and
// writing of lines. docs/protocol.md describes the same for other languages.
//
// Things are added, never changed. The messages of hello, status and retire
// are frozen: any client can speak them with any daemon.
package wire

import (
	"encoding/json"
	"errors"
	"unicode/utf8"

	"pifetch/fetchers"
)

// Protocol is the version of the protocol. Its major part (before the dot)
// changes only when old clients can no longer be served.
const Protocol = "1.0"

// The limits of lines and requests.
const (
	MaxRequestLine = 1 << 20  // bytes of one line from a client
	MaxEventLine   = 16 << 20 // bytes of one line from the daemon
	MaxURLs        = 50       // URLs in one fetch
)

// The operations.
const (
	OpHello        = "hello"
	OpFetch        = "fetch"
	OpOpenBrowser  = "open-browser"
	OpCloseBrowser = "close-browser"
	OpCancel       = "cancel"
	OpStatus       = "status"
	OpExplain      = "explain"
	OpRetire       = "retire"
)

// The events.
const (
	EventStatus    = "status"
	EventHeartbeat = "heartbeat"
	EventResult    = "result"
	EventError     = "error"
)

// Header is what every request has. ID is the client's and comes back in every
// event of the request.
type Header struct {
	ID string `json:"id"`
	Op string `json:"op"`
}

// HelloRequest opens a connection. It is optional. Frozen.
type HelloRequest struct {
	Header
	Client   string `json:"client,omitempty"`   // name and version, as in "pifetchctl/1.2.0"
	Protocol string `json:"protocol,omitempty"` // what the client speaks
}

// FetchRequest asks for documents (URLs) or, in the raw form, for the bytes of
// one page (URL and DownloadDir).
type FetchRequest struct {
	Header
	URLs         []string          `json:"urls,omitempty"`
	Objective    string            `json:"objective,omitempty"`
	ArtifactRoot string            `json:"artifactRoot,omitempty"` // absolute
	Session      string            `json:"session,omitempty"`
	Env          fetchers.Env      `json:"env,omitempty"`
	Display      map[string]string `json:"display,omitempty"`
	Tree         bool              `json:"tree,omitempty"`

	URL         string `json:"url,omitempty"`
	DownloadDir string `json:"downloadDir,omitempty"` // absolute
}

// OpenBrowserRequest opens the login window.
type OpenBrowserRequest struct {
	Header
	URL     string            `json:"url,omitempty"`
	Display map[string]string `json:"display,omitempty"` // DISPLAY, WAYLAND_DISPLAY, XAUTHORITY, … of the caller
	Wait    bool              `json:"wait,omitempty"`    // answer when the window is closed
}

// CancelRequest ends another request of the same connection.
type CancelRequest struct {
	Header
	Target string `json:"target"`
}

// ExplainRequest asks who would claim a URL.
type ExplainRequest struct {
	Header
	URL string       `json:"url"`
	Env fetchers.Env `json:"env,omitempty"`
}

// Event is what every line from the daemon has.
type Event struct {
	ID    string `json:"id"`
	Event string `json:"event"`
	Op    string `json:"op,omitempty"` // with a result
}

// StatusEvent is progress on one URL of a fetch, or on a waiting open-browser
// (stage "opened").
type StatusEvent struct {
	Event
	URL string `json:"url,omitempty"`
	fetchers.Stage
}

// StageOpened is the stage of a waiting open-browser once the window is up.
const StageOpened fetchers.StageName = "opened"

// ErrorEvent ends a request that failed.
type ErrorEvent struct {
	Event
	Code   Code   `json:"code"`
	Reason string `json:"reason"` // one line a person can act on
}

// HelloResult answers hello. Frozen.
type HelloResult struct {
	Event
	Protocol     string   `json:"protocol"`
	Version      string   `json:"version"`
	PID          int      `json:"pid"`
	Managed      bool     `json:"managed"`      // started by a service manager
	Capabilities []string `json:"capabilities"` // ops and features, sorted
	State        string   `json:"state"`        // one of the State constants
}

// The states of a daemon.
const (
	StateServing  = "serving"
	StateDraining = "draining"
)

// FetchResult answers the batch form of fetch.
type FetchResult struct {
	Event
	Digest string `json:"digest"`
	fetchers.Result
}

// RawResult answers the raw form of fetch.
type RawResult struct {
	Event
	FinalURL    string `json:"finalUrl"`
	File        string `json:"file"` // absolute
	ContentType string `json:"contentType"`
	Bytes       int64  `json:"bytes"`
	Title       string `json:"title,omitempty"`
}

// OpenBrowserResult answers open-browser.
type OpenBrowserResult struct {
	Event
	PID     int  `json:"pid"`
	Already bool `json:"already,omitempty"` // a window was open before; the URL was opened in it
	Closed  bool `json:"closed,omitempty"`  // with wait: the window has been closed
}

// CloseBrowserResult answers close-browser.
type CloseBrowserResult struct {
	Event
	Closed bool `json:"closed"` // false: there was no window
}

// CancelResult answers cancel.
type CancelResult struct {
	Event
	Found bool `json:"found"`
}

// ExplainResult answers explain.
type ExplainResult struct {
	Event
	URL    string `json:"url"`
	Source string `json:"source,omitempty"` // the fetcher that would be asked first; none claims the URL when absent

	Fetchers []fetchers.Claim `json:"fetchers,omitempty"` // the chain, in order
	Policy   string           `json:"policy,omitempty"`   // what the network policy makes of the host, as far as the URL tells
}

// StatusResult answers status. Frozen up to State; later fields may be added.
type StatusResult struct {
	Event
	Version    string        `json:"version"`
	Protocol   string        `json:"protocol"`
	PID        int           `json:"pid"`
	Managed    bool          `json:"managed"`
	State      string        `json:"state"`
	UptimeSecs int64         `json:"uptimeSecs"`
	IdleSecs   int64         `json:"idleSecs"` // time without a request, 0 while one runs
	Requests   []RequestInfo `json:"requests"`
	Browser    BrowserStatus `json:"browser"`
	Fetchers   []string      `json:"fetchers"` // the chain, in order
	Warnings   []string      `json:"warnings"` // about settings
	Limits     []Limit       `json:"limits,omitempty"`
}

// Limit is what a source leaves of one of its limits, as it said last.
type Limit struct {
	Source      string `json:"source"`   // the fetcher
	Key         string `json:"key"`      // where the key comes from that the limit belongs to, never the key: "GH_TOKEN", "anonymous"
	Resource    string `json:"resource"` // the source's name of it: "core", "search"
	Limit       int    `json:"limit"`
	Remaining   int    `json:"remaining"`
	ResetSecs   int64  `json:"resetSecs"`            // until Remaining is Limit again
	BlockedSecs int64  `json:"blockedSecs,omitzero"` // until the source may be asked again
}

// RequestInfo is one request in flight.
type RequestInfo struct {
	Op      string `json:"op"`
	Client  string `json:"client,omitempty"`
	Session string `json:"session,omitempty"`
	URLs    int    `json:"urls,omitzero"`
	AgeSecs int64  `json:"ageSecs"`
}

// BrowserStatus is the state of Chrome.
type BrowserStatus struct {
	Running     bool         `json:"running"` // the Chrome that opens pages
	PID         int          `json:"pid,omitzero"`
	Version     string       `json:"version,omitempty"`
	Headed      bool         `json:"headed,omitempty"` // it is, because of a challenge; else it is headless
	Tabs        int          `json:"tabs"`             // the pool's size
	Busy        int          `json:"busy"`             // tabs with a URL
	Queued      int          `json:"queued"`           // URLs waiting for a tab
	Interactive *Interactive `json:"interactive,omitempty"`
}

// Interactive is an open login window.
type Interactive struct {
	PID     int    `json:"pid"`
	URL     string `json:"url,omitempty"`
	AgeSecs int64  `json:"ageSecs"`
}

// RetireResult answers retire. Frozen.
type RetireResult struct {
	Event
	Retiring bool `json:"retiring"`
}

// MaxID is the most bytes an id may have: every event repeats it.
const MaxID = 256

// ParseHeader reads the id and op of a request line. Its error is an *Error
// with CodeBadRequest; the id is returned beside it where one can be read.
func ParseHeader(line []byte) (Header, error) {
	var h Header
	if !utf8.Valid(line) {
		return Header{}, Errorf(CodeBadRequest, "the line is not UTF-8")
	}
	err := json.Unmarshal(line, &h)
	if len(h.ID) > MaxID {
		return Header{}, Errorf(CodeBadRequest, "id: at most %d bytes are allowed", MaxID)
	}
	if err != nil {
		return h, jsonError(err)
	}
	if h.ID == "" {
		return h, Errorf(CodeBadRequest, "id: a non-empty string is needed")
	}
	return h, nil
}

// ParseEvent reads what every line from the daemon has.
func ParseEvent(line []byte) (Event, error) {
	var e Event
	err := json.Unmarshal(line, &e)
	return e, err
}

// ParseRequest reads a whole request line. Its error is an *Error with
// CodeBadRequest that names the field.
func ParseRequest[T any](line []byte) (T, error) {
	var req T
	if err := json.Unmarshal(line, &req); err != nil {
		return req, jsonError(err)
	}
	return req, nil
}

func jsonError(err error) error {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if e.Field == "" {
			return Errorf(CodeBadRequest, "the line is a JSON %s: an object is needed", e.Value)
		}
		return Errorf(CodeBadRequest, "%s: a JSON %s does not fit here", e.Field, e.Value)
	}
	return Errorf(CodeBadRequest, "the line is not JSON: %v", err)
}
