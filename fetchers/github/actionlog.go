package github

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode"

	"pifetch/fetchers/github/markdown"
	"pifetch/internal/termtext"
)

// Bounds of a log.
const (
	maxLogBytes = 20 << 20 // kept of a job's log, its end
	maxLogLines = 500_000  // kept of a job's log, its last
	maxLogLine  = 64 << 10 // kept of one line, its beginning
)

// actionLog is the log of a job of Actions: the text without times, colours and
// control characters, its lines dealt out to the job's steps.
//
// The log itself does not name the steps. A line belongs to the step during
// which it was written, and since GitHub gives a step's start in whole seconds
// alone, within that second a step begins where the runner writes that it does.
type actionLog struct {
	steps   []jobStep // that ran, in their order
	lines   []logLine
	bytes   int // of lines
	dropped int // lines left out before the first
}

// logLine is a line of a log.
type logLine struct {
	step   int // index of its step; -1: none is known
	number int // within the step from 1, as the job's page counts; 0 of one the page does not number
	text   string
}

// readLog reads a log to its end.
func readLog(r io.Reader, steps []jobStep) (*actionLog, error) {
	l := &actionLog{}
	for _, s := range steps {
		if s.Conclusion != "skipped" && !s.Started.IsZero() {
			l.steps = append(l.steps, s)
		}
	}
	in := bufio.NewReaderSize(r, maxLogLine)
	at := logLine{step: -1}
	if len(l.steps) > 0 {
		at.step = 0
	}
	for {
		raw, err := readLine(in)
		if raw == "" && errors.Is(err, io.EOF) {
			return l, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		when, text := cutTime(strings.TrimPrefix(raw, "\ufeff"))
		if step := l.stepAt(at.step, when, text); step != at.step {
			at = logLine{step: step}
		}
		if text == "##[endgroup]" {
			continue
		}
		at.number++
		at.text = plainLine(text)
		l.add(at)
	}
}

// readLine reads a line without its end; what is over maxLogLine is left out.
func readLine(in *bufio.Reader) (string, error) {
	part, more, err := in.ReadLine()
	line := string(part)
	if more {
		line += " … (the line goes on)"
	}
	for more && err == nil {
		_, more, err = in.ReadLine()
	}
	return line, err
}

// cutTime takes the time off a line: "2026-03-01T10:00:00.1234567Z text".
func cutTime(line string) (time.Time, string) {
	stamp, text, _ := strings.Cut(line, " ")
	if len(stamp) < len("2026-03-01T10:00:00Z") || stamp[len(stamp)-1] != 'Z' {
		return time.Time{}, line
	}
	when, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		return time.Time{}, line
	}
	return when, text
}

// stepAt is the step of a line that follows one of the current step.
func (l *actionLog) stepAt(current int, when time.Time, text string) int {
	if current < 0 || when.IsZero() {
		return current
	}
	second := when.Truncate(time.Second)
	begins := strings.HasPrefix(text, "##[group]Run ") || text == "Post job cleanup." || text == "Cleaning up orphan processes"
	for next := current + 1; next < len(l.steps); next++ {
		start := l.steps[next].Started
		switch {
		case start.Before(second):
			current = next
		case start.Equal(second) && begins:
			return next
		default:
			return current
		}
	}
	return current
}

// add keeps a line, and drops the oldest ones where there is no room.
func (l *actionLog) add(line logLine) {
	l.lines = append(l.lines, line)
	l.bytes += len(line.text) + 1
	n := 0
	for l.bytes > maxLogBytes || len(l.lines)-n > maxLogLines {
		l.bytes -= len(l.lines[n].text) + 1
		n++
	}
	l.lines, l.dropped = l.lines[n:], l.dropped+n
}

