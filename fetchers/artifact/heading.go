package artifact

import (
	"fmt"
	"strings"
	"unicode"

	"pifetch/fetchers"
)

// HeadingLine is the line of the heading that a fragment names, 0 without one.
// Generators make a heading's id of its text as GitHub does: lower case,
// hyphens for spaces, no punctuation, and a number after one that was there
// before (https://github.com/Flet/github-slugger).
func HeadingLine(outline []fetchers.Heading, fragment string) int {
	seen := map[string]int{}
	for _, h := range outline {
		id := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
				return unicode.ToLower(r)
			}
			return -1
		}, h.Text)
		n := seen[id]
		seen[id]++
		if n > 0 {
			id = fmt.Sprintf("%s-%d", id, n)
		}
		if id != "" && id == strings.ToLower(fragment) {
			return h.Line
		}
	}
	return 0
}
