package artifact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func outlineOf(text string, chunk int) []string {
	o := &outliner{}
	for len(text) > 0 {
		n := min(chunk, len(text))
		o.write([]byte(text[:n]))
		text = text[n:]
	}
	lines := []string{}
	for _, h := range o.finish() {
		lines = append(lines, fmt.Sprintf("%d %s %s", h.Line, strings.Repeat("#", h.Level), h.Text))
	}
	return lines
}

func TestOutline(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"levels", "# a\n## b\n### c\n#### d\n##### e\n###### f\n####### g\n", []string{"1 # a", "2 ## b", "3 ### c", "4 #### d", "5 ##### e", "6 ###### f"}},
		{"no space is none", "#a\n#\n#\tb\n", []string{"3 # b"}},
		{"closing hashes", "# a #\n# b ###  \n# C#\n", []string{"1 # a", "2 # b", "3 # C#"}},
		{"no last line break", "text\n\n# a", []string{"3 # a"}},
		{"carriage returns", "# a\r\n\r\nb\r\n---\r\n", []string{"1 # a", "3 ## b"}},
		{"byte order mark", "\uFEFF# a\n", []string{"1 # a"}},
		{"indented", "   # a\n    # code\n\t# code\n", []string{"1 # a"}},
		{"underlined", "Title\n=====\n\nSub\n---\n", []string{"1 # Title", "4 ## Sub"}},
		{"rule after several lines", "one\ntwo\n---\n", []string{}},
		{"rule after a list", "- one\n---\n\n* * *\n---\n", []string{}},
		{"rule after a link definition", "[a]: http://x\n---\n", []string{}},
		{"table", "a | b\n--- | ---\n| c |\n---\n", []string{}},
		{"fence", "```sh\n# comment\n```\n# a\n", []string{"4 # a"}},
		{"fence with tildes", "~~~\n# x\n```\n# y\n~~~~\n# a\n", []string{"6 # a"}},
		{"shorter fence does not close", "````\n```\n# x\n````\n# a\n", []string{"5 # a"}},
		{"fence with info does not close", "```\n```sh\n# x\n```\n# a\n", []string{"5 # a"}},
		{"code span is no fence", "```not a fence```\n# a\n", []string{"2 # a"}},
		{"fence in a list", "- item\n  ```sh\n  # x\n  ```\n# a\n", []string{"5 # a"}},
		{"fence on a list marker", "1. ```sh\n   # x\n   ```\n# a\n", []string{"4 # a"}},
		{"quote", "> # quoted\n> ```\n# a\n", []string{"3 # a"}},
		{"comment", "<!-- # x\n# y\n-->\n# a\n", []string{"4 # a"}},
		{"comment on one line", "<!-- x -->\n# a\n", []string{"2 # a"}},
		{"pre", "<pre>\n# x\n\n# y</pre>\n# a\n", []string{"5 # a"}},
		{"front matter", "---\ntitle: x\n# comment\nb: c\n---\n# a\n", []string{"6 # a"}},
		{"front matter that is none", "---\ntitle: x\n# a\nprose\n---\n# b\n", []string{"3 # a", "4 ## prose", "6 # b"}},
		{"front matter without an end", "\uFEFF---\ntitle: x\n# a", []string{"3 # a"}},
		{"rule at the top", "---\n# a\n\nb\n---\n", []string{"2 # a", "4 ## b"}},
		{"link", "# A [link](http://x/(y)) and [ref][r]\n", []string{"1 # A link and ref"}},
		{"shortcut reference stays", "## [1.2.0] - 2026-01-02\n", []string{"1 ## [1.2.0] - 2026-01-02"}},
		{"permalink", "# Install[¶](#install)\n# Use [#](#use)\n", []string{"1 # Install", "2 # Use"}},
		{"image in a link", "# [![build](b.svg)](http://ci) Tool\n", []string{"1 # build Tool"}},
		{"only an image without text", "# ![](logo.png)\n", []string{}},
		{"emphasis", "# **bold** _it_ _it2_ *it* __b__ ~~no~~ snake_case_name 2 * 3 * 4\n", []string{"1 # bold it it2 it b no snake_case_name 2 * 3 * 4"}},
		{"code", "# `Vec<T>` and ``a*b*c``\n", []string{"1 # Vec<T> and a*b*c"}},
		{"escapes", "# \\*not\\* \\# 1\n", []string{"1 # *not* # 1"}},
		{"tags", "# <a id=\"x\"></a>Top <https://x.y/>\n", []string{"1 # Top https://x.y/"}},
		{"entities", "# Q&amp;A &lt;x&gt;\n", []string{"1 # Q&A <x>"}},
		{"id", "# Top {#top}\n", []string{"1 # Top"}},
		{"long", "# " + strings.Repeat("é", 300) + "\n", []string{"1 # " + strings.Repeat("é", 159) + "…"}},
		{"monster line", "# a\n" + strings.Repeat("x# ", 1<<19) + "\n# b\n", []string{"1 # a", "3 # b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, chunk := range []int{1, 7, 1 << 20} {
				if diff := cmp.Diff(tt.want, outlineOf(tt.text, chunk)); diff != "" {
					t.Errorf("in chunks of %d (-want +got):\n%s", chunk, diff)
				}
			}
		})
	}
}

func TestOutlineIsCapped(t *testing.T) {
	for _, top := range []string{"", "---\na: b\n"} { // with what may be front matter
		if got := outlineOf(top+strings.Repeat("# a\n", 1000), 4096); len(got) != maxHeadings {
			t.Errorf("%d headings, want %d", len(got), maxHeadings)
		}
	}
}

func FuzzOutline(f *testing.F) {
	f.Add("# a\n```\n# b\n~~~\n<!-- \n--- \n", 3)
	f.Add("---\na: b\n# [x](y) `z\\` \x010\x02\n...\n=\n", 1)
	f.Fuzz(func(t *testing.T, text string, chunk int) {
		whole := outlineOf(text, len(text)+1)
		if diff := cmp.Diff(whole, outlineOf(text, max(1, chunk%64))); diff != "" {
			t.Errorf("the outline depends on the chunks:\n%s", diff)
		}
		lines := strings.Count(text, "\n") + 1
		last := 0
		o := &outliner{}
		o.write([]byte(text))
		for _, h := range o.finish() {
			if h.Line <= last || h.Line > lines || h.Level < 1 || h.Level > 6 || h.Text == "" || strings.Contains(h.Text, "\n") {
				t.Errorf("heading %+v after line %d of %d", h, last, lines)
			}
			last = h.Line
		}
	})
}
