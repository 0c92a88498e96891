package extract

import (
	"bytes"
	"encoding/json"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// metadata is what a page says of itself in its head and in JSON-LD
// (https://ogp.me, https://schema.org).
type metadata struct {
	title   string
	h1      bool // the title is only the h1's
	ogTitle string
	ogType  string
	types   map[string]bool // of JSON-LD, lower case
	texts   []ldText        // of JSON-LD: descriptions and bodies
}

func (d *document) readMetadata() *metadata {
	m := &metadata{types: map[string]bool{}}
	m.title, m.h1 = d.title()
	walk(d.root, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Meta:
			switch {
			case attr(n, "property") == "og:type":
				m.ogType = strings.ToLower(attr(n, "content"))
			case attr(n, "property") == "og:title":
				m.ogTitle = attr(n, "content")
			}
		case atom.Script:
			if strings.Contains(attr(n, "type"), "ld+json") && n.FirstChild != nil {
				m.readLD([]byte(n.FirstChild.Data))
			}
			return false
		}
		return true
	})
	return m
}

// readLD reads one JSON-LD script in document order. What is malformed ends it.
func (m *metadata) readLD(src []byte) {
	dec := json.NewDecoder(bytes.NewReader(src))
	type level struct {
		object bool
		key    string // of the value that comes next; in an array the array's own
		isKey  bool
	}
	stack := []level{{}}
	for {
		tok, err := dec.Token()
		if err != nil {
			return
		}
		top := &stack[len(stack)-1]
		key := top.key
		if d, ok := tok.(json.Delim); ok {
			switch d {
			case '{':
				top.isKey = top.object
				stack = append(stack, level{object: true, isKey: true})
			case '[':
				top.isKey = top.object
				stack = append(stack, level{key: key})
			default:
				stack = stack[:len(stack)-1]
			}
			continue
		}
		if top.object && top.isKey {
			top.key, _ = tok.(string)
			top.isKey = false
			continue
		}
		top.isKey = top.object
		if s, ok := tok.(string); ok {
			m.value(key, s)
		}
	}
}

func (m *metadata) value(key, s string) {
	switch key {
	case "@type":
		m.types[strings.ToLower(s)] = true
	case "description", "articleBody", "text", "reviewBody":
		m.texts = append(m.texts, ldText{key, s})
	}
}

type ldText struct{ key, text string }

// ldAttr marks a paragraph that stands for a text of JSON-LD.
const ldAttr = "data-pifetch-ld"

// A text of JSON-LD is shown when it says something and the page does not show it.
const (
	ldLength = 80  // bytes
	ldShown  = 0.2 // share of its four-word runs that the page has
)

// supplement puts texts that only JSON-LD has at the end of the page.
func (m *metadata) supplement(body *html.Node) {
	var seen map[string]bool
	note := func(words []string) (all, known int) {
		for i := 0; i+4 <= len(words); i++ {
			all++
			if seen[strings.Join(words[i:i+4], " ")] {
				known++
			}
		}
		return all, known
	}
	for _, t := range m.texts {
		if len(t.text) < ldLength {
			continue
		}
		if seen == nil {
			seen = map[string]bool{}
			addRuns(seen, wordsOf(runningText(body)))
		}
		s := t.text
		if strings.ContainsAny(s, "<&") {
			if n, err := html.Parse(strings.NewReader(s)); err == nil {
				s = runningText(n)
			}
		}
		words := wordsOf(s)
		all, known := note(words)
		if all < 8 || float64(known) > ldShown*float64(all) {
			continue
		}
		addRuns(seen, words)
		p := element(atom.P, text(s))
		setAttr(p, ldAttr, t.key)
		body.AppendChild(p)
	}
}

func addRuns(seen map[string]bool, words []string) {
	for i := 0; i+4 <= len(words); i++ {
		seen[strings.Join(words[i:i+4], " ")] = true
	}
}
