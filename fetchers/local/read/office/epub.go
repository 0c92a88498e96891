package office

import (
	"bytes"
	"context"
	"encoding/xml"
	"html"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

const (
	maxChapter  = 8 << 20 // bytes of a chapter, of which half is rendered
	maxChapters = 5000
	maxBook     = 8 << 20 // bytes of markdown
)

// EPUB renders a book, its chapters in reading order. Chapters that are
// encrypted are left out and counted. What is no book is ErrMalformed.
func EPUB(ctx context.Context, f input.File) (render.Content, error) {
	z, err := input.OpenZip(ctx, f.Path)
	if err != nil {
		return render.Content{}, err
	}
	defer z.Close()
	b := &book{packaged: packaged{ctx: ctx, z: z}}
	if err := b.readPackage(); err != nil {
		return render.Content{}, err
	}
	out := render.Builder{Limit: maxBook}
	encrypted, missing, cut := 0, 0, false
	for _, name := range b.spine {
		if ctx.Err() != nil {
			return render.Content{}, context.Cause(ctx)
		}
		if b.encrypted[name] {
			encrypted++
			continue
		}
		text, err := z.Read(name, maxChapter)
		if err != nil || text == nil {
			missing++
			continue
		}
		chapter, tooLong := b.chapter(text)
		md, err := render.HTML(chapter, nil, 0)
		if err != nil {
			missing++
			continue
		}
		cut = cut || tooLong
		if md != "" && !out.Add("\n"+md) {
			cut = true
			break
		}
	}
	facts := []string{render.Plural(len(b.spine), "chapter")}
	if b.author != "" {
		facts = append([]string{"by " + render.Clip(termtext.Line(b.author), 200)}, facts...)
	}
	if encrypted > 0 {
		facts = append(facts, termtext.Count(encrypted)+" encrypted")
	}
	if missing > 0 {
		facts = append(facts, termtext.Count(missing)+" unreadable")
	}
	return finish(b.title, facts, &out, cut, nil), nil
}

type book struct {
	packaged
	title, author string
	spine         []string // parts, in reading order
	encrypted     map[string]bool
}

// readPackage finds the package file and reads the order of the chapters.
func (b *book) readPackage() error {
	root := ""
	b.each("META-INF/container.xml", func(t xml.StartElement) {
		if t.Name.Local == "rootfile" && root == "" {
			root = input.PartName(input.Attr(t, "full-path"))
		}
	})
	if root == "" || !b.z.Has(root) {
		return input.ErrMalformed
	}
	b.encrypted = map[string]bool{}
	b.each("META-INF/encryption.xml", func(t xml.StartElement) {
		if t.Name.Local == "CipherReference" {
			b.encrypted[reference("", input.Attr(t, "URI"))] = true
		}
	})
	parts := map[string]string{}
	b.each(root, func(t xml.StartElement) {
		switch t.Name.Local {
		case "item":
			if kind := input.Attr(t, "media-type"); strings.Contains(kind, "html") || kind == "text/x-oeb1-document" {
				parts[input.Attr(t, "id")] = reference(path.Dir(root), input.Attr(t, "href"))
			}
		case "itemref":
			if name := parts[input.Attr(t, "idref")]; name != "" && len(b.spine) < maxChapters {
				b.spine = append(b.spine, name)
			}
		}
	})
	b.title, b.author = textOf(b.ctx, b.z, root, "title"), textOf(b.ctx, b.z, root, "creator")
	if len(b.spine) == 0 {
		return input.ErrMalformed
	}
	return nil
}

// reference is the part an address in a folder leads to.
func reference(dir, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if s, err := url.PathUnescape(href); err == nil {
		href = s
	}
	return input.PartName(path.Join(dir, href))
}

// kept are the elements of a chapter that have a form in markdown, and what
// they become.
var kept = map[string]string{
	"p": "p", "h1": "h1", "h2": "h2", "h3": "h3", "h4": "h4", "h5": "h5", "h6": "h6", "ul": "ul", "ol": "ol", "li": "li",
	"dl": "dl", "dt": "dt", "dd": "dd", "table": "table", "thead": "thead", "tbody": "tbody", "tfoot": "tfoot", "tr": "tr", "th": "th", "td": "td",
	"caption": "caption", "blockquote": "blockquote", "pre": "pre", "code": "code", "kbd": "kbd", "samp": "samp",
	"em": "em", "i": "em", "strong": "strong", "b": "strong", "del": "del", "s": "del", "sup": "sup", "sub": "sub",
	"div": "div", "section": "div", "article": "div", "aside": "div", "header": "div", "footer": "div", "figure": "div", "main": "div", "nav": "div",
	"figcaption": "p", "address": "p",
}

// dropped are the elements nobody reads.
var dropped = map[string]bool{"head": true, "script": true, "style": true, "svg": true, "audio": true, "video": true, "object": true, "iframe": true, "template": true}

// chapter is a chapter in the few elements markdown has, without what would
// make the page extraction choose among them. One that is not well-formed is
// returned as it is.
func (b *book) chapter(text []byte) (chapter string, cut bool) {
	var sb strings.Builder
	x := input.NewXML(b.ctx, bytes.NewReader(text), false)
	var closing []string // what ends the elements that are open
	for {
		t, err := x.Next()
		if err != nil {
			if len(closing) > 0 { // not the end of the document
				if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
					return "", false
				}
				return string(text[:min(len(text), maxChapter/2)]), len(text) > maxChapter/2
			}
			return sb.String(), cut
		}
		if sb.Len() > maxChapter/2 {
			return sb.String(), true
		}
		switch t := t.(type) {
		case xml.CharData:
			sb.WriteString(html.EscapeString(string(t)))
		case xml.EndElement:
			sb.WriteString(closing[len(closing)-1])
			closing = closing[:len(closing)-1]
		case xml.StartElement:
			name := strings.ToLower(t.Name.Local)
			if dropped[name] {
				if x.Skip(); x.Err() != nil {
					return sb.String(), true
				}
				continue
			}
			start, end := b.element(name, t)
			sb.WriteString(start)
			closing = append(closing, end)
		}
	}
}

// element is what an element of a chapter becomes.
func (b *book) element(name string, t xml.StartElement) (start, end string) {
	id := ""
	if s := input.Attr(t, "id"); s != "" {
		id = ` id="` + html.EscapeString(s) + `"`
	}
	switch name {
	case "br", "hr":
		return "<" + name + ">", ""
	case "img", "image":
		return picture(input.Attr(t, "alt")), ""
	case "a":
		href := input.Attr(t, "href")
		switch {
		case strings.HasPrefix(href, "#") && strings.Contains(input.Attr(t, "type"), "noteref"):
			return `<sup><a href="` + html.EscapeString(href) + `">`, "</a></sup>"
		case strings.HasPrefix(href, "#") || isAddress(href):
			return `<a href="` + html.EscapeString(href) + `">`, "</a>"
		}
		return "", ""
	}
	tag := kept[name]
	if tag == "" {
		return "", ""
	}
	attrs := id
	for _, key := range []string{"colspan", "rowspan", "start", "value"} {
		if v := input.Attr(t, key); v != "" {
			attrs += " " + key + `="` + html.EscapeString(v) + `"`
		}
	}
	if tag == "pre" || tag == "code" {
		if v := input.Attr(t, "class"); v != "" {
			attrs += ` class="` + html.EscapeString(v) + `"`
		}
	}
	return "<" + tag + attrs + ">", "</" + tag + ">"
}
