package extract

import (
	"bytes"
	"errors"
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var pageURL = &url.URL{Scheme: "https", Host: "site.example", Path: "/dir/page.html"}

func TestGolden(t *testing.T) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".html"), func(t *testing.T) {
			in, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Extract(in, pageURL)
			if err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(page, ".html") + ".md"
			if *update {
				if err := os.WriteFile(golden, []byte(r.Markdown), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if r.Markdown != string(want) {
				t.Errorf("markdown differs from %s; got:\n%s", golden, r.Markdown)
			}
		})
	}
}

// extracted is the markdown of a body, "" when there is none.
func extracted(t *testing.T, body string) string {
	t.Helper()
	r, err := Extract([]byte("<!doctype html>"+body), pageURL)
	if err != nil && !errors.Is(err, ErrNoContent) {
		t.Fatal(err)
	}
	return r.Markdown
}

func TestTitle(t *testing.T) {
	for _, tt := range []struct{ name, page, want string }{
		{"title", "<title> A\n b </title><h1>C</h1>", "A b"},
		{"og", `<title></title><meta property="og:title" content="Og"><h1>C</h1>`, "Og"},
		{"h1", "<h1>C <b>d</b></h1>", "C d"},
		{"svg_title_is_none", "<svg><title>icon</title></svg><h1>C</h1>", "C"},
		{"none", "<p>x", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Extract([]byte(tt.page), nil)
			if err != nil {
				t.Fatal(err)
			}
			if r.Title != tt.want {
				t.Errorf("title %q, want %q", r.Title, tt.want)
			}
		})
	}
}

func TestNoContent(t *testing.T) {
	for name, page := range map[string]string{
		"nothing":  "",
		"app":      "<title>App</title><div id=root></div><script>1</script>",
		"blank":    "<body> &nbsp; <p></p><a href=/></a><!-- x -->",
		"hidden":   "<body><p hidden>x</p>",
		"controls": "<body><button>OK</button><select><option>x</select>",
	} {
		t.Run(name, func(t *testing.T) {
			if r, err := Extract([]byte(page), pageURL); !errors.Is(err, ErrNoContent) {
				t.Errorf("got %q, %v; want ErrNoContent", r.Markdown, err)
			}
		})
	}
}

func TestText(t *testing.T) {
	r, err := Extract([]byte("<body><nav><a href=/>Home</a></nav><main><h2>One</h2><p>two  <a href='/long/target'>three</a></p><pre>four</pre><table><tr><th>a<th>b<tr><td><pre>c</pre><td>$</table></main>"), pageURL)
	if err != nil {
		t.Fatal(err)
	}
	if want := len("One") + len("two three") + len("four") + len("ab`c`$"); r.Text != want {
		t.Errorf("Text %d, want %d", r.Text, want)
	}
	if r.PageText <= r.Text {
		t.Errorf("PageText %d does not count the navigation (Text %d)", r.PageText, r.Text)
	}
}

func TestMainContent(t *testing.T) {
	long := strings.Repeat("Words of a paragraph, one after the other. ", 12)
	for _, tt := range []struct{ name, body, has, lacks string }{
		{"main", "<header>Site<nav>menu</nav></header><main><p>" + long + "</p></main><aside>other</aside>", "Words", "menu"},
		{"article_in_main", "<main><article><p>" + long + "</p></article><div>leftover</div></main>", "Words", "leftover"},
		{"several_articles", "<main><article>first one</article><article>second one</article></main>", "second one", ""},
		{"comments_as_articles", "<main><article><p>Short post.</p></article><div id=comments><article class=comment><p>" + long + "</p></article></div></main>", "Short post.", ""},
		{"empty_main", "<main></main><div><p>" + long + "</p></div>", "Words", ""},
		{"loading_main", "<main>Loading</main><div><p>" + long + long + "</p></div>", "Words", ""},
		{"everything_in_a_footer", "<footer><p>" + long + "</p></footer>", "Words", ""},
		{"everything_in_a_nav", "<nav><ul><li><a href=/1>First</a><li><a href=/2>Second</a></ul></nav>", "Second", ""},
		{"class_that_sounds_like_a_sidebar", `<div class="contentWithSidebar sidebar"><p>` + long + "</p></div>", "Words", ""},
		{"cell_of_a_layout_table", "<table><tr><td><a href=/1>One</a><br><a href=/2>Two</a></td><td><h1>T</h1><p>" + long + "</p><p>" + long + "</p></td></tr></table>", "Words", "Two"},
		{"prose_column", "<div><div><p>" + long + "</p><p>" + long + "</p></div><div><ul><li><a href=/1>Another page</a></ul></div></div>", "Words", "Another"},
		{"section_named_related", `<main><h1>T</h1><p>` + long + `</p><section id="related"><h2>Related work</h2><p>Bells came first.</p></section></main>`, "Bells", ""},
		{"page_under_a_dialog", `<div aria-hidden=true><main><h1>T</h1><p>` + long + `</p></main></div><div role=dialog>Sign up</div>`, "Words", "Sign up"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			md := extracted(t, tt.body)
			if !strings.Contains(md, tt.has) {
				t.Errorf("lacks %q:\n%s", tt.has, md)
			}
			if tt.lacks != "" && strings.Contains(md, tt.lacks) {
				t.Errorf("holds %q:\n%s", tt.lacks, md)
			}
		})
	}
}

