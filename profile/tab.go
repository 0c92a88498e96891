package profile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
)

// errTabLost is wrapped by the error of a visit that cost its tab: the tab has
// crashed or does not answer, and must be closed.
var errTabLost = errors.New("tab lost")

// errHeavy is wrapped, too, when that is likely the page's doing: there is no
// use in trying again.
var errHeavy = errors.New("it hangs with a heavy page")

// tabOptions are the limits of a tab's visits. Config.tabOptions makes them.
type tabOptions struct {
	Navigation, Settle, Read, Alternate, Download, Stall time.Duration // as in Config
	MaxBytes, MaxHTML                                    int64         // as in Config

	Call    time.Duration // for a call that Chrome answers at once
	Silence time.Duration // without an event, after which an unfinished page is asked whether it lives
	Alive   time.Duration // for the answer to that

	OneWindow bool // the tab stands in front of the window that is there

	downloads *downloads
}

// tab is one tab of a Chrome that we drive, in its persistent context. It makes
// one visit at a time and is parked on an empty page in between.
type tab struct {
	conn    *conn
	opts    tabOptions
	target  proto.TargetTargetID
	session proto.TargetSessionID

	// ctx ends when the tab is of no use any more: closed, crashed, hung,
	// detached, or Chrome ended. Its cause says which.
	ctx  context.Context
	lose context.CancelCauseFunc

	parked chan struct{} // holds a token while the tab is free for a visit

	mu      sync.Mutex
	nav     *navigation   // of the visit under way
	blank   string        // loader of the document, while that is the empty page
	emptied chan struct{} // closed and nil when the empty page has loaded
}

// newTab opens a tab. The context bounds the opening only.
func newTab(ctx context.Context, c *conn, o tabOptions) (_ *tab, err error) {
	browser := c.on(ctx, browserSession)
	// Popups are known by their opener.
	if err := (proto.TargetSetDiscoverTargets{Discover: true}).Call(browser); err != nil {
		return nil, fmt.Errorf("open tab: %w", err)
	}
	// Behind another tab of its window a tab soon stops drawing, and with that
	// observing what comes into view.
	made, err := proto.TargetCreateTarget{URL: blank, NewWindow: !o.OneWindow}.Call(browser)
	if err != nil {
		return nil, fmt.Errorf("open tab: %w", err)
	}
	t := &tab{conn: c, opts: o, target: made.TargetID, parked: make(chan struct{}, 1)}
	t.ctx, t.lose = context.WithCancelCause(context.Background())
	t.parked <- struct{}{}
	defer func() {
		if err != nil {
			t.lose(err)
			go func() { // a Chrome that hangs must not keep the caller waiting
				ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.opts.Call)
				defer cancel()
				_ = t.close(ctx)
			}()
			err = fmt.Errorf("open tab: %w", err)
		}
	}()
	attached, err := proto.TargetAttachToTarget{TargetID: t.target, Flatten: true}.Call(browser)
	if err != nil {
		return nil, err
	}
	t.session = attached.SessionID
	removals := []func(){c.handle(browserSession, t.browserEvent), c.handle(t.session, t.event)}
	context.AfterFunc(t.ctx, func() {
		for _, remove := range removals {
			remove()
		}
	})
	go func() {
		select {
		case <-c.gone:
			t.lose(fmt.Errorf("%w: %w", errTabLost, errGone))
		case <-t.ctx.Done():
		}
	}()
	for _, setup := range []struct {
		method string
		params any
	}{
		{"Page.enable", nil},
		{"Page.setLifecycleEventsEnabled", proto.PageSetLifecycleEventsEnabled{Enabled: true}},
		{"Network.enable", map[string]int64{"maxTotalBufferSize": t.opts.MaxHTML, "maxResourceBufferSize": t.opts.MaxHTML}},
		{"Inspector.enable", nil},
		// Bindings call nobody before this.
		{"Runtime.enable", nil},
		{"Runtime.addBinding", map[string]string{"name": probeBinding, "executionContextName": world}},
		{"Page.addScriptToEvaluateOnNewDocument", map[string]string{"source": probeScript, "worldName": world}},
		{"Page.addScriptToEvaluateOnNewDocument", map[string]string{"source": "window.print = () => {}"}}, // it would wait for a person
		// Only one tab can be in front, and pages draw and load lazily only there.
		{"Emulation.setFocusEmulationEnabled", proto.EmulationSetFocusEmulationEnabled{Enabled: true}},
		{"Fetch.enable", proto.FetchEnable{Patterns: documents, HandleAuthRequests: true}},
	} {
		if err := t.call(ctx, setup.method, setup.params, nil); err != nil {
			return nil, err
		}
	}
	return t, nil
}

