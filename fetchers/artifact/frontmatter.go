package artifact

import (
	"regexp"
	"strings"
)

var (
	frontMatterKey = regexp.MustCompile(`^["']?[A-Za-z_][\w.-]*["']?\s*:(\s|$)`)

	// frontMatterLine matches what may stand in YAML of keys: nothing, what is
	// indented, a comment, an item, the end of a list or another key.
	frontMatterLine = regexp.MustCompile(`^(?:$|[ \t#\]}]|-(?:\s|$)|.*:(?:\s|$))`)
)

// frontMatter follows the lines at the top of markdown. Front matter is YAML
// between two rules: a rule that no key follows, or anything but YAML, is none,
// and neither is what has no end within maxFrontMatter lines.
type frontMatter struct{ n int }

type frontState int

const (
	frontOpen   frontState = iota // it may be front matter so far
	frontClosed                   // the line was its last one
	frontNone                     // there is none
)

// next takes a line without the white space at its end.
func (f *frontMatter) next(line string) frontState {
	f.n++
	switch {
	case f.n == 1 && line == "---", f.n == 2 && frontMatterKey.MatchString(line):
		return frontOpen
	case f.n <= 2 || f.n > 1+maxFrontMatter:
		return frontNone
	case line == "---" || line == "...":
		return frontClosed
	case frontMatterLine.MatchString(line):
		return frontOpen
	}
	return frontNone
}

// CutFrontMatter parts the YAML at the top, without its rules, from the
// markdown below it.
func CutFrontMatter(markdown string) (front, body string) {
	var f frontMatter
	var inside strings.Builder
	at := 0
	for line := range strings.Lines(markdown) {
		at += len(line)
		line = strings.TrimRight(line, " \t\r\n")
		switch f.next(line) {
		case frontNone:
			return "", markdown
		case frontClosed:
			return inside.String(), markdown[at:]
		}
		if f.n > 1 {
			inside.WriteString(line + "\n")
		}
	}
	return "", markdown
}
