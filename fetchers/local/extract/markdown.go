package extract

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The placeholder elements of raw texts, under names no parser produces, and
// the characters around their numbers in the converter's output. cleanProse
// and codeCleaner keep these code points out of everything that comes from a
// page.
const (
	blockTag  = "raw block"
	inlineTag = "raw inline"

	openRune   = '\uFDD0'
	open, shut = string(openRune), "\uFDD1"
)

// raw is a text that must not be escaped, folded or indented line by line.
type raw struct {
	text  string
	block bool // code on lines of its own
	lang  string
}

func (d *document) block(src, lang string) *html.Node {
	return d.placeholder(blockTag, raw{text: src, block: true, lang: lang})
}

func (d *document) inline(src string) *html.Node { return d.placeholder(inlineTag, raw{text: src}) }

func (d *document) placeholder(tag string, r raw) *html.Node {
	d.raw = append(d.raw, r)
	return &html.Node{Type: html.ElementNode, Data: tag, Attr: []html.Attribute{{Key: "n", Val: strconv.Itoa(len(d.raw) - 1)}}}
}

// visible is the number of characters a reader of n sees.
func (d *document) visible(n *html.Node) int {
	sum := measure(n)[n].text
	for _, p := range findAll(n, func(n *html.Node) bool { return n.Data == blockTag || n.Data == inlineTag }) {
		sum += textLen(d.rawOf(p).text)
	}
	return sum
}

// rawOf is the text a placeholder stands for.
func (d *document) rawOf(n *html.Node) raw {
	i, _ := strconv.Atoi(attr(n, "n"))
	return d.raw[i]
}

// newConverter makes the converter for one page: one that is shared sorts its
// tables while others read them.
func newConverter() *converter.Converter {
	c := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false), commonmark.WithHorizontalRule("---")),
		table.NewTablePlugin(table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal)),
		strikethrough.NewStrikethroughPlugin(),
	))
	c.Register.TagType(blockTag, converter.TagTypeBlock, converter.PriorityEarly)
	c.Register.TagType(inlineTag, converter.TagTypeInline, converter.PriorityEarly)
	c.Register.TextTransformer(func(_ converter.Context, s string) string {
		return asides.Replace(s)
	}, converter.PriorityEarly)
	c.Register.Renderer(render, converter.PriorityEarly)
	return c
}

func render(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	switch {
	case n.Type != html.ElementNode:
	case n.Data == blockTag:
		w.WriteString("\n\n" + open + attr(n, "n") + shut + "\n\n")
		return converter.RenderSuccess
	case n.Data == inlineTag:
		w.WriteString(open + attr(n, "n") + shut)
		return converter.RenderSuccess
	case n.DataAtom == atom.Ul, n.DataAtom == atom.Ol:
		renderList(ctx, w, n)
		return converter.RenderSuccess
	case n.DataAtom == atom.A:
		renderLink(ctx, w, n)
		return converter.RenderSuccess
	case isOne(n, atom.Code, atom.Kbd, atom.Samp, atom.Var, atom.Tt) && strings.TrimSpace(textOf(n)) != "":
		w.WriteString(codeSpan(textOf(n)))
		return converter.RenderSuccess
	case n.DataAtom == atom.Img:
		w.WriteString("![" + labelText(asides.Replace(attr(n, "alt"))) + "](" + destination(attr(n, "src")) + ")")
		return converter.RenderSuccess
	}
	return converter.RenderTryNext
}

func renderLink(ctx converter.Context, w converter.Writer, n *html.Node) {
	var buf bytes.Buffer
	ctx.RenderChildNodes(ctx, &buf, n)
	label := labelText(strings.TrimSpace(buf.String()))
	href := destination(attr(n, "href"))
	if label == "" || href == "" {
		w.WriteString(buf.String())
		return
	}
	if strings.HasPrefix(buf.String(), " ") {
		w.WriteString(" ")
	}
	w.WriteString("[" + strings.Join(strings.Fields(label), " ") + "](" + href + ")")
	if strings.HasSuffix(buf.String(), " ") {
		w.WriteString(" ")
	}
}

var destinations = strings.NewReplacer(" ", "%20", "<", "%3C", ">", "%3E", "|", "%7C", "\n", "", "\t", "", "\\", "%5C")

