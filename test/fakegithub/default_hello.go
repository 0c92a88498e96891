package fakegithub

import (
	"strings"
	"time"

	"pifetch/test/fakegithub/gitrepo"
)

// hello is octo/hello, the repository that has something of everything.
func hello(dir string) (*Repo, error) {
	r := &Repo{
		Owner: "octo", Name: "hello", ID: 5001,
		Description: "Says hello in many languages", Homepage: "https://hello.octo.example",
		Topics: []string{"greeting", "i18n"}, License: "MIT", Language: "Go", Stars: 1234,
		FormerNames: []string{"octo/old-hello", "oldocto/hello"},
		Created:     day(time.January, 2, 9, 0), Pushed: day(time.March, 20, 17, 30),
		Labels: []Label{
			{"bug", "d73a4a", "Something isn't working"},
			{"good first issue", "7057ff", "Good for newcomers"},
			{"help wanted", "008672", ""},
			{"area: parser", "0e8a16", "The parser"},
		},
		Milestones: []Milestone{
			{Number: 1, Title: "v1.2", Description: "Greets in every language of the EU.", Creator: "ada", Created: day(time.January, 20, 9, 0), Due: day(time.June, 1, 0, 0)},
			{Number: 2, Title: "v1.1", Creator: "ada", Created: day(time.January, 10, 9, 0), Closed: day(time.February, 20, 12, 0)},
		},
		Checks: map[string][]Check{}, Statuses: map[string][]Status{},
	}
	var b gitrepo.Builder
	helloHistory(&b)
	pulls := helloPulls(&b)
	var err error
	if r.Git, err = b.Build(dir); err != nil {
		return nil, err
	}
	if r.Wiki, err = helloWiki(dir); err != nil {
		return nil, err
	}
	r.Issues = append(helloIssues(), pulls...)
	for _, i := range pulls {
		finishPull(r, i.Number, i.Pull)
	}
	helloChecks(r)
	r.Discussions = helloDiscussions()
	r.Releases = helloReleases()
	return r, nil
}

const helloReadme = `# hello

Says hello in many languages.

## Use

    go run ./src en

See [the guide](docs/guide.md) and the [wiki](https://github.com/octo/hello/wiki).

![logo](assets/logo.png)
`

const helloMain = `// Command hello greets.
package main

import (
	"fmt"
	"os"
)

func main() {
	lang := "en"
	if len(os.Args) > 1 {
		lang = os.Args[1]
	}
	fmt.Println(greet(lang))
}
`

const helloGreet = `package main

// greetings holds a greeting for each language.
var greetings = map[string]string{
	"de": "Hallo",
	"en": "Hello",
	"fr": "Bonjour",
	"it": "Ciao",
}

// greet greets in lang, and in English where it does not know the language.
func greet(lang string) string {
	if g, ok := greetings[lang]; ok {
		return g
	}
	return greetings["en"]
}
`

// submoduleCommit is where octo/hello has octo/fork as a submodule.
const submoduleCommit = "8f2b1c0d9e7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c"

const lfsPointer = "version https://git-lfs.github.com/spec/v1\n" +
	"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n" +
	"size 73400320\n"

const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
	"\x00\x00\x00\nIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00\x00\x00IEND\xaeB`\x82"

