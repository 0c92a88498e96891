package profile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"

	_ "embed"
)

// world is the name of the isolated world our scripts run in: they see the
// page's document, and the page neither sees nor changes what they use.
const world = "pifetch"

// probeBinding is the function by which the probe reports.
const probeBinding = "__pifetch"

// probeScript reports the length of the text and the number of scripts, at
// DOMContentLoaded and after changes.
//
//go:embed probe.js
var probeScript string

// readScript is a function that looks at the page and, when its argument says
// so, marks text that nobody can see and puts what same-origin frames show in
// the place of the frames.
//
//go:embed read.js
var readScript string

// probeReport is what probeScript sends.
type probeReport struct {
	Text    int    `json:"text"`
	Scripts int    `json:"scripts"`
	Refresh string `json:"refresh"` // content of <meta http-equiv=refresh>
	Base    string `json:"base"`    // what its URL is relative to
}

// facts are what readScript finds.
type facts struct {
	URL      string `json:"url"`
	Title    string `json:"title"`
	Type     string `json:"type"`     // document.contentType
	Password bool   `json:"password"` // a visible password field
	Bare     bool   `json:"bare"`     // neither text nor elements in the body
	HTML     string `json:"html"`     // of documents whose own serialisation is XML
}

// extent is how much of a page is read.
type extent bool

const (
	ownDocument extent = false // the main document, which is not changed by it
	wholePage   extent = true  // with the content of frames in their place
)

// read serialises the document that has settled by a rule.
func (t *tab) read(ctx context.Context, n *navigation, by rule, much extent) (*Page, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.opts.Read, failure(KindTimeout, "page could not be read within %s", t.opts.Read))
	defer cancel()
	if err := t.rouse(ctx, n); err != nil {
		return nil, err
	}
	found, html, err := t.serialise(ctx, much)
	if err != nil {
		return nil, err
	}

	t.mu.Lock()
	current := n.current
	document := n.settle.document
	thin := n.settle.thin()
	dcl := !n.settle.dclAt.IsZero()
	t.mu.Unlock()

	if !isPage(found.Type) {
		if n.take != takeAny {
			return nil, failure(KindFailed, "the response is %s and could not be stored", found.Type)
		}
		return nil, errStore
	}
	if found.Bare {
		switch {
		case !dcl: // a script before the body hangs
			source, err := t.source(ctx, document)
			if err != nil {
				return nil, err
			}
			html = source
		case current.status >= 200 && current.status < 300 && current.bytes == 0:
			return nil, failure(KindNoContent, "%s with an empty body", statusText(current.status))
		}
	}
	p := t.page(n, current)
	p.URL, p.Title, p.HTML, p.PasswordField = found.URL, found.Title, []byte(html), found.Password
	p.MediaType = found.Type
	p.StillLoading = by == ruleBudget || by == ruleNoParser || by == ruleNoDCL
	p.Thin = thin
	return p, nil
}

// tallView is the height of a window in which most pages are in view whole.
const tallView = 12000

// scrollScript is a function that takes the height of the window, which may be
// on its way to it, and goes to the end of the page once or, for a number of
// steps, out of its view and back as long as that makes it longer. It waits some
// milliseconds for each step. It returns the length of the text.
//
//go:embed scroll.js
var scrollScript string

// foldScript returns the length of the text of a page that goes on below the
// window, or does so in a box of its own, and 0 for any other.
const foldScript = `(() => {
	const text = document.body?.textContent.length;
	if (document.scrollingElement?.scrollHeight > innerHeight) return text;
	for (let e = document.elementFromPoint(innerWidth / 2, innerHeight / 2); e; e = e.parentElement) {
		if (e.scrollHeight > e.clientHeight && /auto|scroll/.test(getComputedStyle(e).overflowY)) return text;
	}
	return 0;
})()`

// show brings all of a page into view, for pages that load the rest of their
// content then. It makes a tall window; when that made the page longer, the
// next call shows its end again and again. It reports whether the page has to
// settle again.
func (t *tab) show(ctx context.Context, n *navigation) bool {
	t.mu.Lock()
	first := n.settle.shownAt.IsZero()
	grown := n.grown || n.settle.textAt.After(n.settle.shownAt)
	t.mu.Unlock()
	if !first && (n.unrolled || !grown) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, t.opts.Alive)
	defer cancel()
	if first {
		var size struct {
			Viewport struct{ ClientWidth int } `json:"cssLayoutViewport"`
		}
		var before, after int
		if t.call(ctx, "Page.getLayoutMetrics", nil, &size) != nil || t.evaluate(ctx, foldScript, &before) != nil || before == 0 {
			return false
		}
		n.tall, n.unrolled = true, false
		tall := proto.EmulationSetDeviceMetricsOverride{Width: size.Viewport.ClientWidth, Height: tallView}
		if t.call(ctx, "Emulation.setDeviceMetricsOverride", tall, nil) != nil {
			return false
		}
		// A page that grows with the window has its end below it still.
		_ = t.evaluate(ctx, fmt.Sprintf("(%s)(%d, 0, 0)", scrollScript, tallView), &after)
		n.grown = after > before
	} else {
		n.unrolled = true
		_ = t.evaluate(ctx, fmt.Sprintf("(%s)(%d, 20, 250)", scrollScript, tallView), nil)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n.settle.shown(time.Now())
	return true
}

// evaluate runs an expression in our world of the main frame.
func (t *tab) evaluate(ctx context.Context, expression string, value any) error {
	d, err := t.enter(ctx, t.session, string(t.target))
	if err != nil {
		return err
	}
	return d.run(ctx, expression, value)
}

func (t *tab) serialise(ctx context.Context, much extent) (found facts, html string, err error) {
	main, err := t.enter(ctx, t.session, string(t.target))
	if err != nil {
		return found, "", err
	}
	var marks map[string]string
	if much == wholePage {
		within, cancel := context.WithTimeout(ctx, framesTime)
		defer cancel()
		marks = main.fillFrames(within, framesDepth) // before frames are moved about
	}
	defer func() { html = fill(html, marks) }()
	var result string
	if err := main.run(ctx, fmt.Sprintf("(%s)(%t)", readScript, much), &result); err != nil {
		return found, "", fmt.Errorf("read page: %w", err)
	}
	if err := json.Unmarshal([]byte(result), &found); err != nil {
		return found, "", fmt.Errorf("read page: %w", err)
	}
	if found.HTML != "" {
		return found, found.HTML, nil
	}

	var document struct {
		Root struct {
			NodeID int `json:"nodeId"`
		} `json:"root"`
	}
	if err := t.call(ctx, "DOM.getDocument", map[string]int{"depth": 0}, &document); err != nil {
		return found, "", err
	}
	// getDocument makes Chrome report changes of the document.
	defer func() { _ = t.quick("DOM.disable", nil) }()
	var outer struct {
		OuterHTML string `json:"outerHTML"`
	}
	err = t.call(ctx, "DOM.getOuterHTML", map[string]any{"nodeId": document.Root.NodeID, "includeShadowDOM": true}, &outer)
	return found, outer.OuterHTML, err
}

// source is what the server sent, decoded.
func (t *tab) source(ctx context.Context, document string) (string, error) {
	var body struct {
		Body          string `json:"body"`
		Base64Encoded bool   `json:"base64Encoded"`
	}
	if err := t.call(ctx, "Network.getResponseBody", map[string]string{"requestId": document}, &body); err != nil {
		return "", err
	}
	if body.Base64Encoded || strings.TrimSpace(body.Body) == "" {
		return "", errors.New("no source")
	}
	return body.Body, nil
}
