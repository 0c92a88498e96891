package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// post is one contribution to a thread: a question, an answer, a reply, a
// comment. After arrangePosts its root is a div that holds the head, the body
// and the posts nested in it, in this order, and little else.
type post struct {
	root *html.Node
	head *html.Node // one paragraph: depth, author, date, mark of acceptance, votes
	body *html.Node // inside root, beside head
}

// Limits of what counts as a thread.
const (
	minPosts  = 2
	postShare = 0.6 // of a group of like elements are complete when they are posts
	maxArrows = 12  // deeper replies are shown at this depth
)

// arrangePosts finds the posts of a forum, question or comment page, and gives
// each a head line of its author and date before its text. What stands around
// the text of a post about its author and for its handling goes.
// title is the page's.
//
// Candidates are elements that are named or typed as a post. They are grouped
// by that name, and a group is one of posts when most of its members hold an
// author, a date and a text of their own. A page with fewer than two such posts
// stays as it is. The time is linear in the page for any one depth of nesting.
func (d *document) arrangePosts(body *html.Node, title string) {
	joinHeads(body)
	t := &thread{doc: d, traits: map[string]traits{}, pos: map[*html.Node]int{}, whole: map[int]bool{}, plain: map[*html.Node]bool{}}
	if !t.scan(body) {
		return
	}
	t.size = measure(body)
	roots := t.resolve(t.groups())
	t.choose(roots)
	if len(t.posts) < minPosts {
		return
	}
	t.setDepths()
	t.nameSubjects(title)
	for _, p := range t.posts {
		d.posts = append(d.posts, t.arrange(p))
	}
}

// joinHeads puts the head of a post and what follows it into an element of
// their own where the page has them side by side, every head with the id of its
// post.
func joinHeads(body *html.Node) {
	isHead := func(n *html.Node) bool {
		if n.Type != html.ElementNode || !isOne(n, atom.Div, atom.Dt, atom.Li, atom.Header) || !postID.MatchString(attr(n, "id")) {
			return false
		}
		return slices.ContainsFunc(nameParts(attr(n, "class")), func(w string) bool { return w == "header" || w == "head" || w == "author" || w == "meta" })
	}
	for _, n := range findAll(body, isHead) {
		root := element(atom.Div)
		setAttr(root, "class", "post")
		n.Parent.InsertBefore(root, n)
		for c := n; c != nil; {
			next := c.NextSibling
			c.Parent.RemoveChild(c)
			root.AppendChild(c)
			if c = next; c != nil && isHead(c) {
				break
			}
		}
	}
}

// thread is the search for the posts of one page.
type thread struct {
	doc    *document
	traits map[string]traits // of names seen, by the attribute they stand in
	size   map[*html.Node]metrics

	// Elements are known by their place in document order.
	nodes []*html.Node
	pos   map[*html.Node]int
	end   []int // the place after the last descendant

	candidates []candidate
	authors    []mark
	dates      []mark
	bodies     []mark
	votes      []mark
	accepted   []int

	whole  map[int]bool // candidates that are complete among their like
	posts  []*found
	isPost map[int]*found
	plain  map[*html.Node]bool // ancestors of posts that are no lists any more
}

// candidate is an element that may be the root of a post.
type candidate struct {
	at     int
	name   string // what its like elements are called as well
	strong bool   // named so that one of it is enough
}

// mark is an element that may show the author, the date or the text of a post.
type mark struct {
	at    int
	rank  int // the higher the surer
	text  string
	quote bool // names someone in a text, so does not tell the head
}

// found is a post before it is arranged.
type found struct {
	candidate
	author, date mark
	body         int // place of the body; -1 when the text stands loose in the root
	accepted     bool
	votes        string
	depth        int
	inner        []int    // places of the posts right inside
	headings     []string // beside the body, that tell more than the page's title
}

// scan finds the candidates, then the marks inside them. It reports false when
// there are too few for a thread.
func (t *thread) scan(body *html.Node) bool {
	var scopes []scope
	var visit func(n *html.Node, in scope)
	visit = func(n *html.Node, in scope) {
		at := len(t.nodes)
		t.nodes = append(t.nodes, n)
		t.pos[n] = at
		t.end = append(t.end, 0)
		tr := t.traitsOf(n)
		in = in.enter(n, tr)
		scopes = append(scopes, in)
		if !in.aside && !in.quote {
			t.noteCandidate(n, at, tr)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode {
				visit(c, in)
			}
		}
		t.end[at] = len(t.nodes)
	}
	visit(body, scope{})
	like := map[string]int{}
	for _, c := range t.candidates {
		like[c.name]++
	}
	t.candidates = slices.DeleteFunc(t.candidates, func(c candidate) bool { return like[c.name] < minPosts && !c.strong })
	if len(t.candidates) < minPosts {
		return false
	}
	noted := 0
	for _, c := range t.candidates {
		for at := max(noted, c.at); at < t.end[c.at]; at++ {
			if !scopes[at].aside {
				t.note(t.nodes[at], at, scopes[at])
			}
		}
		noted = max(noted, t.end[c.at])
	}
	return len(t.authors) > 0
}

