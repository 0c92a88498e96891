package github

import (
	"net/http"
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
