package github

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// at is a moment of the test's job, in seconds after it began.
func at(seconds float64) time.Time {
	start := time.Date(2026, time.March, 1, 10, 0, 0, 0, time.UTC)
	return start.Add(time.Duration(seconds * float64(time.Second)))
}

// step makes a step as GitHub tells it, in whole seconds.
func step(number int, name, conclusion string, start, end int) jobStep {
	return jobStep{
		Number: number, Name: name, Status: "completed", Conclusion: conclusion,
		Started: at(float64(start)), Completed: at(float64(end)),
	}
}

// rawLog writes lines as GitHub does: "1.5 text" is written 1.5 seconds after
// the beginning.
func rawLog(lines ...string) string {
	var b strings.Builder
	b.WriteString("\ufeff")
	for _, line := range lines {
		seconds, text, _ := strings.Cut(line, " ")
		var s float64
		if _, err := fmt.Sscanf(seconds, "%g", &s); err != nil {
			b.WriteString(line + "\n")
			continue
		}
		b.WriteString(at(s).Format("2006-01-02T15:04:05.0000000Z") + " " + text + "\n")
	}
	return b.String()
}

func mustReadLog(t *testing.T, raw string, steps ...jobStep) *actionLog {
	t.Helper()
	l, err := readLog(strings.NewReader(raw), steps)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLogByStep(t *testing.T) {
	steps := []jobStep{
		step(1, "Set up job", "success", 0, 1), step(2, "Check out", "success", 1, 3), step(3, "Never", "skipped", 3, 3),
		step(4, "Build", "success", 3, 3), step(5, "Test", "failure", 3, 6), step(9, "Post Check out", "success", 6, 6),
		step(10, "Complete job", "success", 6, 6),
	}
	l := mustReadLog(t, rawLog(
		"0.1 Current runner version: '2.330.0'",
		"1.2 Prepare all required actions", // in the second in which step 2 starts, but before it
		"1.4 ##[group]Run actions/checkout@v5",
		"1.4 with:",
		"1.5 ##[endgroup]",
		"2.1 ##[group]Run inner", // of a composite action: the next step does not start in this second
		"3.1 ##[group]Run go build ./...",
		"3.2 ##[endgroup]",
		"3.3 ##[group]Run go test ./...",
		"3.3 ##[endgroup]",
		"4.0 \x1b[31m--- FAIL\x1b[0m: TestGreet",
		"a line without a time",
		"5.0 ##[error]Process completed with exit code 1.",
		"6.1 Post job cleanup.",
		"6.2 Cleaning up orphan processes",
	), steps...)
	text := l.whole()
	want := `=== step 1: Set up job (success, 1s) ===
Current runner version: '2.330.0'
Prepare all required actions

=== step 2: Check out (success, 2s) ===
##[group]Run actions/checkout@v5
with:
##[group]Run inner

=== step 4: Build (success, 0s) ===
##[group]Run go build ./...

=== step 5: Test (failure, 3s) ===
##[group]Run go test ./...
--- FAIL: TestGreet
a line without a time
##[error]Process completed with exit code 1.

=== step 9: Post Check out (success, 0s) ===
Post job cleanup.

=== step 10: Complete job (success, 0s) ===
Cleaning up orphan processes
`
	if text.text != want {
		t.Errorf("got:\n%s\nwant:\n%s", text.text, want)
	}
	lines := strings.Split(text.text, "\n")
	if got := lines[text.steps[5]-1]; !strings.HasPrefix(got, "=== step 5:") {
		t.Errorf("step 5 is said to be at %q", got)
	}
	for _, tt := range []struct {
		step, n int
		want    string
	}{{5, 0, "##[group]Run go test ./..."}, {5, 2, "--- FAIL: TestGreet"}, {2, 3, "##[group]Run inner"}} {
		i, ok := text.find(l, tt.step, tt.n)
		if !ok || lines[text.at[i]-1] != tt.want {
			t.Errorf("#step:%d:%d: %v, %q; want %q", tt.step, tt.n, ok, lines[text.at[i]-1], tt.want)
		}
	}
	if _, ok := text.find(l, 5, 99); ok {
		t.Error("line 99 of step 5 was found")
	}
	if got := l.errors(steps[4:5]); !slices.Equal(got, []string{"Process completed with exit code 1."}) {
		t.Errorf("errors %q", got)
	}
}

func TestLogWithoutSteps(t *testing.T) {
	l := mustReadLog(t, rawLog("0 one", "1 two"))
	if got := l.whole().text; got != "one\ntwo\n" {
		t.Errorf("got %q", got)
	}
}

func TestPlainLine(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"colours", "\x1b[1;31mred\x1b[0m \x1b[38;5;9mred\x1b[K", "red red"},
		{"title and link", "\x1b]0;title\x07a \x1b]8;;https://x.example\x1b\\link\x1b]8;;\x1b\\", "a link"},
		{"written over", "10%\r50%\r100% done\r", "100% done"},
		{"tabs", "a\tb\x00\x07", "a\tb"},
		{"not UTF-8", "caf\xe9", "caf\uFFFD"},
		{"a forged step", "=== step 9: Deploy (success) ===", " === step 9: Deploy (success) ==="},
	} {
		if got := plainLine(tt.in); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestLogTail(t *testing.T) {
	steps := []jobStep{step(1, "Test", "failure", 0, 400), step(2, "Upload", "success", 1000, 1002)}
	var lines []string
	for i := range 300 {
		lines = append(lines, fmt.Sprintf("%d line %d", i, i))
	}
	l := mustReadLog(t, rawLog(append(lines, "1001 uploaded")...), steps...)
	text, of := l.tail(steps[:1], "https://github.com/o/r/actions/runs/1/job/2")
	got := strings.Split(strings.TrimSuffix(text.text, "\n"), "\n")
	if got[0] != "=== 200 lines of 301, the end of step 1: Test; all of them: https://github.com/o/r/actions/runs/1/job/2 ===" ||
		got[3] != "line 100" || got[len(got)-1] != "line 299" || of != "the end of step 1: Test" {
		t.Errorf("%q begins %q and ends %q", of, got[:4], got[len(got)-1])
	}
	if text, of := l.tail(nil, "x"); !strings.HasSuffix(text.text, "uploaded\n") || of != "the end of the log" {
		t.Errorf("the tail of a job without a failed step, %q, ends %q", of, text.text[len(text.text)-20:])
	}
	steps[1].Conclusion = "failure"
	if _, of := l.tail(steps[1:], "x"); of != "step 2: Upload" {
		t.Errorf("a short step is called %q", of)
	}
}

func TestLongLog(t *testing.T) {
	line := strings.Repeat("x", maxLogLine)
	l := mustReadLog(t, "0123"+line+line+"\n"+strings.Repeat(line[:1<<16-1]+"\n", maxLogBytes>>16+3)+"the end\n")
	if first := l.lines[0].text; len(l.lines) == 0 || l.bytes > maxLogBytes || l.dropped != 5 || first != line[:1<<16-1] {
		t.Errorf("%d lines, %d bytes, %d dropped", len(l.lines), l.bytes, l.dropped)
	}
	text := l.whole().text
	if !strings.HasPrefix(text, "=== the first 5 lines of this log left out: it is over 20.0MB or 500,000 lines ===\n") || !strings.HasSuffix(text, "\nthe end\n") {
		t.Errorf("the log begins %q", text[:80])
	}
}

// Lines without text cost memory, too.
func TestLogOfManyLines(t *testing.T) {
	l := mustReadLog(t, "first\n"+strings.Repeat("\n", maxLogLines+1)+"last\n")
	if n := len(l.lines); n != maxLogLines || l.dropped != 3 || l.lines[n-1].text != "last" {
		t.Errorf("%d lines, %d dropped, the last %q", n, l.dropped, l.lines[n-1].text)
	}
}

func TestLongLineIsCut(t *testing.T) {
	l := mustReadLog(t, strings.Repeat("é", maxLogLine)+"\nnext\n")
	if got := l.lines[0].text; !strings.HasSuffix(got, "é … (the line goes on)") || len(got) > maxLogLine+40 {
		t.Errorf("%d bytes, ending %q", len(got), got[len(got)-30:])
	}
	if l.lines[1].text != "next" {
		t.Errorf("the line after it is %q", l.lines[1].text)
	}
}

func FuzzLog(f *testing.F) {
	f.Add(rawLog("0 a", "1 ##[group]Run x", "2 \x1b[0m"))
	f.Fuzz(func(t *testing.T, raw string) {
		steps := []jobStep{step(1, "a", "success", 0, 1), step(2, "b", "failure", 1, 2), step(3, "c", "success", 2, 3)}
		l, err := readLog(strings.NewReader(raw), steps)
		if err != nil {
			t.Fatal(err)
		}
		text := l.whole()
		lines := strings.Split(text.text, "\n")
		for i, line := range text.lines {
			if lines[text.at[i]-1] != line.text {
				t.Fatalf("line %d is %q, want %q", text.at[i], lines[text.at[i]-1], line.text)
			}
		}
		for n, line := range text.steps {
			if !strings.HasPrefix(lines[line-1], fmt.Sprintf("%s%d:", stepMark, n)) {
				t.Fatalf("step %d is said to be at %q", n, lines[line-1])
			}
		}
	})
}
