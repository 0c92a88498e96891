package settings

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// Error is a settings file that cannot be used.
type Error struct {
	File         string
	Line, Column int    // 0 when the file could not be read
	Key          string // in full; empty when the file is no JSON
	Want         string // what is allowed at Key
	Err          error  // why the file could not be read or parsed
}

func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	if e.Key == "" {
		return fmt.Sprintf("%s: %v", at, e.Err)
	}
	return fmt.Sprintf("%s: %s must be %s", at, e.Key, e.Want)
}

func (e *Error) Unwrap() error { return e.Err }

// reader reads the text of one settings file.
type reader struct {
	file     string
	src      []byte
	home     string // what ~ stands for
	warnings []string
}

// read fills s from the file.
func (r *reader) read(s *Settings) error {
	// The parser wants a line comment to end, even where the file does.
	root, err := hujson.Parse(append(r.src[:len(r.src):len(r.src)], '\n'))
	if err != nil {
		return r.malformed(err)
	}
	obj, ok := root.Value.(*hujson.Object)
	if !ok {
		line, column := r.position(root.StartOffset)
		return &Error{File: r.file, Line: line, Column: column, Err: errors.New("not a JSON object")}
	}
	key := rootKey
	v, ok := member(obj, rootKey)
	if ok {
		tools, isObject := v.Value.(*hujson.Object)
		if !isObject {
			return r.bad(key, v, "an object")
		}
		key += "." + fetchKey
		v, ok = member(tools, fetchKey)
	}
	if !ok {
		return nil
	}
	return schema(s).read(r, key, v)
}

// member is the last member of obj with that name, which is the one that
// counts; null is as good as none.
func member(obj *hujson.Object, key string) (hujson.Value, bool) {
	for i := len(obj.Members) - 1; i >= 0; i-- {
		if name(obj.Members[i]) == key {
			v := obj.Members[i].Value
			return v, v.Value.Kind() != 'n'
		}
	}
	return hujson.Value{}, false
}

// parserError takes the parser's message apart, without the literal it quotes
// in some, which may be long or a secret.
var parserError = regexp.MustCompile(`(?s)^hujson: line (\d+), column (\d+): (invalid literal|.*)`)

func (r *reader) malformed(err error) error {
	e := &Error{File: r.file, Err: err}
	if m := parserError.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		offset, _ := strconv.Atoi(m[2]) // in bytes, from 1
		offset--
		for l := range bytes.Lines(r.src) {
			if line--; line == 0 {
				break
			}
			offset += len(l)
		}
		e.Line, e.Column = r.position(min(offset, len(r.src)))
		e.Err = fmt.Errorf("not valid JSON: %s", m[3])
	}
	return e
}

// position is where offset is in the file, both counted from 1.
func (r *reader) position(offset int) (line, column int) {
	before := r.src[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])
}

// bad is the error of a value that is not allowed.
func (r *reader) bad(key string, v hujson.Value, want string) error {
	line, column := r.position(v.StartOffset)
	return &Error{File: r.file, Line: line, Column: column, Key: key, Want: want}
}

func (r *reader) warn(format string, args ...any) {
	r.warnings = append(r.warnings, fmt.Sprintf("settings: "+format, args...))
}
