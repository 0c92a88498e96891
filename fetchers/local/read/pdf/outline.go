package pdf

import (
	"strings"
	"unicode"
)

// byPage groups the outline by page index.
func byPage(outline []bookmark) map[int][]bookmark {
	pages := map[int][]bookmark{}
	for _, b := range outline {
		pages[b.page] = append(pages[b.page], b)
	}
	return pages
}

// heading is one entry of the outline at its place on a page: before the line
// at, or instead of so many lines from there.
type heading struct {
	at, lines int
	level     int
	text      string
}

// place finds the outline's entries on the page they lead to, given in order.
// An entry whose words are lines of the page stands in their place, and before
// a line that begins with them; another one stands at the top, or after the
// one before it, since the outline says the page and no more.
func place(lines []string, entries []bookmark) []heading {
	if len(entries) == 0 {
		return nil
	}
	keys := make([]string, len(lines))
	for i, l := range lines {
		if !prose().MatchString(l) {
			keys[i] = key(l)
		}
	}
	var found []heading
	at := 0
	for _, e := range entries {
		h := heading{at: at, level: e.level + 1, text: e.title}
		if i, n := find(keys, at, key(e.title)); n > 0 {
			h.at, h.lines, h.text = i, n, strings.Join(strings.Fields(strings.Join(lines[i:i+n], " ")), " ")
		} else if i := runIn(lines, at, e.title); i >= 0 {
			h.at = i
		}
		found = append(found, h)
		at = h.at + h.lines
	}
	return found
}

const titleLines = 3 // a title may be broken into

// prose matches lines that are no title: list items and ends of sentences.
var prose = lazy(`^\s*[-*•▪]\s|[.,;]$`)

// runIn returns the line from start on that begins with title and goes on, or
// -1.
func runIn(lines []string, start int, title string) int {
	for i := start; i < len(lines); i++ {
		if strings.HasPrefix(lines[i], title+" ") {
			return i
		}
	}
	return -1
}

// find returns where from start on title stands, and in how many lines.
func find(keys []string, start int, title string) (at, lines int) {
	if title == "" {
		return 0, 0
	}
	for i := start; i < len(keys); i++ {
		rest := title
		for n := 0; n < titleLines && i+n < len(keys) && keys[i+n] != ""; n++ {
			var ok bool
			if rest, ok = strings.CutPrefix(rest, keys[i+n]); !ok {
				break
			} else if rest == "" {
				return i, n + 1
			}
		}
	}
	return 0, 0
}

var sectionNumber = lazy(`^\s*(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|[IVXLC]+)[.:)]?\s+`)

// key is what has to agree of a title and a line: letters and digits, without
// the number of the section.
func key(s string) string {
	if rest := s[len(sectionNumber().FindString(s)):]; strings.IndexFunc(rest, unicode.IsLetter) >= 0 {
		s = rest
	}
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s))
}
