package github

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/target"
	"pifetch/internal/termtext"
)

// Most of each list that a conversation holds.
const (
	maxComments       = 200
	maxReviews        = 100
	maxReviewComments = 200
	maxFiles          = 300
	maxCommits        = 250 // what GitHub lists of a pull request
	maxChecks         = 300

	perPage       = 100 // most that one request is answered with
	threadPerPage = 50  // comments of a thread that come with it
)

// conversation is what an issue and a pull request have in common. The API
// that filled it does not show.
type conversation struct {
	Repo      string // "octo/hello", its present name
	Number    int
	URL       string // of the page
	Title     string
	Post      comment // the opening post
	Updated   time.Time
	Closed    time.Time // zero while open
	ClosedBy  string    // "" when nobody is named
	Labels    []string
	Assignees []string
	Milestone string
	Locked    string // "" when it is not; else the reason, or "locked"
	Reactions int    // to the opening post
	Comments  items[comment]

	// Linked writes what the URL points at when the lists above lack it; nil
	// when there is no such thing.
	Linked func(*document)

	// Unread names what the API refused to tell, in its own words.
	Unread []string
}

// items is a list as far as it was read.
type items[T any] struct {
	List []T
	// Total is how many there are. It is -1 where the API does not say.
	Total int
	// More is set when there are some that List lacks.
	More bool
}

// count is how many there are, "200 of 350 comments" where not all were read.
func (l items[T]) count(thing string) string {
	switch {
	case !l.More:
		return markdown.Count(len(l.List), thing)
	case len(l.List) == 0 && l.Total <= 0:
		return thing + "s not read"
	case len(l.List) == 0:
		return markdown.Count(l.Total, thing) + " not read"
	case l.Total < 0:
		return "the first " + markdown.Count(len(l.List), thing)
	}
	return termtext.Count(len(l.List)) + " of " + markdown.Count(l.Total, thing)
}

// reference is another issue or pull request.
type reference struct{ URL, Title, State string }

func (r reference) String() string {
	s := r.URL
	if r.Title != "" {
		s += " " + markdown.Line(r.Title)
	}
	if r.State != "" {
		s += " (" + r.State + ")"
	}
	return s
}

// name is how GitHub refers to it: "octo/hello#7".
func (c *conversation) name() string { return c.Repo + "#" + strconv.Itoa(c.Number) }

// apiURL is an address of the API below the repository, for what a document
// leaves out.
func (c *conversation) apiURL(path string) string {
	return "https://api.github.com/repos/" + c.Repo + "/" + path
}

// restOfComments says where the comments are that were left out.
func (c *conversation) restOfComments() string {
	return c.apiURL("issues/" + strconv.Itoa(c.Number) + "/comments?per_page=100&page=" + strconv.Itoa(len(c.Comments.List)/perPage+1))
}

// link is the address of the page where it is not what was asked for.
func (c *conversation) link(j *job) string {
	asked, _, _ := strings.Cut(j.url.Asked, "#")
	if asked == c.URL {
		return ""
	}
	return c.URL
}

// moved is the fact that the repository or the issue has another name now.
func (c *conversation) moved(j *job) []string {
	asked, _ := target.Parse(j.url.Asked) // the job may have followed already
	if strings.EqualFold(c.Repo, asked.Owner+"/"+asked.Repo) && c.Number == asked.Number {
		return nil
	}
	return []string{"moved, now " + c.name()}
}

// opening is the excerpt of a conversation: its first post, else its first comment.
func (c *conversation) opening() string {
	if text := excerptOf(c.Post.Body); text != "" {
		return text
	}
	for _, reply := range c.Comments.List {
		if text := excerptOf(reply.Body); text != "" && reply.Hidden == "" {
			return text
		}
	}
	return ""
}

var htmlComment = regexp.MustCompile(`(?s)<!--.*?-->`)

// excerptOf is the head of a text that somebody wrote, without the hints of
// its template.
func excerptOf(text string) string {
	text = strings.TrimSpace(htmlComment.ReplaceAllString(markdown.Newlines(text), ""))
	if len(text) <= fetchers.ExcerptBytes {
		return text
	}
	end := fetchers.ExcerptBytes
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.TrimSpace(text[:end])
}
