package input

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"iter"
	"regexp"
	"strings"

	"golang.org/x/net/html/charset"
)

const (
	maxDepth      = 500
	maxAttributes = 1000
	maxToken      = 4 << 20 // bytes
	maxQuotes     = 20_000  // attributes of one tag before they are looked at
)

// XML reads the tokens of a document within bounds: a document nested more
// than 500 deep, or with a tag or a text of 4 MB, is ErrTooLarge, and nothing a DTD declares is ever expanded;
// references to its entities stay as they are written. Names keep the prefix
// they are written with as their Space.
type XML struct {
	ctx  context.Context
	d    *xml.Decoder
	open []xml.Name
	err  error // what ended the reading
}

// NewXML reads r, which is UTF-8 or declares its charset. Utf8 says that it is
// UTF-8 whatever it declares. The tokens end when ctx does.
func NewXML(ctx context.Context, r io.Reader, utf8 bool) *XML {
	x := &XML{ctx: ctx, d: xml.NewDecoder(&tokenLimit{r: Until(ctx, r)})}
	x.d.CharsetReader = charset.NewReaderLabel
	if utf8 {
		x.d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	}
	x.d.Entity = map[string]string{}
	for name, text := range xml.HTMLEntity {
		x.d.Entity[name] = text
	}
	return x
}

// tokenLimit ends in ErrTooLarge where no tag begins for maxToken bytes, or
// for what may be maxQuotes attributes: the decoder holds each text and each
// tag in memory.
type tokenLimit struct {
	r           io.Reader
	run, quotes int
}

func (l *tokenLimit) Read(p []byte) (int, error) {
	n, err := l.r.Read(p[:min(len(p), 64<<10)])
	rest := p[:n]
	if i := bytes.LastIndexByte(rest, '<'); i >= 0 {
		rest = rest[i:]
		l.run, l.quotes = 0, 0
	}
	l.run += len(rest)
	l.quotes += bytes.Count(rest, []byte(`="`)) + bytes.Count(rest, []byte("='"))
	if l.run > maxToken || l.quotes > maxQuotes {
		return 0, ErrTooLarge
	}
	return n, err
}

// Depth is the number of elements open after the last token.
func (x *XML) Depth() int { return len(x.open) }

var entity = regexp.MustCompile(`<!ENTITY\s+([^\s%"'<>&;]+)\s`)

// Next returns the next token, valid until the one after, and io.EOF at the
// end of a well-formed document. After an error it returns that error.
func (x *XML) Next() (xml.Token, error) {
	if x.err != nil {
		return nil, x.err
	}
	t, err := x.next()
	x.err = err
	return t, err
}

func (x *XML) next() (xml.Token, error) {
	t, err := x.d.RawToken()
	switch {
	case err != nil && x.ctx.Err() != nil:
		return nil, context.Cause(x.ctx)
	case errors.Is(err, ErrTooLarge):
		return nil, ErrTooLarge
	case err == io.EOF && len(x.open) > 0:
		return nil, ErrMalformed
	case err != nil && err != io.EOF:
		return nil, ErrMalformed
	case err != nil:
		return nil, err
	}
	switch t := t.(type) {
	case xml.StartElement:
		if len(x.open) >= maxDepth || len(t.Attr) > maxAttributes {
			return nil, ErrTooLarge
		}
		x.open = append(x.open, t.Name)
	case xml.EndElement:
		if len(x.open) == 0 || x.open[len(x.open)-1] != t.Name {
			return nil, ErrMalformed
		}
		x.open = x.open[:len(x.open)-1]
	case xml.Directive:
		for _, m := range entity.FindAllSubmatch(t, 10_000) {
			if name := string(m[1]); x.d.Entity[name] == "" {
				x.d.Entity[name] = "&" + name + ";"
			}
		}
	}
	return t, nil
}

// Err is the error that ended the reading, nil at the end of the document.
func (x *XML) Err() error {
	if x.err == io.EOF {
		return nil
	}
	return x.err
}

// Tokens are those from here to the end of the element that was opened last,
// the end included, or of the document when no element is open. What is read
// of the document meanwhile is not among them. They end at an error, which Err
// returns.
func (x *XML) Tokens() iter.Seq[xml.Token] {
	return func(yield func(xml.Token) bool) {
		for depth := len(x.open); len(x.open) >= depth; {
			if t, err := x.Next(); err != nil || !yield(t) {
				return
			}
		}
	}
}

// Elements are the start tags among Tokens, at any depth.
func (x *XML) Elements() iter.Seq[xml.StartElement] {
	return func(yield func(xml.StartElement) bool) {
		for t := range x.Tokens() {
			if start, ok := t.(xml.StartElement); ok && !yield(start) {
				return
			}
		}
	}
}

// Skip passes over what is left of the element that was opened last.
func (x *XML) Skip() {
	for range x.Tokens() {
	}
}

// Text is the text in what is left of the element that was opened last.
func (x *XML) Text() string {
	var sb strings.Builder
	for t := range x.Tokens() {
		if s, ok := t.(xml.CharData); ok {
			sb.Write(s)
		}
	}
	return sb.String()
}

// Attr is the value of the attribute with that local name.
func Attr(t xml.StartElement, local string) string {
	for _, a := range t.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// Qualified is a name as it is written.
func Qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + strings.TrimSpace(n.Local)
}
