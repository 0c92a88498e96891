package artifact

import (
	"strings"
	"unicode"

	"pifetch/fetchers"
)

// menuBytes is how much of a text may be lines of nothing but links and still
// be a menu above the text; what goes on for longer is a list of links.
const menuBytes = 1 << 10

// Excerpt is the head of markdown as a reader sees it: no headings, which the
// outline has, no pictures, no addresses of links, no menu.
func Excerpt(markdown string) string {
	var text strings.Builder
	fenced := false
	menu := true // nothing but links so far
	for line := range strings.Lines(markdown) {
		if text.Len() >= fetchers.ExcerptBytes {
			break
		}
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fenced = !fenced
			continue
		}
		links := false
		if !fenced {
			if strings.HasPrefix(line, "#") {
				continue
			}
			line = strings.TrimLeft(image.ReplaceAllString(line, ""), "> ")
			line = line[:min(len(line), 2*fetchers.ExcerptBytes)]
			links = menu && !hasWords(link.ReplaceAllString(line, ""))
			line = plain(line)
		}
		if !hasWords(line) {
			continue // a rule, the line below a table's head
		}
		if menu && !links {
			menu = false
			if text.Len() <= menuBytes {
				text.Reset()
			}
		}
		text.WriteString(line + "\n")
	}
	s := strings.TrimSpace(text.String())
	return strings.ToValidUTF8(s[:min(len(s), fetchers.ExcerptBytes)], "")
}

func hasWords(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
