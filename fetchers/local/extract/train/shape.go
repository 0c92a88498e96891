package main

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shapeNames are the measures of structure, in the order they are printed:
// headings are titles with their level, code is lines, lang one entry for each
// code block that names its language, links and images are absolute addresses.
var shapeNames = []string{"headings", "titles", "code", "lang", "cells", "links", "items", "images", "alts"}

// parsed is a document as text and as multisets of normalised strings.
type parsed struct {
	text string
	sets map[string]map[string]int
	base *url.URL
	sb   strings.Builder
}

func newParsed(base *url.URL) *parsed {
	p := &parsed{base: base, sets: map[string]map[string]int{}}
	for _, n := range shapeNames {
		p.sets[n] = map[string]int{}
	}
	return p
}

func (p *parsed) add(set, s string) {
	if s = strings.ToLower(strings.Join(strings.Fields(s), " ")); s != "" {
		p.sets[set][s]++
	}
}

func (p *parsed) heading(level int, s string) {
	s = strings.TrimSpace(strings.Trim(strings.TrimSpace(s), "#¶§"))
	if s != "" {
		p.add("headings", strings.Repeat("#", level)+" "+s)
		p.add("titles", s)
	}
}

func (p *parsed) code(lang, body string) {
	lines := 0
	for l := range strings.Lines(strings.ReplaceAll(body, "\u00a0", " ")) {
		if l = strings.TrimSpace(l); l != "" {
			p.sets["code"][l]++
			lines++
		}
	}
	if lines > 0 {
		p.add("lang", lang)
	}
}

func (p *parsed) address(set, ref string) {
	ref = strings.TrimSpace(ref)
	if ref == "" || strings.HasPrefix(ref, "javascript:") {
		return
	}
	if u, err := p.base.Parse(ref); err == nil {
		if u.Path == "" && u.Host != "" {
			u.Path = "/"
		}
		ref = u.String()
	}
	p.sets[set][ref]++
}

func (p *parsed) image(src, alt string) {
	if !strings.HasPrefix(src, "data:") {
		p.address("images", src)
	}
	p.add("alts", alt)
}

var markdownParser = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser()

func parseMarkdown(src string, base *url.URL) *parsed {
	p := newParsed(base)
	b := []byte(src)
	root := markdownParser.Parse(text.NewReader(b))
	// The callback never returns an error, so Walk does not either.
	_ = ast.Walk(root, func(n ast.Node, enter bool) (ast.WalkStatus, error) {
		if !enter {
			if n.Type() == ast.TypeBlock || n.Kind() == east.KindTableCell {
				p.sb.WriteByte('\n')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			p.heading(n.Level, inlineText(n, b))
		case *ast.FencedCodeBlock:
			body := n.Lines().Value(b)
			p.code(string(n.Language(b)), string(body))
			p.sb.Write(body)
		case *ast.CodeBlock:
			body := n.Lines().Value(b)
			p.code("", string(body))
			p.sb.Write(body)
		case *ast.HTMLBlock:
			p.html(string(n.Lines().Value(b)) + string(n.ClosureLine.Value(b)))
		case *east.TableCell:
			p.add("cells", inlineText(n, b))
		case *ast.Link:
			p.address("links", string(n.Destination))
		case *ast.AutoLink:
			p.address("links", string(n.URL(b)))
			p.sb.Write(n.Label(b))
		case *ast.Image:
			p.image(string(n.Destination), inlineText(n, b))
			return ast.WalkSkipChildren, nil
		case *ast.ListItem:
			var own strings.Builder
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if c.Kind() != ast.KindList {
					own.WriteString(inlineText(c, b) + " ")
				}
			}
			p.add("items", own.String())
		case *ast.Text:
			p.sb.WriteString(unescape(n.Segment.Value(b)))
			if n.SoftLineBreak() || n.HardLineBreak() {
				p.sb.WriteByte('\n')
			}
		case *ast.String:
			p.sb.Write(n.Value)
		}
		return ast.WalkContinue, nil
	})
	p.text = p.sb.String()
	return p
}

