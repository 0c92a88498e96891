package extract

import (
	"strings"
	"testing"
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