func TestNoscript(t *testing.T) {
	long := strings.Repeat("The whole thread for readers without script. ", 20)
	for _, tt := range []struct{ name, body, has, lacks string }{
		{"text_the_page_lacks", "<main><p>Loading</p><noscript><div><p>" + long + "</p></div></noscript></main>", "The whole thread", ""},
		{"notice", "<main><p>Shown</p><noscript><p>Please enable JavaScript.</p></noscript></main>", "Shown", "enable"},
		{"text_the_page_has", "<main><p>" + long + "</p><noscript><p>" + long + "</p><b>twice</b></noscript></main>", "The whole thread", "twice"},
		{"script_inside", "<main><p>Shown</p><noscript><script>evil()</script>" + long + "</noscript></main>", "whole", "evil"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			md := extracted(t, tt.body)
			if !strings.Contains(md, tt.has) || tt.lacks != "" && strings.Contains(md, tt.lacks) {
				t.Errorf("want %q, not %q:\n%s", tt.has, tt.lacks, md)
			}
		})
	}
}

func TestLongAdmonitionIsNamedOnce(t *testing.T) {
	md := extracted(t, "<main><p>Before.</p><div class='admonition note'><p>Note: the tide.</p>"+strings.Repeat("<p>It comes and it goes, twice a day.</p>", 200)+"</div></main>")
	if n := strings.Count(md, "Note"); n != 1 {
		t.Errorf("named %d times:\n%.200s", n, md)
	}
}

// What a page has many of takes no time with the square of their number.
func TestManyAlike(t *testing.T) {
	for _, tt := range []struct{ name, one string }{
		{"sidenotes", "<span class=sidenote>x</span>"},
		{"formulas_without_source", "<i class=mathjax></i>"},
		{"pictures", "<img src=a.png alt=b>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			page := "<main><p>Some text. " + strings.Repeat(tt.one, 3<<19/len(tt.one)) + "</p></main>"
			done := make(chan struct{})
			go func() {
				defer close(done)
				if _, err := Extract([]byte(page), pageURL); err != nil {
					t.Error(err)
				}
			}()
			select {
			case <-done:
			case <-time.After(time.Minute):
				t.Fatal("it takes for ever")
			}
		})
	}
}

// The parser gives up at 512 open elements; no page is lost for that.
func TestDeepNesting(t *testing.T) {
	for _, tt := range []struct{ name, open, close string }{
		{"div", "<div>", "</div>"},
		{"unclosed", "<div>", ""},
		{"inline", "<b><i>", "</i></b>"},
		{"list", "<ul><li>", "</li></ul>"},
		{"quote", "<blockquote>", "</blockquote>"},
		{"table", "<table><tr><td>", "</td></tr></table>"},
		{"reopened", "<p><font size=1 color=red>", ""},
		{"mixed", "<section><p><span><a href=x>", ""},
	} {
		for _, depth := range []int{300, 600, 100_000} {
			page := "<body><p>before</p>" + strings.Repeat(tt.open, depth) + "needle" + strings.Repeat(tt.close, depth) + "<p>after</p>"
			if depth > 600 && testing.Short() {
				continue
			}
			md := extracted(t, page)
			for _, want := range []string{"before", "needle"} {
				if !strings.Contains(md, want) {
					t.Errorf("%s %d: lacks %q", tt.name, depth, want)
				}
			}
			if tt.close != "" && !strings.Contains(md, "after") {
				t.Errorf("%s %d: lacks what follows", tt.name, depth)
			}
		}
	}
}

