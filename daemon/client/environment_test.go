package client

import (
	"os"
	"strings"
	"testing"
)

func TestDocumentListsThePassedVariables(t *testing.T) {
	doc, err := os.ReadFile("../../docs/daemon.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range passed {
		if name == strings.ToLower(name) {
			name = strings.ToUpper(name) // "and the same in lower case"
		}
		if !strings.Contains(string(doc), "`"+name+"`") {
			t.Errorf("%s is missing", name)
		}
	}
	for _, prefix := range passedPrefixes {
		if !strings.Contains(string(doc), "`"+prefix+"*`") {
			t.Errorf("%s* is missing", prefix)
		}
	}
}
