package extract

import (
	"net/url"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/net/html/atom"
)

// shownPage is a page up to the choice of its content.
func shownPage(t *testing.T, src string) (*document, *view) {
	t.Helper()
	doc, err := parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	d := &document{root: doc, base: &url.URL{Scheme: "https", Host: "site.test", Path: "/docs/page"}}
	return d, d.show(nil)
}

func blocksOf(t *testing.T, src string) []*textBlock {
	t.Helper()
	d, page := shownPage(t, src)
	return d.readBlocks(page).blocks
}

func blockTexts(blocks []*textBlock) []string {
	var s []string
	for _, b := range blocks {
		s = append(s, b.text)
	}
	return s
}

func TestTextBlocks(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"inline elements do not cut", `<p>One <b>two</b> <a href=x>three</a><br>four`, []string{"One two three four"}},
		{"block elements do", `<div>a<div>b</div>c</div>`, []string{"a", "b", "c"}},
		{"unknown elements do", `<x-card>a</x-card><x-card>b</x-card>`, []string{"a", "b"}},
		{"cells are blocks", `<table><tr><th>k<td>v</table>`, []string{"k", "v"}},
		{"code is one", "<pre><div>line 1</div>\n<div>line  2</div></pre>", []string{"line 1 line 2"}},
		{"white space is none", `<p> <span> </span></p><p>x`, []string{"x"}},
		{"form fields are none", `<label>Size <select><option>L</select></label><textarea>t</textarea>`, []string{"Size"}},
		{"hidden text is none", `<p hidden>a<p style="display:none">b<p>c`, []string{"c"}},
	} {
		if got := blockTexts(blocksOf(t, c.src)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTextBlockCounts(t *testing.T) {
	b := blocksOf(t, `<main><p>See <a href="/a">the long page</a>, then go. 東京</p><img src=i.png><img src=j.png><p>End`)
	if b[0].words != 8 {
		t.Errorf("%d words", b[0].words)
	}
	if b[0].links != 3 || b[0].href != "/a" || b[0].punct != 2 || b[1].images != 2 {
		t.Errorf("links %d to %q, %d marks, %d images before the next", b[0].links, b[0].href, b[0].punct, b[1].images)
	}
	main := b[0].region.parent
	if !main.within(atom.Main) || b[0].region.within(atom.Nav) || main.words != 9 || main.links != 3 || main.blocks != 2 || main.images != 2 {
		t.Errorf("main is %+v", main)
	}
	if b[0].region.same != 2 || b[0].region.shape != b[1].region.shape || main.shape == b[0].region.shape {
		t.Errorf("%d like paragraphs of shape %d and %d", b[0].region.same, b[0].region.shape, b[1].region.shape)
	}
}

func TestWordsOf(t *testing.T) {
	if got := wordsOf("See the Long page, 東京へ 2nd."); !slices.Equal(got, []string{"see", "the", "long", "page", "東", "京", "へ", "2nd"}) {
		t.Errorf("%q", got)
	}
}

func TestNameParts(t *testing.T) {
	if got := nameParts("postBody__Main-2 side_bar"); !slices.Equal(got, []string{"post", "body", "main", "side", "bar"}) {
		t.Errorf("%q", got)
	}
}

func TestVocabulariesFit(t *testing.T) {
	for name, words := range map[string][]string{"nameWords": nameWords, "labelWords": labelWords} {
		if len(words) > len(noWords) {
			t.Errorf("%s has %d words, a set holds %d", name, len(words), len(noWords))
		}
		if len(indexOf(words)) != len(words) {
			t.Errorf("%s has a word twice", name)
		}
	}
}

const jsonLD = `<script type="application/ld+json">{"@graph": [{"@type": ["Product", "Thing"], "name": "Kettle", "offers": {"price": 3},
	"description": "A kettle of enamelled steel that whistles when the water boils &amp; pours <b>without</b><style>b{}<\/style> a drop beside the cup."},
	{"@type": "Article", "articleBody": "This paragraph stands on the page too, word for word, and so it is not shown a second time."}]}</script>
	<script type="application/ld+json">{"@type": "FAQPage", broken</script>
	<p>This paragraph stands on the page too, word for word, and so it is not shown a second time.`

func TestTextsOnlyJSONLDHas(t *testing.T) {
	_, m := shownPage(t, jsonLD)
	if want := map[string]bool{"product": true, "thing": true, "article": true, "faqpage": true}; !reflect.DeepEqual(m.types, want) {
		t.Errorf("types %v, want %v", m.types, want)
	}
	want := []string{
		"This paragraph stands on the page too, word for word, and so it is not shown a second time.",
		"A kettle of enamelled steel that whistles when the water boils & pours without a drop beside the cup.",
	}
	if got := blockTexts(blocksOf(t, jsonLD)); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
