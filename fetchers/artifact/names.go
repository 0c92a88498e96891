package artifact

import (
	"encoding/base64"
	"mime"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/unicode/norm"
)

// SafeName turns any text into a file name for every file system: the last
// element of a path, without control and invisible characters, leading dots
// or dashes and the names of Windows devices, at most 120 bytes with the
// extension kept. A safe name stays as it is.
func SafeName(s string) string {
	s = strings.ToValidUTF8(s, "_")
	s = strings.TrimRight(s, `/\ `)
	s = s[strings.LastIndexAny(s, `/\`)+1:]
	s = norm.NFC.String(strings.Map(safeRune, s))
	s = strings.Join(strings.Fields(s), " ")
	s = strings.TrimLeft(s, ".- ")
	s = strings.TrimRight(s, ". ")
	switch {
	case s == "":
		return "file"
	case isDevice(s):
		s = "_" + s
	}
	return capName(s)
}

func safeRune(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp):
		return -1
	case strings.ContainsRune(`:*?"<>|`, r):
		return '-'
	}
	return r
}

func capName(s string) string {
	if len(s) <= maxNameBytes {
		return s
	}
	ext := extension(s)
	stem := s[:maxNameBytes-len(ext)]
	for !utf8.ValidString(stem) {
		stem = stem[:len(stem)-1]
	}
	return strings.TrimRight(stem, ". ") + ext
}

var (
	extensionPattern = regexp.MustCompile(`(?i)(?:\.tar)?\.[a-z0-9_]*[a-z][a-z0-9_]*$`)
	devicePattern    = regexp.MustCompile(`(?i)^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])(?:\.|$)`)
)

// extension is the end of a name that says what is in the file, ".pdf" or
// ".tar.gz". A version number is none.
func extension(name string) string {
	ext := extensionPattern.FindString(name)
	if len(ext) > maxExtBytes || len(ext) == len(name) {
		return ""
	}
	return ext
}

// isDevice reports whether Windows takes a name for a device.
func isDevice(name string) bool { return devicePattern.MatchString(strings.ReplaceAll(name, " ", "")) }

// NameFrom chooses the name of a raw body: the one in the content-disposition
// header, else the last element of the URL's path, else "index". A name
// without an extension gets that of the media type, and so does a URL's name
// that ends as server programs do. The result is safe.
func NameFrom(contentDisposition string, u *url.URL, mediaType string) string {
	typeExt := typeExtension(mediaType)
	if typeExt == ".txt" {
		typeExt = "" // LICENSE and Makefile are names of their own
	}
	if name := dispositionName(contentDisposition); name != "" {
		return withExtension(name, typeExt)
	}
	name := ""
	if u != nil {
		path := strings.TrimRight(u.Path, "/")
		name = path[strings.LastIndexByte(path, '/')+1:]
	}
	if strings.Trim(name, ". -") == "" {
		name = "index"
	}
	if ext := filepath.Ext(name); typeExt != "" && slices.Contains(serverPrograms, strings.ToLower(ext)) {
		name = strings.TrimSuffix(name, ext)
	}
	return withExtension(name, typeExt)
}

// serverPrograms are extensions in URLs that say how an answer was made, not
// what it is.
var serverPrograms = []string{".action", ".ashx", ".asp", ".aspx", ".cfm", ".cgi", ".do", ".jsp", ".php", ".pl"}

func withExtension(name, ext string) string {
	name = SafeName(name)
	if extension(name) == "" && ext != "" {
		name = SafeName(name + ext)
	}
	return name
}

// moreTypes are media types of text that mimetype does not know, since no
// magic number tells them.
var moreTypes = map[string]string{
	"application/ecmascript":   ".js",
	"application/sql":          ".sql",
	"application/toml":         ".toml",
	"application/x-ipynb+json": ".ipynb",
	"application/x-yaml":       ".yaml",
	"application/yaml":         ".yaml",
	"text/css":                 ".css",
	"text/markdown":            ".md",
	"text/x-diff":              ".diff",
	"text/x-patch":             ".patch",
	"text/x-yaml":              ".yaml",
	"text/yaml":                ".yaml",
}

// typeExtension is the extension of a media type, or "" when the type says
// nothing about the content.
func typeExtension(mediaType string) string {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	if ext, ok := moreTypes[mediaType]; ok {
		return ext
	}
	if m := mimetype.Lookup(mediaType); m != nil {
		return m.Extension()
	}
	for _, suffix := range []string{"json", "xml", "zip"} {
		if strings.HasSuffix(mediaType, "+"+suffix) {
			return "." + suffix
		}
	}
	return ""
}

// dispositionName reads the file name out of a content-disposition header by
// RFC 6266, and out of what servers send instead: raw UTF-8 or Latin-1,
// percent-encoding and RFC 2047 words where none belong, unquoted spaces,
// whole paths, no disposition type, broken extended values. It is "" when
// there is no name.
func dispositionName(header string) string {
	params := dispositionParams(header)
	for _, p := range params {
		if p.key == "filename*" {
			if name, ok := decodeExtended(p.value); ok && name != "" {
				return name
			}
		}
	}
	if name := joinContinuations(params); name != "" {
		return name
	}
	for _, key := range []string{"filename", "filename*"} {
		for _, p := range params {
			if p.key == key && p.value != "" {
				return decodeLoose(p.value)
			}
		}
	}
	return ""
}

type param struct{ key, value string }

// dispositionParams splits a header into its parameters. Quoted values may
// hold semicolons; a missing closing quote ends with the header.
func dispositionParams(header string) []param {
	var params []param
	for header != "" {
		var part string
		part, header = cutUnquoted(header, ';')
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			continue
		}
		params = append(params, param{strings.ToLower(strings.TrimSpace(key)), unquote(strings.TrimSpace(value))})
	}
	return params
}

