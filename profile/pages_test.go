package profile

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

func testPages(t *testing.T, c *chrome) {
	tests := []struct {
		name    string
		html    string
		want    []string // in order
		without string
		hasty   bool // comes to the end of a budget, or ends a script: has short ones
		check   func(t *testing.T, p *Page)
	}{
		{name: "rendered after a request", html: `<div id=r>Loading</div><script>fetch('/data').then(r => r.text()).then(s => r.innerHTML = s)</script>`, want: []string{"north mole"}, without: "Loading<"},
		{name: "rendered after a timer and two requests", html: `<div id=r>Loading</div><script>setTimeout(async () => { await (await fetch('/data')).text(); r.innerHTML = await (await fetch('/data?2')).text() }, 400)</script>`, want: []string{"north mole"}},
		{name: "polling", html: long + `<script>setInterval(() => fetch('/data'), 50)</script>`, want: []string{"north mole"}, check: settledByItself},
		{name: "hanging third party", html: long + `<script async src="/hang"></script>`, want: []string{"north mole"}, check: settledByItself},
		{name: "script that hangs in the body", html: long + `<script src="/hang"></script>`, want: []string{"north mole"}},
		{name: "script that hangs in the head", hasty: true, html: `<html><head><title>H</title><script src="/hang"></script></head><body>` + long, want: []string{"north mole"}, check: func(t *testing.T, p *Page) {
			if !p.StillLoading {
				t.Error("not marked as still loading")
			}
		}},
		{name: "request that never ends", hasty: true, html: long + `<script>fetch('/hang')</script>`, want: []string{"north mole"}, check: func(t *testing.T, p *Page) {
			if !p.StillLoading {
				t.Error("not marked as still loading")
			}
		}},
		{name: "script that never ends", hasty: true, html: long + `<script>for (;;);</script>`, want: []string{"north mole"}},
		{name: "script that never ends, later", hasty: true, html: long + `<script>setTimeout(() => { for (;;); }, 50)</script>`, want: []string{"north mole"}},
		{name: "leaves for a silent page", hasty: true, html: long + `<script>onload = () => location.href = '/hang'</script>`, want: []string{"north mole"}},
		{name: "leaves for a silent site", hasty: true, html: long + `<script>onload = () => location.href = 'http://localhost:' + location.port + '/hang'</script>`, want: []string{"north mole"}},
		{name: "dialogs", html: `<script>alert(1); if (confirm('2')) document.write('confirmed'); prompt('3'); print()</script>` + long, want: []string{"north mole"}, without: "<body>confirmed"},
		{name: "beforeunload", html: long + `<script>onbeforeunload = e => { e.preventDefault(); return 'stay' }</script>`, want: []string{"north mole"}},
		{name: "own download", html: long + `<script>setTimeout(() => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'])); a.download = 'x.bin'; a.click() }, 20)</script>`, want: []string{"north mole"}},
		{name: "download by navigation", html: long + `<script>onload = () => location.href = '/file'</script>`, want: []string{"north mole"}},
		{name: "shadow roots", html: `<x-a></x-a><div id=d><template shadowrootmode="open">declared<slot></slot></template></div>
			<script>customElements.define('x-a', class extends HTMLElement { constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML = '<p>in closed</p>' + ` + "`" + long + "`" + ` } })</script>`, want: []string{`<template shadowrootmode="closed"`, "in closed", `<template shadowrootmode="open"`, "declared"}},
		{name: "frames", html: `<p>before</p><iframe src="/frame" width=600 height=300></iframe><p>after</p>`, want: []string{"before", "data-pifetch-frame=", "inside", "/deep/link", "after"}, without: "never seen"},
		{name: "password", html: `<form><input type=password></form>`, want: []string{"<form>"}, check: func(t *testing.T, p *Page) {
			if !p.PasswordField {
				t.Error("password field not seen")
			}
		}},
		{name: "hidden password", html: `<form style="display:none"><input type=password></form>` + long, want: []string{"<form"}, check: func(t *testing.T, p *Page) {
			if p.PasswordField {
				t.Error("hidden password field counted")
			}
		}},
		{name: "lies", html: `<body data-x=1>` + long + `<script>JSON.stringify = () => '{"url":"https://bank.example/"}'; Element.prototype.checkVisibility = () => true; Object.defineProperty(document, 'URL', {get: () => 'https://bank.example/'})</script>`, want: []string{"north mole"}, check: func(t *testing.T, p *Page) {
			if strings.Contains(p.URL, "bank") {
				t.Errorf("URL = %s", p.URL)
			}
		}},
		{name: "thin", html: `<p>hi</p><script>1</script>`, want: []string{"hi"}, check: func(t *testing.T, p *Page) {
			if !p.Thin || p.StillLoading {
				t.Errorf("thin = %v, still loading = %v", p.Thin, p.StillLoading)
			}
		}},
		{name: "pushed state", html: long + `<script>history.pushState({}, '', '/elsewhere#x')</script>`, want: []string{"north mole"}, check: func(t *testing.T, p *Page) {
			if !strings.HasSuffix(p.URL, "/elsewhere#x") {
				t.Errorf("URL = %s", p.URL)
			}
		}},
		{name: "appended on scroll", html: `<div id=m>` + strings.Repeat(long, 3) + `<div style="height: 4000px"></div></div><i id=s>.</i><script>
			new IntersectionObserver(es => { if (es.some(e => e.isIntersecting)) m.innerHTML += '<p>came with' + ' the scroll</p>' }).observe(s)</script>`, want: []string{"north mole", "came with the scroll"}},
		{name: "appended to a short page", html: `<div id=m style="min-height: 110vh">` + long + `</div><i id=s>.</i><script>
			new IntersectionObserver(es => { if (es.some(e => e.isIntersecting)) m.innerHTML += '<p>came with' + ' the scroll</p>' }).observe(s)</script>`, want: []string{"north mole", "came with the scroll"}},
		{name: "appended part by part", html: `<div id=m style="min-height: 1000px">` + long + `</div><i id=s>.</i><script>let n = 1;
			new IntersectionObserver(es => { if (n < 6 && es.some(e => e.isIntersecting)) m.innerHTML += '<p style="height: 1500px">part ' + ++n + ' of a long and winding page</p>' }).observe(s)</script>`, want: []string{"north mole", "part 2 of", "part 6 of"}},
		{name: "appended in a box", html: `<div style="height: 100vh; overflow: auto"><div id=m style="min-height: 1500px">` + long + `</div><i id=s>.</i></div><script>
			new IntersectionObserver(es => { if (es.some(e => e.isIntersecting)) m.innerHTML += '<p>came with' + ' the scroll</p>' }).observe(s)</script>`, want: []string{"north mole", "came with the scroll"}},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/data", respond("text/html", long))
	mux.HandleFunc("/file", respond("application/zip", "PK"))
	mux.HandleFunc("/frame", respond("text/html", `<body><p>inside</p><a href="deep/link">l</a><script>document.title='never seen'</script></body>`))
	release := make(chan struct{})
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	defer close(release)
	mute(server)

	var urls, hastyURLs []string
	for i, test := range tests {
		path := fmt.Sprintf("/%d", i)
		mux.HandleFunc(path, respond("text/html; charset=utf-8", "<!doctype html><title>t</title>"+test.html))
		if test.hasty {
			hastyURLs = append(hastyURLs, server.URL+path)
		} else {
			urls = append(urls, server.URL+path)
		}
	}
	var patient, hasty []*tab
	for range 2 {
		patient = append(patient, tabOf(t, c, func(o *tabOptions) { o.Settle = guard }))
		hasty = append(hasty, tabOf(t, c, func(o *tabOptions) {
			o.Navigation, o.Settle, o.Silence, o.Alive = 5*time.Second, 2*time.Second, time.Second, time.Second
		}))
	}
	var all, allHasty []fetched
	var wg sync.WaitGroup
	wg.Go(func() { all = fetchAll(t, patient, urls) })
	wg.Go(func() { allHasty = fetchAll(t, hasty, hastyURLs) })
	wg.Wait()
	for _, test := range tests {
		from := &all
		if test.hasty {
			from = &allHasty
		}
		got := (*from)[0]
		*from = (*from)[1:]
		t.Run(test.name, func(t *testing.T) {
			if got.err != nil {
				t.Fatal(got.err)
			}
			html := string(got.page.HTML)
			rest := html
			for _, want := range test.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("no %q in order in\n%s", want, html)
				}
				rest = after
			}
			if test.without != "" && strings.Contains(html, test.without) {
				t.Errorf("%q in\n%s", test.without, html)
			}
			if test.check != nil {
				test.check(t, got.page)
			}
		})
	}
}

