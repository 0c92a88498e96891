package extract

import (
	"slices"
	"sort"
	"strings"
)

// groups are the candidates of each name that are posts, in document order.
func (t *thread) groups() []candidate {
	byName := map[string][]candidate{}
	for _, c := range t.candidates {
		byName[c.name] = append(byName[c.name], c)
	}
	var roots []candidate
	several := false
	for _, g := range byName {
		complete := t.complete(g)
		if len(complete) == 0 || float64(len(complete)) < postShare*float64(len(g)) && len(complete) < 5 || t.areCards(complete) {
			continue
		}
		switch {
		case len(complete) >= minPosts:
			several = true
			roots = append(roots, g...)
		case g[0].strong:
			for _, f := range complete {
				roots = append(roots, f.candidate)
			}
		}
	}
	if !several && len(roots) < minPosts {
		return nil
	}
	slices.SortFunc(roots, func(a, b candidate) int { return a.at - b.at })
	return roots
}

// complete are the members of a group that hold an author, a date and a text
// outside of the members inside them.
func (t *thread) complete(group []candidate) []*found {
	var all []*found
	for i, c := range group {
		inner := places(group[i+1:], t.outermostIn(c, group[i+1:], func(int) bool { return true }))
		if f := t.look(c, inner); f != nil {
			all = append(all, f)
			t.whole[c.at] = true
		}
	}
	return all
}

// areCards reports whether the posts are entries of a listing: most have a
// heading of their own, or little text but links.
func (t *thread) areCards(posts []*found) bool {
	if len(posts) < minPosts {
		return false
	}
	seen := map[string]bool{}
	links, words := 0, 0
	for _, p := range posts {
		for _, h := range t.headingsBeside(p) {
			seen[strings.TrimSpace(strings.TrimPrefix(h, "Re:"))] = true
			break
		}
		n := t.nodes[p.at]
		if p.body >= 0 {
			n = t.nodes[p.body]
		}
		m := t.size[n]
		words += m.text
		links += m.links
	}
	return len(seen)*2 > len(posts) && len(seen) > 1 || words < 12*len(posts) || links*10 > words*7
}

// resolve drops candidates that are a second shell around the same post or a
// part of it, and those that hold several posts but are none.
func (t *thread) resolve(roots []candidate) []candidate {
	dropped := make([]bool, len(roots))
	for i, c := range roots {
		for !dropped[i] {
			inner := t.outermostIn(c, roots[i+1:], func(j int) bool { return !dropped[i+1+j] })
			var parts, whole []int
			several := false
			for _, j := range inner {
				switch j += i + 1; {
				case roots[j].name == c.name:
					// A reply stands after what is answered.
					several = several || len(whole) == 0 && t.whole[roots[j].at]
				case t.whole[roots[j].at]:
					whole = append(whole, j)
				default:
					parts = append(parts, j)
				}
			}
			switch {
			case t.look(c, places(roots[i+1:], inner)) != nil || len(inner) == 0:
			case len(parts) > 0:
				for _, j := range parts {
					dropped[j] = true
				}
				continue
			case len(whole) == 1 && !several:
				dropped[whole[0]] = true
				continue
			default:
				dropped[i] = true
			}
			break
		}
	}
	var kept []candidate
	for i, c := range roots {
		if !dropped[i] {
			kept = append(kept, c)
		}
	}
	return kept
}

// outermostIn are the indexes of those that come after c, lie in it and in none
// of the others.
func (t *thread) outermostIn(c candidate, after []candidate, ok func(int) bool) []int {
	var inner []int
	last := c.at
	for j := 0; j < len(after) && after[j].at < t.end[c.at]; j++ {
		if after[j].at >= last && ok(j) {
			inner = append(inner, j)
			last = t.end[after[j].at]
		}
	}
	return inner
}

func places(roots []candidate, indexes []int) []int {
	var at []int
	for _, j := range indexes {
		at = append(at, roots[j].at)
	}
	return at
}

// choose makes posts of the candidates that are complete.
func (t *thread) choose(roots []candidate) {
	t.isPost = map[int]*found{}
	for i, c := range roots {
		inner := places(roots[i+1:], t.outermostIn(c, roots[i+1:], func(int) bool { return true }))
		if f := t.look(c, inner); f != nil {
			t.posts = append(t.posts, f)
			t.isPost[c.at] = f
		}
	}
	for _, p := range t.posts {
		// A candidate inside that is no post may hold posts.
		p.inner = nil
		for i := sort.Search(len(t.posts), func(i int) bool { return t.posts[i].at > p.at }); i < len(t.posts) && t.posts[i].at < t.end[p.at]; i++ {
			if q := t.posts[i].at; len(p.inner) == 0 || q >= t.end[p.inner[len(p.inner)-1]] {
				p.inner = append(p.inner, q)
			}
		}
	}
}
