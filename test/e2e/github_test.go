package e2e

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/test/fakegithub"
)

const hello = "https://github.com/octo/hello"

// newGitHubRig is one user, to whom the fake is GitHub. There is no Chrome:
// what GitHub's fetcher leaves to the browser goes nowhere.
func newGitHubRig(t *testing.T, f *fakegithub.Fake) *rig {
	t.Helper()
	e := f.Endpoints()
	return newRigWith(t, map[string]any{
		"browser": map[string]any{"executablePath": "/nonexistent/chrome"},
		"github":  map[string]any{"endpoints": map[string]string{"api": e.API, "web": e.Web, "raw": e.Raw, "gist": e.Gist, "codeload": e.Codeload}},
	})
}

// result is what fetch --json printed.
func (o output) result(t *testing.T) wire.FetchResult {
	t.Helper()
	var res wire.FetchResult
	if err := json.Unmarshal([]byte(o.stdout), &res); err != nil {
		t.Fatalf("%v in %q\nstderr:\n%s", err, o.stdout, o.stderr)
	}
	return res
}

// bodies are the contents of a document's files by name.
func bodies(t *testing.T, d *fetchers.Document) map[string]string {
	t.Helper()
	if d == nil {
		t.Fatal("no document")
	}
	texts := make(map[string]string)
	for _, b := range d.Bodies {
		text, err := os.ReadFile(b.Path)
		if err != nil {
			t.Fatal(err)
		}
		texts[b.Name] = string(text)
	}
	return texts
}

// holds fails the test for each text that is not there.
func holds(t *testing.T, what, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %q:\n%s", what, want, text)
		}
	}
}

// URLs of GitHub become files with the caller's token and without.
func TestGitHub(t *testing.T) {
	f := fakegithub.New(t)
	r := newGitHubRig(t, f)
	token := []string{"GH_TOKEN=" + f.Token}

	// The digest answers what state a pull request is in.
	digest := r.start(token, "fetch", hello+"/pull/8").wait().want(t, 0).stdout
	holds(t, "the digest", digest,
		"1. octo/hello#8: Add all languages\n   open · by linus · +479 -0 · 120 files · changes requested by grace",
		" · 32 unresolved threads of 40 · checks: 2 failing (test (macos), coverage/project), 1 pending, 1 skipped, 3 passed · ",
		"\n   "+hello+"/pull/8\n   bodies (in "+filepath.Join(r.agent, "files")+"/",
		"\n   - conversation.md (", "\n   - diff.patch (", "\n   - checks.md (", "\n   outline: conversation.md L1 ",
	)

	urls := []string{hello + "/pull/8", hello + "/blob/main/src/greet.go#L12-L14", hello + "/tree/main/docs", hello + "/issues?q=is%3Aissue+greet", "https://github.com/octo/secret/issues/1"}
	for name, env := range map[string][]string{"token": token, "anonymous": nil} {
		t.Run(name, func(t *testing.T) {
			code := 0
			if env == nil {
				code = 3 // the private repository
			}
			res := r.start(env, fetchJSON(urls...)...).wait().want(t, code).result(t)
			if len(res.Outcomes) != len(urls) {
				t.Fatalf("%d outcomes, want %d", len(res.Outcomes), len(urls))
			}
			pull := bodies(t, res.Outcomes[0].Document)
			holds(t, "conversation.md", pull["conversation.md"], "# octo/hello#8: Add all languages\n", "Remark 150", "Thread 40, comment 1.")
			holds(t, "diff.patch", pull["diff.patch"], "diff --git a/lang/000.go b/lang/000.go\nnew file mode 100644\n")
			if facts := res.Outcomes[0].Document.Facts; env == nil { // the calls are spent on the conversation
				if _, read := pull["checks.md"]; read || !slices.Contains(facts, "checks: not read, see "+hello+"/pull/8/checks") {
					t.Errorf("facts %q", facts)
				}
				pull = bodies(t, r.run(fetchJSON(hello+"/pull/8/checks")...).want(t, 0).result(t).Outcomes[0].Document)
			}
			holds(t, "checks.md", pull["checks.md"], "test (macos)", "coverage/project")

			file := res.Outcomes[1].Document
			if text := bodies(t, file)["greet.go"]; strings.Count(text, "\n") != 17 || !slices.Contains(file.Facts, "anchor: greet.go:12-14") ||
				!strings.Contains(file.Excerpt, "func greet(lang string) string {") || strings.Contains(file.Excerpt, "package main") {
				t.Errorf("file %q\nfacts %q\nexcerpt %s", text, file.Facts, file.Excerpt)
			}

			folder := res.Outcomes[2].Document
			holds(t, "the listing of docs", bodies(t, folder)["listing.md"], "guide.md", "with space #1.md")
			if !slices.Contains(folder.Facts, "5 entries") {
				t.Errorf("facts of docs %q", folder.Facts)
			}

			list := res.Outcomes[3].Document
			holds(t, "the list of issues", bodies(t, list)["listing.md"], "Greeting fails for")
			if !slices.Contains(list.Facts, "query: repo:octo/hello is:issue greet") {
				t.Errorf("facts of the list %q", list.Facts)
			}

			if private := res.Outcomes[4]; env != nil {
				holds(t, "the private issue", bodies(t, private.Document)["conversation.md"], "Shh.")
			} else if private.Document != nil || len(private.Attempts) != 2 || !strings.HasPrefix(private.Attempts[0].Reason, "404 Not Found: ") {
				t.Errorf("the private issue: %+v", private)
			}
		})
	}
	calls := map[bool]int{}
	for _, c := range f.Calls() {
		if c.API() {
			calls[c.Authorized]++
		}
	}

	// What is left of the budgets stands in the status, by whose token it is.
	budgets := map[string]bool{}
	for _, l := range r.status().Limits {
		if l.Source != "github" || l.Remaining <= 0 || l.Remaining >= l.Limit || l.ResetSecs <= 0 || l.BlockedSecs != 0 {
			t.Errorf("limit %+v after %v calls", l, calls)
		}
		budgets[l.Key+" "+l.Resource] = true
	}
	want := map[string]bool{"GH_TOKEN core": true, "GH_TOKEN graphql": true, "GH_TOKEN search": true, "anonymous core": true, "anonymous search": true}
	if diff := cmp.Diff(want, budgets); diff != "" {
		t.Errorf("budgets (-want +got):\n%s", diff)
	}
	holds(t, "status", r.run("status").want(t, 0).stdout, "github core (GH_TOKEN): ", "github core (anonymous): ", " of 60 left, renewed in ")

	r.keepsSecret(f.Token)
}

