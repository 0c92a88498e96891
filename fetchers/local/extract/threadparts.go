package extract

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// property is a schema.org property that stands in a meta or link element.
type property struct{ name, value string }

var dateProperties = set("datePublished dateCreated uploadDate commentTime")

// keepProperties notes the dates and votes that stand in elements no reader
// sees, by the element they are in.
func (d *document) keepProperties() {
	for _, n := range findAll(d.root, is(atom.Meta)) {
		name, value := attr(n, "itemprop"), strings.TrimSpace(attr(n, "content"))
		if n.Parent == nil || value == "" || !dateProperties[name] && name != "upvoteCount" {
			continue
		}
		if d.properties == nil {
			d.properties = map[*html.Node][]property{}
		}
		d.properties[n.Parent] = append(d.properties[n.Parent], property{name, value})
	}
}

// traits are what the class, id and microdata of an element say of it.
type traits struct {
	root   string // the name it has as a post
	strong bool
	author int
	date   int
	body   int
	vote   int

	quote, avatar, profile, edited, signature, noise, attached, replies, accepted, hidden bool
}

// The words of names, after they are split at hyphens, underscores and capitals.
var (
	postWords    = set("comment post message reply answer question msg postcontainer postbit comtr thing response")
	strongWords  = set("comment answer question reply thing comtr")
	authorWords  = set("author username nick nickname poster byline commenter fn creator screenname displayname bigusername postauthor")
	userWords    = set("user member person")
	dateWords    = set("date time timestamp datetime posted postdate age relativetime timeago ago when published postedon moment")
	bodyWords    = set("body content contents text prose markdown copy")
	tightBodies  = set("bbwrapper cooked commtext s-prose js-post-body usertext-body md md-div markdown-body msg_text comment-copy postmessage postmsg postcontent post_body post-body comment-content comment-text commentcontent commenttext ipstype_richtext")
	profileWords = set("profile postprofile profilebox joindate joined userdetails userinfo userextras userstats authorstats postuser authorpane memberinfo signature")
	editWords    = set("edit edited edits lastedit lastedited modified modifiedby")
	signWords    = set("signature sig signatures")
	noiseWords   = set(`avatar userpic stats badge badges rank actions action buttons button controls toolbar menu share sharing reaction reactions likes like
		vote votes voting links report permalink flag flags editor tools extras userextras popup tooltip dropdown modal adsbygoogle ad advert advertisement
		signature sig postprofile profile userinfo userdetails usertitle karma reputation footer respond`)
	partWords    = set("cell inner attribution gadget column col layout votecell")
	attachWords  = set("attachment attachments attach attached poll thumbnails gallery")
	replyWords   = set("replies children child subcomments subthread nested indent responses thread")
	acceptWords  = set("accepted acceptedanswer bestanswer solution solved")
	tokenOfPosts = set("topic-body topic-post timeline-comment post-listing postbox post-container")
	notPosts     = set("hentry type-post type-page blog-post")
)

// signedBy are the names question pages give the element for author and date,
// which they call a signature.
var signedBy = set("user-info user-details")

// traitsOf reads the names of n; elements with the same names are read once.
func (t *thread) traitsOf(n *html.Node) traits {
	class, prop, test := attr(n, "class"), attr(n, "itemprop"), attr(n, "data-testid")
	kind := attr(n, "itemtype")
	key := class + "\x00" + prop + "\x00" + kind + "\x00" + test
	custom := isCustom(n)
	if custom {
		key += "\x00" + n.Data
	}
	tr, ok := t.traits[key]
	if !ok {
		for token := range strings.FieldsSeq(class) {
			tr.addToken(token)
		}
		if test != "" {
			tr.addToken(test)
		}
		if custom {
			tr.addToken(n.Data)
		}
		tr.addMicrodata(prop, kind)
		t.traits[key] = tr
	}
	if tr.signature && contains(n, func(c *html.Node) bool { return hasClass(c, signedBy) }) {
		tr.signature, tr.profile, tr.noise = false, false, false
	}
	if id := attr(n, "id"); id != "" {
		tr.addID(id)
	}
	return tr
}

