package github

import (
	"strconv"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
)

// head is the list of facts below a document's title.
type head []string

// add writes "- name: value" where there is a value.
func (h *head) add(name, value string) {
	if value != "" {
		*h = append(*h, "- "+name+": "+markdown.Line(value))
	}
}

// mark is where something stands in a body, and what an excerpt of it is.
type mark struct {
	line    int
	excerpt string
}

// marks are found by the anchor of the page: "issuecomment-12".
type marks map[string]mark

// document is a conversation under way. Its index stands above everything that
// it points to, so that the parts are written first and their lines moved down
// by the height of what goes above.
type document struct {
	title string
	head  head
	body  markdown.Doc
	marks marks
}

func (c *conversation) document(h head) *document {
	return &document{title: c.name() + ": " + c.Title, head: h, marks: marks{}}
}

// mark notes the line that comes next.
func (d *document) mark(anchor, excerpt string) int {
	line := d.body.Line()
	d.marks[anchor] = mark{line: line, excerpt: excerpt}
	return line
}

// text is the whole document. index writes the index for lines that are moved
// down by some; nil: there is none. Its height may not depend on that.
func (d *document) text(index func(down int) string) (string, marks) {
	var top markdown.Doc
	fill := func(down int) {
		top = markdown.Doc{}
		top.Heading(1, d.title)
		top.Add(strings.Join(d.head, "\n"))
		if index != nil {
			top.Add(index(down))
		}
	}
	fill(0)
	down := top.Line() - 1
	fill(down)
	for anchor, m := range d.marks {
		m.line += down
		d.marks[anchor] = m
	}
	return top.String() + d.body.String(), d.marks
}

// addTo writes what every conversation's head has.
func (c *conversation) addTo(h *head) {
	by := author(c.Post.Author)
	if a := association(c.Post.Association); a != "" {
		by += " (" + a + ")"
	}
	h.add("author", by+", "+markdown.Time(c.Post.Created))
	if !c.Post.Edited.IsZero() {
		h.add("edited", markdown.Time(c.Post.Edited))
	}
	h.add("updated", markdown.Time(c.Updated))
	h.add("labels", codes(c.Labels))
	h.add("assignees", strings.Join(c.Assignees, ", "))
	h.add("milestone", c.Milestone)
	h.add("conversation", c.Locked)
	if c.Reactions > 0 {
		h.add("reactions", strconv.Itoa(c.Reactions))
	}
	h.add("page", c.URL)
	for _, text := range c.Unread {
		h.add("not told by GitHub", text)
	}
}

// ownLevels are the levels of headings that a conversation makes itself. Those
// of what people wrote are below.
const ownLevels = 4

// writeConversation stores a body of several people's words. In its outline the headings of what
// people wrote stand in quotes: they may read like those of comments.
func (j *job) writeConversation(name, text string) (fetchers.Body, error) {
	body, err := j.write(name, text)
	for i := range body.Outline {
		if h := &body.Outline[i]; h.Level > ownLevels {
			h.Text = "“" + strings.NewReplacer("“", `"`, "”", `"`).Replace(h.Text) + "”"
		}
	}
	return body, err
}

func codes(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = markdown.Code(name)
	}
	return strings.Join(quoted, ", ")
}

// association is an author's relation to the repository, "" where it says nothing.
func association(enum string) string {
	if enum == "NONE" {
		return ""
	}
	return words(enum)
}

// named is a name that somebody chose as a fact shows it, where a middle dot
// parts one fact from the next.
func named(name string) string { return strings.ReplaceAll(markdown.Line(name), "·", "-") }

// by is " by bob", "" when nobody is named.
func by(login string) string {
	if login == "" {
		return ""
	}
	return " by " + login
}

func number(n int) string { return strconv.Itoa(n) }

func (c *conversation) commonFacts() []string {
	var facts []string
	if len(c.Labels) > 0 {
		facts = append(facts, "labels: "+named(strings.Join(c.Labels, ", ")))
	}
	facts = append(facts, c.Comments.count("comment"))
	if c.Locked != "" {
		facts = append(facts, c.Locked)
	}
	for _, text := range c.Unread {
		facts = append(facts, "not told by GitHub: "+text)
	}
	return facts
}

// addPost writes the opening post.
func (c *conversation) addPost(d *document) int {
	line := d.mark(openingPost, c.opening())
	d.body.Heading(2, "Description")
	text := markdown.Body(c.Post.Body, ownLevels)
	if text == "" {
		text = "(no text)"
	}
	d.body.Add(text)
	return line
}

// addComments writes the comments on the whole, and where the rest is.
func (c *conversation) addComments(d *document) int {
	if len(c.Comments.List) == 0 && !c.Comments.More {
		return 0
	}
	line := d.body.Line()
	d.body.Heading(2, "Comments")
	if c.Comments.More {
		d.body.Add(c.Comments.count("comment") + " here; the rest: " + c.restOfComments())
	}
	for _, reply := range c.Comments.List {
		d.addComment(reply, 3)
	}
	return line
}

func (d *document) addComment(c comment, level int) {
	d.mark(c.ID, c.excerpt())
	c.add(&d.body, level)
}

// excerpt is the comment for a digest.
func (c comment) excerpt() string {
	return excerptOf(c.heading() + ":\n" + c.Body)
}