const blank = "about:blank"

// documents pauses documents before they are asked for and when their headers
// are in, and leaves everything else, and the cache, alone.
var documents = []*proto.FetchRequestPattern{
	{URLPattern: "*", ResourceType: proto.NetworkResourceTypeDocument, RequestStage: proto.FetchRequestStageRequest},
	{URLPattern: "*", ResourceType: proto.NetworkResourceTypeDocument, RequestStage: proto.FetchRequestStageResponse},
}

// close closes the tab, whatever state it is in.
func (t *tab) close(ctx context.Context) error {
	t.lose(fmt.Errorf("%w: closed", errTabLost))
	if _, err := (proto.TargetCloseTarget{TargetID: t.target}).Call(t.conn.on(ctx, browserSession)); err != nil {
		return fmt.Errorf("close tab: %w", err)
	}
	return nil
}

// call makes one call on the tab's session. It ends with the tab.
func (t *tab) call(ctx context.Context, method string, params, result any) error {
	return t.callOn(ctx, t.session, method, params, result)
}

// callOn is call on the session of one of the tab's frames.
func (t *tab) callOn(ctx context.Context, session proto.TargetSessionID, method string, params, result any) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(t.ctx, func() { cancel(context.Cause(t.ctx)) })()
	if params == nil {
		params = struct{}{}
	}
	answer, err := t.conn.on(ctx, session).Call(ctx, string(session), method, params)
	if err != nil || result == nil {
		return err
	}
	if err := json.Unmarshal(answer, result); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// quick is a call that Chrome answers at once, bounded by the tab alone.
func (t *tab) quick(method string, params any) error {
	ctx, cancel := context.WithTimeoutCause(t.ctx, t.opts.Call, fmt.Errorf("no answer within %s", t.opts.Call))
	defer cancel()
	return t.call(ctx, method, params, nil)
}

// alive reports whether the page answers, which it does not while a script
// runs.
func (t *tab) alive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, t.opts.Alive)
	defer cancel()
	return t.call(ctx, "Runtime.evaluate", map[string]any{"expression": "1"}, nil) == nil
}

// wakeUp makes a page that does not answer answer again by ending its script.
func (t *tab) wakeUp(ctx context.Context) bool {
	if t.alive(ctx) {
		return true
	}
	ending, cancel := context.WithTimeout(ctx, t.opts.Call)
	defer cancel()
	return t.call(ending, "Runtime.terminateExecution", nil, nil) == nil && t.alive(ctx)
}

// heavyPage is the size in bytes of HTML from which on a page can keep Chrome
// busy for ever: parsing it takes time with the square of its depth.
const heavyPage = 512 << 10

// rouse wakes the page up, or gives the tab up: then it hangs. A navigation
// under way is stopped, as Chrome keeps calls to the page back until its end.
func (t *tab) rouse(ctx context.Context, n *navigation) error {
	t.mu.Lock()
	leaving := n.current == nil || n.settle.next != ""
	heavy := n.current != nil && n.current.bytes > heavyPage
	t.mu.Unlock()
	if leaving {
		stopping, cancel := context.WithTimeout(ctx, t.opts.Call)
		defer cancel()
		_ = t.call(stopping, "Page.stopLoading", nil, nil)
	}
	if t.wakeUp(ctx) || ctx.Err() != nil {
		return nil
	}
	why := errors.New("it hangs")
	if heavy {
		why = errHeavy
	}
	asking, cancel := context.WithTimeout(ctx, t.opts.Call)
	defer cancel()
	if _, err := (proto.BrowserGetVersion{}).Call(t.conn.on(asking, browserSession)); errors.Is(err, errGone) {
		why = errGone
	}
	t.lose(fmt.Errorf("%w: %w", errTabLost, why))
	return t.lost()
}

