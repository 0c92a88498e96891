package markdown

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"pifetch/fetchers/artifact"
)

// Body is a text somebody wrote, fit to stand below a heading of the given
// level: its own headings are moved below that level, and a block it leaves
// open is closed. A text for which that does not suffice becomes one code block.
// That holds for who reads by the grammar, and for who goes by the lines.
func Body(source string, level int) string {
	source = strings.Trim(Newlines(source), "\n")
	if strings.TrimSpace(source) == "" {
		return ""
	}
	if tooDeep(source) {
		return Fence("markdown", source)
	}
	lowered := closeFence(lowerLines(lowerHeadings(source, level), level))
	if !contained(lowered, level) {
		return Fence("markdown", source)
	}
	return lowered
}

const sentinel = "end of the text"

// contained reports whether text keeps to itself: a heading that follows it is
// still a heading, and none of its own is of the given level or above. Both are
// asked of the grammar and of the outlines that are taken of files.
func contained(body string, level int) bool {
	reached := false
	for _, h := range artifact.Outline("\n" + body + "\n\n# " + sentinel + "\n") {
		if reached = h.Level == 1 && h.Text == sentinel; !reached && h.Level <= level {
			return false
		}
	}
	if !reached {
		return false
	}
	source := []byte(body + "\n\n# " + sentinel + "\n")
	headings := headingsOf(source)
	if len(headings) == 0 {
		return false
	}
	last := headings[len(headings)-1]
	return last.Level == 1 && string(bytes.TrimSpace(last.Lines().Value(source))) == sentinel &&
		!slices.ContainsFunc(headings[:len(headings)-1], func(h *ast.Heading) bool { return h.Level <= level })
}

// headingsOf lists the headings that stand in no quote and no list.
func headingsOf(source []byte) []*ast.Heading {
	doc := parse(source)
	var headings []*ast.Heading
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			headings = append(headings, h)
		}
	}
	return headings
}

// lowerHeadings rewrites headings so that the highest is one below level, and
// underlined headings as those with number signs.
func lowerHeadings(body string, level int) string {
	source := []byte(body)
	var out strings.Builder
	done := 0
	for _, h := range headingsOf(source) {
		if h.Lines().Len() == 0 {
			continue
		}
		first, last := h.Lines().At(0), h.Lines().At(h.Lines().Len()-1)
		start := lineStart(source, first.Start)
		end := lineEnd(source, last.Start)
		if !bytes.HasPrefix(bytes.TrimLeft(source[start:end], " "), []byte("#")) {
			end = lineEnd(source, min(end+1, len(source))) // the underline
		}
		out.Write(source[done:start])
		out.WriteString(strings.Repeat("#", min(6, h.Level+level)) + " " + Line(string(h.Lines().Value(source))))
		done = end
	}
	out.Write(source[done:])
	return out.String()
}

var hashes = regexp.MustCompile(`^([ \t]*)(#{1,6})(?:[ \t]|$)`)

// lowerLines moves down what looks like a heading of the given level or above
// and is none to the grammar, or one within a list: lines of HTML and of its
// comments, which GitHub's pages do not show. Code is left as it is.
func lowerLines(body string, level int) string {
	source := []byte(body)
	code := map[int]bool{} // lines by where they start
	_ = ast.Walk(parse(source), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		html, isHTML := n.(*ast.HTMLBlock)
		if k := n.Kind(); entering && (k == ast.KindFencedCodeBlock || k == ast.KindCodeBlock || isHTML && html.HTMLBlockType == ast.HTMLBlockType1) {
			for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
				code[lineStart(source, line.Start)] = true
			}
		}
		return ast.WalkContinue, nil
	})
	var out strings.Builder
	at := 0
	for line := range strings.SplitAfterSeq(body, "\n") {
		m := hashes.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m != nil && len(m[2]) <= level && !code[at] {
			out.WriteString(m[1] + strings.Repeat("#", min(6, len(m[2])+level)) + line[len(m[1])+len(m[2]):])
		} else {
			out.WriteString(line)
		}
		at += len(line)
	}
	return out.String()
}

func lineStart(source []byte, i int) int { return bytes.LastIndexByte(source[:i], '\n') + 1 }

func lineEnd(source []byte, i int) int {
	if n := bytes.IndexByte(source[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(source)
}

// closeFence ends a code block that runs to the end of the text.
func closeFence(body string) string {
	source := []byte(body)
	doc := parse(source)
	block, ok := doc.LastChild().(*ast.FencedCodeBlock)
	if !ok {
		return body
	}
	open := fenceOf(source, block)
	lines := strings.Split(body, "\n")
	if open == "" || (strings.TrimSpace(strings.Trim(lines[len(lines)-1], open[:1])) == "" && len(strings.TrimSpace(lines[len(lines)-1])) >= len(open)) {
		return body
	}
	return body + "\n" + open
}

// fenceOf is the line that opens a block, without its language.
func fenceOf(source []byte, block *ast.FencedCodeBlock) string {
	at := len(source)
	switch {
	case block.Info != nil:
		at = block.Info.Segment.Start
	case block.Lines().Len() > 0:
		at = max(0, block.Lines().At(0).Start-1)
	}
	line := strings.TrimSpace(string(source[lineStart(source, at):lineEnd(source, at)]))
	if line == "" {
		return ""
	}
	return line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
}
