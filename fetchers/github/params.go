package github

import "slices"

// cosmetic are parameters of GitHub's pages that change how a page looks or
// what it opens with, not what it is about. "w" hides what differs in white
// space alone: the document shows it.
var cosmetic = []string{"tab", "plain", "diff", "w", "short_path", "expand", "pr", "check_suite_focus", "browsing_history"}

// keepsTo reports whether the URL has no parameters but those named and those
// that say nothing about its content. A document cannot honour any other.
func (j *job) keepsTo(names ...string) bool {
	return onlyParams(j.Target, slices.Concat(cosmetic, names)...)
}
