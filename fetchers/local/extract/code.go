package extract

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The names that highlighters (Pygments, Rouge, Chroma, Prism, highlight.js,
// Shiki) and editors (CodeMirror, Monaco) give the parts of a code block.
var (
	gutters = set(`linenos lineno line-number line-numbers linenumber linenumbers line-no ln lnt lnum gutter code-gutter rouge-gutter
		hljs-ln-numbers hljs-ln-n react-syntax-highlighter-line-number linenodiv blob-num line-numbers-rows cm-gutters
		codemirror-linenumber codemirror-gutter-wrapper line_numbers normal-line-number ec-gutter crayon-nums`)
	lineClass = set(`line code-line codeline view-line cm-line token-line react-code-line ec-line highlight-line hljs-ln-line
		codemirror-line js-file-line line-content code__line crayon-line`)
	blockCode = set("block code-block codeblock")
	editors   = set("cm-content view-lines codemirror-code")
	codeCells = set("blob-code hljs-ln-code js-file-line line-content")
	fragments = set("fragment") // a listing of Doxygen's, a div of div.line
	popups    = set(`hover-info twoslash-popup-container twoslash-popup-code twoslash-popup-docs twoslash-meta-line
		twoslash-completion-list tooltiptext`)  // what a pointer over a token shows
)

// keepCode replaces code blocks by placeholders for their line-faithful text.
func (d *document) keepCode(content *html.Node) {
	for _, t := range findAll(content, is(atom.Table)) {
		unwrapCodeTable(t)
	}
	joinFragments(content)
	blocks := outermost(content, isCodeBlock)
	shared := map[*html.Node]int{} // code blocks below an element
	for _, n := range blocks {
		for p, i := n.Parent, 0; p != nil && i < wrappers; p, i = p.Parent, i+1 {
			shared[p]++
		}
	}
	for _, n := range blocks {
		lang := language(n, shared)
		src := codeText(n)
		if n.DataAtom == atom.Code {
			src = dedent(src) // indented like the markup around it
		}
		if strings.TrimSpace(src) == "" {
			remove(n)
			continue
		}
		b := d.block(src, lang)
		replace(n, b)
		leaveInline(b)
	}
}

func isCodeBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Pre, atom.Listing, atom.Xmp:
		return true
	case atom.Code:
		if hasClass(n, blockCode) {
			return !within(n, is(atom.Code))
		}
		marked := languageOf(n) != "" || strings.HasPrefix(style(attr(n, "style")).value("white-space"), "pre")
		return marked && (contains(n, is(atom.Br, atom.Div)) || strings.Contains(strings.TrimSpace(textOf(n)), "\n"))
	case atom.Div:
		return hasClass(n, editors) || hasClass(n, fragments) && contains(n, func(c *html.Node) bool { return isOne(c, atom.Div) && hasClass(c, lineClass) })
	}
	return false
}

// joinFragments makes one block of a listing that the page shows as one but
// marks up in pieces: code elements shown as blocks, the results between them,
// and nothing else beside them.
func joinFragments(content *html.Node) {
	for _, first := range findAll(content, func(n *html.Node) bool { return n.DataAtom == atom.Code && hasClass(n, blockCode) }) {
		if first.Parent == nil || within(first, isCodeBlock) {
			continue
		}
		pieces := []*html.Node{first}
		for s := first.NextSibling; s != nil; s = s.NextSibling {
			if s.Type == html.ElementNode && isCodeBlock(s) {
				pieces = append(pieces, s)
			} else if s.Type != html.TextNode || strings.TrimSpace(s.Data) != "" {
				break
			}
		}
		if len(pieces) == 1 {
			continue
		}
		listing := element(atom.Pre)
		listing.Attr = first.Attr
		replace(first, listing)
		for _, p := range pieces {
			div := element(atom.Div)
			adopt(div, p)
			remove(p)
			listing.AppendChild(div)
		}
	}
}

// unwrapCodeTable dissolves a table that only lays out code: a gutter beside
// a pre or beside lines, or one row per line.
func unwrapCodeTable(t *html.Node) {
	if t.Parent == nil || within(t, is(atom.Pre)) {
		return
	}
	cells := findAll(t, is(atom.Td, atom.Th))
	var code []*html.Node
	perLine := 0
	for _, c := range cells {
		switch {
		case isGutter(c):
		case hasClass(c, codeCells):
			perLine++
			code = append(code, c)
		default:
			code = append(code, c)
		}
	}
	switch {
	case perLine > 0 && perLine == len(code) && find(t, is(atom.Pre)) == nil:
		for _, c := range cells {
			if isGutter(c) {
				remove(c)
			}
		}
		pre := element(atom.Pre)
		pre.Attr = t.Attr
		replace(t, pre)
		pre.AppendChild(t)
	case len(code) == 1 && len(cells) > 1 && find(code[0], is(atom.Pre)) != nil && strings.TrimSpace(textOf(code[0])) != "":
		div := element(atom.Div)
		div.Attr = t.Attr
		adopt(div, code[0])
		replace(t, div)
	case len(code) == 1 && len(cells) > 1 && contains(code[0], func(n *html.Node) bool { return isOne(n, atom.Div) && hasClass(n, lineClass) }):
		pre := element(atom.Pre)
		pre.Attr = t.Attr
		adopt(pre, code[0])
		replace(t, pre)
	}
}

