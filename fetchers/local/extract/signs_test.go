package extract

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func signsOf(t *testing.T, page string) Signs {
	t.Helper()
	r, err := Extract([]byte(page), pageURL)
	if err != nil && err != ErrNoContent {
		t.Fatal(err)
	}
	return r.Signs
}

func TestLinesAreOfThePageItself(t *testing.T) {
	s := signsOf(t, `<header>Gazette <nav><a href="/a">Shipping</a></nav></header><main><h1>Lock  status</h1><p>Open.<br>Until <b>six</b>.</p><pre>code</pre>
		<button>Remind me</button><a class="btn" href="/b">Book</a></main><aside>Ad</aside><footer>Imprint</footer>`)
	want := []Line{{"Lock status", true}, {"Open.", false}, {"Until six.", false}, {"Book", false}}
	if !slices.Equal(s.Lines, want) {
		t.Errorf("lines = %+v, want %+v", s.Lines, want)
	}
	if want := len("Lock status") + len("Open.") + len("Until six.") + len("code") + len("Book"); s.Text != want {
		t.Errorf("text = %d, want %d", s.Text, want)
	}
	if !slices.Equal(s.Controls, []string{"remind me", "book"}) {
		t.Errorf("controls = %q", s.Controls)
	}
}

func TestDeclaredSigns(t *testing.T) {
	for _, tt := range []struct {
		name, html string
		want       Signs
	}{
		{"not free", `<script type="application/ld+json">{"@graph":[{"@type":"Article","isAccessibleForFree":"False","wordCount":"900"}]}</script>`, Signs{NotFree: true, Words: 900}},
		{"free", `<script type="application/ld+json">[{"@type":"Article","isAccessibleForFree":true,"wordCount":900}]</script>`, Signs{Words: 900}},
		{"a part that is not free", `<script type="application/ld+json">{"isAccessibleForFree":true,"hasPart":{"isAccessibleForFree":false}}</script>`, Signs{}},
		{"no JSON", `<script type="application/ld+json">{"isAccessibleForFree":false</script>`, Signs{}},
		{"locked", `<meta property="article:content_tier" content="locked">`, Signs{NotFree: true}},
		{"application", `<noscript>You need  JavaScript.</noscript><div id="root"><!-- here --></div><script src="/a.js"></script>`, Signs{Script: true, NoScript: "You need JavaScript.", EmptyRoot: true}},
		{"rendered", `<div id="root"><img src="/a.png" alt="a"></div>`, Signs{}},
		{"placeholders", `<div class="MuiSkeleton-root"></div><div class="shimmer-card"><span class="sr-only">Loading</span></div><aside><i class="skeleton"></i></aside><div class="skeleton" hidden></div>`, Signs{Placeholders: 2}},
		{"waiting", `<section aria-busy="true"><div class="skeleton"></div></section>`, Signs{Placeholders: 1, Waiting: 1}},
		{"busy", `<main aria-busy="true"><h1>Gauges</h1><div></div></main>`, Signs{Busy: true}},
		{"busy with a text", `<main aria-busy="true"><h1>Gauges</h1><p>Two.</p></main>`, Signs{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := signsOf(t, `<!DOCTYPE html><body>`+tt.html)
			got.Lines, got.Text = nil, 0
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("signs = %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestConsentNoticesByWhatTheySay(t *testing.T) {
	const story = `<div><h1>The gauge</h1><p>The tide gauge on the north mole has kept its record since the summer of the great heat, and longer.</p></div>`
	for _, tt := range []struct {
		name, html string
		removed    bool
	}{
		{"notice", `<div><p>We use cookies to improve our service.</p><button>Accept</button></div>`, true},
		{"button in a row of its own", `<div><div><p>We use cookies to improve our service.</p></div><div><div><button>Accept</button></div></div></div>`, true},
		{"no button", `<div><p>We use cookies to improve our service.</p></div>`, false},
		{"another button", `<div><p>We use cookies to improve our service.</p><button>Bake</button></div>`, false},
		{"another matter", `<div><p>We bake twice a day.</p><button>Accept</button></div>`, false},
		{"the page", `<article><p>We use cookies to improve our service.</p><button>Accept</button></article>`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Extract([]byte(story+tt.html), pageURL)
			if err != nil {
				t.Fatal(err)
			}
			if gone := !strings.Contains(r.Markdown, "improve our service") && !strings.Contains(r.Markdown, "bake twice"); gone != tt.removed {
				t.Errorf("removed %t, want %t:\n%s", gone, tt.removed, r.Markdown)
			}
			if (r.Signs.Consent > 0) != tt.removed || r.Signs.ConsentKept {
				t.Errorf("signs = %+v", r.Signs)
			}
		})
	}
}

func TestPartialLists(t *testing.T) {
	rows := func(n int, row string) string { return strings.Repeat(row, n) }
	for _, tt := range []struct {
		name, html string
		want       []PartialList
	}{
		{"rows", `<table aria-rowcount="90">` + rows(8, `<tr><td>a`) + `</table>`, []PartialList{{Rows: 8, Of: 90, Table: true}}},
		{"rows, all", `<table aria-rowcount="8">` + rows(8, `<tr><td>a`) + `</table>`, nil},
		{"rows, unknown", `<div role="grid" aria-rowcount="-1">` + rows(8, `<div role="row">a</div>`) + `</div>`, []PartialList{{Rows: 8, Table: true}}},
		{"no number", `<table aria-rowcount="many">` + rows(8, `<tr><td>a`) + `</table>`, nil},
		{"items", `<ul>` + rows(8, `<li aria-posinset="1" aria-setsize="40">a</li>`) + `</ul>`, []PartialList{{Rows: 8, Of: 40}}},
		{"padding", `<div style="padding-top:0;padding-bottom:4000px">` + rows(8, `<div style="height:40px">a</div>`) + `</div>`, []PartialList{{Rows: 8, Of: 108, Virtual: true}}},
		{"a gap", `<ul>` + rows(8, `<li style="height:40px">a</li>`) + `<li style="height:200px"></li></ul>`, nil},
		{"adverts between", `<div style="x">` + rows(8, `<p>a</p><div style="height:900px"></div>`) + `<p>a</p><p>a</p></div>`, nil},
		{"navigation", `<nav><ul>` + rows(8, `<li aria-posinset="1" aria-setsize="40">a</li>`) + `</ul></nav>`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := signsOf(t, tt.html).Lists; !slices.Equal(got, tt.want) {
				t.Errorf("lists = %+v, want %+v", got, tt.want)
			}
		})
	}
}