func TestFlattenKeepsBlocksApart(t *testing.T) {
	in := strings.Repeat("<div>", 5) + "<p>one</p><p>two</p><script>if (a < b) {}</script>" + strings.Repeat("</div>", 5) + "<p>three"
	got := string(nesting{depth: 3}.flatten([]byte(in)))
	want := "<div><div><div>one<br>two<script>if (a < b) {}</script></div></div></div><p>three"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCodeIsFaithful(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"tabs_and_blank_lines", "<pre>\n\ta\n\n\n\tb  \n</pre>", "```\n\ta\n\n\n\tb  \n```\n"},
		{"whitespace_spans", "<pre><span>FROM</span><span> </span><span>go</span><span>\n</span><span>AS</span></pre>", "```\nFROM go\nAS\n```\n"},
		{"line_spans_without_breaks", "<pre><code><span class=line>a</span><span class=line></span><span class=line>b</span></code></pre>", "```\na\n\nb\n```\n"},
		{"line_spans_with_breaks", "<pre><code><span class=line>a</span>\n<span class=line></span>\n<span class=line>b</span></code></pre>", "```\na\n\nb\n```\n"},
		{"line_spans_ending_in_br", "<pre><code><span class=token-line>a<br></span><span class=token-line>b<br></span></code></pre>", "```\na\nb\n```\n"},
		{"divided_lines", `<pre><code><div class=ec-line><div class=gutter><div class=ln aria-hidden=true>1</div></div><div class=code>a {</div></div><div class=ec-line><div class=gutter><div class=ln aria-hidden=true>2</div></div><div class=code><span aria-hidden=true>  </span>b</div></div></code></pre>`, "```\na {\n  b\n```\n"},
		{"code_that_keeps_its_space", "<code style='white-space: pre'>a\n  b</code>", "```\na\n  b\n```\n"},
		{"editor", "<pre><div>Python</div><div class=cm-content><div class=cm-line>a</div><div class=cm-line>  b</div></div></pre>", "```python\na\n  b\n```\n"},
		{"markdown_inside", "<pre>* not a list\n# no heading\n[x](y) &lt;b&gt; \\*</pre>", "```\n* not a list\n# no heading\n[x](y) <b> \\*\n```\n"},
		{"fence_inside", "<pre>````</pre>", "`````\n````\n`````\n"},
		{"crlf", "<pre>a\r\nb</pre>", "```\na\nb\n```\n"},
		{"in_quote", "<blockquote><p>q</p><pre>a\n\nb</pre></blockquote>", "> q\n>\n> ```\n> a\n>\n> b\n> ```\n"},
		{"in_list_only", "<ul><li><pre>a\nb</pre></li></ul>", "- ```\n  a\n  b\n  ```\n"},
		{"in_link", "<a href=/x><pre>a\nb</pre></a>", "```\na\nb\n```\n"},
		{"in_bold", "<b><pre>a\nb</pre></b>", "```\na\nb\n```\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := extracted(t, tt.in); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestLanguage(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`<pre data-language="TS">x</pre>`, "ts"},
		{`<pre><code class="hljs language-c++">x</code></pre>`, "c++"},
		{`<pre class="brush: js; toolbar: false">x</pre>`, "js"},
		{`<pre lang="go">x</pre>`, ""},
		{`<pre lang="rust">x</pre>`, "rust"},
		{`<div class="highlight-python3"><div class="highlight"><pre>x</pre></div></div>`, "python"},
		{`<div class="highlight-default"><pre>x</pre></div>`, ""},
		{`<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>x</code></pre></div></div>`, "ruby"},
		{`<div class="highlight highlight-source-shell"><pre>x</pre></div>`, "shell"},
		{`<pre class="sourceCode haskell">x</pre>`, "haskell"},
		{`<pre class="language-none">x</pre>`, ""},
		{`<pre class="shiki"><div class="language-id">ts</div><div><code>x</code></div></pre>`, "ts"},
		{"<pre class=\"language-a`b\">x</pre>", ""},
		{`<div class="language-js"><pre>x</pre><pre>y</pre></div>`, ""},
		{`<div class="language-js"><button class="copy"></button><span class="lang">js</span><pre class="shiki"><code>x</code></pre></div>`, "js"},
		{`<div><div><span>C++</span><button>Copy code</button></div><div><pre><code>x</code></pre></div></div>`, "c++"},
		{`<div><div>Plain text</div><pre>x</pre></div>`, ""},
		{`<div class="mw-highlight mw-highlight-lang-sql"><pre>x</pre></div>`, "sql"},
		{`<div class="highlight hl-ipython3"><pre>x</pre></div>`, "python"},
		{`<div class="highlight-shell-session"><div class="highlight"><pre>x</pre></div></div>`, "shell-session"},
		{`<pre class="rust rust-example-rendered"><code>x</code></pre>`, "rust"},
		{`<pre class="hl lean lean-output">x</pre>`, ""},
		{`<pre class="lang:python decode:true">x</pre>`, "python"},
		{`<pre data-syntaxhighlighter-params="brush: java; gutter: false">x</pre>`, "java"},
		{`<pre lang="js">x</pre>`, "js"},
		{`<pre><code class="lang">x</code></pre>`, ""},
		{`<pre><span class="language">python</span></pre>`, ""},
		{`<code class="hl lean block">x</code>`, "lean"},
	} {
		t.Run(tt.in, func(t *testing.T) {
			got, _, _ := strings.Cut(extracted(t, tt.in), "\n")
			if got != "```"+tt.want {
				t.Errorf("fence %q, want language %q", got, tt.want)
			}
		})
	}
}

