package github

import (
	"errors"
	"slices"

	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
)

// errOther is the error of an issue's number that is a pull request's, and the
// other way round: they are counted together.
var errOther = errors.New("the number belongs to a document of another kind")

// errNothing is the error of a number that GraphQL knows nothing under.
// REST may know more: where it was moved to, or that it was deleted.
var errNothing = errors.New("404 Not Found")

// nothing is the error of a query without an answer.
func nothing(err error) error {
	if err == nil || api.CodeOf(err) == api.NotFound {
		return errNothing
	}
	return err
}

// refusal is a part of an answer that GitHub left out.
type refusal struct {
	path []string // names of fields, from the query's own on
	text string   // why
}

func (r refusal) String() string {
	if len(r.path) == 0 {
		return r.text
	}
	return r.path[len(r.path)-1] + ": " + r.text
}

// refusals names the parts of an answer that GitHub left out.
func refusals(err error) []refusal {
	if err == nil {
		return nil
	}
	refused, ok := errors.AsType[*api.QueryError](err)
	if !ok {
		return []refusal{{text: reason(err)}}
	}
	var list []refusal
	for _, e := range refused.Errors {
		r := refusal{text: markdown.Line(e.Message)}
		for _, step := range e.Path {
			if field, ok := step.(string); ok && field != "nodes" {
				r.path = append(r.path, field)
			}
		}
		list = append(list, r)
	}
	return list
}

// reason is why a part of a document is missing. A limit is none that the
// document is about.
func reason(err error) string {
	switch api.CodeOf(err) {
	case api.Limited, api.Secondary:
		return "GitHub did not answer, try again later"
	}
	return err.Error()
}

// unread notes what GitHub left out, each once. Comments among it are not
// taken for absent ones.
func (c *conversation) unread(list []refusal) {
	for _, r := range list {
		if r.in() == "comments" {
			c.Comments.unread()
		}
		if text := r.String(); !slices.Contains(c.Unread, text) {
			c.Unread = append(c.Unread, text)
		}
	}
}

// unread takes the lists that GitHub left out, or items of them, for lists
// that were not read, not for shorter ones.
func (p *pull) unread(list []refusal) {
	for _, r := range list {
		switch r.in() {
		case "reviews":
			p.Reviews.unread()
		case "reviewThreads":
			p.Threads.unread()
		case "commits":
			p.Commits.unread()
		case "files":
			p.Files.unread()
		case "statusCheckRollup":
			if p.Checks.lacks() {
				p.Checks.Missing = r.text
			}
		}
	}
	p.conversation.unread(slices.DeleteFunc(list, func(r refusal) bool { return r.text == p.Checks.Missing }))
}

// in is the field of the issue or the pull request that the refusal is about
// or lies in, "" when it is about more.
func (r refusal) in() string {
	if len(r.path) < 3 { // repository, pullRequest, the field
		return ""
	}
	return r.path[2]
}

// lacks reports whether the list, of which some was refused, is not whole.
func (l *items[T]) lacks() bool { return len(l.List) == 0 || l.Total > len(l.List) }

func (l *items[T]) unread() {
	l.More = l.More || l.lacks()
	if l.Total == 0 {
		l.Total = -1
	}
}

// tooHeavy reports whether GitHub gave up on a query for the work it is.
func tooHeavy(err error) bool {
	if api.CodeOf(err) != api.Unavailable {
		return false
	}
	e, ok := errors.AsType[*api.Error](err)
	return !ok || e.Status != 0 // 0: there was no answer at all
}