// isGutter reports whether n holds line numbers and nothing else.
func isGutter(n *html.Node) bool {
	marked := hasClass(n, gutters) || hasAttr(n, "data-line-number") || hasAttr(n, "data-linenumber") ||
		strings.EqualFold(attr(n, "aria-hidden"), "true") || strings.Contains(attr(n, "style"), "user-select:none") ||
		strings.Contains(attr(n, "style"), "user-select: none") || isOne(n, atom.Td) && contains(n, is(atom.Pre))
	return marked && onlyNumbers(n)
}

func onlyNumbers(n *html.Node) bool {
	only := true
	walk(n, func(n *html.Node) bool {
		if n.Type == html.TextNode && only {
			only = strings.IndexFunc(n.Data, func(r rune) bool { return !unicode.IsDigit(r) && !unicode.IsSpace(r) }) < 0
		}
		return only
	})
	return only
}

// codeText is the text of a code block, one line for each line shown.
func codeText(n *html.Node) string {
	w := &codeWriter{numbers: lineNumbers(n)}
	if e := find(n, func(n *html.Node) bool { return hasClass(n, editors) }); e != nil {
		n = e
	}
	w.children(n)
	lines := strings.Split(codeCleaner.Replace(dropReserved(w.String())), "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	return strings.Join(lines, "\n")
}

// dedent removes the white space that all lines of s begin with.
func dedent(s string) string {
	lines := strings.Split(s, "\n")
	margin := ""
	for i, l := range lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		indent := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
		if i == 0 {
			margin = indent
		}
		for !strings.HasPrefix(indent, margin) {
			margin = margin[:len(margin)-1]
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, margin)
	}
	return strings.Join(lines, "\n")
}

var codeCleaner = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ", "\u200b", "", "\ufeff", "", "\u2060", "",
	"\x00", "", "\a", "")

type codeWriter struct {
	strings.Builder
	newline bool                // a line has ended; the next text starts a new one
	numbers map[*html.Node]bool // the numbers at the head of the lines
}

func (w *codeWriter) text(s string) {
	if s == "" {
		return
	}
	if w.newline && !strings.HasPrefix(s, "\n") && !strings.HasPrefix(s, "\r") {
		w.WriteByte('\n')
	}
	w.newline = false
	w.WriteString(s)
}

func (w *codeWriter) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
}

func (w *codeWriter) node(n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		w.text(n.Data)
		return
	case n.Type != html.ElementNode:
		return
	case n.DataAtom == atom.Br:
		w.text("\n")
		return
	case isOne(n, atom.Button, atom.Script, atom.Style, atom.Select, atom.Textarea), hasClass(n, copyClass), hasClass(n, screenReader), hasClass(n, popups), w.numbers[n],
		isGutter(n) && (hasClass(n, gutters) || strings.TrimSpace(textOf(n)) != ""):
		return
	case !isLine(n):
		w.children(n)
		return
	}
	// A line element starts on a fresh line, and what follows it too, unless
	// the markup has the line break in it already.
	start := w.Len()
	if w.newline {
		w.WriteByte('\n')
		w.newline = false
		start = w.Len()
	} else if start > 0 && !strings.HasSuffix(w.tail(), "\n") && isBlock(n) {
		w.WriteByte('\n')
		start = w.Len()
	}
	w.children(n)
	if w.Len() == start || !strings.HasSuffix(w.tail(), "\n") {
		w.newline = true
	}
}

func (w *codeWriter) tail() string {
	s := w.String()
	return s[max(0, len(s)-1):]
}

// isLine reports whether n is the element of one line of code.
func isLine(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.P, atom.Li, atom.Tr, atom.Pre, atom.Section, atom.Figure, atom.Table, atom.Ol, atom.Ul:
		return true
	}
	return hasClass(n, lineClass) || hasAttr(n, "data-line")
}

// lineNumbers are the elements that count the lines of a code block, whatever
// they are called: each at the head of its line, one up from line to line.
func lineNumbers(block *html.Node) map[*html.Node]bool {
	numbers := map[*html.Node]bool{}
	lines, first, more := 0, 0, false
	counted := true
	walk(block, func(n *html.Node) bool {
		if !counted || n == block || n.Type != html.ElementNode || !isLine(n) || contains(n, isLine) {
			return counted
		}
		head := elementAt(n, 0)
		if head == nil || headOf(head) == nil {
			counted = false
			return false
		}
		number, err := strconv.Atoi(shortText(head, 12))
		if lines == 0 {
			first = number
		}
		if err != nil || number != first+lines {
			counted = false
			return false
		}
		numbers[head] = true
		lines++
		more = more || head.NextSibling != nil && strings.TrimSpace(textOf(n)) != strconv.Itoa(number)
		return false
	})
	if !counted || lines < 2 || !more {
		return nil
	}
	return numbers
}
