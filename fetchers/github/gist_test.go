package github

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pifetch/test/fakegithub"
)

// Gists as documents.
func TestGoldenGists(t *testing.T) {
	f := fakegithub.New(t)
	f.Handle("GET /users/{username}/gists", func(r fakegithub.Request) (int, any) {
		return 200, fakegithub.List{Items: []any{object{
			"id": "aa5a315d61ae9438b18d", "description": "Greeting snippets", "public": true, "comments": 1, "updated_at": "2026-02-01T10:00:00Z",
			"html_url": "https://gist.github.com/ada/aa5a315d61ae9438b18d",
			"files":    object{"notes.md": object{"filename": "notes.md", "size": 22}, "hello.rb": object{"filename": "hello.rb", "size": 13}},
		}}}
	})
	for _, tt := range []struct{ name, url string }{
		{"gist/whole", "https://gist.github.com/ada/aa5a315d61ae9438b18d"},
		{"gist/file", "https://gist.github.com/ada/aa5a315d61ae9438b18d#file-notes-md-L3"},
		{"gist/no-such-file", "https://gist.github.com/ada/aa5a315d61ae9438b18d#file-gone-md"},
		{"gist/comment", "https://gist.github.com/ada/aa5a315d61ae9438b18d?permalink_comment_id=4000000001#gistcomment-4000000001"},
		{"gist/raw", "https://gist.githubusercontent.com/ada/aa5a315d61ae9438b18d/raw/57a7f021a713b1c5a6a199b54cc514735d2d462f/hello.rb"},
		{"gist/raw-unnamed", "https://gist.github.com/ada/aa5a315d61ae9438b18d/raw"},
		{"gist/missing", "https://gist.github.com/ada/bb5a315d61ae9438b18d"},
		{"gists/all", "https://gist.github.com/ada"},
	} {
		golden(t, f, tt.name, tt.url)
	}
}

// What the API sends of a gist's files in part, or as other text, comes from
// where the files lie.
func TestGistFilesAsTheyAre(t *testing.T) {
	f := fakegithub.New(t)
	large := strings.Repeat("0123456789abcde\n", 1<<17) // 2 MB
	f.World.Gists = append(f.World.Gists, &fakegithub.Gist{
		ID: "0123456789abcdef0123", Owner: "ada", Secret: true, Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Files: []fakegithub.GistFile{
			{Name: "comments.md", Type: "text/markdown", Content: "mine\n"},
			{Name: "large.txt", Type: "text/plain", Content: large},
			{Name: "latin1.txt", Type: "text/plain", Content: "caf\xe9\n"},
		},
		Comments: []*fakegithub.Comment{{ID: 7, Author: "", Body: "# Hi", Created: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Edited: time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)}},
	})
	got := fetch(t, f, anonymous, "https://gist.github.com/ada/0123456789abcdef0123#gistcomment-7")
	got.has(t, "secret", "3 files", "anchor: comments-2.md:5")
	if got.body(t, "large.txt") != large || got.body(t, "latin1.txt") != "caf\xe9\n" || got.body(t, "comments.md") != "mine\n" {
		t.Error("the files are others than the gist's")
	}
	if want := "ghost · 2026-01-02 00:00 UTC · edited 2026-01-03 00:00 UTC:\n# Hi"; got.Document.Excerpt != want {
		t.Errorf("excerpt %q, want %q", got.Document.Excerpt, want)
	}
	var hosts []fakegithub.Host
	for _, c := range f.Calls() {
		hosts = append(hosts, c.Host)
	}
	slices.Sort(hosts)
	if want := []fakegithub.Host{fakegithub.API, fakegithub.API, fakegithub.GistRaw, fakegithub.GistRaw}; !slices.Equal(hosts, want) {
		t.Errorf("asked %v, want %v", hosts, want)
	}
}

// GitHub's description allows for a name without a file.
func TestGistWithoutFile(t *testing.T) {
	f := fakegithub.New(t)
	f.Handle("GET /gists/{gist_id}", func(fakegithub.Request) (int, any) {
		return 200, fakegithub.Partial{Body: object{
			"id": "0123456789abcdef0123", "description": "", "public": true, "comments": 0, "html_url": "https://gist.github.com/ada/0123456789abcdef0123",
			"files": object{"a.txt": nil, "b.txt": object{"filename": "b.txt", "size": 1, "content": "x", "truncated": false}},
		}}
	})
	got := fetch(t, f, anonymous, "https://gist.github.com/ada/0123456789abcdef0123")
	got.has(t, "1 file")
	if len(got.Document.Bodies) != 1 || got.body(t, "b.txt") != "x" || got.Document.Title != "gist: b.txt" {
		t.Errorf("%q with %v", got.Document.Title, got.Document.Bodies)
	}
}

func TestFileAnchor(t *testing.T) {
	for name, want := range map[string]string{
		"hello.rb": "hello-rb", ".bashrc": "bashrc", "My File (1).TXT": "my-file-1-txt", "a_b.py": "a_b-py", "größe.md": "größe-md",
	} {
		if got := fileAnchor(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
