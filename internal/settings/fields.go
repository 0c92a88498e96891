package settings

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tailscale/hujson"
)

// field reads the value of one key. null stands for the default and never
// reaches one.
type field interface {
	read(r *reader, key string, v hujson.Value) error
}

// group is the fields of an object.
type group map[string]field

func (g group) read(r *reader, key string, v hujson.Value) error {
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		return r.bad(key, v, "an object")
	}
	last := map[string]int{}
	for i, m := range obj.Members {
		last[name(m)] = i
	}
	for i, m := range obj.Members {
		f, known := g[name(m)]
		full := key + "." + printable(name(m))
		switch {
		case !known:
			r.warn("unknown key %s, known here are %s", full, strings.Join(slices.Sorted(maps.Keys(g)), ", "))
		case i != last[name(m)]:
			r.warn("%s is given more than once, the last one counts", full)
		case m.Value.Value.Kind() != 'n':
			if err := f.read(r, full, m.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// name is the key of an object's member.
func name(m hujson.ObjectMember) string {
	return m.Name.Value.(hujson.Literal).String()
}

// printable is key without characters that are not to be printed as they are.
func printable(key string) string {
	q := strconv.Quote(key)
	return q[1 : len(q)-1]
}

// fieldFunc is a field of one value.
type fieldFunc func(r *reader, key string, v hujson.Value) error

func (f fieldFunc) read(r *reader, key string, v hujson.Value) error { return f(r, key, v) }

// whole is a whole number from least to most.
func whole(dst *int, least, most int) field {
	return fieldFunc(func(r *reader, key string, v hujson.Value) error {
		n, err := strconv.ParseFloat(text(v, '0'), 64)
		if err != nil || n != math.Trunc(n) || n < float64(least) || n > float64(most) {
			return r.bad(key, v, fmt.Sprintf("a whole number from %d to %d", least, most))
		}
		*dst = int(n)
		return nil
	})
}

// duration is a whole number of units.
func duration(dst *time.Duration, unit time.Duration, least, most int) field {
	return fieldFunc(func(r *reader, key string, v hujson.Value) error {
		var n int
		if err := whole(&n, least, most).read(r, key, v); err != nil {
			return err
		}
		*dst = time.Duration(n) * unit
		return nil
	})
}

// oneOf is one of a few words.
func oneOf(dst *string, words ...string) field {
	return fieldFunc(func(r *reader, key string, v hujson.Value) error {
		if s := text(v, '"'); slices.Contains(words, s) {
			*dst = s
			return nil
		}
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = strconv.Quote(w)
		}
		rest, last := quoted[:len(quoted)-1], quoted[len(quoted)-1]
		return r.bad(key, v, strings.Join(rest, ", ")+" or "+last)
	})
}

// path is an absolute path, written in full or from the home folder.
func path(dst *string) field {
	return fieldFunc(func(r *reader, key string, v hujson.Value) error {
		p := text(v, '"')
		if p == "~" || strings.HasPrefix(p, "~/") {
			if r.home == "" {
				return r.bad(key, v, "an absolute path, because the home folder of ~ is not known")
			}
			p = r.home + p[1:]
		}
		if !filepath.IsAbs(p) || strings.ContainsRune(p, 0) {
			return r.bad(key, v, "an absolute path, or one that starts with ~/")
		}
		*dst = filepath.Clean(p)
		return nil
	})
}

// pathOrEmpty is a path that may be left empty.
func pathOrEmpty(dst *string) field {
	return fieldFunc(func(r *reader, key string, v hujson.Value) error {
		if v.Value.Kind() == '"' && text(v, '"') == "" {
			*dst = ""
			return nil
		}
		return path(dst).read(r, key, v)
	})
}

// baseURL is an http or https URL that paths are appended to.
func baseURL(dst *string) field {
	return fieldFunc(func(r *reader, key string, v hujson.Value) error {
		u, err := url.Parse(text(v, '"'))
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
			u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
			return r.bad(key, v, "an http or https URL without user, query and fragment")
		}
		*dst = strings.TrimRight(u.String(), "/")
		return nil
	})
}

// list is an array of strings, each of which parse understands.
func list[T any](dst *[]T, parse func(string) (T, error), forms string) field {
	return fieldFunc(func(r *reader, key string, v hujson.Value) error {
		array, ok := v.Value.(*hujson.Array)
		if !ok {
			return r.bad(key, v, "an array of strings")
		}
		items := make([]T, 0, len(array.Elements))
		for i, e := range array.Elements {
			item, err := parse(text(e, '"'))
			if err != nil {
				return r.bad(fmt.Sprintf("%s[%d]", key, i), e, forms)
			}
			items = append(items, item)
		}
		*dst = items
		return nil
	})
}

const prefixForms = `an address or a network such as "10.0.0.0/8" or "fd00::/8"`

// parsePrefix reads a network, or an address as a network of one.
func parsePrefix(s string) (netip.Prefix, error) {
	p, err := netip.ParsePrefix(s)
	if err != nil {
		addr, err := netip.ParseAddr(s)
		if err != nil {
			return netip.Prefix{}, err
		}
		if addr.Zone() != "" {
			return netip.Prefix{}, errors.New("zones are not allowed")
		}
		p = netip.PrefixFrom(addr, addr.BitLen())
	}
	if p.Addr().Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p.Masked(), nil
}

// text is the text of a string or number, or nothing when v is of another kind.
func text(v hujson.Value, kind hujson.Kind) string {
	if l, ok := v.Value.(hujson.Literal); ok && l.Kind() == kind {
		return l.String()
	}
	return ""
}
