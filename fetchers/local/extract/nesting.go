package extract

import (
	"bytes"
	"io"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// nesting rewrites a page for the parser, which refuses more than 512 open
// elements: elements deeper than depth lose their tags and keep their text, a
// line break standing for the edge of a block.
type nesting struct {
	depth int
	plain bool // also drop inline formatting, which the parser reopens in every block
}

var formatting = set("a b big code em font i nobr s small strike strong tt u span")

// optionalEnd lists, for elements whose end tag may be missing, what ends them.
var optionalEnd = map[string]map[string]bool{
	"p":      set("p div ul ol dl table section article h1 h2 h3 h4 h5 h6 pre blockquote"),
	"li":     set("li"),
	"dt":     set("dt dd"),
	"dd":     set("dt dd"),
	"tr":     set("tr"),
	"td":     set("td th tr"),
	"th":     set("td th tr"),
	"option": set("option"),
}

func (l nesting) flatten(page []byte) []byte {
	var (
		out   bytes.Buffer
		stack []openTag
		count = map[string]int{} // open elements by name
		kept  = 0                // open elements with tags in out
		fresh = true             // nothing but a break since the last text
	)
	out.Grow(len(page) / 2)
	pop := func() {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		count[t.name]--
		if t.kept {
			kept--
			out.WriteString("</" + t.name + ">")
		}
	}
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		tt := z.Next()
		if tt == html.ErrorToken {
			if z.Err() == io.EOF {
				return out.Bytes()
			}
			return append(out.Bytes(), z.Buffered()...)
		}
		raw := z.Raw()
		switch tt {
		case html.TextToken:
			out.Write(raw)
			fresh = false
		case html.StartTagToken:
			name, _ := z.TagName()
			tag := string(name)
			if voidOrRaw[tag] {
				out.Write(raw)
				continue
			}
			if len(stack) > 0 && optionalEnd[stack[len(stack)-1].name][tag] {
				pop()
			}
			keep := kept < l.depth && (!l.plain || !formatting[tag])
			switch {
			case keep:
				out.Write(raw)
				kept++
			case !formatting[tag] && !fresh:
				out.WriteString("<br>")
				fresh = true
			}
			stack = append(stack, openTag{tag, keep})
			count[tag]++
		case html.EndTagToken:
			name, _ := z.TagName()
			tag := string(name)
			if voidOrRaw[tag] {
				out.Write(raw)
				continue
			}
			if count[tag] == 0 {
				continue
			}
			for stack[len(stack)-1].name != tag {
				pop()
			}
			pop()
		default:
			out.Write(raw)
		}
	}
}

type openTag struct {
	name string
	kept bool
}

// voidOrRaw are the elements that hold no elements.
var voidOrRaw = func() map[string]bool {
	m := map[string]bool{}
	for _, a := range []atom.Atom{
		atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta,
		atom.Param, atom.Source, atom.Track, atom.Wbr, atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp,
		atom.Iframe, atom.Noembed, atom.Noframes, atom.Noscript, atom.Plaintext, atom.Html, atom.Head, atom.Body,
	} {
		m[a.String()] = true
	}
	return m
}()