// cutUnquoted cuts s at the first sep outside double quotes.
func cutUnquoted(s string, sep byte) (before, after string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '\\' && quoted && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
		case s[i] == sep && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// unquote takes a value out of its quotes. A backslash before anything but a
// quote or a backslash is the path separator of a Windows client.
func unquote(s string) string {
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return s[1 : len(s)-1]
	}
	if s == "" || s[0] != '"' {
		return s
	}
	s = strings.TrimSuffix(s[1:], `"`)
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s)
}

// decodeExtended reads charset'language'percent-encoded, RFC 5987.
func decodeExtended(value string) (string, bool) {
	charset, rest, ok := strings.Cut(value, "'")
	if !ok {
		return "", false
	}
	_, encoded, ok := strings.Cut(rest, "'")
	if !ok {
		return "", false
	}
	raw, err := url.PathUnescape(encoded)
	if err != nil {
		return "", false
	}
	return decodeCharset(charset, raw)
}

func decodeCharset(charset, raw string) (string, bool) {
	if charset == "" || strings.EqualFold(charset, "utf-8") {
		return raw, utf8.ValidString(raw)
	}
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return "", false
	}
	s, err := enc.NewDecoder().String(raw)
	return s, err == nil
}

// joinContinuations joins filename*0*=, filename*1=, … of RFC 2231.
func joinContinuations(params []param) string {
	var b strings.Builder
	charset := ""
	for n := 0; ; n++ {
		key := "filename*" + strconv.Itoa(n)
		i := slices.IndexFunc(params, func(p param) bool { return strings.TrimSuffix(p.key, "*") == key })
		if i < 0 {
			break
		}
		value := params[i].value
		if strings.HasSuffix(params[i].key, "*") {
			if n == 0 {
				if cs, rest, ok := strings.Cut(value, "'"); ok {
					charset = cs
					_, value, _ = strings.Cut(rest, "'")
				}
			}
			if raw, err := url.PathUnescape(value); err == nil {
				value = raw
			}
		}
		b.WriteString(value)
	}
	if name, ok := decodeCharset(charset, b.String()); ok {
		return name
	}
	return ""
}

var words = mime.WordDecoder{}

// decodeLoose reads a plain filename value as browsers do.
func decodeLoose(s string) string {
	if strings.HasPrefix(s, "=?") {
		if decoded, err := words.DecodeHeader(s); err == nil && decoded != s {
			return decoded
		}
		if decoded, ok := decodeBrokenWord(s); ok {
			return decoded
		}
	}
	if strings.Contains(s, "%") {
		if decoded, err := url.PathUnescape(s); err == nil && utf8.ValidString(decoded) {
			s = decoded
		}
	}
	if !utf8.ValidString(s) {
		s, _ = charmap.Windows1252.NewDecoder().String(s)
		return s
	}
	return undoLatin1(s)
}

// decodeBrokenWord reads a single =?utf-8?b?…?= whose padding is missing.
func decodeBrokenWord(s string) (string, bool) {
	fields := strings.SplitN(strings.TrimSuffix(s, "?="), "?", 4)
	if len(fields) != 4 || !strings.EqualFold(fields[2], "b") {
		return "", false
	}
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(fields[3], "="))
	if err != nil {
		return "", false
	}
	return decodeCharset(fields[1], string(raw))
}

// undoLatin1 restores UTF-8 that was taken for Latin-1 on its way here, as
// some HTTP stacks do with header values.
func undoLatin1(s string) string {
	raw := make([]byte, 0, len(s))
	multibyte := false
	for _, r := range s {
		if r > 0xff {
			return s
		}
		multibyte = multibyte || r > 0x7f
		raw = append(raw, byte(r))
	}
	if multibyte && utf8.Valid(raw) {
		return string(raw)
	}
	return s
}