// destination escapes what would end a link's target: parentheses only where
// they do not pair, as most do that belong to an address.
func destination(u string) string {
	u = destinations.Replace(dropReserved(u))
	depth := 0
	for i := 0; i < len(u) && depth >= 0; i++ {
		switch u[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	if depth != 0 {
		u = strings.NewReplacer("(", "%28", ")", "%29").Replace(u)
	}
	return u
}

func renderList(ctx converter.Context, w converter.Writer, n *html.Node) {
	number := 1
	if v, err := strconv.Atoi(strings.TrimSpace(attr(n, "start"))); err == nil && v >= 0 {
		number = v
	}
	// A list right after an item's text stays tight.
	w.WriteString("\n")
	if !isOne(n.Parent, atom.Li) {
		w.WriteString("\n")
	}
	for li := n.FirstChild; li != nil; li = li.NextSibling {
		if li.Type != html.ElementNode {
			continue
		}
		if v, err := strconv.Atoi(strings.TrimSpace(attr(li, "value"))); err == nil && v >= 0 {
			number = v
		}
		marker := "- "
		if n.DataAtom == atom.Ol {
			marker = strconv.Itoa(number) + ". "
		}
		number++
		var buf bytes.Buffer
		ctx.RenderChildNodes(ctx, &buf, li)
		item := ctx.UnEscapeContent(bytes.TrimSpace(squeeze(buf.Bytes())))
		if len(item) == 0 {
			continue
		}
		w.WriteString(marker)
		indent := []byte("\n" + strings.Repeat(" ", len(marker)))
		item = bytes.ReplaceAll(item, []byte("\n"), indent)
		w.Write(bytes.ReplaceAll(item, append(indent[:len(indent):len(indent)], '\n'), []byte("\n\n")))
		w.WriteString("\n")
	}
	w.WriteString("\n")
}

// squeeze leaves at most one blank line in a row.
func squeeze(s []byte) []byte {
	out := make([]byte, 0, len(s))
	newlines, spaces := 0, 0
	for _, b := range s {
		switch b {
		case '\n':
			if newlines++; newlines <= 2 {
				if newlines == 1 && spaces >= 2 {
					out = append(out, "  "...)
				}
				out = append(out, b)
			}
			spaces = 0
			continue
		case ' ':
			spaces++
			continue
		}
		for ; spaces > 0; spaces-- {
			out = append(out, ' ')
		}
		newlines = 0
		out = append(out, b)
	}
	return out
}

// markdown renders the prepared content. It is empty when nothing is left to
// read or to look at.
func (d *document) markdown(content *html.Node) (string, error) {
	if !hasContent(content) {
		return "", nil
	}
	// The converter takes an element without text for a mere mark, and the space
	// after it for a repetition of the space before.
	for _, n := range findAll(content, func(n *html.Node) bool { return n.Data == inlineTag }) {
		n.AppendChild(text("x"))
	}
	// The converter expects a document.
	doc := &html.Node{Type: html.DocumentNode}
	doc.AppendChild(content)
	out, err := newConverter().ConvertNode(doc)
	if err != nil {
		return "", err
	}
	md := d.finish(string(out))
	if strings.TrimSpace(md) == "" {
		return "", nil
	}
	return md, nil
}

// finish puts the raw texts in their places and trims the lines around them.
func (d *document) finish(md string) string {
	var sb strings.Builder
	sb.Grow(len(md) + len(md)/8)
	lines := strings.Split(md, "\n")
	blank := true
	var flow []string // lines joined by hard breaks
	for i, l := range lines {
		trimmed := strings.TrimRight(l, " \t")
		if trimmed == "" {
			if !blank {
				sb.WriteByte('\n')
			}
			blank = true
			continue
		}
		blank = false
		if hard := len(l)-len(trimmed) >= 2; hard && i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" {
			flow = append(flow, trimmed+"  ")
			continue
		}
		d.finishLines(&sb, append(flow, trimmed))
		flow = flow[:0]
	}
	return strings.Trim(sb.String(), "\n") + "\n"
}

// finishLines writes the lines of one block of running text.
func (d *document) finishLines(sb *strings.Builder, lines []string) {
	for l := range strings.SplitSeq(unescape(lines), "\n") {
		d.finishLine(sb, l)
		sb.WriteByte('\n')
	}
}

func (d *document) finishLine(sb *strings.Builder, l string) {
	if prefix, n, ok := blockLine(l); ok && d.raw[n].block {
		d.raw[n].fence(sb, prefix)
		return
	}
	for {
		i := strings.Index(l, open)
		if i < 0 {
			break
		}
		sb.WriteString(l[:i])
		digits, rest, _ := strings.Cut(l[i+len(open):], shut)
		if n, err := strconv.Atoi(digits); err == nil {
			sb.WriteString(d.raw[n].span())
		}
		l = rest
	}
	sb.WriteString(l)
}

// blockLine reports whether a line holds a placeholder and nothing else but
// the markers of the lists and quotations around it.
func blockLine(l string) (prefix string, n int, ok bool) {
	i := strings.Index(l, open)
	if i < 0 || !strings.HasSuffix(l, shut) || strings.Trim(l[:i], " >-.0123456789") != "" {
		return "", 0, false
	}
	n, err := strconv.Atoi(l[i+len(open) : len(l)-len(shut)])
	return l[:i], n, err == nil
}

// fence writes a code block whose lines continue prefix: list markers are
// repeated as indentation, quotation marks as they are.
func (r raw) fence(sb *strings.Builder, prefix string) {
	more := strings.Map(func(c rune) rune {
		if c == '>' {
			return c
		}
		return ' '
	}, prefix)
	fence := strings.Repeat("`", max(3, longestRun(r.text)+1))
	sb.WriteString(prefix + fence + r.lang + "\n")
	for l := range strings.SplitSeq(r.text, "\n") {
		if l == "" {
			sb.WriteString(strings.TrimRight(more, " "))
		} else {
			sb.WriteString(more + l)
		}
		sb.WriteByte('\n')
	}
	sb.WriteString(more + fence)
}

// span is the raw text inside a line of prose.
func (r raw) span() string {
	if r.block {
		return codeSpan(r.text)
	}
	return r.text
}

// codeSpan is code on one line.
func codeSpan(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	fence := strings.Repeat("`", longestRun(s)+1)
	if strings.Contains(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// longestRun is the length of the longest run of backticks in s.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, c := range s {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
