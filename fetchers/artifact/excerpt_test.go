package artifact

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pifetch/fetchers"
)

func TestExcerpt(t *testing.T) {
	menu := strings.Repeat("- [Home](https://a.example/) [Docs](https://a.example/docs)\n", 5)
	tests := []struct{ name, markdown, want string }{
		{"headings", "# Title\n\n## Part\n\nText.\n\n## More\n\nOther.\n", "Text.\nOther."},
		{"picture first", "![A long description](https://a.example/" + strings.Repeat("x", 9000) + ".png)\n\nText.\n", "Text."},
		{"picture in a link", "[![Logo](https://a.example/l.png)](https://a.example/)\n\nText.\n", "Text."},
		{"links", "See [the *manual*](https://a.example/m_(1)) and `a*b`.\n", "See the manual and a*b."},
		{"menu first", menu + "\nText with a [link](https://a.example/).\n\n[Next](https://a.example/2)\n", "Text with a link.\nNext"},
		{"crumbs first", "[Home](https://a.example/) / [Docs](https://a.example/docs) /\n\nText.\n", "Text."},
		{"links alone", menu[:59] + "\n", "- Home Docs"},
		{"long list of links", strings.Repeat("- [An entry](https://a.example/)\n", 200) + "\n© 2026\n", strings.Repeat("- An entry\n", 200) + "© 2026"},
		{"code", "Run\n\n```sh\n# first\ncp *.a *.b\n```\n", "Run\n# first\ncp *.a *.b"},
		{"table", "| a | b |\n| --- | --- |\n| 1 | 2 |\n", "| a | b |\n| 1 | 2 |"},
		{"quote and rule", "---\n\n> Quoted \\*text\\*.\n", "Quoted *text*."},
		{"list", "1. One\n2. Two\n", "1. One\n2. Two"},
		{"other scripts", "日本語の本文。\n", "日本語の本文。"},
		{"nothing", "# Title\n\n![](https://a.example/x.png)\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Excerpt(tt.markdown); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestExcerptIsCapped(t *testing.T) {
	for name, markdown := range map[string]string{
		"one line": strings.Repeat("ü", 1<<20),
		"lines":    strings.Repeat("ü and more\n\n", 1<<16),
	} {
		got := Excerpt(markdown)
		if n := len(got); n > fetchers.ExcerptBytes || n < fetchers.ExcerptBytes-1 || !utf8.ValidString(got) {
			t.Errorf("%s: %d bytes, valid UTF-8: %v", name, n, utf8.ValidString(got))
		}
	}
}
