package extract

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// mathTeX writes a MathML formula as TeX. Signs stay the characters they are;
// what is laid out in two dimensions gets TeX's command, since its characters
// alone say something else: a fraction, a power, a root. laidOut tells whether
// there is any of that.
func mathTeX(m *html.Node) (tex string, laidOut bool) {
	w := mathWriter{}
	tex = strings.Join(strings.Fields(w.row(m)), " ")
	return tex, w.laidOut
}

type mathWriter struct{ laidOut bool }

// row is the TeX of n's children side by side.
func (w *mathWriter) row(n *html.Node) string {
	var sb strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		sb.WriteString(w.node(c))
	}
	return sb.String()
}

func (w *mathWriter) node(n *html.Node) string {
	if n.Type == html.TextNode {
		return strings.TrimSpace(n.Data)
	}
	if n.Type != html.ElementNode {
		return ""
	}
	arg := func(i int) string {
		if c := elementAt(n, i); c != nil {
			return "{" + w.node(c) + "}"
		}
		return "{}"
	}
	switch n.Data {
	case "mi":
		if t := strings.TrimSpace(textOf(n)); len([]rune(t)) > 1 {
			return `\operatorname{` + t + `}`
		}
		return w.row(n)
	case "mtext":
		t := strings.TrimSpace(cleanProse(textOf(n)))
		if strings.ContainsFunc(t, unicode.IsLetter) {
			return `\text{ ` + t + ` }`
		}
		return " " + t + " "
	case "mo":
		if t := strings.TrimSpace(cleanProse(textOf(n))); t == "{" || t == "}" || t == "%" || t == "&" || t == "#" {
			return `\` + t
		}
		return strings.TrimSpace(cleanProse(textOf(n)))
	case "mspace":
		return " "
	case "annotation", "annotation-xml", "mphantom":
		return ""
	case "mfrac":
		w.laidOut = true
		if strings.HasPrefix(attr(n, "linethickness"), "0") {
			return `{` + arg(0) + ` \atop ` + arg(1) + `}`
		}
		return `\frac` + arg(0) + arg(1)
	case "msqrt":
		w.laidOut = true
		return `\sqrt{` + w.row(n) + `}`
	case "mroot":
		w.laidOut = true
		return `\sqrt[` + strings.Trim(arg(1), "{}") + `]` + arg(0)
	case "msub":
		return w.scripts(n, "_")
	case "msup":
		return w.scripts(n, "^")
	case "msubsup":
		return w.scripts(n, "_", "^")
	case "munder":
		return w.scripts(n, "_")
	case "mover":
		return w.over(n)
	case "munderover":
		return w.scripts(n, "_", "^")
	case "mfenced":
		return w.fenced(n)
	case "mtable":
		return w.table(n)
	}
	return w.row(n)
}

// scripts is the first child with the others at its corners.
func (w *mathWriter) scripts(n *html.Node, marks ...string) string {
	base := elementAt(n, 0)
	if base == nil {
		return ""
	}
	w.laidOut = true
	out := w.node(base)
	if elementAt(base, 1) != nil {
		out = "{" + out + "}"
	}
	for i, mark := range marks {
		if c := elementAt(n, i+1); c != nil {
			if script := w.node(c); script != "" {
				out += mark + "{" + script + "}"
			}
		}
	}
	return out
}

// accents are the signs over a letter.
var accents = map[string]string{
	"→": "vec", "⃗": "vec", "~": "tilde", "˜": "tilde", "^": "hat", "ˆ": "hat", "˙": "dot", "¨": "ddot", "¯": "bar", "‾": "bar",
	"ˇ": "check", "˘": "breve", "´": "acute", "`": "grave", "⏞": "overbrace", "_": "bar",
}

func (w *mathWriter) over(n *html.Node) string {
	if c := elementAt(n, 1); c != nil {
		if name, ok := accents[strings.TrimSpace(textOf(c))]; ok {
			w.laidOut = true
			return `\` + name + "{" + w.node(elementAt(n, 0)) + "}"
		}
	}
	return w.scripts(n, "^")
}

func (w *mathWriter) fenced(n *html.Node) string {
	open, shut, sep := "(", ")", ","
	if v, ok := lookAttr(n, "open"); ok {
		open = v
	}
	if v, ok := lookAttr(n, "close"); ok {
		shut = v
	}
	if v, ok := lookAttr(n, "separators"); ok {
		sep = strings.TrimSpace(v)
	}
	var parts []string
	for i := 0; elementAt(n, i) != nil; i++ {
		parts = append(parts, w.node(elementAt(n, i)))
	}
	return open + strings.Join(parts, sep) + shut
}

func (w *mathWriter) table(n *html.Node) string {
	w.laidOut = true
	var rows []string
	for tr := n.FirstChild; tr != nil; tr = tr.NextSibling {
		if tr.Type != html.ElementNode {
			continue
		}
		var cells []string
		for td := tr.FirstChild; td != nil; td = td.NextSibling {
			if td.Type == html.ElementNode {
				cells = append(cells, w.row(td))
			}
		}
		rows = append(rows, strings.Join(cells, " & "))
	}
	return `\begin{matrix} ` + strings.Join(rows, ` \\ `) + ` \end{matrix}`
}

// elementAt is the i-th child element of n, nil when there are fewer.
func elementAt(n *html.Node, i int) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			if i == 0 {
				return c
			}
			i--
		}
	}
	return nil
}
