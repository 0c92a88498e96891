package rundir_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pifetch/daemon/daemontest"
	"pifetch/daemon/rundir"
)

// tempDir is free of links and short.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "rd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func locate(t *testing.T, dir string) rundir.Paths {
	t.Helper()
	p, err := rundir.Locate(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAgentDir(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range daemontest.AgentDirs(wd) {
		t.Run(value, func(t *testing.T) {
			t.Setenv("HOME", "/home/me")
			t.Setenv("PI_CODING_AGENT_DIR", value)
			if got, err := rundir.AgentDir(); err != nil || got != want {
				t.Errorf("got %s, %v; want %s", got, err, want)
			}
		})
	}
}

func TestAgentDirWithoutHome(t *testing.T) {
	t.Setenv("HOME", "")
	t.Setenv("PI_CODING_AGENT_DIR", "")
	if got, err := rundir.AgentDir(); err != nil || !filepath.IsAbs(got) || !strings.HasSuffix(got, "/.pi/agent") {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestLocate(t *testing.T) {
	dir := tempDir(t)
	got := locate(t, dir+"/agent")
	run := dir + "/agent/pifetchd"
	want := rundir.Paths{
		AgentDir: dir + "/agent", Dir: run, Sock: run + "/sock", DaemonLock: run + "/daemon.lock",
		SpawnLock: run + "/spawn.lock", Log: run + "/pifetchd.log", Interactive: run + "/interactive.json",
		Logins: run + "/logins",
	}
	if got != want {
		t.Errorf("got %+v", got)
	}
}

func TestLocateShortensTheSocketsPath(t *testing.T) {
	dir := tempDir(t)
	// A path of 103 bytes is the longest that every system takes.
	pad := strings.Repeat("x", rundir.MaxSock-len(dir+"//pifetchd/sock"))
	if got, want := locate(t, dir+"/"+pad).Sock, dir+"/"+pad+"/pifetchd/sock"; got != want {
		t.Errorf("103 bytes: got %s, want %s", got, want)
	}
	long := dir + "/" + pad + "x"
	sum := sha256.Sum256([]byte(long))
	want := fmt.Sprintf("/tmp/pifetchd-%d/%s.sock", os.Geteuid(), hex.EncodeToString(sum[:])[:16])
	if got := locate(t, long).Sock; got != want {
		t.Errorf("104 bytes: got %s, want %s", got, want)
	}
}

func TestLocateIsTheSameForEverySpelling(t *testing.T) {
	for _, name := range []string{"short", strings.Repeat("long", 25)} {
		t.Run(name[:5], func(t *testing.T) {
			dir := tempDir(t)
			if err := os.Mkdir(dir+"/real", 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("real", dir+"/link"); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			agent := dir + "/real/" + name + "/agent"
			want := locate(t, agent)
			compare := func(when string) {
				for _, spelling := range []string{agent, dir + "/link/" + name + "/agent", "link/" + name + "/agent/", dir + "/real/x/../" + name + "/agent"} {
					if got := locate(t, spelling); got != want {
						t.Errorf("%s: %s: got %+v, want %+v", when, spelling, got, want)
					}
				}
			}
			compare("before it exists")
			if err := os.MkdirAll(agent, 0o700); err != nil {
				t.Fatal(err)
			}
			compare("when it exists")
		})
	}
}

func TestLocateRefusesADanglingLink(t *testing.T) {
	dir := tempDir(t)
	if err := os.Symlink("nowhere", dir+"/agent"); err != nil {
		t.Fatal(err)
	}
	if p, err := rundir.Locate(dir + "/agent"); err == nil {
		t.Errorf("got %+v", p)
	}
}

// The umask belongs to the process, so each is tried in one of its own.
func TestPrepareUnderAnyUmask(t *testing.T) {
	if mask := os.Getenv("RUNDIR_TEST_UMASK"); mask != "" {
		var m int
		fmt.Sscanf(mask, "%o", &m)
		syscall.Umask(m)
		p := locate(t, os.Getenv("RUNDIR_TEST_DIR"))
		for range 2 {
			if err := p.Prepare(); err != nil {
				t.Fatal(err)
			}
			f, err := p.OpenLog()
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
		return
	}
	for _, mask := range []string{"000", "022", "077", "777"} {
		t.Run(mask, func(t *testing.T) {
			dir := tempDir(t)
			cmd := exec.Command(os.Args[0], "-test.run=^TestPrepareUnderAnyUmask$")
			cmd.Env = append(os.Environ(), "RUNDIR_TEST_UMASK="+mask, "RUNDIR_TEST_DIR="+dir+"/a/b")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			files := 0
			err := filepath.WalkDir(dir+"/a", func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				fi, err := d.Info()
				if err != nil {
					return err
				}
				want := fs.FileMode(0o600)
				if d.IsDir() {
					want = fs.ModeDir | 0o700
				} else {
					files++
				}
				if fi.Mode() != want {
					t.Errorf("%s: %s, want %s", path, fi.Mode(), want)
				}
				return nil
			})
			if err != nil || files != 3 {
				t.Errorf("%d files, %v", files, err)
			}
		})
	}
}

func TestPrepareRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		spoil func(p rundir.Paths) error
		says  string
	}{
		"open folder":    {func(p rundir.Paths) error { return os.Chmod(p.Dir, 0o755) }, "run: chmod 700 '"},
		"link as folder": {func(p rundir.Paths) error { return replace(p.Dir, os.Symlink(p.AgentDir, p.Dir+"x")) }, "is not a directory"},
		"file as folder": {func(p rundir.Paths) error { return replace(p.Dir, os.WriteFile(p.Dir+"x", nil, 0o600)) }, "is not a directory"},
		"link as lock":   {func(p rundir.Paths) error { return os.Symlink("/dev/null", p.DaemonLock) }, "daemon.lock"},
		"fifo as lock":   {func(p rundir.Paths) error { return syscall.Mkfifo(p.SpawnLock, 0o600) }, "spawn.lock is not a regular file"},
		"foreign folder": {func(p rundir.Paths) error { return os.Chown(p.Dir, 12345, -1) }, "belongs to another user (uid 12345)"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "foreign folder" && os.Geteuid() != 0 {
				t.Skip("only root can give a folder away")
			}
			p := locate(t, tempDir(t))
			if err := os.Mkdir(p.Dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := tt.spoil(p); err != nil {
				t.Fatal(err)
			}
			if err := p.Prepare(); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %q in it", err, tt.says)
			}
		})
	}
}

// replace puts what was made beside a folder in the folder's place.
func replace(dir string, err error) error {
	if err == nil {
		err = os.Remove(dir)
	}
	if err == nil {
		err = os.Rename(dir+"x", dir)
	}
	return err
}

func TestPrepareChecksTheShortSocketsFolder(t *testing.T) {
	p := locate(t, tempDir(t))
	p.Sock = filepath.Join(tempDir(t), "short", "0123456789abcdef.sock")
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(p.Sock), 0o711); err != nil {
		t.Fatal(err)
	}
	if err := p.Prepare(); err == nil {
		t.Error("a folder that others can enter was accepted")
	}
}

func TestOpenLog(t *testing.T) {
	p := locate(t, tempDir(t))
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		f, err := p.OpenLog()
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	write("one\n")
	write("two\n")
	if got, err := os.ReadFile(p.Log); err != nil || string(got) != "one\ntwo\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if err := os.Truncate(p.Log, rundir.MaxLog+1); err != nil {
		t.Fatal(err)
	}
	write("three\n")
	if got, err := os.ReadFile(p.Log); err != nil || string(got) != "three\n" {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	if fi, err := os.Stat(p.Log + ".old"); err != nil || fi.Size() != rundir.MaxLog+1 {
		t.Errorf("old log: %v, %v", fi, err)
	}
}
