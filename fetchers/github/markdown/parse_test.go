package markdown

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

func TestTooDeep(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want bool
	}{
		{strings.Repeat("> ", 50) + "x", false},
		{"a\n" + strings.Repeat("> ", 51) + "x", true},
		{strings.Repeat(">", 51), true},
		{strings.Repeat("1. - ", 25) + "x", false},
		{strings.Repeat("1. - ", 26) + "x", true},
		{strings.Repeat("1.5 2 ", 60) + "x", false},
		{strings.Repeat("-", 500), false},
		{"x" + strings.Repeat(" >", 500), false},
	} {
		if got := tooDeep(tt.in); got != tt.want {
			t.Errorf("tooDeep(%.20q…) = %v, want %v", tt.in, got, tt.want)
		}
	}
	deep := strings.Repeat("> ", 51) + "x"
	if got, want := Body(deep, 3), "```markdown\n"+deep+"\n```"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The longest texts that GitHub takes, of what took the square of their length
// to read: minutes.
func TestBodyOfHostileTexts(t *testing.T) {
	for _, part := range []string{"> ", ">\t", "1. ", "- > ", "_a*", "![", "[a]: b\n"} {
		in := strings.Repeat(part, 65536/len(part))
		if got := Body(in, 3); !strings.Contains(got, strings.TrimSpace(in)) {
			t.Errorf("%q: got %.100q…", part, got)
		}
	}
}

// What is made with the blocks alone holds by the whole of markdown.
func FuzzBodyByAllOfMarkdown(f *testing.F) {
	for _, s := range []string{"# a\n```\nb", "<!--", "- ```\n  x", "a\n===", "~~~\n````", "[a]: b\n===\n---\n", "[a]:\n===\n---"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if body := Body(s, 3); body != "" && leaks(body, 3) {
			t.Errorf("Body(%q) leaks: %q", s, body)
		}
	})
}

// leaks reports whether a text hides the heading that follows it, or has one of
// the given level or above.
func leaks(body string, level int) bool {
	source := []byte(body + "\n\n# " + sentinel + "\n")
	seen := false
	for n := goldmark.DefaultParser().Parse(text.NewReader(source)).FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			end := n.NextSibling() == nil && h.Level == 1 && string(h.Lines().Value(source)) == sentinel
			if seen = end; !end && h.Level <= level {
				return true
			}
		}
	}
	return !seen
}
