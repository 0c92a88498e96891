package extract

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// recallBias lowers the threshold that would be best for F1: the result is
// searched, and a missed line costs more than one too many.
const recallBias = 0.9

// mainContent moves the part of the page a reader came for into an element of
// its own: the text blocks the classifier keeps, and what belongs to them. A
// page with text never comes out empty.
func (d *document) mainContent(c *Classifier, page *view) *html.Node {
	f, body := d.readBlocks(page), page.body
	if len(f.blocks) > 0 {
		p := c.probabilities(f)
		doubtFrame(f.blocks, p)
		f.dropReplies(p)
		threshold := recallBias * bestThreshold(f.blocks, p)
		if f.words < shortPage {
			f.followRules(p, threshold)
		}
		d.judgePosts(f.blocks, p)
		judgeTables(f.blocks, p, threshold)
		k := kept{}
		for i, keep := range f.choose(p, threshold) {
			if keep {
				k.block(f.blocks[i])
			}
		}
		k.notes(body)
		k.images(body, f.blocks)
		k.prune(body)
	}
	content := element(atom.Div)
	adopt(content, body)
	return content
}

// frameDoubt is how much less likely content is in what HTML has for the frame
// of a page than the classifier takes it to be: it has learned from pages that
// use these elements for their text, too.
const frameDoubt = 0.3

// doubtFrame lowers the probabilities of what stands in a nav, in a footer of
// the page, or in an aside that belongs to no article, unless that is nearly all
// of the page: an index may be all navigation.
func doubtFrame(blocks []*textBlock, p []float32) {
	framed := make([]bool, len(blocks))
	inFrame, words := 0, 0
	for i, b := range blocks {
		in := b.inner.within
		framed[i] = in(atom.Nav) || in(atom.Footer) && !in(atom.Article) && !in(atom.Main) || in(atom.Aside) && !in(atom.Article)
		words += b.words
		if framed[i] {
			inFrame += b.words
		}
	}
	if 5*inFrame > 4*words {
		return
	}
	for i := range p {
		if framed[i] {
			p[i] *= frameDoubt
		}
	}
}

// storyText is the number of words from which what stands before the first post
// is a story of its own.
const storyText = 150

// dropReplies drops the posts below a story: they are comments on it. The story
// stands between the title and the first post. Where a post has the title, or is
// the longer text, it may be the story itself, and all stay.
func (f *features) dropReplies(p []float32) {
	if !f.story || f.h1 >= 0 && f.blocks[f.h1].inner.post > 0 {
		return
	}
	story := 0
	for _, b := range f.blocks[f.h1+1:] {
		if b.inner.post > 0 {
			break
		}
		if b.isLong() {
			story += b.words
		}
	}
	if story < max(storyText, slices.Max(f.posts)) {
		return
	}
	for i, b := range f.blocks {
		if b.inner.post > 0 {
			p[i] = 0
		}
	}
}

// shortPage is the number of words below which a page says too little about
// itself for the classifier, which has learned from the pages of sites.
const shortPage = 150

// followRules keeps what the rules of thumb take for content, whatever the
// classifier says of it.
func (f *features) followRules(p []float32, threshold float32) {
	for i, b := range f.blocks {
		if b.inner.inRoot && !b.inner.dropped {
			p[i] = max(p[i], threshold)
		}
	}
}

// judgePosts lets the head of a post be judged as its body is.
func (d *document) judgePosts(blocks []*textBlock, p []float32) {
	if len(d.posts) == 0 {
		return
	}
	heads, bodies := map[*html.Node]*mean{}, map[*html.Node]*mean{}
	for _, post := range d.posts {
		m := &mean{}
		heads[post.head], bodies[post.body] = m, m
	}
	nearest := func(b *textBlock, of map[*html.Node]*mean) *mean {
		for g := b.region; g != nil; g = g.parent {
			if m := of[g.node]; m != nil {
				return m
			}
		}
		return nil
	}
	for i, b := range blocks {
		if m := nearest(b, bodies); m != nil && nearest(b, heads) == nil {
			m.add(p[i], weightOf(b))
		}
	}
	for i, b := range blocks {
		if m := nearest(b, heads); m != nil && m.weight > 0 {
			p[i] = m.value()
		}
	}
}

