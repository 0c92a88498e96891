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

	Blocked   error // of a challenge: why a headed browser did not get past it; nil when none was wanted
	Alternate *Page // another form of it that the site serves as text, a file; nil without

	File        string // name of a complete part file in the task's folder
	Disposition string // its Content-Disposition

	Via string // "rendered"
}

// form is what a page is wanted as.
type form bool

const (
	asRendered form = false // what the browser of a person gets
	asMarkdown form = true  // markdown, where the site has it
)

// producer makes pages. Chrome is one.
type producer interface {
	// page opens the task's URL. Its error's text is a reason as it stands in
	// an attempt.
	page(ctx context.Context, req fetchers.Request, t fetchers.Task, as form, stage func(fetchers.Stage)) (*Page, error)
}