func (tr *traits) addToken(token string) {
	if len(token) > 80 {
		return
	}
	low := strings.ToLower(token)
	if notPosts[low] {
		tr.root, tr.strong, tr.noise = "", false, false
	}
	parts := nameParts(token)
	if len(parts) > 0 && (parts[0] == "has" || parts[0] == "no" || parts[0] == "with") {
		return
	}
	var has [2]int // words that name a post, words that name a text
	headWord := false
	script := len(parts) > 1 && parts[0] == "js" // a handle for scripts
	for i, w := range parts {
		if postWords[w] {
			has[0]++
		}
		if bodyWords[w] || w == "message" && i > 0 && postWords[parts[i-1]] {
			has[1]++
		}
		headWord = headWord || authorWords[w] || userWords[w] || dateWords[w] || noiseWords[w] || w == "header" || w == "meta" || w == "title" || w == "list" || w == "form" || w == "count" || w == "type" || partWords[w]
		tr.quote = tr.quote || w == "quote" || w == "quoted" || w == "bbcodequote"
		tr.avatar = tr.avatar || w == "avatar" || w == "userpic" || w == "photo"
		tr.profile = tr.profile || (profileWords[w] || i > 0 && profileWords[parts[i-1]+w]) && !script
		tr.edited = tr.edited || editWords[w] && !script
		tr.signature = tr.signature || signWords[w]
		tr.noise = tr.noise || noiseWords[w] && !script
		tr.attached = tr.attached || attachWords[w]
		tr.replies = tr.replies || replyWords[w]
		tr.accepted = tr.accepted || acceptWords[w]
		tr.hidden = tr.hidden || low == "d-none" || low == "hidden"
		if authorWords[w] || w == "name" && i > 0 && userWords[parts[i-1]] {
			tr.author = max(tr.author, 3)
		} else if userWords[w] || strings.HasSuffix(w, "user") {
			tr.author = max(tr.author, 2)
		}
		if dateWords[w] {
			tr.date = max(tr.date, 2)
		}
	}
	switch {
	case len(parts) == 1 && has[0] == 1 || tokenOfPosts[low]:
		if tr.root == "" || strings.Contains(tr.root, " ") || strings.Contains(tr.root, "-") {
			tr.root = low
		}
		tr.strong = tr.strong || len(parts) == 1 && strongWords[parts[0]]
	case has[0] > 0 && has[1] == 0 && !headWord && tr.root == "":
		tr.root = stripDigits(low)
	}
	switch {
	case tightBodies[low]:
		tr.body = 3
	case has[1] > 0 && has[0] > 0 && !headWord:
		tr.body = max(tr.body, 2)
	case has[1] > 0 && !headWord:
		tr.body = max(tr.body, 1)
	}
	if strings.Contains(low, "votecount") || strings.Contains(low, "vote-count") || strings.Contains(low, "upvote") || low == "score" || low == "points" {
		tr.vote = max(tr.vote, 1)
	}
	if low == "unvoted" && tr.vote > 0 {
		tr.vote = 2
	}
}

func (tr *traits) addMicrodata(prop, kind string) {
	switch _, name, _ := strings.Cut(kind, "schema.org/"); name {
	case "Comment", "Answer", "Question", "DiscussionForumPosting", "UserComments":
		tr.root, tr.strong = strings.ToLower(name), true
	case "Article", "NewsArticle", "BlogPosting", "QAPage", "WebPage":
		tr.root = ""
	}
	for p := range strings.FieldsSeq(prop) {
		switch p {
		case "author", "creator":
			tr.author = 4
		case "text", "articleBody", "commentText":
			tr.body = 3
		case "upvoteCount":
			tr.vote = 2
		case "acceptedAnswer":
			tr.accepted = true
		default:
			if dateProperties[p] {
				tr.date = 4
			}
		}
	}
}

var (
	postID = regexp.MustCompile(`^(?i)(post|comment|msg|message|reply|answer|entry|p|c)[-_]?\d+$`)
	bodyID = regexp.MustCompile(`^(?i)(post_?message|post[-_]?text|msg|pid|comment[-_]?content)_\d+$`)
)

