package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func isShadowRoot(n *html.Node) bool {
	return n.DataAtom == atom.Template && (hasAttr(n, "shadowrootmode") || hasAttr(n, "shadowroot"))
}

// unwrapShadow replaces every host's children by its shadow tree, with the
// light children where their slots stand. Light children no slot asks for are
// not shown by a browser and are dropped.
func unwrapShadow(doc *html.Node) {
	// Outer roots come first, so that a slot handed on to an inner host is
	// already filled when that host's turn comes.
	for _, root := range findAll(doc, isShadowRoot) {
		host := root.Parent
		if host == nil {
			continue
		}
		light := map[string][]*html.Node{}
		for c := host.FirstChild; c != nil; {
			next := c.NextSibling
			if c != root {
				host.RemoveChild(c)
				name := ""
				if c.Type == html.ElementNode {
					name = attr(c, "slot")
				}
				light[name] = append(light[name], c)
			}
			c = next
		}
		for _, s := range slots(root) {
			fillSlot(s, light)
		}
		unwrap(root)
	}
	for _, s := range findAll(doc, is(atom.Slot)) {
		unwrap(s)
	}
}

// slots are those of root itself, not those of roots inside it.
func slots(root *html.Node) []*html.Node {
	var all []*html.Node
	walk(root, func(n *html.Node) bool {
		if n.DataAtom == atom.Slot {
			all = append(all, n)
		}
		return n == root || !isShadowRoot(n)
	})
	return all
}

func fillSlot(s *html.Node, light map[string][]*html.Node) {
	name := attr(s, "name")
	given := light[name]
	delete(light, name)
	if blank(given) {
		unwrap(s) // the slot's own content is the default
		return
	}
	forwarded, forward := lookAttr(s, "slot")
	for _, n := range given {
		if n.Type == html.ElementNode {
			if forward {
				setAttr(n, "slot", forwarded)
			} else {
				dropAttr(n, "slot")
			}
		}
		s.Parent.InsertBefore(n, s)
	}
	remove(s)
}

func blank(nodes []*html.Node) bool {
	for _, n := range nodes {
		if n.Type == html.ElementNode || n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" {
			return false
		}
	}
	return true
}

func dropAttr(n *html.Node, key string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			n.Attr = append(n.Attr[:i], n.Attr[i+1:]...)
			return
		}
	}
}
