package extract

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"
)

func TestBestThreshold(t *testing.T) {
	words := func(n int) *textBlock { return &textBlock{words: n} }
	for _, c := range []struct {
		name   string
		blocks []*textBlock
		p      []float32
		want   float32
	}{
		// Expected F1 of keeping 1, 2 or 3 blocks: 18/22.4, 24/27.4, 24.8/47.4.
		{"a clear page", []*textBlock{words(10), words(5), words(20)}, []float32{0.9, 0.6, 0.02}, 0.6},
		{"an unsure page", []*textBlock{words(10), words(10)}, []float32{0.2, 0.15}, 0.15},
		{"long doubtful text against a short sure one", []*textBlock{words(2), words(100)}, []float32{0.99, 0.3}, 0.3},
		{"no words: all stays", []*textBlock{words(0)}, []float32{0.4}, 0},
	} {
		if got := bestThreshold(c.blocks, c.p); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// chosen keeps the blocks of a page that begin with "+" as the classifier
// would, and shows the texts that stay.
func chosen(t *testing.T, src string) string {
	t.Helper()
	d, page := shownPage(t, src)
	f, body := d.readBlocks(page), page.body
	blocks := f.blocks
	p := make([]float32, len(blocks))
	for i, b := range blocks {
		if strings.HasPrefix(b.text, "+") {
			p[i] = 1
		} else if strings.HasPrefix(b.text, "gap") || strings.HasPrefix(b.text, "h") {
			p[i] = 0.3
		}
	}
	d.judgePosts(blocks, p)
	judgeTables(blocks, p, 0.5)
	k := kept{}
	for i, keep := range f.choose(p, 0.5) {
		if keep {
			k.block(blocks[i])
		}
	}
	k.notes(body)
	k.images(body, blocks)
	k.prune(body)
	content := element(atom.Div)
	adopt(content, body)
	md, err := d.markdown(content)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(md)
}

func TestChoose(t *testing.T) {
	const long = "+ nine words of text that stand here twice today"
	for _, c := range []struct{ name, src, want string }{
		{"blocks", `<div><p>+a<p>b</div><div>c</div><p>+d`, "+a\n\n+d"},
		{"an item goes with its bullet", `<ul><li>+a<li>b<li>+c</ul>`, "- +a\n- +c"},
		{
			"a row goes as most of its words do", `<table><tr><th>+key words<th>v<tr><td>x<td>much longer dropped words<tr><td>+l and more<td>2</table>`,
			"| +key words | v |\n|---|---|\n| +l and more | 2 |",
		},
		{"a row keeps the head of its table", `<table><tr><th>k<th>v<tr><td>a long row of words<td>that are not kept<tr><td>+some<td>+words</table>`, "| k | v |\n|---|---|\n| +some | +words |"},
		{"an admonition", `<p>+a<div class="admonition warning"><p>gap, mind it</div><p>b<p>+c`, "+a\n\ngap, mind it\n\n+c"},
		{"a table goes as most of its words do", `<table><tr><th>k<th>v<tr><td>+some words<td>+and more of them<tr><td>x<td>y</table>`, "| k | v |\n|---|---|\n| +some words | +and more of them |\n| x | y |"},
		{"a text said twice", "<p>" + long + "<div>" + long + "</div>", `\` + long},
		{"a quotation may repeat", "<p>" + long + "<blockquote>" + long + "</blockquote>", `\` + long + "\n\n> " + long},
		{"code may repeat", "<pre>" + long + "</pre><pre>" + long + "</pre>", "```\n" + long + "\n```\n\n```\n" + long + "\n```"},
		{"a space of its own", `<p>+a<span> </span><b>b</b>`, "+a **b**"},
		{"a gap in likely content", `<p>+a<p>gap<p>+b<p>gap<p>gap<p>+c`, "+a\n\ngap\n\n+b\n\n+c"},
		{"a heading of kept text", `<h2>h</h2><p>+a b c<h2>h</h2><p>d e f<p>+g`, "## h\n\n+a b c\n\n+g"},
		{"an h1 that repeats the title", `<title>+The lamp - Site</title><h1>+The lamp</h1><p>+a<h1>+The lamp</h1>`, "+a\n\n# +The lamp"},
		{"an h1 that is the title", `<h1>+The lamp</h1><p>+a`, "# +The lamp\n\n+a"},
		{"an h1 that does not", `<title>+The lamp - Site</title><h1>+The red lamp</h1><p>+a`, "# +The red lamp\n\n+a"},
		{"an h1 and nothing else", `<title>+The lamp</title><h1>+The lamp</h1>`, "# +The lamp"},
		{"a note of a kept mark", `<p>+a<sup><a href=#n1>1</a></sup> <p>b<sup><a href=#n2>2</a></sup><ol><li id=n1>One.<li id=n2>Two.</ol>`, "+a[1](#n1)\n\n1. One."},
	} {
		if got := chosen(t, c.src); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

func TestChooseImages(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      bool
	}{
		{"between kept texts", `<article><p>+a</p><p><img src=i.png></p><p>+b</p></article>`, true},
		{"beside kept text", `<figure><img src=i.png><figcaption>+a</figcaption></figure><p>b`, true},
		{"beside dropped text", `<div><img src=i.png><p>card</p></div><div><section><div><p>+a`, false},
		{"a large one below the title", `<h1>t</h1><p>by a</p><header><div><div><img src=i.png width=800></div></div></header><p>share</p><div><div><div><p>+a`, true},
		{"a small one below the title", `<h1>t</h1><p>by a</p><header><div><div><img src=i.png width=80></div></div></header><p>share</p><div><div><div><p>+a`, false},
		{"a large one above the title", `<div><div><img src=i.png width=800></div></div><h1>t</h1><div><div><div><p>+a`, false},
		{"far from everything", `<img src=i.png><div><div><div><p>+a`, false},
	} {
		if got := strings.Contains(chosen(t, c.src), "i.png"); got != c.want {
			t.Errorf("%s: kept %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDoubtFrame(t *testing.T) {
	for _, c := range []struct {
		src  string
		want float32
	}{
		{"<nav><p>x</nav>", frameDoubt},
		{"<main><nav><p>x</nav></main>", frameDoubt},
		{"<footer><p>x</footer>", frameDoubt},
		{"<article><footer><p>x</footer></article>", 1},
		{"<main><footer><p>x</footer></main>", 1},
		{"<main><aside><p>x</aside></main>", frameDoubt},
		{"<article><aside><p>x</aside></article>", 1},
		{"<main><p>x</main>", 1},
	} {
		blocks := blocksOf(t, c.src+"<section><p>y</section>")
		p := []float32{1, 1}
		doubtFrame(blocks, p)
		if len(blocks) != 2 || p[0] != c.want || p[1] != 1 {
			t.Errorf("%s: %v of %d blocks, want %v", c.src, p, len(blocks), c.want)
		}
	}
	blocks := blocksOf(t, "<nav><p>one two three four five</nav><p>x")
	p := []float32{1, 1}
	if doubtFrame(blocks, p); p[0] != 1 {
		t.Errorf("a page that is all navigation is doubted: %v", p)
	}
}

func TestDropReplies(t *testing.T) {
	story := "<h1>Lamp</h1><article><p>" + strings.Repeat("The lamp glows on after the plug is pulled. ", 20) + "</p></article>"
	replies := ""
	for _, id := range []string{"1", "2", "3"} {
		replies += `<div class="post" id="p` + id + `"><a class="username" href="/u/x">user` + id + `</a> <time datetime="2024-03-0` + id +
			`T10:00Z">March</time><div class="content">A reply to what stands above, number ` + id + `.</div></div>`
	}
	asPost := strings.NewReplacer("<h1>Lamp</h1>", "", "<article>", `<div class="post" id="p0"><a class="username" href="/u/x">user0</a> <time datetime="2024-02-01T10:00Z">March</time><div class="content">`, "</article>", "</div></div>").Replace(story)
	ahead := "<div><p>" + strings.Repeat("This site tells of lamps at night. ", 24) + "</p></div>"
	declared := func(kind string) string {
		return `<title>Lamp</title><script type="application/ld+json">{"@type":"` + kind + `"}</script>`
	}
	for _, c := range []struct {
		name, src string
		want      float32 // probability of a reply
	}{
		{"news", declared("NewsArticle") + story + replies, 0},
		{"blog", declared("BlogPosting") + story + replies, 0},
		{"a story that is a post", declared("BlogPosting") + ahead + "<h1>Lamp</h1>" + asPost + replies, 1},
		{"a story that is a post with the title", declared("BlogPosting") + ahead + strings.Replace(asPost, "<p>", "<h1>Lamp</h1><p>", 1) + replies, 1},
		{"a story that is a post without a title", declared("BlogPosting") + "<div><p>" + strings.Repeat("This site tells of lamps at night. ", 22) + "</p></div>" + asPost + replies, 1},
		{"live blog", declared("LiveBlogPosting") + declared("NewsArticle") + story + replies, 1},
		{"forum", declared("DiscussionForumPosting") + story + replies, 1},
		{"undeclared", declared("WebPage") + story + replies, 1},
		{"no story", declared("NewsArticle") + "<h1>Lamp</h1>" + replies, 1},
	} {
		d, page := shownPage(t, c.src)
		f := d.readBlocks(page)
		p := slices.Repeat([]float32{1}, len(f.blocks))
		f.dropReplies(p)
		found := 0
		for i, b := range f.blocks {
			want := float32(1)
			if strings.HasPrefix(b.text, "A reply") {
				want = c.want
				found++
			} else if b.inner.post > 0 {
				continue // its head
			}
			if p[i] != want {
				t.Errorf("%s: %q has %v, want %v", c.name, b.text, p[i], want)
			}
		}
		if found != 3 {
			t.Errorf("%s: %d replies, want 3", c.name, found)
		}
	}
}

func TestPostHeadFollowsItsBody(t *testing.T) {
	page := `<title>Lamp</title><h1>Lamp</h1>`
	for i, body := range []string{"+ It glows on after I pull the plug, every night.", "Then it has a battery, look under the foot.", "+ That was it, the battery was under the foot."} {
		page += `<div class="post" id="p` + string(rune('1'+i)) + `"><a class="username" href="/u/x">user` + string(rune('1'+i)) +
			`</a> <time datetime="2024-03-0` + string(rune('1'+i)) + `T10:00Z">March</time><div class="content">` + body + `</div></div>`
	}
	got := chosen(t, page)
	for want, in := range map[string]bool{"user1": true, "user2": false, "user3": true, "glows": true, "Then it": false} {
		if strings.Contains(got, want) != in {
			t.Errorf("%q is there: %v, want %v, in\n%s", want, !in, in, got)
		}
	}
}

func TestWeightsOfOtherFeaturesAreRefused(t *testing.T) {
	if _, err := DecodeClassifier(weightsFile); err != nil {
		t.Errorf("embedded weights: %v", err)
	}
	words := nameWords
	defer func() { nameWords = words }()
	nameWords = slices.Concat(words[1:], []string{"another"})
	if _, err := DecodeClassifier(weightsFile); err == nil {
		t.Error("weights for other words were taken")
	}
}

func TestClassifierComesBackAsItWas(t *testing.T) {
	a, err := Embedded().Encode()
	if err != nil {
		t.Fatal(err)
	}
	c, err := DecodeClassifier(a)
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Error("encoded again it differs")
	}
}