func (tr *traits) addID(id string) {
	if len(id) > 60 || !strings.ContainsAny(id, digits) {
		return
	}
	if bodyID.MatchString(id) {
		if tr.root == "" || strings.HasPrefix(strings.ToLower(id), "post_message") {
			tr.body, tr.root = 3, ""
		}
		return
	}
	if tr.root == "" && postID.MatchString(id) {
		tr.root = "#" + strings.ToLower(stripDigits(id))
	}
}

func stripDigits(s string) string {
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s), "-_")
}

// profileLink matches the addresses of the pages about users.
var profileLink = regexp.MustCompile(`(?i)(^|/)(u|users?|members?|profiles?|people|memberlist\.php|member\.php|user\.php|author)(/|\?|$)|[?;&]action=profile|[?&]mode=viewprofile`)

// authorRank says how surely n shows who wrote a post.
func authorRank(n *html.Node, tr traits) int {
	rank := tr.author
	if n.DataAtom == atom.A {
		if strings.EqualFold(attr(n, "rel"), "author") {
			rank = max(rank, 3)
		}
		if href := attr(n, "href"); rank < 2 && len(href) < 300 && hasAny(href, "user", "member", "profile", "people", "author", "/u/") && profileLink.MatchString(href) {
			rank = 2
		}
	}
	if rank == 0 && isOne(n, atom.Strong, atom.B, atom.A) && isOne(n.Parent, atom.Dt) {
		rank = 2 // the name over the list of what is told about the author
	}
	if tr.edited || tr.noise && rank < 4 && !tr.profile {
		return 0
	}
	return rank
}

var (
	notNames   = set("reply quote report profile share like edit delete by author member members guest? user users staff moderator admin administrator follow more view posts op website")
	bySomeone  = regexp.MustCompile(`(?i)^(posted by|written by|submitted by|asked by|answered by|by|from|author|user name|username)\s*:?\s+`)
	afterName  = regexp.MustCompile(`(?i)\s*(,| says:?| said:?| wrote:?| commented:?|:)$`)
	nameLength = 60
)

// authorName is the name n shows, "" when it is none.
func authorName(n *html.Node) string {
	name := shortText(n, 200)
	if name == "" {
		return ""
	}
	if p := find(n, func(c *html.Node) bool { return c != n && attr(c, "itemprop") == "name" }); p != nil {
		name = shortText(p, 200)
	} else if a := find(n, func(c *html.Node) bool { return c.DataAtom == atom.A && shortText(c, 200) != "" }); a != nil {
		name = shortText(a, 200)
	}
	name = cleanProse(name)
	name = afterName.ReplaceAllString(bySomeone.ReplaceAllString(strings.TrimSpace(name), ""), "")
	if name == "" || len(name) > nameLength || len(strings.Fields(name)) > 5 || notNames[strings.ToLower(name)] || !hasLetter(name) && len(name) < 3 {
		return ""
	}
	if absoluteDate.MatchString(name) || relativeDate.MatchString(name) {
		return ""
	}
	return name
}

func hasAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

var (
	number        = regexp.MustCompile(`^[+−-]?\d[\d,.]*[kKmM]?$`)
	points        = regexp.MustCompile(`(?i)^[+−-]?\d[\d,.]*[km]? (points?|votes?|upvotes?|likes?)$`)
	acceptedTexts = texts("accepted answer", "best answer", "accepted solution", "solution", "solved", "verified answer", "marked as solution", "marked as answer", "chosen solution", "accepted")
)

// texts is set for texts of several words.
func texts(all ...string) map[string]bool {
	m := map[string]bool{}
	for _, t := range all {
		m[t] = true
	}
	return m
}

// votesText is a count of votes in words, "" for none.
func votesText(v string) string {
	v = strings.TrimSpace(v)
	switch {
	case points.MatchString(v):
		return strings.ToLower(v)
	case v == "1":
		return "1 vote"
	case number.MatchString(v) && v != "0":
		return v + " votes"
	}
	return ""
}
