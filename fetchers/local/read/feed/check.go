package feed

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"regexp"

	"pifetch/fetchers/local/read/input"
)

// maxDepth is how many elements may be open at once. Feeds with bare HTML leave
// some open.
const maxDepth = 5000

// check refuses what would cost the parser more than it is worth. It is
// lenient where feeds are wrong in practice.
func check(ctx context.Context, text []byte) error {
	text = bytes.TrimSpace(text)
	if bytes.HasPrefix(text, []byte("{")) {
		depth := 0
		for _, c := range text {
			switch c {
			case '{', '[':
				if depth++; depth > 10_000 {
					return input.ErrTooLarge
				}
			case '}', ']':
				depth--
			}
		}
		return nil
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	depth := 0
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		t, err := d.RawToken()
		if err != nil {
			return nil // the parser decides what it can make of the rest
		}
		switch t.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return input.ErrTooLarge
			}
		case xml.EndElement:
			depth--
		}
	}
}

var encoding = regexp.MustCompile(`^(\s*<\?xml[^>]*?)\s+encoding\s*=\s*["'][^"'>]*["']`)

// dropEncoding removes the declaration of a charset the text is not in any
// more.
func dropEncoding(text []byte) []byte { return encoding.ReplaceAll(text, []byte("$1")) }