// park empties the tab after a visit, so that nothing of the page runs on, and
// frees it for the next one. It does not make the visit's caller wait.
func (t *tab) park() {
	go func() {
		if err := t.empty(t.ctx); err != nil {
			t.lose(fmt.Errorf("%w: it hangs: %w", errTabLost, err))
		}
		t.parked <- struct{}{}
	}()
}

// empty returns when the empty page is there: Chrome drops a download that
// begins while one document gives way to another, and aborts a navigation that
// begins while another one fails.
func (t *tab) empty(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, t.opts.Call, fmt.Errorf("no answer within %s", t.opts.Call))
	defer cancel()
	for {
		emptied := make(chan struct{})
		t.mu.Lock()
		t.emptied = emptied
		t.mu.Unlock()
		if err := t.call(ctx, "Page.navigate", map[string]string{"url": blank}, nil); err != nil {
			return err
		}
		again := time.NewTimer(t.opts.Alive)
		defer again.Stop()
		select {
		case <-emptied:
			return nil
		case <-again.C: // the page was quicker to move on
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// emptiedLocked looks out for the empty page.
func (t *tab) emptiedLocked(method string, e pageEvent) {
	switch {
	case method == "Page.frameNavigated" && e.Frame.ParentID == "":
		t.blank = ""
		if e.Frame.URL == blank {
			t.blank = e.Frame.LoaderID
		}
	case method == "Page.lifecycleEvent" && e.Name == "load" && e.LoaderID == t.blank && t.emptied != nil:
		close(t.emptied)
		t.emptied = nil
	}
}

// browserEvent runs on the connection's reader.
func (t *tab) browserEvent(e *cdp.Event) {
	switch e.Method {
	case "Target.targetCreated":
		var created proto.TargetTargetCreated
		if json.Unmarshal(e.Params, &created) == nil && created.TargetInfo != nil &&
			created.TargetInfo.OpenerID == t.target && created.TargetInfo.Type == proto.TargetTargetInfoTypePage {
			go func() {
				ctx, cancel := context.WithTimeout(t.ctx, t.opts.Call)
				defer cancel()
				_, _ = proto.TargetCloseTarget{TargetID: created.TargetInfo.TargetID}.Call(t.conn.on(ctx, browserSession))
			}()
		}
	case "Target.targetDestroyed":
		var destroyed proto.TargetTargetDestroyed
		if json.Unmarshal(e.Params, &destroyed) == nil && destroyed.TargetID == t.target {
			t.lose(fmt.Errorf("%w: %w", errTabLost, errClosedTab))
		}
	case "Target.detachedFromTarget":
		var detached proto.TargetDetachedFromTarget
		if json.Unmarshal(e.Params, &detached) == nil && detached.SessionID == t.session {
			t.lose(fmt.Errorf("%w: it was detached", errTabLost))
		}
	case "Target.targetCrashed":
		var crashed proto.TargetTargetCrashed
		if json.Unmarshal(e.Params, &crashed) == nil && crashed.TargetID == t.target {
			t.lose(fmt.Errorf("%w: %w", errTabLost, errCrashed))
		}
	}
}

var (
	errCrashed   = errors.New("the page crashed")
	errClosedTab = errors.New("it was closed") // by itself, or by a person when it is headed
)

// event runs on the connection's reader: it never waits.
func (t *tab) event(e *cdp.Event) {
	switch e.Method {
	case "Inspector.targetCrashed":
		t.lose(fmt.Errorf("%w: %w", errTabLost, errCrashed))
		return
	case "Page.javascriptDialogOpening":
		var dialog proto.PageJavascriptDialogOpening
		if json.Unmarshal(e.Params, &dialog) == nil {
			leave := dialog.Type == proto.PageDialogTypeBeforeunload
			go t.quick("Page.handleJavaScriptDialog", proto.PageHandleJavaScriptDialog{Accept: leave})
		}
		return
	}
	ev, ok := decodeEvent(e)
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e.Method {
	case "Fetch.requestPaused":
		go t.paused(t.nav, ev)
		return
	case "Fetch.authRequired":
		go t.authRequired(t.nav, ev)
		return
	}
	t.emptiedLocked(e.Method, ev)
	if t.nav != nil {
		t.nav.event(time.Now(), e.Method, ev)
	}
}
