package feed

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"regexp"
	"slices"

	"pifetch/fetchers/local/read/input"
)

const (
	// maxDepth is how many elements may be open at once. Feeds with bare HTML
	// leave some open.
	maxDepth = 5000

	maxToken = 4 << 20 // bytes: the parser holds several copies of a text
)

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
	if longestToken(text) > maxToken {
		return input.ErrTooLarge
	}
	d := xml.NewDecoder(input.Until(ctx, bytes.NewReader(text)))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	depth := 0
	for {
		t, err := d.RawToken()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		} else if err != nil {
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

// dropEncoding removes, in place, the declaration of a charset the text is not
// in any more.
func dropEncoding(text []byte) []byte {
	if m := encoding.FindSubmatchIndex(text); m != nil {
		return slices.Delete(text, m[3], m[1])
	}
	return text
}

// longestToken is the length of the longest text, tag, comment or CDATA
// section.
func longestToken(text []byte) int {
	longest := 0
	for len(text) > 0 {
		end := -1
		switch {
		case bytes.HasPrefix(text, []byte("<![CDATA[")):
			end = bytes.Index(text, []byte("]]>"))
		case bytes.HasPrefix(text, []byte("<!--")):
			end = bytes.Index(text, []byte("-->"))
		default:
			end = bytes.IndexByte(text[1:], '<') + 1
		}
		if end <= 0 {
			end = len(text)
		}
		longest = max(longest, end)
		text = text[end:]
	}
	return longest
}
