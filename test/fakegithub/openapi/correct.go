package openapi

import (
	"fmt"
	"strings"
)

// nullInLife are members that GitHub's answers have null where its description
// does not allow it: a schema, then the members down to it, "[]" for items.
var nullInLife = []string{
	"pull-request/head/repo", // the fork was deleted
	"pull-request/head/user",
	"pull-request-simple/head/repo",
	"pull-request-simple/head/user",
	"pull-request/labels/[]/description",
	"pull-request-simple/labels/[]/description",
	"pull-request-review-comment/line", // outdated, or about a whole file
	"pull-request-review-comment/original_line",
	"pull-request-review-comment/position",
	"issue-search-result-item/body", // an issue without text
}

// correct makes those members nullable.
func correct(schemas map[string]any) error {
	for _, path := range nullInLife {
		name, rest, _ := strings.Cut(path, "/")
		schema, _ := schemas[name].(map[string]any)
		for part := range strings.SplitSeq(rest, "/") {
			var next any
			if part == "[]" {
				next = schema["items"]
			} else {
				properties, _ := schema["properties"].(map[string]any)
				next = properties[part]
			}
			schema, _ = next.(map[string]any)
			if schema == nil {
				return fmt.Errorf("OpenAPI description: no member %s to correct", path)
			}
		}
		if ref, ok := schema["$ref"]; ok {
			delete(schema, "$ref")
			schema["allOf"] = []any{map[string]any{"$ref": ref}}
		}
		schema["nullable"] = true
	}
	return nil
}
