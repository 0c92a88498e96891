package extract

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

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
	showsTime    = regexp.MustCompile(`(?:^|-)(?:time|ago|timeago)(?:-|$)`) // elements scripts define: relative-time, time-ago
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
	case n.DataAtom == atom.Time || isCustom(n) && showsTime.MatchString(n.Data):
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
