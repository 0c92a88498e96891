package github

import (
	"fmt"
	"strings"

	"pifetch/fetchers/github/markdown"
)

// addThreads writes the conversations about lines, the unresolved first, and
// returns their lines of the index.
func (p *pull) addThreads(d *document) []entry {
	threads := p.Threads
	if len(threads.List) == 0 && !threads.More {
		return nil
	}
	d.body.Heading(2, "Review threads")
	if p.Partial {
		d.body.Add("GitHub tells only with a token which threads are resolved.")
	}
	if threads.More {
		d.body.Add(threads.count("thread") + " here, with " + markdown.Count(maxReviewComments, "comment") + " at most; all comments: " + p.allReviewComments())
	}
	var index []entry
	for i, t := range threads.List {
		line := d.addThread(t, t.state(p.Partial))
		switch {
		case p.Partial || !t.Resolved:
			index = append(index, entry{line, p.describe(t)})
		case i == 0 || !threads.List[i-1].Resolved:
			index = append(index, entry{line, markdown.Count(len(threads.List)-i, "resolved thread")})
		}
		if t.Missing != 0 && !p.Partial {
			d.body.Add(markdown.Count(t.Missing, "more comment") + ": " + p.allReviewComments())
		}
	}
	return index
}

func (p *pull) allReviewComments() string {
	return p.apiURL("pulls/" + number(p.Number) + "/comments?per_page=100&page=1")
}

// describe is a thread in the index.
func (p *pull) describe(t thread) string {
	text := t.place() + ", " + markdown.Count(len(t.Comments), "comment") + ", opened by " + author(t.openedBy())
	if state := t.state(p.Partial); state != "" {
		text = strings.ReplaceAll(state, " · ", ", ") + ": " + text
	}
	if next := t.waitsFor(p.Post.Author); next != "" && !p.Partial {
		text += ", waits for " + next
	}
	return text
}

// addThread writes a thread: what it is about, the lines, who said what.
func (d *document) addThread(t thread, state string) (line int) {
	line = d.body.Line()
	heading := t.place()
	if state != "" {
		heading += " · " + state
	}
	d.body.Heading(3, heading)
	if hunk := t.excerpt(); hunk != "" {
		d.body.Add(markdown.Fence("diff", hunk))
	}
	for _, c := range t.Comments {
		d.mark(c.ID, t.excerptOf(c, heading))
		c.add(&d.body, 4)
	}
	return line
}

// excerptOf is one comment of the thread with the place it is about, and then
// the others.
func (t thread) excerptOf(c reviewComment, heading string) string {
	parts := []string{heading, c.heading() + ":\n" + c.Body}
	for _, other := range t.Comments {
		if other.ID != c.ID {
			parts = append(parts, other.heading()+":\n"+other.Body)
		}
	}
	return excerptOf(strings.Join(parts, "\n"))
}

// hunkContext is how many lines of a hunk stand above what a thread is about.
const hunkContext = 8

// excerpt is the end of the thread's hunk: the lines it is about and some
// above them, under the head of the hunk.
func (t thread) excerpt() string {
	if t.WholeFile {
		return ""
	}
	lines := strings.Split(strings.TrimRight(markdown.Newlines(t.Hunk), "\n"), "\n")
	start, end := t.OldStart, t.Old // the hunk is of the diff it was opened on
	keep := hunkContext + 1
	if start > 0 && end > start {
		keep += end - start
	}
	if cut := len(lines) - 1 - keep; cut > 1 {
		cutNote := fmt.Sprintf("… %s of the hunk left out", markdown.Count(cut, "line"))
		lines = append([]string{lines[0], cutNote}, lines[len(lines)-keep:]...)
	}
	return strings.Join(lines, "\n")
}
