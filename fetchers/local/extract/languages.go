package extract

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// wrappers is how many levels above a code block its language is looked for.
const wrappers = 4

// besideCode is the most text, in bytes, that a wrapper of a code block holds
// beside the code: a language, a file name, the words of a copy button.
const besideCode = 120

var (
	// languageKeys are the attributes that highlighters put a language into.
	languageKeys = []string{
		"data-language", "data-lang", "data-code-lang", "data-code-language", "data-programming-language", "data-enlighter-language",
		"data-canonical-lang", "data-ke-language", "data-syntax", "data-mode-id",
	}
	// languagePrefixes go before a language in a class.
	languagePrefixes = []string{
		"language-", "lang-", "lang:", "highlight-source-", "highlight-text-", "mw-highlight-lang-", "brush:", "syntax-", "code-lang-", "source-",
	}
	// languageMarks are classes with the language in the next.
	languageMarks = set("sourcecode hljs syntaxhighlighter prettyprint brush")
	// codeMarks say code, and a language where one that is known comes next.
	codeMarks = set("highlight codehilite code wp_syntax")

	noLanguage = set(`none plaintext plain default nohighlight no-highlight undefined auto unknown source notranslate ignore id`)

	// knownLanguages tell a block's language as a class of their own, and as the
	// only word beside it. Names that are also words of layout (go, basic, box)
	// or a single letter are left out.
	knownLanguages = set(`abap actionscript ada agda antlr apache apex applescript arduino asciidoc assembly asm autohotkey awk
		bash batch bicep bnf brainfuck c++ c# cabal clj cfm clojure cmake cobol coffeescript common-lisp console cpp crystal cs csharp
		css csv cuda cypher cython dart delphi diff dockerfile docker dotenv ebnf elisp elixir elm erb erlang excel f# fish fortran
		fsharp gdscript gherkin gleam glsl golang gradle graphql groovy haml handlebars haskell haxe hcl hlsl html html+django http
		ini ipython java javascript jinja jinja2 js json json5 jsonc jsonnet jsx julia kotlin kusto latex lean lean4 less liquid
		lisp llvm lua makefile markdown mathematica matlab mdx mermaid mips mysql nasm nginx nim nix objc objective-c objectivec
		ocaml octave pascal perl php plantuml plpgsql postgresql postscript powershell prolog promql properties protobuf proto
		pug puppet purescript py pycon python qml racket razor rb regex rego rst ruby rust sass scala scheme scss sh shell
		shell-session shellscript smalltalk solidity sparql sql stata svelte svg swift systemverilog tcl terraform toml ts tsx
		twig typescript typst v vb vba vbnet verilog vhdl vim viml vue wasm wgsl xml xquery xslt yaml yml zig zsh`)

	// labelNames are what readers are shown for a language, where it is not the
	// name itself.
	labelNames = map[string]string{
		"c": "c", "r": "r", "go": "go", "d": "d", "plain text": "", "text": "", "plaintext": "", "terminal": "shell", "shell script": "shell",
		"html/xml": "html", "visual basic": "vb", "objective c": "objectivec",
	}

	// codeLabels are the elements beside the code that name its language.
	codeLabels = set(`language-id lang language code-lang code-language lang-label language-label lang-name language-name
		code-block-language code-block-lang code-block__language code-header__language crayon-language`)
)

// language is the language a code block is marked with, on itself, inside or
// on a wrapper of its own, else the one that is printed beside it. The print
// goes, so that it is not read as part of the text.
func language(n *html.Node, shared map[*html.Node]int) string {
	label := takeLabel(n, shared)
	if l := languageOf(n); l != "" {
		return l
	}
	if c := find(n, func(c *html.Node) bool { return isOne(c, atom.Code, atom.Div, atom.Table) && languageOf(c) != "" }); c != nil {
		return languageOf(c)
	}
	for p, i := n.Parent, 0; i < wrappers && ownsCode(p, shared); p, i = p.Parent, i+1 {
		if l := languageOf(p); l != "" {
			return l
		}
	}
	return label
}

// ownsCode reports whether p is an element around one code block only that may
// be there for it.
func ownsCode(p *html.Node, shared map[*html.Node]int) bool {
	return p != nil && p.Type == html.ElementNode && !isOne(p, atom.Html, atom.Body, atom.Main, atom.Article, atom.Section) && shared[p] <= 1
}

