package graph

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// connection answers with one page of a connection, or with GitHub's error for
// arguments it refuses.
func (x *execution) connection(f *ast.Field, typ string, v any, args map[string]any, path []any) any {
	refuse := func(kind, format string, a ...any) any {
		x.errors = append(x.errors, Error{Type: kind, Path: path, Message: fmt.Sprintf(format, a...)})
		x.fault("%s: "+format, append([]any{pathText(path)}, a...)...)
		return nil
	}
	c, ok := v.(Connection)
	if !ok {
		items, isItems := v.([]Object)
		if !isItems {
			x.fault("%s: %T, want the items of a connection", pathText(path), v)
			return nil
		}
		c.Items = items
	}
	size, sized := pageSize(args)
	switch {
	case !sized && selects(f.SelectionSet, "nodes", "edges"):
		return refuse("MISSING_PAGINATION_BOUNDARIES", "You must provide a `first` or `last` value to properly paginate the `%s` connection.", f.Name)
	case sized && (size < 1 || size > 100):
		return refuse("EXCESSIVE_PAGINATION", "Requesting %d records on the `%s` connection exceeds the `first` limit of 100 records.", size, f.Name)
	}
	from, to, err := window(len(c.Items), size, args)
	if err != nil {
		return refuse("INVALID_CURSOR_ARGUMENTS", "%v.", err)
	}
	page := Object{"hasNextPage": to < len(c.Items), "hasPreviousPage": from > 0}
	if to > from {
		page["startCursor"], page["endCursor"] = cursor(from+1), cursor(to)
	}
	edges := make([]Object, 0, to-from)
	for i := from; i < to; i++ {
		edges = append(edges, Object{"node": c.Items[i], "cursor": cursor(i + 1)})
	}
	return x.object(f.SelectionSet, typ, with(c.Fields, Object{
		"totalCount": len(c.Items), "nodes": c.Items[from:to], "edges": edges, "pageInfo": page,
	}), path)
}

func selects(selections ast.SelectionSet, names ...string) bool {
	return slices.ContainsFunc(selections, func(s ast.Selection) bool {
		f, ok := s.(*ast.Field)
		return ok && slices.Contains(names, f.Name)
	})
}

// window is the half-open range of the items that a page shows.
func window(total, size int, args map[string]any) (from, to int, err error) {
	from, to = 0, total
	if from, err = position(args["after"], from); err != nil {
		return 0, 0, err
	}
	if v, _ := args["before"].(string); v != "" {
		if to, err = position(v, to); err != nil {
			return 0, 0, err
		}
		to--
	}
	from, to = min(from, total), min(to, total)
	if args["first"] != nil {
		to = min(to, from+size)
	} else if args["last"] != nil {
		from = max(from, to-size)
	}
	return from, max(from, to), nil
}

const cursorPrefix = "cursor:v2:"

// cursor names the nth item, counted from 1.
func cursor(n int) string {
	return base64.StdEncoding.EncodeToString([]byte(cursorPrefix + strconv.Itoa(n)))
}

func position(v any, none int) (int, error) {
	s, _ := v.(string)
	if s == "" {
		return none, nil
	}
	raw, err := base64.StdEncoding.DecodeString(s)
	if err == nil {
		if digits, ok := strings.CutPrefix(string(raw), cursorPrefix); ok {
			return strconv.Atoi(digits)
		}
	}
	return 0, fmt.Errorf("`%s` does not appear to be a valid cursor", s)
}
