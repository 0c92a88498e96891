package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// CheckRequest lists what is wrong with a request: path and query parameters
// of a wrong type, missing, or unknown.
func (o *Operation) CheckRequest(params map[string]string, query url.Values) []error {
	var errs []error
	known := map[string]bool{}
	for _, p := range o.Parameters {
		known[p.Name] = true
		values := query[p.Name]
		if p.In == "path" {
			values = []string{params[p.Name]}
		}
		switch {
		case len(values) == 0 && p.Required:
			errs = append(errs, fmt.Errorf("%s: %s parameter %s is missing", o.Template, p.In, p.Name))
		case len(values) > 0:
			if err := o.checkParameter(p, values); err != nil {
				errs = append(errs, fmt.Errorf("%s: %s parameter %s=%s: %w", o.Template, p.In, p.Name, strings.Join(values, ","), err))
			}
		}
	}
	for name := range query {
		if !known[name] {
			errs = append(errs, fmt.Errorf("%s: no query parameter %s", o.Template, name))
		}
	}
	return errs
}

func (o *Operation) checkParameter(p parameter, values []string) error {
	schema, err := o.d.compile(p.Schema)
	if err != nil {
		return err
	}
	var kind struct{ Type string }
	_ = json.Unmarshal(p.Schema, &kind)
	var v any
	switch {
	case kind.Type == "array":
		var items []any
		for _, s := range strings.Split(strings.Join(values, ","), ",") {
			items = append(items, s)
		}
		v = items
	case len(values) > 1:
		return fmt.Errorf("given %d times", len(values))
	default:
		v = scalar(kind.Type, values[0])
	}
	if err := schema.Validate(v); err != nil && (kind.Type != "" || schema.Validate(scalar("integer", values[0])) != nil) {
		return flat(err)
	}
	if n, ok := v.(json.Number); ok {
		// The description has these limits as prose.
		i, _ := n.Int64()
		if p.Name == "per_page" && (i < 1 || i > 100) || p.Name == "page" && i < 1 {
			return fmt.Errorf("out of range")
		}
	}
	return nil
}

// scalar is a parameter's text as a value of the type, or the text itself.
func scalar(kind, s string) any {
	switch kind {
	case "integer", "number":
		if _, err := strconv.ParseInt(s, 10, 64); err == nil {
			return json.Number(s)
		}
	case "boolean":
		if b, err := strconv.ParseBool(s); err == nil && (s == "true" || s == "false") {
			return b
		}
	}
	return s
}

// CheckAnswer says what is wrong with an answer in JSON. An answer of a status
// that the description does not have for this operation is checked as far as
// any other operation has it: not at all.
func (o *Operation) CheckAnswer(status int, contentType string, body []byte) error {
	raw, ok := o.schema(status, contentType)
	if !ok {
		if status < 300 {
			return fmt.Errorf("%s: status %d with content type %q is not in the description", o.Template, status, contentType)
		}
		return nil
	}
	schema, err := o.d.compile(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", o.Template, err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: %w", o.Template, err)
	}
	if err := schema.Validate(v); err != nil {
		return fmt.Errorf("%s: status %d: %w", o.Template, status, flat(err))
	}
	return nil
}

// schema is that of an answer. GitHub's own JSON types stand for plain JSON
// where the description does not tell them apart.
func (o *Operation) schema(status int, contentType string) (json.RawMessage, bool) {
	types := o.Responses[strconv.Itoa(status)]
	mediaType, _, _ := mime.ParseMediaType(contentType)
	if s, ok := types[mediaType]; ok {
		return s, true
	}
	if base, ok := strings.CutSuffix(mediaType, "+json"); ok {
		if s, ok := types[base]; ok {
			return s, true
		}
	}
	if mediaType == "application/json" || strings.HasSuffix(mediaType, "+json") {
		s, ok := types["application/json"]
		return s, ok
	}
	return nil, false
}

// flat is a validation error on one line: the innermost causes.
func flat(err error) error {
	ve, ok := err.(*jsonschema.ValidationError)
	if !ok {
		return err
	}
	var leaves []string
	var walk func(*jsonschema.OutputUnit)
	walk = func(u *jsonschema.OutputUnit) {
		if len(u.Errors) == 0 && u.Error != nil {
			leaves = append(leaves, strings.TrimPrefix(u.InstanceLocation+": ", ": ")+u.Error.String())
		}
		for i := range u.Errors {
			walk(&u.Errors[i])
		}
	}
	walk(ve.DetailedOutput())
	leaves = slices.Compact(leaves)
	const most = 6
	if len(leaves) > most {
		leaves = append(leaves[:most], fmt.Sprintf("and %d more", len(leaves)-most))
	}
	return fmt.Errorf("%s", strings.Join(leaves, "; "))
}
