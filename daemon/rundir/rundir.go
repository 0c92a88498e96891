// Package rundir says where the socket, the locks and the log of pifetchd
// live, and makes sure that nobody but their owner can reach them. Daemon and
// clients compute the same paths from the agent directory alone.
package rundir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// MaxSock is the longest socket path every system takes: macOS has room for
// 104 bytes, the closing NUL included.
const MaxSock = 103

// MaxLog is the size from which a log is set aside before it is appended to.
const MaxLog = 10 << 20

// Paths are the files of one daemon. All of them are absolute and free of
// symbolic links as far as their folders exist.
type Paths struct {
	AgentDir    string // pi's agent directory
	Dir         string // the run folder
	Sock        string // in Dir, or in a folder under /tmp when that is too long a path
	DaemonLock  string // held by the daemon for its whole life, never removed
	SpawnLock   string // held by a client that starts a daemon
	Log         string // output of a daemon started by a client
	Interactive string // the open login window
	Logins      string // the sites that got cookies in login windows
}

// AgentDir is pi's agent directory: PI_CODING_AGENT_DIR, else ~/.pi/agent.
func AgentDir() (string, error) {
	dir := os.Getenv("PI_CODING_AGENT_DIR")
	if dir == "" {
		dir = "~/.pi/agent"
	}
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || rest[0] == '/') {
		home, err := homeDir()
		if err != nil {
			return "", fmt.Errorf("find the agent directory: %w (set HOME or PI_CODING_AGENT_DIR)", err)
		}
		dir = home + rest
	}
	return filepath.Abs(dir)
}

// homeDir works without HOME too, as under cron.
func homeDir() (string, error) {
	home, err := os.UserHomeDir()
	if err == nil {
		return home, nil
	}
	if u, lookupErr := user.LookupId(strconv.Itoa(os.Geteuid())); lookupErr == nil && u.HomeDir != "" {
		return u.HomeDir, nil
	}
	return "", err
}

// Locate returns the paths that belong to an agent directory, which need not
// exist yet. Every spelling of the same directory gives the same paths.
func Locate(agentDir string) (Paths, error) {
	dir, err := filepath.Abs(agentDir)
	if err != nil {
		return Paths{}, fmt.Errorf("locate the run folder: %w", err)
	}
	dir, err = linkFree(dir)
	if err != nil {
		return Paths{}, fmt.Errorf("locate the run folder: %w", err)
	}
	run := filepath.Join(dir, "pifetchd")
	p := Paths{
		AgentDir:    dir,
		Dir:         run,
		Sock:        filepath.Join(run, "sock"),
		DaemonLock:  filepath.Join(run, "daemon.lock"),
		SpawnLock:   filepath.Join(run, "spawn.lock"),
		Log:         filepath.Join(run, "pifetchd.log"),
		Interactive: filepath.Join(run, "interactive.json"),
		Logins:      filepath.Join(run, "logins"),
	}
	if len(p.Sock) > MaxSock {
		sum := sha256.Sum256([]byte(dir))
		p.Sock = filepath.Join(fmt.Sprintf("/tmp/pifetchd-%d", os.Geteuid()), hex.EncodeToString(sum[:8])+".sock")
	}
	return p, nil
}

// linkFree resolves the links of the part of path that exists.
func linkFree(path string) (string, error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && path != "/" {
		parent, err := linkFree(filepath.Dir(path))
		return filepath.Join(parent, filepath.Base(path)), err
	}
	return filepath.EvalSymlinks(path)
}

// Prepare makes what is missing and checks what is there: folders must be real
// directories of ours that nobody else can enter. Files get mode 0600 under
// any umask. Daemon and clients call it before they use the locks or the log.
func (p Paths) Prepare() error {
	if err := mkdirAll(p.AgentDir); err != nil {
		return fmt.Errorf("make the agent directory: %w", err)
	}
	for _, dir := range []string{p.Dir, filepath.Dir(p.Sock)} {
		if err := private(dir); err != nil {
			return err
		}
	}
	for _, name := range []string{p.DaemonLock, p.SpawnLock} {
		f, err := open(name, os.O_RDWR)
		if err != nil {
			return err
		}
		f.Close()
	}
	return nil
}

// OpenLog opens the log for appending. A log over MaxLog bytes is renamed to
// pifetchd.log.old first; call it only when no daemon writes to it.
func (p Paths) OpenLog() (*os.File, error) {
	if fi, err := os.Lstat(p.Log); err == nil && fi.Size() > MaxLog {
		if err := os.Rename(p.Log, p.Log+".old"); err != nil {
			return nil, fmt.Errorf("set the old log aside: %w", err)
		}
	}
	return open(p.Log, os.O_WRONLY|os.O_APPEND)
}

// mkdirAll is os.MkdirAll with mode 0700 under any umask.
func mkdirAll(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := mkdirAll(filepath.Dir(dir)); err != nil {
		return err
	}
	return mkdir(dir)
}

// mkdir is content with what is already there.
func mkdir(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.Chmod(dir, 0o700)
}

func private(dir string) error {
	if err := mkdir(dir); err != nil {
		return fmt.Errorf("make the run folder: %w", err)
	}
	fi, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("check the run folder: %w", err)
	}
	switch {
	case !fi.IsDir():
		return fmt.Errorf("%s is not a directory — remove it", dir)
	case !ours(fi):
		return fmt.Errorf("%s belongs to another user (uid %d) — it must be removed, or PI_CODING_AGENT_DIR changed", dir, owner(fi))
	case fi.Mode().Perm() != 0o700:
		return fmt.Errorf("%s has mode %04o and must have 0700 — run: chmod 700 '%s'", dir, fi.Mode().Perm(), dir)
	}
	return nil
}

// open makes a regular file of ours with mode 0600, or opens the one that is
// there. It follows no link.
func open(name string, flag int) (*os.File, error) {
	f, err := os.OpenFile(name, flag|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	switch {
	case err != nil:
	case !fi.Mode().IsRegular() || !ours(fi):
		err = fmt.Errorf("%s is not a regular file of ours — remove it", name)
	case fi.Mode().Perm() != 0o600:
		err = f.Chmod(0o600)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func ours(fi fs.FileInfo) bool { return owner(fi) == os.Geteuid() }

func owner(fi fs.FileInfo) int { return int(fi.Sys().(*syscall.Stat_t).Uid) }
