package profile

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	_ "embed"
)

// framesScript is an object of functions for frames of other sites.
//
//go:embed frames.js
var framesScript string

const (
	framesTime  = 2 * time.Second // for all frames of a page
	framesDepth = 2               // of frames in frames
	framesBytes = 3 << 20         // of what all frames of a document show
)

// document is the one in a frame, on the session of its process.
type document struct {
	tab     *tab
	session proto.TargetSessionID
	frame   string
	world   proto.RuntimeExecutionContextID
}

// enter makes a document's isolated world.
func (t *tab) enter(ctx context.Context, session proto.TargetSessionID, frame string) (document, error) {
	d := document{tab: t, session: session, frame: frame}
	var made proto.PageCreateIsolatedWorldResult
	err := t.callOn(ctx, session, "Page.createIsolatedWorld", map[string]string{"frameId": frame, "worldName": world}, &made)
	d.world = made.ExecutionContextID
	return d, err
}

// run evaluates an expression to a value. A promise is waited for.
func (d document) run(ctx context.Context, expression string, value any) error {
	result, err := d.evaluate(ctx, expression, true)
	if err != nil || value == nil {
		return err
	}
	return json.Unmarshal(result.Value, value)
}

// remote is a value, or an object that stays in the page.
type remote struct {
	Value    json.RawMessage
	ObjectID string `json:"objectId"`
}

func (d document) evaluate(ctx context.Context, expression string, byValue bool) (remote, error) {
	return d.result(ctx, "Runtime.evaluate", map[string]any{
		"expression": expression, "contextId": d.world, "returnByValue": byValue, "awaitPromise": true,
	})
}

func (d document) result(ctx context.Context, method string, params any) (remote, error) {
	var r struct {
		Result           remote
		ExceptionDetails json.RawMessage
	}
	err := d.tab.callOn(ctx, d.session, method, params, &r)
	if err == nil && len(r.ExceptionDetails) > 0 {
		err = fmt.Errorf("script failed: %s", r.ExceptionDetails)
	}
	return r.Result, err
}

// framed is what a frame shows.
type framed struct {
	URL  string
	Text int // characters
	HTML string
}

// fillFrames puts marks in the place of the frames of other sites and returns
// the HTML that belongs there, which never gets into the page itself. A frame
// that does not answer stays.
func (d document) fillFrames(ctx context.Context, depth int) map[string]string {
	list, err := d.evaluate(ctx, framesScript+".list()", false)
	if err != nil || list.ObjectID == "" {
		return nil
	}
	var properties struct {
		Result []struct {
			Enumerable bool
			Value      remote
		}
	}
	if d.tab.callOn(ctx, d.session, "Runtime.getProperties", map[string]any{"objectId": list.ObjectID, "ownProperties": true}, &properties) != nil {
		return nil
	}
	type filled struct {
		element string
		framed
	}
	var wg sync.WaitGroup
	all := make([]filled, len(properties.Result))
	for i, p := range properties.Result {
		if !p.Enumerable || p.Value.ObjectID == "" {
			continue
		}
		wg.Go(func() {
			if f, err := d.readFrame(ctx, p.Value.ObjectID, depth); err == nil {
				all[i] = filled{p.Value.ObjectID, f}
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.tab.opts.Alive)
	defer cancel()
	marks, bytes := map[string]string{}, 0
	for _, f := range all {
		if bytes += len(f.HTML); f.HTML == "" || bytes > framesBytes {
			continue
		}
		mark := rand.Text()
		placed, err := d.result(ctx, "Runtime.callFunctionOn", map[string]any{
			"objectId": f.element, "returnByValue": true,
			"functionDeclaration": "function(...about) { return " + framesScript + ".place(this, ...about) }",
			"arguments":           []map[string]any{{"value": f.URL}, {"value": f.Text}, {"value": mark}},
		})
		if err == nil && string(placed.Value) == "true" {
			marks[mark] = f.HTML
		}
	}
	return marks
}

// readFrame reads the document in a frame element.
func (d document) readFrame(ctx context.Context, element string, depth int) (f framed, err error) {
	var described struct {
		Node struct {
			FrameID string `json:"frameId"`
		}
	}
	if err := d.tab.callOn(ctx, d.session, "DOM.describeNode", map[string]string{"objectId": element}, &described); err != nil {
		return f, err
	}
	frame := described.Node.FrameID
	inner, err := d.tab.enter(ctx, d.session, frame)
	var refused *cdp.Error
	if errors.As(err, &refused) { // it is in a process of its own
		browser := d.tab.conn.on(ctx, browserSession)
		attached, failed := proto.TargetAttachToTarget{TargetID: proto.TargetTargetID(frame), Flatten: true}.Call(browser)
		if failed != nil {
			return f, failed
		}
		defer func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.tab.opts.Call)
			defer cancel()
			_ = proto.TargetDetachFromTarget{SessionID: attached.SessionID}.Call(d.tab.conn.on(ctx, browserSession))
		}()
		inner, err = d.tab.enter(ctx, attached.SessionID, frame)
	}
	if err != nil {
		return f, err
	}
	if err := inner.ready(ctx); err != nil {
		return f, err
	}
	var marks map[string]string
	if depth > 1 {
		marks = inner.fillFrames(ctx, depth-1)
	}
	if err := inner.run(ctx, fmt.Sprintf("(%s)(%t)", readScript, wholePage), nil); err != nil {
		return f, err
	}
	err = inner.run(ctx, framesScript+".take()", &f)
	f.HTML = fill(f.HTML, marks)
	return f, err
}

// ready waits a moment for the document of a frame to have text. A timer of its
// own would not run in a frame without scripts.
func (d document) ready(ctx context.Context) error {
	for start := time.Now(); ; {
		var now struct {
			Text     int
			Complete bool
		}
		if err := d.run(ctx, framesScript+".progress()", &now); err != nil {
			return err
		}
		patience := time.Second
		if now.Complete {
			patience = 300 * time.Millisecond
		}
		if now.Text >= defaultSettle.ThinText || time.Since(start) > patience {
			return nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// fill puts the HTML of frames in the place of their marks.
func fill(html string, marks map[string]string) string {
	for mark, frame := range marks {
		html = strings.Replace(html, mark, frame, 1)
	}
	return html
}
