package artifact

import (
	"bytes"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"pifetch/fetchers"
)

// meter counts a body's lines and bytes and takes its outline as the bytes
// pass. Its memory does not depend on the body.
type meter struct {
	bytes   int64
	lines   int
	partial bool   // the last line has no line break yet
	binary  bool   // not UTF-8, or with a NUL
	rest    []byte // the beginning of a rune whose end has not come
	outline *outliner
}

// newMeter returns a meter for a body of that name.
func newMeter(name string) *meter {
	m := &meter{}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".markdown":
		m.outline = &outliner{}
	}
	return m
}

func (m *meter) Write(p []byte) (int, error) {
	m.bytes += int64(len(p))
	if m.binary || len(p) == 0 {
		return len(p), nil
	}
	if bytes.IndexByte(p, 0) >= 0 || !m.validText(p) {
		m.binary, m.outline = true, nil
		return len(p), nil
	}
	m.lines += bytes.Count(p, []byte{'\n'})
	m.partial = p[len(p)-1] != '\n'
	if m.outline != nil {
		m.outline.write(p)
	}
	return len(p), nil
}

// validText reports whether p continues valid UTF-8.
func (m *meter) validText(p []byte) bool {
	for len(m.rest) > 0 && !utf8.FullRune(m.rest) && len(p) > 0 {
		m.rest = append(m.rest, p[0])
		p = p[1:]
	}
	if len(m.rest) > 0 && utf8.FullRune(m.rest) {
		if r, size := utf8.DecodeRune(m.rest); r == utf8.RuneError && size == 1 {
			return false
		}
		m.rest = m.rest[:0]
	}
	end := len(p)
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if start := len(p) - i; utf8.RuneStart(p[start]) {
			if !utf8.FullRune(p[start:]) {
				end = start
			}
			break
		}
	}
	m.rest = append(m.rest, p[end:]...)
	return utf8.Valid(p[:end])
}

// body is what was measured.
func (m *meter) body() fetchers.Body {
	b := fetchers.Body{Bytes: m.bytes}
	if m.binary || len(m.rest) > 0 {
		return b
	}
	b.Lines = m.lines
	if m.partial {
		b.Lines++
	}
	if m.outline != nil {
		b.Outline = m.outline.finish()
	}
	return b
}