func TestRaisedNumbers(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"notes_behind_the_text", "<p>One.<sup>1</sup></p><p>5 m<sup>2</sup> or two<sup>2</sup></p><hr><p><b><sup>1</sup> Later:</b> a</p><p><sup>[2]</sup> b</p>", "One.[^1]\n\n5 m^2 or two[^2]\n\n---\n\n[^1]: **Later:** a\n\n[^2]: b\n"},
		{"verses", "<p><sup>1</sup> In the beginning. <sup>2</sup>And the earth.</p>", "1 In the beginning. 2And the earth.\n"},
		{"marks_without_notes", "<p>One.<sup>1</sup> Two<sup>[2]</sup></p>", "One.^1 Two[2]\n"},
		{"powers", "<p>10<sup>6</sup> x<sup>n</sup> e<sup>2x+1</sup> 10<sup>−3</sup>", "10^6 x^n e^(2x+1) 10^−3\n"},
		{"ordinals_and_marks", "<p>1<sup>st</sup> M<sup>me</sup> Tide<sup>®</sup> H<sub>2</sub>O CO<sub>2</sub>", "1st Mme Tide® H2O CO2\n"},
		{"indices", "<p>x<sub>i</sub> log<sub>2</sub>8 V<sub>max</sub>", "x_i log_2 8 V_max\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := extracted(t, tt.in); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestProse(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"brackets", "<p>[x](y) a[i] Vec&lt;T&gt; 1 &lt; 2", "[x\\](y) a[i] Vec\\<T> 1 < 2\n"},
		{"names_with_underscores", "<p>__init__.py, _private and (snake_case)", "\\_\\_init__.py, _private and (snake_case)\n"},
		{"underscores_that_pair", "<p>_not emphasis_", "\\_not emphasis_\n"},
		{"one_star", "<p>Price* and *args", "Price* and *args\n"},
		{"stars_that_pair", "<p>*not emphasis* 2*3*4", "\\*not emphasis* 2\\*3*4\n"},
		{"star_inside_emphasis", "<p><em>a* b</em>", "*a\\* b*\n"},
		{"star_that_starts_an_item", "<p>* x<br>* y", "\\* x  \n\\* y\n"},
		{"row_of_stars", "<p>***<p>x", "\\***\n\nx\n"},
		{"tildes", "<p>~3 or ~4<p>~3 or ~4 of a~b~c", "~3 or ~4\n\n\\~3 or \\~4 of a\\~b~c\n"},
		{"backslashes", "<p>C:\\Users\\_x \\d+ \\", "C:\\Users\\\\_x \\d+ \\\\\n"},
		{"backticks", "<p>Rosi`s<p>`a` b", "Rosi`s\n\n\\`a\\` b\n"},
		{"numbers_by_hand", "<p>1. One<p>2) Two<br>3. Three<p>19. Oktober<p>4.", "1. One\n\n2) Two  \n3. Three\n\n19. Oktober\n\n4\\.\n"},
		{"angle_brackets", "<p>x &lt;&lt;EOF a &lt;room.jpg&gt; &lt;숨바꼭질&gt; &lt;a@b.example&gt; i &lt;n", "x <<EOF a <room.jpg> <숨바꼭질> \\<a@b.example> i <n\n"},
		{"definition_look_alike", "<p>[a]: b<p>see [a]: b", "[a\\]: b\n\nsee [a]: b\n"},
		{"quote_sign", "<p>&gt; no quotation", "\\> no quotation\n"},
		{"stars", "<p>2 * 3 and snake_case_name", "2 * 3 and snake_case_name\n"},
		{"link_text_with_brackets", "<p><a href=/x>[1]</a>", "[[1]](https://site.example/x)\n"},
		{"link_text_with_one_bracket", "<p><a href=/x>a] b</a>", "[a\\] b](https://site.example/x)\n"},
		{"link_text_with_a_link_look_alike", "<p><a href=/x>[a](b) c</a>", "[\\[a\\](b) c](https://site.example/x)\n"},
		{"picture_alt_with_brackets", "<p><img src=/x alt='[a] *b* c'>", "![[a] \\*b* c](https://site.example/x)\n"},
		{"links_side_by_side", "<p><a href=/x>a</a><a href=/y>b</a>", "[a](https://site.example/x) [b](https://site.example/y)\n"},
		{"time_side_by_side", "<p><span>a</span><time>11 May</time><span>1</span>", "a 11 May 1\n"},
		{"word_split_into_links", "<p><a href=/x>a</a><a href=/x>b</a>", "[ab](https://site.example/x)\n"},
		{"bold_in_heading", "<h2><b>Set</b> up</h2><p>x", "## Set up\n\nx\n"},
		{"bold_in_bold", "<p><b>a <strong>b</strong></b>", "**a b**\n"},
		{"link_text_is_one_line", "<p><a href=/x>a<br>b</a>", "[a b](https://site.example/x)\n"},
		{"fragment", "<p><a href=#y>a</a>", "[a](#y)\n"},
		{"query_as_written", "<p><a href='/x?a=b/c+d&e=%2F'>a</a>", "[a](https://site.example/x?a=b/c+d&e=%2F)\n"},
		{"mail", "<p><a href='mailto:a@b.example'>a</a>", "[a](mailto:a@b.example)\n"},
		{"spoofed_placeholder", "<p>\ufdd00\ufdd1 x", "0 x\n"},
		{"marker_characters", "<p>a\uf002b \x07c", "ab c\n"},
		{"heading_permalink", "<h2>Set up<a class=headerlink href='#s' title=Permalink>¶</a></h2><p>x", "## Set up\n\nx\n"},
		{"edit_links", "<title>Y</title><h1>T</h1><a href=/edit>Edit this page</a><p>x", "# T\n\nx\n"},
		{"item_that_says_edit", "<ul><li>Copy</li><li>Edit</li></ul>", "- Copy\n- Edit\n"},
		{"link_that_says_edit_more", "<p><a href=/e>edit distance</a>", "[edit distance](https://site.example/e)\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := extracted(t, tt.in); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestTables(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"pipes_in_code", "<table><tr><th>a<th>b<tr><td><code>x|y</code><td>p | q</table>", "| a | b |\n|---|---|\n| `x\\|y` | p \\| q |\n"},
		{"ragged", "<table><tr><th>a<th>b<tr><td>1</table>", "| a | b |\n|---|---|\n| 1 |  |\n"},
		{"huge_span", "<table><tr><th colspan=100000 rowspan=99999>a<th>b<tr><td>1<td>2</table>", ""},
		{"header_cells_down_the_side", "<table><tr><th>k<td>v<tr><th>l<td>w</table>", "|  |  |\n|---|---|\n| k | v |\n| l | w |\n"},
		{"first_header_cell_in_the_second_row", "<table><tr><td>1<td>2<tr><th>a<th>b</table>", "| 1 | 2 |\n|---|---|\n| a | b |\n"},
		{"in_bold", "<b><table><tr><th>a<th>b<tr><td>1<td>2</table></b>", "| a | b |\n|---|---|\n| 1 | 2 |\n"},
		{"layout", "<table><tr><td><ul><li>x</ul><td>y</table>", "- x\n\ny\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := extracted(t, tt.in)
			if tt.want == "" {
				if !strings.Contains(got, "| 1 |") {
					t.Errorf("cells lost:\n%.300s", got)
				}
				return
			}
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestForgedPlaceholders(t *testing.T) {
	md := extracted(t, `<p>a</p><raw-block n="0"></raw-block><raw block n="99"></raw block><raw inline n="-1">b</raw inline><table><tr><th>x<th>y<tr><td><raw block n="7"></raw block><td>z</table><pre>code</pre>`)
	if strings.Count(md, "code") != 1 || !strings.Contains(md, "z") {
		t.Errorf("got\n%s", md)
	}
}

func TestConcurrentUse(t *testing.T) {
	page, err := os.ReadFile("testdata/blocks.html")
	if err != nil {
		t.Fatal(err)
	}
	want, err := Extract(page, pageURL)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if got, err := Extract(page, pageURL); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("differs when run beside others: %v", err)
			}
		})
	}
	wg.Wait()
}

