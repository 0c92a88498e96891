package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// noscriptText is how much text makes a noscript element a copy of the page
// for readers without script, rather than a notice.
const noscriptText = 400

// openNoscript puts the content of a noscript element into the page where it
// is the better copy: a text the page itself lacks, or the real source of a
// lazy image.
func openNoscript(doc *html.Node) {
	var page string // the page's text, made when first needed
	for _, n := range findAll(doc, is(atom.Noscript)) {
		content := noscriptContent(n)
		if within(n, is(atom.Head)) {
			remove(n)
			continue
		}
		if img := find(content, is(atom.Img)); img != nil && textLen(textOf(content)) < noscriptText {
			openImage(n, img)
			continue
		}
		t := strings.Join(strings.Fields(textOf(content)), " ")
		if len(t) < noscriptText {
			remove(n)
			continue
		}
		if page == "" {
			page = runningText(doc)
		}
		// A sample from the middle: heads and tails are often shared.
		sample := strings.ToValidUTF8(t[len(t)/2:len(t)/2+80], "")
		if strings.Contains(page, sample) {
			remove(n)
			continue
		}
		content.Attr = nil
		replace(n, content)
	}
}

// noscriptContent parses what the parser kept as text.
func noscriptContent(n *html.Node) *html.Node {
	div := element(atom.Div)
	if n.FirstChild == nil {
		return div
	}
	if n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode {
		nodes, err := html.ParseFragment(strings.NewReader(n.FirstChild.Data), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
		if err != nil {
			return div
		}
		for _, c := range nodes {
			div.AppendChild(c)
		}
		for _, c := range findAll(div, is(atom.Script, atom.Style)) {
			remove(c)
		}
		return div
	}
	adopt(div, n)
	return div
}

// openImage gives a lazy image beside the noscript element the source of its
// twin inside, or shows the twin when there is no such image.
func openImage(n, twin *html.Node) {
	src := imageSource(twin)
	if src == "" {
		remove(n)
		return
	}
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.TextNode && strings.TrimSpace(s.Data) == "" {
			continue
		}
		img := s
		if s.Type == html.ElementNode && s.DataAtom != atom.Img {
			img = find(s, is(atom.Img))
		}
		if !isOne(img, atom.Img) {
			break
		}
		if imageSource(img) == "" {
			setAttr(img, "src", src)
		}
		if attr(img, "alt") == "" {
			setAttr(img, "alt", attr(twin, "alt"))
		}
		remove(n)
		return
	}
	remove(twin)
	replace(n, twin)
}

// runningText is the text under n on one line, its parts set apart, without
// scripts and styles.
func runningText(n *html.Node) string {
	var sb strings.Builder
	walk(n, func(n *html.Node) bool {
		if n.Type == html.TextNode {
			sb.WriteString(n.Data)
			sb.WriteByte(' ')
		}
		return !isOne(n, atom.Script, atom.Style, atom.Noscript, atom.Template)
	})
	return strings.Join(strings.Fields(sb.String()), " ")
}
