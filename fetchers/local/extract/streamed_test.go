package extract

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestStreamedParts(t *testing.T) {
	long := strings.Repeat("Words of a paragraph, one after the other. ", 12)
	for _, tt := range []struct{ name, body, want string }{
		{
			"boundary",
			`<main><h2>Before</h2><!--$?--><template id="B:0"></template><p>Loading</p><!--$?--><template id="B:9"></template><!--/$--><p>Still</p><!--/$--><h2>After</h2><p>` + long + `</p></main>` +
				`<div hidden id="S:0"><p>First, ` + long + `</p></div>`,
			"Before First After",
		},
		{
			"boundary_and_segment_in_a_late_part",
			`<main><!--$?--><template id="B:0"></template><!--/$--></main>` +
				`<div hidden id="S:0"><p>One, ` + long + `</p><template id="P:1"></template><!--$?--><template id="B:2"></template>Loading<!--/$--></div>` +
				`<div hidden id="S:2"><p>Three, ` + long + `</p></div><div hidden id="S:1"><p>Two, ` + long + `</p></div>`,
			"One Two Three",
		},
		{"without_an_end", `<main><template id="B:0"></template><p>Stays, ` + long + `</p></main><div hidden id="S:0"><p>Late, ` + long + `</p></div>`, "Late Stays"},
		{"without_a_place", `<main><p>Shown, ` + long + `</p></main><div hidden id="S:0"><p>Late, ` + long + `</p></div>`, "Shown"},
		{"place_in_itself", `<main><p>Shown, ` + long + `</p></main><div hidden id="S:0"><template id="B:0"></template><p>Late, ` + long + `</p></div>`, "Shown"},
		{"places_in_each_other", `<main><p>Shown, ` + long + `</p></main><div hidden id="S:0"><template id="B:1"></template><p>Late, ` + long + `</p></div><div hidden id="S:1"><template id="B:0"></template></div>`, "Shown"},
		{"two_for_one_place", `<main><template id="B:0"></template><p>Shown, ` + long + `</p></main><div hidden id="S:0"><p>One, ` + long + `</p></div><div hidden id="S:0"><p>Two, ` + long + `</p></div>`, "One Shown"},
		{"hidden_once_scripts_have_run", `<main><template id="B:0"></template><p>Shown, ` + long + `</p></main><div hidden id="S:0" data-pifetch-hidden>Late, ` + long + `</div>`, "Shown"},
		{"inert", `<main><template id="B:0"></template><p>Shown, ` + long + `</p></main><template><div hidden id="S:0"><p>Late, ` + long + `</p></div></template>`, "Shown"},
		{"not_hidden", `<main><template id="B:0"></template><p>Shown, ` + long + `</p></main><p id="S:0">Late, ` + long + `</p>`, "Shown Late"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for word := range strings.FieldsSeq(extracted(t, tt.body)) {
				switch word = strings.Trim(word, ","); word {
				case "Before", "After", "First", "One", "Two", "Three", "Late", "Stays", "Shown", "Loading", "Still":
					got = append(got, word)
				}
			}
			if g := strings.Join(got, " "); g != tt.want {
				t.Errorf("order %q, want %q", g, tt.want)
			}
		})
	}
}

// TestStreamedPartsStayLinear has parts in parts, and placeholders without end:
// neither deepens the tree without bound nor takes quadratic time.
func TestStreamedPartsStayLinear(t *testing.T) {
	var page strings.Builder
	page.WriteString(`<main><p>Shown</p><template id="B:0"></template>`)
	const n = 20000
	for i := range n {
		fmt.Fprintf(&page, `<div hidden id="S:%d"><p>Part %d</p><!--$?--><template id="B:%d"></template></div>`, i, i, i+1)
	}
	page.WriteString("<div>")
	for i := range n {
		fmt.Fprintf(&page, `<!--$?--><template id="B:x%d"></template>`, i)
	}
	page.WriteString("</div>")
	for i := range n {
		fmt.Fprintf(&page, `<div hidden id="S:x%d">%d</div>`, i, i)
	}
	doc, err := parse([]byte(page.String()))
	if err != nil {
		t.Fatal(err)
	}
	placeStreamed(doc)
	deepest := 0
	var visit func(n *html.Node, depth int)
	visit = func(n *html.Node, depth int) {
		deepest = max(deepest, depth)
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c, depth+1)
		}
	}
	visit(doc, 0)
	if deepest > 1000 {
		t.Errorf("the tree is %d deep", deepest)
	}
	if text := textOf(doc); !strings.Contains(text, "ShownPart 0Part 1Part 2") {
		t.Errorf("the first parts are not in their places: %.100s", text)
	}
}