// judgeTables lets the cells of a row stand or fall together where the table is
// one of data, and keeps a table whole most of which is kept, and the first row
// of any.
func judgeTables(blocks []*textBlock, p []float32, threshold float32) {
	isData := map[*region]bool{}
	tables, rows := map[*region]*mean{}, map[*region]*mean{}
	first := map[*mean]*mean{} // row of a table
	some := map[*mean]bool{}   // tables with a row that is kept
	each := func(f func(i int, table, row *mean)) {
		for i, b := range blocks {
			row := b.region.ancestor(atom.Tr)
			table := row.ancestor(atom.Table)
			if table == nil {
				continue
			}
			data, known := isData[table]
			if !known {
				data = !readGrid(table.node).isLayout()
				isData[table] = data
			}
			if data {
				f(i, meanOf(tables, table), meanOf(rows, row))
			}
		}
	}
	each(func(i int, table, row *mean) {
		table.add(p[i], weightOf(blocks[i]))
		row.add(p[i], weightOf(blocks[i]))
		if first[table] == nil {
			first[table] = row
		}
	})
	each(func(_ int, table, row *mean) { some[table] = some[table] || row.value() >= threshold })
	each(func(i int, table, row *mean) {
		p[i] = row.value()
		if table.value() >= threshold || some[table] && row == first[table] {
			p[i] = max(p[i], threshold)
		}
	})
}

// readBlocks cuts the page into text blocks, those only JSON-LD has included,
// and describes them.
func (d *document) readBlocks(page *view) *features {
	page.supplement(page.body)
	return d.features(d.textBlocks(page.body), page.metadata)
}

// bestThreshold is the probability from which keeping blocks gives the highest
// expected F1 of words. It follows the page: low where the classifier is
// unsure of everything, and never above its most likely block
// (Z. C. Lipton et al., Thresholding Classifiers to Maximize F1 Score, 2014).
func bestThreshold(blocks []*textBlock, p []float32) float32 {
	order := make([]int, len(p))
	expected := 0.0
	for i := range order {
		order[i] = i
		expected += float64(p[i]) * float64(blocks[i].words)
	}
	sort.SliceStable(order, func(a, b int) bool { return p[order[a]] > p[order[b]] })
	hits, words, best := 0.0, 0.0, -1.0
	threshold := float32(0)
	for _, i := range order {
		w := float64(blocks[i].words)
		hits += float64(p[i]) * w
		words += w
		if f := 2 * hits / (words + expected); f > best {
			best, threshold = f, p[i]
		}
	}
	return threshold
}

// kept are the nodes that stay: text nodes, pictures, and their ancestors.
type kept map[*html.Node]bool

func (k kept) block(b *textBlock) {
	for _, n := range b.nodes {
		k.add(n)
	}
}

func (k kept) add(n *html.Node) {
	for ; n != nil && !k[n]; n = n.Parent {
		k[n] = true
	}
}

// choose keeps the blocks from the threshold on and the text of admonitions, and
// of a text that stands on the page more than once, for wide and for narrow
// screens, the first. An h1
// that repeats the title is dropped: the title is delivered beside the content.
func (f *features) choose(p []float32, threshold float32) []bool {
	blocks := f.blocks
	keep := make([]bool, len(blocks))
	said := map[string]bool{}
	for i, b := range blocks {
		enough := p[i] >= threshold || p[i] >= hopeless && b.inner.admonition
		keep[i] = enough && !b.repeats(said)
	}
	keepHeadings(blocks, p, keep)
	fillGaps(blocks, p, threshold, keep)
	if f.titled() {
		keep[f.h1] = false
		keep[f.h1] = !slices.Contains(keep, true)
	} else if f.h1 >= 0 && p[f.h1] >= hopeless {
		keep[f.h1] = true
	}
	return keep
}

// titled reports whether the page's first h1 says nothing its title does not.
func (f *features) titled() bool {
	return f.h1 >= 0 && f.named && !slices.ContainsFunc(wordsOf(f.blocks[f.h1].text), func(w string) bool { return !f.title[w] })
}

// What is least likely content is not kept for its surroundings, and only
// likely content keeps what is in its midst.
const (
	hopeless = 0.1
	likely   = 0.7
)

// keepHeadings keeps the heading of a section most of whose words are kept, and
// the title of an admonition whose text is.
func keepHeadings(blocks []*textBlock, p []float32, keep []bool) {
	kept, words := 0, 0
	for i := len(blocks) - 1; i >= 0; i-- {
		b := blocks[i]
		if isTitle(b.region.node) && i+1 < len(blocks) && keep[i+1] {
			keep[i] = true
		}
		if !b.inHeading() {
			words += b.words
			if keep[i] {
				kept += b.words
			}
			continue
		}
		if words > 0 && 2*kept >= words && p[i] >= hopeless && b.region.ancestor(atom.H1) == nil {
			keep[i] = true
		}
		kept, words = 0, 0
	}
}

// fillGaps keeps a single block, unless it is mostly links, between two that
// are likely content.
func fillGaps(blocks []*textBlock, p []float32, threshold float32, keep []bool) {
	for i := 1; i+1 < len(p); i++ {
		if b := blocks[i]; p[i] < threshold && 2*b.links <= b.words && p[i] >= hopeless && keep[i-1] && keep[i+1] && p[i-1] >= likely && p[i+1] >= likely {
			keep[i] = true
		}
	}
}

