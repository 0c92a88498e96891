package profile

import (
	"net/http"
	"net/url"
	"time"
)

// Visit is one URL to open in a tab of Chrome.
type Visit struct {
	// URL is http or https. Userinfo is sent to its origin as basic auth and
	// to nobody else.
	URL *url.URL

	// Accept, when set, is sent in the place of Chrome's own Accept header with
	// the requests for the main document, on every step of the way. A server
	// that turns a page down for it is asked again as Chrome asks.
	Accept string

	// Alternates, when set, is shown the page of HTML that the visit ended on,
	// unless that is suspect, and names addresses where the same document may be had as text. The tab
	// asks there, in turn and for some seconds in all, with the cookies of the
	// page and on its origin only, until one answers with plain text or
	// markdown. Whatever else happens there is no failure of the visit.
	Alternates func(*Page) []*url.URL

	// Session is whose turn the queue counts this visit as.
	Session string

	// PartFile makes the absolute path of a file that a download may be
	// written to. It is called at most once, and only for a response that is
	// not a page, or for an alternate of one.
	PartFile func() (string, error)

	// Suspect, when set, says of a page with little text or with an error
	// status that it stands in place of the page wanted, as the page of a
	// browser check does. It gets Patience to lead to another one, which is
	// then taken instead, and is the result itself when it does not.
	Suspect  func(*Page) bool
	Patience time.Duration

	// Headed, when set, opens a page that is suspect to the end once more in a
	// headed Chrome, if there is a display for one.
	Headed *Headed

	// Stage, when set, hears of progress: "queued", "started", "navigating",
	// "settling", "downloading".
	Stage func(Progress)
}

// Headed is how a headed Chrome takes part in a visit.
type Headed struct {
	Display  map[string]string // the display variables of whoever asks; others are ignored
	Patience time.Duration     // as in Visit, there
}

// Progress is one step of a visit.
type Progress struct {
	Stage  string
	Budget time.Duration // with started: the most the visit may take, a retry and a headed Chrome counted in
	Bytes  int64         // with downloading
	Total  int64         // with downloading; 0 when unknown
}

// Page is what the main frame of a tab ended on: a document of the renderer
// (HTML is set) or a response stored in a file (File is set). Whether its
// status makes it content is for the caller to judge.
type Page struct {
	URL       string      // final, fragment included, userinfo removed
	Status    int         // of the response that made the document; 0 when there was none (service worker)
	Header    http.Header // of the same response
	MediaType string      // what the renderer committed to, or the file's Content-Type; lower case, no parameters

	HTML          []byte   // serialised with its shadow roots as <template shadowrootmode>, UTF-8
	Title         string   // document.title
	Hops          []string // the URLs passed on the way here, the first one first; empty without a redirect
	PasswordField bool     // a visible <input type=password>
	StillLoading  bool     // settled by the end of the budget
	Thin          bool     // hardly any text when it settled

	suspect   bool  // by Visit.Suspect, to the end
	Blocked   error // of a suspect page: why a headed Chrome did not help; nil when none was wanted
	Alternate *Page // what one of Visit.Alternates answered with, a file; nil without

	File        string // absolute path of the complete body, decoded
	FileBytes   int64
	Disposition string // the original Content-Disposition
}
