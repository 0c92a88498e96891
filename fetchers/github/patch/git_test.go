package patch_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pifetch/fetchers/github/patch"
	"pifetch/test/need"
)

// repository is one made in the test, with a base and a head.
type repository struct {
	dir        string
	base, head string
}

// tryGit runs git away from the user's settings.
func (r *repository) tryGit(t testing.TB, in string, args ...string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "git", args...)
	c.Dir = r.dir
	c.Stdin = strings.NewReader(in)
	c.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2024-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2024-01-02T03:04:05Z",
	}
	out, err := c.CombinedOutput()
	return string(out), err
}

func (r *repository) git(t testing.TB, args ...string) string {
	t.Helper()
	out, err := r.tryGit(t, "", args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (r *repository) write(t testing.TB, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(r.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func (r *repository) remove(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Remove(filepath.Join(r.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func (r *repository) link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(r.dir, name)); err != nil {
		t.Fatal(err)
	}
}

func (r *repository) executable(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Chmod(filepath.Join(r.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func (r *repository) commit(t testing.TB) string {
	t.Helper()
	r.git(t, "add", "-A")
	r.git(t, "commit", "-qm", "commit")
	return strings.TrimSpace(r.git(t, "rev-parse", "HEAD"))
}

// torture is a repository with every kind of change there is between its base
// and its head.
func torture(t testing.TB) *repository {
	t.Helper()
	_, err := exec.LookPath("git")
	need.Have(t, "git", err)
	r := &repository{dir: t.TempDir()}
	r.git(t, "init", "-q", "-b", "main")
	long := strings.Repeat("line of text\nanother\n", 30)
	huge := strings.Repeat("a line of a large file\n", 30000)
	r.write(t, map[string]string{
		"mod.txt": long, "del.txt": "a\nb\n", "del_empty": "", "ren_old.txt": long + "x\n", "ren edit old.txt": long + "y\n",
		"noeol.txt": "a\nb", "crlf.txt": "a\r\nb\r\nc\r\n", "sp ace/f ile.txt": "1\n2\n", "ünï/çode.txt": "1\n", "quo\"te\t.txt": "1\n",
		"latin1.txt": "caf\xe9\n1\n", "mode.sh": "#!/bin/sh\n", "modeedit.sh": "#!/bin/sh\n", "delx.sh": "#!/bin/sh\n",
		"ren mode.sh": long + "m\n", "bin.png": "\x89PNG\x00\x01", "delbin.png": "\x89PNG\x00\x02", "renbin.png": "\x89PNG\x00" + long,
		"type": "file\n", "a b/ b/x": "tricky\n", "headers.sql": "-- a/x\n++ b/x\nrest\n", "huge.txt": huge,
		"oneline.txt": "no end", "tail ": "1\n", "blank.txt": "\n\n\na\n\n\n\n",
	})
	r.executable(t, "delx.sh")
	r.link(t, "mod.txt", "link")
	r.link(t, "mod.txt", "dellink")
	r.link(t, "gone", "untype")
	r.git(t, "update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,sub")
	r.git(t, "update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,delsub")
	if err := os.MkdirAll(filepath.Join(r.dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(r.dir, "delsub"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.base = r.commit(t)

	r.remove(t, "del.txt", "del_empty", "ren_old.txt", "ren edit old.txt", "ren mode.sh", "delx.sh", "delbin.png", "renbin.png",
		"link", "dellink", "type", "untype", "oneline.txt")
	r.write(t, map[string]string{
		"mod.txt": "new first\n" + long, "ren_new.txt": long + "x\n", "ren edit new.txt": long + "z\n", "ren mode new.sh": long + "m\n",
		"noeol.txt": "a\nc", "noeol_new.txt": "no newline", "crlf.txt": "a\r\nB\r\nc\r\n", "sp ace/f ile.txt": "1\n3\n",
		"sp ace/new file.txt": "1\n3\n", "ünï/çode.txt": "2\n", "quo\"te\t.txt": "2\n", "latin1.txt": "caf\xe9\n2\n",
		"modeedit.sh": "#!/bin/bash\n", "newx.sh": "#!/bin/sh\n", "bin.png": "\x89PNG\x00\x03", "newbin.png": "\x89PNG\x00\x04",
		"renbin new.png": "\x89PNG\x00" + long + "x", "empty_new": "", "a b/ b/x": "tricky2\n", "untype": "a\nfile\n",
		"headers.sql": "rest\ndiff --git a/x b/x\n", "huge.txt": "first\n" + strings.Replace(huge, "large", "big", 25000),
		"tail ": "2\n", "blank.txt": "\n\n\nb\n\n\n\n",
	})
	r.executable(t, "mode.sh", "modeedit.sh", "newx.sh", "ren mode new.sh")
	r.link(t, "crlf.txt", "link")
	r.link(t, "crlf.txt", "newlink")
	r.link(t, "mod.txt", "type")
	r.git(t, "update-index", "--cacheinfo", "160000,2222222222222222222222222222222222222222,sub")
	r.git(t, "update-index", "--force-remove", "delsub")
	r.remove(t, "delsub")
	r.head = r.commit(t)
	return r
}

// diff is what GitHub gives for .diff. renames is "-M", as there, or
// "--no-renames".
func (r *repository) diff(t testing.TB, renames string) string {
	t.Helper()
	return r.git(t, "diff", renames, r.base, r.head)
}

// largestPatch is above which GitHub's listing leaves a patch out.
const largestPatch = 500 << 10

// files is GitHub's listing of the changed files, with what two trees tell.
func (r *repository) files(t testing.TB, renames string) []patch.File {
	t.Helper()
	fields := strings.Split(r.git(t, "diff", renames, "--raw", "-z", "--no-abbrev", r.base, r.head), "\x00")
	statuses := map[byte]string{'A': "added", 'D': "removed", 'M': "modified", 'T': "changed", 'R': "renamed"}
	var files []patch.File
	for len(fields) > 1 {
		m := strings.Fields(strings.TrimPrefix(fields[0], ":"))
		f := patch.File{Path: fields[1], Status: statuses[m[4][0]], OldMode: m[0], NewMode: m[1], OldSHA: m[2], SHA: m[3]}
		paths := []string{f.Path}
		fields = fields[2:]
		switch f.Status {
		case "renamed":
			f.OldPath, f.Path = f.Path, fields[0]
			paths = []string{f.OldPath, f.Path}
			fields = fields[1:]
		case "added":
			f.OldMode, f.OldSHA = "", ""
		case "removed":
			f.NewMode, f.SHA = "", f.OldSHA
		}
		args := []string{"diff", renames, r.base, r.head, "--"}
		if f.Status == "changed" { // the two files side by side
			args = []string{"diff", f.OldSHA, f.SHA}
			paths = nil
		}
		diff := r.git(t, append(args, paths...)...)
		if _, hunks, ok := strings.Cut(diff, "\n@@ "); ok {
			f.Patch = "@@ " + strings.TrimSuffix(hunks, "\n")
		}
		for line := range strings.Lines(f.Patch) {
			switch line[0] {
			case '+':
				f.Additions++
			case '-':
				f.Deletions++
			}
		}
		f.Changes = f.Additions + f.Deletions
		if len(f.Patch) > largestPatch {
			f.Patch = ""
		}
		files = append(files, travel(t, f))
	}
	return files
}

// travel sends a file as JSON, as GitHub does. What is not UTF-8 is lost.
func travel(t testing.TB, f patch.File) (got patch.File) {
	t.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// apply applies a patch to the base and returns which paths differ from the
// head then, with their modes.
func (r *repository) apply(t testing.TB, text string) string {
	t.Helper()
	r.git(t, "reset", "-q", "--hard", r.base)
	r.git(t, "clean", "-qfd")
	if out, err := r.tryGit(t, text, "apply", "--check", "-"); err != nil {
		t.Errorf("git apply --check: %v\n%s", err, out)
	}
	if out, err := r.tryGit(t, text, "apply", "--index", "-"); err != nil {
		t.Errorf("git apply --index: %v\n%s", err, out)
	}
	return r.git(t, "diff", "--cached", "--name-only", "--no-renames", "-z", r.head)
}
