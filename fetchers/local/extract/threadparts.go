package extract

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
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
	authorWords  = set("author username nick nickname poster byline commenter hnuser fn creator screenname displayname bigusername postauthor")
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
	parts := nameWords(token)
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
		} else if userWords[w] {
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

// nameWords splits a name at hyphens, underscores, digits and capitals.
func nameWords(token string) []string {
	var words []string
	start, prev := 0, rune(0)
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(token[start:end]))
		}
	}
	for i, r := range token {
		switch {
		case !unicode.IsLetter(r):
			cut(i)
			start = i + len(string(r))
		case unicode.IsUpper(r) && unicode.IsLower(prev):
			cut(i)
			start = i
		}
		prev = r
	}
	cut(len(token))
	return words
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

const (
	monthNames = `(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`
	clock      = `(?:,? *(?:at |- |@ )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\b\.?)?(?: UTC| GMT|Z)?)?`
)

var (
	absoluteDate = regexp.MustCompile(`(?i)(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? +)?(?:` +
		`\d{4}-\d\d-\d\d(?:T\d\d:\d\d[0-9:.]*(?:Z|[+-]\d\d:?\d\d)?)?|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)\b|` +
		monthNames + ` \d{1,2}(?:st|nd|rd|th)?,? (?:at )?(?:\d{4}|'\d\d)\b|\d{1,2}(?:st|nd|rd|th)?[ -]` + monthNames + `,?[ -]\d{4}\b)` + clock)
	relativeDate = regexp.MustCompile(`(?i)(\d+|an?|one) ?(s|sec|second|m|min|minute|h|hr|hour|d|day|w|week|mo|month|y|yr|year)s?\.? ago|^(today|yesterday|just now)\b`)
	hasYear      = regexp.MustCompile(`\b(19|20)\d\d\b`)
	edited       = regexp.MustCompile(`(?i)\b(edited|modified|updated|last (seen|visit|active|activity|online|post|reply)|join(ed)?|registered|member since|registration)\b`)
	beforeDate   = regexp.MustCompile(`(?i)^[»•·|,\s]*(posted|asked|answered|commented|replied|submitted|created|written)?[:\s]*(on|at)?[:\s]+`)
)

const digits = "0123456789"

const dateLength = 60 // bytes of the longest text that is nothing but a date and some words

// dateOf is how surely n shows when a post was written, and the date.
func dateOf(n *html.Node, tr traits) (rank int, shown string) {
	machine := ""
	for _, key := range []string{"datetime", "data-time", "data-timestamp", "data-utime", "data-date-time", "ts", "title", "data-tippy-content", "data-original-title"} {
		if v := attr(n, key); len(v) >= 8 && len(v) < 80 && strings.ContainsAny(v, digits) {
			if machine = normalDate(v); machine != "" {
				break
			}
		}
	}
	rank = tr.date
	switch {
	case rank >= 4:
	case n.DataAtom == atom.Time || n.Data == "relative-time" || n.Data == "time-ago" || n.Data == "faceplate-timeago":
		rank = 3
	case machine != "" && isOne(n, atom.Span, atom.Abbr, atom.A, atom.Small) && rank == 0 && !hasAttr(n, "data-user-id"):
		rank = 2
	}
	if rank == 0 && !isLeaf(n) {
		return 0, ""
	}
	visible := cleanProse(shortText(n, 2*dateLength))
	if rank == 0 { // any short text that holds a date
		if !mayBeDate(visible) || isAboutOther(n, visible) {
			return 0, ""
		}
		if m := absoluteDate.FindString(visible); m != "" && len(visible)-len(m) < 40 {
			return 1, m
		}
		if relativeDate.MatchString(visible) && len(visible) < 40 {
			return 1, strings.TrimSpace(beforeDate.ReplaceAllString(visible, ""))
		}
		return 0, ""
	}
	if isAboutOther(n, visible) {
		return 0, ""
	}
	if m := absoluteDate.FindString(visible); m != "" {
		visible = strings.TrimSpace(m)
	} else {
		visible = strings.TrimSpace(beforeDate.ReplaceAllString(" "+visible, ""))
		if len(visible) > dateLength || !strings.ContainsAny(visible, digits) && !relativeDate.MatchString(visible) {
			visible = ""
		}
	}
	shown = shownDate(visible, machine)
	if shown == "" || rank == 2 && machine == "" && !absoluteDate.MatchString(shown) && !relativeDate.MatchString(shown) && len(shown) > 30 {
		return 0, ""
	}
	return rank, shown
}

