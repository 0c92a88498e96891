package extract

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// PartialList is a list of which the page holds a part, because it keeps only
// what is in view or because it says that there is more.
type PartialList struct {
	Rows    int
	Of      int  // 0 when it cannot be told
	Virtual bool // told by the room kept for the others, from which Of is reckoned
	Table   bool // of rows; else of items
}

// maxLists is how many partial lists are looked for.
const maxLists = 5

// partialLists finds lists that declare more rows than they have
// (https://www.w3.org/TR/wai-aria-1.2/#aria-rowcount, #aria-setsize), and
// virtualised ones, by the room they keep for rows that are not there.
func partialLists(body *html.Node) []PartialList {
	var lists []PartialList
	size := measure(body)
	sets := map[*html.Node]bool{}
	walk(body, func(n *html.Node) bool {
		if n.Type != html.ElementNode || len(lists) == maxLists {
			return n.Type != html.ElementNode
		}
		if isOne(n, atom.Nav, atom.Footer, atom.Aside) {
			return false
		}
		l, ok := countedRows(n)
		if !ok && n.Parent != nil && !sets[n.Parent] {
			sets[n.Parent] = true
			l, ok = countedItems(n)
		}
		if !ok {
			l, ok = virtualRows(n, size)
		}
		if ok {
			lists = append(lists, l)
		}
		return !ok
	})
	return lists
}

// countedRows reads aria-rowcount. Header rows count as rows.
func countedRows(n *html.Node) (PartialList, bool) {
	of, err := strconv.Atoi(attr(n, "aria-rowcount"))
	if err != nil || of != -1 && of < 2 {
		return PartialList{}, false
	}
	rows := len(findAll(n, func(n *html.Node) bool { return n.DataAtom == atom.Tr || role(n) == "row" }))
	if rows < 2 || of != -1 && of < rows+2 {
		return PartialList{}, false
	}
	return PartialList{Rows: rows, Of: max(of, 0), Table: true}, true
}

// countedItems reads aria-setsize on the first of some siblings.
func countedItems(n *html.Node) (PartialList, bool) {
	of, err := strconv.Atoi(attr(n, "aria-setsize"))
	r := role(n)
	if err != nil || of != -1 && of < 2 || !hasAttr(n, "aria-posinset") || !isOne(n, atom.Article, atom.Li) && r != "article" && r != "listitem" && r != "row" {
		return PartialList{}, false
	}
	rows := 0
	for c := n; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && hasAttr(c, "aria-posinset") {
			rows++
		}
	}
	if rows < 3 || of != -1 && of < rows+2 {
		return PartialList{}, false
	}
	return PartialList{Rows: rows, Of: max(of, 0), Table: r == "row"}, true
}

const (
	minRows   = 5
	minSpacer = 800 // pixels of room without rows that make a list virtual
)

// virtualRows recognises the three ways in which libraries keep a scroll bar
// honest: rows laid absolutely into a tall box, padding around the rows, and
// empty elements beside them.
func virtualRows(n *html.Node, size map[*html.Node]metrics) (PartialList, bool) {
	var rows, laid int
	var room, after, height, low, high float64
	first := true
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		s := style(attr(c, "style"))
		if size[c].text == 0 {
			if h := spacerHeight(c); h >= minSpacer && rows == 0 {
				room += h
			} else if h >= minSpacer {
				after += h
			}
			continue
		}
		rows++
		after = 0 // what lies between rows is no room for others
		h, _ := pixels(s.value("height"))
		height += h
		if at, ok := laidAt(s); ok && s.value("position") == "absolute" {
			laid++
			if first || at < low {
				low = at
			}
			if first || at > high {
				high = at
			}
			first = false
		}
	}
	if rows < minRows {
		return PartialList{}, false
	}
	own := style(attr(n, "style"))
	list := PartialList{Rows: rows, Virtual: true, Table: isOne(n, atom.Tbody, atom.Table)}
	if laid == rows {
		tall, _ := pixels(own.value("height"))
		if m, ok := pixels(own.value("min-height")); ok {
			tall = max(tall, m)
		}
		pitch := (high - low) / float64(rows-1) // from row to row; columns make it smaller
		if pitch <= 0 || tall < high-low+pitch+minSpacer {
			return PartialList{}, false
		}
		list.Of = int(tall/pitch + 0.5)
		return list, list.Of >= rows+minRows
	}
	room += after
	for _, side := range []string{"padding-top", "padding-bottom"} {
		if p, ok := pixels(own.value(side)); ok {
			room += p
		}
	}
	if !isListing(n) && !hasAttr(n, "style") || room < minSpacer {
		return PartialList{}, false
	}
	if height <= 0 {
		return list, true
	}
	list.Of = rows + int(room/(height/float64(rows))+0.5)
	return list, list.Of >= rows+minRows
}

// isListing reports whether n is an element whose children are a list.
func isListing(n *html.Node) bool {
	r := role(n)
	names := strings.ToLower(attr(n, "class") + " " + attr(n, "data-testid"))
	return isOne(n, atom.Tbody, atom.Table, atom.Ul, atom.Ol) || r == "list" || r == "rowgroup" || r == "grid" || r == "feed" || r == "listbox" ||
		strings.Contains(names, "virtual") || strings.Contains(names, "virtuoso") || strings.Contains(names, "recycle")
}

// spacerHeight is the height an empty element is given, or the cell in it.
func spacerHeight(n *html.Node) float64 {
	if h, ok := pixels(style(attr(n, "style")).value("height")); ok {
		return h
	}
	if td := find(n, is(atom.Td)); td != nil {
		h, _ := pixels(style(attr(td, "style")).value("height"))
		return h
	}
	return 0
}

// laidAt is where a row is laid from the top of its box, in pixels.
func laidAt(s style) (float64, bool) {
	if t := strings.ReplaceAll(s.value("transform"), " ", ""); t != "" {
		for _, f := range []string{"translatey(", "translate3d(0px,", "translate3d(0,", "translate(0px,", "translate(0,"} {
			if _, rest, ok := strings.Cut(t, f); ok {
				if v, _, ok := strings.Cut(strings.ReplaceAll(rest, ")", ","), ","); ok {
					return pixels(v)
				}
			}
		}
	}
	return pixels(s.value("top"))
}