// testOtherSites shows that a page gets what frames of other sites show, and
// nothing that could act on it.
func testOtherSites(t *testing.T, c *chrome) {
	release := make(chan struct{})
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	defer close(release)
	other := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	page := func(path, html string) {
		mux.HandleFunc(path, respond("text/html; charset=utf-8", "<!doctype html><title>t</title>"+html))
	}
	page("/viewer", `<p>before</p><iframe src="`+other+`/statutes" width=600 height=400></iframe><p>after</p>`)
	page("/statutes", `<p>statute one</p><a href="deep/link">l</a><script>document.title = 'never seen'</script>
		<img src=none onerror="document.title = 'ran here'"><iframe src="`+server.URL+`/annex" width=300 height=200></iframe>`)
	page("/annex", `<p>annex</p>`)
	page("/late", `<p>before</p><iframe src="`+other+`/app" width=600 height=400></iframe>`)
	page("/app", `<script>setTimeout(() => document.body.innerHTML = '<p>came ' + 'late</p>', 150)</script>`)
	page("/long", long+long+`<iframe src="`+other+`/statutes" width=600 height=400></iframe><iframe src="`+other+`/text" width=600 height=400></iframe>
		<iframe src="`+other+`/text?small" width=300 height=100></iframe><iframe src="`+other+`/text?hidden" width=600 height=400 style="visibility: hidden"></iframe>`)
	page("/text", long+`<p style="color: white">white on white</p>`)
	page("/sandbox", `<p>before</p><iframe sandbox src="/annex" width=600 height=400></iframe><iframe sandbox srcdoc="<p>in a box</p>" width=600 height=400></iframe>`)
	page("/hangs", long+`<iframe src="`+other+`/loop" width=600 height=400></iframe><iframe src="`+other+`/hang" width=600 height=400></iframe><p>after</p>`)
	page("/loop", `<p>loops</p><script>setTimeout(() => { for (;;); }, 100)</script>`)
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	})
	tb := tabOf(t, c, nil)
	for _, test := range []struct {
		path    string
		want    []string // in order
		without []string
	}{
		{"/viewer", []string{"before", `data-pifetch-frame="` + other + `/statutes"`, "statute one", other + "/deep/link", "annex", "after"}, []string{"never seen"}},
		{"/late", []string{"before", "came late"}, nil},
		{"/long", []string{"north mole", `src="` + other + `/statutes"`, `data-pifetch-frame="` + other + `/text"`, "north mole", `data-pifetch-hidden="">white`, "/text?small", "/text?hidden"}, []string{"statute one", `frame="` + other + `/text?`}},
		{"/sandbox", []string{"before", `data-pifetch-frame="` + server.URL + `/annex"><p>annex`, `data-pifetch-frame="about:srcdoc"><p>in a box`}, nil},
		{"/hangs", []string{"north mole", "/loop", "/hang", "after"}, []string{"loops"}},
	} {
		t.Run(test.path, func(t *testing.T) {
			got := fetch(t, tb, server.URL+test.path)
			if got.err != nil {
				t.Fatal(got.err)
			}
			if got.page.Title != "t" {
				t.Errorf("title %q: a script of the frame has run in the page", got.page.Title)
			}
			rest := string(got.page.HTML)
			for _, without := range test.without {
				if strings.Contains(rest, without) {
					t.Errorf("%q in\n%s", without, rest)
				}
			}
			for _, want := range test.want {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("no %q in order in\n%s", want, got.page.HTML)
				}
				rest = after
			}
		})
	}
}

