package openapi

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compile makes a checker of a schema of OpenAPI 3.0.
func (d *Description) compile(raw json.RawMessage) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s, ok := d.compiled[string(raw)]; ok {
		return s, nil
	}
	url := fmt.Sprintf("github:///inline/%d", len(d.compiled))
	schema, err := translate(raw, false)
	if err != nil {
		return nil, err
	}
	if err := d.compiler.AddResource(url, schema); err != nil {
		return nil, err
	}
	s, err := d.compiler.Compile(url)
	if err != nil {
		return nil, err
	}
	d.compiled[string(raw)] = s
	return s, nil
}

// loader gives the compiler the named schemas as it comes upon them:
// github:///closed/NAME and github:///open/NAME.
type loader struct{ d *Description }

// Load implements jsonschema.URLLoader.
func (l loader) Load(url string) (any, error) {
	how, name, _ := strings.Cut(strings.TrimPrefix(url, "github:///"), "/")
	raw, ok := l.d.schemas[name]
	if !ok {
		return nil, fmt.Errorf("no schema %s in the description", name)
	}
	return translate(raw, how == "open")
}

func translate(raw json.RawMessage, open bool) (any, error) {
	var schema any
	if err := json.Unmarshal(raw, &schema); err != nil {
		return nil, err
	}
	return dialect(schema, open), nil
}

// dialect turns a schema of OpenAPI 3.0 into one of JSON Schema 2020-12. An
// object has no member that the description does not know, unless open: then
// the schema is one part of an allOf, and cannot know the other parts' members.
func dialect(v any, open bool) any {
	schema, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	_, parts := schema["allOf"]
	properties, _ := schema["properties"].(map[string]any)
	for k, x := range schema {
		switch k {
		case "nullable":
		case "$ref":
			name := strings.TrimPrefix(x.(string), "#/components/schemas/")
			if open {
				out[k] = "github:///open/" + name
			} else {
				out[k] = "github:///closed/" + name
			}
		case "properties":
			named := map[string]any{}
			for name, s := range properties {
				named[name] = dialect(s, false)
			}
			out[k] = named
		case "items", "additionalProperties":
			out[k] = dialect(x, false)
		case "allOf":
			out[k] = each(x, open || len(list(x)) > 1 || properties != nil)
		case "anyOf", "oneOf":
			// GitHub's alternatives overlap: one of several that fit is fine.
			out["anyOf"] = each(x, open || parts || properties != nil)
		default:
			out[k] = x
		}
	}
	_, combined := out["anyOf"]
	if _, said := schema["additionalProperties"]; !said && properties != nil && !open && !parts && !combined {
		out["additionalProperties"] = false
	}
	if schema["nullable"] == true {
		return nullable(out)
	}
	return out
}

func each(v any, open bool) []any {
	var out []any
	for _, s := range list(v) {
		out = append(out, dialect(s, open))
	}
	return out
}

// nullable lets a schema accept null as well.
func nullable(s map[string]any) any {
	return map[string]any{"anyOf": []any{map[string]any{"type": "null"}, s}}
}
