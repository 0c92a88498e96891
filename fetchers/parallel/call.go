package parallel

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"pifetch/fetchers"
	"pifetch/internal/weburl"
)

// call is one POST and what becomes of its pages.
type call struct {
	fetcher   *Fetcher
	account   account
	endpoint  string
	objective string
	pages     []*page // at most 20
	sink      fetchers.Sink

	exact map[string]*page // by URL as sent
	loose map[string]*page // by looseKey; nil where it stands for several pages
}

// run makes the call within limited and reports each page, unless ctx ends.
func (c *call) run(ctx, limited context.Context) {
	c.index()
	// The last result waits for the rest of the answer: with the last URL of a
	// request everything else that could be said of it ends.
	last := func() {}
	ans, err := c.extract(limited, func(one extractResult) {
		if p := c.find(one.URL); p != nil && limited.Err() == nil {
			last()
			p.done = true
			last = c.delivery(p, one)
		}
	})
	if ctx.Err() != nil {
		return
	}
	for _, w := range ans.warnings {
		c.sink.Warn(c.account.clean(w.Type + ": " + w.Message))
	}
	last()
	for _, e := range ans.errors {
		if p := c.find(e.URL); p != nil {
			c.fail(p, c.account.reasonOf(e))
		}
	}
	if limited.Err() != nil {
		err = context.Cause(limited)
	}
	reason := "missing from the response"
	if err != nil {
		reason = err.Error()
	}
	for _, p := range c.pages {
		c.fail(p, reason)
	}
}

// extract asks for the pages and hands over each result as it arrives.
func (c *call) extract(ctx context.Context, each func(extractResult)) (answer, error) {
	r := extractRequest{
		Objective: c.objective,
		Advanced:  advancedSettings{FullContent: true, FetchPolicy: fetchPolicy{liveSeconds}},
	}
	for _, p := range c.pages {
		r.URLs = append(r.URLs, p.url)
	}
	body, err := c.send(ctx, r)
	if err != nil {
		return answer{}, err
	}
	defer body.Close()
	return c.account.readAnswer(body, each)
}

// delivery stores what a page became, and returns what reports it to each of
// its tasks.
func (c *call) delivery(p *page, r extractResult) (report func()) {
	var reports []func()
	for _, t := range p.tasks {
		doc, err := document(t, p.url, r, c.objective != "")
		reports = append(reports, func() {
			if err != nil {
				c.sink.Fail(t, fetchers.Failure{Reason: err.Error()})
				return
			}
			c.sink.Deliver(t, doc)
		})
	}
	return func() {
		for _, report := range reports {
			report()
		}
	}
}

// fail reports a page that nothing was reported of yet.
func (c *call) fail(p *page, reason string) {
	if p.done {
		return
	}
	p.done = true
	for _, t := range p.tasks {
		c.sink.Fail(t, fetchers.Failure{Reason: reason})
	}
}

// index prepares find.
func (c *call) index() {
	c.exact, c.loose = map[string]*page{}, map[string]*page{}
	for _, p := range c.pages {
		c.exact[p.url] = p
		key := looseKey(p.url)
		if _, ok := c.loose[key]; ok {
			c.loose[key] = nil
		} else {
			c.loose[key] = p
		}
	}
}

// maxSpelling is how many bytes a URL has at most that is not spelled as sent.
const maxSpelling = 16 << 10

// find is the page that the answer means by a URL, in the order of the answer,
// which need not be that of the request: the one that was sent so, else the
// only one that differs in nothing but spelling. nil: none.
func (c *call) find(url string) *page {
	p := c.exact[url]
	if p == nil && len(url) <= maxSpelling {
		p = c.loose[looseKey(url)]
	}
	if p == nil || p.done {
		return nil
	}
	return p
}

// looseKey is a URL without what a service may change of it: case of the host,
// default port, fragment, slashes at the end of the path.
func looseKey(raw string) string {
	u, err := weburl.Parse(raw)
	if err != nil {
		return raw
	}
	u.RawPath = strings.TrimRight(u.EscapedPath(), "/") // an escaped slash is part of a name
	u.Path, _ = url.PathUnescape(u.RawPath)
	return withoutFragment(u)
}

// reasonOf is why the API has no content for one page. What the page's own
// server sent with its error stays out.
func (a account) reasonOf(e extractError) string {
	kind := a.clean(e.Type)
	switch {
	case e.Status != 0 && kind != "":
		return strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status))) + " (" + kind + ")"
	case e.Status != 0:
		return strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)))
	case kind != "":
		return kind
	}
	return "failed without a reason"
}
