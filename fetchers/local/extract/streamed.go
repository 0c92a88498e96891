package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// placeStreamed puts the parts of a page that React's server sent late into
// their places, as a script does where scripts run. The hidden element S:n holds
// what belongs to the template B:n, after which stands a placeholder, or to the
// template P:n, which stands for nothing else (completeBoundary and
// completeSegment of React's ReactDOMFizzInstructionSet).
func placeStreamed(doc *html.Node) {
	places := map[string]*html.Node{}
	var parts []*html.Node
	walk(doc, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return true
		}
		switch id := attr(n, "id"); {
		case n.DataAtom == atom.Template && (strings.HasPrefix(id, "B:") || strings.HasPrefix(id, "P:")):
			if places[id] == nil {
				places[id] = n
			}
		case strings.HasPrefix(id, "S:") && hasAttr(n, "hidden"):
			parts = append(parts, n)
		}
		return true
	})
	for _, part := range parts {
		number := strings.TrimPrefix(attr(part, "id"), "S:")
		for _, id := range []string{"B:" + number, "P:" + number} {
			place := places[id]
			if place == nil || place.Parent == nil || inside(place, part) {
				continue
			}
			delete(places, id)
			if id[0] == 'B' {
				dropPlaceholder(place)
			}
			remove(part)
			replace(place, part)
			unwrap(part)
			break
		}
	}
}

// dropPlaceholder removes what stands for a late part: what comes after its
// template, up to the comment that ends it. Placeholders may hold others.
func dropPlaceholder(place *html.Node) {
	end, depth := place.NextSibling, 0
	for ; end != nil; end = end.NextSibling {
		if end.Type != html.CommentNode {
			continue
		}
		switch end.Data {
		case "$", "$?", "$!", "$~":
			depth++
		case "/$":
			depth--
		}
		if depth < 0 {
			break
		}
	}
	if end == nil {
		return
	}
	for place.NextSibling != end {
		remove(place.NextSibling)
	}
}
