package local

import (
	"fmt"
	"strings"
)

// rows are n of something, made by a format that takes the index, the number and
// where the row stands in pixels.
func rows(n int, format string) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, format, i, i+1, i*50)
	}
	return sb.String()
}

func list(html string) string {
	return framed("Ship register", `<main><h1>Ship register</h1><p>All hulls of the harbour since the first book.</p>`+html+`</main>`)
}

var partialPages = []madeUp{
	{
		name:  "counted grid",
		html:  list(`<div role="grid" aria-rowcount="1000" aria-colcount="2">` + rows(40, `<div role="row" aria-rowindex="%[2]d"><div role="gridcell">Vessel %[2]d</div><div role="gridcell">berth %[1]d</div></div>`) + `</div>`),
		facts: []string{"partial list: 40 of 1,000 rows"}, has: []string{"Vessel 40"},
	},
	{
		name:  "counted table",
		html:  list(`<table aria-rowcount="501"><thead><tr aria-rowindex="1"><th>Name</th></tr></thead><tbody>` + rows(25, `<tr aria-rowindex="%[2]d"><td>Vessel %[2]d</td></tr>`) + `</tbody></table>`),
		facts: []string{"partial list: 26 of 501 rows"}, has: []string{"Vessel 25"},
	},
	{
		name:  "feed",
		html:  list(`<div role="feed">` + rows(10, `<article aria-posinset="%[2]d" aria-setsize="240"><h3>Vessel %[2]d</h3><p>Built in the year of the great frost.</p></article>`) + `</div>`),
		facts: []string{"partial list: 10 of 240 items"}, has: []string{"Vessel 10"},
	},
	{
		name:  "feed of unknown length",
		html:  list(`<div role="feed">` + rows(10, `<article aria-posinset="%[2]d" aria-setsize="-1"><h3>Vessel %[2]d</h3><p>Built in the year of the great frost.</p></article>`) + `</div>`),
		facts: []string{"partial list: 10 items, and the page does not say of how many"}, has: []string{"Vessel 10"},
	},
	{
		name:  "absolute rows",
		html:  list(`<div style="position:relative;height:600px;width:400px;overflow:auto;will-change:transform"><div style="height:50000px;width:100%">` + rows(20, `<div style="position:absolute;left:0;top:%[3]dpx;height:50px;width:100%%">Vessel %[2]d</div>`) + `</div></div>`),
		facts: []string{"partial list: 20 of about 1,000 items"}, has: []string{"Vessel 20"},
	},
	{
		name:  "moved rows",
		html:  list(`<div style="height:600px;overflow:auto"><div style="height: 40000px; width: 100%; position: relative;">` + rows(20, `<div data-index="%[1]d" style="position: absolute; top: 0px; left: 0px; width: 100%%; transform: translateY(%[3]dpx);">Vessel %[2]d</div>`) + `</div></div>`),
		facts: []string{"partial list: 20 of about 800 items"}, has: []string{"Vessel 20"},
	},
	{
		name:  "rows between spacers",
		html:  list(`<table><thead><tr><th>Name</th></tr></thead><tbody><tr style="height:0px"><td></td></tr>` + rows(20, `<tr style="height:30px"><td>Vessel %[2]d</td></tr>`) + `<tr style="height:29400px"><td></td></tr></tbody></table>`),
		facts: []string{"partial list: 20 of about 1,000 rows"}, has: []string{"Vessel 20"},
	},
	{
		name:  "cell as a spacer",
		html:  list(`<table><tbody>` + rows(20, `<tr><td>Vessel %[2]d</td></tr>`) + `<tr><td colspan="1" style="height: 29400px;"></td></tr></tbody></table>`),
		facts: []string{"partial list: 20 rows, and more outside of the view"}, has: []string{"Vessel 20"},
	},
	{
		name:  "padded list",
		html:  list(`<div style="overflow-y:auto;height:600px"><div data-testid="virtuoso-item-list" style="box-sizing: border-box; padding-top: 0px; padding-bottom: 39000px;">` + rows(20, `<div data-index="%[1]d" data-known-size="50">Vessel %[2]d</div>`) + `</div></div>`),
		facts: []string{"partial list: 20 items, and more outside of the view"}, has: []string{"Vessel 20"},
	},

	// None of them.
	{
		name: "all there",
		html: list(`<div role="grid" aria-rowcount="13">` + rows(13, `<div role="row" aria-rowindex="%[2]d"><div role="gridcell">Vessel %[2]d</div></div>`) + `</div>`),
		has:  []string{"Vessel 13"},
	},
	{
		name: "counted slides",
		html: list(`<div role="list">` + rows(3, `<div role="group" aria-roledescription="slide" aria-setsize="9">Vessel %[2]d</div>`) + `</div>` + prose(90)),
		has:  []string{"Vessel 3"},
	},
	{
		name: "columns of pictures",
		html: list(`<div style="position:relative;height:2800px">` + rows(24, `<div style="position:absolute;left:0;top:%[1]d00px;height:400px">Vessel %[2]d</div>`) + `</div>`),
		has:  []string{"Vessel 24"},
	},
	{
		name: "a tall drawing",
		html: list(`<div style="height:9000px;position:relative"><div style="position:absolute;top:0;height:40px">Bow</div><div style="position:absolute;top:8900px;height:40px">Stern</div></div>` + prose(90)),
		has:  []string{"Stern"},
	},
}