var escaped = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")

func unescape(b []byte) string { return html.UnescapeString(escaped.ReplaceAllString(string(b), "$1")) }

// inlineText is the text of a node without images.
func inlineText(n ast.Node, src []byte) string {
	var sb strings.Builder
	_ = ast.Walk(n, func(c ast.Node, enter bool) (ast.WalkStatus, error) {
		if !enter {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			sb.WriteString(unescape(c.Segment.Value(src)))
			if c.SoftLineBreak() || c.HardLineBreak() {
				sb.WriteByte(' ')
			}
		case *ast.String:
			sb.Write(c.Value)
		case *ast.AutoLink:
			sb.Write(c.Label(src))
		case *ast.Image:
			if c != n {
				return ast.WalkSkipChildren, nil
			}
		}
		return ast.WalkContinue, nil
	})
	return sb.String()
}

func parseHTML(src string, base *url.URL) *parsed {
	p := newParsed(base)
	p.html(src)
	p.text = p.sb.String()
	return p
}

func (p *parsed) html(src string) {
	doc, err := html.Parse(bytes.NewReader([]byte(src)))
	if err != nil {
		return // nested too deeply to be a truth
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			p.sb.WriteString(n.Data)
			return
		}
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Template, atom.Head:
			return
		case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			p.heading(int(n.Data[1]-'0'), htmlText(n, 0))
		case atom.Pre:
			p.code(codeLanguage(n), htmlText(n, 0))
		case atom.Td, atom.Th:
			p.add("cells", htmlText(n, 0))
		case atom.A:
			p.address("links", attr(n, "href"))
		case atom.Img:
			p.image(attr(n, "src"), attr(n, "alt"))
		case atom.Li:
			p.add("items", htmlText(n, atom.Ul, atom.Ol))
		case atom.Br:
			p.sb.WriteByte('\n')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if isBlock(n) {
			p.sb.WriteByte('\n')
		}
	}
	walk(doc)
}

var languageClass = regexp.MustCompile(`(?:^|\s)(?:language|lang|highlight-source|brush:?)[-:\s]([\w+#-]+)`)

func codeLanguage(pre *html.Node) string {
	for n := pre; n != nil && (n == pre || n.DataAtom == atom.Code); n = n.FirstChild {
		if l := attr(n, "data-lang"); l != "" {
			return l
		}
		if m := languageClass.FindStringSubmatch(attr(n, "class")); m != nil {
			return m[1]
		}
	}
	return ""
}

// htmlText is the text under n without the elements named.
func htmlText(n *html.Node, without ...atom.Atom) string {
	var sb strings.Builder
	var walk func(*html.Node)
	walk = func(c *html.Node) {
		for _, w := range without {
			if c != n && w != 0 && c.DataAtom == w {
				return
			}
		}
		switch {
		case c.Type == html.TextNode:
			sb.WriteString(c.Data)
		case c.DataAtom == atom.Script || c.DataAtom == atom.Style:
			return
		case c.DataAtom == atom.Br:
			sb.WriteByte('\n')
		}
		for d := c.FirstChild; d != nil; d = d.NextSibling {
			walk(d)
		}
		if c != n && isBlock(c) {
			sb.WriteByte('\n')
		}
	}
	walk(n)
	return sb.String()
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func isBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Span, atom.B, atom.I, atom.Em, atom.Strong, atom.Code, atom.Sub, atom.Sup, atom.Small, atom.Abbr, atom.Mark, atom.U,
		atom.S, atom.Font, atom.Img, atom.Kbd, atom.Cite, atom.Q, atom.Time, atom.Label, atom.Var, atom.Samp, atom.Del, atom.Ins, atom.Wbr, 0:
		return false
	}
	return n.Type == html.ElementNode
}