// mayBeDate tells quickly that most short texts are no date.
func mayBeDate(s string) bool {
	return len(s) >= 5 && strings.ContainsAny(s, digits) && (hasYear.MatchString(s) || strings.Contains(s, " ago") || strings.ContainsAny(s, "/.-"))
}

// isAboutOther reports whether the date at n is that of a change, or of the
// author's joining.
func isAboutOther(n *html.Node, visible string) bool {
	return edited.MatchString(visible) || edited.MatchString(before(n))
}

// isLeaf reports whether n holds text and at most inline elements without any.
func isLeaf(n *html.Node) bool {
	own := false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		own = own || c.Type == html.TextNode && len(c.Data) < 400 && strings.ContainsAny(c.Data, digits)
	}
	return own
}

// before is the text that stands right before n in its parent, or in the
// element before it: the label of a value.
func before(n *html.Node) string {
	for range 2 {
		for s := n.PrevSibling; s != nil; s = s.PrevSibling {
			if s.Type == html.ElementNode {
				if label := shortText(s, 40); !strings.ContainsAny(label, digits) {
					return label
				}
				return ""
			}
			if s.Type == html.TextNode && strings.TrimSpace(s.Data) != "" {
				return s.Data[:min(len(s.Data), 80)]
			}
		}
		if n = n.Parent; n == nil || isBlock(n) {
			break
		}
	}
	return ""
}

// shownDate is the date as the head shows it: the visible text where it names
// the year, else the one for machines, which is never relative.
func shownDate(visible, machine string) string {
	if strings.Contains(visible, "T") {
		if d := normalDate(visible); d != "" {
			return d
		}
	}
	if hasYear.MatchString(visible) || machine == "" && visible != "" {
		return visible
	}
	return normalDate(machine)
}

// normalDate makes a date for machines readable: ISO 8601, seconds or
// milliseconds since 1970, or any short text that names a year. It is "" for
// anything else.
func normalDate(v string) string {
	v = strings.TrimSpace(v)
	if i, err := strconv.ParseInt(v, 10, 64); err == nil {
		switch {
		case i > 1e11 && i < 1e13:
			i /= 1000
		case i < 1e8 || i > 1e10:
			return ""
		}
		return time.Unix(i, 0).UTC().Format("2006-01-02 15:04 UTC")
	}
	first, rest, _ := strings.Cut(v, " ")
	for _, s := range []string{v, first} {
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04Z07:00"} {
			if d, err := time.Parse(layout, s); err == nil {
				if _, offset := d.Zone(); offset == 0 {
					return d.Format("2006-01-02 15:04 UTC")
				}
				return d.Format("2006-01-02 15:04 -07:00")
			}
		}
		for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
			if d, err := time.Parse(layout, s); err == nil {
				return d.Format("2006-01-02 15:04")
			}
		}
	}
	if _, err := time.Parse("2006-01-02", first); err == nil && rest == "" {
		return first
	}
	if plain := ordinal.ReplaceAllString(v, "$1"); len(v) <= dateLength {
		for _, layout := range spelledDates {
			if d, err := time.Parse(layout, plain); err == nil {
				return d.Format("2006-01-02 15:04")
			}
		}
	}
	if m := absoluteDate.FindString(v); m != "" && hasYear.MatchString(m) && len(v) <= dateLength {
		return cleanProse(v)
	}
	return ""
}

var (
	ordinal      = regexp.MustCompile(`(\d)(st|nd|rd|th)\b`)
	spelledDates = []string{
		"Monday, January 2, 2006 at 3:04:05 PM GMT-07:00", "Mon Jan 2 15:04:05 2006 MST", "January 2, 2006 at 3:04 PM",
		"Jan 2, 2006 at 3:04 PM", "Jan 2, 2006, 3:04 PM", "Monday, January 2, 2006 3:04 PM",
	}
)

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
