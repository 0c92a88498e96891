// Package render is what the readers write with: markdown that is bounded, and
// that says so where it was cut.
package render

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pifetch/internal/termtext"
)

// MaxBytes is the most one content.md may have.
const MaxBytes = 20 << 20

// Content is what a reader made of a file. Markdown is empty when the file
// itself is the best rendering; Title and Facts may be empty, too.
type Content struct {
	Title    string
	Facts    []string
	Markdown string
}

// Builder gathers markdown up to a limit. The zero value has the limit
// MaxBytes, of which it keeps some room for Cut.
type Builder struct {
	Limit int // bytes, when not 0

	sb  strings.Builder
	cut bool
}

// room is kept free for the notes on what was cut.
const room = 4 << 10

// Add appends s, or nothing of it when it does not fit any more: then it
// reports false, and so does every later call.
func (b *Builder) Add(s string) bool {
	if b.cut || b.sb.Len()+len(s) > b.limit() {
		b.cut = true
		return false
	}
	b.sb.WriteString(s)
	return true
}

func (b *Builder) limit() int {
	if b.Limit > 0 {
		return b.Limit
	}
	return MaxBytes - room
}

// IsCut reports whether something did not fit.
func (b *Builder) IsCut() bool { return b.cut }

// Len is the number of bytes gathered.
func (b *Builder) Len() int { return b.sb.Len() }

// Note appends a paragraph on what is missing. It always fits.
func (b *Builder) Note(s string) {
	if b.sb.Len()+len(s) < MaxBytes-8 {
		b.sb.WriteString("\n_" + s + "_\n")
	}
}

// String is the markdown so far: without blank lines around it, and with a
// newline at its end unless it is empty.
func (b *Builder) String() string {
	s := strings.TrimLeft(b.sb.String(), "\n")
	end := len(strings.TrimRight(s, "\n"))
	switch {
	case end == 0:
		return ""
	case end == len(s):
		return s + "\n"
	}
	return s[:end+1]
}

// Plural is a count with its noun: "1 row", "1,273 rows".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return termtext.Count(n) + " " + stem + "ies"
	}
	return termtext.Count(n) + " " + noun + "s"
}

// Heading is a heading line of the level after a blank line.
func Heading(level int, title string) string {
	return "\n" + strings.Repeat("#", min(level, 6)) + " " + termtext.Line(title) + "\n"
}

// Fence is s as a code block that nothing in s can end.
func Fence(lang, s string) string {
	longest, run := 2, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return "\n" + fence + lang + "\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}

// Shorten is s when it has at most n bytes, else its head and a note on the
// rest.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head := strings.ToValidUTF8(s[:n], "")
	return fmt.Sprintf("%s… (%s more)", head, termtext.Bytes(int64(len(s)-len(head))))
}

// escapes are the characters with a meaning in running text.
var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "#", `\#`)

// Text is s as one line of running text in which nothing is markup.
func Text(s string) string { return escapes.Replace(termtext.Line(s)) }

// Link is a link, or its label where there is no address.
func Link(label, href string) string {
	href = destination.Replace(termtext.Line(href))
	if href == "" {
		return Text(label)
	}
	return "[" + Text(label) + "](" + href + ")"
}

var destination = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E")

// Clip is s cut to n characters, the last of them … when something was cut.
func Clip(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	return termtext.Cap(s, n)
}
