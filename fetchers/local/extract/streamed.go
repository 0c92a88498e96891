package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// streamed are the parts of a page that React's server sent late, and where
// they belong: the hidden element S:n to the template B:n, after which stands a
// placeholder, or to the template P:n, which stands for nothing else
// (completeBoundary and completeSegment of React's ReactDOMFizzInstructionSet).
type streamed struct {
	parts  []*html.Node
	places map[string]latePlace // by the template's id
	depths map[*html.Node]int   // of the places of parts
}

// latePlace is a template that a late part takes the place of.
type latePlace struct {
	template *html.Node
	part     *html.Node // that it lies in, nil without
	depth    int        // below that part, or the root
}

// placeStreamed puts late parts into their places, as a script does where
// scripts run.
func placeStreamed(doc *html.Node) {
	s := streamed{places: map[string]latePlace{}, depths: map[*html.Node]int{}}
	s.find(doc, nil, 0)
	var places []latePlace // all chosen before any moves
	for _, part := range s.parts {
		place := s.placeOf(part)
		if s.depth(part) > maxLateDepth {
			place = latePlace{}
		}
		places = append(places, place)
	}
	for i, part := range s.parts {
		template := places[i].template
		if template == nil || template.Parent == nil {
			continue
		}
		if strings.HasPrefix(attr(template, "id"), "B:") {
			dropPlaceholder(template)
		}
		remove(part)
		replace(template, part)
		unwrap(part)
	}
}

func (s *streamed) find(n, part *html.Node, depth int) {
	if n.Type == html.ElementNode {
		switch id := attr(n, "id"); {
		case n.DataAtom == atom.Template && (strings.HasPrefix(id, "B:") || strings.HasPrefix(id, "P:")):
			if s.places[id].template == nil {
				s.places[id] = latePlace{n, part, depth}
			}
			return // its contents are inert
		case n.DataAtom == atom.Template:
			return
		case strings.HasPrefix(id, "S:") && hasAttr(n, "hidden") && !hasAttr(n, hiddenMark): // else scripts have run, and left it hidden
			s.parts = append(s.parts, n)
			part, depth = n, 0
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		s.find(c, part, depth+1)
	}
}

func (s *streamed) placeOf(part *html.Node) latePlace {
	number := strings.TrimPrefix(attr(part, "id"), "S:")
	if place, ok := s.places["B:"+number]; ok {
		return place
	}
	return s.places["P:"+number]
}

// maxLateDepth bounds how deep parts within parts make the tree.
const maxLateDepth = 400

// depth is how deep the place of a part is once all parts are in theirs. It is
// above maxLateDepth for parts that lie in each other.
func (s *streamed) depth(part *html.Node) int {
	if depth, ok := s.depths[part]; ok {
		return depth
	}
	s.depths[part] = maxLateDepth + 1 // should it come back to this part
	place := s.placeOf(part)
	depth := place.depth
	if place.part != nil {
		depth = min(depth+s.depth(place.part), maxLateDepth+1)
	}
	s.depths[part] = depth
	return depth
}

// maxPlaceholder is the most nodes a placeholder is looked for in.
const maxPlaceholder = 1000

// dropPlaceholder removes what stands for a late part: what comes after its
// template, up to the comment that ends it. Placeholders may hold others.
func dropPlaceholder(template *html.Node) {
	end, depth := template.NextSibling, 0
	for i := 0; end != nil; i, end = i+1, end.NextSibling {
		if i == maxPlaceholder {
			return
		}
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
	for template.NextSibling != end {
		remove(template.NextSibling)
	}
}