// takeLabel removes the element in or beside a code block that holds nothing
// but the name of a language, and returns that language. Two names are the
// choice of a tab, not a label.
func takeLabel(n *html.Node, shared map[*html.Node]int) string {
	code := n
	if e := find(n, func(c *html.Node) bool { return c != n && hasClass(c, editors) }); e != nil {
		code = e
	} else if c := find(n, func(c *html.Node) bool { return c != n && hasClass(c, codeLabels) }); c != nil {
		// At the head of the code, and not the code.
		name := shortText(c, 24)
		if rest, ok := strings.CutPrefix(strings.TrimSpace(textOf(n)), name); ok && name != "" && strings.TrimSpace(rest) != "" {
			l, _ := labelOf(c)
			remove(c)
			return l
		}
	}
	for p, i := n, 0; i <= wrappers && (p == n || ownsCode(p, shared)); p, i = p.Parent, i+1 {
		if p == code || !besides(p, code, besideCode) {
			continue
		}
		labels := labelsBeside(p, code)
		if len(labels) == 1 {
			l, _ := labelOf(labels[0])
			remove(labels[0])
			return l
		}
		if len(labels) > 1 {
			break
		}
	}
	return ""
}

// besides reports whether p holds at most limit bytes of text outside of code.
func besides(p, code *html.Node, limit int) bool {
	walk(p, func(n *html.Node) bool {
		if n.Type == html.TextNode {
			limit -= len(strings.TrimSpace(n.Data))
		}
		return n != code && limit >= 0
	})
	return limit >= 0
}

// labelsBeside are the outermost elements in p, outside of code, that name a
// language.
func labelsBeside(p, code *html.Node) []*html.Node {
	var labels []*html.Node
	walk(p, func(n *html.Node) bool {
		switch {
		case n == code, isHeading(n), isOne(n, atom.Table, atom.Dl, atom.Blockquote) && !inside(code, n):
			return false
		case n.Type != html.ElementNode || n == p:
			return true
		}
		if _, ok := labelOf(n); ok && !inside(code, n) {
			labels = append(labels, n)
			return false
		}
		return true
	})
	return labels
}

// labelOf is the language that n names, and whether n names one, and nothing
// else.
func labelOf(n *html.Node) (string, bool) {
	name := strings.ToLower(strings.TrimSuffix(shortText(n, 24), ":"))
	if l, ok := labelNames[name]; ok {
		return l, true
	}
	if knownLanguages[name] {
		return cleanLanguage(name), true
	}
	return cleanLanguage(name), name != "" && hasClass(n, codeLabels)
}

// languageOf is the language that n's own attributes name.
func languageOf(n *html.Node) string {
	for _, key := range languageKeys {
		if l := cleanLanguage(attr(n, key)); l != "" {
			return l
		}
	}
	if l := languageOfClass(n); l != "" {
		return l
	}
	if params, ok := strings.CutPrefix(strings.TrimSpace(attr(n, "data-syntaxhighlighter-params")), "brush:"); ok {
		return cleanLanguage(params)
	}
	if isOne(n, atom.Pre, atom.Code) {
		if l := cleanLanguage(attr(n, "language")); l != "" {
			return l
		}
		if l := cleanLanguage(attr(n, "lang")); knownLanguages[l] || len(l) > 2 && !strings.Contains(l, "-") {
			return l
		}
	}
	return ""
}

func languageOfClass(n *html.Node) string {
	classes := strings.Fields(strings.ToLower(attr(n, "class")))
	bare, output := "", false
	for i, c := range classes {
		for _, prefix := range languagePrefixes {
			if rest, ok := strings.CutPrefix(c, prefix); ok {
				if rest == "" && i+1 < len(classes) {
					rest = classes[i+1]
				}
				if l := cleanLanguage(rest); l != "" {
					return l
				}
			}
		}
		l := ""
		if i+1 < len(classes) {
			l = cleanLanguage(classes[i+1])
		}
		block, isBlock := strings.CutPrefix(c, "highlight-")
		if !isBlock {
			block, isBlock = strings.CutPrefix(c, "hl-")
		}
		switch {
		case languageMarks[c] && l != "" && !strings.ContainsAny(l, "-_") && !copyClass[l] && !lineClass[l]:
			return l
		case codeMarks[c] && knownLanguages[l]:
			return l
		case isBlock && isOne(n, atom.Div) && contains(n, is(atom.Pre)):
			if l := cleanLanguage(block); l != "" && (knownLanguages[l] || !strings.Contains(l, "-")) {
				return l
			}
		case bare == "" && knownLanguages[c]:
			bare = cleanLanguage(c)
		}
		output = output || c == "output" || strings.HasSuffix(c, "-output")
	}
	if isOne(n, atom.Pre, atom.Code) && !output {
		return bare
	}
	return ""
}

// cleanLanguage is the name of a language alone, in lower case, "" when s
// names none.
func cleanLanguage(s string) string {
	s = strings.ToLower(strings.Trim(strings.TrimSpace(s), ";:,"))
	if i := strings.IndexAny(s, " ;,{:"); i >= 0 {
		s = s[:i]
	}
	if s == "" || len(s) > 24 || noLanguage[s] || strings.IndexFunc(s, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+#-_.", r)
	}) >= 0 {
		return ""
	}
	if s == "python3" || s == "ipython3" || s == "ipython" {
		return "python"
	}
	return s
}
