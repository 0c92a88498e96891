package input

import (
	"bytes"
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"
)

// UTF8 is the charset of text that needs no decoding.
const UTF8 = "utf-8"

// sample is how much of a text its charset is guessed from.
const sample = 64 << 10

// Text is a file's text as valid UTF-8 without a byte order mark.
type Text struct {
	io.Reader
	Charset string // the file's: UTF8, "windows-1252", "utf-16le"
	Size    int64  // of the file

	file *os.File
}

// Close closes the file.
func (t *Text) Close() error { return t.file.Close() }

// OpenText opens a file as text. A byte order mark decides on its charset;
// what is valid UTF-8 is UTF-8; then the Content-Type, the text's own
// declaration and what the bytes look like decide. A label nobody knows stands
// for UTF-8. Reading it ends when ctx does.
func (f File) OpenText(ctx context.Context) (*Text, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	t := &Text{file: file}
	enc, err := t.detect(ctx, f.Charset)
	if err != nil {
		file.Close()
		return nil, err
	}
	t.Reader = transform.NewReader(Until(ctx, file), enc.NewDecoder())
	return t, nil
}

var marks = []struct {
	mark, name string
	enc        encoding.Encoding
}{
	{"\xEF\xBB\xBF", UTF8, unicode.UTF8},
	{"\xFF\xFE\x00\x00", "utf-32le", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"\x00\x00\xFE\xFF", "utf-32be", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	{"\xFF\xFE", "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	{"\xFE\xFF", "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
}

// detect sets the charset and leaves the file where the text begins.
func (t *Text) detect(ctx context.Context, label string) (encoding.Encoding, error) {
	info, err := t.file.Stat()
	if err != nil {
		return nil, err
	}
	t.Size = info.Size()
	head, err := t.at(0)
	if err != nil {
		return nil, err
	}
	for _, m := range marks {
		if bytes.HasPrefix(head, []byte(m.mark)) {
			t.Charset = m.name
			_, err := t.file.Seek(int64(len(m.mark)), io.SeekStart)
			return m.enc, err
		}
	}
	invalid, err := firstInvalid(Until(ctx, t.file))
	if err != nil {
		return nil, err
	}
	if _, err := t.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if m := wide(head); m >= 0 {
		t.Charset = marks[m].name
		return marks[m].enc, nil
	}
	t.Charset = UTF8
	if invalid < 0 {
		return unicode.UTF8, nil
	}
	around, err := t.at(max(0, invalid-sample/2))
	if err != nil {
		return nil, err
	}
	enc, name := choose(label, head, around)
	t.Charset = name
	return enc, nil
}

func (t *Text) at(off int64) ([]byte, error) {
	b := make([]byte, sample)
	n, err := t.file.ReadAt(b, off)
	if err == io.EOF {
		err = nil
	}
	return b[:n], err
}

// choose names the charset of text that is not valid UTF-8.
func choose(label string, head, around []byte) (encoding.Encoding, string) {
	if label != "" {
		if enc, name := lookup(label); enc != nil {
			return enc, name
		}
		return unicode.UTF8, UTF8
	}
	if m := declared.FindSubmatch(head[:min(len(head), 1024)]); m != nil {
		if enc, name := lookup(string(m[1])); enc != nil {
			return enc, name
		}
	}
	if enc, name := guess(around); enc != nil {
		return enc, name
	}
	if mostlyASCII(around) {
		return charmap.Windows1252, "windows-1252"
	}
	return unicode.UTF8, UTF8
}

// declared matches the declarations of XML, HTML and CSS.
var declared = regexp.MustCompile(`(?i)(?:^\s*<\?xml[^>]*\bencoding|<meta[^>]*\bcharset|^@charset)\s*=?\s*["']?([\w.:-]+)`)

// lookup knows the labels of the encoding standard. Those it forbids to decode
// are unknown.
func lookup(label string) (encoding.Encoding, string) {
	enc, name := charset.Lookup(strings.TrimSpace(label))
	if enc == encoding.Replacement {
		return nil, ""
	}
	if name == UTF8 {
		enc = unicode.UTF8 // the standard's passes broken bytes on
	}
	return enc, name
}

// mostlyASCII reports whether b can be text in a charset of single bytes.
func mostlyASCII(b []byte) bool {
	ascii := 0
	for _, c := range b {
		if c < 0x80 {
			ascii++
		}
	}
	return ascii*2 > len(b)
}

// wide is the index in marks of UTF-16 without a mark, -1 for anything else:
// most characters of such text have a zero byte.
func wide(b []byte) int {
	if len(b) < 4 {
		return -1
	}
	var zero [2]int
	for i, c := range b {
		if c == 0 {
			zero[i%2]++
		}
	}
	half := len(b) / 2
	switch {
	case zero[1]*10 > half*7 && zero[0]*20 < half:
		return 3
	case zero[0]*10 > half*7 && zero[1]*20 < half:
		return 4
	}
	return -1
}

// firstInvalid is the offset of the first bytes that are not UTF-8, -1 when
// there are none.
func firstInvalid(r io.Reader) (int64, error) {
	buf := make([]byte, sample)
	kept, off := 0, int64(0)
	for {
		n, err := r.Read(buf[kept:])
		chunk := buf[:kept+n]
		for len(chunk) > 0 {
			if chunk[0] < utf8.RuneSelf {
				i := 1
				for i < len(chunk) && chunk[i] < utf8.RuneSelf {
					i++
				}
				chunk = chunk[i:]
				off += int64(i)
				continue
			}
			r, size := utf8.DecodeRune(chunk)
			if r == utf8.RuneError && size <= 1 {
				if err == nil && !utf8.FullRune(chunk) {
					break
				}
				return off, nil
			}
			chunk = chunk[size:]
			off += int64(size)
		}
		if err == io.EOF {
			return -1, nil
		} else if err != nil {
			return 0, err
		}
		kept = copy(buf, chunk)
	}
}