// testHiddenText shows that text is marked which nobody can see, and only that.
func testHiddenText(t *testing.T, c *chrome) {
	const style = `<style>
		.white {color: #fefefe} .clear {color: transparent} .dark {background: #222; color: rgb(34, 34, 35)} .tiny {font-size: 1px}
		.faint {opacity: 0} .fades {opacity: 0; transition: opacity 1s} .off {position: absolute; left: -9999px} .cut {position: absolute; clip: rect(0, 0, 0, 0)}
		.hero {position: relative; background: linear-gradient(#000, #333)} .stack {display: grid} .stack > * {grid-area: 1 / 1}
		.veiled {position: relative} .veiled::before {content: ''; position: absolute; inset: 0; background: #123; z-index: -1}
		.shadow {color: white; text-shadow: 0 0 2px black} .gone {display: none} .away {visibility: hidden}
		.strip {overflow: hidden; width: 300px} .strip p {transform: translateX(-2000px)}
		.card {background: white; color: oklch(1 0 0)} .grad {background: linear-gradient(red, blue); background-clip: text; color: transparent}
		</style>`
	visible := long + `<p id=v1 class=fades>a</p><div class=hero><p id=v2 class=white>b</p></div><div class=stack><svg height=90 width=900></svg><p id=v3 class=white>c</p></div>
		<div class=veiled><p id=v4 class=white>d</p></div><p id=v5 class=shadow>e</p><p id=v6 class=gone>f</p><p id=v7 class=away>g</p>
		<div class=strip><p id=v8>h</p></div><p id=v9 class=grad>i</p><h1 id=v10 class=off>j</h1><details><summary id=v11>k</summary><p id=v12 class=white>l</p></details>
		<div hidden=until-found><p id=v13 class=tiny>m</p></div><div class=tiny><p id=v14 style="font-size: 16px">n</p></div>`
	hidden := `<p id=h1 class=white>a</p><p id=h2 class=clear>b</p><div class=dark><p id=h3>c</p></div><p id=h4 class=tiny>d</p><div class=faint><p id=h5>e</p></div>
		<div class=off><p id=h6>f</p></div><p id=h7 class=cut>g</p><div style="background: black"><div class=card><p id=h8>h</p></div></div>`
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/frame":
			respond("text/html", style+hidden+visible)(w, r)
		default:
			respond("text/html; charset=utf-8", body)(w, r)
		}
	}))
	defer server.Close()
	tb := tabOf(t, c, nil)
	marks := regexp.MustCompile(`id="([hv]\d+)"[^>]*data-pifetch-hidden`)
	for _, test := range []struct {
		name, body string
		marked     int
	}{
		{"page", style + hidden + visible, 8},
		{"frame", `<iframe src=/frame width=900 height=900></iframe>` + long, 8},
		{"too much", style + hidden + strings.Repeat(hidden, 3) + "<p id=v1>x", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			body = "<!doctype html>" + test.body
			got := fetch(t, tb, server.URL)
			if got.err != nil {
				t.Fatal(got.err)
			}
			found := marks.FindAllSubmatch(got.page.HTML, -1)
			for _, m := range found {
				if m[1][0] == 'v' {
					t.Errorf("%s is marked", m[1])
				}
			}
			if len(found) != test.marked {
				t.Errorf("%d marks, want %d: %q", len(found), test.marked, found)
			}
		})
	}
}

func settledByItself(t *testing.T, p *Page) {
	if p.StillLoading {
		t.Error("settled by the end of the budget")
	}
}
