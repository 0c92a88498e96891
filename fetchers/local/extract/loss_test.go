package extract

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"
)

func TestLoss(t *testing.T) {
	long := strings.Repeat("Words of a paragraph, one after the other. ", 12)
	other := strings.Repeat("Things said elsewhere, at some length too. ", 30)
	table := "<table><tr><th>Port<th>Draught<tr><td>Visby<td>seven<tr><td>Ystad<td>eight<tr><td>Malmö<td>nine</table>"
	for _, tt := range []struct{ name, body, want string }{
		{"all_there", "<main><h1>T</h1><p>" + long + "</p><pre>a\nb</pre>" + table + "</main>", ""},
		{"landmarks", "<header>" + other + "</header><nav>" + other + "</nav><main><p>" + long + "</p></main><aside>" + other + table + "</aside><footer>" + other + "</footer>", ""},
		{"names", "<main><p>" + long + long + long + long + "</p></main><div class=page-footer><p>" + other + "</p></div><div class='leftSidebar sidebar-2'>" + other + "</div>", ""},
		{"menu_entries", "<main><p>" + long + "</p></main><div>" + strings.Repeat("<div><a href=/x>Another page</a></div>", 80) + "</div>", ""},
		{"text_beside_main", "<main><p>" + long + "</p></main><div><p>" + other + "</p></div>", "extracted 27 % of visible text outside navigation"},
		{"comments", "<main><h1>T</h1><p>" + long + "</p></main><div>" + countedUp("<h3>Comment</h3><p>I disagree with bit %d of it, if not more.</p>", 20) + "</div>", "extracted 34 % of visible text outside navigation, 1 of 21 headings"},
		{"said_twice", "<main><p>" + long + "</p></main><div><p>" + long + "</p></div>", ""},
		{"hidden_text_is_not_visible", "<main><p>" + long + "</p></main><div hidden>" + other + "</div>", ""},
		{"soft_hyphens", "<main><p>" + strings.ReplaceAll(long, "ra", "ra&shy;") + "</p></main>", ""},
		{"code_beside_main", "<main><p>" + long + "</p><pre>one()\ntwo()\n\n}</pre></main><div><pre>three(1)\n{\n}\n  four(2)</pre></div>", "extracted 3 of 7 code lines"},
		{"code_in_a_cell", "<main><p>" + long + "</p><table><tr><th>a<th>b<tr><td>x<td><pre>one()\ntwo()\nthree()\nfour()</pre></table></main>", ""},
		{"code_with_gutter", "<main><p>" + long + "</p><table class=highlight><tr><td class=gutter><pre>1\n2\n3\n4</pre><td class=code><pre>a\nb\nc\nd</pre></table></main>", ""},
		{"rows_beside_main", "<main><p>" + long + "</p></main><div>" + table + "</div>", "extracted 0 of 4 table rows"},
		{"spanned_rows", "<main><p>" + long + "</p><table><tr><th>Port<th>Berth<tr><td rowspan=3>Visby<td>one<tr><td>two<tr><td>three</table></main>", ""},
		{"no_words", "<main><pre>{}\n[]\n()\n</pre></main>", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			loss := lossOf(t, "<!doctype html>"+tt.body)
			if got := loss.Fact(); got != tt.want {
				t.Errorf("%+v: %q, want %q", loss, got, tt.want)
			}
		})
	}
}

// countedUp is a format repeated with the numbers from 1.
func countedUp(format string, n int) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, format, i+1)
	}
	return sb.String()
}

// lossOf is the loss of a page of which the main element is kept.
func lossOf(t *testing.T, src string) Loss {
	t.Helper()
	d, page := shownPage(t, src)
	inventory := d.takeInventory(page.body)
	content := find(page.body, is(atom.Main))
	remove(content)
	d.prepare(content)
	return d.loss(inventory, content, page.title)
}

func TestLossCounts(t *testing.T) {
	loss := lossOf(t, "<nav>Menu</nav><main><h1>One two</h1><p>three <b>fo</b>ur</p><pre>a\n}\n\nb</pre></main><aside><pre>x</pre><h2>Y</h2></aside>")
	want := Loss{
		Text:     Share{Page: len("Onetwothreefourab"), Kept: len("Onetwothreefourab")},
		Code:     Share{Page: 4, Kept: 3},
		Headings: Share{Page: 1, Kept: 1},
	}
	if loss != want {
		t.Errorf("loss = %+v, want %+v", loss, want)
	}
}

func TestLossFact(t *testing.T) {
	for _, tt := range []struct {
		loss Loss
		want string
	}{
		{Loss{}, ""},
		{Loss{Text: Share{1000, 670}}, ""},
		{Loss{Text: Share{1000, 620}, Code: Share{40, 28}}, "extracted 62 % of visible text outside navigation, 28 of 40 code lines"},
		{Loss{Text: Share{120, 30}}, ""},
		{Loss{Headings: Share{20, 2}, Code: Share{100, 96}}, ""},
		{Loss{Code: Share{4, 2}, Rows: Share{30, 27}}, ""},
		{Loss{Rows: Share{30, 26}}, "extracted 26 of 30 table rows"},
	} {
		t.Run(fmt.Sprint(tt.loss), func(t *testing.T) {
			if got := tt.loss.Fact(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
