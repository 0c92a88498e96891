package delivery

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"pifetch/fetchers"
	"pifetch/internal/termtext"
)

// outline is the headings of a document, body by body. Where they do not all
// fit, the deepest levels of the whole document go first; the level that fits
// in part is thinned evenly from top to bottom.
type outline struct {
	bodies   []string // names, ready to print
	headings []heading
}

type heading struct {
	body  int // index in bodies
	level int
	text  string // "L31 Reviews"
	rank  int    // its place when the best come first
}

func newOutline(bodies []fetchers.Body) outline {
	var o outline
	for i, body := range bodies {
		_, name := split(body)
		o.bodies = append(o.bodies, termtext.Exact(name))
		for _, h := range body.Outline {
			if text := termtext.Cap(termtext.Line(h.Text), headingChars); text != "" {
				o.headings = append(o.headings, heading{body: i, level: h.Level, text: "L" + strconv.Itoa(h.Line) + " " + text})
			}
		}
	}
	o.rank()
	return o
}

// rank orders the headings by level, and within a level so that as many of them
// as are taken from the front spread over the whole document.
func (o *outline) rank() {
	order := make([]*heading, len(o.headings))
	for i := range o.headings {
		order[i] = &o.headings[i]
	}
	slices.SortStableFunc(order, func(a, b *heading) int { return cmp.Compare(a.level, b.level) })
	for start := 0; start < len(order); {
		end := start
		for end < len(order) && order[end].level == order[start].level {
			end++
		}
		for place, i := range spread(end - start) {
			order[start+i].rank = start + place
		}
		start = end
	}
}

// spread is the numbers from 0 to n-1 in such an order that each halves a gap
// left by those before it.
func spread(n int) []int {
	step := 1
	for step < n {
		step *= 2
	}
	var order []int
	for i := 0; i < n; i += step {
		order = append(order, i)
	}
	for ; step > 1; step /= 2 {
		for i := step / 2; i < n; i += step {
			order = append(order, i)
		}
	}
	return order
}

// render writes a line for each body with headings, all together in at most
// limit bytes.
func (o *outline) render(limit int) string {
	best := ""
	fits, exceeds := 0, len(o.headings)+1
	for exceeds-fits > 1 {
		n := (fits + exceeds) / 2
		if text := o.best(n); len(text) <= limit {
			fits, best = n, text
		} else {
			exceeds = n
		}
	}
	return best
}

// best writes the n best headings, and how many it leaves out.
func (o *outline) best(n int) string {
	var b strings.Builder
	rest := o.headings
	for i, name := range o.bodies {
		var texts []string
		left := 0
		for ; len(rest) > 0 && rest[0].body == i; rest = rest[1:] {
			if rest[0].rank < n {
				texts = append(texts, rest[0].text)
			} else {
				left++
			}
		}
		if len(texts) == 0 {
			continue
		}
		if left > 0 {
			texts = append(texts, "… "+termtext.Count(left)+" more")
		}
		line(&b, indent, "outline: ", name, " ", strings.Join(texts, " · "))
	}
	return b.String()
}
