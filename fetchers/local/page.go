package local

import (
	"context"
	"net/http"

	"pifetch/fetchers"
)

// Page is what a URL answered with, however it was obtained: an HTML document,
// or any other response stored in a file.
type Page struct {
	URL       string // final, without userinfo
	Status    int    // 0 when no response made the page
	Header    http.Header
	MediaType string // lower case, no parameters

	HTML          []byte // UTF-8
	Title         string
	PasswordField bool // a visible one
	StillLoading  bool
	Thin          bool // hardly any text when it settled

	Blocked error // of a challenge: why a headed browser did not get past it; nil when none was wanted

	File        string // name of a complete part file in the task's folder
	Disposition string // its Content-Disposition

	Via string // "rendered"
}

// producer makes pages. Chrome is one.
type producer interface {
	// page opens the task's URL. Its error's text is a reason as it stands in
	// an attempt.
	page(ctx context.Context, req fetchers.Request, t fetchers.Task, stage func(fetchers.Stage)) (*Page, error)
}
