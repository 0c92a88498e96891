package local

import (
	"fmt"
	"net/url"

	"pifetch/fetchers/local/extract"
	"pifetch/internal/termtext"
)

// thinText is the number of characters from which on a page that settled with
// hardly any text turned out to have some, and a content stands for itself.
// Below, one that is a thinShare-th of what the page shows is thin.
const (
	thinText  = 200
	thinShare = 5
)

// pageFacts says what a reader of content.md has to know about the page.
func pageFacts(p *Page, content extract.Result) []string {
	var facts []string
	if p.StillLoading {
		facts = append(facts, "still loading")
	}
	if content.Text < thinText && (p.Thin || content.Text*thinShare <= content.PageText) {
		facts = append(facts, fmt.Sprintf("only %d characters of text", content.Text))
	}
	if loss := content.Loss.Fact(); loss != "" {
		facts = append(facts, loss)
	}
	if anchor := anchorFact(content.Anchor); anchor != "" {
		facts = append(facts, anchor)
	}
	return facts
}

// factsOf are the facts of findings.
func factsOf(findings []finding) []string {
	var facts []string
	for _, f := range findings {
		facts = append(facts, f.fact)
	}
	return facts
}

// anchorFact says where the part that the URL's fragment names is.
func anchorFact(a extract.Anchor) string {
	name := "#" + termtext.Cap(termtext.Line(a.Fragment), 80)
	switch {
	case a.Fragment == "":
		return ""
	case a.Line > 0:
		return fmt.Sprintf("anchor: %s:%d", contentName, a.Line)
	case a.OnPage:
		return fmt.Sprintf("anchor %s is not in %s", name, contentName)
	}
	return fmt.Sprintf("no element %s on the page", name)
}

// withFragment is the final URL with the fragment of the one asked for, unless
// it has its own: a redirect keeps the fragment.
func withFragment(final, asked *url.URL) *url.URL {
	u := *final
	if u.Fragment == "" {
		u.Fragment, u.RawFragment = asked.Fragment, asked.RawFragment
	}
	return &u
}
