// Package openapi checks requests and answers against GitHub's description of
// its REST API, and completes answers by it. Schemas are compiled when they are
// first needed: the description has about a thousand.
package openapi

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// document is a cut description.
type document struct {
	Paths   map[string]operation       `json:"paths"`   // by template: "/repos/{owner}/{repo}"
	Schemas map[string]json.RawMessage `json:"schemas"` // of OpenAPI 3.0, by name
}

type operation struct {
	Parameters []parameter                           `json:"parameters"`
	Responses  map[string]map[string]json.RawMessage `json:"responses"` // status, media type, schema
}

type parameter struct {
	Name     string          `json:"name"`
	In       string          `json:"in"` // "path" or "query"
	Required bool            `json:"required"`
	Multi    bool            `json:"multi"` // a path parameter that may contain slashes
	Schema   json.RawMessage `json:"schema"`
}

// Description is GitHub's REST API.
type Description struct {
	operations []*Operation // those with fewer parameters, then with longer templates, first
	schemas    map[string]json.RawMessage

	mu       sync.Mutex
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema // by the raw schema
}

// Operation is one GET of the API.
type Operation struct {
	Template string // "/repos/{owner}/{repo}/pulls/{pull_number}"

	operation
	d       *Description
	pattern *regexp.Regexp
	names   []string
}

// Load reads what Cut made.
func Load(cut []byte) (*Description, error) {
	var doc document
	if err := json.Unmarshal(cut, &doc); err != nil {
		return nil, fmt.Errorf("cut OpenAPI description: %w", err)
	}
	d := &Description{schemas: doc.Schemas, compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	d.compiler.UseLoader(loader{d})
	for template, op := range doc.Paths {
		d.operations = append(d.operations, newOperation(d, template, op))
	}
	slices.SortFunc(d.operations, func(a, b *Operation) int {
		if c := len(a.names) - len(b.names); c != 0 {
			return c
		}
		if c := len(b.Template) - len(a.Template); c != 0 {
			return c
		}
		return strings.Compare(a.Template, b.Template)
	})
	return d, nil
}

var placeholder = regexp.MustCompile(`\\\{([^}]+)\\\}`)

func newOperation(d *Description, template string, op operation) *Operation {
	o := &Operation{Template: template, operation: op, d: d}
	pattern := placeholder.ReplaceAllStringFunc(regexp.QuoteMeta(template), func(m string) string {
		name := m[2 : len(m)-2]
		o.names = append(o.names, name)
		if slices.ContainsFunc(op.Parameters, func(p parameter) bool { return p.Name == name && p.Multi }) {
			return "(.+)"
		}
		return "([^/]+)"
	})
	// The contents of the top folder have no path.
	pattern = strings.Replace(pattern, "/contents/(.+)", "/contents(?:/(.*))?", 1)
	o.pattern = regexp.MustCompile("^" + pattern + "$")
	return o
}

// Find is the operation of an escaped path, and its path parameters, decoded.
func (d *Description) Find(path string) (op *Operation, params map[string]string, ok bool) {
	for _, o := range d.operations {
		m := o.pattern.FindStringSubmatch(path)
		if m == nil {
			continue
		}
		params := map[string]string{}
		for i, name := range o.names {
			v, err := url.PathUnescape(m[i+1])
			if err != nil {
				return nil, nil, false
			}
			params[name] = v
		}
		return o, params, true
	}
	return nil, nil, false
}

// Has reports whether there is an operation of this template.
func (d *Description) Has(template string) bool {
	return slices.ContainsFunc(d.operations, func(o *Operation) bool { return o.Template == template })
}
