// Package graph checks GraphQL queries against GitHub's schema, counts what
// they cost by GitHub's formula, and answers them from plain objects.
package graph

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// Schema is GitHub's.
type Schema struct{ s *ast.Schema }

// Load reads a schema in the schema definition language, as Cut writes it.
func Load(sdl string) (*Schema, error) {
	doc, err := parser.ParseSchemas(validator.Prelude, &ast.Source{Name: "schema.graphql", Input: sdl})
	if err != nil {
		return nil, err
	}
	s, err := validator.ValidateSchemaDocument(doc)
	if err != nil {
		return nil, err
	}
	return &Schema{s}, nil
}

// HasField reports whether an object type has a field.
func (s *Schema) HasField(typ, field string) bool {
	d := s.s.Types[typ]
	return d != nil && d.Fields.ForName(field) != nil
}

// Cut reduces a published schema to what Load needs. Descriptions go, and so do
// repeated fields: GitHub publishes some twice, which is not valid.
func Cut(sdl []byte) ([]byte, error) {
	doc, err := parser.ParseSchema(&ast.Source{Name: "schema.graphql", Input: string(sdl)})
	if err != nil {
		return nil, err
	}
	for _, d := range doc.Definitions {
		seen := map[string]bool{}
		var once ast.FieldList
		for _, f := range d.Fields {
			if !seen[f.Name] {
				once = append(once, f)
			}
			seen[f.Name] = true
		}
		d.Fields = once
	}
	var out bytes.Buffer
	formatter.NewFormatter(&out, formatter.WithoutDescription()).FormatSchemaDocument(doc)
	return out.Bytes(), nil
}

// Query is a query that the schema allows.
type Query struct {
	Text      string
	Variables map[string]any
	Cost      Cost

	operation *ast.OperationDefinition
}

// Check reads a query. The error names every violation: a field that does not
// exist, a variable of the wrong type, a field conflict. Connections without
// first or last, or with more than 100, are answered, not refused: see Execute.
func (s *Schema) Check(text string, variables map[string]any) (*Query, error) {
	doc, errs := gqlparser.LoadQueryWithRules(s.s, text, rules.NewDefaultRules())
	if len(errs) > 0 {
		return nil, errs
	}
	if len(doc.Operations) != 1 {
		return nil, fmt.Errorf("%d operations, want 1", len(doc.Operations))
	}
	op := doc.Operations[0]
	declared := map[string]bool{}
	for _, v := range op.VariableDefinitions {
		declared[v.Variable] = true
	}
	for name := range variables {
		if !declared[name] {
			return nil, fmt.Errorf("variable $%s is given but not declared", name)
		}
	}
	values, err := validator.VariableValues(s.s, op, variables)
	if err != nil {
		return nil, err
	}
	q := &Query{Text: text, Variables: values, operation: op}
	q.Cost = s.cost(op.SelectionSet, values)
	return q, nil
}

// isConnection reports whether a type is a paginated list.
func isConnection(name string) bool { return strings.HasSuffix(name, "Connection") }
