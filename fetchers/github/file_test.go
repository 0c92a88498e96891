package github

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"pifetch/fetchers/github/checkout"
)

// hub is a GitHub of one file, a.go at refs/heads/main of o/r.
func hub(entry string, files map[string]http.HandlerFunc) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /graphql", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"data":{"repository":{"nameWithOwner":"o/r","isPrivate":false,"c0":{"__typename":"Commit","oid":"` + sha1 + `","file":` + entry + `},"c1":null}}}`))
	})
	mux.HandleFunc("GET /web/o/r.git/info/refs", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(packets("# service=git-upload-pack", "", sha1+" HEAD\x00multi_ack", sha1+" refs/heads/main", ""))
	})
	for pattern, h := range files {
		mux.HandleFunc("GET "+pattern, h)
	}
	return mux
}

func announce(n string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", n)
		w.WriteHeader(http.StatusOK)
	}
}

func TestFilesOverTheCap(t *testing.T) {
	const entry = `{"name":"a.go","mode":33188,"oid":"` + sha2 + `","size":209715200,"submodule":null,"object":{}}`
	const want = "a.go is too large: 200.0MB, the most is 100.0MB: git clone https://github.com/o/r.git"
	for _, token := range []string{"t", ""} {
		j := newJob(t, "https://github.com/o/r/blob/main/a.go", token, hub(entry, map[string]http.HandlerFunc{
			"/raw/o/r/" + sha1 + "/a.go": announce("209715200"),
		}))
		if _, err := resolveFile(t.Context(), j); err == nil || err.Error() != want {
			t.Errorf("token %q: %v, want %s", token, err, want)
		}
	}
}

// GitHub describes a link in JSON when it leads to no file.
func TestLinkThatIsDescribed(t *testing.T) {
	const entry = `{"name":"a.go","mode":40960,"oid":"` + sha2 + `","size":9,"submodule":null,"object":{}}`
	j := newJob(t, "https://github.com/o/r/blob/main/a.go", "t", hub(entry, map[string]http.HandlerFunc{
		"/repos/o/r/git/blobs/" + sha2: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/vnd.github.raw+json; charset=utf-8")
			_, _ = w.Write([]byte("../x\ny\x1b[2J"))
		},
		"/repos/o/r/contents/a.go": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			_, _ = w.Write([]byte(`{"type":"symlink","target":"../x"}`))
		},
	}))
	doc, err := resolveFile(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(doc.Bodies[0].Path); err != nil || string(content) != "../x\ny\x1b[2J" {
		t.Errorf("body %q, %v", content, err)
	}
	if !slices.Contains(doc.Facts, `symbolic link to ../x\ny\x1b[2J`) {
		t.Errorf("facts %q", doc.Facts)
	}
}

// Names that are no text leave the listing one.
func TestSubtreeListingOfStrangeNames(t *testing.T) {
	j := newJob(t, "https://github.com/o/r/tree/main", "", http.NotFoundHandler())
	doc, err := j.describe(&subtree{place: place{repo: "o/r", ref: "cafe123", commit: "cafe123"}, folder: "/tmp/x/tree", Result: checkout.Result{
		Commit: sha1, More: 3,
		Entries: []checkout.Entry{
			{Path: "caf\xe9|x.txt", File: "caf_|x.txt", Size: 3},
			{Path: "big", Omitted: "over the cap of 100.0MB", Capped: true, Size: 1 << 30},
			{Path: "link", Omitted: "symbolic link to \x1b[2J\n| x"},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(doc.Bodies[0].Path)
	if err != nil || doc.Bodies[0].Lines == 0 {
		t.Fatalf("%+v, %v: want text", doc.Bodies, err)
	}
	_, table, _ := strings.Cut(string(text), "| --- | --- | --- |\n")
	const want = `| 1073741824 | big | not here: over the cap of 100.0MB |
| 3 | caf\xe9\|x.txt | here as caf_\|x.txt |
|  | link | not here: symbolic link to \x1b[2J\n\| x |

3 further entries are not listed

`
	if table != want {
		t.Errorf("table:\n%s\nwant:\n%s", table, want)
	}
	facts := strings.Join(doc.Facts, " · ")
	const wantFacts = "repo o/r · cafe123@1111111 · files: /tmp/x/tree/ · 1 file, 3B · incomplete: 4 files are missing, the most is 100.0MB and 10,000 files: fetch a folder below it, or git clone https://github.com/o/r.git · 1 link or submodule is no file here"
	if facts != wantFacts {
		t.Errorf("facts %s\nwant %s", facts, wantFacts)
	}
}
