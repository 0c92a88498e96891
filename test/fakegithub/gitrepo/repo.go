package gitrepo

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Repo is a bare repository that nobody writes to.
type Repo struct{ Dir string }

const config = `[core]
	repositoryformatversion = 0
	bare = true
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[http]
	receivepack = false
`

// Build makes the repository in a subfolder of dir whose name follows from the
// content, or takes the one that is there. HEAD is the branch main.
func (b *Builder) Build(dir string) (Repo, error) {
	sum := sha256.Sum256(append([]byte(config), b.stream.Bytes()...))
	final := filepath.Join(dir, fmt.Sprintf("%x.git", sum[:10]))
	if _, err := os.Stat(final); err == nil {
		return Repo{final}, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Repo{}, err
	}
	part, err := os.MkdirTemp(dir, "part-*")
	if err != nil {
		return Repo{}, err
	}
	defer os.RemoveAll(part)
	r := Repo{part}
	if _, err := r.run(nil, "init", "-q", "--bare", "--template=", "-b", "main", part); err != nil {
		return Repo{}, err
	}
	if err := os.WriteFile(filepath.Join(part, "config"), []byte(config), 0o644); err != nil {
		return Repo{}, err
	}
	if _, err := r.run(&b.stream, "fast-import", "--quiet", "--date-format=raw"); err != nil {
		return Repo{}, err
	}
	if err := os.Rename(part, final); err != nil {
		if _, there := os.Stat(final); there != nil { // another process was faster
			return Repo{}, err
		}
	}
	return Repo{final}, nil
}

// printed is what git commands printed, by repository and arguments. It stays
// right: the name of a repository's folder follows from its content.
var printed sync.Map

// Git runs a git command that only reads, once, and returns what it prints.
func (r Repo) Git(args ...string) ([]byte, error) {
	type result struct {
		out []byte
		err error
	}
	key := r.Dir + "\x00" + strings.Join(args, "\x00")
	if v, ok := printed.Load(key); ok {
		return v.(result).out, v.(result).err
	}
	out, err := r.run(nil, args...)
	printed.Store(key, result{out, err})
	return out, err
}

func (r Repo) run(stdin io.Reader, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Env = append(Environment(), "GIT_DIR="+r.Dir)
	var out, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return out.Bytes(), nil
}

// Line is what a git command prints, without the white space around it; "" when it fails.
func (r Repo) Line(args ...string) string {
	out, err := r.Git(args...)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Environment keeps the user's and the system's configuration out.
func Environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_TERMINAL_PROMPT=0",
	}
}
