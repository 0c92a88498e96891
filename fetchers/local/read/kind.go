package read

import (
	"bytes"
	"context"
	"io"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/table"
)

// kind is what a file is taken for.
type kind int

const (
	kindNone kind = iota // nothing to add
	kindPDF
	kindFeed
	kindJSON
	kindJSONFeed
	kindJSONLines
	kindNotebook
	kindXML
	kindCSV
	kindZip
	kindArchive
	kindImage
	kindSVG
	kindText
)

// sampleBytes is how much of a file is looked at.
const sampleBytes = 64 << 10

// kindOf decides what a file is. The magic bytes of binary formats come first,
// then the Content-Type, then, where that says nothing, the extension. Text
// that is called no more than that is looked into for a shape.
func kindOf(ctx context.Context, s Source) (kind, error) {
	f := input.File{Path: s.Path, Charset: s.Charset}
	head, err := headOf(f)
	if err != nil || len(head) == 0 {
		return kindNone, err
	}
	if k, binary := byMagic(head); binary {
		return k, nil
	}
	k := byMediaType(s.MediaType)
	if k == kindUnknown {
		k = byExtension(s.Name)
	}
	switch k {
	case kindXML, kindJSON, kindPlain:
	default:
		return k, nil
	}
	t, err := f.OpenText(ctx)
	if err != nil {
		return kindNone, err
	}
	defer t.Close()
	sample, err := io.ReadAll(io.LimitReader(t, sampleBytes))
	if err != nil {
		return kindNone, err
	}
	return byShape(k, s, sample, int64(len(head)) == t.Size), nil
}

// kindPlain and kindUnknown are steps on the way to a kind: text that may have
// a shape, and a Content-Type that says nothing.
const (
	kindPlain kind = -1 - iota
	kindUnknown
)

func headOf(f input.File) ([]byte, error) {
	file, err := openRegular(f.Path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, sampleBytes))
}

// byMagic knows the binary formats. It reports false for text.
func byMagic(head []byte) (kind, bool) {
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06")) {
		return kindZip, true
	}
	if bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")) {
		return kindArchive, true
	}
	if bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")) && bytes.HasPrefix(bytes.TrimLeft(head, "\xef\xbb\xbf\r\n\t \x00"), []byte("%PDF-")) {
		return kindPDF, true
	}
	m := mimetype.Detect(head)
	for ; m != nil; m = m.Parent() {
		switch name, _, _ := strings.Cut(m.String(), ";"); {
		case name == "text/plain", name == "application/octet-stream":
			return kindNone, false
		case name == "application/gzip", name == "application/x-bzip2", name == "application/x-xz", name == "application/x-tar":
			return kindArchive, true
		case name == "image/svg+xml":
			return kindNone, false
		case strings.HasPrefix(name, "image/"):
			return kindImage, true
		case strings.HasPrefix(name, "audio/"), strings.HasPrefix(name, "video/"), strings.HasPrefix(name, "font/"), strings.HasPrefix(name, "application/"):
			if !isTextual(m) {
				return kindNone, true
			}
		}
	}
	return kindNone, false
}

// isTextual reports whether a format is text underneath, which only its
// Content-Type decides on.
func isTextual(m *mimetype.MIME) bool {
	for ; m != nil; m = m.Parent() {
		if m.Is("text/plain") {
			return true
		}
	}
	return false
}

var mediaTypes = map[string]kind{
	"":                                     kindUnknown,
	"application/octet-stream":             kindUnknown,
	"binary/octet-stream":                  kindUnknown,
	"application/binary":                   kindUnknown,
	"application/download":                 kindUnknown,
	"application/force-download":           kindUnknown,
	"application/x-download":               kindUnknown,
	"application/x-force-download":         kindUnknown,
	"unknown/unknown":                      kindUnknown,
	"application/unknown":                  kindUnknown,
	"application/vnd.ms-excel":             kindUnknown, // what Windows calls CSV
	"application/json":                     kindJSON,
	"text/json":                            kindJSON,
	"application/feed+json":                kindJSONFeed,
	"application/x-ipynb+json":             kindNotebook,
	"application/x-ndjson":                 kindJSONLines,
	"application/ndjson":                   kindJSONLines,
	"application/jsonl":                    kindJSONLines,
	"application/jsonlines":                kindJSONLines,
	"application/x-jsonlines":              kindJSONLines,
	"application/json-lines":               kindJSONLines,
	"application/json-seq":                 kindNone,
	"application/xml":                      kindXML,
	"text/xml":                             kindXML,
	"application/rss+xml":                  kindFeed,
	"application/atom+xml":                 kindFeed,
	"application/rdf+xml":                  kindXML,
	"application/xhtml+xml":                kindNone,
	"image/svg+xml":                        kindSVG,
	"text/html":                            kindNone,
	"text/csv":                             kindCSV,
	"text/x-csv":                           kindCSV,
	"application/csv":                      kindCSV,
	"text/comma-separated-values":          kindCSV,
	"text/tab-separated-values":            kindCSV,
	"text/tsv":                             kindCSV,
	"text/plain":                           kindPlain,
	"application/javascript":               kindText,
	"application/x-javascript":             kindText,
	"application/ecmascript":               kindText,
	"application/typescript":               kindText,
	"application/yaml":                     kindText,
	"application/x-yaml":                   kindText,
	"application/toml":                     kindText,
	"application/sql":                      kindText,
	"application/x-sh":                     kindText,
	"application/x-tex":                    kindText,
	"application/x-subrip":                 kindText,
	"application/x-httpd-php":              kindText,
	"application/x-perl":                   kindText,
	"application/x-python":                 kindText,
	"application/x-ruby":                   kindText,
	"application/rtf":                      kindNone,
	"text/rtf":                             kindNone,
	"application/vnd.google-earth.kml+xml": kindXML,
}

