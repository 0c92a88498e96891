package extract

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// anchored extracts a page at the fragment.
func anchored(t *testing.T, page []byte, fragment string) Result {
	t.Helper()
	u, err := url.Parse(pageURL.String() + "#" + fragment)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Extract(page, u)
	if err != nil && !errors.Is(err, ErrNoContent) {
		t.Fatal(err)
	}
	return r
}

func TestAnchor(t *testing.T) {
	before := "<h1>T</h1><p>Before it.</p>"
	for _, tt := range []struct {
		name, body, fragment string
		line                 string // the line of the anchor; "": not in the markdown
	}{
		{"heading", "<h2 id=x>The part</h2><p>Text.", "x", "## The part"},
		{"section", "<section id=x><h2>The part</h2><p>Text.</section>", "x", "## The part"},
		{"permalink_before_the_text", "<h2><a id=x class=anchor href=#x>#</a>The part</h2><p>Text.", "x", "## The part"},
		{"permalink_after_the_text", "<h2>The part<a class=headerlink id=x href=#x>¶</a></h2><p>Text.", "x", "## The part"},
		{"empty_anchor", "<a id=x></a><h2>The part</h2><p>Text.", "x", "## The part"},
		{"empty_anchor_in_a_paragraph", "<p>Text.</p><p><a id=x></a></p><p>More.", "x", "More."},
		{"named_anchor", "<a name=x></a><h2>The part</h2>", "x", "## The part"},
		{"name_of_a_field", "<form><input name=x></form><p>Text.", "x", ""},
		{"id_before_name", "<p><a name=x>No</a><p id=x>Yes", "x", "Yes"},
		{"prefixed", "<h2 id=user-content-x>The part</h2>", "x", "## The part"},
		{"other_case", "<h2 id=The-Part>The part</h2>", "the-part", "## The part"},
		{"exact_case_first", "<h2 id=X>One</h2><h2 id=x>Two</h2>", "x", "## Two"},
		{"percent", "<h2 id='über uns'>The part</h2>", "%C3%BCber%20uns", "## The part"},
		{"percent_as_written", "<h2 id='a%20b'>The part</h2>", "a%20b", "## The part"},
		{"text_directive", "<h2 id=x>The part</h2>", "x:~:text=part", "## The part"},
		{"emphasis_at_the_start", "<p id=x>*<b>Bold*</b> text", "x", `\***Bold\*** text`},
		{"list_item", "<ul><li>One<li id=x>Two</ul>", "x", "- Two"},
		{"numbered_by_hand", "<p id=x>4. Four", "x", "4. Four"},
		{"definition", "<dl><dt>a<dd>b<dt id=x>c<dd>d</dl>", "x", "**c**"},
		{"table_row", "<table><tr><th>a<th>b<tr><td>1<td>2<tr id=x><td>3<td>4</table>", "x", "| 3 | 4 |"},
		{"table", "<table id=x><tr><th>a<th>b<tr><td>1<td>2</table>", "x", "| a | b |"},
		{"code_block", "<pre id=x>one\ntwo</pre>", "x", "one"},
		{"line_of_code", "<pre><span id=l1>one</span>\n<a id=x></a><span>  two</span>\nthree</pre>", "x", "  two"},
		{"line_number", "<table class=highlight><tr><td class=blob-num data-line-number=1 id=L1><td class=blob-code>one<tr><td class=blob-num data-line-number=2 id=L2><td class=blob-code>two</table>", "L2", "two"},
		{"number_in_a_gutter", "<pre><span class=lineno id=l1>1</span>one\n<span class=lineno id=l2>2</span>two\n</pre>", "l2", "two"},
		{"link", "<p>Text.<p><a id=x href=/y>The <i>link</i></a>", "x", "[The *link*](https://site.example/y)"},
		{"picture", "<p>Text.<figure id=x><img src=/y.png></figure>", "x", "![](https://site.example/y.png)"},
		{"formula", "<p>Text.<p>(<math id=x alttext='a^2'><mi>a</mi></math>)", "x", "($a^2$)"},
		{"footnote", "<p>Text<sup><a href=#n>1</a></sup>.<ol><li id=n>The note.</ol>", "n", "[^1]: The note."},
		{"quotation", "<blockquote><p>One</p><p id=x>Two</blockquote>", "x", "> Two"},
		{"collapsed", "<details><summary>More</summary><div id=x>Inside</div></details>", "x", "Inside"},
		{"title_outside_the_content", "", "h", strings.TrimSpace(strings.Repeat("Words of it. ", 40))},
		{"hidden", "<p hidden id=x>Hidden</p><p>Text.", "x", ""},
		{"dropped", "<nav id=x><a href=/y>Elsewhere</a></nav>", "x", ""},
		{"script", "<script id=x>1</script>", "x", ""},
		{"whole_page", "", "all", "# T"},
		{"symbols_in_the_page", "<h2 id=x>⠁⠂ part</h2>", "x", "## ⠁⠂ part"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			page := "<main id=all>" + before + tt.body + "</main>"
			if tt.fragment == "h" {
				page = "<title>Title</title><div><h1 id=h>Title</h1></div><main><p>" + strings.Repeat("Words of it. ", 40) + "</main>"
			}
			r := anchored(t, []byte("<!doctype html>"+page), tt.fragment)
			if !r.Anchor.OnPage && tt.name != "name_of_a_field" {
				t.Fatalf("anchor = %+v, want it on the page", r.Anchor)
			}
			got := ""
			if r.Anchor.Line > 0 {
				got = strings.Split(r.Markdown, "\n")[r.Anchor.Line-1]
			}
			if got != tt.line {
				t.Errorf("line %d is %q, want %q in\n%s", r.Anchor.Line, got, tt.line, r.Markdown)
			}
		})
	}
}

