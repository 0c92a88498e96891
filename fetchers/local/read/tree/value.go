package tree

import (
	"encoding/json"
	"io"
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

// value is a JSON value, or as much of it as is kept.
type value struct {
	kind  byte   // { [ " for strings, else 0
	text  string // of a scalar
	keys  []string
	items []*value
	more  int  // items that are not kept
	cut   bool // the text is not all of it
}

type decoder struct {
	dec    *json.Decoder
	budget int
}

func newDecoder(r io.Reader) *decoder {
	dec := json.NewDecoder(r)
	dec.UseNumber()
	return &decoder{dec: dec, budget: maxValues}
}

func (d *decoder) token() (json.Token, error) {
	t, err := d.dec.Token()
	if err != nil {
		return nil, input.ErrMalformed
	}
	return t, nil
}

// document reads one value.
func (d *decoder) document() (*value, error) {
	t, err := d.token()
	if err != nil {
		return nil, err
	}
	return d.value(t, 0, true)
}

// value reads the value that starts with t. One that is not kept is read all
// the same, so that a document is rendered only when it is valid.
func (d *decoder) value(t json.Token, depth int, keep bool) (*value, error) {
	if depth > maxDepth {
		return nil, input.ErrTooLarge
	}
	v := &value{}
	if keep {
		d.budget--
	}
	delim, ok := t.(json.Delim)
	if !ok {
		if keep {
			v.scalar(t)
		}
		return v, nil
	}
	v.kind = byte(delim)
	for d.dec.More() {
		t, err := d.token()
		if err != nil {
			return nil, err
		}
		key := ""
		if v.kind == '{' {
			key, _ = t.(string)
			if t, err = d.token(); err != nil {
				return nil, err
			}
		}
		kept := keep && d.budget > 0 && (v.kind == '{' || len(v.items) < render.MaxRows)
		item, err := d.value(t, depth+1, kept)
		if err != nil {
			return nil, err
		}
		if !kept {
			v.more++
			continue
		}
		v.items = append(v.items, item)
		if v.kind == '{' {
			v.keys = append(v.keys, render.Shorten(key, maxText))
		}
	}
	_, err := d.token()
	return v, err
}

func (v *value) scalar(t json.Token) {
	switch t := t.(type) {
	case nil:
		v.text = "null"
	case bool:
		v.text = "false"
		if t {
			v.text = "true"
		}
	case json.Number:
		v.text = render.Shorten(t.String(), maxText)
	case string:
		v.kind, v.text, v.cut = '"', strings.Clone(render.Shorten(t, maxText)), len(t) > maxText
	}
}

// isRecords reports whether v is a list of objects.
func (v *value) isRecords() bool {
	if v.kind != '[' || len(v.items) == 0 {
		return false
	}
	for _, item := range v.items {
		if item.kind != '{' || len(item.items) == 0 {
			return false
		}
	}
	return true
}

// cell is the value in one line: strings as they are, the rest as JSON.
func (v *value) cell() string {
	if v.kind == '"' {
		return v.text
	}
	var sb strings.Builder
	v.compact(&sb)
	return sb.String()
}

// compact writes v as JSON, as much of it as a cell can hold.
func (v *value) compact(sb *strings.Builder) {
	if sb.Len() > 8*render.MaxCell {
		return
	}
	switch v.kind {
	case 0:
		sb.WriteString(v.text)
		return
	case '"':
		sb.WriteString(quote(v.text))
		return
	}
	sb.WriteByte(v.kind)
	for i, item := range v.items {
		if i > 0 {
			sb.WriteString(", ")
		}
		if v.kind == '{' {
			sb.WriteString(quote(v.keys[i]) + ": ")
		}
		item.compact(sb)
	}
	if v.more > 0 {
		sb.WriteString(", … " + render.Plural(v.more, "more item"))
	}
	sb.WriteByte(v.kind + 2) // the closing bracket
}

// quote is s as a JSON string with nothing escaped that need not be.
func quote(s string) string {
	var sb strings.Builder
	enc := json.NewEncoder(&sb)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return strings.TrimSuffix(sb.String(), "\n")
}

// short is the value on one line, when it fits there.
func (v *value) short() (string, bool) {
	switch v.kind {
	case 0:
		return v.text, true
	case '"':
		return plain(v.text), true
	}
	if v.more > 0 {
		return "", false
	}
	for _, item := range v.items {
		if item.kind == '{' || item.kind == '[' {
			return "", false
		}
	}
	if v.kind == '{' && len(v.items) > 0 {
		return "", false
	}
	var sb strings.Builder
	v.compact(&sb)
	return termtext.Line(sb.String()), sb.Len() <= inline || len(v.items) == 0
}

// plain is a string as it is where nobody could take it for something else,
// and quoted where somebody could.
func plain(s string) string {
	if s == "" || termtext.Line(s) != s || strings.ContainsAny(s[:1], `"[{-+.0123456789`) || s == "null" || s == "true" || s == "false" {
		return termtext.Exact(quote(s))
	}
	return s
}
