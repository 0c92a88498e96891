package profile

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
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
	store  bool // what comes is stored, whatever it is
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

// answer is a response on its way, or arrived.
type answer struct {
	response
	mimeType string // by Chrome's judgement
	hops     []string
	bytes    int64 // decoded, received so far
	failure  string
}

func newNavigation(v Visit, frame proto.PageFrameID, o tabOptions, store bool, now time.Time) *navigation {
	rules := defaultSettle
	rules.Navigation, rules.Budget = o.Navigation, o.Settle
	return &navigation{
		visit: v, frame: frame, opts: o, store: store,
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

// paused answers a paused request: of n, which may be nil, or of a frame.
func (t *tab) paused(n *navigation, e pageEvent) {
	err := t.quick(t.answerPaused(n, e))
	if err == nil || n == nil {
		return
	}
	// A request that is gone needs no answer. A main request that stays
	// paused would end in the navigation's timeout.
	var remote *cdp.Error
	if !errors.As(err, &remote) {
		t.lose(fmt.Errorf("%w: it hangs: %w", errTabLost, err))
	}
}

// authRequired answers the question for a user name and password with none.
// Chrome itself would first ask a person, and then load the page once more: into
// the next visit, when the machine is busy.
func (t *tab) authRequired(n *navigation, e pageEvent) {
	if n != nil && e.FrameID == string(t.target) && e.ResourceType == string(proto.NetworkResourceTypeDocument) {
		text := "net::ERR_INVALID_AUTH_CREDENTIALS"
		if e.AuthChallenge.Source == string(proto.FetchAuthChallengeSourceProxy) {
			text = "net::ERR_UNEXPECTED_PROXY_AUTH"
		}
		a := &answer{}
		a.url = n.visit.URL
		if u, err := url.Parse(e.Request.URL); err == nil {
			a.url = u
		}
		t.mu.Lock()
		n.refused(text, a)
		n.signal()
		t.mu.Unlock()
	}
	_ = t.quick("Fetch.continueWithAuth", proto.FetchContinueWithAuth{
		RequestID:             proto.FetchRequestID(e.RequestID),
		AuthChallengeResponse: &proto.FetchAuthChallengeResponse{Response: proto.FetchAuthChallengeResponseResponseCancelAuth},
	})
}

func (t *tab) answerPaused(n *navigation, e pageEvent) (method string, params any) {
	id := proto.FetchRequestID(e.RequestID)
	proceed := proto.FetchContinueRequest{RequestID: id}
	stop := proto.FetchFailRequest{RequestID: id, ErrorReason: proto.NetworkErrorReasonAborted}

	if e.ResponseStatusCode == nil && e.ResponseErrorReason == "" {
		if n != nil {
			proceed.Headers = n.requestHeader(e)
		}
		return "Fetch.continueRequest", proceed
	}
	switch {
	case e.FrameID != string(t.target) || e.ResponseErrorReason != "":
		return "Fetch.continueRequest", proceed
	case n == nil: // what is left of the last visit
		return "Fetch.failRequest", stop
	}

	t.mu.Lock()
	defer t.mu.Unlock()
	defer n.signal()
	a := n.answerOf(e.NetworkID, e.Request.URL)
	a.status, a.header = *e.ResponseStatusCode, responseHeader(e.ResponseHeaders)
	does := a.judge(n.opts.MaxHTML)
	switch {
	case n.ended():
		return "Fetch.failRequest", stop
	case does == redirect:
		if to, err := a.location(); err == nil && !webScheme(to) {
			n.fail(schemeFailure(to))
			return "Fetch.failRequest", stop
		}
	case does == renderIt && (!n.store || a.status >= 400):
	case n.current != nil && (does == nothing || does != sniffIt && !n.settle.thin()):
		// The page starts a download, or pings: it stays the page.
		n.settle.abandon()
		return "Fetch.failRequest", stop
	case does == nothing:
		n.fail(failure(KindNoContent, "%d %s: nothing to fetch", a.status, http.StatusText(a.status)))
	case does == statusIt:
		n.status = a
		return "Fetch.failRequest", stop
	case a.length() > n.opts.MaxBytes:
		n.fail(tooLarge(a.length(), n.opts.MaxBytes))
		return "Fetch.failRequest", stop
	default: // storeIt, sniffIt, or to be stored whatever it is
		if err := t.awaitLocked(n); err != nil {
			n.fail(wrapped("download could not be started", err))
			return "Fetch.failRequest", stop
		}
		if does == sniffIt && !n.store {
			break
		}
		n.file = a
		return "Fetch.continueResponse", proto.FetchContinueResponse{
			RequestID: id, ResponseCode: &a.status, ResponseHeaders: asAttachment(e.ResponseHeaders),
		}
	}
	return "Fetch.continueRequest", proceed
}

// awaitLocked allows one download of the main frame. It lets go of the tab's
// mutex while it asks Chrome.
func (t *tab) awaitLocked(n *navigation) error {
	if n.download != nil {
		return nil
	}
	t.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.ctx, t.opts.Call)
	defer cancel()
	l, err := t.opts.downloads.await(ctx, n.frame)
	t.mu.Lock()
	switch {
	case err != nil:
		return err
	case t.nav != n: // the visit is over
		go l.release()
		return errors.New("visit is over")
	}
	n.download = l
	return nil
}

// asAttachment makes Chrome store a response instead of showing it.
func asAttachment(header []*proto.FetchHeaderEntry) []*proto.FetchHeaderEntry {
	var out []*proto.FetchHeaderEntry
	for _, h := range header {
		if http.CanonicalHeaderKey(h.Name) != "Content-Disposition" {
			out = append(out, h)
		}
	}
	return append(out, &proto.FetchHeaderEntry{Name: "Content-Disposition", Value: "attachment; filename=body"})
}

// requestHeader is the header of a request, nil when it is sent as it is.
//
// The document of the visit is not to come from Chrome's cache: it would be of
// any age, and two tabs that open one URL would wait for each other, as an
// entry of the cache has one writer. A request with no-cache has an entry of
// its own.
//
// The origin whose userinfo the URL holds gets it with every request. A header
// of ours, other than an answer to Chrome's question, is not kept by Chrome for
// later visits, nor sent along on a redirect.
func (n *navigation) requestHeader(e pageEvent) []*proto.FetchHeaderEntry {
	var have map[string]string
	to, err := url.Parse(e.Request.URL)
	if err != nil || json.Unmarshal(e.Request.Headers, &have) != nil {
		return nil
	}
	ours := map[string]string{}
	if e.FrameID == string(n.frame) && e.ResourceType == string(proto.NetworkResourceTypeDocument) {
		ours["Cache-Control"] = "no-cache"
	}
	if user := n.visit.URL.User; user != nil && sameOrigin(to, n.visit.URL) {
		password, _ := user.Password()
		ours["Authorization"] = "Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password))
	}
	if len(ours) == 0 {
		return nil
	}
	var out []*proto.FetchHeaderEntry
	for name, value := range have {
		if _, replaced := ours[http.CanonicalHeaderKey(name)]; !replaced {
			out = append(out, &proto.FetchHeaderEntry{Name: name, Value: value})
		}
	}
	for name, value := range ours {
		out = append(out, &proto.FetchHeaderEntry{Name: name, Value: value})
	}
	return out
}

// visit opens one URL, once. An error that wraps errTabLost says that the tab
// must be given up and that a fresh one may succeed; after any other the tab is
// ready for the next visit. When ctx ends, visit returns its cause.
func (t *tab) visit(ctx context.Context, v Visit) (*Page, error) {
	if !webScheme(v.URL) {
		return nil, failure(KindScheme, "unsupported scheme %q: http and https only", v.URL.Scheme)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case <-t.parked:
	case <-t.ctx.Done():
		return nil, t.lost()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer t.park()
	page, err := t.open(ctx, v, false)
	if errors.Is(err, errStore) {
		page, err = t.open(ctx, v, true)
	}
	if errors.Is(err, errGone) || errors.Is(err, cdp.ErrSessionNotFound) {
		// The failed call is often quicker than the end of the connection.
		t.lose(fmt.Errorf("%w: %w", errTabLost, err))
	}
	switch {
	case err == nil:
		return page, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case t.ctx.Err() != nil:
		return nil, t.lost()
	}
	var failed *VisitError
	if !errors.As(err, &failed) {
		failed = wrapped("page could not be loaded", err)
	}
	return nil, failed
}

// lost is the failure of a visit whose tab has ended.
func (t *tab) lost() *VisitError {
	cause := context.Cause(t.ctx)
	switch {
	case errors.Is(cause, errGone):
		return &VisitError{Kind: KindCrashed, Reason: "Chrome ended during the visit", Err: cause}
	case errors.Is(cause, errCrashed):
		return &VisitError{Kind: KindCrashed, Reason: "the page crashed the browser tab", Err: cause}
	default:
		return &VisitError{Kind: KindHung, Reason: "the browser tab is unresponsive", Err: cause}
	}
}

// errStore ends an attempt whose response turned out to be no page, or too
// large a one, after the chance to store it had passed.
var errStore = errors.New("no page")

type navigated struct {
	ErrorText  string `json:"errorText"`
	IsDownload bool   `json:"isDownload"`
	err        error
}

// open makes one attempt.
func (t *tab) open(ctx context.Context, v Visit, store bool) (*Page, error) {
	n := newNavigation(v, proto.PageFrameID(t.target), t.opts, store, time.Now())
	t.mu.Lock()
	t.nav = n
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		t.nav = nil
		t.mu.Unlock()
		if n.download != nil {
			go n.download.release()
		}
		if n.tall {
			_ = t.quick("Emulation.clearDeviceMetricsOverride", nil)
		}
	}()

	if v.URL.User != nil {
		origin := &proto.FetchRequestPattern{URLPattern: v.URL.Scheme + "://" + v.URL.Host + "/*", RequestStage: proto.FetchRequestStageRequest}
		if err := t.quick("Fetch.enable", proto.FetchEnable{Patterns: append([]*proto.FetchRequestPattern{origin}, documents...), HandleAuthRequests: true}); err != nil {
			return nil, err
		}
		defer func() { _ = t.quick("Fetch.enable", proto.FetchEnable{Patterns: documents, HandleAuthRequests: true}) }()
	}
	stage(v, Progress{Stage: "navigating"})

	plain := *v.URL
	plain.User = nil
	result := make(chan navigated, 1)
	navigating, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		var r navigated
		r.err = t.call(navigating, "Page.navigate", map[string]string{"url": plain.String()}, &r)
		result <- r
	}()

	rescues := 3
	timer := time.NewTimer(0)
	defer timer.Stop()
	settling := false
	for {
		now := time.Now()
		t.mu.Lock()
		ended := n.ended()
		settled, wake := n.settle.decide(now)
		dcl := !n.settle.dclAt.IsZero()
		document := n.settle.document
		silent := n.current != nil && !dcl && rescues > 0 && !now.Before(n.lastEvent.Add(t.opts.Silence))
		if n.current != nil && !dcl && rescues > 0 {
			wake = earliest(wake, n.lastEvent.Add(t.opts.Silence))
		}
		if silent {
			n.lastEvent = now
		}
		t.mu.Unlock()

		if dcl && !settling {
			settling = true
			stage(v, Progress{Stage: "settling"})
		}
		switch {
		case ended:
			return t.end(ctx, n)
		case settled == ruleTimeout:
			if err := t.rouse(ctx, n); err != nil {
				return nil, err
			}
			return nil, timeoutFailure(t.opts.Navigation)
		case settled != "":
			if (settled == ruleQuiet || settled == ruleNoLoad) && t.show(ctx, n) {
				continue
			}
			suspect, err := t.suspect(ctx, n, settled)
			if err == nil && suspect != nil {
				if t.outlast(ctx, n, document) {
					continue
				}
				suspect, err = t.suspect(ctx, n, settled) // it may have given way in place
			}
			page := suspect
			if err == nil && page == nil {
				page, err = t.read(ctx, n, settled, wholePage)
			}
			if err != nil && t.moved(n, document, settled) {
				continue
			}
			return page, err
		case silent:
			rescues--
			go t.wakeUp(navigating)
		}

		timer.Reset(time.Until(wake))
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-t.ctx.Done():
			return nil, t.lost()
		case r := <-result:
			if r.err != nil {
				return nil, wrapped("Chrome refused the URL", r.err)
			}
			t.navigated(n, r)
		case <-n.wake:
		case <-timer.C:
		}
	}
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// suspectText is how much text, in characters, a page may have and still be
// suspected.
const suspectText = 2000

