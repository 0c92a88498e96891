package main

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"pifetch/daemon/daemontest"
)

// open-browser --wait says when the window is open and returns when it closes.
func TestOpenBrowserWait(t *testing.T) {
	d := daemontest.Start(t)
	t.Setenv("PI_CODING_AGENT_DIR", d.Config.Paths.AgentDir)

	a, out, _ := testApp()
	r, w := io.Pipe()
	a.err = w
	code := make(chan int, 1)
	go func() {
		code <- a.run(t.Context(), []string{"open-browser", "--wait", "http://wiki.example/"})
		w.Close()
	}()
	lines := bufio.NewScanner(r)
	if !lines.Scan() || !strings.Contains(lines.Text(), "Chrome is open") {
		t.Fatalf("first line %q", lines.Text())
	}
	select {
	case c := <-code:
		t.Fatalf("returned %d while the window is open", c)
	default:
	}
	d.Browser.Quit()
	if !lines.Scan() || !strings.Contains(lines.Text(), "has been closed") {
		t.Errorf("second line %q", lines.Text())
	}
	if c := <-code; c != exitOK || out.Len() > 0 {
		t.Errorf("exit code %d, stdout %q", c, out)
	}
}
