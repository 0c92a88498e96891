// Package agenttext is what agents are told about web_fetch, the same through
// every front. The texts call the tool web_fetch; a front that names it
// otherwise replaces that.
package agenttext

import (
	_ "embed"
	"strings"
)

// Tool is the name that the texts give to the tool.
const Tool = "web_fetch"

// Label is the tool's name for people.
const Label = "Web Fetch"

// Description says what the tool does and what it returns.
//
//go:embed description.txt
var Description string

// Snippet is the tool in one line, for a list of tools in a system prompt.
//
//go:embed snippet.txt
var Snippet string

// URLs and Objective describe the tool's two arguments.
//
//go:embed urls.txt
var URLs string

//go:embed objective.txt
var Objective string

//go:embed guidelines.txt
var guidelines string

// Guidelines are instructions for a system prompt, one line each. Each names
// the tool, for it stands among those of other tools.
func Guidelines() []string { return strings.Split(strings.TrimSpace(guidelines), "\n") }
