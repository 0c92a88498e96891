package installed

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pifetch/test/need"

	"github.com/google/go-cmp/cmp"
)

// script makes an executable file.
func script(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func link(t *testing.T, target, path string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// ubuntuWrapper is the gist of what Ubuntu installs as chromium-browser.
const ubuntuWrapper = `#!/bin/sh
if ! [ -x /snap/bin/chromium ]; then
    echo "requires the chromium snap to be installed" >&2
    exit 1
fi
exec /snap/bin/chromium "$@"
`

func TestFind(t *testing.T) {
	dir := t.TempDir()
	good := script(t, dir+"/good", "#!/bin/sh\n")
	other := script(t, dir+"/other", "#!/bin/sh\n")
	linked := link(t, good, dir+"/linked")
	snap := link(t, script(t, dir+"/usr/bin/snap", "\x7fELF"), dir+"/snap/bin/chromium")
	wrapper := script(t, dir+"/chromium-browser", ubuntuWrapper)
	missing := dir + "/missing"
	plain := dir + "/plain"
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}

	const key = "webTools.fetch.browser.executablePath"
	const next = "; correct the setting, or remove it to have Chrome looked for"
	tests := []struct {
		name       string
		setting    string
		candidates []string
		want, err  string
	}{
		{"setting first", good, []string{other}, good, ""},
		{"setting that is a link", linked, nil, linked, ""},
		{"setting missing", missing, []string{good}, "", "no usable Chrome or Chromium found: " + key + " is " + missing + ": no such file or directory" + next},
		{"setting not executable", plain, []string{good}, "", key + " is " + plain + ": permission denied" + next},
		{"setting a folder", dir, []string{good}, "", key + " is " + dir + ": is a directory" + next},
		{"setting relative", "chromium", []string{good}, "", key + " is chromium: not an absolute path" + next},
		{"setting a snap", snap, []string{good}, "", key + " is " + snap + ": the snap of Chromium, which cannot use the profile folder" + next},
		{"setting a wrapper of the snap", wrapper, []string{good}, "", ": the snap of Chromium, which cannot use the profile folder" + next},
		{"first candidate", "", []string{missing, plain, dir, other, good}, other, ""},
		{"snap passed over", "", []string{snap, wrapper, good}, good, ""},
		{"only a snap", "", []string{missing, wrapper, snap}, "", "no usable Chrome or Chromium found: " + wrapper + " is the snap of Chromium, which cannot use the profile folder; install Google Chrome, or name another executable in " + key},
		{"nothing", "", []string{missing}, "", "no usable Chrome or Chromium found: install Google Chrome or Chromium, or name the executable in " + key},
		{"no candidates", "", nil, "", "name the executable in " + key},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := find(tt.setting, tt.candidates)
			if got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
			switch {
			case tt.err == "" && err != nil:
				t.Errorf("error %v", err)
			case tt.err != "" && (err == nil || !strings.HasSuffix(err.Error(), tt.err) || !errors.Is(err, ErrNotFound)):
				t.Errorf("error %v, want …%s", err, tt.err)
			}
		})
	}
}