func byMediaType(t string) kind {
	if k, ok := mediaTypes[t]; ok {
		return k
	}
	switch {
	case strings.HasSuffix(t, "+json"):
		return kindJSON
	case strings.HasSuffix(t, "+xml"):
		return kindXML
	case strings.HasPrefix(t, "text/"):
		return kindText
	case strings.HasPrefix(t, "image/"), strings.HasPrefix(t, "audio/"), strings.HasPrefix(t, "video/"), strings.HasPrefix(t, "font/"):
		return kindNone
	}
	return kindUnknown
}

var extensions = map[string]kind{
	".json": kindJSON, ".geojson": kindJSON, ".jsonld": kindJSON, ".webmanifest": kindJSON, ".har": kindJSON,
	".jsonl": kindJSONLines, ".ndjson": kindJSONLines, ".ipynb": kindNotebook,
	".xml": kindXML, ".rss": kindFeed, ".atom": kindFeed, ".rdf": kindXML, ".kml": kindXML, ".gpx": kindXML, ".xsd": kindXML,
	".xsl": kindXML, ".xslt": kindXML, ".wsdl": kindXML, ".plist": kindXML, ".opml": kindXML, ".svg": kindSVG,
	".csv": kindCSV, ".tsv": kindCSV, ".tab": kindCSV,
	".html": kindNone, ".htm": kindNone, ".xhtml": kindNone, ".rtf": kindNone,
	".txt": kindPlain, ".text": kindPlain, ".log": kindPlain, ".dat": kindPlain, ".data": kindPlain,
	".tar": kindArchive,
}

// byExtension is for files about which nothing else is known. An extension it
// does not know may be a text's.
func byExtension(name string) kind {
	ext := strings.ToLower(path.Ext(name))
	if k, ok := extensions[ext]; ok {
		return k
	}
	if ext == "" {
		return kindPlain
	}
	return kindText
}

var root = regexp.MustCompile(`^(?s)\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE(?:[^\[>]*\[.*?\])?[^>]*>\s*)*<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)[\s/>]`)

// byShape looks at the head of a text: the root of XML, the first keys of
// JSON, and for plain text whether it is one of them or a table at all.
func byShape(k kind, s Source, sample []byte, whole bool) kind {
	if bytes.IndexByte(sample, 0) >= 0 || !utf8.Valid(sample[:len(sample)-lastRune(sample)]) {
		return kindNone
	}
	plain := k == kindPlain
	trimmed := bytes.TrimSpace(sample)
	if len(trimmed) == 0 {
		return kindNone
	}
	ext := byExtension(s.Name)
	switch c := trimmed[0]; {
	case c == '<' && k != kindJSON:
		m := root.FindSubmatch(trimmed)
		switch {
		case m == nil:
			return kindText
		case plain && ext == kindNone:
			return kindText // a page's source
		}
		switch strings.ToLower(string(m[1])) {
		case "rss", "feed", "rdf":
			if bytes.Contains(trimmed, []byte("<item")) || bytes.Contains(trimmed, []byte("<entry")) || !bytes.Contains(bytes.ToLower(m[0]), []byte("rdf:rdf")) {
				return kindFeed
			}
			return kindXML
		case "svg":
			return kindSVG
		case "html":
			return kindText
		}
		return kindXML
	case c == '{' || c == '[':
		switch {
		case k == kindXML:
			return kindNone
		case ext == kindNotebook, bytes.Contains(sample, []byte(`"nbformat"`)), bytes.Contains(sample, []byte(`"cell_type"`)) && bytes.Contains(sample, []byte(`"cells"`)):
			return kindNotebook
		case jsonFeed.Match(sample):
			return kindJSONFeed
		}
		return kindJSON
	case plain && (ext == kindCSV || table.HasShape(string(sample), whole)):
		return kindCSV
	case plain:
		return kindText
	}
	return k
}

var jsonFeed = regexp.MustCompile(`"version"\s*:\s*"https?:(?:\\?/){2}jsonfeed\.org(?:\\?/)version`)

// lastRune is the length of a character that a sample cuts off.
func lastRune(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if utf8.RuneStart(b[len(b)-n]) {
			if utf8.FullRune(b[len(b)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}
