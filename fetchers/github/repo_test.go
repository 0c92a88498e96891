package github

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// A repository is called empty when it has neither branches nor tags.
func TestRepositoryThatWasEmpty(t *testing.T) {
	var lines []string
	j := newJob(t, "https://github.com/o/r", "", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/repos/o/r":
			_, _ = w.Write([]byte(`{"full_name":"o/r","default_branch":"main"}`))
		case "/repos/o/r/contents":
			_, _ = w.Write([]byte(`[{"type":"file","name":"a.go","size":3,"sha":"` + sha2 + `","download_url":"x"}]`))
		case "/web/o/r.git/info/refs":
			_, _ = w.Write(packets(lines...))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	now := j.refs.now()
	j.refs.now = func() time.Time { return now }
	service := "# service=git-upload-pack"

	lines = []string{service, "", strings.Repeat("0", 40) + " capabilities^{}\x00multi_ack", ""}
	doc, err := resolveRepo(t.Context(), j)
	if err != nil || !slices.Contains(doc.Facts, "empty repository") {
		t.Errorf("empty: %v, %v", doc.Facts, err)
	}

	now = now.Add(refsNew)
	lines = []string{service, "", sha1 + " refs/heads/main\x00multi_ack", ""}
	doc, err = resolveRepo(t.Context(), j)
	if err != nil || !slices.Contains(doc.Facts, "main@1111111") {
		t.Errorf("after the first push: %v, %v", doc.Facts, err)
	}

	now = now.Add(refsKept)
	lines = []string{service, "", sha1 + " refs/heads/other\x00multi_ack", ""}
	const want = "the default branch main of o/r is not among its branches"
	if doc, err = resolveRepo(t.Context(), j); err == nil || err.Error() != want {
		t.Errorf("without the default branch: %v, %v; want %s", doc.Facts, err, want)
	}
}

// The raw host would tell where a link leads instead of what is there.
func TestReadmeThatIsALink(t *testing.T) {
	j := newJob(t, "https://github.com/o/r", "", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/repos/o/r":
			_, _ = w.Write([]byte(`{"full_name":"o/r","default_branch":"main"}`))
		case "/repos/o/r/contents":
			_, _ = w.Write([]byte(`[{"type":"symlink","name":"README.md","size":3,"sha":"` + sha2 + `","download_url":"x"}]`))
		case "/repos/o/r/readme":
			_, _ = w.Write([]byte(`{"name":"README.md","path":"README.md","encoding":"base64","content":"IyBI\naQo=\n"}`))
		case "/web/o/r.git/info/refs":
			_, _ = w.Write(packets("# service=git-upload-pack", "", sha1+" refs/heads/main\x00multi_ack", ""))
		default:
			t.Errorf("asked for %s", r.URL)
		}
	}))
	doc, err := resolveRepo(t.Context(), j)
	if err != nil || doc.Kind != "github.readme" || !slices.Contains(doc.Facts, "path README.md") {
		t.Fatalf("%+v, %v", doc, err)
	}
	if text, err := os.ReadFile(doc.Bodies[0].Path); err != nil || string(text) != "# Hi\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// What a description holds cannot pass for another fact.
func TestDescriptionIsOneFact(t *testing.T) {
	j := newJob(t, "https://github.com/o/r", "", http.NotFoundHandler())
	r := repository{place: place{repo: "o/r", commit: sha1}, description: "x · archived\n·private", open: "0 open issues"}
	if got, want := r.facts(j)[0], "x - archived -private"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
