package native

import (
	"regexp"
	"strconv"
	"strings"
)

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
