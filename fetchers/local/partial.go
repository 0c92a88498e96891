package local

import (
	"fmt"

	"pifetch/internal/termtext"
)

// partial names a list of which the page holds a part.
func partial(v view) finding {
	best := ""
	most := 0
	for _, l := range v.content.Signs.Lists {
		if l.Rows <= most {
			continue
		}
		most = l.Rows
		unit := "items"
		if l.Table {
			unit = "rows"
		}
		switch {
		case l.Of == 0 && l.Virtual:
			best = fmt.Sprintf("partial list: %s %s, and more outside of the view", termtext.Count(l.Rows), unit)
		case l.Of == 0:
			best = fmt.Sprintf("partial list: %s %s, and the page does not say of how many", termtext.Count(l.Rows), unit)
		case l.Virtual:
			best = fmt.Sprintf("partial list: %s of about %s %s", termtext.Count(l.Rows), termtext.Count(l.Of), unit)
		default:
			best = fmt.Sprintf("partial list: %s of %s %s", termtext.Count(l.Rows), termtext.Count(l.Of), unit)
		}
	}
	return finding{fact: best, shown: true}
}
