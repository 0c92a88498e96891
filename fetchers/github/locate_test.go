package github

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/target"
)

// newJob is a job for a URL whose hosts are all served by h.
func newJob(t *testing.T, raw, token string, h http.Handler) *job {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	client := api.New(api.Config{
		Endpoints: func() api.Endpoints {
			return api.Endpoints{API: srv.URL, Web: srv.URL + "/web", Raw: srv.URL + "/raw", Gist: srv.URL + "/gist", Codeload: srv.URL + "/codeload"}
		},
		UserAgent: "test", Env: []string{"PATH=/nonexistent"},
	})
	parsed, ok := target.Parse(raw)
	if !ok {
		t.Fatalf("%s is not understood", raw)
	}
	return &job{
		Target: parsed, api: client.Session(map[string]string{"GH_TOKEN": token}), url: fetchers.URL{Asked: raw},
		folder: newFolder(t), refs: newRefCache(), stage: func(fetchers.Stage) {},
	}
}

func TestLocate(t *testing.T) {
	const raw = "https://github.com/o/r/blob/feature/x/a.go"
	const query = "query($e0:String!$e1:String!$e2:String!$e3:String!$name:String!$owner:String!$p0:String!$p1:String!$p2:String!$p3:String!)" +
		"{repository(owner: $owner, name: $name){nameWithOwner,isPrivate"
	const file = `{"name":"a.go","mode":33261,"oid":"` + sha2 + `","size":12,"submodule":null,"object":{}}`
	const miss = `{"type":"NOT_FOUND","path":["repository","c0","file"],"message":"Could not resolve file for path 'x/a.go'."}`
	want := place{
		repo: "New/R", private: true, ref: "feature/x", commit: sha1, path: "a.go",
		entry: &gitEntry{Name: "a.go", Mode: modeExecutable, SHA: sha2, Size: 12, Entries: []gitEntry{}},
	}
	for _, tt := range []struct {
		name, answer string
		want         place
		err          string
	}{
		{
			"commit", `{"data":{"repository":{"nameWithOwner":"New/R","isPrivate":true,
				"c0":{"__typename":"Commit","oid":"` + sha3 + `","file":null},"c1":null,
				"c2":{"__typename":"Commit","oid":"` + sha1 + `","file":` + file + `},"c3":null}},"errors":[` + miss + `]}`, want, "",
		},
		{
			"annotated tag", `{"data":{"repository":{"nameWithOwner":"New/R","isPrivate":true,"c0":null,"c1":null,"c2":null,
				"c3":{"__typename":"Tag","oid":"` + sha3 + `","target":{"__typename":"Commit","oid":"` + sha1 + `","file":` + file + `}}}}}`, want, "",
		},
		{"nothing", `{"data":{"repository":{"nameWithOwner":"o/r","isPrivate":false,"c0":null,"c1":null,"c2":null,"c3":null}}}`, place{}, errUnclaimed.Error()},
		{
			"no repository",
			`{"data":{"repository":null},"errors":[{"type":"NOT_FOUND","path":["repository"],"message":"Could not resolve to a Repository with the name 'o/r'."}]}`,
			place{},
			"404 Not Found: o/r does not exist, or the token may not see it",
		},
		{"another error", `{"data":{"repository":null},"errors":[` + miss + `,{"message":"broken"}]}`, place{}, "404 Not Found: Could not resolve file for path 'x/a.go' (it does not exist, or the token may not see it)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := newJob(t, raw, "t", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var sent struct {
					Query     string
					Variables map[string]string
				}
				if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || r.URL.Path != "/graphql" {
					t.Errorf("%s: %v", r.URL, err)
				}
				if len(sent.Query) < len(query) || sent.Query[:len(query)] != query {
					t.Errorf("query %s, want %s…", sent.Query, query)
				}
				if sent.Variables["e3"] != "refs/tags/feature/x" || sent.Variables["p3"] != "a.go" {
					t.Errorf("variables %v", sent.Variables)
				}
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(tt.answer))
			}))
			got, err := j.locate(t.Context(), false)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("error %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(place{})); diff != "" {
				t.Errorf("place (-want +got):\n%s", diff)
			}
		})
	}
}

// What is no commit has no folder either, not an empty one.
func TestTagOfATree(t *testing.T) {
	for _, kind := range []string{"Tree", "Tag", "Blob"} {
		j := newJob(t, "https://github.com/o/r/tree/v1", "t", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"data":{"repository":{"nameWithOwner":"o/r","isPrivate":false,"c0":null,
				"c1":{"__typename":"Tag","oid":"` + sha3 + `","target":{"__typename":"` + kind + `","oid":"` + sha1 + `"}}}}}`))
		}))
		if got, err := j.locate(t.Context(), true); !errors.Is(err, errUnclaimed) {
			t.Errorf("a tag of a %s: %+v, %v", kind, got, err)
		}
	}
}

// A subtree that cannot be had has no other source.
func TestSubtreeFailuresAreFinal(t *testing.T) {
	j := newJob(t, "https://github.com/o/r/tree/gone/src", "", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(packets("# service=git-upload-pack", "", sha1+" HEAD\x00multi_ack", sha1+" refs/heads/main", ""))
	}))
	j.tree = true
	_, err := resolveDirectory(t.Context(), j)
	if _, final := errors.AsType[finalError](err); !final || err.Error() != "no branch, tag or commit of o/r goes with this URL" {
		t.Errorf("error %v, final %v", err, final)
	}
}
