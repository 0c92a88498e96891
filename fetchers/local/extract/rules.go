package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// enoughText is the number of characters from which a candidate needs no
// comparison with the rest of the page.
const enoughText = 250

// opinion is what rules of thumb take for the main content: the page's main,
// else the article that makes up most of it, else an element declared as the
// body of the text, else the page without its navigation, header, footer and
// asides. The classifier hears it among its features.
type opinion struct {
	root      *html.Node          // the part with the content
	dropped   map[*html.Node]bool // boilerplate in that part
	elsewhere map[*html.Node]bool // boilerplate of the page
}

func opinionOf(body *html.Node) opinion {
	s := selection{size: measure(body)}
	whole := s.prune(body)
	best := s.choose(body, whole)
	return opinion{best.root, nodeSet(best.drop), nodeSet(whole.drop)}
}

func nodeSet(nodes []*html.Node) map[*html.Node]bool {
	m := make(map[*html.Node]bool, len(nodes))
	for _, n := range nodes {
		m[n] = true
	}
	return m
}

type selection struct{ size map[*html.Node]metrics }

// pruned is a candidate and what of it is boilerplate.
type pruned struct {
	root *html.Node
	drop []*html.Node
	text int // characters that stay
}

func (s selection) choose(body *html.Node, whole pruned) pruned {
	landmark := s.largest(outermost(body, func(n *html.Node) bool { return n.DataAtom == atom.Main || role(n) == "main" }))
	if landmark != nil {
		p := s.prune(landmark)
		if p.text >= enoughText && p.text*12 >= whole.text || p.text*4 >= whole.text || s.isShortPage(landmark, whole) {
			if a := s.article(landmark, p.text); a != nil {
				return s.prune(a)
			}
			return s.narrow(p)
		}
	}
	if a := s.article(body, whole.text); a != nil {
		return s.prune(a)
	}
	if t := s.largest(outermost(body, isTextBody)); t != nil {
		if p := s.prune(t); p.text*2 >= whole.text {
			return s.narrow(p)
		}
	}
	return s.narrow(whole)
}

const (
	paragraphText = 80   // characters that make a block of text a paragraph
	proseShare    = 0.4  // of a page's text is in paragraphs when it is prose
	narrowShare   = 0.85 // of the paragraphs stay when a page is narrowed down
)

// narrow is the smallest part of p that holds nearly all of its paragraphs,
// when p is mostly prose. A listing or a short page stays as it is, and so
// does a text that is shorter than the comments on it.
func (s selection) narrow(p pruned) pruned {
	dropped := map[*html.Node]bool{}
	for _, n := range p.drop {
		dropped[n] = true
	}
	prose := map[*html.Node]int{}
	var count func(n *html.Node) (text int, blocks bool)
	count = func(n *html.Node) (int, bool) {
		sum, blocks := 0, false
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode || dropped[c] {
				continue
			}
			t, b := count(c)
			sum += t
			blocks = blocks || b || isBlock(c)
		}
		if m := s.size[n]; !blocks && isBlock(n) && m.text >= paragraphText && m.density() < 0.35 {
			sum = m.text
		}
		prose[n] = sum
		return sum, blocks
	}
	total, _ := count(p.root)
	if total < 2*enoughText || float64(total) < proseShare*float64(p.text) {
		return p
	}
	root := p.root
descend:
	for {
		for c := root.FirstChild; c != nil; c = c.NextSibling {
			if isOne(c, atom.Div, atom.Section, atom.Article, atom.Main, atom.Center, atom.Form, atom.Table, atom.Tbody, atom.Tr, atom.Td) &&
				!dropped[c] && float64(prose[c]) >= narrowShare*float64(total) && !isReplies(c) {
				root = c
				continue descend
			}
		}
		break
	}
	for isOne(root, atom.Tbody, atom.Tr) {
		root = root.Parent
	}
	if root == p.root {
		return p
	}
	return s.prune(root)
}

func isReplies(n *html.Node) bool {
	names := strings.ToLower(attr(n, "id") + " " + attr(n, "class"))
	return strings.Contains(names, "comment") || strings.Contains(names, "replies") || strings.Contains(names, "respond")
}

// isShortPage reports whether root says little because the page does: it has
// the title and something to it, and what is around it is a frame.
func (s selection) isShortPage(root *html.Node, whole pruned) bool {
	h1 := find(root, is(atom.H1))
	return h1 != nil && s.size[root].text-s.size[h1].text >= 15 && whole.text < 3000
}

func (s selection) largest(nodes []*html.Node) *html.Node {
	var best *html.Node
	for _, n := range nodes {
		if best == nil || s.size[n].text > s.size[best].text {
			best = n
		}
	}
	return best
}

