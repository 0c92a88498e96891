package extract

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// resolveLinks makes links absolute. Links within the page keep their
// fragment, links that run script become text.
func resolveLinks(content *html.Node, base *url.URL) {
	links := findAll(content, is(atom.A))
	worded := map[string]bool{} // targets of links with words
	for _, a := range links {
		worded[attr(a, "href")] = worded[attr(a, "href")] || strings.TrimSpace(textOf(a)) != ""
	}
	for _, a := range links {
		written := attr(a, "href")
		href := strings.TrimSpace(attr(a, "href"))
		scheme, _, _ := strings.Cut(strings.ToLower(href), ":")
		switch {
		case href == "", href == "#", scheme == "javascript", scheme == "data", scheme == "vbscript", scheme == "blob":
			unwrap(a)
			continue
		case strings.HasPrefix(href, "#") && within(a, isHeading):
			unwrap(a)
			continue
		case !strings.HasPrefix(href, "#"):
			href = absolute(href, base)
		}
		a.Attr = []html.Attribute{{Key: "href", Val: href}}
		liftLink(a, !worded[written] && !strings.HasPrefix(href, "#"))
	}
}

// absolute resolves ref as a browser does; what does not parse stays as
// written.
func absolute(ref string, base *url.URL) string {
	ref = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return -1
		}
		return r
	}, strings.TrimSpace(ref))
	u, err := base.Parse(strings.ReplaceAll(ref, " ", "%20"))
	if err != nil {
		return ref
	}
	return u.String()
}

// liftLink takes a link around whole blocks (a card) and puts it around the
// heading or the first text inside. For a card without text, picture says that
// the link goes around the picture.
func liftLink(a *html.Node, picture bool) {
	if !contains(a, isBlock) {
		return
	}
	target := find(a, isHeading)
	if target == nil {
		target = find(a, func(n *html.Node) bool {
			return n != a && isBlock(n) && !contains(n, isBlock) && strings.TrimSpace(textOf(n)) != ""
		})
	}
	if target == nil && picture {
		if img := find(a, is(atom.Img)); img != nil {
			link := element(atom.A)
			link.Attr = a.Attr
			replace(img, link)
			link.AppendChild(img)
		}
	}
	if target != nil && target.Data != blockTag && !contains(target, is(atom.A)) && strings.TrimSpace(textOf(target)) != "" {
		link := element(atom.A)
		link.Attr = a.Attr
		adopt(link, target)
		target.AppendChild(link)
	}
	div := element(atom.Div)
	adopt(div, a)
	replace(a, div)
}

// spaceInline keeps apart inline elements that only their layout separates: a
// link from the link beside it, a time from what is around it. Links that share
// out one word become one.
func spaceInline(content *html.Node) {
	for _, n := range findAll(content, is(atom.A, atom.Time)) {
		for n.Parent != nil && n.NextSibling != nil && n.NextSibling.Type == html.ElementNode {
			next := n.NextSibling
			if splitsWord(n, next) {
				adopt(n, next)
				remove(next)
				continue
			}
			if isOne(n, atom.Time) || isOne(next, atom.A) {
				n.Parent.InsertBefore(text(" "), next)
			}
			break
		}
		if prev := n.PrevSibling; isOne(n, atom.Time) && prev != nil && prev.Type == html.ElementNode {
			n.Parent.InsertBefore(text(" "), n)
		}
	}
}

// splitsWord reports whether the links a and b to one place meet inside a word.
func splitsWord(a, b *html.Node) bool {
	if !isOne(a, atom.A) || !isOne(b, atom.A) || attr(a, "href") != attr(b, "href") {
		return false
	}
	for a != nil && a.Type != html.TextNode {
		a = a.LastChild
	}
	for b != nil && b.Type != html.TextNode {
		b = b.FirstChild
	}
	if a == nil || b == nil {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(a.Data)
	first, _ := utf8.DecodeRuneInString(b.Data)
	return isWord(last) && isWord(first)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
