package openapi

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Cut reduces GitHub's description to what Load needs: the GET operations and
// the schemas, without prose and examples.
func Cut(raw []byte) ([]byte, error) {
	var d struct {
		Paths      map[string]map[string]any `json:"paths"`
		Components map[string]map[string]any `json:"components"`
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, fmt.Errorf("OpenAPI description: %w", err)
	}
	if err := correct(d.Components["schemas"]); err != nil {
		return nil, err
	}
	out := document{Paths: map[string]operation{}, Schemas: map[string]json.RawMessage{}}
	for path, item := range d.Paths {
		get, ok := item["get"].(map[string]any)
		if !ok {
			continue
		}
		op := operation{Responses: map[string]map[string]json.RawMessage{}}
		for _, p := range list(get["parameters"]) {
			param := resolve(d.Components, p)
			name, _ := param["name"].(string)
			in, _ := param["in"].(string)
			required, _ := param["required"].(bool)
			multi, _ := param["x-multi-segment"].(bool)
			op.Parameters = append(op.Parameters, parameter{Name: name, In: in, Required: required, Multi: multi, Schema: strip(param["schema"])})
		}
		responses, _ := get["responses"].(map[string]any)
		for status, r := range responses {
			types := map[string]json.RawMessage{}
			content, _ := resolve(d.Components, r)["content"].(map[string]any)
			for mediaType, c := range content {
				m, _ := c.(map[string]any)
				types[mediaType] = strip(m["schema"])
			}
			op.Responses[status] = types
		}
		out.Paths[path] = op
	}
	for name, s := range d.Components["schemas"] {
		if !strings.HasPrefix(name, "webhook") {
			out.Schemas[name] = strip(s)
		}
	}
	return json.Marshal(out)
}

// resolve follows a reference to a component that is no schema.
func resolve(components map[string]map[string]any, v any) map[string]any {
	m, _ := v.(map[string]any)
	ref, ok := m["$ref"].(string)
	if !ok {
		return m
	}
	kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
	return resolve(components, components[kind][name])
}

// prose are keywords of a schema that constrain nothing.
var prose = map[string]bool{
	"description": true, "title": true, "example": true, "examples": true, "externalDocs": true, "default": true,
	"readOnly": true, "writeOnly": true, "deprecated": true,
}

// strip is the schema without prose, as JSON.
func strip(schema any) json.RawMessage {
	if schema == nil {
		schema = map[string]any{}
	}
	data, err := json.Marshal(bare(schema, false))
	if err != nil {
		panic(err) // it came from JSON
	}
	return data
}

// bare removes prose from v; names says that the keys of v are names of
// properties and no keywords.
func bare(v any, names bool) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			if !names && (prose[k] || strings.HasPrefix(k, "x-")) {
				continue
			}
			out[k] = bare(x, !names && k == "properties")
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = bare(x, false)
		}
		return out
	}
	return v
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}