// suspect returns the page that has settled when the visit's caller does not
// take it for the one wanted. The page itself is left as it is: it may still
// lead there.
func (t *tab) suspect(ctx context.Context, n *navigation, by rule) (*Page, error) {
	if n.visit.Suspect == nil {
		return nil, nil
	}
	t.mu.Lock()
	likely := n.current.status >= 400 || n.settle.text < suspectText
	t.mu.Unlock()
	if !likely {
		return nil, nil
	}
	page, err := t.read(ctx, n, by, ownDocument)
	if err != nil || !n.visit.Suspect(page) {
		return nil, err
	}
	return page, nil
}

// outlast waits for a suspect document to give way to another, which then has
// the whole time of a navigation. It reports whether there is something new to
// look at, if only the end of the visit.
func (t *tab) outlast(ctx context.Context, n *navigation, document string) bool {
	if n.patience.IsZero() {
		n.patience = time.Now().Add(n.visit.Patience)
	}
	timer := time.NewTimer(time.Until(n.patience))
	defer timer.Stop()
	for {
		t.mu.Lock()
		over := n.settle.document != document || n.ended()
		if over {
			n.settle.start = time.Now()
		}
		t.mu.Unlock()
		if over {
			return true
		}
		select {
		case <-n.wake:
		case <-timer.C:
			return false
		case <-ctx.Done():
			return true
		case <-t.ctx.Done():
			return true
		}
	}
}

