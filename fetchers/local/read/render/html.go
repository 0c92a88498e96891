package render

import (
	"bytes"
	"errors"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"pifetch/fetchers/local/extract"
)

// MaxHTML is the most HTML that is turned into markdown at once.
const MaxHTML = 8 << 20

// HTML is a fragment of HTML as markdown, all of it: it is taken for the main
// content of a page that has nothing else. Headings go down by shift levels.
// Links are resolved against base, which may be nil. A fragment without
// content is "".
func HTML(fragment string, base *url.URL, shift int) (string, error) {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(fragment), body)
	if err != nil {
		return "", err
	}
	// What is inside article and main is never narrowed down, and closing tags
	// of the fragment cannot leave them once it has been parsed.
	article := &html.Node{Type: html.ElementNode, Data: "article", DataAtom: atom.Article}
	for _, n := range nodes {
		article.AppendChild(n)
	}
	if shift > 0 {
		demote(article, shift)
	}
	var page bytes.Buffer
	page.WriteString("<!doctype html><body><main>")
	if err := html.Render(&page, article); err != nil {
		return "", err
	}
	r, err := extract.Extract(page.Bytes(), base)
	if errors.Is(err, extract.ErrNoContent) {
		return "", nil
	}
	return r.Markdown, err
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
