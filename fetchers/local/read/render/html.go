package render

import (
	"bytes"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"pifetch/fetchers/local/extract"
)

// MaxHTML is the most HTML that is turned into markdown at once.
const MaxHTML = 8 << 20

// HTML is a fragment of HTML as markdown, all of it. Headings go down by shift
// levels. Links are resolved against base, which may be nil. A fragment without
// content is "".
func HTML(fragment string, base *url.URL, shift int) (string, error) {
	src := []byte(fragment)
	if shift > 0 {
		body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
		nodes, err := html.ParseFragment(strings.NewReader(fragment), body)
		if err != nil {
			return "", err
		}
		for _, n := range nodes {
			body.AppendChild(n)
		}
		demote(body, shift)
		var page bytes.Buffer
		if err := html.Render(&page, body); err != nil {
			return "", err
		}
		src = page.Bytes()
	}
	return extract.Markdown(src, base)
}

var headings = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}

func demote(n *html.Node, shift int) {
	for c := range n.Descendants() {
		for i, h := range headings {
			if c.DataAtom == h {
				c.DataAtom = headings[min(i+shift, len(headings)-1)]
				c.Data = c.DataAtom.String()
				break
			}
		}
	}
}

// PlainHTML is the text of a fragment without any markup.
func PlainHTML(fragment string) string {
	var sb strings.Builder
	for z := html.NewTokenizer(strings.NewReader(fragment)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return sb.String()
		case html.TextToken:
			sb.WriteString(html.UnescapeString(string(z.Raw())))
		}
	}
}
