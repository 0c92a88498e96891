package native

import (
	"regexp"
	"strconv"
	"strings"
)

// maxFrontMatter is how many lines front matter may have; a longer one is none,
// as in an outline.
const maxFrontMatter = 500

var (
	frontMatterKey = regexp.MustCompile(`^["']?[A-Za-z_][\w.-]*["']?\s*:(\s|$)`)

	// frontMatterLine matches what may stand in YAML of keys: nothing, what is
	// indented, a comment, an item, the end of a list or another key.
	frontMatterLine = regexp.MustCompile(`^(?:$|[ \t#\]}]|-(?:\s|$)|.*:(?:\s|$))`)
)

// cutFrontMatter parts the YAML at the top from the markdown below it. A rule
// at the top that no key follows, or anything but YAML, is no front matter.
func cutFrontMatter(markdown string) (front, body string) {
	rest, ok := strings.CutPrefix(markdown, "---")
	first, rest, found := strings.Cut(rest, "\n")
	if !ok || !found || strings.TrimSpace(first) != "" {
		return "", markdown
	}
	var inside strings.Builder
	for n := 0; n < maxFrontMatter; n++ {
		line, after, more := strings.Cut(rest, "\n")
		end := strings.TrimRight(line, " \t\r")
		switch {
		case end == "---" || end == "...":
			if n == 0 {
				return "", markdown
			}
			return inside.String(), after
		case n == 0 && !frontMatterKey.MatchString(end), !frontMatterLine.MatchString(end), !more:
			return "", markdown
		}
		inside.WriteString(end + "\n")
		rest = after
	}
	return "", markdown
}

var titleKey = regexp.MustCompile(`(?m)^["']?title["']?\s*:[ \t]*(.*)$`)

// titleOf is the title in front matter on one line: plain, quoted, or folded
// over the lines after it.
func titleOf(front string) string {
	at := titleKey.FindStringSubmatchIndex(front)
	if at == nil {
		return ""
	}
	value := strings.TrimSpace(front[at[2]:at[3]])
	if value == "" || strings.HasPrefix(value, ">") || strings.HasPrefix(value, "|") {
		value = ""
		for line := range strings.Lines(front[at[1]:]) {
			if line != "\n" && !strings.HasPrefix(line, " ") {
				break
			}
			value += line
		}
	}
	switch {
	case strings.HasPrefix(value, `"`):
		quoted, _ := strconv.QuotedPrefix(value)
		if s, err := strconv.Unquote(quoted); err == nil {
			value = s
		} else {
			value = strings.Trim(value, `"`)
		}
	case strings.HasPrefix(value, "'"):
		if end := strings.LastIndexByte(value, '\''); end > 0 {
			value = strings.ReplaceAll(value[1:end], "''", "'")
		}
	default:
		value, _, _ = strings.Cut(value, " #") // a comment
	}
	return strings.Join(strings.Fields(value), " ")
}
