package openapi

import (
	"encoding/json"
	"slices"
	"strings"
)

// Fill completes an answer: members that the description requires and value
// does not have get a neutral value of their type, null where null is allowed.
// Texts are the member's name in parentheses, so that one that ends up in a
// document is seen. value is made of what encoding/json decodes into.
func (o *Operation) Fill(status int, contentType string, value any) any {
	raw, ok := o.schema(status, contentType)
	if !ok {
		return value
	}
	return o.d.fill(parse(raw), value, "")
}

func parse(raw json.RawMessage) map[string]any {
	var s map[string]any
	_ = json.Unmarshal(raw, &s)
	return s
}

// deref follows references and lists of one part.
func (d *Description) deref(schema map[string]any) map[string]any {
	for {
		if ref, ok := schema["$ref"].(string); ok {
			schema = parse(d.schemas[strings.TrimPrefix(ref, "#/components/schemas/")])
			continue
		}
		if parts := list(schema["allOf"]); len(parts) == 1 && schema["properties"] == nil {
			schema, _ = parts[0].(map[string]any)
			continue
		}
		return schema
	}
}

func (d *Description) fill(schema map[string]any, value any, name string) any {
	schema = d.deref(schema)
	for _, part := range list(schema["allOf"]) {
		value = d.fill(part.(map[string]any), value, name)
	}
	if branch := d.branch(schema, value); branch != nil {
		return d.fill(branch, value, name)
	}
	switch v := value.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		out := map[string]any{}
		for k, x := range v {
			if p, ok := properties[k].(map[string]any); ok {
				x = d.fill(p, x, k)
			} else if p, ok := schema["additionalProperties"].(map[string]any); ok {
				x = d.fill(p, x, k)
			}
			out[k] = x
		}
		for _, r := range list(schema["required"]) {
			k := r.(string)
			if _, ok := out[k]; !ok {
				p, _ := properties[k].(map[string]any)
				out[k] = d.neutral(p, k)
			}
		}
		return out
	case []any:
		items, _ := schema["items"].(map[string]any)
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = d.fill(items, x, name)
		}
		return out
	}
	return value
}

// branch is the alternative of a schema that suits the value best.
func (d *Description) branch(schema map[string]any, value any) map[string]any {
	alternatives := append(slices.Clone(list(schema["oneOf"])), list(schema["anyOf"])...)
	var best map[string]any
	bestScore := -1
	for _, a := range alternatives {
		s := d.deref(a.(map[string]any))
		if score := d.suits(s, value); score > bestScore {
			best, bestScore = s, score
		}
	}
	return best
}

// suits counts the members of value that the schema knows, -1 when the value
// contradicts it.
func (d *Description) suits(schema map[string]any, value any) int {
	kind, _ := schema["type"].(string)
	switch v := value.(type) {
	case map[string]any:
		if kind == "array" || kind == "string" || kind == "integer" {
			return -1
		}
		properties, _ := schema["properties"].(map[string]any)
		score := 0
		for k, x := range v {
			p, ok := properties[k].(map[string]any)
			if !ok {
				continue
			}
			if enum := list(d.deref(p)["enum"]); enum != nil && !slices.Contains(enum, x) {
				return -1
			}
			score++
		}
		return score
	case []any:
		if kind != "array" {
			return -1
		}
	case string:
		if kind != "string" {
			return -1
		}
	}
	return 0
}

// neutral is a value for a member that nobody described.
func (d *Description) neutral(schema map[string]any, name string) any {
	for {
		if schema["nullable"] == true {
			return nil
		}
		next := d.deref(schema)
		if next["nullable"] == true {
			return nil
		}
		schema = next
		alternatives := append(slices.Clone(list(schema["oneOf"])), list(schema["anyOf"])...)
		if len(alternatives) == 0 {
			break
		}
		schema = alternatives[0].(map[string]any)
	}
	if enum := list(schema["enum"]); len(enum) > 0 {
		return enum[0]
	}
	switch schema["type"] {
	case "integer", "number":
		if least, ok := schema["minimum"]; ok {
			return least
		}
		return 0
	case "boolean":
		return false
	case "array":
		return []any{}
	case "string":
		switch schema["format"] {
		case "uri":
			return "https://unset.invalid/" + name
		case "date-time":
			return "2001-01-01T00:00:00Z"
		case "date":
			return "2001-01-01"
		case "email":
			return name + "@unset.invalid"
		}
		return "(" + name + ")"
	}
	return d.fill(schema, map[string]any{}, name)
}
