package github

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pifetch/test/fakegithub"
)

func TestSubtrees(t *testing.T) {
	for _, tt := range []struct {
		name, url string
		modes     []mode
		gitFails  bool
		files     []string // sorted; nil: not looked at
		facts     []string // after the ref
		listing   []string // lines of it
	}{
		{
			name: "folder", url: "https://github.com/octo/hello/tree/feature/x/docs", modes: []mode{withToken, anonymous},
			files:   []string{"README.md", "crlf.txt", "guide.md", "latin1.txt", "with space #1.md"},
			facts:   []string{"path docs", "files: FOLDER/", "5 files, 225B"},
			listing: []string{"| 125 | guide.md |  |"},
		},
		{
			name: "folder of the API", url: "https://api.github.com/repos/octo/hello/contents/docs?ref=feature/x", modes: []mode{withToken, anonymous},
			files: []string{"README.md", "crlf.txt", "guide.md", "latin1.txt", "with space #1.md"},
			facts: []string{"path docs", "files: FOLDER/", "5 files, 225B"},
		},
		{
			name: "folder that git cannot get", url: "https://github.com/octo/hello/tree/main/tools", modes: []mode{withToken, anonymous}, gitFails: true,
			files:   []string{"run.sh"},
			facts:   []string{"path tools", "files: FOLDER/", "1 file, 33B"},
			listing: []string{"| 33 | run.sh | executable in the repository |", "They come from GitHub's archive of the commit. A file marked export-ignore in .gitattributes is not in it."},
		},
		{
			name: "submodule", url: "https://github.com/octo/hello/tree/main/vendor", modes: []mode{withToken, anonymous},
			files:   []string{},
			facts:   []string{"path vendor", "files: FOLDER/", "0 files, 0B", "1 link or submodule is no file here"},
			listing: []string{"|  | greetings | not here: submodule at 8f2b1c0d9e7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c |"},
		},
		{
			name: "whole", url: "https://github.com/octo/hello", modes: []mode{withToken, anonymous},
			facts: []string{
				"files: FOLDER/", "", "",
				"from GitHub's archive, which .gitattributes keeps some files out of or changes them in (export-ignore, export-subst)",
			},
			listing: []string{
				"|  | latest | not here: symbolic link to docs/guide.md |",
				"|  | vendor/greetings | not here: empty in the archive: a submodule, or left out by .gitattributes |",
			},
		},
		{
			name: "archive", url: "https://github.com/octo/hello/archive/refs/heads/cafe123.zip", modes: []mode{withToken, anonymous},
			facts: []string{"files: FOLDER/", "", "", "from GitHub's archive, which .gitattributes keeps some files out of or changes them in (export-ignore, export-subst)"},
		},
		{
			name: "private", url: "https://github.com/octo/secret/tree/main", modes: []mode{withToken},
			files: []string{"README.md", "plan.txt"},
			facts: []string{"files: FOLDER/", "2 files, 36B"},
		},
	} {
		for _, m := range tt.modes {
			t.Run(tt.name+"/"+string(m), func(t *testing.T) {
				f := fakegithub.New(t)
				if tt.gitFails {
					f.FailAlways("web /octo/hello.git/git-upload-pack", fakegithub.NotFound())
				}
				req := request(f, m)
				req.Tree = true
				got := fetchAll(t, newFetcher(t, f), req, tt.url)[tt.url]
				if got.Document == nil {
					t.Fatalf("no document: %+v", got.Failure)
				}
				doc := got.Document
				folder := filepath.Join(filepath.Dir(doc.Bodies[0].Path), "tree")
				for i, want := range tt.facts {
					fact := strings.ReplaceAll(doc.Facts[2+i], folder, "FOLDER")
					if want != "" && fact != want {
						t.Errorf("fact %q, want %q", fact, want)
					}
				}
				if names := filesIn(t, folder); tt.files != nil && !slices.Equal(names, tt.files) {
					t.Errorf("files %q, want %q", names, tt.files)
				}
				listing := got.body(t, "listing.md")
				for _, want := range tt.listing {
					if !strings.Contains(listing, want+"\n") {
						t.Errorf("the listing lacks %q:\n%s", want, listing)
					}
				}
				if len(doc.Bodies) != 1 || doc.Kind != "github.subtree" {
					t.Errorf("kind %s, bodies %v", doc.Kind, doc.Bodies)
				}
				if entries, _ := os.ReadDir(filepath.Dir(folder)); len(entries) != 2 {
					t.Errorf("the document's folder holds %v", entries)
				}
			})
		}
	}
}

// filesIn are the paths of the files below dir, none of which may be a link or
// executable.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	names := []string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if fi, err := e.Info(); err != nil || fi.Mode() != 0o600 {
			t.Errorf("%s: mode %v, %v", path, fi.Mode(), err)
		}
		name, err := filepath.Rel(dir, path)
		names = append(names, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A subtree that is not whole is none.
func TestSubtreeThatBreaksOff(t *testing.T) {
	f := fakegithub.New(t)
	f.Fail("codeload /octo/hello/tar.gz", fakegithub.Failure{Cut: 500})
	req := request(f, anonymous)
	req.Tree = true
	const url = "https://github.com/octo/hello/tree/main"
	got := fetchAll(t, newFetcher(t, f), req, url)[url]
	if got.Failure == nil || !got.Failure.Final || !strings.Contains(got.Failure.Reason, "the answer broke off") {
		t.Errorf("document %+v, failure %+v; want a final failure", got.Document, got.Failure)
	}
}

func TestSubtreesThatCannotBeHad(t *testing.T) {
	f := fakegithub.New(t)
	for _, tt := range []struct {
		url  string
		mode mode
		want string
	}{
		{"https://github.com/octo/hello/tree/gone/src", anonymous, "no branch, tag or commit of octo/hello goes with this URL"},
		{"https://github.com/octo/hello/tree/gone/src", withToken, "no branch, tag or commit of octo/hello goes with this URL"},
		{"https://github.com/octo/hello/tree/main/nowhere", anonymous, "octo/hello: no such folder at this commit"},
		{"https://github.com/octo/hello/tree/main/go.mod", withToken, "go.mod is a file, not a folder: fetch it without its tree"},
		{"https://github.com/octo/nowhere/tree/main", withToken, "404 Not Found: octo/nowhere does not exist, or the token may not see it"},
		{"https://github.com/octo/empty", anonymous, "the repository octo/empty is empty"},
		{"https://github.com/octo/empty", withToken, "the repository octo/empty is empty"},
	} {
		t.Run(fmt.Sprint(tt.url, tt.mode), func(t *testing.T) {
			req := request(f, tt.mode)
			req.Tree = true
			got := fetchAll(t, newFetcher(t, f), req, tt.url)[tt.url]
			if got.Failure == nil || got.Failure.Reason != tt.want || !got.Failure.Final {
				t.Errorf("failure %+v, want %s, final", got.Failure, tt.want)
			}
		})
	}
}
