package extract

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/transform"
)

// metaScan is how far into a page its charset declaration is looked for.
const metaScan = 64 << 10

// Decode returns a page's bytes as UTF-8. A byte order mark decides first;
// what is valid UTF-8 stays as it is, since a declaration that contradicts it
// is wrong far more often; then contentType, the page's own declaration and
// windows-1252 decide.
func Decode(raw []byte, contentType string) []byte {
	switch {
	case bytes.HasPrefix(raw, []byte("\xEF\xBB\xBF")):
		raw = raw[3:]
	case bytes.HasPrefix(raw, []byte("\xFE\xFF")), bytes.HasPrefix(raw, []byte("\xFF\xFE")):
		return convert(raw, raw[:2], contentType)
	}
	if utf8.Valid(raw) {
		return raw
	}
	return convert(raw, declaration(raw), contentType)
}

func convert(raw, head []byte, contentType string) []byte {
	enc, _, _ := charset.DetermineEncoding(head, contentType)
	out, _, err := transform.Bytes(enc.NewDecoder(), raw)
	if err != nil {
		out = raw
	}
	// A UTF-8 page with a few broken bytes passes the decoder as it is.
	return bytes.ToValidUTF8(bytes.TrimPrefix(out, []byte("\xEF\xBB\xBF")), []byte("\uFFFD"))
}

// declaration returns the part of the head from its first meta element with a
// charset on: the sniffer reads no further than 1,024 bytes.
func declaration(raw []byte) []byte {
	head := bytes.ToLower(raw[:min(len(raw), metaScan)])
	for at := 0; ; {
		i := bytes.Index(head[at:], []byte("<meta"))
		if i < 0 {
			return raw
		}
		at += i
		end := bytes.IndexByte(head[at:], '>')
		if end < 0 {
			return raw
		}
		if bytes.Contains(head[at:at+end], []byte("charset")) {
			return raw[at:]
		}
		at += end
	}
}
