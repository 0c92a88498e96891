package profile

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestMergePrefs(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"new", ``, `{"session":{"restore_on_startup":1}}`},
		{"null", `null`, `{"session":{"restore_on_startup":1}}`},
		{"other keys stay", `{"a":{"b":12345678901234567890},"session":{"x":1}}`, `{"a":{"b":12345678901234567890},"session":{"restore_on_startup":1,"x":1}}`},
		{"chosen otherwise", `{"session":{"restore_on_startup":5}}`, `{"session":{"restore_on_startup":5}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := mergePrefs([]byte(c.in))
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v; want %s", got, err, c.want)
			}
		})
	}
	for _, in := range []string{`[]`, `{"session":3}`, `{`} {
		if got, err := mergePrefs([]byte(in)); err == nil {
			t.Errorf("%s became %s, want an error", in, got)
		}
	}
}

func FuzzMergePrefs(f *testing.F) {
	f.Add([]byte(`{"session":{"x":[1]},"a":null}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		out, err := mergePrefs(in)
		if err != nil {
			return
		}
		var p struct {
			Session map[string]any `json:"session"`
		}
		if err := json.Unmarshal(out, &p); err != nil {
			t.Fatalf("%q became %q: %v", in, out, err)
		}
		if _, ok := p.Session["restore_on_startup"]; !ok {
			t.Fatalf("%q became %q", in, out)
		}
	})
}

func TestMakeFolder(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", filepath.Join(base, "home"))
	t.Setenv("XDG_CONFIG_HOME", "")
	mkdir := func(name string) string {
		dir := filepath.Join(base, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	touch := func(name string) {
		if err := os.WriteFile(filepath.Join(base, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mkdir("documents")
	touch("documents/letter.txt")
	mkdir("moved")
	touch("moved/Local State")
	mkdir("open")
	if err := os.Symlink(mkdir("real"), filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dir, want, refusal string }{
		{"new/profile", "new/profile", ""},
		{"open", "open", ""},
		{"moved", "moved", ""},
		{"link", "real", ""},
		{"documents", "", "holds other files"},
	} {
		t.Run(c.dir, func(t *testing.T) {
			got, err := makeFolder(filepath.Join(base, c.dir))
			if c.refusal != "" {
				if err == nil || !strings.Contains(err.Error(), c.refusal) {
					t.Fatalf("got %v, want %q", err, c.refusal)
				}
				return
			}
			if err != nil || got != filepath.Join(base, c.want) {
				t.Fatalf("got %s, %v", got, err)
			}
			if info, err := os.Stat(got); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		})
	}
	if _, err := makeFolder(filepath.Join(base, "home", ownFolder())); err == nil || !strings.Contains(err.Error(), "own Chrome folder") {
		t.Errorf("the user's own folder: %v", err)
	}
	if _, err := makeFolder("relative"); err == nil {
		t.Error("a relative path was taken")
	}
}

func TestCheckUse(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "Last Version"), []byte("156.0.8078.114"), 0o600); err != nil {
		t.Fatal(err)
	}
	chromium := marker{Product: "Chromium"}
	for _, c := range []struct {
		name, product, version, refusal string
		m                               marker
	}{
		{"same", "Chromium", "156.0.8078.114", "", chromium},
		{"updated", "Chromium", "157.0.1.1", "", chromium},
		{"no marker", "Chromium", "157.0.1.1", "", marker{}},
		{"older Chrome", "Chromium", "155.9.9.9", "was last used by version 156.0.8078.114", chromium},
		{"other product", "Google Chrome", "157.0.1.1", "was made by Chromium", chromium},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := checkUse(dir, c.m, c.product, c.version)
			if c.refusal == "" && err != nil || c.refusal != "" && (err == nil || !strings.Contains(err.Error(), c.refusal)) {
				t.Errorf("got %v, want %q", err, c.refusal)
			}
		})
	}
}

func TestLockProfile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profile")
	l, err := lockProfile(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockProfile(dir); !errors.Is(err, ErrProfileInUse) || !strings.Contains(err.Error(), "pid") {
		t.Errorf("a second lock: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l, err = lockProfile(dir)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

func TestChromeLock(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, lock string
		refusals   []string
	}{
		{"none", "", nil},
		{"dead process", host + "-" + itoa(gone.Process.Pid), nil},
		{"number reused by something else", host + "-" + itoa(os.Getpid()), nil},
		{"other host", "some-other-host-4711", []string{"some-other-host", "4711", "another computer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, "SingletonLock")
			if c.lock != "" {
				if err := os.Symlink(c.lock, name); err != nil {
					t.Fatal(err)
				}
			}
			err := checkChromeLock(dir)
			if (err != nil) != (c.refusals != nil) || err != nil && !errors.Is(err, ErrProfileInUse) {
				t.Fatalf("got %v", err)
			}
			for _, r := range c.refusals {
				if !strings.Contains(err.Error(), r) {
					t.Errorf("%q does not name %q", err, r)
				}
			}
			if _, err := os.Readlink(name); c.lock != "" && err != nil {
				t.Errorf("the lock is gone: %v", err)
			}
		})
	}
}

func TestProcess(t *testing.T) {
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p, ok := findProcess(cmd.Process.Pid)
	if !ok || !p.alive() {
		t.Errorf("%+v is not alive", p)
	}
	if other := (process{p.PID, p.Start + "0"}); other.alive() {
		t.Error("a process with another start counts as alive")
	}
	cmd.Process.Kill()
	cmd.Wait()
	if p.alive() {
		t.Error("an ended process counts as alive")
	}
}

// ownFolder is where Chromium keeps the user's profile, below the home folder.
func ownFolder() string {
	if runtime.GOOS == "darwin" {
		return "Library/Application Support/Chromium"
	}
	return ".config/chromium"
}
