package graph

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Object is an object of the schema: its fields by name, and its type under
// "__typename" where a field's type is an interface or a union. A value is
// nil, a bool, an int, a string, an Object, a []Object (of a connection: all
// its items), another list, an Error, or a Resolver.
type Object map[string]any

// Resolver is the value of a field that depends on its arguments, or that is
// made only when it is asked for.
type Resolver func(args map[string]any) any

// Connection is a value of a connection with fields of its own beside the items.
type Connection struct {
	Items  []Object
	Fields Object
}

// Error is an entry of an answer's errors.
type Error struct {
	Type    string `json:"type,omitempty"`
	Path    []any  `json:"path,omitempty"`
	Message string `json:"message"`
}

// Answer is what a query is answered with.
type Answer struct {
	Data   any     `json:"data"`
	Errors []Error `json:"errors,omitempty"`
}

// Overrides replaces fields of a type: Overrides["PullRequest.reviewDecision"].
// The function is given the object the field is of.
type Overrides map[string]func(parent Object, args map[string]any) any

// Execute answers q from root, an object of the type Query. Faults are what the
// objects do not provide: a field that may not be null, a value of a wrong type.
func (s *Schema) Execute(q *Query, root Object, overrides Overrides) (answer Answer, faults []string) {
	x := &execution{schema: s.s, vars: q.Variables, overrides: overrides}
	data := x.object(q.operation.SelectionSet, s.s.Query.Name, root, nil)
	slices.Sort(x.faults)
	return Answer{Data: data, Errors: x.errors}, slices.Compact(x.faults)
}

type execution struct {
	schema    *ast.Schema
	vars      map[string]any
	overrides Overrides
	errors    []Error
	faults    []string
}

func (x *execution) fault(format string, args ...any) {
	x.faults = append(x.faults, fmt.Sprintf(format, args...))
}

func arguments(f *ast.Field, vars map[string]any) map[string]any {
	args := f.ArgumentMap(vars)
	if args == nil {
		args = map[string]any{}
	}
	return args
}

func integer(v any) int {
	switch v := v.(type) {
	case int:
		return v
	case int64:
		return int(v)
	case float64:
		return int(v)
	case json.Number:
		n, _ := v.Int64()
		return int(n)
	}
	return 0
}

// object answers the selections of an object.
func (x *execution) object(selections ast.SelectionSet, typ string, o Object, path []any) map[string]any {
	if name, ok := o["__typename"].(string); ok {
		typ = name
	}
	if d := x.schema.Types[typ]; d == nil || d.Kind != ast.Object {
		x.fault("%s: __typename %q is no object of the schema", pathText(path), typ)
		return nil
	}
	out := map[string]any{}
	for _, selection := range selections {
		if !included(selection, x.vars) {
			continue
		}
		switch f := selection.(type) {
		case *ast.InlineFragment:
			if x.is(typ, f.TypeCondition) {
				merge(out, x.object(f.SelectionSet, typ, o, path))
			}
		case *ast.FragmentSpread:
			if x.is(typ, f.Definition.TypeCondition) {
				merge(out, x.object(f.Definition.SelectionSet, typ, o, path))
			}
		case *ast.Field:
			if f.Name == "__typename" {
				out[f.Alias] = typ
				continue
			}
			merge(out, map[string]any{f.Alias: x.field(f, typ, o, append(slices.Clone(path), f.Alias))})
		}
	}
	return out
}

// merge puts the fields of two selections of the same object together.
func merge(into, from map[string]any) {
	for k, v := range from {
		a, aOK := into[k].(map[string]any)
		b, bOK := v.(map[string]any)
		if aOK && bOK {
			merge(a, b)
			continue
		}
		al, aOK := into[k].([]any)
		bl, bOK := v.([]any)
		if aOK && bOK && len(al) == len(bl) {
			for i := range al {
				a, aOK := al[i].(map[string]any)
				b, bOK := bl[i].(map[string]any)
				if aOK && bOK {
					merge(a, b)
				}
			}
			continue
		}
		into[k] = v
	}
}

