package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"pifetch/daemon/rundir"
)

// logs --follow prints what is added, complete lines only, and goes on in the
// log that takes the place of one set aside, and at the begin of one emptied. A
// part of a line at the end of the old log is printed, too.
func TestLogsFollow(t *testing.T) {
	agent := t.TempDir()
	t.Setenv("PI_CODING_AGENT_DIR", agent)
	paths, err := rundir.Locate(agent)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(paths.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		f, err := os.OpenFile(paths.Log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	write("1\n2\n3\npart")
	a, _, stderr := testApp()
	r, w := io.Pipe()
	a.out, a.outTerminal = w, true
	ctx, cancel := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() {
		code <- a.run(ctx, []string{"logs", "-f", "-n", "2"})
		w.Close()
	}()
	lines := bufio.NewScanner(r)
	want := func(texts ...string) {
		t.Helper()
		for _, text := range texts {
			if !lines.Scan() || lines.Text() != text {
				t.Fatalf("line %q, want %q", lines.Text(), text)
			}
		}
	}
	want("2", "3")
	write("ly\nev\x1b[2Jil\n")
	want("partly", "evil")
	if err := os.Rename(paths.Log, paths.Log+".old"); err != nil {
		t.Fatal(err)
	}
	write("new\n")
	want("new")
	write("cut")
	if err := os.Rename(paths.Log, paths.Log+".old"); err != nil {
		t.Fatal(err)
	}
	write("newer\n")
	want("cut", "newer")
	if err := os.Truncate(paths.Log, 0); err != nil {
		t.Fatal(err)
	}
	write("1\n")
	want("1")
	cancel()
	if lines.Scan() {
		t.Errorf("a line after the end: %q", lines.Text())
	}
	if c := <-code; c != exitOK || stderr.Len() > 0 {
		t.Errorf("exit code %d, stderr %q", c, stderr)
	}
}

func TestLogsTail(t *testing.T) {
	long := strings.Repeat("x", 1<<20) + "\n"
	for name, tt := range map[string]struct {
		text string
		n    string
		want string
	}{
		"fewer":          {"1\n2\n", "100", "1\n2\n"},
		"none":           {"1\n2\n", "0", ""},
		"empty":          {"", "100", ""},
		"no_line_yet":    {"1", "100", ""},
		"as_it_is":       {"\x1b[2J\n", "1", "\x1b[2J\n"},
		"a_part_of_each": {long + long + long + long + "1\n", "100", long + long + long + "1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			agent := t.TempDir()
			t.Setenv("PI_CODING_AGENT_DIR", agent)
			paths, err := rundir.Locate(agent)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(paths.Dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(paths.Log, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			a, out, stderr := testApp()
			if code := a.run(t.Context(), []string{"logs", "--lines", tt.n}); code != exitOK || stderr.Len() > 0 {
				t.Fatalf("exit code %d, stderr %q", code, stderr)
			}
			if out.String() != tt.want {
				t.Errorf("%d bytes, want %d", out.Len(), len(tt.want))
			}
		})
	}
}