func FuzzExtract(f *testing.F) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range pages {
		b, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("<table><tr><td rowspan=9 colspan=9>x<table><caption>y<pre>z"))
	f.Add([]byte("<template shadowrootmode=open><slot><template shadowrootmode=open><slot name=a slot=b></template></template><i slot=b>"))
	f.Add([]byte("<p>\ufdd00\ufdd1<pre>\ufdd01\ufdd1</pre>\uf002\a"))
	f.Fuzz(func(t *testing.T, page []byte) {
		r, err := Extract(page, pageURL)
		if err != nil {
			if !errors.Is(err, ErrNoContent) {
				t.Fatal(err)
			}
			return
		}
		again, err := Extract(page, pageURL)
		if err != nil || !reflect.DeepEqual(again, r) {
			t.Fatal("two runs differ")
		}
		if !utf8.ValidString(r.Markdown) || !utf8.ValidString(r.Title) {
			t.Fatal("output is not UTF-8")
		}
		if !strings.HasSuffix(r.Markdown, "\n") || strings.TrimSpace(r.Markdown) == "" {
			t.Fatalf("markdown %q", r.Markdown)
		}
		if strings.ContainsAny(r.Markdown, "\a\x00") || dropReserved(r.Markdown) != r.Markdown {
			t.Fatalf("placeholder left in %q", r.Markdown)
		}
		if strings.ContainsAny(r.Title, "\n\r") {
			t.Fatalf("title %q", r.Title)
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("<meta charset=gbk>\xb1\xb1"), "")
	f.Add([]byte("\xff\xfea\x00"), "text/html; charset=utf-8")
	f.Add([]byte("<meta charset=nonsense>\xff"), "text/html; charset=\"")
	f.Fuzz(func(t *testing.T, raw []byte, contentType string) {
		out := Decode(raw, contentType)
		if !utf8.Valid(out) {
			t.Fatalf("%q is not UTF-8", out)
		}
		if utf8.Valid(raw) && !bytes.HasPrefix(raw, []byte("\ufeff")) && !bytes.Equal(out, raw) {
			t.Fatal("valid UTF-8 was changed")
		}
	})
}

// BenchmarkExtract compares the whole pipeline with the bare converter on the
// same pages.
func BenchmarkExtract(b *testing.B) {
	var page bytes.Buffer
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil {
		b.Fatal(err)
	}
	for range 20 {
		for _, p := range pages {
			src, err := os.ReadFile(p)
			if err != nil {
				b.Fatal(err)
			}
			page.Write(src)
		}
	}
	b.Run("extract", func(b *testing.B) {
		b.SetBytes(int64(page.Len()))
		for b.Loop() {
			if _, err := Extract(page.Bytes(), pageURL); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("converter", func(b *testing.B) {
		b.SetBytes(int64(page.Len()))
		for b.Loop() {
			doc, err := html.Parse(bytes.NewReader(page.Bytes()))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := newConverter().ConvertNode(doc); err != nil {
				b.Fatal(err)
			}
		}
	})
}
