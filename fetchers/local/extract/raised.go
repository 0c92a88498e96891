package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxRaised is the length, in characters, of what is taken for an exponent or
// an index; what is longer is a remark in small print.
const maxRaised = 12

// markRaised writes powers and indices with a sign where the text without it
// would be another number or word: 10^6, not 106; V_max, not Vmax. Ordinals,
// marks like ™ and formulas like H2O read the same on one line.
func markRaised(content *html.Node) {
	for _, n := range findAll(content, is(atom.Sup, atom.Sub)) {
		t := strings.TrimSpace(cleanProse(shortText(n, 40)))
		before := runeBefore(n)
		if t == "" || utf8.RuneCountInString(t) > maxRaised || before == 0 || unicode.IsSpace(before) || strings.ContainsRune("[(", []rune(t)[0]) ||
			contains(n, is(atom.A, atom.Img)) {
			continue
		}
		digits := strings.ContainsFunc(t, unicode.IsDigit)
		after := runeAfter(n)
		sign := ""
		switch {
		case n.DataAtom == atom.Sup && (digits || strings.Contains(" n k m i j t T N + - − ", " "+t+" ")):
			sign = "^"
		case n.DataAtom == atom.Sub && (!digits || unicode.IsDigit(before) || unicode.IsDigit(after)) && strings.ContainsFunc(t, isWord):
			sign = "_"
		default:
			continue
		}
		if len(t) > 1 && strings.ContainsAny(strings.TrimLeft(t, "+-−"), " +-−/*,=") {
			sign += "("
			n.AppendChild(text(")"))
		} else if isWord(after) {
			n.AppendChild(text(" "))
		}
		n.InsertBefore(text(sign), n.FirstChild)
	}
}

// runeBefore is the character that n's text follows without a break.
func runeBefore(n *html.Node) rune {
	for ; n != nil && !isBlock(n); n = n.Parent {
		for s := n.PrevSibling; s != nil; s = s.PrevSibling {
			for s.LastChild != nil {
				s = s.LastChild
			}
			if s.Type != html.TextNode {
				return 0
			}
			if s.Data != "" {
				r, _ := utf8.DecodeLastRuneInString(s.Data)
				return r
			}
		}
	}
	return 0
}

// runeAfter is the character that follows n's text without a break.
func runeAfter(n *html.Node) rune {
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		for s.FirstChild != nil {
			s = s.FirstChild
		}
		if s.Type != html.TextNode {
			return 0
		}
		if s.Data != "" {
			r, _ := utf8.DecodeRuneInString(s.Data)
			return r
		}
	}
	return 0
}
