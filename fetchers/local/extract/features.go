package extract

import (
	"math"
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"
)

// vector collects the features of one block, and their names when wanted.
type vector struct {
	values []float32
	names  *[]string
}

func (v *vector) add(name string, values ...float32) {
	v.values = append(v.values, values...)
	if v.names != nil {
		for range values {
			*v.names = append(*v.names, name)
		}
	}
}

var noWords [len(wordSet{}) * 64]float32

// addSet adds one feature for each word of a vocabulary.
func (v *vector) addSet(name string, s wordSet, vocabulary []string) {
	start := len(v.values)
	v.values = append(v.values, noWords[:len(vocabulary)]...)
	s.each(func(i int) { v.values[start+i] = 1 })
	if v.names != nil {
		for _, w := range vocabulary {
			*v.names = append(*v.names, name+" "+w)
		}
	}
}

func indicator(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func logOf(n int) float32 { return float32(math.Log1p(float64(n))) }

func share(part, whole int) float32 {
	if whole == 0 {
		return 0
	}
	return float32(part) / float32(whole)
}

func clamp(v, low, high int) float32 { return float32(max(low, min(high, v))) }

// What the page-wide features look for.
var (
	schemaTypes = strings.Fields(`product article newsarticle blogposting qapage discussionforumposting itemlist collectionpage techarticle faqpage
		breadcrumblist organization webpage localbusiness recipe event`)
	urlWords = strings.Fields(`forum thread doc product blog categor news topic question community wiki collection shop list archive tag service about review support`)
)

var blockTags = []atom.Atom{
	atom.P, atom.Li, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Td, atom.Th, atom.Pre, atom.Dt, atom.Dd, atom.Div, atom.Blockquote,
	atom.Figcaption, atom.Button, atom.Section, atom.Article, atom.Header, atom.Footer, atom.Body, atom.Summary, atom.Address, atom.Nav, atom.Form, atom.Caption,
}

// features computes the features of the first pass for the blocks of a page.
type features struct {
	blocks  []*textBlock
	page    []float32   // the same for every block
	basic   [][]float32 // of each block, shown to its neighbours too
	letters [][]float32 // of each block's text
	labels  []wordSet

	host, path string // of the page, the path lower case
	title      map[string]bool
	named      bool  // the page has a title beside its h1
	words      int   // of the page
	before     []int // words before each block
	heading    []int // the last heading before each block, -1 without

	posts   []int // words of each post, by its number
	inPosts int   // words in all posts
	ahead   int   // words of prose before the first post
	story   bool  // the page declares to be a news article or a blog post

	texts               map[string]int // blocks with a text
	shapes              map[int]int    // blocks with a shape
	h1                  int            // the first block in an h1, -1 without
	firstLong, lastLong int            // -1 without
}

func (d *document) features(blocks []*textBlock, m *metadata) *features {
	f := &features{
		blocks: blocks, host: d.base.Host, path: strings.ToLower(d.base.Path), title: map[string]bool{}, named: !m.h1,
		posts: make([]int, len(d.posts)+1), texts: map[string]int{}, shapes: map[int]int{}, h1: -1, firstLong: -1, lastLong: -1,
		story: (m.types["newsarticle"] || m.types["blogposting"]) && !m.types["discussionforumposting"] && !m.types["qapage"] && !m.types["liveblogposting"],
	}
	for _, w := range wordsOf(m.title + " " + m.ogTitle) {
		f.title[w] = true
	}
	links, long, paragraphs, heading := 0, 0, 0, -1
	for i, b := range blocks {
		tag := b.region.node.DataAtom
		f.before = append(f.before, f.words)
		f.words += b.words
		links += b.links
		if b.inner.post > 0 {
			f.posts[b.inner.post] += b.words
			f.inPosts += b.words
		} else if f.inPosts == 0 && b.isLong() {
			f.ahead += b.words
		}
		if b.isLong() {
			long++
			f.lastLong = i
			if f.firstLong < 0 {
				f.firstLong = i
			}
		}
		if tag == atom.P {
			paragraphs++
		}
		if tag == atom.H1 && f.h1 < 0 {
			f.h1 = i
		}
		f.texts[b.text]++
		f.shapes[b.region.shape]++
		f.heading = append(f.heading, heading)
		if b.inHeading() {
			heading = i
		}
		words := wordsOf(b.text) // not kept: a long page has too many
		f.labels = append(f.labels, labelsOf(words))
		f.letters = append(f.letters, f.describe(b.text, words))
		f.basic = append(f.basic, []float32{
			logOf(b.words), share(b.links, b.words), share(b.punct, b.words),
			indicator(tag == atom.P), indicator(tag == atom.Li), indicator(isHeading(b.region.node)), indicator(b.raw),
		})
	}
	f.page = []float32{logOf(f.words), share(links, f.words), logOf(len(blocks)), logOf(long), logOf(paragraphs), indicator(f.h1 >= 0)}
	for _, t := range []string{"article", "product", "website"} {
		f.page = append(f.page, indicator(strings.Contains(m.ogType, t)))
	}
	for _, t := range schemaTypes {
		f.page = append(f.page, indicator(m.types[t]))
	}
	f.page = append(f.page, logOf(strings.Count(strings.Trim(f.path, "/"), "/")), logOf(len(f.path)), indicator(d.base.RawQuery != ""))
	for _, w := range urlWords {
		f.page = append(f.page, indicator(strings.Contains(f.host+f.path, w)))
	}
	return f
}

// first adds the features of block i.
func (f *features) first(i int, v *vector) {
	b := f.blocks[i]
	v.add("basic", f.basic[i]...)
	v.add("letters", f.letters[i]...)
	v.add("repeat", logOf(f.texts[b.text]), logOf(f.shapes[b.region.shape]))
	v.add("position", share(i, len(f.blocks)), share(f.before[i], f.words), logOf(i), logOf(len(f.blocks)-i))
	v.add("landmarks", clamp(i-f.h1, -40, 200), clamp(i-f.firstLong, -40, 200), clamp(f.lastLong-i, -100, 100))
	v.add("images", float32(min(b.images, 5)))
	f.link(b, v)
	v.add("opinion", indicator(b.inner.inRoot), indicator(b.inner.dropped), indicator(b.inner.elsewhere), indicator(b.inner.inRoot && !b.inner.dropped))
	post := b.inner.post
	v.add("post", indicator(post > 0), float32(min(post, 50)), logOf(f.posts[post]), logOf(len(f.posts)-1), share(f.inPosts, f.words), logOf(f.ahead), share(f.ahead, f.ahead+f.inPosts))
	v.add("JSON-LD", indicator(hasAttr(b.region.node, ldAttr)), indicator(attr(b.region.node, ldAttr) == "description"))
	f.elements(b, v)
	v.addSet("label", f.labels[i], labelWords)
	if h := f.heading[i]; h >= 0 {
		v.add("heading", 1, clamp(i-h, 0, 60), logOf(f.blocks[h].words))
		v.addSet("heading", f.labels[h], labelWords)
	} else {
		v.add("heading", 0, 0, 0)
		v.addSet("heading", wordSet{}, labelWords)
	}
	f.containers(b, v)
	f.neighbours(i, v)
	v.add("page", f.page...)
}

// describe describes the text of a block.
func (f *features) describe(text string, words []string) []float32 {
	chars, upper, digits, capitals, stops, title := 0, 0, 0, 0, 0, 0
	var money, mark, bar bool
	last := ' '
	for _, r := range text {
		chars++
		switch {
		case unicode.IsUpper(r):
			upper++
			if last == ' ' {
				capitals++
			}
		case r >= '0' && r <= '9':
			digits++
		case r == '$' || r == '€' || r == '£' || r == '¥':
			money = true
		case r == '©' || r == '®':
			mark = true
		case r == '|':
			bar = true
		}
		last = r
	}
	for _, w := range words {
		if stopWords[w] {
			stops++
		}
		if f.title[w] {
			title++
		}
	}
	n := len(words)
	return []float32{
		logOf(chars), share(upper, chars), share(digits, chars), share(stops, n), share(title, n), share(title, len(f.title)), share(capitals, n), share(chars, n),
		indicator(strings.ContainsRune(".!?。！？…", last)), indicator(last == ':'), indicator(mark), indicator(money), indicator(bar), indicator(strings.ContainsAny(text, "·•»›>")),
	}
}

// link describes where the first link of a block leads.
func (f *features) link(b *textBlock, v *vector) {
	if b.href == "" {
		v.add("link", 0, 0, 0, 0, 0, 0)
		return
	}
	u, err := url.Parse(b.href)
	if err != nil {
		v.add("link", 1, 0, 0, 0, 0, 0)
		return
	}
	path := strings.ToLower(u.Path)
	common := 0
	for common < min(len(path), len(f.path)) && path[common] == f.path[common] {
		common++
	}
	v.add("link", 1, indicator(u.Host == "" || u.Host == f.host), indicator(b.href[0] == '#'), logOf(strings.Count(strings.Trim(path, "/"), "/")), logOf(common), logOf(len(path)))
}

// elements describes the elements around a block.
func (f *features) elements(b *textBlock, v *vector) {
	for _, t := range blockTags {
		v.add("tag "+t.String(), indicator(b.region.node.DataAtom == t))
	}
	for k, t := range ancestorTags {
		distance := float32(0)
		if at := b.inner.tags[k]; at != 0 {
			distance = float32(b.inner.depth-int(at)) + 1
		}
		v.add("below "+t.String(), distance)
	}
	v.add("depth", float32(b.inner.depth), indicator(b.inner.main))
	near := b.inner.names
	for k, g := 0, b.inner.parent; k < 2 && g != nil; k, g = k+1, g.parent {
		near = near.union(g.names)
	}
	v.addSet("near", near, nameWords)
	v.addSet("around", b.inner.around, nameWords)
}

const containerLevels = 7

// containers describes what the nearest containers of a block hold in all.
func (f *features) containers(b *textBlock, v *vector) {
	g := b.region
	for range containerLevels {
		if g == nil {
			v.add("container", -1, -1, -1, -1, -1, -1, -1)
			continue
		}
		v.add("container", logOf(g.words), share(g.links, g.words), share(g.punct, g.words), share(g.words, f.words), share(g.long, g.words), logOf(g.same), share(g.words, g.blocks))
		g = g.parent
	}
	most, at := 0, 0
	for k, g := 0, b.region; g != nil; k, g = k+1, g.parent {
		if g.same > most {
			most, at = g.same, k
		}
	}
	v.add("repetition", logOf(most), float32(at))
}

// neighbours describes the blocks before and after block i.
func (f *features) neighbours(i int, v *vector) {
	b := f.blocks[i]
	for _, o := range []int{-3, -2, -1, 1, 2, 3} {
		j := i + o
		if j < 0 || j >= len(f.blocks) {
			v.add("neighbour", -1, -1, -1, -1, -1, -1, -1, -1, -1)
			continue
		}
		v.add("neighbour", f.basic[j]...)
		v.add("neighbour", indicator(f.blocks[j].region.parent == b.region.parent), indicator(f.blocks[j].region.shape == b.region.shape))
	}
	for _, reach := range []int{4, 10, 25} {
		words, links, punct := 0, 0, 0
		for _, n := range f.blocks[max(0, i-reach):min(len(f.blocks), i+reach+1)] {
			words += n.words
			links += n.links
			punct += n.punct
		}
		v.add("window", logOf(words), share(links, words), share(punct, words))
	}
}
