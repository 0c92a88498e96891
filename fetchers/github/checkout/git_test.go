package checkout

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pifetch/test/need"
)

// origin is a repository made by a test and served over HTTP.
type origin struct {
	URL string
	dir string
	env []string

	mu     sync.Mutex
	logins []string
}

// newOrigin serves an empty repository as <URL>.
func newOrigin(t *testing.T) *origin {
	t.Helper()
	program, err := exec.LookPath("git")
	need.Have(t, "git", err)
	o := &origin{dir: filepath.Join(t.TempDir(), "r.git")}
	o.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_DIR=" + o.dir,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@a.example", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@a.example", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
	o.git(t, "", "init", "--quiet", "--bare", "--initial-branch=main", o.dir)
	o.git(t, "", "config", "uploadpack.allowFilter", "true")
	backend := &cgi.Handler{
		Path: program, Args: []string{"http-backend"}, InheritEnv: []string{"PATH"},
		Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(o.dir), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1"},
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		o.logins = append(o.logins, r.Header.Get("Authorization"))
		o.mu.Unlock()
		if p := r.Header.Get("Git-Protocol"); p != "" {
			backend := *backend
			backend.Env = append(backend.Env, "GIT_PROTOCOL="+p)
			backend.ServeHTTP(w, r)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	o.URL = srv.URL + "/r.git"
	return o
}

func (o *origin) git(t *testing.T, in string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Env, cmd.Stdin = o.env, strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", args[0], err, out)
	}
	return strings.TrimSpace(string(out))
}

// tree stores a tree of "mode name content" lines, of which the content of a
// folder is its SHA.
func (o *origin) tree(t *testing.T, lines ...string) string {
	t.Helper()
	var in strings.Builder
	for _, line := range lines {
		fields := strings.SplitN(line, " ", 3)
		mode, name, content := fields[0], fields[1], fields[2]
		kind, sha := "blob", content
		switch mode {
		case "040000":
			kind = "tree"
		case Submodule:
			kind = "commit"
		default:
			sha = o.git(t, content, "hash-object", "-w", "--stdin")
		}
		fmt.Fprintf(&in, "%s %s %s\t%s\x00", mode, kind, sha, name)
	}
	return o.git(t, in.String(), "mktree", "-z")
}

// commit makes a tree the head of main.
func (o *origin) commit(t *testing.T, tree string) string {
	t.Helper()
	sha := o.git(t, "", "commit-tree", "-m", "message", tree)
	o.git(t, "", "update-ref", "refs/heads/main", sha)
	return sha
}

// hostile has everything that could run, lead away or hide.
func hostile(t *testing.T, o *origin) string {
	t.Helper()
	src := o.tree(
		t,
		"100644 a.txt a",
		"100755 run.sh #!/bin/sh",
		"120000 link ../../../../etc/passwd",
		"100644 README upper",
		"100644 readme lower",
		Submodule+" sub "+sha,
		"040000 deep "+o.tree(t, "100644 b.txt a", "100644 crlf.txt x\r\ny\r\n"),
		"040000 .Git "+o.tree(t, "100644 config [core]", "040000 hooks "+o.tree(t, "100755 post-checkout #!/bin/sh")),
	)
	return o.commit(t, o.tree(
		t,
		"100644 .gitattributes * filter=pwn text eol=crlf\na.txt export-ignore export-subst",
		"100644 .gitmodules [submodule \"sub\"]\n\tpath = src/sub\n\turl = ext::sh -c id",
		"040000 src "+src,
		"100644 other.txt other",
	))
}

func fetch(t *testing.T, o *origin, token, commit string) *Repo {
	t.Helper()
	r, err := Fetch(t.Context(), filepath.Join(t.TempDir(), "git"), Remote{URL: o.URL, Token: token}, commit)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSubtreeOfAHostileRepository(t *testing.T) {
	o := newOrigin(t)
	commit := hostile(t, o)

	// What the user has set up for git must not matter either.
	home, ran := t.TempDir(), filepath.Join(t.TempDir(), "ran")
	hooks := filepath.Join(home, "hooks")
	if err := os.Mkdir(hooks, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-checkout", "reference-transaction", "post-merge"} {
		if err := os.WriteFile(filepath.Join(hooks, hook), []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	config := fmt.Sprintf("[core]\n\thooksPath = %s\n[filter \"pwn\"]\n\tsmudge = touch %s; cat\n[url \"ext::touch %s \"]\n\tinsteadOf = http\n", hooks, ran, ran)
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("GIT_SSH_COMMAND", "touch "+ran)
	t.Setenv("GIT_TRACE", filepath.Join(home, "trace"))

	r := fetch(t, o, "", commit)
	root := openRoot(t)
	got, err := r.Subtree(t.Context(), root, "src", DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	wantFiles := map[string]string{
		"_.Git/config": "[core]", "_.Git/hooks/post-checkout": "#!/bin/sh",
		"README": "upper", "readme-2": "lower", "a.txt": "a", "run.sh": "#!/bin/sh",
		"deep/b.txt": "a", "deep/crlf.txt": "x\r\ny\r\n",
	}
	if diff := cmp.Diff(wantFiles, files(t, root)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	wantEntries := []string{
		"sub omitted: submodule at " + sha,
		".Git/config as _.Git/config",
		".Git/hooks/post-checkout as _.Git/hooks/post-checkout executable",
		"README", "a.txt", "deep/b.txt", "deep/crlf.txt",
		"link omitted: symbolic link to ../../../../etc/passwd",
		"readme as readme-2",
		"run.sh executable",
	}
	if diff := cmp.Diff(wantEntries, entries(got)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if r.Commit != commit || got.Commit != commit {
		t.Errorf("commits %s and %s, want %s", r.Commit, got.Commit, commit)
	}
	for _, path := range []string{ran, filepath.Join(home, "trace")} {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v, want that nothing ran", path, err)
		}
	}
}

func TestSubtreeLimits(t *testing.T) {
	o := newOrigin(t)
	commit := hostile(t, o)
	r := fetch(t, o, "", commit)
	root := openRoot(t)
	got, err := r.Subtree(t.Context(), root, "src", Limits{Bytes: 100 << 20, Files: 4})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Entries) != 4 || got.More != 6 || len(files(t, root)) != 4 {
		t.Errorf("%d entries, %d more, files %v; want 4, 6 and 4 files", len(got.Entries), got.More, files(t, root))
	}
	root = openRoot(t)
	got, err = r.Subtree(t.Context(), root, "src/deep", Limits{Bytes: 3, Files: 10})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"b.txt", "crlf.txt omitted: over the cap of 3B (capped)"}
	if diff := cmp.Diff(want, entries(got)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

// A file over the limit costs no other.
func TestSubtreeAroundABigFile(t *testing.T) {
	o := newOrigin(t)
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			b.WriteByte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[random.IntN(64)])
		}
		return b.String()
	}
	lines := []string{"100644 big " + noise(3<<20)}
	var want []string
	for i := range 9 {
		name := fmt.Sprintf("f%d", i)
		lines, want = append(lines, "100644 "+name+" "+noise(1000)), append(want, name)
	}
	r := fetch(t, o, "", o.commit(t, o.tree(t, lines...)))
	got, err := r.Subtree(t.Context(), openRoot(t), "", Limits{Bytes: 1 << 20, Files: 100})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append([]string{"big omitted: over the cap of 1.0MB (capped)"}, want...), entries(got)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if left, _ := filepath.Glob(filepath.Join(r.repository(), "objects", "pack", "tmp*")); len(left) > 0 || r.size() > 1<<20 {
		t.Errorf("%v were left behind, %d bytes in all", left, r.size())
	}
}

func TestSubtreeThatIsNone(t *testing.T) {
	o := newOrigin(t)
	commit := hostile(t, o)
	r := fetch(t, o, "", "HEAD")
	if r.Commit != commit {
		t.Errorf("HEAD is %s, want %s", r.Commit, commit)
	}
	for _, dir := range []string{"nowhere", "other.txt", "../src"} {
		if _, err := r.Subtree(t.Context(), openRoot(t), dir, DefaultLimits); !errors.Is(err, ErrNoPath) {
			t.Errorf("Subtree of %s: %v, want %v", dir, err, ErrNoPath)
		}
	}
}

func TestTokenIsSentAndKeptNowhere(t *testing.T) {
	const token = "canary-token"
	o := newOrigin(t)
	r := fetch(t, o, token, hostile(t, o))
	if _, err := r.Subtree(t.Context(), openRoot(t), "", DefaultLimits); err != nil {
		t.Fatal(err)
	}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+token))
	for _, got := range o.logins {
		if got != want {
			t.Errorf("Authorization %q, want %q", got, want)
		}
	}
	err := filepath.WalkDir(r.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if strings.Contains(string(content), token) || strings.Contains(string(content), want) {
			t.Errorf("the token stands in %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, arg := range r.environment() {
		if strings.Contains(arg, token) {
			t.Errorf("the token stands as it is in %s", arg)
		}
	}
}

func TestRemotesThatAreRefused(t *testing.T) {
	o := newOrigin(t)
	hostile(t, o)
	elsewhere := httptest.NewServer(http.RedirectHandler(o.URL, http.StatusFound))
	defer elsewhere.Close()
	ran := filepath.Join(t.TempDir(), "ran")
	for _, remote := range []string{
		"ext::touch " + ran, "file://" + o.dir, o.dir, "ssh://127.0.0.1/r.git", "git://127.0.0.1/r.git", "http://192.0.2.1/r.git", elsewhere.URL + "/r.git",
	} {
		_, err := Fetch(t.Context(), filepath.Join(t.TempDir(), "git"), Remote{URL: remote, Token: "t"}, "HEAD")
		if err == nil {
			t.Errorf("%s was fetched", remote)
		} else {
			t.Logf("%s: %v", remote, err)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a command of a URL ran")
	}
}

func TestFetchOfWhatIsMissing(t *testing.T) {
	o := newOrigin(t)
	for _, commit := range []string{"HEAD", sha, "--upload-pack=touch"} {
		if _, err := Fetch(t.Context(), filepath.Join(t.TempDir(), "git"), Remote{URL: o.URL}, commit); err == nil {
			t.Errorf("%s was fetched from an empty repository", commit)
		}
	}
}

func TestFetchWithoutAccess(t *testing.T) {
	_, err := exec.LookPath("git")
	need.Have(t, "git", err)
	for _, status := range []int{http.StatusUnauthorized, http.StatusNotFound} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
			w.WriteHeader(status)
		}))
		for token, want := range map[string]string{
			"":    "git fetch: 404 Not Found: it does not exist, or is private",
			"bad": "git fetch: 404 Not Found: it does not exist, or is private, or the token may not see it or is not valid",
		} {
			_, err := Fetch(t.Context(), filepath.Join(t.TempDir(), "git"), Remote{URL: srv.URL + "/r.git", Token: token}, "HEAD")
			if !errors.Is(err, errNoAccess) || err.Error() != want {
				t.Errorf("status %d, token %q: %v, want %s", status, token, err, want)
			}
		}
		srv.Close()
	}
}

func TestFetchWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Fetch(t.Context(), filepath.Join(t.TempDir(), "git"), Remote{URL: "https://github.com/o/r.git"}, "HEAD"); !errors.Is(err, ErrNoGit) {
		t.Errorf("Fetch: %v, want %v", err, ErrNoGit)
	}
}

// A cancelled fetch leaves no process of git behind.
func TestCancelledFetch(t *testing.T) {
	_, err := exec.LookPath("git")
	need.Have(t, "git", err)
	asked := make(chan bool, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- true
		<-r.Context().Done() // the connection ends with git's helper
	}))
	defer srv.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	done := make(chan error, 1)
	go func() {
		_, err := Fetch(ctx, filepath.Join(t.TempDir(), "git"), Remote{URL: srv.URL + "/r.git"}, "HEAD")
		done <- err
	}()
	<-asked
	cancel(stop)
	select {
	case err := <-done:
		if !errors.Is(err, stop) {
			t.Errorf("Fetch: %v, want %v", err, stop)
		}
	case <-time.After(time.Minute):
		t.Fatal("Fetch goes on after its context ended")
	}
}

func TestTooMuchArrives(t *testing.T) {
	o := newOrigin(t)
	r := fetch(t, o, "", hostile(t, o))
	objects, _, err := r.List(t.Context(), "src", 100)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := r.Load(t.Context(), objects, 10)
	if err != nil || len(loaded) != 0 {
		t.Errorf("Load of more than 10 bytes: %v, %v; want nothing loaded", loaded, err)
	}
}