// article is the article that makes up most of root, nil when the text is
// spread over several or outside of them. It is the first: a longer one after
// it is a comment on it.
func (s selection) article(root *html.Node, text int) *html.Node {
	a := find(root, is(atom.Article))
	if a == nil || s.size[a].text*10 < text*6 {
		return nil
	}
	return a
}

// textBodies are the names content systems give the element around the text.
var textBodies = set(`article-body article-content article__body article__content post-content post-body entry-content story-body
	markdown-body mw-parser-output main-content page-content maincontent bodycontent mw-content-text content-body content main`)

// isTextBody reports whether n is declared to hold the text of the page.
func isTextBody(n *html.Node) bool {
	return isOne(n, atom.Div, atom.Section, atom.Td) && (attr(n, "itemprop") == "articleBody" || named(n, textBodies))
}

func hasTitle(n *html.Node) bool { return find(n, is(atom.H1)) != nil }

// prune finds the boilerplate inside root.
func (s selection) prune(root *html.Node) pruned {
	p := pruned{root: root, text: s.size[root].text}
	article := isOne(root, atom.Article) // everything below is inside an article
	var visit func(n *html.Node, article bool)
	visit = func(n *html.Node, article bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode {
				continue
			}
			if s.isBoilerplate(c, article, s.size[root].text) {
				p.drop = append(p.drop, c)
				p.text -= s.size[c].text
				continue
			}
			visit(c, article || isOne(c, atom.Article, atom.Main, atom.Blockquote))
		}
	}
	visit(root, article || isOne(root, atom.Main) || role(root) == "main")
	return p
}

// The names of boilerplate, as classes or ids. Measure before adding one: a name
// that is content on some pages costs more than it saves.
var (
	// noise goes when it is short or mostly links, in the text or out of it.
	noise = set(`skip-link skip-links skiplink skip-to-content breadcrumb breadcrumbs breadcrumb-nav ad ads advert advertisement
		ad-container ad-wrapper ad-slot adsbygoogle share sharing share-buttons share-links share-bar share-tools social
		social-share social-links social-icons sharedaddy addtoany_share_save_container newsletter newsletter-signup newsletter-form
		subscribe-form signup-form mw-jump-link noprint navbox mw-editsection edit-link pagination pager page-nav post-navigation
		prev-next author-social toolbar back-to-top scroll-to-top`)
	// frames are what nav, header and footer are called where the elements are
	// not used; they stay inside an article.
	frames = set(`footer site-footer page-footer global-footer main-footer footer-wrapper footer-container colophon header site-header
		page-header global-header main-header masthead topbar top-bar navbar site-navigation main-navigation`)
	// linkFarm goes only when it is mostly links: a section may well be called
	// related or navigation.
	linkFarm = set(`related related-posts related-articles related-content related-links related-stories relatedposts jp-relatedposts
		recommended recommendations more-stories read-more read-next most-read most-popular popular-posts trending
		sidebar side-bar widget widget-area toc table-of-contents tableofcontents on-this-page tags tag-cloud tagcloud
		upsell outbrain taboola trc_related_container sitemap menu navbar nav site-nav navigation subnav submenu`)
)

// isBoilerplate judges one element below the candidate. inText says that it
// lies inside an article or main; total is the candidate's text.
func (s selection) isBoilerplate(n *html.Node, inText bool, total int) bool {
	m := s.size[n]
	most := m.text*2 > total
	switch r := role(n); {
	case n.DataAtom == atom.Nav || r == "navigation" || r == "search" || r == "menubar":
		return !most || m.density() > 0.6
	case n.DataAtom == atom.Footer || r == "contentinfo":
		if inText {
			return !isOne(n.Parent, atom.Blockquote) && m.density() > 0.3 && !most
		}
		return !most
	case n.DataAtom == atom.Header || r == "banner":
		return !inText && !most && !hasTitle(n)
	case n.DataAtom == atom.Aside || r == "complementary":
		return !most && (!inText || m.density() > 0.5 || named(n, linkFarm) || named(n, noise))
	}
	if !inText && !most && named(n, frames) && !hasTitle(n) || s.isNavigationCell(n) {
		return true
	}
	if isHeading(n) || isOne(n, atom.Body, atom.Main, atom.Article) || m.text*3 > total || hasTitleNear(n) {
		return false
	}
	if named(n, noise) {
		return m.text < 600 || m.density() > 0.5
	}
	return named(n, linkFarm) && (m.density() > 0.5 || m.text < 20)
}

// isNavigationCell reports whether n is the cell of a layout table that holds
// the links beside a text.
func (s selection) isNavigationCell(n *html.Node) bool {
	return isOne(n, atom.Td) && s.size[n].density() > 0.8 && s.size[n.Parent].text > 200+5*s.size[n].text && contains(n.Parent, is(atom.P, atom.H1, atom.H2))
}

// hasTitleNear is hasTitle for elements small enough to search again and again.
func hasTitleNear(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if isOne(c, atom.H1) {
			return true
		}
	}
	return false
}
