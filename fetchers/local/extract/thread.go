package extract

import (
	"slices"
	"sort"
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

// groups are the candidates of each name that are posts, in document order.
func (t *thread) groups() []candidate {
	byName := map[string][]candidate{}
	for _, c := range t.candidates {
		byName[c.name] = append(byName[c.name], c)
	}
	var roots []candidate
	several := false
	for _, g := range byName {
		complete := t.complete(g)
		if len(complete) == 0 || float64(len(complete)) < postShare*float64(len(g)) && len(complete) < 5 || t.areCards(complete) {
			continue
		}
		switch {
		case len(complete) >= minPosts:
			several = true
			roots = append(roots, g...)
		case g[0].strong:
			for _, f := range complete {
				roots = append(roots, f.candidate)
			}
		}
	}
	if !several && len(roots) < minPosts {
		return nil
	}
	slices.SortFunc(roots, func(a, b candidate) int { return a.at - b.at })
	return roots
}

// complete are the members of a group that hold an author, a date and a text
// outside of the members inside them.
func (t *thread) complete(group []candidate) []*found {
	var all []*found
	for i, c := range group {
		inner := places(group[i+1:], t.outermostIn(c, group[i+1:], func(int) bool { return true }))
		if f := t.look(c, inner); f != nil {
			all = append(all, f)
			t.whole[c.at] = true
		}
	}
	return all
}

// areCards reports whether the posts are entries of a listing: most have a
// heading of their own, or little text but links.
func (t *thread) areCards(posts []*found) bool {
	if len(posts) < minPosts {
		return false
	}
	seen := map[string]bool{}
	links, words := 0, 0
	for _, p := range posts {
		for _, h := range t.headingsBeside(p) {
			seen[strings.TrimSpace(strings.TrimPrefix(h, "Re:"))] = true
			break
		}
		n := t.nodes[p.at]
		if p.body >= 0 {
			n = t.nodes[p.body]
		}
		m := t.size[n]
		words += m.text
		links += m.links
	}
	return len(seen)*2 > len(posts) && len(seen) > 1 || words < 12*len(posts) || links*10 > words*7
}

// resolve drops candidates that are a second shell around the same post or a
// part of it, and those that hold several posts but are none.
func (t *thread) resolve(roots []candidate) []candidate {
	dropped := make([]bool, len(roots))
	for i, c := range roots {
		for !dropped[i] {
			inner := t.outermostIn(c, roots[i+1:], func(j int) bool { return !dropped[i+1+j] })
			var parts, whole []int
			several := false
			for _, j := range inner {
				switch j += i + 1; {
				case roots[j].name == c.name:
					// A reply stands after what is answered.
					several = several || len(whole) == 0 && t.whole[roots[j].at]
				case t.whole[roots[j].at]:
					whole = append(whole, j)
				default:
					parts = append(parts, j)
				}
			}
			switch {
			case t.look(c, places(roots[i+1:], inner)) != nil || len(inner) == 0:
			case len(parts) > 0:
				for _, j := range parts {
					dropped[j] = true
				}
				continue
			case len(whole) == 1 && !several:
				dropped[whole[0]] = true
				continue
			default:
				dropped[i] = true
			}
			break
		}
	}
	var kept []candidate
	for i, c := range roots {
		if !dropped[i] {
			kept = append(kept, c)
		}
	}
	return kept
}

// outermostIn are the indexes of those that come after c, lie in it and in none
// of the others.
func (t *thread) outermostIn(c candidate, after []candidate, ok func(int) bool) []int {
	var inner []int
	last := c.at
	for j := 0; j < len(after) && after[j].at < t.end[c.at]; j++ {
		if after[j].at >= last && ok(j) {
			inner = append(inner, j)
			last = t.end[after[j].at]
		}
	}
	return inner
}

func places(roots []candidate, indexes []int) []int {
	var at []int
	for _, j := range indexes {
		at = append(at, roots[j].at)
	}
	return at
}

// choose makes posts of the candidates that are complete.
func (t *thread) choose(roots []candidate) {
	t.isPost = map[int]*found{}
	for i, c := range roots {
		inner := places(roots[i+1:], t.outermostIn(c, roots[i+1:], func(int) bool { return true }))
		if f := t.look(c, inner); f != nil {
			t.posts = append(t.posts, f)
			t.isPost[c.at] = f
		}
	}
	for _, p := range t.posts {
		// A candidate inside that is no post may hold posts.
		p.inner = nil
		for i := sort.Search(len(t.posts), func(i int) bool { return t.posts[i].at > p.at }); i < len(t.posts) && t.posts[i].at < t.end[p.at]; i++ {
			if q := t.posts[i].at; len(p.inner) == 0 || q >= t.end[p.inner[len(p.inner)-1]] {
				p.inner = append(p.inner, q)
			}
		}
	}
}

// look reads the post at c, without what is inside the elements at inner. It is
// nil when author, date or text is missing.
func (t *thread) look(c candidate, inner []int) *found {
	f := &found{candidate: c, body: -1, inner: inner}
	authors, dates := t.own(t.authors, c.at, inner), t.own(t.dates, c.at, inner)
	if n := t.nodes[c.at]; isCustom(n) && attr(n, "author") != "" {
		authors = append(authors, mark{at: c.at, rank: 4, text: oneLine(attr(n, "author"))})
	}
	if len(authors) == 0 {
		return nil
	}
	bodies := t.own(t.bodies, c.at, inner)
	f.body = t.bodyAmong(bodies, authors, dates)
	outside := func(m mark) bool { return f.body < 0 || m.at < f.body || m.at >= t.end[f.body] }
	f.author = best(authors, t.end, outside)
	f.date = best(dates, nil, outside)
	if f.author.text == "" || f.date.text == "" && (f.author.rank < 3 || f.body < 0 || t.rankOf(bodies, f.body) < 2) {
		return nil
	}
	if f.body < 0 {
		rest := t.size[t.nodes[c.at]].text - t.textOfMark(f.author) - t.textOfMark(f.date)
		for _, at := range inner {
			rest -= t.size[t.nodes[at]].text
		}
		if rest < 10 || len(dates) > 3 {
			return nil
		}
	}
	if v := best(t.own(t.votes, c.at, inner), nil, outside); v.text != "" {
		f.votes = votesText(v.text)
	}
	f.accepted = t.isAccepted(c.at, inner)
	return f
}

func (t *thread) textOfMark(m mark) int {
	if m.text == "" {
		return 0
	}
	return min(t.size[t.nodes[m.at]].text, 60)
}

func (t *thread) rankOf(bodies []mark, at int) int {
	for _, b := range bodies {
		if b.at == at {
			return b.rank
		}
	}
	return 0
}

// own are the marks inside the element at, but not inside those at inner, which
// are in order and apart from each other.
func (t *thread) own(marks []mark, at int, inner []int) []mark {
	var all []mark
	for i := sort.Search(len(marks), func(i int) bool { return marks[i].at >= at }); i < len(marks) && marks[i].at < t.end[at]; {
		for len(inner) > 0 && t.end[inner[0]] <= marks[i].at {
			inner = inner[1:]
		}
		if len(inner) > 0 && marks[i].at >= inner[0] {
			past := t.end[inner[0]]
			i += sort.Search(len(marks)-i, func(j int) bool { return marks[i+j].at >= past })
			continue
		}
		all = append(all, marks[i])
		i++
	}
	return all
}

// bodyAmong is the place of the element that holds the text of a post: of those
// without an author or a date in them the best named, then the longest.
func (t *thread) bodyAmong(bodies, authors, dates []mark) int {
	chosen, rank, text := -1, 0, 0
	for _, b := range bodies {
		m := t.size[t.nodes[b.at]].text
		if m == 0 && !contains(t.nodes[b.at], is(atom.Img, atom.Picture)) {
			continue
		}
		if holds(authors, b.at, t.end[b.at], 3) || holds(dates, b.at, t.end[b.at], 2) {
			continue
		}
		if b.rank > rank || b.rank == rank && m > text {
			chosen, rank, text = b.at, b.rank, m
		}
	}
	return chosen
}

// holds reports whether a mark that tells a head stands between the places.
func holds(marks []mark, from, to, rank int) bool {
	for i := sort.Search(len(marks), func(i int) bool { return marks[i].at >= from }); i < len(marks) && marks[i].at < to; i++ {
		if marks[i].rank >= rank && !marks[i].quote {
			return true
		}
	}
	return false
}

// best is the mark of the highest rank, and the first of those. With end, one
// inside it of the same rank is better: it lacks the words around the name.
func best(marks []mark, end []int, ok func(mark) bool) mark {
	var b mark
	for _, m := range marks {
		if !ok(m) || m.quote {
			continue
		}
		if m.rank > b.rank || end != nil && m.rank == b.rank && m.at > b.at && m.at < end[b.at] {
			b = m
		}
	}
	return b
}

// isAccepted reports whether the post at is marked as the answer.
func (t *thread) isAccepted(at int, inner []int) bool {
	i, _ := slices.BinarySearch(t.accepted, at)
	for ; i < len(t.accepted) && t.accepted[i] < t.end[at]; i++ {
		a := t.accepted[i]
		if slices.ContainsFunc(inner, func(in int) bool { return a >= in && a < t.end[in] }) {
			continue
		}
		if a == at || acceptedTexts[strings.ToLower(strings.Trim(shortText(t.nodes[a], 60), " ✓✔:"))] || t.size[t.nodes[a]].text*2 > t.size[t.nodes[at]].text {
			return true
		}
	}
	return false
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