func TestNoAnchor(t *testing.T) {
	page := []byte("<main><h1 id=h>T</h1><p>Text.</main>")
	for fragment, want := range map[string]Anchor{
		"":                {},
		"top":             {},
		":~:text=Text":    {},
		"/route":          {},
		"!route":          {},
		"tab=2&x=1":       {},
		"missing":         {Fragment: "missing"},
		"missing:~:text=": {Fragment: "missing"},
	} {
		if r := anchored(t, page, fragment); r.Anchor != want {
			t.Errorf("#%s: %+v, want %+v", fragment, r.Anchor, want)
		}
	}
	if r := anchored(t, []byte("<p hidden id=x>x"), "x"); r.Anchor != (Anchor{}) {
		t.Errorf("page without content: %+v", r.Anchor)
	}
}

// readByText are the ids of elements in the golden pages that are recognised by
// their whole text, notes by their number.
var readByText = map[string]bool{"t1": true, "t2": true, "cite7": true}

// A fragment changes nothing but the anchor, and most that lead into the
// golden pages have one.
func TestAnchorLeavesThePageAlone(t *testing.T) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, name := range pages {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Extract(page, pageURL)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := parse(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range findAll(doc, func(n *html.Node) bool { return attr(n, "id") != "" }) {
			id := attr(n, "id")
			got := anchored(t, page, url.PathEscape(id))
			if readByText[id] && got.Anchor == (Anchor{}) {
				continue // the mark is in the way: no place is better than a wrong one
			}
			if !got.Anchor.OnPage || got.Anchor.Line > strings.Count(want.Markdown, "\n") {
				t.Errorf("%s#%s: anchor = %+v", name, id, got.Anchor)
			}
			got.Anchor = Anchor{}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s#%s: the fragment changes the result", name, id)
			}
		}
	}
}

func FuzzAnchor(f *testing.F) {
	f.Add([]byte("<h2 id=a>x</h2><p>y"), "a")
	f.Add([]byte("<table><tr id=b><td rowspan=2>x<td>y<tr><td>z</table>"), "b")
	f.Add([]byte("<pre><a name=c></a>x\ny</pre><img id=d>"), "c")
	f.Fuzz(func(t *testing.T, page []byte, fragment string) {
		u := *pageURL
		u.Fragment = fragment
		want, wantErr := Extract(page, pageURL)
		got, err := Extract(page, &u)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("with the fragment %v, without %v", err, wantErr)
		}
		a := got.Anchor
		got.Anchor = Anchor{}
		if !reflect.DeepEqual(got, want) {
			t.Fatal("the fragment changes the result")
		}
		if a.Line < 0 || a.Line > strings.Count(got.Markdown, "\n") || utf8.ValidString(fragment) && !utf8.ValidString(a.Fragment) {
			t.Fatalf("anchor = %+v", a)
		}
	})
}