func TestCandidatesLinux(t *testing.T) {
	got := candidates("linux", "/home/ann/bin::./bin:/bin", "/home/ann")
	want := []string{
		"/home/ann/bin/google-chrome-stable", "/bin/google-chrome-stable", "/usr/bin/google-chrome-stable", "/usr/local/bin/google-chrome-stable",
		"/home/ann/bin/google-chrome", "/bin/google-chrome", "/usr/bin/google-chrome", "/usr/local/bin/google-chrome",
		"/home/ann/bin/chromium", "/bin/chromium", "/usr/bin/chromium", "/usr/local/bin/chromium",
		"/home/ann/bin/chromium-browser", "/bin/chromium-browser", "/usr/bin/chromium-browser", "/usr/local/bin/chromium-browser",
		"/opt/google/chrome/chrome",
		"/usr/lib/chromium/chromium", "/usr/lib64/chromium/chromium",
		"/usr/lib/chromium-browser/chromium-browser", "/usr/lib64/chromium-browser/chromium-browser",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestCandidatesMac(t *testing.T) {
	got := candidates("darwin", "/usr/bin", "/Users/ann")
	want := []string{
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Users/ann/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
		"/Users/ann/Applications/Chromium.app/Contents/MacOS/Chromium",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestVersion(t *testing.T) {
	tests := []struct {
		name, script               string
		product, version, errorHas string
	}{
		{"Debian", "echo 'Chromium 156.0.8078.114 built on Debian GNU/Linux 12 (bookworm)'", Chromium, "156.0.8078.114", ""},
		{"Google", "echo 'Google Chrome 141.0.7390.54 '", GoogleChrome, "141.0.7390.54", ""},
		{"beta", "echo 'Google Chrome 142.0.7444.3 beta'", GoogleChrome, "142.0.7444.3", ""},
		{"for testing", "echo 'Google Chrome for Testing 130.0.6723.58'", GoogleChrome, "130.0.6723.58", ""},
		{"noise before", "echo 'warning: 1.2' ; echo oops >&2; echo 'Chromium 9.8.7.6'", Chromium, "9.8.7.6", ""},
		{"another browser", "echo 'Brave Browser 140.1.82.170'", "", "", `it says "Brave Browser 140.1.82.170" and is neither Google Chrome nor Chromium`},
		{"nothing", "", "", "", `it says ""`},
		{"failure", "echo 'Chromium 1.2.3.4'; exit 3", "", "", "exit status 3"},
		{"much", "head -c 1000000 /dev/zero; echo 'Chromium 1.2.3.4'", "", "", "neither"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := script(t, filepath.Join(t.TempDir(), "chrome"), "#!/bin/sh\n"+tt.script+"\n")
			product, version, err := Version(t.Context(), path)
			if product != tt.product || version != tt.version {
				t.Errorf("got %q %q", product, version)
			}
			if (err == nil) != (tt.errorHas == "") || err != nil && !strings.Contains(err.Error(), tt.errorHas) {
				t.Errorf("error %v, want %q", err, tt.errorHas)
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		if _, _, err := Version(t.Context(), "/nonexistent/chrome"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("error %v", err)
		}
	})
}

func TestVersionHangs(t *testing.T) {
	dir := t.TempDir()
	pids := dir + "/pids"
	path := script(t, dir+"/chrome", "#!/bin/sh\nsleep 1000 &\necho $! > "+pids+".new; mv "+pids+".new "+pids+"\nwait\n")
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("caller left")
	var pid int
	go func() {
		defer cancel(gone)
		for ctx.Err() == nil {
			if b, err := os.ReadFile(pids); err == nil {
				pid, _ = strconv.Atoi(strings.TrimSpace(string(b)))
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	_, _, err := Version(ctx, path)
	if !errors.Is(err, gone) {
		t.Fatalf("error %v", err)
	}
	<-ctx.Done()
	if pid <= 0 {
		t.Fatal("the script has not started its child")
	}
	for deadline := time.Now().Add(30 * time.Second); running(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
	}
}

// running reports whether pid is a process that is more than a zombie.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

func TestRealChrome(t *testing.T) {
	path, err := Find("")
	need.Have(t, "chrome", err)
	product, version, err := Version(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if product != GoogleChrome && product != Chromium || strings.Count(version, ".") != 3 {
		t.Errorf("%s is %q %q", path, product, version)
	}
}

func TestNewer(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"156.0.8078.114", "156.0.8078.114", false},
		{"157.0.1.1", "156.0.8078.114", true},
		{"99.0.1.1", "156.0.8078.114", false},
		{"156.0.8078.115", "156.0.8078.114", true},
		{"156.0.8078.114.1", "156.0.8078.114", true},
		{"rubbish", "156.0.8078.114", false},
	} {
		if got := Newer(c.a, c.b); got != c.want {
			t.Errorf("Newer(%s, %s) = %v", c.a, c.b, got)
		}
	}
}

func TestReadLock(t *testing.T) {
	tests := []struct {
		target string
		want   Lock
		ok     bool
	}{
		{"laptop-1234", Lock{"laptop", 1234}, true},
		{"my-other-laptop.example-1", Lock{"my-other-laptop.example", 1}, true},
		{"-7", Lock{"", 7}, true},
		{"laptop", Lock{}, false},
		{"laptop-", Lock{}, false},
		{"laptop-x", Lock{}, false},
		{"laptop-0", Lock{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.target, func(t *testing.T) {
			dir := t.TempDir()
			link(t, tt.target, dir+"/SingletonLock")
			if got, ok := ReadLock(dir); got != tt.want || ok != tt.ok {
				t.Errorf("ReadLock() = %+v, %v", got, ok)
			}
		})
	}
	dir := t.TempDir()
	if _, ok := ReadLock(dir); ok {
		t.Error("a lock in an empty folder")
	}
	script(t, dir+"/SingletonLock", "laptop-12")
	if _, ok := ReadLock(dir); ok {
		t.Error("a plain file is taken for a lock")
	}
}

func TestLastVersion(t *testing.T) {
	dir := t.TempDir()
	if v, ok := LastVersion(dir); ok {
		t.Errorf("new profile: %q", v)
	}
	script(t, dir+"/Last Version", "156.0.8078.114\n")
	if v, ok := LastVersion(dir); !ok || v != "156.0.8078.114" {
		t.Errorf("got %q, %v", v, ok)
	}
	script(t, dir+"/Last Version", "")
	if v, ok := LastVersion(dir); ok {
		t.Errorf("empty file: %q", v)
	}
}

func TestDefaultProfileDirs(t *testing.T) {
	env := map[string]string{"XDG_CONFIG_HOME": "/cfg", "CHROME_CONFIG_HOME": "relative"}
	linux := defaultProfileDirs("linux", "/home/ann", func(k string) string { return env[k] })
	for _, want := range []string{"/home/ann/.config/google-chrome", "/home/ann/.config/chromium", "/cfg/chromium", "/home/ann/snap/chromium/common/chromium"} {
		if !slices.Contains(linux, want) {
			t.Errorf("linux lacks %s", want)
		}
	}
	if slices.ContainsFunc(linux, func(d string) bool { return !filepath.IsAbs(d) }) {
		t.Errorf("a relative folder in %v", linux)
	}
	mac := defaultProfileDirs("darwin", "/Users/ann", os.Getenv)
	if want := "/Users/ann/Library/Application Support/Google/Chrome"; !slices.Contains(mac, want) {
		t.Errorf("darwin lacks %s", want)
	}
}

func TestInDefaultProfile(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("CHROME_CONFIG_HOME", "")
	own := defaultProfileDirs("linux", home, os.Getenv)
	chrome, chromium := home+"/.config/google-chrome", home+"/.config/chromium" // the latter does not exist
	if err := os.MkdirAll(chrome, 0o700); err != nil {
		t.Fatal(err)
	}
	link(t, chrome, home+"/sneaky")
	link(t, home+"/.config", home+"/config")
	tests := []struct {
		dir  string
		want bool
	}{
		{chrome, true},
		{chrome + "/", true},
		{chrome + "/Default", true},
		{home + "/sneaky", true},
		{home + "/sneaky/new", true},
		{home + "/config/../.config/google-chrome", true},
		{home + "/config/chromium", true},
		{chromium, true},
		{chromium + "-2", false},
		{home + "/.config", false},
		{home + "/.pi/agent/browser-profile", false},
		{"/", false},
	}
	for _, tt := range tests {
		t.Run(tt.dir, func(t *testing.T) {
			if got := within(tt.dir, own); got != tt.want {
				t.Errorf("within(%s) = %v", tt.dir, got)
			}
		})
	}
	if dirs := DefaultProfileDirs(); len(dirs) == 0 || !InDefaultProfile(dirs[0]) || InDefaultProfile(home) {
		t.Errorf("InDefaultProfile disagrees with %v", dirs)
	}
}
