package profile

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
)

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
	case n.take == takeText && !a.leadsToText(does):
		n.status = a
		return "Fetch.failRequest", stop
	case does == redirect:
		if to, err := a.location(); err == nil && !webScheme(to) {
			n.fail(schemeFailure(to))
			return "Fetch.failRequest", stop
		}
	case does == renderIt && (n.take == takeAny || a.status >= 400):
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
		if does == sniffIt && n.take == takeAny {
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
		if n.visit.Accept != "" {
			ours["Accept"] = n.visit.Accept
		}
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
