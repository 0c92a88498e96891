package checkout

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Remote is a repository that git fetches from.
type Remote struct {
	URL   string // https; http on loopback only
	Token string // "" for none; sent to the URL's own host alone
}

// ErrNoGit is the error of a machine without git.
var ErrNoGit = errors.New("git is not installed")

// errNoAccess is the error of a repository that nobody, or not everybody, sees.
var errNoAccess = errors.New("404 Not Found: it does not exist, or is private")

// Repo is a bare repository with one commit and its trees. Files are fetched
// when they are asked for.
type Repo struct {
	Commit string // full SHA
	git    string // the program
	dir    string
	remote Remote
}

// maxTrees is the most that the commit with all its trees may take on disk.
const maxTrees = 256 << 20

// Fetch gets one commit of remote into a new folder dir, whose parent exists:
// commit is its full SHA, or HEAD. The caller removes dir.
func Fetch(ctx context.Context, dir string, remote Remote, commit string) (*Repo, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return nil, ErrNoGit
	}
	if strings.HasPrefix(commit, "-") {
		return nil, fmt.Errorf("commit %q: not the name of one", commit)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	r := &Repo{git: git, dir: dir, remote: remote}
	if err := r.run(ctx, nil, io.Discard, "init", "--quiet", "--bare", "--template=", r.repository()); err != nil {
		return nil, err
	}
	err = r.watched(ctx, maxTrees, nil, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules",
		"--filter=blob:none", "origin", commit)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := r.run(ctx, nil, &out, "rev-parse", "--verify", "FETCH_HEAD^{commit}"); err != nil {
		return nil, err
	}
	r.Commit = strings.TrimSpace(out.String())
	return r, nil
}

func (r *Repo) repository() string { return filepath.Join(r.dir, "repository") }

// run runs git on the repository, apart from everything the user has set up
// for git. It ends with ctx, and all that git started with it.
func (r *Repo) run(ctx context.Context, in io.Reader, out io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, r.git, args...)
	cmd.Dir, cmd.Env = r.dir, r.environment()
	cmd.Stdin, cmd.Stdout = in, out
	stderr := &tail{}
	cmd.Stderr = stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case stderr.noAccess() && r.remote.Token != "":
		return fmt.Errorf("git %s: %w, or the token may not see it or is not valid", args[0], errNoAccess)
	case stderr.noAccess():
		return fmt.Errorf("git %s: %w", args[0], errNoAccess)
	}
	return fmt.Errorf("git %s: %s", args[0], cmp.Or(stderr.reason(), err.Error()))
}
