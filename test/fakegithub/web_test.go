package fakegithub

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pifetch/test/fakegithub/gitrepo"
)

func TestHosts(t *testing.T) {
	f := New(t)
	head := f.World.Repos[0].Issue(PullTorture).Pull.HeadSHA
	for _, tt := range []struct {
		host   Host
		path   string
		status int
		says   string // in the body, or in the Location header
	}{
		{Web, "/octo/hello/pull/7.diff", 302, f.Base(Diffs) + "/raw/octo/hello/pull/7.diff"},
		{Diffs, "/raw/octo/hello/pull/7.diff", 200, "diff --git \"a/torture/quo\\\"te\\t.txt\""},
		{Diffs, "/raw/octo/hello/pull/7.patch", 200, "Subject: [PATCH] Change everything in every way"},
		{Web, "/octo/hello/commit/" + head + ".diff", 200, "rename from torture/ren_old.txt"},
		{Web, "/octo/hello/commit/v1.0.0.patch", 200, "From: Ada Octavia <ada@octo.example>"},
		{Web, "/octo/hello/compare/v1.0.0...v1.1.0.diff", 200, "+++ b/src/greet_test.go"},
		{Web, "/octo/hello/compare/main...linus:spanish.diff", 200, ""},
		{Web, "/octo/hello/compare/feature/x..main.diff", 200, "--- a/src/x.go"},
		{Web, "/octo/old-hello/commit/" + head + ".diff", 301, f.Base(Web) + "/octo/hello/commit/" + head + ".diff"},
		{Web, "/octo/hello/issues/1", 404, "Page not found"},
		{Web, "/octo/hello/pull/1.diff", 404, ""},
		{Web, "/octo/secret/commit/main.diff", 404, ""},
		{Web, "/octo/hello/releases/download/v1.1.0/checksums.txt", 302, f.Base(Storage) + "/release/7103/checksums.txt?sig="},
		{Web, "/octo/hello/releases/latest/download/checksums.txt", 302, f.Base(Web) + "/octo/hello/releases/download/v1.1.0/checksums.txt"},
		{Web, "/octo/hello/releases/download/v1.1.0/nothing", 404, ""},
		{Web, "/octo/hello/archive/refs/heads/feature/x.zip", 302, f.Base(Codeload) + "/octo/hello/zip/refs/heads/feature/x"},
		{Web, "/octo/hello/raw/main/README.md", 302, f.Base(Raw) + "/octo/hello/main/README.md"},
		{Raw, "/octo/hello/feature/x/src/x.go", 200, "x is new"},
		{Raw, "/octo/hello/refs/heads/feature/x/src/x.go", 200, "x is new"},
		{Raw, "/octo/hello/main/docs/with%20space%20%231.md", 200, "a number sign"},
		{Raw, "/octo/hello/main/latest", 200, "docs/guide.md"},
		{Raw, "/octo/hello/" + head + "/torture/newx.sh", 200, "echo new"},
		{Raw, "/octo/hello/main/src", 404, "404: Not Found"},
		{Raw, "/octo/secret/main/README.md", 404, ""},
		{Raw, "/wiki/octo/hello/Getting-Started.md", 200, "Install Go first"},
		{Raw, "/wiki/linus/hello/Home.md", 404, ""},
		{GistRaw, "/ada/aa5a315d61ae9438b18d/raw/" + gistRevision + "/hello.rb", 200, "puts 'hello'"},
		{GistRaw, "/ada/0000/raw", 404, ""},
		{Codeload, "/octo/hello/tar.gz/refs/tags/none", 404, ""},
		{Storage, "/asset/1", 404, ""},
	} {
		status, body, h := get(t, f, tt.host, tt.path)
		if tt.status/100 == 3 {
			body = h.Get("Location")
		}
		if status != tt.status || !strings.Contains(body, tt.says) {
			t.Errorf("%s %s: status %d, want %d with %q: %.300s", tt.host, tt.path, status, tt.status, tt.says, body)
		}
	}
}