// moved reports whether a document could not be read because the page goes on
// to another one, for which there is time.
func (t *tab) moved(n *navigation, document string, settled rule) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return n.settle.document != document || n.ended() || n.settle.next != "" && settled != ruleBudget
}

// navigated takes the result of Page.navigate.
func (t *tab) navigated(n *navigation, r navigated) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r.ErrorText == "" {
		n.opened = true
		return
	}
	a := n.failed
	if a == nil {
		for _, only := range n.answers {
			a = only
		}
	}
	switch {
	case n.ended():
	case r.IsDownload && n.download != nil && a != nil:
		n.file = a
	case r.IsDownload:
		n.fail(failure(KindFailed, "the page is a download that could not be taken"))
	case r.ErrorText == "net::ERR_ABORTED" && (n.current != nil || n.settle.next != "" && n.answers[n.settle.next] != n.failed):
		n.opened = true // the page was quicker to move on
	default:
		n.refused(r.ErrorText, a)
	}
}

// end is the result of a visit without a document.
func (t *tab) end(ctx context.Context, n *navigation) (*Page, error) {
	t.mu.Lock()
	err, status, file := n.err, n.status, n.file
	t.mu.Unlock()
	switch {
	case err != nil:
		return nil, err
	case status != nil:
		return t.page(n, status), nil
	case file != nil:
		return t.receive(ctx, n, file)
	default:
		if n.store {
			return nil, failure(KindFailed, "the response could not be stored")
		}
		return nil, errStore
	}
}

