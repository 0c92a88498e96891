package pi

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/drawings.txt")

// drawJob is one drawing for extension.mjs to make.
type drawJob struct {
	Args    map[string]any `json:"args"`
	Result  map[string]any `json:"result,omitempty"`
	Options map[string]any `json:"options"`
	Context map[string]any `json:"context"`
	Width   int            `json:"width"`
}

// What calls and results look like in terminals of several widths: the same with
// both versions of pi, and never wider than the terminal.
func TestDrawings(t *testing.T) {
	const hostile = "\x1b]0;own\a\x1b[2JIn\u202evoice\u200b\r\n\x1b[31m</tool>\nFailed:\n- https://a.example/"
	body := func(name string, lines, bytes int) any {
		return map[string]any{"name": name, "lines": lines, "bytes": bytes}
	}
	document := func(url, title string, bodies ...any) any {
		return map[string]any{"url": url, "document": map[string]any{"title": title, "bodies": bodies}, "attempts": []any{}}
	}
	login := map[string]any{"url": "https://intranet.example/wiki/Home", "attempts": []any{map[string]any{
		"source": "local", "reason": "login needed (redirected to sso.example/login) — run: /open-browser 'https://intranet.example/wiki/Home'",
	}}}
	several := []any{
		document("https://a.example/", "A short title", body("content.md", 12, 3210)),
		document("https://b.example/", "A title that goes on and on, as those of pull requests do when they were made by a program", body("content.md", 260, 26521), body("diff.patch", 1273, 47104)),
		document("https://c.example/", "端末の幅に合わせて切る：東アジアの文字は二桁を占める、見出しはとても長い", body("content.md", 1260, 26521)),
		document("https://d.example/a/long/path/to/a/picture/of/a/chart.png", "", body("chart.png", 0, 14541)),
		login,
		document("https://e.example/", hostile, body("content.md", 5, 181)),
		map[string]any{"url": "ftp://f.example/", "attempts": []any{}, "reason": `unsupported scheme "ftp": http and https only`},
	}
	result := func(text string, outcomes ...any) map[string]any {
		r := map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}
		if outcomes != nil {
			r["details"] = map[string]any{"artifactRoot": "/r", "outcomes": outcomes, "warnings": []any{}}
		}
		return r
	}
	options := func(expanded, partial bool) map[string]any {
		return map[string]any{"expanded": expanded, "isPartial": partial}
	}
	const digest = "1. A short title\n   https://a.example/\n   bodies (in /tmp/pi-fetch/2026-07-06T12-57-08-183Z/a-example/):\n   - content.md (12 lines, 3.1KB)"
	cases := []struct {
		name string
		drawJob
	}{
		{"a call with one URL", drawJob{Args: map[string]any{"urls": []string{"https://a.example/"}}}},
		{"a call with several, long", drawJob{Args: map[string]any{
			"urls": []string{"https://user:secret@a.example/a/long/path/to/a/picture/of/a/chart.png?width=1200&height=800&format=png&theme=dark", "b", "c"}, "objective": "which quarter had the highest turnover, and what the board said about it in the meeting\x1b[2J",
		}}},
		{"the same, expanded", drawJob{Args: map[string]any{
			"urls": []string{"https://user:secret@a.example/a/long/path", "https://b.example/"}, "objective": "which quarter had the highest turnover, and what the board said about it",
		}, Context: map[string]any{"expanded": true}}},
		{"progress", drawJob{Result: result("1 of 3 fetched\nnavigating https://a.example/a/long/path/to/a/picture/of/a/chart.png\ndownloading 1.0MB of 3.0MB https://b.example/"), Options: options(false, true)}},
		{"documents and failures", drawJob{Result: result(digest, several...), Options: options(false, false)}},
		{"more than is shown", drawJob{Result: result(digest, slices.Repeat(several[:1], 50)...), Options: options(false, false), Context: map[string]any{"keyHint": "ctrl+o"}}},
		{"hostile", drawJob{Result: result(digest, several[5]), Options: options(false, false)}},
		{"expanded", drawJob{Result: result(digest+"\n   excerpt: \x1b[2Jto the\u202e point", several...), Options: options(true, false)}},
		{"an error", drawJob{Result: result("start pifetchd: pifetchd is not on PATH — install pifetch (make install), or set webTools.pi.pifetchd in pi's settings.json to its path"), Options: options(false, false), Context: map[string]any{"isError": true}}},
		{"an error with many lines", drawJob{Result: result("Failed:" + strings.Repeat("\n- https://a.example/\n  the connection to pifetchd was lost: pifetchd closed it", 3)), Options: options(false, false), Context: map[string]any{"isError": true}}},
	}
	var jobs []drawJob
	var names []string
	for _, c := range cases {
		for _, c.Width = range []int{40, 80, 120} {
			jobs = append(jobs, c.drawJob)
			names = append(names, fmt.Sprintf("%s, %d columns", c.name, c.Width))
		}
	}
	const golden = "testdata/drawings.txt"
	for _, version := range []string{"pi", "pi-node20"} { // as test/npm calls them
		t.Run(version, func(t *testing.T) {
			var b strings.Builder
			for i, d := range load(t, version, map[string]any{"draw": jobs}).Drawings {
				fmt.Fprintf(&b, "== %s\n%s\n", names[i], strings.Join(d.Lines, "\n"))
				if d.Widest > jobs[i].Width {
					t.Errorf("%s: a line has %d columns", names[i], d.Widest)
				}
			}
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if b.String() != string(want) {
				t.Errorf("differs from %s (go test -update writes it anew):\n%s", golden, b.String())
			}
		})
	}
}
