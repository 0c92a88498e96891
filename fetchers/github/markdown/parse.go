package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// blocks reads the blocks of markdown and leaves the text in them alone: to
// read that can be made to take the square of its length.
var blocks = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))

// parse reads the blocks of a text that is not tooDeep.
func parse(source []byte) ast.Node { return blocks.Parse(text.NewReader(source)) }

// deepest is the most quotes and lists that a line may open one in another. To
// read them takes the square of their number.
const deepest = 50

// tooDeep reports whether a line opens too many quotes and lists.
func tooDeep(source string) bool {
	for line := range strings.Lines(source) {
		head := line[:len(line)-len(strings.TrimLeft(line, " \t>*+-.)0123456789"))]
		n := strings.Count(head, ">")
		for field := range strings.FieldsSeq(head) {
			if strings.ContainsAny(field[len(field)-1:], "*+-.)") {
				n++
			}
		}
		if n > deepest {
			return true
		}
	}
	return false
}