// page is a Page with what the response says.
func (t *tab) page(n *navigation, a *answer) *Page {
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &Page{
		URL: a.url.String(), Status: a.status, Header: withoutSecrets(a.header),
		MediaType: a.mediaType(), Disposition: a.header.Get("Content-Disposition"),
	}
	if p.MediaType == "" {
		p.MediaType = a.mimeType
	}
	p.Hops = n.hops
	if a != n.current {
		if a.url.Fragment == "" && n.visit.URL.Fragment != "" {
			p.URL += "#" + n.visit.URL.EscapedFragment()
		}
		if n.current != nil {
			p.Hops = append(p.Hops, n.url)
		}
		p.Hops = append(p.Hops, a.hops...)
	}
	return p
}

// receive waits for a response that Chrome stores and hands it over.
func (t *tab) receive(ctx context.Context, n *navigation, a *answer) (*Page, error) {
	report := func(bytes, total int64) {
		stage(n.visit, Progress{Stage: "downloading", Bytes: bytes, Total: total})
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(t.ctx, func() { cancel(context.Cause(t.ctx)) })()
	size, err := n.download.wait(ctx, t.opts, a.response, report)
	if err != nil {
		return nil, err
	}
	if n.visit.PartFile == nil {
		return nil, failure(KindFailed, "not a page, and no file to store it in")
	}
	path, err := n.visit.PartFile()
	if err == nil {
		err = n.download.moveTo(path)
	}
	if err != nil {
		return nil, wrapped("download could not be stored", err)
	}
	p := t.page(n, a)
	p.File, p.FileBytes = path, size
	return p, nil
}

func stage(v Visit, p Progress) {
	if v.Stage != nil {
		v.Stage(p)
	}
}

// statusText is a status as people know it: "404 Not Found".
func statusText(code int) string {
	if text := http.StatusText(code); text != "" {
		return strconv.Itoa(code) + " " + text
	}
	return strconv.Itoa(code)
}
