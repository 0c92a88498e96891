package pi

import (
	"strings"
	"testing"
)

type view struct {
	IsError  bool `json:"isError"`
	Expanded bool `json:"expanded"`
}

type row struct {
	Head string
	Tail *string
}

// written is rows as one text, with a | before a tail.
func written(rows []row) string {
	var lines []string
	for _, r := range rows {
		if r.Tail != nil {
			r.Head += "|" + *r.Tail
		}
		lines = append(lines, r.Head)
	}
	return strings.Join(lines, "\n")
}

func TestRenderCall(t *testing.T) {
	long := "https://a.example/" + strings.Repeat("x", 2000)
	for _, tt := range []struct {
		name string
		args any
		view view
		want string
	}{
		{"one", map[string]any{"urls": []string{"https://a.example/"}}, view{}, "<toolTitle>web_fetch <muted>https://a.example/|"},
		{"several", map[string]any{"urls": []string{"https://a.example/", "b", "c"}, "objective": "what\nis it"}, view{}, "<toolTitle>web_fetch <muted>https://a.example/|<dim> +2\n  <dim>what is it|"},
		{"expanded", map[string]any{"urls": []string{"a", "b"}, "objective": "why"}, view{Expanded: true}, "<toolTitle>web_fetch\n  <muted>a\n  <muted>b\n  <dim>why"},
		{"hostile", map[string]any{"urls": []string{"\x1b[2Jhttps://a.example/\u202e"}}, view{}, "<toolTitle>web_fetch <muted>https://a.example/|"},
		{"with a password", map[string]any{"urls": []string{"https://user:secret@a.example/", "https:user:secret@b.example:bad/"}}, view{Expanded: true}, "<toolTitle>web_fetch\n  <muted>https://a.example/\n  <muted>https:b.example:bad/"},
		{"long", map[string]any{"urls": []string{long}}, view{}, "<toolTitle>web_fetch <muted>" + long[:999] + "…|"},
		{"still arriving", map[string]any{}, view{}, "<toolTitle>web_fetch|"},
		{"nothing yet", nil, view{}, "<toolTitle>web_fetch|"},
		{"a text in place of a list", map[string]any{"urls": "a"}, view{}, "<toolTitle>web_fetch <muted>a|"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := written(value[[]row](t, drive(t, job{Module: "render", Function: "renderCall", Args: []any{"web_fetch", tt.args, "$theme", tt.view}}))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRenderResult(t *testing.T) {
	document := func(title string, bodies ...any) any {
		return map[string]any{"url": "https://a.example/", "document": map[string]any{"title": title, "bodies": bodies}, "attempts": []any{}}
	}
	text := map[string]any{"name": "content.md", "lines": 1260, "bytes": 26521}
	binary := map[string]any{"name": "chart.png", "lines": 0, "bytes": 14541}
	failed := map[string]any{"url": "https://b.example/", "attempts": []any{map[string]any{"source": "github", "reason": "404"}, map[string]any{"source": "local", "reason": "login\nneeded"}}}
	unclaimed := map[string]any{"url": "ftp://b.example/", "attempts": []any{}, "reason": "unsupported scheme"}
	var many []any
	for range 7 {
		many = append(many, document("Title", binary))
	}
	many = append(many, failed)
	for _, tt := range []struct {
		name     string
		content  string
		outcomes []any
		partial  bool
		view     view
		want     string
	}{
		{
			"documents", "digest",
			[]any{document("Title\x1b[2J", text), document("", text, binary)},
			false,
			view{},
			"<success>✓ <toolOutput>Title|<toolOutput> — content.md (1,260 lines, 25.9KB)\n<success>✓ <toolOutput>https://a.example/|<toolOutput> — content.md (1,260 lines, 25.9KB), chart.png (14.2KB)",
		},
		{"failures", "digest", []any{failed, unclaimed}, false, view{}, "<error>✗ <toolOutput>https://b.example/: login needed\n<error>✗ <toolOutput>ftp://b.example/: unsupported scheme"},
		{"many", "digest", many, false, view{}, strings.Repeat("<success>✓ <toolOutput>Title|<toolOutput> — chart.png (14.2KB)\n", 5) + "<dim>… 3 more, 1 failed"},
		{"expanded", "1. Title\n   facts", many, false, view{Expanded: true}, "<toolOutput>1. Title\n<toolOutput>   facts"},
		{"progress", "0 of 1 fetched\nnavigating u", nil, true, view{}, "<muted>0 of 1 fetched|\n<muted>navigating u|"},
		{"error", "Failed:\n- a\n  r\n- b\n  r\n- c\n  r", nil, false, view{IsError: true}, "<error>Failed:\n<error>- a\n<error>  r\n<error>- b\n<error>  r\n<dim>… 2 more"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			result := map[string]any{"content": []any{map[string]any{"type": "text", "text": tt.content}}}
			if tt.outcomes != nil {
				result["details"] = map[string]any{"outcomes": tt.outcomes}
			}
			options := map[string]any{"expanded": tt.view.Expanded, "isPartial": tt.partial}
			if got := written(value[[]row](t, drive(t, job{Module: "render", Function: "renderResult", Args: []any{result, options, "$theme", tt.view}}))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
