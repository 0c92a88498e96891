package profile

import (
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
)

// maxMoves is how often a page may lead to another one by script or refresh.
// HTTP redirects have Chrome's own limit.
const maxMoves = 20

// navigation is what happens in the main frame during one visit. Its fields
// are guarded by the tab's mutex.
type navigation struct {
	visit  Visit
	frame  proto.PageFrameID
	opts   tabOptions
	take   take
	settle *settler
	wake   chan struct{} // told of every event

	patience  time.Time // until when suspect pages are waited for; zero before the first
	lastEvent time.Time
	opened    bool               // Page.navigate has returned, and a document was committed
	answers   map[string]*answer // to main-frame document requests, by loader
	failed    *answer            // the last of them that failed
	current   *answer            // the one the current document came with
	url       string             // of the current document
	hops      []string           // URLs passed on the way to it
	moves     int                // documents so far

	// What the visit ends with, where that is no document. The first one stays.
	err    *VisitError
	status *answer // only the status of this response matters
	file   *answer // this response is being stored
	again  bool    // what came is no page, and must be asked for again to be stored

	download *download // awaited; released with the navigation
	tall     bool      // the window has been made tall
	grown    bool      // which made the page longer
	unrolled bool      // its end has been shown again and again
}

// take is what an attempt is for.
type take int

const (
	takeAny  take = iota // the document, or a file
	takeFile             // whatever comes is stored
	takeText             // plain text or markdown is stored; of anything else only the status matters
)

// answer is a response on its way, or arrived.
type answer struct {
	response
	mimeType string // by Chrome's judgement
	hops     []string
	bytes    int64 // decoded, received so far
	failure  string
}

func newNavigation(v Visit, frame proto.PageFrameID, o tabOptions, t take, now time.Time) *navigation {
	rules := defaultSettle
	rules.Navigation, rules.Budget = o.Navigation, o.Settle
	return &navigation{
		visit: v, frame: frame, opts: o, take: t,
		settle: newSettler(rules, now), wake: make(chan struct{}, 1),
		lastEvent: now, answers: map[string]*answer{},
	}
}