// is reports whether an object type satisfies a fragment's condition.
func (x *execution) is(typ, condition string) bool {
	return condition == "" || typ == condition ||
		slices.ContainsFunc(x.schema.PossibleTypes[condition], func(d *ast.Definition) bool { return d.Name == typ })
}

func (x *execution) field(f *ast.Field, typ string, o Object, path []any) any {
	definition := x.schema.Types[typ].Fields.ForName(f.Name)
	args := arguments(f, x.vars)
	v, given := o[f.Name]
	if fn, ok := x.overrides[typ+"."+f.Name]; ok {
		v, given = fn(o, args), true
	}
	if r, ok := v.(Resolver); ok {
		v = r(args)
	}
	if e, ok := v.(Error); ok {
		e.Path = path
		x.errors = append(x.errors, e)
		return nil
	}
	if isConnection(definition.Type.Name()) && v != nil {
		return x.connection(f, definition.Type.Name(), v, args, path)
	}
	if v == nil && definition.Type.NonNull {
		if given {
			x.fault("%s.%s is null, which the schema does not allow", typ, f.Name)
		} else {
			x.fault("%s.%s is not in the world: describe it, or set it with Override", typ, f.Name)
		}
		return nil
	}
	return x.value(f.SelectionSet, definition.Type, v, path)
}

// value answers with a value of a field that is no connection.
func (x *execution) value(selections ast.SelectionSet, t *ast.Type, v any, path []any) any {
	if v == nil {
		return nil
	}
	if t.Elem != nil {
		items, ok := asList(v)
		if !ok {
			x.fault("%s: %T, want a list", pathText(path), v)
			return nil
		}
		out := make([]any, len(items))
		for i := range items {
			out[i] = x.value(selections, t.Elem, items[i], append(slices.Clone(path), i))
		}
		return out
	}
	d := x.schema.Types[t.Name()]
	switch d.Kind {
	case ast.Object, ast.Interface, ast.Union:
		o, ok := v.(Object)
		if !ok {
			x.fault("%s: %T, want an object of %s", pathText(path), v, d.Name)
			return nil
		}
		return x.object(selections, d.Name, o, path)
	case ast.Enum:
		if s, ok := v.(string); !ok || d.EnumValues.ForName(s) == nil {
			x.fault("%s: %v is no %s", pathText(path), v, d.Name)
		}
	default:
		if !isScalar(d.Name, v) {
			x.fault("%s: %v (%T) is no %s", pathText(path), v, v, d.Name)
		}
	}
	return v
}

func isScalar(name string, v any) bool {
	switch name {
	case "Int":
		// databaseId is more than 32 bits wide in life, whatever the schema says.
		_, ok := v.(int)
		return ok
	case "Float":
		_, isInt := v.(int)
		_, isFloat := v.(float64)
		return isInt || isFloat
	case "Boolean":
		_, ok := v.(bool)
		return ok
	}
	_, ok := v.(string) // String, ID, BigInt, DateTime, URI, GitObjectID, …
	return ok
}

func asList(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case []Object:
		out := make([]any, len(v))
		for i := range v {
			out[i] = v[i]
		}
		return out, true
	case []string:
		out := make([]any, len(v))
		for i := range v {
			out[i] = v[i]
		}
		return out, true
	}
	return nil, false
}

func pathText(path []any) string {
	s := ""
	for _, p := range path {
		s += "." + fmt.Sprint(p)
	}
	return "data" + s
}

// with is an object with more fields.
func with(o, more Object) Object {
	out := maps.Clone(o)
	if out == nil {
		out = Object{}
	}
	maps.Copy(out, more)
	return out
}

// included reports whether the directives @include and @skip leave a selection
// in the query.
func included(selection ast.Selection, vars map[string]any) bool {
	var directives ast.DirectiveList
	switch s := selection.(type) {
	case *ast.Field:
		directives = s.Directives
	case *ast.InlineFragment:
		directives = s.Directives
	case *ast.FragmentSpread:
		directives = s.Directives
	}
	for _, d := range directives {
		on, _ := d.ArgumentMap(vars)["if"].(bool)
		if d.Name == "include" && !on || d.Name == "skip" && on {
			return false
		}
	}
	return true
}
