package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The names that KaTeX, MediaWiki and MathJax give formulas.
var (
	mathBoxes   = set("katex katex-display mwe-math-element mathjax mathjax_display mathjax_svg mathjax_chtml")
	mathDisplay = set("katex-display mwe-math-element-block mathjax_display mathjax_svg_display")
	mathImages  = set("latex tex texhtml math-image mwe-math-fallback-image-inline mwe-math-fallback-image-display")
	mathPreview = set("mathjax_preview mathjax mathjax_display mathjax_svg mathjax_svg_display mathjax_chtml")
)

// keepMath replaces formulas by their TeX source wherever the page carries it:
// KaTeX and MediaWiki annotations, MathJax scripts, attributes, alttext and alt.
// MathML without a source is written as TeX when its characters alone would not
// say the same.
func (d *document) keepMath() {
	for _, n := range outermost(d.root, func(n *html.Node) bool {
		return n.Data == "math" || n.Data == "mjx-container" || mathAttr(n) != "" || hasClass(n, mathBoxes) || isMathScript(n) || isMathImage(n)
	}) {
		if n.Parent == nil || within(n, is(atom.Pre)) {
			continue
		}
		display := hasClass(n, mathDisplay) || attr(n, "display") == "block" || attr(n, "display") == "true" ||
			contains(n, func(m *html.Node) bool { return m.Data == "math" && attr(m, "display") == "block" })
		tex := texSource(n)
		switch {
		case isMathScript(n):
			display = strings.Contains(attr(n, "type"), "mode=display")
			dropRendering(n)
		case tex == "" && hasClass(n, mathPreview) && mathScriptFollows(n):
			continue // its script comes next and removes it
		case tex == "":
			m := find(n, func(n *html.Node) bool { return n.Data == "math" })
			if m == nil {
				continue
			}
			formula, laidOut := mathTeX(m)
			if !laidOut {
				replaceInline(n, text(strings.Join(strings.Fields(textOf(m)), " ")))
				continue
			}
			tex = formula
		}
		d.placeMath(n, tex, display)
	}
}

// mathAttr is the source that some renderers keep in an attribute.
func mathAttr(n *html.Node) string {
	for _, key := range []string{"data-tex", "data-latex", "data-katex"} {
		if v := strings.TrimSpace(attr(n, key)); v != "" {
			return v
		}
	}
	for _, key := range []string{"data-entry", "data-math", "data-formula", "data-expr"} {
		if v := strings.TrimSpace(attr(n, key)); v != "" && contains(n, func(m *html.Node) bool { return m.Data == "math" }) {
			return v
		}
	}
	return ""
}

// isMathImage reports whether n is a picture of a formula with the source as
// its text.
func isMathImage(n *html.Node) bool {
	return n.DataAtom == atom.Img && hasClass(n, mathImages) && strings.TrimSpace(attr(n, "alt")) != ""
}

func isMathScript(n *html.Node) bool {
	return n.DataAtom == atom.Script && strings.HasPrefix(attr(n, "type"), "math/tex")
}

// mathRenderings is how many siblings, white space among them, are looked at
// for the script of a rendering: MathJax puts a preview and the formula before it.
const mathRenderings = 8

func mathScriptFollows(n *html.Node) bool {
	for s, i := n.NextSibling, 0; s != nil && i < mathRenderings; s, i = s.NextSibling, i+1 {
		switch {
		case isMathScript(s):
			return true
		case s.Type == html.ElementNode && !hasClass(s, mathPreview), s.Type == html.TextNode && strings.TrimSpace(s.Data) != "":
			return false
		}
	}
	return false
}

// dropRendering removes what MathJax 2 put before its script.
func dropRendering(script *html.Node) {
	for s := script.PrevSibling; s != nil && s.Type == html.ElementNode && hasClass(s, mathPreview); s = script.PrevSibling {
		remove(s)
	}
}

func texSource(n *html.Node) string {
	if isMathScript(n) {
		return textOf(n)
	}
	if tex := mathAttr(n); tex != "" {
		return tex
	}
	if isMathImage(n) {
		return attr(n, "alt")
	}
	if a := find(n, func(n *html.Node) bool {
		return n.Data == "annotation" && strings.Contains(strings.ToLower(attr(n, "encoding")), "tex")
	}); a != nil {
		return textOf(a)
	}
	if m := find(n, func(n *html.Node) bool { return n.Data == "math" && strings.TrimSpace(attr(n, "alttext")) != "" }); m != nil {
		return attr(m, "alttext")
	}
	if i := find(n, func(n *html.Node) bool { return n.DataAtom == atom.Img && strings.ContainsAny(attr(n, "alt"), `\^_{`) }); i != nil {
		return attr(i, "alt")
	}
	return ""
}

func (d *document) placeMath(n *html.Node, tex string, display bool) {
	tex = strings.Join(strings.Fields(tex), " ")
	for _, wrap := range []string{`{\displaystyle `, `{\textstyle `} {
		if strings.HasPrefix(tex, wrap) && strings.HasSuffix(tex, "}") {
			tex = strings.TrimSpace(tex[len(wrap) : len(tex)-1])
		}
	}
	if tex == "" {
		remove(n)
		return
	}
	mark := "$"
	if display {
		mark = "$$"
	}
	replaceInline(n, d.inline(mark+tex+mark))
}

// replaceInline is replace, and keeps the white space at n's end.
func replaceInline(n, with *html.Node) {
	if t := n.LastChild; t != nil && t.Type == html.TextNode && n.FirstChild != t && strings.TrimSpace(t.Data) == "" {
		n.Parent.InsertBefore(text(" "), n.NextSibling)
	}
	replace(n, with)
}
