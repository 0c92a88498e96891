// Package markdown writes documents out of what strangers wrote. Whatever a
// text holds, it stays inside its own part of the document: it can neither
// begin a heading of ours nor leave a code block or a comment open.
package markdown

import (
	"strings"
	"time"

	"pifetch/internal/termtext"
)

// Doc is a document under way. The zero value is an empty one.
type Doc struct {
	text strings.Builder
	line int // lines written
}

// String is the document.
func (d *Doc) String() string { return d.text.String() }

// Line is the number of the line that comes next, counted from 1.
func (d *Doc) Line() int { return d.line + 1 }

// Add writes a block of lines and an empty line after it. The text is taken
// as it is, but for what does not belong into a text: bytes that are not UTF-8,
// which names of files may hold, and NUL.
func (d *Doc) Add(block string) {
	block = strings.ToValidUTF8(strings.TrimRight(block, "\n"), "\ufffd")
	block = strings.ReplaceAll(block, "\x00", "\ufffd")
	if block == "" {
		return
	}
	d.text.WriteString(block)
	d.text.WriteString("\n\n")
	d.line += strings.Count(block, "\n") + 2
}

// Heading writes a heading.
func (d *Doc) Heading(level int, text string) {
	d.Add(strings.Repeat("#", level) + " " + Line(text))
}

// Table writes a table. Rows may be shorter than the head.
func (d *Doc) Table(head []string, rows [][]string) { d.Add(Table(head, rows)) }

// Table is a table in the form GitHub knows.
func Table(head []string, rows [][]string) string {
	var b strings.Builder
	row := func(cells []string) {
		for i := range head {
			cell := ""
			if i < len(cells) {
				cell = strings.ReplaceAll(Line(cells[i]), "|", `\|`)
			}
			b.WriteString("| " + cell + " ")
		}
		b.WriteString("|\n")
	}
	row(head)
	b.WriteString(strings.Repeat("| --- ", len(head)) + "|\n")
	for _, cells := range rows {
		row(cells)
	}
	return b.String()
}

// Line is text on one line, its white space folded.
func Line(text string) string { return strings.Join(strings.Fields(text), " ") }

// Fence is text as a code block that nothing in it can end.
func Fence(language, text string) string {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return fence + language + "\n" + text + fence
}

// Code is text as code within a line.
func Code(text string) string {
	text = Line(text)
	ticks := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// Newlines are the line ends of a text as a file has them. GitHub keeps what
// browsers send, CRLF.
func Newlines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// Time is a moment as documents and facts write it.
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// Day is the day of a moment.
func Day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// Count is a number with the thing that is counted: "1 file", "1,204 files".
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return termtext.Count(n) + " " + thing
}
