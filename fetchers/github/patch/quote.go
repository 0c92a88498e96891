package patch

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quote is a path as git writes it: in quotes and with escapes when it holds a
// control character, a quote or a backslash. What is invisible or not UTF-8 is
// escaped as well, which git reads alike.
func quote(path string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, width := 0, 0; i < len(path); i += width {
		var r rune
		r, width = utf8.DecodeRuneInString(path[i:])
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case !unicode.IsPrint(r) || r == utf8.RuneError && width == 1:
			for _, c := range []byte(path[i : i+width]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	if b.Len() == len(path)+2 {
		return path
	}
	return b.String()
}

// unquote is the path in a header line, which may be quoted.
func unquote(s string) string {
	if path, err := strconv.Unquote(s); err == nil && strings.HasPrefix(s, `"`) {
		return path
	}
	return s
}

// mark is a line that names a side of a file: "--- a/x" or "+++ b/x". A name
// with a space has a tab after it, as git writes it for other programs' sake.
func mark(sign, path string) string {
	quoted := quote(path)
	if strings.Contains(path, " ") && quoted == path {
		quoted += "\t"
	}
	return sign + " " + quoted + "\n"
}

// gitLine is the first line of a section.
func gitLine(oldPath, path string) string {
	return "diff --git " + quote("a/"+oldPath) + " " + quote("b/"+path) + "\n"
}

// samePath is the path in the first line of a section, without its line end,
// when both its names are the same. The line cannot be taken apart otherwise:
// a name may hold spaces.
func samePath(line string) (path string, ok bool) {
	names := strings.TrimPrefix(line, gitPrefix)
	if first, err := strconv.QuotedPrefix(names); err == nil && names[0] == '"' {
		second, ok := strings.CutPrefix(names[len(first):], " ")
		a, b := unquote(first), unquote(second)
		return strings.TrimPrefix(a, "a/"), ok && strings.HasPrefix(a, "a/") && strings.HasPrefix(b, "b/") && a[2:] == b[2:]
	}
	n := (len(names) - len("a/ b/")) / 2
	if n < 1 || names != "a/"+names[2:2+n]+" b/"+names[2:2+n] {
		return "", false
	}
	return names[2 : 2+n], true
}