// scope is what the ancestors of an element say about it.
type scope struct {
	aside   bool // outside of any thread
	quote   bool
	profile bool // about the author, not about the post
	edited  bool
}

func (s scope) enter(n *html.Node, tr traits) scope {
	s.aside = s.aside || isOne(n, atom.Nav) || role(n) == "navigation" || n.DataAtom == atom.Form && tr.noise
	s.quote = s.quote || tr.quote || n.DataAtom == atom.Blockquote && tr.body < 2
	s.profile = tr.profile || tr.signature || s.profile && tr.date == 0
	s.edited = s.edited || tr.edited
	return s
}

// noteCandidate adds n to the candidates when it is named as a post.
func (t *thread) noteCandidate(n *html.Node, at int, tr traits) {
	name := tr.root
	if name == "" && n.DataAtom == atom.Article && !hasAttr(n, "class") {
		name = "article"
	}
	if name != "" && (isOne(n, atom.Div, atom.Article, atom.Section, atom.Li, atom.Tr, atom.Table, atom.Tbody, atom.Dl, atom.Dd, atom.Aside) || isCustom(n)) {
		t.candidates = append(t.candidates, candidate{at, n.Data + " " + name, tr.strong})
	}
}

// isCustom reports whether n is an element a script defines.
func isCustom(n *html.Node) bool { return strings.Contains(n.Data, "-") }

// note adds n to the marks it qualifies for.
func (t *thread) note(n *html.Node, at int, in scope) {
	tr := t.traitsOf(n)
	for _, p := range t.doc.properties[n] {
		switch {
		case dateProperties[p.name]:
			t.dates = append(t.dates, mark{at: at, rank: 2, text: shownDate("", p.value)})
		case p.name == "upvoteCount":
			t.votes = append(t.votes, mark{at: at, rank: 2, text: p.value})
		}
	}
	if tr.accepted && !tr.hidden {
		t.accepted = append(t.accepted, at)
	}
	if r := authorRank(n, tr); r > 0 {
		if name := authorName(n); name != "" {
			if tr.avatar || len([]rune(name)) < 2 {
				r = 1
			}
			t.authors = append(t.authors, mark{at, r, name, in.quote || strings.HasPrefix(name, "@")})
		}
	}
	if !in.profile && !in.edited && !tr.signature {
		if r, text := dateOf(n, tr); r > 0 {
			t.dates = append(t.dates, mark{at, r, text, in.quote})
		}
	}
	if tr.body > 0 && !in.quote && !in.profile && !isHeading(n) {
		t.bodies = append(t.bodies, mark{at: at, rank: tr.body})
	}
	if tr.vote > 0 {
		if v := shortText(n, 40); v != "" {
			t.votes = append(t.votes, mark{at: at, rank: tr.vote, text: v})
		}
	}
}

// nameSubjects finds the headings of posts that are more than the subject of
// the thread over again.
func (t *thread) nameSubjects(title string) {
	count := map[string]int{}
	for _, p := range t.posts {
		p.headings = t.headingsBeside(p)
		for _, h := range p.headings {
			count[h]++
		}
	}
	for _, p := range t.posts {
		p.headings = slices.DeleteFunc(p.headings, func(h string) bool {
			return count[h] > 1 || strings.HasPrefix(h, "Re:") || strings.Contains(title, h)
		})
	}
}

// setDepths counts for each post what it answers: by the posts it lies in, else
// by the elements for replies it lies in, else by the level or the width of the
// indentation it names.
func (t *thread) setDepths() {
	nested := false
	var open []*found
	for _, p := range t.posts {
		for len(open) > 0 && p.at >= t.end[open[len(open)-1].at] {
			open = open[:len(open)-1]
		}
		p.depth = len(open)
		nested = nested || p.depth > 0
		open = append(open, p)
	}
	if nested {
		// The opening post of a flat thread may hold all others.
		if p := t.posts[0]; p.name != "div question" && p.name != t.posts[1].name && t.posts[len(t.posts)-1].at < t.end[p.at] {
			for _, q := range t.posts[1:] {
				q.depth--
			}
		}
		return
	}
	least := 0
	for i, p := range t.posts {
		p.depth = t.namedDepth(p)
		if i == 0 || p.depth < least {
			least = p.depth
		}
	}
	for _, p := range t.posts {
		p.depth -= least
	}
}
