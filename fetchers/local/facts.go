package local

import (
	"fmt"

	"pifetch/fetchers/local/extract"
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
	return facts
}