// escape is a control sequence of a terminal: a colour, a movement, a title.
var escape = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])`)

// plainLine is a line as it stands on a terminal in the end.
func plainLine(text string) string {
	text = escape.ReplaceAllString(strings.TrimRight(text, "\r"), "")
	if i := strings.LastIndexByte(text, '\r'); i >= 0 { // a line that was written over
		text = text[i+1:]
	}
	text = strings.Map(func(r rune) rune {
		if r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if strings.HasPrefix(text, stepMark) {
		return " " + text // only our own lines begin like this
	}
	return text
}

// stepMark opens the line above a step's lines.
const stepMark = "=== step "

func (s jobStep) banner() string {
	text := stepMark + number(s.Number) + ": " + markdown.Line(s.Name) + " (" + s.result()
	if took := elapsed(s.Started, s.Completed); took != "" {
		text += ", " + took
	}
	return text + ") ==="
}

// logText is a part of a log as a file, and where the steps stand in it.
type logText struct {
	text  string
	lines []logLine
	at    []int       // the line in text of each of lines
	steps map[int]int // the banner's line by the step's number
}

// write makes the lines from..to a file below a head of the caller's.
func (l *actionLog) write(head []string, from, to int) logText {
	t := logText{lines: l.lines[from:to], steps: map[int]int{}}
	var b strings.Builder
	n := 0
	put := func(line string) {
		b.WriteString(line + "\n")
		n++
	}
	for _, line := range head {
		put(line)
	}
	last := -1
	for _, line := range t.lines {
		if line.step != last {
			if n > 0 {
				put("")
			}
			step := l.steps[line.step]
			put(step.banner())
			t.steps[step.Number] = n
			last = line.step
		}
		put(line.text)
		t.at = append(t.at, n)
	}
	t.text = b.String()
	return t
}

// whole is the log as a file.
func (l *actionLog) whole() logText {
	var head []string
	if l.dropped > 0 {
		head = append(head, fmt.Sprintf("=== the first %s of this log left out: it is over %s or %s ===",
			markdown.Count(l.dropped, "line"), termtext.Bytes(maxLogBytes), markdown.Count(maxLogLines, "line")))
	}
	return l.write(head, 0, len(l.lines))
}

// stepLines is where the lines of a step begin and end, both 0 when there are
// none.
func (l *actionLog) stepLines(number int) (from, to int) {
	for i, line := range l.lines {
		if line.step < 0 || l.steps[line.step].Number != number {
			continue
		}
		if to == 0 {
			from = i
		}
		to = i + 1
	}
	return from, to
}

// tailLines is how much of a failing job's log stands beside its run.
const tailLines = 200

// tail is the end of the first step that failed, or of the whole log, as a
// file, and what it is of. source says where all of the log is.
func (l *actionLog) tail(failed []jobStep, source string) (text logText, of string) {
	from, to, of := 0, len(l.lines), "the log"
	if len(failed) > 0 {
		if start, end := l.stepLines(failed[0].Number); end > 0 {
			from, to, of = start, end, failed[0].title()
		}
	}
	if to-from > tailLines || l.dropped > 0 && from == 0 {
		from, of = max(from, to-tailLines), "the end of "+of
	}
	head := fmt.Sprintf("=== %s of %s, %s; all of them: %s ===", markdown.Count(to-from, "line"), termtext.Count(l.dropped+len(l.lines)), of, source)
	return l.write([]string{head}, from, to), of
}

// errorMark is what the runner writes before an error.
const errorMark = "##[error]"

// errors are the errors of a log, those of steps that failed before others.
func (l *actionLog) errors(failed []jobStep) []string {
	var inFailed, others []string
	isFailed := map[int]bool{}
	for _, s := range failed {
		isFailed[s.Number] = true
	}
	for _, line := range l.lines {
		text, ok := strings.CutPrefix(line.text, errorMark)
		if text = markdown.Line(text); !ok || text == "" {
			continue
		}
		if line.step >= 0 && isFailed[l.steps[line.step].Number] {
			inFailed = append(inFailed, text)
		} else {
			others = append(others, text)
		}
	}
	return append(tellingFirst(inFailed), tellingFirst(others)...)
}

// find is the index of the line that the job's page calls number n of a step,
// or of the step's first line for n = 0.
func (t logText) find(l *actionLog, step, n int) (index int, ok bool) {
	for i, line := range t.lines {
		if line.step >= 0 && l.steps[line.step].Number == step && line.number >= n {
			return i, n == 0 || line.number == n
		}
	}
	return 0, false
}
