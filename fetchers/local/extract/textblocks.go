package extract

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A textBlock is a run of inline text under one block-level element, the unit
// that is kept or dropped.
type textBlock struct {
	nodes  []*html.Node // its text nodes and placeholders, in order
	region *region      // of its nearest block-level ancestor
	inner  *region      // of its first node's parent
	text   string       // white space folded
	words  int
	links  int    // words inside links
	href   string // of its first link
	images int    // since the block before
	punct  int    // marks of sentences
	raw    bool   // holds code or a formula, which are placeholders by now
}

// region is an element of the page with what the blocks below it add up to.
type region struct {
	node                       *html.Node
	parent                     *region
	depth                      int
	names                      wordSet                  // words in its own names
	around                     wordSet                  // words in its names and its ancestors'
	tags                       [len(ancestorTags)]int16 // depth of the nearest ancestor-or-self with the tag, 0 without
	main                       bool                     // it or an ancestor has the role of main
	post                       int                      // number of the post it lies in, from 1
	admonition                 bool                     // it or an ancestor is one
	inRoot, dropped, elsewhere bool                     // as opinion has it, for it or an ancestor
	shape                      int                      // number of its tag, first class and those of its ancestors
	same                       int                      // siblings of the same tag and first class

	blocks, words, links, punct, long, images int
}

// blockReader cuts a page into text blocks.
type blockReader struct {
	d       *document
	blocks  []*textBlock
	cur     *textBlock
	sb      strings.Builder
	images  int
	shapes  map[shapeKey]int
	opinion opinion
	posts   map[*html.Node]int // by their root, numbered from 1
}

type shapeKey struct {
	parent int
	name   string
}

func (d *document) textBlocks(body *html.Node) []*textBlock {
	r := &blockReader{d: d, shapes: map[shapeKey]int{}, opinion: opinionOf(body), posts: map[*html.Node]int{}}
	for i, p := range d.posts {
		r.posts[p.root] = i + 1
	}
	root := &region{node: body, depth: 1, inRoot: r.opinion.root == body}
	r.walk(body, root, root, "")
	r.flush()
	for _, b := range r.blocks {
		for p := b.region; p != nil; p = p.parent {
			p.blocks++
			p.words += b.words
			p.links += b.links
			p.punct += b.punct
			p.images += b.images
			if b.isLong() {
				p.long += b.words
			}
		}
	}
	return r.blocks
}

// longBlock is the number of words from which a block is taken for prose.
const longBlock = 25

func (b *textBlock) isLong() bool { return b.words >= longBlock && b.links*2 < b.words }

// inHeading reports whether a block is in a heading, directly or a little
// deeper.
func (b *textBlock) inHeading() bool {
	for k, g := 0, b.region; k < 3 && g != nil; k, g = k+1, g.parent {
		if isHeading(g.node) {
			return true
		}
	}
	return false
}

func (r *blockReader) walk(n *html.Node, block, inner *region, href string) {
	sames := countNames(n)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			r.text(c, block, inner, href, c.Data)
			continue
		case c.Type != html.ElementNode:
			continue
		case c.Data == inlineTag:
			r.text(c, block, inner, href, r.d.rawOf(c).text)
			r.cur.raw = true
			continue
		case c.Data == blockTag:
			r.flush()
			r.text(c, block, inner, href, r.d.rawOf(c).text)
			r.cur.raw = true
			r.flush()
			continue
		case c.DataAtom == atom.Pre:
			r.flush()
			r.pre(c, r.region(c, inner, sames), href)
			continue
		case c.DataAtom == atom.Img || c.DataAtom == atom.Picture:
			r.images++
		case c.DataAtom == atom.Br:
			r.sb.WriteByte(' ')
			continue
		case c.DataAtom == atom.Select || c.DataAtom == atom.Textarea:
			continue
		}
		own := r.region(c, inner, sames)
		link := href
		if c.DataAtom == atom.A {
			link = attr(c, "href")
			if link == "" {
				link = "#"
			}
		}
		if isInlineText(c) {
			r.walk(c, block, own, link)
			continue
		}
		r.flush()
		r.walk(c, own, own, link)
		r.flush()
	}
}

// pre reads code as one block, however its lines are marked up.
func (r *blockReader) pre(n *html.Node, own *region, href string) {
	walk(n, func(c *html.Node) bool {
		if c.Type == html.TextNode {
			r.text(c, own, own, href, c.Data)
		}
		return true
	})
	if r.cur != nil {
		r.cur.raw = true
	}
	r.flush()
}

