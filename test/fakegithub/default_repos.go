package fakegithub

import (
	"fmt"
	"time"

	"pifetch/test/fakegithub/gitrepo"
)

// fork is linus/hello, where pull requests come from.
func fork(dir string) (*Repo, error) {
	var b gitrepo.Builder
	b.Commit(gitrepo.Commit{
		Branch: "refs/heads/main", Author: linus, When: day(time.January, 16, 10, 0), Message: "Initial commit\n",
		Files: map[string]gitrepo.File{"readme.rst": gitrepo.Text("hello\n=====\n\nA fork.\n")},
	})
	git, err := b.Build(dir)
	return &Repo{
		Owner: "linus", Name: "hello", ID: 5002, Fork: "octo/hello", Created: day(time.January, 16, 9, 0), Pushed: day(time.March, 2, 9, 0), Git: git,
		// Where octo/hello#12 went.
		Issues: []*Issue{{Number: 1, ID: 2300000001, Title: "Moved", Author: "linus", Association: "OWNER", Created: day(time.January, 14, 9, 0), Body: "This began elsewhere."}},
	}, err
}

// Entries of the folder "data" of octo/many.
const manyEntries = 1203

// many is octo/many, with a folder that has more entries than GitHub lists.
func many(dir string) (*Repo, error) {
	files := map[string]gitrepo.File{"README": gitrepo.Text("Many files.\n")}
	for i := range manyEntries {
		files[fmt.Sprintf("data/%04d.txt", i)] = gitrepo.Text(fmt.Sprintln(i))
	}
	var b gitrepo.Builder
	b.Commit(gitrepo.Commit{Branch: "refs/heads/main", Author: ada, When: day(time.January, 7, 10, 0), Message: "Add the data\n", Files: files})
	git, err := b.Build(dir)
	return &Repo{Owner: "octo", Name: "many", ID: 5003, IssuesOff: true, Created: day(time.January, 7, 9, 0), Pushed: day(time.January, 7, 10, 0), Git: git}, err
}

// empty is octo/empty, without commits.
func empty(dir string) (*Repo, error) {
	var b gitrepo.Builder
	git, err := b.Build(dir)
	return &Repo{Owner: "octo", Name: "empty", ID: 5004, Created: day(time.January, 8, 9, 0), Pushed: day(time.January, 8, 9, 0), Git: git}, err
}

// secret is octo/secret, which only the token sees.
func secret(dir string) (*Repo, error) {
	var b gitrepo.Builder
	b.Commit(gitrepo.Commit{
		Branch: "refs/heads/main", Author: ada, When: day(time.January, 9, 10, 0), Message: "Initial commit\n",
		Files: map[string]gitrepo.File{"README.md": gitrepo.Text("# secret\n\nNobody may know.\n"), "plan.txt": gitrepo.Text("the plan\n")},
	})
	git, err := b.Build(dir)
	return &Repo{
		Owner: "octo", Name: "secret", ID: 5005, Private: true, Description: "Not for everybody",
		Created: day(time.January, 9, 9, 0), Pushed: day(time.January, 9, 10, 0), Git: git,
		Issues: []*Issue{{Number: 1, ID: 2100000001, Title: "Keep it quiet", Author: "ada", Association: "MEMBER", Created: day(time.January, 10, 9, 0), Body: "Shh."}},
	}, err
}

func gists() []*Gist {
	return []*Gist{{
		ID: "aa5a315d61ae9438b18d", Owner: "ada", Description: "Greeting snippets", Created: day(time.February, 1, 10, 0),
		Files: []GistFile{
			{"hello.rb", "application/x-ruby", "Ruby", "puts 'hello'\n"},
			{"notes.md", "text/markdown", "Markdown", "# Notes\n\nGreet first.\n"},
		},
		Comments: []*Comment{{ID: 4000000001, Author: "linus", Body: "Nice\r\nsnippet", Created: day(time.February, 2, 10, 0), Association: "NONE"}},
	}}
}
