package pifetch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Each error code has a section of the same name in docs/troubleshooting.md.
func TestErrorCodesDocumented(t *testing.T) {
	doc, err := os.ReadFile("docs/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := errorCodes(t)
	if len(codes) == 0 {
		t.Fatal("daemon/wire/codes.go holds no codes")
	}
	_, described, _ := strings.Cut(string(doc), "\n# Error codes\n")
	var sections []string
	for _, m := range regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(described, -1) {
		sections = append(sections, m[1])
	}
	if got, want := strings.Join(sections, "\n"), strings.Join(codes, "\n"); got != want {
		t.Errorf("sections under # Error codes:\n%s\n\ncodes:\n%s", got, want)
	}
}

// errorCodes reads the constants of type Code, in order.
func errorCodes(t *testing.T) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "daemon/wire/codes.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == "Code" {
			for _, v := range spec.Values {
				code, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				codes = append(codes, code)
			}
		}
		return true
	})
	return codes
}

// Links between the documents lead to files and headings that exist.
func TestDocumentLinks(t *testing.T) {
	docs, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	heading := regexp.MustCompile(`(?m)^#+ (.+)$`)
	for _, doc := range append(docs, "README.md") {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			target := doc
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(doc), m[1])
			}
			text, err := os.ReadFile(target)
			if err != nil {
				t.Errorf("%s links to %s: %v", doc, m[1], err)
				continue
			}
			found := m[2] == ""
			for _, h := range heading.FindAllStringSubmatch(string(text), -1) {
				found = found || strings.ReplaceAll(strings.ToLower(h[1]), " ", "-") == m[2]
			}
			if !found {
				t.Errorf("%s links to %s, which has no heading #%s", doc, target, m[2])
			}
		}
	}
}

// NOTICE names the modules in the two programs, and no others.
func TestNotice(t *testing.T) {
	notice, err := os.ReadFile("NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, m := range regexp.MustCompile(`(?m)^(\S+\.\S+/\S+) `).FindAllStringSubmatch(string(notice), -1) {
		named = append(named, m[1])
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "./cmd/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	major := regexp.MustCompile(`/v\d+$`)
	var linked []string
	for _, module := range strings.Fields(string(out)) {
		if module != "pifetch" {
			linked = append(linked, major.ReplaceAllString(module, ""))
		}
	}
	slices.Sort(linked)
	if got, want := strings.Join(named, "\n"), strings.Join(slices.Compact(linked), "\n"); got != want {
		t.Errorf("NOTICE names\n%s\n\nthe programs contain\n%s", got, want)
	}
}