func (r *blockReader) text(n *html.Node, block, inner *region, href, s string) {
	if strings.TrimSpace(s) == "" {
		r.sb.WriteByte(' ')
		return
	}
	if r.cur != nil && r.cur.region != block {
		r.flush()
	}
	if r.cur == nil {
		r.sb.Reset()
		r.cur = &textBlock{region: block, inner: inner, images: r.images}
		r.images = 0
	}
	r.cur.nodes = append(r.cur.nodes, n)
	r.sb.WriteString(s)
	if href != "" {
		r.cur.links += len(wordsOf(s))
		if r.cur.href == "" {
			r.cur.href = href
		}
	}
}

func (r *blockReader) flush() {
	b := r.cur
	if b == nil {
		return
	}
	r.cur = nil
	b.text = strings.Join(strings.Fields(r.sb.String()), " ")
	r.sb.Reset()
	b.words = len(wordsOf(b.text))
	b.punct = sentenceMarks(b.text)
	r.blocks = append(r.blocks, b)
}

func (r *blockReader) region(n *html.Node, parent *region, sames map[string]int) *region {
	g := &region{node: n, parent: parent, depth: parent.depth + 1, tags: parent.tags, main: parent.main || role(n) == "main", post: parent.post, admonition: parent.admonition || isAdmonition(n)}
	if i := r.posts[n]; i > 0 {
		g.post = i
	}
	g.inRoot = parent.inRoot || n == r.opinion.root
	g.dropped = parent.dropped || r.opinion.dropped[n]
	g.elsewhere = parent.elsewhere || r.opinion.elsewhere[n]
	g.names = namesOf(n)
	g.around = parent.around.union(g.names)
	if k := slices.Index(ancestorTags[:], n.DataAtom); k >= 0 {
		g.tags[k] = int16(min(g.depth, 30000))
	}
	name := nameOf(n)
	key := shapeKey{parent.shape, name}
	id, ok := r.shapes[key]
	if !ok {
		id = len(r.shapes) + 1
		r.shapes[key] = id
	}
	g.shape = id
	g.same = sames[name]
	return g
}

// nameOf is an element's tag and first class.
func nameOf(n *html.Node) string {
	for c := range strings.FieldsSeq(attr(n, "class")) {
		return n.Data + "." + c
	}
	return n.Data
}

func countNames(n *html.Node) map[string]int {
	var m map[string]int
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			if m == nil {
				m = map[string]int{}
			}
			m[nameOf(c)]++
		}
	}
	return m
}

func isInlineText(n *html.Node) bool {
	return isOne(n, atom.A, atom.Span, atom.B, atom.I, atom.Em, atom.Strong, atom.Code, atom.Sub, atom.Sup, atom.Small, atom.Abbr,
		atom.Mark, atom.U, atom.S, atom.Font, atom.Img, atom.Kbd, atom.Cite, atom.Q, atom.Time, atom.Label, atom.Var, atom.Samp,
		atom.Del, atom.Ins, atom.Wbr, atom.Br, atom.Bdi, atom.Bdo, atom.Dfn, atom.Big, atom.Tt, atom.Data, atom.Acronym, atom.Picture, atom.Strike, atom.Ruby, atom.Rt, atom.Rb, atom.Rp, atom.Nobr)
}

// wordsOf splits text into lower-case words; a sign of a script without spaces
// is a word of its own.
func wordsOf(s string) []string {
	var words []string
	start := -1
	for i, r := range s {
		word := isWord(r)
		single := word && r > 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		if start >= 0 && (!word || single) {
			words = append(words, strings.ToLower(s[start:i]))
			start = -1
		}
		if single {
			words = append(words, string(r))
		} else if word && start < 0 {
			start = i
		}
	}
	if start >= 0 {
		words = append(words, strings.ToLower(s[start:]))
	}
	return words
}

func sentenceMarks(s string) int {
	n := 0
	for _, r := range s {
		switch r {
		case '.', ',', ';', '?', '!', '。', '，', '、', '؟':
			n++
		}
	}
	return n
}

// within reports whether the region lies in an element of ancestorTags.
func (g *region) within(tag atom.Atom) bool {
	return g.tags[slices.Index(ancestorTags[:], tag)] != 0
}

// ancestorTags are the elements whose nearest ancestor a region knows.
var ancestorTags = [...]atom.Atom{
	atom.Nav, atom.Header, atom.Footer, atom.Aside, atom.Main, atom.Article, atom.Section, atom.Form, atom.Table, atom.Ul, atom.Ol, atom.Figure,
	atom.Blockquote, atom.Pre, atom.Button, atom.Details, atom.Dialog, atom.Dl, atom.Address, atom.A,
}
