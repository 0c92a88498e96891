package extract

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// cleanText removes invisible characters from all prose under n and joins
// adjacent texts.
func cleanText(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode {
			cleanText(c)
			continue
		}
		if next := c.NextSibling; next != nil && next.Type == html.TextNode {
			var sb strings.Builder
			sb.WriteString(c.Data)
			for ; next != nil && next.Type == html.TextNode; next = c.NextSibling {
				sb.WriteString(next.Data)
				n.RemoveChild(next)
			}
			c.Data = sb.String()
		}
		c.Data = cleanProse(c.Data)
	}
}

// cleanProse drops characters nobody sees: zero-width and tag characters, soft
// hyphens, bidirectional overrides, controls, icon-font code points. Joiners
// stay where a script or an emoji needs them; unusual spaces become plain ones.
func cleanProse(s string) string {
	clean := true
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 || s[i] < 0x20 && s[i] != '\n' && s[i] != '\t' || s[i] == 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var sb strings.Builder
	sb.Grow(len(s))
	prev := rune(0)
	flag := false // inside a flag of tag characters
	for i, r := range s {
		switch {
		case r == 0x200c || r == 0x200d:
			if next := nextRune(s[i:]); !joins(prev) || !joins(next) {
				continue
			}
		case r == 0x00a0, r == 0x202f, r == 0x2007, r == 0x3000, r == '\r':
			r = ' '
		case r >= 0xe0000 && r <= 0xe007f:
			if !flag && prev != 0x1f3f4 {
				continue
			}
			flag = r != 0xe007f
		case r == '\n', r == '\t':
		case unicode.IsControl(r), unicode.Is(unicode.Co, r), invisible[r], isReserved(r):
			continue
		default:
			flag = false
		}
		prev = r
		sb.WriteRune(r)
	}
	return sb.String()
}

var invisible = map[rune]bool{
	0x00ad: true, 0x034f: true, 0x061c: true, 0x115f: true, 0x1160: true, 0x17b4: true, 0x17b5: true, 0x180e: true,
	0x200b: true, 0x200e: true, 0x200f: true, 0x202a: true, 0x202b: true, 0x202c: true, 0x202d: true, 0x202e: true,
	0x2060: true, 0x2061: true, 0x2062: true, 0x2063: true, 0x2064: true, 0x2066: true, 0x2067: true, 0x2068: true,
	0x2069: true, 0x206a: true, 0x206b: true, 0x206c: true, 0x206d: true, 0x206e: true, 0x206f: true, 0x3164: true,
	0xfeff: true, 0xffa0: true,
}

// nextRune is the rune after the first of s.
func nextRune(s string) rune {
	first := true
	for _, r := range s {
		if !first {
			return r
		}
		first = false
	}
	return 0
}

// joins reports whether a joiner beside r changes what is shown: scripts with
// joining letters, and emoji.
func joins(r rune) bool { return r >= 0x0600 && r < 0x1e00 || r >= 0x2190 }
