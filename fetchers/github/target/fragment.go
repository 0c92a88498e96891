package target

import (
	"regexp"
	"strconv"
)

var (
	lines = regexp.MustCompile(`^L([0-9]{1,9})(?:C[0-9]+)?(?:-L?([0-9]{1,9})(?:C[0-9]+)?)?$`)

	// anchors name one thing on a page: a number of GitHub's database, a file
	// with or without a position in its diff (diff-HASHR10-R12), a line of a
	// step of a log (step:5:20), a file of a gist with or without lines.
	anchors = []*regexp.Regexp{
		regexp.MustCompile(`^(issuecomment|pullrequestreview|discussioncomment|commitcomment|gistcomment|issue|event)-([0-9]{1,19})$`),
		regexp.MustCompile(`^(discussion_r|r)([0-9]{1,19})$`),
		regexp.MustCompile(`^(diff)-([0-9A-Za-z][0-9A-Za-z_-]*)$`),
		regexp.MustCompile(`^(step):([0-9]{1,9}(?::[0-9]{1,9})?)$`),
		regexp.MustCompile(`^(file)-([\pL\pN_.-]+?)(?:-(L[0-9]{1,9}(?:-L?[0-9]{1,9})?))?$`),
	}
)

// fragment reads what stands after the # of a URL; both results are zero when
// it names nothing.
func fragment(s string) (Anchor, Lines) {
	if l := lineRange(s); l != (Lines{}) {
		return Anchor{}, l
	}
	for _, form := range anchors {
		m := form.FindStringSubmatch(s)
		switch len(m) {
		case 3:
			return Anchor{Name: m[1], ID: m[2]}, Lines{}
		case 4:
			return Anchor{Name: m[1], ID: m[2]}, lineRange(m[3])
		}
	}
	return Anchor{}, Lines{}
}

// lineRange reads L10, L10-L20, L10-20 and L10C3-L20C9. A range may be written
// backwards.
func lineRange(s string) Lines {
	m := lines.FindStringSubmatch(s)
	if m == nil {
		return Lines{}
	}
	first, _ := strconv.Atoi(m[1])
	last := first
	if m[2] != "" {
		last, _ = strconv.Atoi(m[2])
	}
	if min(first, last) == 0 {
		return Lines{}
	}
	return Lines{First: min(first, last), Last: max(first, last)}
}
