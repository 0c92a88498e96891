package extract

import (
	"slices"
	"sort"
	"strings"

	"golang.org/x/net/html/atom"
)

// look reads the post at c, without what is inside the elements at inner. It is
// nil when author, date or text is missing.
func (t *thread) look(c candidate, inner []int) *found {
	f := &found{candidate: c, body: -1, inner: inner}
	authors, dates := t.own(t.authors, c.at, inner), t.own(t.dates, c.at, inner)
	if n := t.nodes[c.at]; isCustom(n) && attr(n, "author") != "" {
		authors = append(authors, mark{at: c.at, rank: 4, text: oneLine(attr(n, "author"))})
	}
	if len(authors) == 0 {
		return nil
	}
	bodies := t.own(t.bodies, c.at, inner)
	f.body = t.bodyAmong(bodies, authors, dates)
	outside := func(m mark) bool { return f.body < 0 || m.at < f.body || m.at >= t.end[f.body] }
	f.author = best(authors, t.end, outside)
	f.date = best(dates, nil, outside)
	if f.author.text == "" || f.date.text == "" && (f.author.rank < 3 || f.body < 0 || t.rankOf(bodies, f.body) < 2) {
		return nil
	}
	if f.body < 0 {
		rest := t.size[t.nodes[c.at]].text - t.textOfMark(f.author) - t.textOfMark(f.date)
		for _, at := range inner {
			rest -= t.size[t.nodes[at]].text
		}
		if rest < 10 || len(dates) > 3 {
			return nil
		}
	}
	if v := best(t.own(t.votes, c.at, inner), nil, outside); v.text != "" {
		f.votes = votesText(v.text)
	}
	f.accepted = t.isAccepted(c.at, inner)
	return f
}

func (t *thread) textOfMark(m mark) int {
	if m.text == "" {
		return 0
	}
	return min(t.size[t.nodes[m.at]].text, 60)
}

func (t *thread) rankOf(bodies []mark, at int) int {
	for _, b := range bodies {
		if b.at == at {
			return b.rank
		}
	}
	return 0
}

// own are the marks inside the element at, but not inside those at inner, which
// are in order and apart from each other.
func (t *thread) own(marks []mark, at int, inner []int) []mark {
	var all []mark
	for i := sort.Search(len(marks), func(i int) bool { return marks[i].at >= at }); i < len(marks) && marks[i].at < t.end[at]; {
		for len(inner) > 0 && t.end[inner[0]] <= marks[i].at {
			inner = inner[1:]
		}
		if len(inner) > 0 && marks[i].at >= inner[0] {
			past := t.end[inner[0]]
			i += sort.Search(len(marks)-i, func(j int) bool { return marks[i+j].at >= past })
			continue
		}
		all = append(all, marks[i])
		i++
	}
	return all
}

// bodyAmong is the place of the element that holds the text of a post: of those
// without an author or a date in them the best named, then the longest.
func (t *thread) bodyAmong(bodies, authors, dates []mark) int {
	chosen, rank, text := -1, 0, 0
	for _, b := range bodies {
		m := t.size[t.nodes[b.at]].text
		if m == 0 && !contains(t.nodes[b.at], is(atom.Img, atom.Picture)) {
			continue
		}
		if holds(authors, b.at, t.end[b.at], 3) || holds(dates, b.at, t.end[b.at], 2) {
			continue
		}
		if b.rank > rank || b.rank == rank && m > text {
			chosen, rank, text = b.at, b.rank, m
		}
	}
	return chosen
}

// holds reports whether a mark that tells a head stands between the places.
func holds(marks []mark, from, to, rank int) bool {
	for i := sort.Search(len(marks), func(i int) bool { return marks[i].at >= from }); i < len(marks) && marks[i].at < to; i++ {
		if marks[i].rank >= rank && !marks[i].quote {
			return true
		}
	}
	return false
}

// best is the mark of the highest rank, and the first of those. With end, one
// inside it of the same rank is better: it lacks the words around the name.
func best(marks []mark, end []int, ok func(mark) bool) mark {
	var b mark
	for _, m := range marks {
		if !ok(m) || m.quote {
			continue
		}
		if m.rank > b.rank || end != nil && m.rank == b.rank && m.at > b.at && m.at < end[b.at] {
			b = m
		}
	}
	return b
}

// isAccepted reports whether the post at is marked as the answer.
func (t *thread) isAccepted(at int, inner []int) bool {
	i, _ := slices.BinarySearch(t.accepted, at)
	for ; i < len(t.accepted) && t.accepted[i] < t.end[at]; i++ {
		a := t.accepted[i]
		if slices.ContainsFunc(inner, func(in int) bool { return a >= in && a < t.end[in] }) {
			continue
		}
		if a == at || acceptedTexts[strings.ToLower(strings.Trim(shortText(t.nodes[a], 60), " ✓✔:"))] || t.size[t.nodes[a]].text*2 > t.size[t.nodes[at]].text {
			return true
		}
	}
	return false
}
