package profile

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
)

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
	page, err := t.take(ctx, v)
	if err == nil && v.Accept != "" && turnedDown(page) {
		v.Accept = ""
		if err = t.empty(ctx); err == nil {
			page, err = t.take(ctx, v)
		}
	}
	if err == nil && v.Alternates != nil && len(page.HTML) > 0 && !page.suspect {
		page.Alternate = t.alternate(ctx, v, page)
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

// take opens a URL for a document or a file.
func (t *tab) take(ctx context.Context, v Visit) (*Page, error) {
	page, err := t.open(ctx, v, t.opts, takeAny)
	if errors.Is(err, errStore) {
		page, err = t.open(ctx, v, t.opts, takeFile)
	}
	return page, err
}

// lost is the failure of a visit whose tab has ended.
func (t *tab) lost() *VisitError {
	cause := context.Cause(t.ctx)
	switch {
	case errors.Is(cause, errGone):
		return &VisitError{Kind: KindCrashed, Reason: "Chrome ended during the visit", Err: cause}
	case errors.Is(cause, errCrashed):
		return &VisitError{Kind: KindCrashed, Reason: "the page crashed the browser tab", Err: cause}
	case errors.Is(cause, errClosedTab):
		return &VisitError{Kind: KindCrashed, Reason: "the browser tab was closed", Err: cause}
	case errors.Is(cause, errHeavy):
		return &VisitError{Kind: KindHung, Reason: "the browser tab is unresponsive, with a page of over 0.5 MB", Err: cause}
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

// open makes one attempt within limits of its own.
func (t *tab) open(ctx context.Context, v Visit, o tabOptions, what take) (*Page, error) {
	n := newNavigation(v, proto.PageFrameID(t.target), o, what, time.Now())
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
			return nil, timeoutFailure(o.Navigation)
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
	page.suspect = true
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
		if n.take != takeAny {
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
	size, err := n.download.wait(ctx, n.opts, a.response, report)
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