func helloHistory(b *gitrepo.Builder) {
	const main = "refs/heads/main"
	files := map[string]gitrepo.File{
		".github/workflows/ci.yml": gitrepo.Text("name: CI\non: [push, pull_request]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v5\n      - run: go test ./...\n"),
		".gitattributes":           gitrepo.Text("*.bin filter=lfs diff=lfs merge=lfs -text\nassets/notes.txt export-ignore\n"),
		".gitmodules":              gitrepo.Text("[submodule \"vendor/greetings\"]\n\tpath = vendor/greetings\n\turl = https://github.com/octo/fork.git\n"),
		"LICENSE":                  gitrepo.Text("MIT License\n\nCopyright (c) 2026 Octo Works\n"),
		"README.md":                gitrepo.Text(helloReadme),
		"assets/logo.png":          gitrepo.Text(pixel),
		"assets/model.bin":         gitrepo.Text(lfsPointer),
		"assets/notes.txt":         gitrepo.Text("not in archives\n"),
		"docs/README.md":           gitrepo.Text("# Documents\n\n- [guide](guide.md)\n"),
		"docs/crlf.txt":            gitrepo.Text("first\r\nsecond\r\nthird\r\n"),
		"docs/guide.md":            gitrepo.Text("# Guide\n\n## Install\n\n    go install github.com/octo/hello@latest\n\n## Languages\n\n| code | greeting |\n|---|---|\n| de | Hallo |\n"),
		"docs/latin1.txt":          gitrepo.Text("caf\xe9\n"),
		"docs/with space #1.md":    gitrepo.Text("# A name with a space and a number sign\n"),
		"empty.txt":                gitrepo.Text(""),
		"go.mod":                   gitrepo.Text("module github.com/octo/hello\n\ngo 1.26\n"),
		"latest":                   gitrepo.Link("docs/guide.md"),
		"away":                     gitrepo.Link("../outside"),
		"src/main.go":              gitrepo.Text(helloMain),
		"tools/run.sh":             gitrepo.Executable("#!/bin/sh\nexec go run ./src \"$@\"\n"),
		"vendor/greetings":         gitrepo.Submodule(submoduleCommit),
	}
	for path, f := range tortureBase() {
		files["torture/"+path] = f
	}
	b.Commit(gitrepo.Commit{Branch: main, Author: ada, When: day(time.January, 5, 10, 0), Message: "Initial commit\n", Files: files})
	b.Commit(gitrepo.Commit{
		Branch: main, Author: ada, When: day(time.January, 12, 10, 0),
		Message: "Greet in four languages\n\nThe table is sorted by code.\nFixes #4.\n",
		Files:   map[string]gitrepo.File{"src/greet.go": gitrepo.Text(helloGreet)},
	})
	b.Tag("v1.0.0", main, ada, day(time.January, 15, 12, 0), "hello 1.0.0\n")
	b.Ref("refs/heads/release-1.0", main)
	b.Commit(gitrepo.Commit{
		Branch: main, Author: linus, When: day(time.February, 3, 8, 30), Message: "Test greet (#3)\n",
		Files: map[string]gitrepo.File{"src/greet_test.go": gitrepo.Text("package main\n\nimport \"testing\"\n\nfunc TestGreet(t *testing.T) {\n\tif got := greet(\"xx\"); got != \"Hello\" {\n\t\tt.Errorf(\"got %q\", got)\n\t}\n}\n")},
	})
	// A tag that bears the name of a branch, and stands elsewhere.
	b.Ref("refs/tags/release-1.0", main)
	b.Ref("refs/tags/v1.1.0", main)
	b.Ref("refs/tags/pkg/v2.0.0-rc.1", main)
	b.Commit(gitrepo.Commit{
		Branch: "refs/heads/release-1.0", Author: ada, When: day(time.February, 10, 9, 0), Message: "Fix a typo in the guide\n",
		Files: map[string]gitrepo.File{"docs/guide.md": gitrepo.Text("# Guide\n\nOf release 1.0.\n")},
	})
	// A branch that looks like an abbreviated commit.
	b.Commit(gitrepo.Commit{
		Branch: "refs/heads/cafe123", From: main, Author: ada, When: day(time.February, 11, 9, 0), Message: "Brew coffee\n",
		Files: map[string]gitrepo.File{"src/coffee.go": gitrepo.Text("package main\n\nconst coffee = \"☕\"\n")},
	})
	b.Commit(gitrepo.Commit{
		Branch: "refs/heads/feature/x", From: main, Author: linus, When: day(time.February, 12, 9, 0), Message: "Start feature x\n",
		Files: map[string]gitrepo.File{"src/x.go": gitrepo.Text("package main\n\n// x is new.\nconst x = 1\n"), "src/main.go": gitrepo.Text(strings.Replace(helloMain, `"en"`, `"de"`, 1))},
	})
	b.Commit(gitrepo.Commit{
		Branch: main, Merge: "refs/heads/cafe123", Author: ada, When: day(time.March, 1, 12, 0), Message: "Merge branch 'cafe123'\n",
		Files: map[string]gitrepo.File{"src/coffee.go": gitrepo.Text("package main\n\nconst coffee = \"☕\"\n")},
	})
}

func helloWiki(dir string) (gitrepo.Repo, error) {
	var b gitrepo.Builder
	b.Commit(gitrepo.Commit{
		Branch: "refs/heads/master", Author: ada, When: day(time.January, 6, 10, 0), Message: "Start the wiki\n",
		Files: map[string]gitrepo.File{
			"Home.md":            gitrepo.Text("# Welcome\n\n- [[Getting Started]]\n"),
			"Getting-Started.md": gitrepo.Text("# Getting started\n\nInstall Go first.\n"),
			"_Sidebar.md":        gitrepo.Text("* [[Home]]\n"),
			"notes/Ünïcode.md":   gitrepo.Text("# Unicode\n"),
		},
	})
	b.Ref("refs/heads/main", "refs/heads/master") // what HEAD of a made repository names
	return b.Build(dir)
}
