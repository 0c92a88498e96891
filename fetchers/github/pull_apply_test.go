package github

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pifetch/test/fakegithub"
	"pifetch/test/fakegithub/gitrepo"
)

// What diff.patch holds of the pull request that changes everything in every
// way, git applies to its base, and the result is its head but for what was
// left out.
func TestPatchApplies(t *testing.T) {
	f := fakegithub.New(t)
	pull := f.World.Repos[0].Issue(fakegithub.PullTorture).Pull
	repo := f.World.Repos[0].Git
	for _, tt := range []struct {
		name string
		mode mode
		fail string // answered with "too large"
		left []string
	}{
		{"token", withToken, "", []string{"bin.png", "delbin.png", "newbin.png"}},
		{"anonymous", anonymous, "", []string{"bin.png", "delbin.png", "newbin.png"}},
		{"token, rebuilt", withToken, "api /repos/octo/hello/pulls/7", []string{"bin.png", "delbin.png", "latin1.txt", "newbin.png"}},
		{"anonymous, rebuilt", anonymous, "web /octo/hello/pull/7.diff", []string{"bin.png", "delbin.png", "latin1.txt", "newbin.png"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.fail != "" {
				f.Fail(tt.fail, fakegithub.TooLarge())
			}
			patch := fetch(t, fresh(f), tt.mode, hello+"/pull/7").body(t, diffName)
			for i, name := range tt.left {
				tt.left[i] = "torture/" + name
			}
			if left := applied(t, repo, repo.MergeBase(pull.BaseSHA, pull.HeadSHA), pull.HeadSHA, patch); !slices.Equal(left, tt.left) {
				t.Errorf("not as in the head: %q, want %q", left, tt.left)
			}
		})
	}
}

// applied are the files that differ between head and what patch makes of base.
func applied(t *testing.T, repo gitrepo.Repo, base, head, patch string) []string {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, gitrepo.Environment()
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	file := filepath.Join(t.TempDir(), diffName)
	if err := os.WriteFile(file, []byte(patch), 0o644); err != nil {
		t.Fatal(err)
	}
	git("clone", "-q", "--no-checkout", repo.Dir, ".")
	git("read-tree", base)
	git("apply", "--check", "--cached", file)
	git("apply", "--cached", file)
	return strings.Fields(git("diff", "--cached", "--name-only", "--no-renames", head))
}
