package markdown

import (
	"strings"
	"testing"
)

func TestBody(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a\r\nb\r", "a\nb"},
		{"blank", " \n\r\n", ""},
		{"headings", "# bob\ntext\n## deep ##\n###### six", "#### bob\ntext\n##### deep\n###### six"},
		{"underlined", "bob\n===\n\ntwo\nlines\n---\nend", "#### bob\n\n##### two lines\nend"},
		{"rule", "a\n\n---\nb", "a\n\n---\nb"},
		{"hash in code", "```sh\n# no heading\n```", "```sh\n# no heading\n```"},
		{"open block", "```go\nx := 1", "```go\nx := 1\n```"},
		{"open long block", "~~~~\n~~~\n", "~~~~\n~~~\n~~~~"},
		{"open empty block", "text\n```", "````markdown\ntext\n```\n````"},
		{"open comment", "a <b>\n\n<!-- gone", "```markdown\na <b>\n\n<!-- gone\n```"},
		{"open pre", "<pre>\n# x", "```markdown\n<pre>\n# x\n```"},
		{"in a quote", "> # bob", "> # bob"},
		{"list", "- # bob\n\n  more", "- # bob\n\n  more"},
		{"fence in fence", "<pre>\n````\n```", "`````markdown\n<pre>\n````\n```\n`````"},
		{"empty heading", "#\n", "####"},
		{"in HTML", "<details>\n# bob\nx\n</details>", "<details>\n#### bob\nx\n</details>"},
		{"in a comment", "<!--\n## bob\n\n#### deep\n-->\nx", "<!--\n##### bob\n\n#### deep\n-->\nx"},
		{"in pre", "<pre>\n# no heading\n</pre>", "<pre>\n# no heading\n</pre>"},
		{"below a list", "1. a\n   # bob\n\n   ```\n   # code\n   ```", "1. a\n   #### bob\n\n   ```\n   # code\n   ```"},
		{"underlined in a list", "1. a\n\n   bob\n   ===", "```markdown\n1. a\n\n   bob\n   ===\n```"},
		{"open block in a list", "- ```\n\nx", "````markdown\n- ```\n\nx\n````"},
		{"pre that style ends", "<pre>\n</style>\nx", "```markdown\n<pre>\n</style>\nx\n```"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Body(tt.in, 3); got != tt.want {
				t.Errorf("Body(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzBody(f *testing.F) {
	for _, s := range []string{"# a\n```\nb", "<!--", "- ```\n  x", "a\n===", "~~~\n````"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if body := Body(s, 3); body != "" && !contained(body, 3) {
			t.Errorf("Body(%q) leaks: %q", s, body)
		}
	})
}

func TestCodeHoldsTicks(t *testing.T) {
	if got, want := Code("a`b``"), "``` a`b`` ```"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Fence("", "```\nx"); !strings.HasPrefix(got, "````\n") || !strings.HasSuffix(got, "\n````") {
		t.Errorf("fence of a fence: %q", got)
	}
}

// What is not UTF-8, such as the name of a file, would make the whole document
// pass for a binary file.
func TestDocIsText(t *testing.T) {
	var d Doc
	d.Heading(2, "caf\xe9.txt")
	d.Add(Fence("diff", "+a\x00b"))
	if got, want := d.String(), "## caf\ufffd.txt\n\n```diff\n+a\ufffdb\n```\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDocCountsLines(t *testing.T) {
	var d Doc
	d.Heading(1, "a\nb")
	d.Add("x\ny\n\n")
	d.Table([]string{"k", "v"}, [][]string{{"a|b", "c\nd"}, {"e"}})
	want := "# a b\n\nx\ny\n\n| k | v |\n| --- | --- |\n| a\\|b | c d |\n| e |  |\n\n"
	if d.String() != want {
		t.Errorf("got %q\nwant %q", d.String(), want)
	}
	if d.Line() != strings.Count(want, "\n")+1 {
		t.Errorf("line %d", d.Line())
	}
}
