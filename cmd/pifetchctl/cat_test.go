package main

import (
	"os"
	"path/filepath"
	"testing"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
)

func TestPrintBodies(t *testing.T) {
	dir := t.TempDir()
	body := func(name, content string, lines int) fetchers.Body {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return fetchers.Body{Name: name, Path: path, Lines: lines, Bytes: int64(len(content))}
	}
	pdf := body("a.pdf", "%PDF\x00", 0)
	md := body("content.md", "# A\x1b[2J\n\tb", 2)
	patch := body("diff.patch", "--- a\n", 1)
	talk := body("conversation.md", "hello\n", 1)
	for _, tt := range []struct {
		name        string
		terminal    bool
		env         string
		bodies      [][]fetchers.Body
		out, stderr string
	}{
		{name: "as it is", bodies: [][]fetchers.Body{{pdf, md}}, out: "# A\x1b[2J\n\tb"},
		{name: "in order", bodies: [][]fetchers.Body{{patch, talk}, {patch}}, out: "hello\n--- a\n"},
		{name: "terminal", terminal: true, bodies: [][]fetchers.Body{{md}}, out: "# A\n\tb\n"},
		{name: "binary", bodies: [][]fetchers.Body{{pdf}}, out: "%PDF\x00"},
		{
			name: "binary on a terminal", terminal: true, bodies: [][]fetchers.Body{{pdf}},
			stderr: "pifetchctl: a.pdf is binary (5B) and not for a terminal: it is " + pdf.Path + "\n",
		},
		{name: "agent", env: "AI_AGENT", bodies: [][]fetchers.Body{{pdf, md}}, out: md.Path + "\n"},
		{name: "pi", env: "PI_CODING_AGENT", bodies: [][]fetchers.Body{{talk}, {pdf}}, out: talk.Path + "\n" + pdf.Path + "\n"},
		{name: "no file", bodies: [][]fetchers.Body{{}}, stderr: "pifetchctl: https://a.example/ has no file\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, out, stderr := testApp()
			a.outTerminal = tt.terminal
			a.getenv = func(key string) string {
				if key == tt.env {
					return "1"
				}
				return ""
			}
			res := &wire.FetchResult{}
			for _, b := range tt.bodies {
				res.Outcomes = append(res.Outcomes, fetchers.Outcome{URL: "https://a.example/", Document: &fetchers.Document{Bodies: b}})
			}
			if err := printBodies(a, res); err != nil {
				t.Fatal(err)
			}
			if out.String() != tt.out || stderr.String() != tt.stderr {
				t.Errorf("stdout %q, stderr %q, want %q, %q", out, stderr, tt.out, tt.stderr)
			}
		})
	}
}
