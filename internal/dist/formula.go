package main

import (
	"bytes"
	_ "embed"
	"strings"
	"text/template"
)

//go:embed pifetch.rb.tmpl
var formulaText string

var formulaTemplate = template.Must(template.New("formula").Option("missingkey=error").Parse(formulaText))

// formula returns the Homebrew formula that installs the archives from below
// the URL. Sums are the archives' SHA-256 in hex by target, as "darwin-arm64".
func formula(version, url string, sums map[string]string) ([]byte, error) {
	byName := map[string]string{} // a template cannot name a key with a dash
	for target, sum := range sums {
		byName[strings.ReplaceAll(target, "-", "_")] = sum
	}
	var out bytes.Buffer
	err := formulaTemplate.Execute(&out, map[string]any{
		"Version": strings.TrimPrefix(version, "v"),
		"Base":    strings.TrimSuffix(url, "/") + "/pifetch-" + version,
		"Sum":     byName,
	})
	return out.Bytes(), err
}