func (n *navigation) signal() {
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// ended reports whether the visit ends without a document.
func (n *navigation) ended() bool {
	return n.err != nil || n.status != nil || n.file != nil || n.again
}

func (n *navigation) fail(err *VisitError) {
	if !n.ended() {
		n.err = err
	}
}

// pageEvent has the fields of all events a navigation looks at.
type pageEvent struct {
	Delay            float64         `json:"delay"`
	DataLength       int64           `json:"dataLength"`
	ErrorText        string          `json:"errorText"`
	FrameID          string          `json:"frameId"`
	LoaderID         string          `json:"loaderId"`
	Name             string          `json:"name"`
	NetworkID        string          `json:"networkId"`
	Payload          string          `json:"payload"`
	RequestID        string          `json:"requestId"`
	ResourceType     string          `json:"resourceType"`
	Type             string          `json:"type"`
	URL              string          `json:"url"`
	RedirectResponse json.RawMessage `json:"redirectResponse"`
	Request          struct {
		URL     string          `json:"url"`
		Headers json.RawMessage `json:"headers"`
	} `json:"request"`
	Response struct {
		Status   int                  `json:"status"`
		MIMEType string               `json:"mimeType"`
		Headers  proto.NetworkHeaders `json:"headers"`
	} `json:"response"`
	Frame struct {
		ParentID       string `json:"parentId"`
		LoaderID       string `json:"loaderId"`
		URL            string `json:"url"`
		URLFragment    string `json:"urlFragment"`
		UnreachableURL string `json:"unreachableUrl"`
	} `json:"frame"`
	AuthChallenge struct {
		Source string `json:"source"`
	} `json:"authChallenge"`
	ResponseErrorReason string                    `json:"responseErrorReason"`
	ResponseStatusCode  *int                      `json:"responseStatusCode"`
	ResponseHeaders     []*proto.FetchHeaderEntry `json:"responseHeaders"`
}

// decodeEvent reads the events a navigation looks at.
func decodeEvent(e *cdp.Event) (pageEvent, bool) {
	var ev pageEvent
	switch e.Method {
	case "Fetch.requestPaused", "Fetch.authRequired",
		"Network.requestWillBeSent", "Network.responseReceived", "Network.dataReceived", "Network.loadingFinished", "Network.loadingFailed",
		"Page.frameNavigated", "Page.navigatedWithinDocument", "Page.lifecycleEvent",
		"Page.frameScheduledNavigation", "Page.frameRequestedNavigation", "Page.frameClearedScheduledNavigation",
		"Runtime.bindingCalled":
		return ev, json.Unmarshal(e.Params, &ev) == nil
	}
	return ev, false
}

// answerOf is the answer to the main-frame document request of a loader.
func (n *navigation) answerOf(loader, u string) *answer {
	a := n.answers[loader]
	if a == nil {
		a = &answer{}
		n.answers[loader] = a
	}
	if parsed, err := url.Parse(u); err == nil {
		a.url = parsed
	} else if a.url == nil {
		a.url = n.visit.URL
	}
	return a
}

func (n *navigation) event(now time.Time, method string, e pageEvent) {
	n.lastEvent = now
	n.signal()
	s := n.settle
	main := e.FrameID == string(n.frame)
	switch method {
	case "Network.requestWillBeSent":
		if e.Type != string(proto.NetworkResourceTypeDocument) || !main {
			s.request(now, e.RequestID, e.LoaderID, e.Type, e.Request.URL)
			return
		}
		var left string
		if a := n.answers[e.RequestID]; a != nil && len(e.RedirectResponse) > 0 {
			left = a.url.String()
		}
		a := n.answerOf(e.RequestID, e.Request.URL)
		if left != "" {
			a.hops = append(a.hops, left)
		}
		s.navigating(e.RequestID)

	case "Network.responseReceived":
		a := n.answers[e.RequestID]
		if a == nil {
			return
		}
		a.mimeType = mediaType(e.Response.MIMEType)
		if a.status == 0 { // it came past the interception, from a service worker
			a.status, a.header = e.Response.Status, http.Header{}
			for name, value := range e.Response.Headers {
				a.header.Set(name, value.Str())
			}
		}

	case "Network.dataReceived":
		a := n.answers[e.RequestID]
		if a == nil {
			return
		}
		if a.bytes += e.DataLength; a == n.current && a.bytes > n.opts.MaxHTML && !n.ended() {
			n.again = true
		}

	case "Network.loadingFinished":
		s.done(now, e.RequestID)

	case "Network.loadingFailed":
		s.done(now, e.RequestID)
		a := n.answers[e.RequestID]
		if a == nil {
			return
		}
		a.failure, n.failed = e.ErrorText, a
		if err := netError(e.ErrorText, a.url); a == n.current && err.Kind == KindTruncated {
			n.fail(err)
		}

	case "Page.frameNavigated":
		if e.Frame.ParentID == "" {
			n.commit(now, e)
		}

	case "Page.navigatedWithinDocument":
		if main {
			s.abandon()
		}

	case "Page.lifecycleEvent":
		if !main || n.current == nil || e.LoaderID != s.document {
			return
		}
		switch e.Name {
		case "DOMContentLoaded":
			s.dcl(now)
		case "load":
			s.load(now)
		}

	case "Page.frameScheduledNavigation", "Page.frameRequestedNavigation":
		if main && n.current != nil {
			s.expect(now, e.URL, time.Duration(e.Delay*float64(time.Second)))
		}

	case "Runtime.bindingCalled":
		var report probeReport
		if e.Name == probeBinding && n.current != nil && json.Unmarshal([]byte(e.Payload), &report) == nil {
			s.probe(now, report.Text, report.Scripts)
			s.refresh(now, report.Refresh, report.Base)
		}
	}
}

// commit is told of a new document in the main frame.
func (n *navigation) commit(now time.Time, e pageEvent) {
	u := e.Frame.URL + e.Frame.URLFragment
	switch {
	case e.Frame.UnreachableURL != "":
		// Chrome's own error page. Page.navigate reports it by itself.
		if n.opened && n.failed != nil {
			n.refused(n.failed.failure, n.failed)
		}
		return
	case n.current == nil && u == blank:
		return
	}
	a := n.answerOf(e.Frame.LoaderID, e.Frame.URL)
	if !webScheme(a.url) {
		n.fail(schemeFailure(a.url))
		return
	}
	if n.moves++; n.moves > maxMoves {
		n.fail(failure(KindNetwork, "too many redirects: the page moved on %d times", maxMoves))
	}
	if n.current != nil && n.url != u {
		n.hops = append(n.hops, n.url)
	}
	n.hops = append(n.hops, a.hops...)
	n.current, n.url = a, u
	n.settle.commit(now, e.Frame.LoaderID, e.Frame.URL)
	n.settle.refresh(now, a.header.Get("Refresh"), e.Frame.URL)
	if a.bytes > n.opts.MaxHTML && !n.ended() {
		n.again = true
	}
}

// refused ends the visit with a failed navigation.
func (n *navigation) refused(text string, a *answer) {
	if n.ended() {
		return
	}
	if text == "net::ERR_HTTP_RESPONSE_CODE_FAILURE" && a != nil && a.status != 0 {
		n.status = a
		return
	}
	u := n.visit.URL
	if a != nil {
		u = a.url
	}
	err := netError(text, u)
	if err.Kind == KindAuth && n.visit.URL.User != nil && sameOrigin(u, n.visit.URL) {
		err.Reason = "login refused (401 Unauthorized): wrong user name or password in the URL"
	}
	n.fail(err)
}

func sameOrigin(a, b *url.URL) bool { return a.Scheme == b.Scheme && a.Host == b.Host }