// notes keeps the footnotes that kept marks lead to.
func (k kept) notes(body *html.Node) {
	var notes map[string]*html.Node
	for _, a := range findAll(body, func(n *html.Node) bool { return k[n] && isOne(n, atom.A) && isMark(n) }) {
		if notes == nil {
			notes = findNotes(body)
		}
		id, _ := strings.CutPrefix(attr(a, "href"), "#")
		if note := notes[id]; note != nil && !inside(a, note) {
			walk(note, func(n *html.Node) bool {
				k.add(n)
				return true
			})
		}
	}
}

// repeatedText is the number of words from which a text that is there again
// says nothing new.
const repeatedText = 8

// repeats reports whether the text was said before, and notes it. Code, cells
// and quotations may repeat what they like.
func (b *textBlock) repeats(said map[string]bool) bool {
	if b.raw || b.words < repeatedText || b.inner.within(atom.Table) || b.inner.within(atom.Blockquote) {
		return false
	}
	again := said[b.text]
	said[b.text] = true
	return again
}

// ancestor is g or the nearest element of the tag around it.
func (g *region) ancestor(tag atom.Atom) *region {
	for ; g != nil; g = g.parent {
		if g.node.DataAtom == tag {
			return g
		}
	}
	return nil
}

// images keeps a picture when the texts before and after it are kept and one of
// them is close, or one of them is very close, and the large ones between the
// page's h1 and its first kept text.
func (k kept) images(body *html.Node, blocks []*textBlock) {
	texts := map[*html.Node]bool{}
	for _, b := range blocks {
		for _, n := range b.nodes {
			texts[n] = true
		}
	}
	var last *html.Node
	var waiting []*html.Node // pictures since the last text
	settle := func(next *html.Node) {
		for _, img := range waiting {
			before, after := last != nil && k[last], next != nil && k[next]
			if before && after && (near(img, last, 6) || near(img, next, 6)) || before && near(img, last, 3) || after && near(img, next, 3) {
				k.add(img)
			}
		}
		waiting = waiting[:0]
	}
	var lead []*html.Node // large pictures since the h1
	title, begun := false, false
	walk(body, func(n *html.Node) bool {
		switch {
		case texts[n]:
			settle(n)
			last = n
			if k[n] && !begun && !within(n, is(atom.H1)) {
				begun = true
				for _, img := range lead {
					k.add(img)
				}
			}
			return false
		case isOne(n, atom.Img, atom.Picture):
			waiting = append(waiting, n)
			if title && !begun && isLarge(n) {
				lead = append(lead, n)
			}
			return false
		case isOne(n, atom.H1):
			title, lead = true, nil
		}
		return true
	})
	settle(nil)
}

// isLarge reports whether a picture is an illustration by its declared width or
// its place in a figure.
func isLarge(n *html.Node) bool {
	if img := find(n, is(atom.Img)); img != nil {
		if w, err := strconv.Atoi(strings.TrimSuffix(attr(img, "width"), "px")); err == nil {
			return w >= 400
		}
	}
	return within(n, is(atom.Figure))
}

// near reports whether b lies under one of the first levels ancestors of a.
func near(a, b *html.Node, levels int) bool {
	for range levels {
		if a = a.Parent; a == nil || a.DataAtom == atom.Body {
			return false
		}
		for x := b; x != nil; x = x.Parent {
			if x == a {
				return true
			}
		}
	}
	return false
}

// prune removes what is not kept below n. Marks without text stay where they
// have a meaning: breaks, rules, cells, targets of links, checkboxes, spaces.
func (k kept) prune(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch {
		case c.Type == html.TextNode:
			if !k[c] && strings.TrimSpace(c.Data) != "" {
				remove(c)
			}
		case k[c]:
			if !isOne(c, atom.Pre, atom.Picture) {
				k.prune(c)
			}
		case isOne(c, atom.Br, atom.Hr, atom.Wbr, atom.Td, atom.Th, atom.Input):
			k.prune(c)
		case c.FirstChild == nil && (hasAttr(c, "id") || hasAttr(c, "name")) && !isOne(c, atom.Img):
		case isInlineText(c) && c.FirstChild != nil && isSpace(c):
		default:
			remove(c)
		}
		c = next
	}
}

// isSpace reports whether n holds white space and nothing else.
func isSpace(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" || c.Type == html.ElementNode && (!isInlineText(c) || isOne(c, atom.Img, atom.Picture) || !isSpace(c)) {
			return false
		}
	}
	return true
}
