package openapi

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"
)

// small is a cut description.
const small = `{
  "paths": {
    "/pets": {"parameters": [
        {"name": "page", "in": "query", "schema": {"type": "integer"}},
        {"name": "sort", "in": "query", "schema": {"type": "string", "enum": ["name", "age"]}},
        {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}}],
      "responses": {"200": {"application/json": {"type": "array", "items": {"$ref": "#/components/schemas/pet"}}}}},
    "/pets/{id}": {"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
      "responses": {"200": {"application/json": {"$ref": "#/components/schemas/pet"}}, "404": {}}},
    "/pets/mine": {"parameters": [], "responses": {"200": {"application/json": {"$ref": "#/components/schemas/either"}}}},
    "/files/{path}": {"parameters": [{"name": "path", "in": "path", "required": true, "multi": true, "schema": {"type": "string"}}], "responses": {"200": {}}}
  },
  "schemas": {
    "pet": {"type": "object", "required": ["name", "owner", "born", "url", "kind", "tags"], "properties": {
      "name": {"type": "string"}, "owner": {"$ref": "#/components/schemas/nullable-owner"}, "born": {"type": "string", "format": "date-time"},
      "url": {"type": "string", "format": "uri"}, "kind": {"type": "string", "enum": ["cat", "dog"]}, "tags": {"type": "array", "items": {"type": "string"}}}},
    "nullable-owner": {"type": "object", "nullable": true, "required": ["login"], "properties": {"login": {"type": "string"}, "age": {"type": "integer"}}},
    "named": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
    "aged": {"type": "object", "required": ["age"], "properties": {"age": {"type": "integer"}}},
    "both": {"allOf": [{"$ref": "#/components/schemas/named"}, {"$ref": "#/components/schemas/aged"}]},
    "either": {"oneOf": [{"$ref": "#/components/schemas/both"}, {"type": "object", "required": ["file"], "properties": {"file": {"type": "string"}, "type": {"type": "string", "enum": ["file"]}}}]}
  }
}`

func load(t *testing.T) *Description {
	t.Helper()
	d, err := Load([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func find(t *testing.T, path string) (*Operation, map[string]string) {
	t.Helper()
	op, params, ok := load(t).Find(path)
	if !ok {
		t.Fatalf("no operation for %s", path)
	}
	return op, params
}

func TestFind(t *testing.T) {
	for path, want := range map[string]struct {
		template string
		params   map[string]string
	}{
		"/pets":              {"/pets", map[string]string{}},
		"/pets/mine":         {"/pets/mine", map[string]string{}},
		"/pets/7":            {"/pets/{id}", map[string]string{"id": "7"}},
		"/files/a/b%2Fc%20d": {"/files/{path}", map[string]string{"path": "a/b/c d"}},
	} {
		op, params := find(t, path)
		if op.Template != want.template || !reflect.DeepEqual(params, want.params) {
			t.Errorf("%s: %s with %v", path, op.Template, params)
		}
	}
	for _, path := range []string{"/pets/7/8", "/pet", "/files", "/pets/%zz"} {
		if op, _, ok := load(t).Find(path); ok {
			t.Errorf("%s: %s", path, op.Template)
		}
	}
}

func TestCheckRequest(t *testing.T) {
	for _, tt := range []struct{ path, query, want string }{
		{"/pets", "page=2&sort=age&tags=a,b", ""},
		{"/pets", "tags=a&tags=b", ""},
		{"/pets", "page=x", "/pets: query parameter page=x: got string, want integer"},
		{"/pets", "page=0", "/pets: query parameter page=0: out of range"},
		{"/pets", "sort=size", "/pets: query parameter sort=size: value must be one of 'name', 'age'"},
		{"/pets", "colour=red", "/pets: no query parameter colour"},
		{"/pets/seven", "", "/pets/{id}: path parameter id=seven: got string, want integer"},
	} {
		op, params := find(t, tt.path)
		query, err := url.ParseQuery(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, err := range op.CheckRequest(params, query) {
			got += err.Error()
		}
		if got != tt.want {
			t.Errorf("%s?%s: %q, want %q", tt.path, tt.query, got, tt.want)
		}
	}
}

func TestCheckAnswer(t *testing.T) {
	const rest = `"born":"2026-01-01T00:00:00Z","url":"https://a.example/","kind":"cat","tags":[]`
	for _, tt := range []struct {
		path   string
		status int
		body   string
		want   string
	}{
		{"/pets/7", 200, `{"name":"Tom","owner":null,` + rest + `}`, ""},
		{"/pets/7", 200, `{"name":"Tom","owner":{"login":"ada"},` + rest + `}`, ""},
		{"/pets/7", 200, `{"name":null,"owner":null,` + rest + `}`, "/pets/{id}: status 200: /name: got null, want string"},
		{"/pets/7", 200, `{"owner":null,` + rest + `}`, "/pets/{id}: status 200: missing property 'name'"},
		{"/pets/7", 200, `{"name":"Tom","owner":null,"colour":"red",` + rest + `}`, "/pets/{id}: status 200: additional properties 'colour' not allowed"},
		{"/pets/7", 404, `{"anything":1}`, ""},
		{"/pets/7", 201, `{}`, `/pets/{id}: status 201 with content type "application/json" is not in the description`},
		{"/pets/mine", 200, `{"name":"Tom","age":3}`, ""},
		{"/pets/mine", 200, `{"file":"x","type":"file"}`, ""},
		{"/pets/mine", 200, `{"name":"Tom"}`, "/pets/mine: status 200: missing property 'age'; missing property 'file'; additional properties 'name' not allowed"},
	} {
		op, _ := find(t, tt.path)
		got := ""
		if err := op.CheckAnswer(tt.status, "application/json", []byte(tt.body)); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.path, tt.body, got, tt.want)
		}
	}
}

func TestFill(t *testing.T) {
	for _, tt := range []struct{ path, body, want string }{
		{"/pets/7", `{"name":"Tom"}`, `{"born":"2001-01-01T00:00:00Z","kind":"cat","name":"Tom","owner":null,"tags":[],"url":"https://unset.invalid/url"}`},
		{"/pets/7", `{"kind":"dog","owner":{}}`, `{"born":"2001-01-01T00:00:00Z","kind":"dog","name":"(name)","owner":{"login":"(login)"},"tags":[],"url":"https://unset.invalid/url"}`},
		{"/pets", `[]`, `[]`},
		{"/pets/mine", `{"age":3}`, `{"age":3,"name":"(name)"}`},
		{"/pets/mine", `{"type":"file"}`, `{"file":"(file)","type":"file"}`},
	} {
		op, _ := find(t, tt.path)
		var v any
		if err := json.Unmarshal([]byte(tt.body), &v); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(op.Fill(200, "application/json", v))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != tt.want {
			t.Errorf("%s: %s, want %s", tt.body, got, tt.want)
		}
		if err := op.CheckAnswer(200, "application/json", got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
}