// A folder of a repository becomes files on disk with --tree; one that cannot
// be had is left to nobody else.
func TestGitHubTree(t *testing.T) {
	f := fakegithub.New(t)
	r := newGitHubRig(t, f)
	for name, env := range map[string][]string{"token": {"GH_TOKEN=" + f.Token}, "anonymous": nil} {
		t.Run(name, func(t *testing.T) {
			res := r.start(env, "fetch", "--tree", "--json", hello+"/tree/feature/x/docs", hello+"/tree/main/nowhere").wait().want(t, 3).result(t)
			doc := res.Outcomes[0].Document
			listing := bodies(t, doc)
			if len(listing) != 1 || listing["listing.md"] == "" {
				t.Fatalf("bodies %+v", doc.Bodies)
			}
			i := slices.IndexFunc(doc.Facts, func(fact string) bool { return strings.HasPrefix(fact, "files: ") })
			if i < 0 {
				t.Fatalf("facts %q name no folder", doc.Facts)
			}
			folder := strings.TrimPrefix(doc.Facts[i], "files: ")
			entries, err := os.ReadDir(folder)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, e := range entries {
				names = append(names, e.Name())
				holds(t, "the listing", listing["listing.md"], e.Name())
			}
			if diff := cmp.Diff([]string{"README.md", "crlf.txt", "guide.md", "latin1.txt", "with space #1.md"}, names); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if data, err := os.ReadFile(filepath.Join(folder, "crlf.txt")); err != nil || !bytes.Contains(data, []byte("\r\n")) {
				t.Errorf("crlf.txt: %q, %v", data, err)
			}
			if gone := res.Outcomes[1]; gone.Document != nil || len(gone.Attempts) != 1 || gone.Attempts[0].Source != "github" {
				t.Errorf("a folder that is not there: %+v", gone)
			}
		})
	}
	r.keepsSecret(f.Token)
}

// What GitHub's fetcher does not take goes on to the next one, without a word.
func TestGitHubDeclines(t *testing.T) {
	f := fakegithub.New(t)
	r := newGitHubRig(t, f)
	urls := []string{
		"https://github.com/settings/profile", hello + "/discussions/20", "https://github.com/search?q=greet&type=code",
		hello + "/blob/gone/README.md", hello + "/issues/999",
	}
	res := r.run(fetchJSON(urls...)...).want(t, 1).result(t)
	for i, o := range res.Outcomes {
		want := []string{"local"}
		if i == len(urls)-1 { // this one it took
			want = []string{"github", "local"}
		}
		var sources []string
		for _, a := range o.Attempts {
			sources = append(sources, a.Source)
		}
		if o.URL != urls[i] || o.Document != nil || !slices.Equal(sources, want) {
			t.Errorf("%s: %+v, want attempts of %v", urls[i], o, want)
		}
	}
	digest := r.run("fetch", hello+"/issues/999").want(t, 1).stdout
	holds(t, "the digest", digest, "Failed:\n- "+hello+"/issues/999\n  github: 404 Not Found: octo/hello has no issue or pull request 999", " → local: no usable Chrome")
}

// keepsSecret fails the test when anything in the agent directory, the daemon's
// log among it, or in the environment of the daemon has the token.
func (r *rig) keepsSecret(token string) {
	r.t.Helper()
	files := []string{}
	err := filepath.WalkDir(r.agent, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || !slices.Contains(files, filepath.Join(r.agent, "pifetchd", "pifetchd.log")) {
		r.t.Errorf("files %q, %v", files, err)
	}
	for _, pid := range r.daemons() {
		for _, name := range []string{"environ", "cmdline"} {
			if path := filepath.Join("/proc", strconv.Itoa(pid), name); runtime.GOOS == "linux" {
				files = append(files, path)
			}
		}
	}
	for _, path := range files {
		if data, err := os.ReadFile(path); err != nil || bytes.Contains(data, []byte(token)) {
			r.t.Errorf("the token is in %s, or %v", path, err)
		}
	}
}
