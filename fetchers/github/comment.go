package github

import (
	"fmt"
	"strings"
	"time"

	"pifetch/fetchers/github/markdown"
)

// ghost is who GitHub names in place of a deleted account.
const ghost = "ghost"

// comment is something a person wrote: a comment, a review, an answer.
type comment struct {
	ID          string // as in the anchor: "issuecomment-3000000001"
	Author      string // "" when the account was deleted
	Association string // "MEMBER", "FIRST_TIME_CONTRIBUTOR", …; "NONE" says nothing
	Label       string // what is special about it: "approved", "answer"
	Created     time.Time
	Edited      time.Time // zero when it never was
	Hidden      string    // why it was minimized: "OUTDATED", "SPAM"; "" when it was not
	URL         string
	Body        string
}

// add writes a comment under a heading of the given level and returns the
// line of the heading.
func (c comment) add(d *markdown.Doc, level int) (line int) {
	line = d.Line()
	d.Heading(level, c.heading())
	d.Add(c.URL)
	body := markdown.Body(c.Body, ownLevels)
	if body == "" {
		body = "(no text)"
	}
	d.Add(body)
	return line
}

func (c comment) heading() string {
	parts := []string{author(c.Author)}
	if a := words(c.Association); a != "" && a != "none" {
		parts[0] += " (" + a + ")"
	}
	if c.Label != "" {
		parts = append(parts, c.Label)
	}
	if !c.Created.IsZero() {
		parts = append(parts, markdown.Time(c.Created))
	}
	if !c.Edited.IsZero() {
		parts = append(parts, "edited "+markdown.Time(c.Edited))
	}
	if c.Hidden != "" {
		parts = append(parts, fmt.Sprintf("hidden as %s", words(c.Hidden)))
	}
	return strings.Join(parts, " · ")
}

// author is a login as documents show it.
func author(login string) string {
	if login == "" {
		return ghost
	}
	return login
}

// words is an enumeration value of the API as text: FIRST_TIMER is "first timer".
func words(enum string) string { return strings.ToLower(strings.ReplaceAll(enum, "_", " ")) }