func TestStorage(t *testing.T) {
	f := New(t)
	address := f.Store("logs/1", "text/plain", []byte("a log"))
	path := strings.TrimPrefix(address, f.Base(Storage))
	if status, body, _ := get(t, f, Storage, path); status != 200 || body != "a log" {
		t.Errorf("status %d: %s", status, body)
	}
	if status, _, _ := get(t, f, Storage, "/logs/1"); status != 404 {
		t.Errorf("status %d without the signature, want 404", status)
	}
}

func TestArchive(t *testing.T) {
	f := New(t)
	_, body, h := get(t, f, Codeload, "/octo/hello/tar.gz/refs/heads/feature/x")
	if got := h.Get("Content-Disposition"); got != "attachment; filename=hello-feature-x.tar.gz" {
		t.Error(got)
	}
	z, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	commit := ""
	for r := tar.NewReader(z); ; {
		e, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e.Typeflag == tar.TypeXGlobalHeader {
			commit = e.PAXRecords["comment"]
		}
		names = append(names, e.Name)
	}
	if want := f.World.Repos[0].Git.CommitSHA("feature/x"); commit != want {
		t.Errorf("commit %q in the header, want %q", commit, want)
	}
	if !slices.Contains(names, "hello-feature-x/src/x.go") || slices.Contains(names, "hello-feature-x/assets/notes.txt") {
		t.Errorf("names %q: want src/x.go, and not what is export-ignore", names)
	}
}

func TestGit(t *testing.T) {
	f := New(t)
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Env = append(gitrepo.Environment(), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=protocol.version", "GIT_CONFIG_VALUE_0=2")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
		return string(out)
	}
	refs := git("ls-remote", f.Base(Web)+"/octo/hello.git")
	for _, want := range []string{"HEAD", "refs/heads/feature/x", "refs/pull/7/head", "refs/tags/v1.0.0^{}"} {
		if !strings.Contains(refs, "\t"+want+"\n") {
			t.Errorf("no %s in\n%s", want, refs)
		}
	}
	status, body, h := get(t, f, Web, "/octo/hello.git/info/refs?service=git-upload-pack")
	if status != 200 || !strings.Contains(h.Get("Content-Type"), "git-upload-pack-advertisement") || !strings.Contains(body, " refs/heads/main\n") {
		t.Errorf("status %d, header %v: %.200q", status, h, body)
	}
	dir := t.TempDir()
	git("clone", "-q", "--depth=1", "--filter=blob:none", "--no-checkout", f.Base(Web)+"/octo/hello.git", filepath.Join(dir, "hello"))
	git("clone", "-q", f.Base(Web)+"/octo/hello.wiki.git", filepath.Join(dir, "wiki"))
	if data, err := os.ReadFile(filepath.Join(dir, "wiki", "Home.md")); err != nil || !strings.Contains(string(data), "# Welcome") {
		t.Errorf("Home.md: %v %s", err, data)
	}
	if status, _, _ := get(t, f, Web, "/octo/secret.git/info/refs?service=git-upload-pack"); status != 401 {
		t.Errorf("status %d for a private repository, want 401", status)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.Base(Web)+"/octo/secret.git/info/refs?service=git-upload-pack", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("x-access-token", f.Token)
	if status, body, _ := do(t, req); status != 200 {
		t.Errorf("status %d with the token: %s", status, body)
	}
}

// Pull request 7 has every kind of change.
func TestTorture(t *testing.T) {
	f := New(t)
	r := f.World.Repos[0]
	p := r.Issue(PullTorture).Pull
	changes := f.changes(r, p.mergeBase(r), p.HeadSHA)
	kinds := map[string]int{}
	for _, c := range changes {
		kinds[c.Status]++
		if c.Binary != strings.HasSuffix(c.Path, ".png") {
			t.Errorf("%s: binary %v", c.Path, c.Binary)
		}
	}
	want := map[string]int{"added": 4, "changed": 1, "modified": 12, "removed": 3, "renamed": 4}
	if !maps.Equal(kinds, want) {
		t.Errorf("kinds of changes %v, want %v", kinds, want)
	}
}
